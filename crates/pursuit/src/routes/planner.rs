//! Plans trips: from the walker to a route, along it, and from there to the goal.

use std::ops::Range;

use glam::Vec2;

use super::entry::{between, closest_until, last_in_reach};
use super::error::TripError;
use super::line::first_closed_until;
use super::options::{Destination, Entry, TripOptions};
use super::parts::{Place, PlaceId, RoadId, length_until};
use super::route_map::{Route, RouteMap};
use super::trip::Trip;
use crate::cancel::{Cancelled, Watch};
use crate::cell::Cell;
use crate::map::{Ground, NavMap, NavScratch, TautWay};
use crate::search::FindPathError;
use crate::sight::line_of_sight_until;

/// How many places near to each end of a trip are looked at, and how much farther than the nearest they may be. Those
/// further on would make for long searches.
const CANDIDATES: usize = 4;
const FARTHER: f32 = 2.0;

/// How many routes are tried at most.
const ROUNDS: usize = 3;

/// A way this many times as long as the straight line leads around something large.
const DETOUR: f32 = 1.5;

impl RouteMap {
    /// The way from a point to a place or another point. Long ways follow the stored routes; a goal
    /// within [reach](TripOptions::reach) is searched for as a whole, and so is one to which no route leads.
    ///
    /// Ways are compared by their length. Terrain counts as it does in [`NavMap::taut_path`].
    ///
    /// # Errors
    ///
    /// [`TripError::UnknownName`] and [`UnknownPlace`](TripError::UnknownPlace);
    /// [`NoWay`](TripError::NoWay) to a place that cannot be reached (to a point that cannot, the trip leads as near as it
    /// gets, and is not [complete](Trip::is_complete)); [`Search`](TripError::Search) for ends outside of the
    /// map, a walker that does not fit where it is nor near by, and a cancelled search.
    pub fn trip<'d>(
        &self,
        map: &NavMap,
        from: Vec2,
        to: impl Into<Destination<'d>>,
        options: &TripOptions<'_>,
        scratch: &mut NavScratch,
    ) -> Result<Trip, TripError> {
        let place = match to.into() {
            Destination::Point(goal) => {
                return Ok(self.plan(map, from, goal, options, scratch)?);
            }
            Destination::Place(id) => self.known(id)?,
            Destination::Named(name) => self.known(self.place(name)?)?,
        };
        let trip = self.plan(map, from, place.point, options, scratch)?;
        if trip.is_complete {
            Ok(trip)
        } else {
            Err(TripError::NoWay(place.name.clone()))
        }
    }

    /// The way back into a trip, and the rest of it, for a walker that has left it and is at `from`.
    ///
    /// It goes to the last point of what is left of the trip that is within [reach](TripOptions::reach); or, if that
    /// leads around something large or over a blocked line, along a [new trip](Self::trip) if that is shorter.
    ///
    /// # Errors
    ///
    /// [`TripError::Search`].
    pub fn rejoin(
        &self,
        map: &NavMap,
        trip: &Trip,
        from: Vec2,
        options: &TripOptions<'_>,
        scratch: &mut NavScratch,
    ) -> Result<Trip, TripError> {
        let goal = trip.waypoints.last().copied().unwrap_or(from);
        let back = match self.way_back(map, trip, from, options, scratch)? {
            Some(back) if !leads_around(back.searched, from.distance(back.joint)) => {
                return Ok(back.trip);
            }
            back => back.map(|back| back.trip),
        };
        let anew = self.plan(map, from, goal, options, scratch)?;
        Ok(match back {
            Some(back) if back.length <= anew.length => back,
            _ => anew,
        })
    }

    fn known(&self, id: PlaceId) -> Result<&Place, TripError> {
        let place = self.places.get(id.get());
        place.ok_or(TripError::UnknownPlace(id))
    }

    fn plan(
        &self,
        map: &NavMap,
        from: Vec2,
        goal: Vec2,
        options: &TripOptions<'_>,
        scratch: &mut NavScratch,
    ) -> Result<Trip, FindPathError> {
        let ground = map.ground_until(self.radius(), options.cancel)?;
        let mut planner = Planner {
            routes: self,
            map,
            ground: &ground,
            options,
            reach: options.reach.unwrap_or(self.reach()).max(0.0),
            scratch,
            watch: Watch::new(options.cancel),
            expanded: 0,
            broken: None,
        };
        let is_far = from.distance(goal) > planner.reach;
        let by_route = if is_far {
            planner.by_route(from, goal)?
        } else {
            None
        };
        match by_route {
            Some(trip) => Ok(trip),
            None => planner.direct(from, goal),
        }
    }

    fn way_back(
        &self,
        map: &NavMap,
        trip: &Trip,
        from: Vec2,
        options: &TripOptions<'_>,
        scratch: &mut NavScratch,
    ) -> Result<Option<Back>, FindPathError> {
        let watch = &mut Watch::new(options.cancel);
        let Some(closest) = closest_until(&trip.waypoints, from, watch)? else {
            return Ok(None);
        };
        let ahead = trip.waypoints.get(closest.next..).unwrap_or_default();
        let left = led_by(closest.point, ahead, watch)?;
        let reach = options.reach.unwrap_or(self.reach());
        let reach = reach.max(from.distance(closest.point));
        let Some(joint) = last_in_reach(&left, from, reach, watch)? else {
            return Ok(None);
        };
        let rest = left.get(joint.next..).unwrap_or_default();
        let onward = led_by(joint.point, rest, watch)?;
        if options.verify {
            let ground = map.ground_until(self.radius(), options.cancel)?;
            if first_closed_until(map, &ground, &onward, watch)?.is_some() {
                return Ok(None);
            }
        }
        let way = map.taut_way(from, joint.point, self.radius(), options.cancel, scratch);
        let Some(way) = unless_blocked(way)?.filter(|way| leads_to(way, joint.point)) else {
            return Ok(None);
        };
        // Whoever cut the waypoints of the trip may have left the range of the stored ones.
        let all = trip.waypoints.len();
        let stored = trip.stored.start.min(all)..trip.stored.end.min(all);
        let range = moved_range(stored, all - rest.len(), way.points.len());
        let mut waypoints = way.points;
        watch.extend(&mut waypoints, rest.iter().copied())?;
        let stored = waypoints.get(range.clone()).unwrap_or_default();
        let stored_length = length_until(stored, watch)?;
        let length = length_until(&waypoints, watch)?;
        Ok(Some(Back {
            joint: joint.point,
            searched: length - length_until(&onward, watch)?,
            trip: Trip {
                route: trip.route.filter(|_| !range.is_empty()),
                stored: range,
                length,
                stored_length,
                is_complete: trip.is_complete,
                broken: None,
                expanded: way.expanded,
                waypoints,
            },
        }))
    }
}

