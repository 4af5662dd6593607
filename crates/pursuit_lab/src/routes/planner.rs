//! Plans the parts of a trip: from the walker to a route, along it, and from there to the goal.

use std::sync::Arc;

use glam::Vec2;
use pursuit::{BodyLayers, Cancel, Cell, FindPathError, NavMap, NavScratch, TautPath};

use super::joints::{between, last_in_reach};
use super::line::first_closed;
use super::options::TripOptions;
use super::parts::{PlaceId, RoadId, length};
use super::route_map::{Route, RouteMap};
use super::trip::Trip;

/// How many places near to each end of a trip are looked at, and how much farther than the nearest they may be. Those
/// further on would make for long searches.
const CANDIDATES: usize = 4;
const FARTHER: f32 = 2.0;

/// How many routes are tried at most.
const ROUNDS: usize = 3;

/// A way this many times as long as the straight line leads around something large.
const DETOUR: f32 = 1.5;

/// Whether a way is that much longer than the straight line.
pub(super) fn leads_around(walked: f32, straight: f32) -> bool {
    walked > DETOUR * straight + 1.0
}

/// A way; none where one of its ends is outside of the map, or where no body fits at its begin.
pub(super) fn unless_blocked(
    way: Result<TautPath, FindPathError>,
) -> Result<Option<TautPath>, FindPathError> {
    use FindPathError::{GoalOutside, StartBlocked, StartOutside};
    match way {
        Err(StartBlocked(_) | StartOutside(_) | GoalOutside(_)) => Ok(None),
        way => way.map(Some),
    }
}

/// Whether a way leads to this very point.
pub(super) fn leads_to(way: &TautPath, to: Vec2) -> bool {
    way.is_whole && way.points.last() == Some(&to)
}

/// A place near an end of a trip, and how far it is, or at least.
type Near = (usize, f32);

