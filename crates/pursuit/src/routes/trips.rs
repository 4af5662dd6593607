//! Trips: along stored routes, and back into them.

use glam::Vec2;

use super::error::TripError;
use super::options::{Destination, TripOptions};
use super::parts::Place;
use super::planner::{Planner, leads_around};
use super::route_map::RouteMap;
use super::trip::Trip;
use crate::map::{NavMap, NavScratch};
use crate::search::SearchRecorder;

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
        self.trip_recorded(map, from, to, options, scratch, &mut ())
    }

    /// The same, and tells `recorder` what its searches do: those to and from places and stored routes, and those of ways
    /// that were given up for better ones. Each of them [starts](SearchRecorder::started) anew, so that a replay shows them
    /// one after the other. They count in [`Trip::expanded`] and [`Trip::pushed`], all of them. Where the straight line is
    /// free nothing is searched, and nothing told. On a ground that has [tables](crate::tables), which search no cells,
    /// jump points or A\* search in their place.
    ///
    /// # Errors
    ///
    /// Those of [`trip`](Self::trip).
    pub fn trip_recorded<'d, R: SearchRecorder>(
        &self,
        map: &NavMap,
        from: Vec2,
        to: impl Into<Destination<'d>>,
        options: &TripOptions<'_>,
        scratch: &mut NavScratch,
        recorder: &mut R,
    ) -> Result<Trip, TripError> {
        let (goal, place) = self.goal_of(to.into())?;
        let trip = Planner::new(self, map, options, scratch, recorder)?.plan(from, goal)?;
        match place {
            Some(place) if !trip.is_complete => Err(TripError::NoWay(place.name.clone())),
            _ => Ok(trip),
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
        self.rejoin_recorded(map, trip, from, options, scratch, &mut ())
    }

    /// The same, and tells `recorder` what its searches do: see [`trip_recorded`](Self::trip_recorded).
    ///
    /// # Errors
    ///
    /// [`TripError::Search`].
    pub fn rejoin_recorded<R: SearchRecorder>(
        &self,
        map: &NavMap,
        trip: &Trip,
        from: Vec2,
        options: &TripOptions<'_>,
        scratch: &mut NavScratch,
        recorder: &mut R,
    ) -> Result<Trip, TripError> {
        let goal = trip.waypoints.last().copied().unwrap_or(from);
        let mut planner = Planner::new(self, map, options, scratch, recorder)?;
        let back = match planner.way_back(trip, from)? {
            Some(back) if !leads_around(back.searched, from.distance(back.joint)) => {
                return Ok(planner.with_work(back.trip));
            }
            back => back.map(|back| back.trip),
        };
        let anew = planner.plan(from, goal)?;
        Ok(match back {
            Some(back) if back.length <= anew.length => planner.with_work(back),
            _ => anew,
        })
    }

    /// The point that a destination is, and the place if it is one.
    pub(crate) fn goal_of(&self, to: Destination<'_>) -> Result<(Vec2, Option<&Place>), TripError> {
        let id = match to {
            Destination::Point(goal) => return Ok((goal, None)),
            Destination::Place(id) => id,
            Destination::Named(name) => self.place(name)?,
        };
        let place = self.places.get(id.get());
        let place = place.ok_or(TripError::UnknownPlace(id))?;
        Ok((place.point, Some(place)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::cancel::{ITEMS, looks};
    use crate::cell::{Cell, DiagonalPolicy};
    use crate::grid::Grid;
    use crate::routes::builder::tests::{any_places, any_point};
    use crate::routes::options::Entry;
    use crate::routes::parts::RoadId;
    use crate::search::FindPathError;

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