/// Where a range of waypoints lies after the first `dropped` of all made room for `new` ones, the last of which is the
/// joint. Those behind the joint keep their places from the end.
fn moved_range(range: Range<usize>, dropped: usize, new: usize) -> Range<usize> {
    let moved = |index: usize| index.max(dropped) - dropped + new;
    // If it goes on from before the joint to behind it, the joint is in it, too.
    let goes_on = range.start < dropped && dropped < range.end;
    moved(range.start) - usize::from(goes_on)..moved(range.end)
}

/// A way back into a trip.
struct Back {
    joint: Vec2,
    /// Length of the part before the joint.
    searched: f32,
    trip: Trip,
}

/// A way that begins at a point and goes on along others.
fn led_by(first: Vec2, rest: &[Vec2], watch: &mut Watch<'_>) -> Result<Vec<Vec2>, Cancelled> {
    let mut way = Vec::with_capacity(1 + rest.len());
    way.push(first);
    watch.extend(&mut way, rest.iter().copied())?;
    Ok(way)
}

/// A way; none where one of its ends is outside of the map, or where no body fits at its begin.
fn unless_blocked(way: Result<TautWay, FindPathError>) -> Result<Option<TautWay>, FindPathError> {
    use FindPathError::{GoalOutside, StartBlocked, StartOutside};
    match way {
        Err(StartBlocked(_) | StartOutside(_) | GoalOutside(_)) => Ok(None),
        way => way.map(Some),
    }
}

