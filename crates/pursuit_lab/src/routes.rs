//! Stored routes: named places, roads between them, and trips over them.
//!
//! The routes between all places are updated whenever a road is laid. A trip searches a path from the walker to a
//! route, follows the stored route, and searches a path from the route to the goal. So a long trip needs only two short
//! searches.
//!
//! For each pair of places, a table stores the length of the route between them and the first road of the route. A
//! route is read from the table road by road.
//!
//! Routes suit guided tours and walkers that must follow roads. They do not make searches faster where jump points
//! help: a taut path takes about as long to compute as a trip, and has no detours.
//!
//! ```
//! use pursuit::maps::parse_ascii;
//! use pursuit::{DiagonalPolicy, NavMap, NavScratch};
//! use pursuit_lab::routes::{Place, RouteMap};
//!
//! let map = parse_ascii("G....#....\n.....#...L\n.....#....\n..........")?;
//! let nav = NavMap::new(&map.grid, 4.0, DiagonalPolicy::NoCornerCut);
//! let place = |name: &str, mark| Place {
//!     name: name.to_owned(),
//!     point: map.find(mark).expect("a mark").center(),
//! };
//! let mut routes = RouteMap::new(0.45, vec![place("gate", 'G'), place("library", 'L')]);
//! let mut scratch = NavScratch::new();
//! routes.pave_all(&nav, 1.2, &mut scratch)?;
//!
//! let (gate, library) = (routes.places()[0].point, routes.places()[1].point);
//! let trip = routes.trip(&nav, gate, library, &mut scratch)?;
//! assert_eq!(trip.waypoints.last(), Some(&library));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use pursuit::glam::Vec2;
use pursuit::steer::length;
use pursuit::{FindPathError, NavMap, NavScratch};

/// Maximum number of pairs of places that a trip tries for its route.
const MAX_ROUTES_TRIED: usize = 3;
/// Maximum number of places that a trip considers near each of its ends.
const MAX_NEAR_PLACES: usize = 4;
/// A place is near a point if its distance is at most `MAX_NEAR_RATIO` times the distance of the nearest place.
const MAX_NEAR_RATIO: f32 = 2.0;
/// A path makes a long detour if its length is more than `MIN_DETOUR_RATIO` times the straight line plus one cell.
const MIN_DETOUR_RATIO: f32 = 1.5;

/// A place with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The name of the place.
    pub name: String,
    /// Position of the place, in cell space.
    pub point: Vec2,
}

/// A road between two places, which can be walked in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Road {
    /// Indices of the places at its two ends.
    pub ends: [usize; 2],
    /// Points from one place to the other, both included, in cell space.
    pub points: Vec<Vec2>,
}

/// The route between two places.
#[derive(Clone, Copy, Debug)]
struct Route {
    /// Length of the route, in cells. Infinite if there is no route.
    length: f32,
    /// Index of the first road of the route.
    first: Option<usize>,
}

/// A path to walk, partly over stored roads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trip {
    /// Waypoints from the walker to the goal, in cell space. [`steer::advance`](pursuit::steer::advance) walks along
    /// them.
    pub waypoints: Vec<Vec2>,
    /// The range of waypoints that lie on stored roads. Empty if the whole path was searched.
    pub stored: Range<usize>,
}

impl Trip {
    /// Length of the path, in cells.
    #[must_use]
    pub fn length(&self) -> f32 {
        length(&self.waypoints)
    }

    /// Length of the stored part of the path, in cells.
    #[must_use]
    pub fn stored_length(&self) -> f32 {
        let stored = self.waypoints.get(self.stored.clone());
        length(stored.unwrap_or_default())
    }
}

/// Places joined by roads, with the routes between all places: see the [module](self). All positions are in cell space,
/// and all lengths in cells.
#[derive(Clone, Debug)]
pub struct RouteMap {
    radius: f32,
    places: Vec<Place>,
    roads: Vec<Road>,
    /// The routes between all pairs of places, ordered by start, then by destination.
    routes: Vec<Route>,
    /// A trip is searched as a whole if its straight line is at most this long, in cells. A longer trip joins its route
    /// at the last point of the route within this distance of the walker, and leaves the route at the first point
    /// within this distance of the goal.
    reach: f32,
}

