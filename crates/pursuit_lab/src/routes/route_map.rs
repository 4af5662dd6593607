//! Places, roads, and all routes between them.

use glam::Vec2;
use pursuit::NavMap;
use pursuit::steer::closest_entry;

use super::error::TripError;
use super::line::first_closed;
use super::network::Network;
use super::parts::{Place, PlaceId, Road, RoadId};

/// Named places joined by roads, with all routes between them: see the [module](super).
///
/// All positions are in cell space, all lengths in cells. Made by a [builder](Self::builder), or loaded by `serde`: what is
/// saved is the radius, places and roads, routes are worked out again. A damaged file is refused with the
/// [reason](super::RouteMapError). All roads are open at first: [`update`](Self::update) asks the map.
#[derive(Clone, Debug)]
pub struct RouteMap {
    radius: f32,
    pub(super) places: Vec<Place>,
    pub(super) roads: Vec<Road>,
    /// Of the roads.
    lengths: Vec<f32>,
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

impl RouteMap {
    /// Works out the routes between places. All ends of roads are places.
    pub(super) fn of(radius: f32, places: Vec<Place>, roads: Vec<Road>) -> Self {
        let mut by_name: Vec<u16> = (0..places.len() as u16).collect();
        by_name.sort_by_key(|&id| &places[usize::from(id)].name);
        let open = vec![true; roads.len()];
        let lengths: Vec<f32> = roads.iter().map(Road::length).collect();
        let network = Network::of(places.len(), &roads, (&lengths, &open));
        Self {
            radius,
            lengths,
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

    /// The stored route between two places: the shortest over open roads. `None` if no route leads there.
    #[must_use]
    pub fn route(&self, from: PlaceId, to: PlaceId) -> Option<Route> {
        let length = self.network.length(from.get(), to.get());
        if length.is_infinite() {
            return None;
        }
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

    /// Looks at all roads on the map as it is now: closes those that are blocked, opens those that are free, and works
    /// routes out again if that changed any. Gives the roads that were closed or opened.
    pub fn update(&mut self, map: &NavMap) -> Vec<RoadId> {
        let layers = map.layers(self.radius);
        let (mut open, mut changed) = (self.open.clone(), Vec::new());
        for (number, (road, was_open)) in (0..).zip(self.roads.iter().zip(&mut open)) {
            let is_open = first_closed(map, &layers, &road.points).is_none();
            if std::mem::replace(was_open, is_open) != is_open {
                changed.push(RoadId(number));
            }
        }
        if !changed.is_empty() {
            let places = self.places.len();
            self.network = Network::of(places, &self.roads, (&self.lengths, &open));
            self.open = open;
        }
        changed
    }

    /// Memory of places, roads and routes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let names: usize = self.places.iter().map(|place| place.name.len()).sum();
        let points: usize = self.roads.iter().map(|road| road.points.len()).sum();
        let of_place = size_of::<Place>() + size_of::<u16>();
        let of_road = size_of::<Road>() + size_of::<f32>() + 1;
        let (places, roads) = (self.places.len() * of_place, self.roads.len() * of_road);
        places + names + roads + points * size_of::<Vec2>() + self.network.bytes()
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
