//! What a trip is asked for.

use glam::Vec2;

use super::parts::PlaceId;

/// Where a trip leads.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Destination<'a> {
    /// To a point, in cell space.
    Point(Vec2),
    /// To a place.
    Place(PlaceId),
    /// To the place of this name.
    Named(&'a str),
}

impl From<Vec2> for Destination<'_> {
    fn from(point: Vec2) -> Self {
        Self::Point(point)
    }
}

impl From<PlaceId> for Destination<'_> {
    fn from(place: PlaceId) -> Self {
        Self::Place(place)
    }
}

impl<'a> From<&'a str> for Destination<'a> {
    fn from(name: &'a str) -> Self {
        Self::Named(name)
    }
}

/// How to plan a trip.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TripOptions {
    /// Within what distance a goal is searched for as a whole, in cells. A trip joins the route at the last point of it
    /// that is within the same distance, and leaves it at the first. More makes trips shorter and searches longer.
    ///
    /// Default: `None`, that is [`RouteMap::reach`](super::RouteMap::reach).
    pub reach: Option<f32>,
    /// Whether each line of the route is looked at before it is taken, so that no trip leads over a blocked road, even
    /// where nobody called [`RouteMap::update`](super::RouteMap::update) after an edit. Costs about a microsecond per 100 cells.
    ///
    /// Default: `true`.
    pub verify: bool,
}

impl Default for TripOptions {
    fn default() -> Self {
        Self {
            reach: None,
            verify: true,
        }
    }
}