/// What plans a trip.
pub(super) struct Planner<'a> {
    pub(super) routes: &'a RouteMap,
    pub(super) map: &'a NavMap,
    pub(super) layers: Arc<BodyLayers>,
    pub(super) options: &'a TripOptions,
    pub(super) reach: f32,
    scratch: &'a mut NavScratch,
    /// Nodes expanded by all searches.
    expanded: u32,
    broken: Option<RoadId>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        routes: &'a RouteMap,
        map: &'a NavMap,
        options: &'a TripOptions,
        scratch: &'a mut NavScratch,
    ) -> Self {
        Self {
            layers: map.layers(routes.radius()),
            reach: options.reach.unwrap_or(routes.reach()).max(0.0),
            routes,
            map,
            options,
            scratch,
            expanded: 0,
            broken: None,
        }
    }

    /// A trip with what all searches until now did.
    pub(super) fn with_work(&self, trip: Trip) -> Trip {
        let expanded = self.expanded;
        Trip { expanded, ..trip }
    }

    /// The way along a route, or as a whole.
    pub(super) fn plan(&mut self, from: Vec2, goal: Vec2) -> Result<Trip, FindPathError> {
        let is_far = from.distance(goal) > self.reach;
        let by_route = is_far.then(|| self.by_route(from, goal)).transpose()?;
        let trip = match by_route.flatten() {
            Some(trip) => trip,
            None => self.direct(from, goal)?,
        };
        Ok(self.with_work(trip))
    }

    /// The way as a whole.
    fn direct(&mut self, from: Vec2, goal: Vec2) -> Result<Trip, FindPathError> {
        let way = self.search(from, goal)?;
        Ok(Trip {
            length: length(&way.points),
            is_complete: way.is_whole,
            broken: self.broken,
            waypoints: way.points,
            ..Trip::default()
        })
    }

    /// The way along the best route; `None` if there is none, or none that is of use.
    ///
    /// At first a place counts as far as the straight line to it. Where the way to a route leads around
    /// something large, it counts as far as that, and the best route is looked for again.
    fn by_route(&mut self, from: Vec2, goal: Vec2) -> Result<Option<Trip>, FindPathError> {
        let [Some(start), Some(end)] = [from, goal].map(|point| self.layers.nearest_free(point))
        else {
            return Ok(None);
        };
        if !self.layers.is_reachable(start, end) {
            return Ok(None);
        }
        let (mut entries, mut exits) = (self.nearest(from, start), self.nearest(goal, end));
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
        Ok(best)
    }

    /// The way along the route between two places, and by how much the ways to it and from it are longer than straight
    /// lines, if that is a lot.
    fn along_route(
        &mut self,
        [(from, entry), (goal, exit)]: [(Vec2, Near); 2],
    ) -> Result<Option<(Trip, [f32; 2])>, FindPathError> {
        let ids = (PlaceId(entry.0 as u16), PlaceId(exit.0 as u16));
        let Some(route) = self.routes.route(ids.0, ids.1) else {
            return Ok(None);
        };
        let straight = [(from, entry), (goal, exit)].map(|(end, near)| {
            let place = self.routes.places[near.0].point;
            (end, end.distance(place))
        });
        let Some(stored) = self.part_of(&route, straight) else {
            return Ok(None);
        };
        if self.options.verify
            && let Some(closed) = first_closed(self.map, &self.layers, &stored)
        {
            let middle = (stored[closed] + stored[closed + 1]) / 2.0;
            self.broken = route.road_at(middle);
            return Ok(None);
        }
        self.join(from, goal, &stored, ids)
    }

    /// The part of a route between the points where the trip joins and leaves it. The ends of the trip come with their
    /// distances to those of the route.
    fn part_of(&self, route: &Route, [from, goal]: [(Vec2, f32); 2]) -> Option<Vec<Vec2>> {
        let points = &route.waypoints;
        let backwards: Vec<Vec2> = points.iter().rev().copied().collect();
        let entry = last_in_reach(points, from.0, self.reach.max(from.1))?;
        let exit = last_in_reach(&backwards, goal.0, self.reach.max(goal.1))?;
        between(points, entry, exit)
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
        let detours = [detour(&before, from, first), detour(&after, last, goal)];
        let mut waypoints = before.points;
        waypoints.pop();
        let mut middle = stored;
        // Corners where the parts meet are cut where that is safe.
        if let (Some(&near), [_, next, _, ..]) = (waypoints.last(), middle)
            && self.sees(near, *next)
        {
            middle = &middle[1..];
        }
        if let (Some(&near), [_, .., next, _]) = (after.points.get(1), middle)
            && self.sees(*next, near)
        {
            middle = &middle[..middle.len() - 1];
        }
        let range = waypoints.len()..waypoints.len() + middle.len();
        waypoints.extend(middle);
        waypoints.extend(after.points.iter().skip(1));
        let trip = Trip {
            length: length(&waypoints),
            stored_length: length(middle),
            stored: range,
            route: Some(ids),
            is_complete: true,
            waypoints,
            ..Trip::default()
        };
        Ok(Some((trip, detours)))
    }

    /// The places nearest to a point, by the straight line, among those to which a way leads.
    fn nearest(&self, point: Vec2, cell: Cell) -> Vec<Near> {
        let mut nearest: Vec<Near> = Vec::with_capacity(CANDIDATES + 1);
        for (id, place) in self.routes.places.iter().enumerate() {
            let apart = point.distance(place.point);
            let is_full = nearest.len() == CANDIDATES;
            if is_full && nearest.last().is_some_and(|last| apart >= last.1) {
                continue;
            }
            if !self.map.rect().contains(Cell::at(place.point)) {
                continue;
            }
            let own = self.layers.nearest_free(place.point);
            if !own.is_some_and(|own| self.layers.is_reachable(cell, own)) {
                continue;
            }
            let at = nearest.partition_point(|near| near.1 <= apart);
            nearest.insert(at, (id, apart));
            nearest.truncate(CANDIDATES);
        }
        let most = nearest.first().map_or(0.0, |first| FARTHER * first.1);
        nearest.retain(|near| near.1 <= most);
        nearest
    }

    /// The shortest way from one point to another, by a search.
    pub(super) fn search(&mut self, from: Vec2, to: Vec2) -> Result<TautPath, FindPathError> {
        let radius = self.routes.radius();
        let way =
            (self.map).find_taut_path(from, to, radius, self.scratch, &mut (), Cancel::NEVER)?;
        self.expanded = self.expanded.saturating_add(way.expanded);
        Ok(way)
    }

    fn sees(&self, from: Vec2, to: Vec2) -> bool {
        self.map.line_of_sight(from, to, self.layers.radius())
    }
}

/// By how much a way is longer than the straight line, if that is a lot.
fn detour(way: &TautPath, from: Vec2, to: Vec2) -> f32 {
    let (walked, straight) = (length(&way.points), from.distance(to));
    if leads_around(walked, straight) {
        walked - straight
    } else {
        0.0
    }
}
