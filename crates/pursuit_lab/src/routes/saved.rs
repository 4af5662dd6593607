//! Waypoint maps as they are saved, and what is asked of them when they are loaded.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::builder::{check_finite, checked};
use super::error::RouteMapError;
use super::parts::{MAX_PLACES, MAX_ROADS, Place, PlaceId, Road, RoadId};
use super::route_map::RouteMap;

/// Of the format.
const VERSION: u32 = 1;

/// How far an end of a road may lie from its place, in cells: rounding by formats of text.
const LOOSE: f32 = 1e-3;

#[derive(Serialize)]
struct Borrowed<'a> {
    version: u32,
    radius: f32,
    places: &'a [Place],
    roads: &'a [Road],
}

#[derive(Deserialize)]
struct Saved {
    version: u32,
    radius: f32,
    places: Vec<Place>,
    roads: Vec<Road>,
}

impl Serialize for RouteMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = Borrowed {
            version: VERSION,
            radius: self.radius(),
            places: self.places(),
            roads: self.roads(),
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RouteMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Saved::deserialize(deserializer)?;
        saved.checked().map_err(serde::de::Error::custom)
    }
}

impl Saved {
    fn checked(self) -> Result<RouteMap, RouteMapError> {
        if self.version != VERSION {
            return Err(RouteMapError::UnknownVersion(self.version));
        }
        let radius = checked(self.radius)?;
        self.check_places()?;
        if self.roads.len() > MAX_ROADS {
            return Err(RouteMapError::TooManyRoads(self.roads.len()));
        }
        for (id, road) in (0..).zip(&self.roads) {
            self.check_road(RoadId(id), road)?;
        }
        let routes = RouteMap::of(radius, self.places, self.roads);
        Ok(routes)
    }

    fn check_places(&self) -> Result<(), RouteMapError> {
        if self.places.len() > MAX_PLACES {
            return Err(RouteMapError::TooManyPlaces(self.places.len()));
        }
        if let Some(place) = self.places.iter().find(|place| !place.point.is_finite()) {
            let (name, point) = (place.name.clone(), place.point);
            return Err(RouteMapError::PlaceNotFinite { name, point });
        }
        let mut names: Vec<&str> = self
            .places
            .iter()
            .map(|place| place.name.as_str())
            .collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        twice.map_or(Ok(()), |pair| {
            Err(RouteMapError::SameName(pair[0].to_owned()))
        })
    }

    fn check_road(&self, id: RoadId, road: &Road) -> Result<(), RouteMapError> {
        let place = |id| {
            let place = self.places.get(usize::from(id));
            place.ok_or(RouteMapError::UnknownPlace(PlaceId(id)))
        };
        let (from, to) = (place(road.from.0)?, place(road.to.0)?);
        if road.from == road.to {
            return Err(RouteMapError::Loop(id));
        }
        check_finite(id, &road.points)?;
        let (first, last) = (road.points.first(), road.points.last());
        let ends = [(first, from.point), (last, to.point)];
        let are_tied = ends
            .iter()
            .all(|(end, place)| end.is_some_and(|end| end.distance(*place) <= LOOSE));
        (are_tied && road.points.len() > 1)
            .then_some(())
            .ok_or(RouteMapError::LooseEnd(id))
    }
}