/// Whether a way leads to this very point.
fn leads_to(way: &TautWay, to: Vec2) -> bool {
    way.is_whole && way.points.last() == Some(&to)
}

/// Whether a way is that much longer than the straight line.
fn leads_around(walked: f32, straight: f32) -> bool {
    walked > DETOUR * straight + 1.0
}

/// A place near an end of a trip, and how far it is, or at least.
type Near = (usize, f32);

struct Planner<'a, 'o> {
    routes: &'a RouteMap,
    map: &'a NavMap,
    ground: &'a Ground,
    options: &'a TripOptions<'o>,
    reach: f32,
    scratch: &'a mut NavScratch,
    watch: Watch<'o>,
    expanded: u32,
    broken: Option<RoadId>,
}

impl Planner<'_, '_> {
    /// The way as a whole.
    fn direct(&mut self, from: Vec2, goal: Vec2) -> Result<Trip, FindPathError> {
        let way = self.search(from, goal)?;
        Ok(Trip {
            stored: 0..0,
            length: length_until(&way.points, &mut self.watch)?,
            stored_length: 0.0,
            route: None,
            is_complete: way.is_whole,
            broken: self.broken,
            expanded: self.expanded,
            waypoints: way.points,
        })
    }

    /// The way along the best route; `None` if there is none, or none that is of use.
    ///
    /// At first a place counts as far as the straight line to it. Where the way to a route leads around
    /// something large, it counts as far as that, and the best route is looked for again.
    fn by_route(&mut self, from: Vec2, goal: Vec2) -> Result<Option<Trip>, FindPathError> {
        let [Some(start), Some(end)] = [from, goal].map(|point| self.ground.nearest_free(point))
        else {
            return Ok(None);
        };
        if !self.ground.is_reachable(start, end) {
            return Ok(None);
        }
        let mut entries = self.nearest(from, start)?;
        let mut exits = self.nearest(goal, end)?;
        if self.options.entry == Entry::NearestPlace {
            entries = self.nearest_by_walking(&entries, from)?;
            exits = self.nearest_by_walking(&exits, goal)?;
        }
        let mut best: Option<Trip> = None;
        let mut last = None;
        for _ in 0..ROUNDS {
            let pair = self.routes.network.best_pair(&entries, &exits);
            let Some((entry, exit)) = pair.filter(|_| pair != last) else {
                break;
            };
            last = pair;
            let ends = [(from, entries[entry]), (goal, exits[exit])];
            let Some((trip, detours)) = self.along_route(ends)? else {
                break;
            };
            entries[entry].1 += detours[0];
            exits[exit].1 += detours[1];
            if best.as_ref().is_none_or(|best| trip.length < best.length) {
                best = Some(trip);
            }
            if detours == [0.0; 2] {
                break;
            }
        }
        if let Some(best) = &mut best {
            best.expanded = self.expanded;
        }
        Ok(best)
    }

    /// The way along the route between two places, and by how much the ways to it and from it are longer than straight
    /// lines, if that is a lot.
    fn along_route(
        &mut self,
        [(from, entry), (goal, exit)]: [(Vec2, Near); 2],
    ) -> Result<Option<(Trip, [f32; 2])>, FindPathError> {
        let ids = (PlaceId(entry.0 as u16), PlaceId(exit.0 as u16));
        let route = self.routes.route_until(ids.0, ids.1, &mut self.watch)?;
        let Some(route) = route else {
            return Ok(None);
        };
        let straight = [(from, entry), (goal, exit)].map(|(end, near)| {
            let place = self.routes.places[near.0].point;
            (end, end.distance(place))
        });
        let Some(stored) = self.part_of(&route, straight)? else {
            return Ok(None);
        };
        let watch = &mut self.watch;
        if self.options.verify
            && let Some(closed) = first_closed_until(self.map, self.ground, &stored, watch)?
        {
            let middle = (stored[closed] + stored[closed + 1]) / 2.0;
            self.broken = route.road_at(middle, watch)?;
            return Ok(None);
        }
        self.join(from, goal, &stored, ids)
    }