impl RouteMap {
    /// Places without roads, for bodies of `radius` cells.
    #[must_use]
    pub fn new(radius: f32, places: Vec<Place>) -> Self {
        let count = places.len();
        let no_route = Route {
            length: f32::INFINITY,
            first: None,
        };
        let mut routes = vec![no_route; count * count];
        for place in 0..count {
            routes[place * count + place].length = 0.0;
        }
        Self {
            radius,
            reach: spacing(&places),
            places,
            roads: Vec::new(),
            routes,
        }
    }

    /// The radius of the bodies that walk on the roads, in cells.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// All places.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// All roads.
    #[must_use]
    pub fn roads(&self) -> &[Road] {
        &self.roads
    }

    /// Memory of the roads and routes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let points: usize = self.roads.iter().map(|road| road.points.len()).sum();
        points * size_of::<Vec2>() + self.routes.len() * size_of::<Route>()
    }

    /// Lays a road by hand, from one place over the points `between` to another. Returns whether the road was laid. A
    /// road is refused if a body cannot walk along it on this map, or if a place does not exist.
    pub fn road(&mut self, map: &NavMap, ends: [usize; 2], between: &[Vec2]) -> bool {
        let [Some(from), Some(to)] = ends.map(|end| self.places.get(end)) else {
            return false;
        };
        let points = [&[from.point], between, &[to.point]].concat();
        let mut legs = points.windows(2);
        let is_open = legs.all(|leg| map.line_of_sight(leg[0], leg[1], self.radius));
        if is_open {
            self.lay(ends, points);
        }
        is_open
    }

    /// Lays roads along taut paths until the route between any two places is at most `stretch` times as long as the
    /// taut path between them. This is the greedy spanner (Althöfer, Das, Dobkin, Joseph and Soares, 1993) on walking
    /// distances. Places without a path between them stay unconnected.
    ///
    /// # Errors
    ///
    /// [`FindPathError`], for example if a body does not fit at a place.
    pub fn pave_all(
        &mut self,
        map: &NavMap,
        stretch: f32,
        scratch: &mut NavScratch,
    ) -> Result<(), FindPathError> {
        // An infinite stretch times a distance of 0 would not be a number.
        let stretch = stretch.min(f32::MAX);
        let count = self.places.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let straight = |ends: [usize; 2]| {
            let [from, to] = ends.map(|end| self.places[end].point);
            from.distance(to)
        };
        let mut pairs: Vec<(f32, [usize; 2])> = pairs.map(|ends| (straight(ends), ends)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (straight, ends) in pairs {
            let route = self.length(ends);
            if route.is_finite() && route <= stretch * straight {
                continue;
            }
            let [from, to] = ends.map(|end| self.places[end].point);
            let points = map.taut_path(from, to, self.radius, scratch)?;
            let is_short = route.is_finite() && route <= stretch * length(&points);
            if points.last() == Some(&to) && !is_short {
                self.lay(ends, points);
            }
        }
        Ok(())
    }

    /// Adds a road. Every route that becomes shorter over the road is changed to use it.
    fn lay(&mut self, [a, b]: [usize; 2], points: Vec<Vec2>) {
        let (road, count, walk) = (self.roads.len(), self.places.len(), length(&points));
        let ends = [a, b];
        self.roads.push(Road { ends, points });
        for (from, [near, far]) in (0..count).flat_map(|from| [(from, [a, b]), (from, [b, a])]) {
            for to in 0..count {
                let length = self.length([from, near]) + walk + self.length([far, to]);
                if length < self.length([from, to]) {
                    let first = self.routes[from * count + near].first.or(Some(road));
                    self.routes[from * count + to] = Route { length, first };
                }
            }
        }
    }

    /// The stored route between two places. `None` if a place does not exist.
    fn stored(&self, [from, to]: [usize; 2]) -> Option<&Route> {
        let count = self.places.len();
        let exist = from < count && to < count;
        exist.then(|| &self.routes[from * count + to])
    }

    /// Length of the route between two places, in cells. Infinite if no route joins the places, or if a place does not
    /// exist.
    #[must_use]
    pub fn length(&self, ends: [usize; 2]) -> f32 {
        let stored = self.stored(ends);
        stored.map_or(f32::INFINITY, |route| route.length)
    }

    /// The waypoints of the route between two places. `None` if no route joins the places, or if a place does not
    /// exist.
    #[must_use]
    pub fn route(&self, [from, to]: [usize; 2]) -> Option<Vec<Vec2>> {
        let mut waypoints = vec![self.places.get(from)?.point];
        let mut at = from;
        while at != to {
            let route = self.stored([at, to])?;
            let Road { ends, points } = &self.roads[route.first?];
            if ends[0] == at {
                waypoints.extend(&points[1..]);
            } else {
                waypoints.extend(points.iter().rev().skip(1));
            }
            at = if ends[0] == at { ends[1] } else { ends[0] };
        }
        Some(waypoints)
    }

    /// The path from one point to another. A long path follows a stored route. A short path, or a path without a route,
    /// is searched as a whole, and ends at the reachable point nearest to the goal.
    ///
    /// # Errors
    ///
    /// [`FindPathError`], for example if an end lies outside the map.
    pub fn trip(
        &self,
        map: &NavMap,
        from: Vec2,
        goal: Vec2,
        scratch: &mut NavScratch,
    ) -> Result<Trip, FindPathError> {
        if from.distance(goal) > self.reach
            && let Some(trip) = self.route_trip(map, [from, goal], scratch)
        {
            return Ok(trip);
        }
        Ok(Trip {
            waypoints: map.taut_path(from, goal, self.radius, scratch)?,
            stored: 0..0,
        })
    }

    /// The trip along the best route. `None` if no route joins places near the ends.
    ///
    /// At first, the distance to a place is assumed to be the length of the straight line. If the path that is found to
    /// the route makes a long detour, the distance to the place at that end of the route is increased, and the best
    /// route is chosen again.
    fn route_trip(&self, map: &NavMap, ends: [Vec2; 2], scratch: &mut NavScratch) -> Option<Trip> {
        let mut distances = ends.map(|end| self.near(end));
        let mut best: Option<Trip> = None;
        for _ in 0..MAX_ROUTES_TRIED {
            let pair = self.best_pair(&distances)?;
            let Some((trip, detours)) = self.trip_along(map, ends, pair, scratch) else {
                break;
            };
            for end in 0..2 {
                distances[end][pair[end]] += detours[end];
            }
            let is_better = |best: &Trip| trip.length() < best.length();
            if best.as_ref().is_none_or(is_better) {
                best = Some(trip);
            }
            if detours == [0.0; 2] {
                break;
            }
        }
        best
    }

    /// Distance of each place from a point, in cells. Infinite for places that are not near.
    fn near(&self, point: Vec2) -> Vec<f32> {
        let distances = self.places.iter().map(|place| place.point.distance(point));
        let distances: Vec<f32> = distances.collect();
        let mut sorted = distances.clone();
        sorted.sort_by(f32::total_cmp);
        let nearest = sorted.first().copied().unwrap_or(0.0);
        let last = sorted.get(MAX_NEAR_PLACES - 1).copied().unwrap_or(f32::MAX);
        let max = last.min(MAX_NEAR_RATIO * nearest);
        let near = distances.into_iter().map(|distance| match distance <= max {
            true => distance,
            false => f32::INFINITY,
        });
        near.collect()
    }

    /// The pair of places that gives the shortest trip. `None` if no route joins places near the two ends. If both
    /// places of the pair are the same, no route makes the trip shorter.
    fn best_pair(&self, distances: &[Vec<f32>; 2]) -> Option<[usize; 2]> {
        let count = self.places.len();
        let pairs = (0..count).flat_map(|from| (0..count).map(move |to| [from, to]));
        let length = |&[from, to]: &[usize; 2]| {
            distances[0][from] + self.length([from, to]) + distances[1][to]
        };
        let best = pairs.min_by(|a, b| length(a).total_cmp(&length(b)));
        best.filter(|pair| length(pair).is_finite())
    }

    /// The trip along the route between two places, and the detours of the searched paths before and after the route. A
    /// detour is the length of a path minus the length of the straight line, or 0 if the path makes no long detour.
    /// `None` if no part of the route remains, or if no path leads to the route or from it.
    fn trip_along(
        &self,
        map: &NavMap,
        [from, goal]: [Vec2; 2],
        pair: [usize; 2],
        scratch: &mut NavScratch,
    ) -> Option<(Trip, [f32; 2])> {
        let mut stored = self.route(pair)?;
        for (end, place) in [(from, pair[0]), (goal, pair[1])] {
            let distance = self.places[place].point.distance(end);
            stored = beyond_reach(&stored, end, self.reach.max(distance));
            stored.reverse();
        }
        let [first, .., last] = stored[..] else {
            return None;
        };
        let mut search = |from, to| {
            let way = map.taut_path(from, to, self.radius, scratch).ok()?;
            (way.last() == Some(&to)).then_some(way)
        };
        let (before, after) = (search(from, first)?, search(last, goal)?);
        let detours = [(&before, from, first), (&after, last, goal)].map(|(way, from, to)| {
            let (walked, straight) = (length(way), from.distance(to));
            let is_long = walked > MIN_DETOUR_RATIO * straight + 1.0;
            if is_long { walked - straight } else { 0.0 }
        });
        let range = before.len() - 1..before.len() - 1 + stored.len();
        let trip = Trip {
            waypoints: [&before, &stored[1..], &after[1..]].concat(),
            stored: range,
        };
        Some((trip, detours))
    }
}

