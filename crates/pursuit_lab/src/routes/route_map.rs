//! Places, roads, and all routes between them.

use std::f32::consts::SQRT_2;

use glam::Vec2;
use pursuit::cell::CellRect;
use pursuit::map::{BodyLayers, NavMap};
use pursuit::steer::closest_entry;

use super::error::TripError;
use super::line::first_closed;
use super::network::Network;
use super::parts::{Place, PlaceId, Road, RoadId};

/// How far around a road walls have a say, beside the radius of the body, in cells. Room is proven by distances at
/// centers that are up to two columns and two rows away, and each of those has to be larger than the radius by as much.
/// A wall begins half a cell before its center.
const AROUND: f32 = 2.0 * (2.0 * SQRT_2) + 0.5;

/// Named places joined by roads, with all routes between them: see the [module](super).
///
/// All positions are in cell space, all lengths in cells. Made by a [builder](Self::builder), or loaded, with the
/// feature `serde`: what is saved is the radius, places and roads, routes are worked out again. A damaged file is refused with the
/// [reason](super::RouteMapError). All roads are open at first: [`update`](Self::update) asks the map.
#[derive(Clone, Debug)]
pub struct RouteMap {
    radius: f32,
    pub(super) places: Vec<Place>,
    pub(super) roads: Vec<Road>,
    /// Of the roads.
    lengths: Vec<f32>,
    /// Corners of the box around each road.
    boxes: Vec<[Vec2; 2]>,
    open: Vec<bool>,
    /// Places in the order of their names.
    by_name: Vec<u16>,
    pub(super) network: Network,
    reach: f32,
}

/// The stored route between two places.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Route {
    /// From one place to the other, in cell space.
    pub waypoints: Vec<Vec2>,
    /// The roads, and for each the index of the waypoint at which it begins.
    pub roads: Vec<(RoadId, usize)>,
    /// How long it is, in cells.
    pub length: f32,
}

impl Route {
    /// The road on which a point of the route lies.
    pub(super) fn road_at(&self, point: Vec2) -> Option<RoadId> {
        let next = closest_entry(&self.waypoints, point).map_or(0, |closest| closest.next);
        let begun = self.roads.partition_point(|&(_, begin)| begin < next);
        let last = begun.checked_sub(1).and_then(|last| self.roads.get(last));
        last.map(|&(road, _)| road)
    }
}

/// A road that a body cannot go.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrokenRoad {
    /// Which road.
    pub road: RoadId,
    /// The ends of its first line that is blocked.
    pub line: [Vec2; 2],
}

impl RouteMap {
    /// Works out the routes between places. All ends of roads are places.
    pub(super) fn of(radius: f32, places: Vec<Place>, roads: Vec<Road>) -> Self {
        let mut by_name: Vec<u16> = (0..places.len() as u16).collect();
        by_name.sort_by(|&a, &b| {
            places[usize::from(a)]
                .name
                .cmp(&places[usize::from(b)].name)
        });
        let open = vec![true; roads.len()];
        let lengths: Vec<f32> = roads.iter().map(Road::length).collect();
        let network = Network::of(places.len(), &roads, (&lengths, &open));
        Self {
            radius,
            lengths,
            boxes: roads.iter().map(|road| box_of(&road.points)).collect(),
            open,
            reach: spacing(&places),
            places,
            roads,
            by_name,
            network,
        }
    }

    /// The radius of the bodies that walk on it.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// All places, by their ids.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// All roads, by their ids.
    #[must_use]
    pub fn roads(&self) -> &[Road] {
        &self.roads
    }

    /// The place of a name.
    ///
    /// # Errors
    ///
    /// [`TripError::UnknownName`].
    pub fn place(&self, name: &str) -> Result<PlaceId, TripError> {
        let name_of = |&id: &u16| self.places[usize::from(id)].name.as_str();
        let found = self.by_name.binary_search_by(|id| name_of(id).cmp(name));
        found
            .map(|index| PlaceId(self.by_name[index]))
            .map_err(|_| TripError::UnknownName(name.to_owned()))
    }

    /// Within what distance trips are searched as a whole, and within what distance of its two ends a trip
    /// joins and leaves the stored route, unless its options say otherwise: the mean distance from a place to the
    /// nearest other one, in cells. Infinite with fewer than two places.
    #[must_use]
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// How long the route between two places is, in cells; `None` if there is none over open roads.
    #[must_use]
    pub fn route_length(&self, from: PlaceId, to: PlaceId) -> Option<f32> {
        let is_known = from.get() < self.places.len();
        let length = self.network.length(from.get(), to.get());
        (is_known && length.is_finite()).then_some(length)
    }