    /// The part of a route between the points where the trip joins and leaves it. The ends of the trip come with their
    /// distances to those of the route.
    fn part_of(
        &mut self,
        route: &Route,
        [from, goal]: [(Vec2, f32); 2],
    ) -> Result<Option<Vec<Vec2>>, Cancelled> {
        let (points, watch) = (&route.waypoints, &mut self.watch);
        if self.options.entry == Entry::NearestPlace {
            let is_way = points.len() > 1;
            return is_way.then(|| watch.copy(points)).transpose();
        }
        let last = points.len().saturating_sub(1);
        let backwards = watch.collect(points.len(), |i| points[last - i])?;
        let entry = last_in_reach(points, from.0, self.reach.max(from.1), watch)?;
        let exit = last_in_reach(&backwards, goal.0, self.reach.max(goal.1), watch)?;
        match (entry, exit) {
            (Some(entry), Some(exit)) => between(points, entry, exit, watch),
            _ => Ok(None),
        }
    }

    /// Searches the ways to the stored part and from it.
    fn join(
        &mut self,
        from: Vec2,
        goal: Vec2,
        stored: &[Vec2],
        ids: (PlaceId, PlaceId),
    ) -> Result<Option<(Trip, [f32; 2])>, FindPathError> {
        let (Some(&first), Some(&last)) = (stored.first(), stored.last()) else {
            return Ok(None);
        };
        let before = unless_blocked(self.search(from, first))?;
        let Some(before) = before.filter(|way| leads_to(way, first)) else {
            return Ok(None);
        };
        let after = unless_blocked(self.search(last, goal))?;
        let Some(after) = after.filter(|way| way.is_whole) else {
            return Ok(None);
        };
        let watch = &mut self.watch;
        let detours = [
            detour(&before, from, first, watch)?,
            detour(&after, last, goal, watch)?,
        ];
        let mut waypoints = before.points;
        waypoints.pop();
        let mut middle = stored;
        // Corners where the parts meet are cut where that is safe.
        if let (Some(&near), [_, next, _, ..]) = (waypoints.last(), middle)
            && self.sees(near, *next)?
        {
            middle = &middle[1..];
        }
        if let (Some(&near), [_, .., next, _]) = (after.points.get(1), middle)
            && self.sees(*next, near)?
        {
            middle = &middle[..middle.len() - 1];
        }
        let range = waypoints.len()..waypoints.len() + middle.len();
        let watch = &mut self.watch;
        watch.extend(&mut waypoints, middle.iter().copied())?;
        watch.extend(&mut waypoints, after.points.iter().skip(1).copied())?;
        let trip = Trip {
            length: length_until(&waypoints, watch)?,
            stored_length: length_until(middle, watch)?,
            stored: range,
            route: Some(ids),
            is_complete: true,
            broken: None,
            expanded: self.expanded,
            waypoints,
        };
        Ok(Some((trip, detours)))
    }

    /// The places nearest to a point, by the straight line, among those to which a way leads.
    fn nearest(&mut self, point: Vec2, cell: Cell) -> Result<Vec<Near>, FindPathError> {
        let mut nearest: Vec<Near> = Vec::with_capacity(CANDIDATES + 1);
        for (id, place) in self.routes.places.iter().enumerate() {
            self.watch.pass(1)?;
            let apart = point.distance(place.point);
            let is_full = nearest.len() == CANDIDATES;
            if is_full && nearest.last().is_some_and(|last| apart >= last.1) {
                continue;
            }
            if self.map.cell_at(place.point).is_err() {
                continue;
            }
            let own = self.ground.nearest_free(place.point);
            if !own.is_some_and(|own| self.ground.is_reachable(cell, own)) {
                continue;
            }
            let at = nearest.partition_point(|near| near.1 <= apart);
            nearest.insert(at, (id, apart));
            nearest.truncate(CANDIDATES);
        }
        let most = nearest.first().map_or(0.0, |first| FARTHER * first.1);
        nearest.retain(|near| near.1 <= most);
        Ok(nearest)
    }