/// The rest of a path after the last point at which it is within reach of a center, that point included. The whole path
/// if it never comes within reach.
fn beyond_reach(points: &[Vec2], center: Vec2, reach: f32) -> Vec<Vec2> {
    for (index, leg) in points.windows(2).enumerate().rev() {
        let rest = &points[index + 1..];
        match last_in_reach([leg[0], leg[1]], center, reach) {
            Some(joint) if joint == rest[0] => return rest.to_vec(),
            Some(joint) => return [&[joint], rest].concat(),
            None => {}
        }
    }
    points.to_vec()
}

/// The last point of a line segment that is within reach of a center.
fn last_in_reach([a, b]: [Vec2; 2], center: Vec2, reach: f32) -> Option<Vec2> {
    if b.distance(center) <= reach {
        return Some(b);
    }
    // Solves |a + t · along − center| = reach for the larger t.
    let (along, offset) = (b - a, a - center);
    let square = along.length_squared();
    let half = along.dot(offset);
    let root = half * half - square * (offset.length_squared() - reach * reach);
    let time = (root.sqrt() - half) / square;
    (0.0..1.0).contains(&time).then(|| a + along * time)
}

/// Mean distance from a place to the nearest other place, in cells.
fn spacing(places: &[Place]) -> f32 {
    let nearest = places.iter().map(|own| {
        let others = places.iter().filter(|other| *other != own);
        let distance = others.map(|other| other.point.distance(own.point));
        distance.fold(f32::INFINITY, f32::min)
    });
    nearest.sum::<f32>() / places.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELL: [Vec2; 3] = [Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0)];

    #[test]
    fn a_path_is_joined_at_its_last_point_within_reach() {
        let from = |x: f32, y: f32| beyond_reach(&ELL, Vec2::new(x, y), 5.0);
        assert_eq!(from(4.0, 3.0), [Vec2::new(8.0, 0.0), ELL[1], ELL[2]]);
        assert_eq!(from(10.0, 6.0), [ELL[2]]);
        assert_eq!(from(-9.0, 0.0), ELL, "out of reach");
        assert_eq!(beyond_reach(&[], Vec2::ZERO, 5.0), []);
    }
}
