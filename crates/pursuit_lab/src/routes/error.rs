//! Why there is no waypoint map, and why there is no trip.

use glam::Vec2;
use pursuit::FindPathError;
use thiserror::Error;

use super::parts::{MAX_PLACES, MAX_ROADS, PlaceId, RoadId};

/// What is wrong with places and roads, given by a game or read from a file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RouteMapError {
    /// The radius of the bodies is not finite or below 0.
    #[error("the radius has to be finite and at least 0, got {0}")]
    Radius(f32),
    /// How much longer than the shortest way routes may be is below 1 or NaN.
    #[error("routes can not be {0} times as long as the shortest way: at least 1 is needed")]
    Stretch(f32),
    /// A place that is not at a finite point.
    #[error("the place `{name}` is at {point}, which is not finite")]
    PlaceNotFinite {
        /// Its name.
        name: String,
        /// Where it was said to be.
        point: Vec2,
    },
    /// Two places of one name.
    #[error("there are two places named `{0}`")]
    SameName(String),
    /// A road to a place that there is not.
    #[error("there is no {0}")]
    UnknownPlace(PlaceId),
    /// A road with a point that is not finite.
    #[error("point {index} of {road} is {point}, which is not finite")]
    PointNotFinite {
        /// The road.
        road: RoadId,
        /// Which of its points.
        index: usize,
        /// The point.
        point: Vec2,
    },
    /// A road that does not begin and end at its two places.
    #[error("{0} does not begin and end at its two places")]
    LooseEnd(RoadId),
    /// A road from a place to itself.
    #[error("{0} leads from a place to itself")]
    Loop(RoadId),
    /// More than [`MAX_PLACES`].
    #[error("{0} places are too many: at most {MAX_PLACES}")]
    TooManyPlaces(usize),
    /// More than [`MAX_ROADS`].
    #[error("{0} roads are too many: at most {MAX_ROADS}")]
    TooManyRoads(usize),
    /// A body does not fit where the place is, or that is outside of the map.
    #[error("no body of the map's radius fits at the place `{0}`")]
    PlaceBlocked(String),
    /// Saved by a version of this crate whose format is another one.
    #[error("the waypoint map is of version {0}, which is not known")]
    UnknownVersion(u32),
    /// A search was refused.
    #[error(transparent)]
    Search(#[from] FindPathError),
}

/// Why there is no trip.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TripError {
    /// No place has this name.
    #[error("no place is named `{0}`")]
    UnknownName(String),
    /// There are fewer places.
    #[error("there is no {0}")]
    UnknownPlace(PlaceId),
    /// Nothing leads from where the walker is to the place.
    #[error("no way leads to the place `{0}`")]
    NoWay(String),
    /// The map has no answer: an end is outside of it, the walker does not fit where it is nor near by, or the search was
    /// cancelled.
    #[error(transparent)]
    Search(#[from] FindPathError),
}