    /// Of places in the order of their straight lines, the one to which the way is shortest.
    fn nearest_by_walking(
        &mut self,
        places: &[Near],
        point: Vec2,
    ) -> Result<Vec<Near>, FindPathError> {
        let mut best: Option<Near> = None;
        for &(id, apart) in places {
            if best.is_some_and(|best| best.1 <= apart) {
                break;
            }
            let way = self.search(point, self.routes.places[id].point);
            let Some(way) = unless_blocked(way)?.filter(|way| way.is_whole) else {
                continue;
            };
            let walked = length_until(&way.points, &mut self.watch)?;
            if best.is_none_or(|best| walked < best.1) {
                best = Some((id, walked));
            }
        }
        Ok(best.into_iter().collect())
    }

    fn search(&mut self, from: Vec2, to: Vec2) -> Result<TautWay, FindPathError> {
        let (radius, cancel) = (self.routes.radius(), self.options.cancel);
        let way = self.map.taut_way(from, to, radius, cancel, self.scratch)?;
        self.expanded = self.expanded.saturating_add(way.expanded);
        Ok(way)
    }

    fn sees(&mut self, from: Vec2, to: Vec2) -> Result<bool, FindPathError> {
        let (clearance, radius) = (self.map.clearance(), self.ground.radius());
        let seen = line_of_sight_until(clearance, from, to, radius, &mut self.watch)?;
        Ok(seen)
    }
}