    /// The stored route between two places: the shortest over open roads. `None` if there is none.
    #[must_use]
    pub fn route(&self, from: PlaceId, to: PlaceId) -> Option<Route> {
        let length = self.route_length(from, to)?;
        let mut waypoints = vec![self.places[from.get()].point];
        let mut roads = Vec::new();
        let visit = |id: RoadId, is_backwards| {
            roads.push((id, waypoints.len() - 1));
            let points = &self.roads[id.get()].points;
            if is_backwards {
                waypoints.extend(points.iter().rev().skip(1));
            } else {
                waypoints.extend(points.iter().skip(1));
            }
        };
        self.network.for_each_road(from, to, &self.roads, visit);
        Some(Route {
            waypoints,
            roads,
            length,
        })
    }

    /// Whether routes lead over a road. It does not if it was found to be blocked, nor if there is no such road.
    #[must_use]
    pub fn is_open(&self, road: RoadId) -> bool {
        self.open.get(road.get()).copied().unwrap_or(false)
    }

    /// The roads on which a wall of the map stands now, whether that is known or not.
    #[must_use]
    pub fn check(&self, map: &NavMap) -> Vec<BrokenRoad> {
        let layers = map.layers(self.radius);
        let broken = (0..self.roads.len()).filter_map(|road| self.broken(map, &layers, road));
        broken.collect()
    }

    /// Looks at all roads on the map as it is now: closes those that are blocked, opens those that are free, and works
    /// routes out anew if that changed any. Gives the roads that were closed or opened.
    pub fn update(&mut self, map: &NavMap) -> Vec<RoadId> {
        self.update_where(map, |_| true)
    }

    /// As [`update`](Self::update), after an edit of the map in some rectangles: looks at the roads near them alone.
    pub fn update_within(&mut self, map: &NavMap, edited: &[CellRect]) -> Vec<RoadId> {
        let around = Vec2::splat(self.radius + AROUND);
        let boxes = std::mem::take(&mut self.boxes);
        let changed = self.update_where(map, |road| {
            let [low, high] = boxes[road];
            let [low, high] = [low - around, high + around];
            edited.iter().any(|rect| {
                let (min, max) = (rect.min.center(), rect.max.center());
                !rect.is_empty() && min.cmple(high).all() && max.cmpge(low).all()
            })
        });
        self.boxes = boxes;
        changed
    }

    /// Memory of places, roads and routes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let names: usize = self.places.iter().map(|place| place.name.len()).sum();
        let points: usize = self.roads.iter().map(|road| road.points.len()).sum();
        let of_place = size_of::<Place>() + size_of::<u16>();
        let of_road = size_of::<Road>() + size_of::<f32>() + size_of::<[Vec2; 2]>() + 1;
        let (places, roads) = (self.places.len() * of_place, self.roads.len() * of_road);
        places + names + roads + points * size_of::<Vec2>() + self.network.bytes()
    }

    fn update_where(&mut self, map: &NavMap, is_asked: impl Fn(usize) -> bool) -> Vec<RoadId> {
        let layers = map.layers(self.radius);
        let (mut open, mut changed) = (self.open.clone(), Vec::new());
        for road in (0..self.roads.len()).filter(|&road| is_asked(road)) {
            let points = &self.roads[road].points;
            let is_open = first_closed(map, &layers, points).is_none();
            if open[road] != is_open {
                open[road] = is_open;
                changed.push(RoadId(road as u16));
            }
        }
        if !changed.is_empty() {
            let places = self.places.len();
            self.network = Network::of(places, &self.roads, (&self.lengths, &open));
            self.open = open;
        }
        changed
    }

    fn broken(&self, map: &NavMap, layers: &BodyLayers, road: usize) -> Option<BrokenRoad> {
        let points = &self.roads[road].points;
        let at = first_closed(map, layers, points)?;
        Some(BrokenRoad {
            road: RoadId(road as u16),
            line: [points[at], points[at + 1]],
        })
    }
}

/// The mean distance from a place to the nearest other one.
fn spacing(places: &[Place]) -> f32 {
    if places.len() < 2 {
        return f32::INFINITY;
    }
    let nearest = |own: usize| {
        let others = (0..places.len()).filter(|&other| other != own);
        let apart = others.map(|other| places[other].point.distance(places[own].point));
        apart.fold(f32::INFINITY, f32::min)
    };
    (0..places.len()).map(nearest).sum::<f32>() / places.len() as f32
}

fn box_of(points: &[Vec2]) -> [Vec2; 2] {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold([first; 2], |[low, high], &point| {
        [low.min(point), high.max(point)]
    })
}
