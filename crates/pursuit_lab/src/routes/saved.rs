//! Waypoint maps as they are saved, and what is asked of them when they are loaded.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::RouteMapError;
use super::parts::{Place, Road, RoadId};
use super::route_map::RouteMap;

/// Of the format.
const VERSION: u32 = 1;

/// How far an end of a road may lie from its place, in cells: rounding by formats of text.
const LOOSE: f32 = 1e-3;

#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    version: u32,
    radius: f32,
    places: Cow<'a, [Place]>,
    roads: Cow<'a, [Road]>,
}

impl Serialize for RouteMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = Saved {
            version: VERSION,
            radius: self.radius(),
            places: self.places().into(),
            roads: self.roads().into(),
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RouteMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Saved::deserialize(deserializer)?;
        saved.built().map_err(serde::de::Error::custom)
    }
}

impl Saved<'_> {
    /// Builds the map again, so that whatever is wrong is found.
    fn built(self) -> Result<RouteMap, RouteMapError> {
        if self.version != VERSION {
            return Err(RouteMapError::UnknownVersion(self.version));
        }
        let mut builder = RouteMap::builder(self.radius);
        for place in &*self.places {
            builder.place(&place.name, place.point)?;
        }
        for (number, road) in self.roads.iter().enumerate() {
            let loose = RouteMapError::LooseEnd(RoadId(number as u16));
            let [first, between @ .., last] = &*road.points else {
                return Err(loose);
            };
            builder.lay(road.from, road.to, between, road.is_one_way)?;
            let is_tied = [(first, road.from), (last, road.to)].map(|(end, place)| {
                let place = self.places.get(place.get());
                place.is_some_and(|place| end.distance(place.point) <= LOOSE)
            });
            if is_tied != [true; 2] {
                return Err(loose);
            }
        }
        builder.build()
    }
}
