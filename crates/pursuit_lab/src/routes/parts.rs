//! What a waypoint map is made of.

use std::fmt;

use glam::Vec2;

/// Most places that a [`RouteMap`](super::RouteMap) can have. Its tables take 6 bytes per pair of places.
pub const MAX_PLACES: usize = 1024;

/// Most roads that a [`RouteMap`](super::RouteMap) can have.
pub const MAX_ROADS: usize = 1 << 14;

/// The number of a place: they are counted in the order in which they were added.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct PlaceId(pub u16);

impl PlaceId {
    /// The number as `usize`, to address an array.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for PlaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "place {}", self.0)
    }
}

/// The number of a road: they are counted in the order in which they were added.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct RoadId(pub u16);

impl RoadId {
    /// The number as `usize`, to address an array.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for RoadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "road {}", self.0)
    }
}

/// A place that can be named in a trip.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// Its name; no other place has the same.
    pub name: String,
    /// Where it is, in cell space.
    #[serde(with = "super::points::one")]
    pub point: Vec2,
}

/// A way between two places.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Road {
    /// Where it begins.
    pub from: PlaceId,
    /// Where it ends.
    pub to: PlaceId,
    /// Points from one place to the other, both included, in cell space.
    #[serde(with = "super::points::many")]
    pub points: Vec<Vec2>,
    /// Whether it can only be walked from its begin to its end.
    pub is_one_way: bool,
}

impl Road {
    /// How long it is, in cells.
    #[must_use]
    pub fn length(&self) -> f32 {
        length(&self.points)
    }
}

/// Length of the way along some points, summed in 64 bits.
pub(super) fn length(points: &[Vec2]) -> f32 {
    let legs = points.windows(2).map(|leg| leg[0].distance(leg[1]));
    legs.map(f64::from).sum::<f64>() as f32
}