/// By how much a way is longer than the straight line, if that is a lot.
fn detour(way: &TautWay, from: Vec2, to: Vec2, watch: &mut Watch<'_>) -> Result<f32, Cancelled> {
    let (walked, straight) = (length_until(&way.points, watch)?, from.distance(to));
    Ok(if leads_around(walked, straight) {
        walked - straight
    } else {
        0.0
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::cancel::{ITEMS, looks};
    use crate::cell::DiagonalPolicy;
    use crate::grid::Grid;
    use crate::routes::builder::tests::{any_places, any_point};

    /// Points of a long road.
    const POINTS: usize = 80 * ITEMS;

    /// Two places, and a road of many points along the straight line between them.
    fn long_road(points: usize) -> RouteMap {
        let (a, b) = (Vec2::new(2.0, 2.0), Vec2::new(61.0, 2.0));
        let mut builder = RouteMap::builder(0.4);
        let from = builder.place("a", a).expect("a new name");
        let to = builder.place("b", b).expect("a new name");
        let between: Vec<Vec2> = (1..points - 1)
            .map(|i| a.lerp(b, i as f32 / (points - 1) as f32))
            .collect();
        builder.road(from, to, &between).expect("a good road");
        builder.build().expect("a good map")
    }

    fn options(entry: Entry, verify: bool, cancel: Option<&AtomicBool>) -> TripOptions<'_> {
        TripOptions {
            entry,
            verify,
            cancel,
            reach: Some(3.0),
        }
    }

    /// How often some work looks at the flag for all points of a long road.
    fn passes(work: impl Fn(&RouteMap, Option<&AtomicBool>)) -> f64 {
        let [few, many] = [8, POINTS].map(|points| {
            let routes = long_road(points);
            looks::count(usize::MAX, |flag| work(&routes, flag)).1
        });
        (many - few) as f64 / (POINTS / ITEMS) as f64
    }

    #[test]
    fn the_flag_is_looked_at_however_many_points_a_road_has() {
        let map = |blocked: Option<Cell>| {
            let grid = Grid::from_fn(64, 5, |cell| Some(cell) != blocked);
            NavMap::new(
                &grid.expect("a good size"),
                2.0,
                DiagonalPolicy::NoCornerCut,
            )
        };
        let (open, closed) = (map(None), map(Some(Cell::new(31, 2))));
        let [from, to] = [Vec2::new(1.0, 3.0), Vec2::new(62.0, 3.0)];
        let plan = |map, routes: &RouteMap, options: &TripOptions<'_>| {
            let trip = routes.trip(map, from, to, options, &mut NavScratch::new());
            trip.expect("a way")
        };
        let anywhere = passes(|routes, flag| {
            let trip = plan(&open, routes, &options(Entry::Anywhere, false, flag));
            assert!(trip.route.is_some());
        });
        let place = passes(|routes, flag| {
            let trip = plan(&open, routes, &options(Entry::NearestPlace, false, flag));
            assert!(trip.route.is_some());
        });
        let verified = passes(|routes, flag| {
            let trip = plan(&open, routes, &options(Entry::Anywhere, true, flag));
            assert!(trip.route.is_some());
        });
        let broken = passes(|routes, flag| {
            let trip = plan(&closed, routes, &options(Entry::Anywhere, true, flag));
            assert_eq!(trip.broken, Some(RoadId(0)));
        });
        let back = passes(|routes, flag| {
            let trip = plan(&open, routes, &options(Entry::Anywhere, false, None));
            let options = options(Entry::Anywhere, false, flag);
            let off = Vec2::new(4.0, 1.0);
            let back = routes.rejoin(&open, &trip, off, &options, &mut NavScratch::new());
            assert!(back.expect("a way").route.is_some());
        });
        // The route, forth and back, both joints, the part between them, what is put together, its length and that of
        // the stored part. Some of these are a little shorter than the road.
        assert!(anywhere > 6.8, "{anywhere}");
        // The route, a copy of it, what is put together, and both lengths.
        assert!(place > 4.8, "{place}");
        // Lines take more than one look each.
        assert!(verified > 12.1, "{verified}");
        // Half of the lines, and the search for the road. No way is put together.
        assert!(broken > 7.2, "{broken}");
        // The closest point, what is left from there, the joint, what is left behind that, the way, three lengths.
        assert!(back > 6.9, "{back}");
    }

    #[test]
    fn the_flag_ends_a_trip_and_the_way_back_into_it_at_whichever_look_it_goes_up() {
        let mut random = fastrand::Rng::with_seed(31);
        let grid = Grid::from_fn(120, 90, |_| random.u8(0..9) > 0).expect("a good size");
        let map = || NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let scratch = &mut NavScratch::new();
        let known = map();
        let mut builder = any_places(&mut random, &known, 9);
        builder.pave_all(&known, 1.2, scratch).expect("one region");
        let routes = builder.build().expect("good roads");
        let ends = [Vec2::new(2.0, 2.0), Vec2::new(117.0, 87.0)];
        let [from, to] = ends.map(|end| known.nearest_free(end, 0.4).expect("a cell").center());
        let gone = any_point(&mut random, &known);
        for entry in [Entry::Anywhere, Entry::NearestPlace] {
            let plain = TripOptions {
                entry,
                reach: Some(20.0),
                ..TripOptions::default()
            };
            let trip = routes.trip(&known, from, to, &plain, scratch);
            let trip = trip.expect("a way");
            assert!(!trip.stored.is_empty(), "it follows a route");
            let cancelled = Err(TripError::Search(FindPathError::Cancelled));
            // A ground that is there takes no look: so each time it is made anew.
            let (found, looks) = looks::assert_each_ends(&cancelled, |flag| {
                let options = TripOptions {
                    cancel: flag,
                    ..plain
                };
                routes.trip(&map(), from, to, &options, scratch)
            });
            assert_eq!(found.as_ref(), Ok(&trip));
            let (back, more) = looks::assert_each_ends(&cancelled, |flag| {
                let options = TripOptions {
                    cancel: flag,
                    ..plain
                };
                routes.rejoin(&map(), &trip, gone, &options, scratch)
            });
            let expected = routes.rejoin(&known, &trip, gone, &plain, scratch);
            assert!(expected.is_ok() && back == expected);
            assert!(looks > 20 && more > 20, "{looks} and {more} looks");
        }
    }
}
