//! Puts places and roads together.

use glam::Vec2;
use pursuit::{BodyLayers, Cancel, NavMap, NavScratch, PathOptions};

use super::error::RouteMapError;
use super::line::{first_closed, is_open};
use super::network::Network;
use super::parts::{MAX_PLACES, MAX_ROADS, Place, PlaceId, Road, RoadId, length};
use super::route_map::RouteMap;

/// Places and roads that are to become a [`RouteMap`].
#[derive(Clone, Debug)]
pub struct RouteMapBuilder {
    radius: f32,
    places: Vec<Place>,
    roads: Vec<Road>,
}

impl RouteMap {
    /// Begins a waypoint map for bodies of `radius` cells: finite, at least 0. Whether it is, [`RouteMapBuilder::build`] says.
    #[must_use]
    pub fn builder(radius: f32) -> RouteMapBuilder {
        RouteMapBuilder {
            radius,
            places: Vec::new(),
            roads: Vec::new(),
        }
    }
}

impl RouteMapBuilder {
    /// Adds a place, by its name and where it is in cell space.
    ///
    /// # Errors
    ///
    /// [`RouteMapError::PlaceNotFinite`], [`SameName`](RouteMapError::SameName) and
    /// [`TooManyPlaces`](RouteMapError::TooManyPlaces).
    pub fn place(&mut self, name: &str, point: Vec2) -> Result<PlaceId, RouteMapError> {
        if !point.is_finite() {
            let name = name.to_owned();
            return Err(RouteMapError::PlaceNotFinite { name, point });
        }
        if self.places.iter().any(|place| place.name == name) {
            return Err(RouteMapError::SameName(name.to_owned()));
        }
        if self.places.len() == MAX_PLACES {
            return Err(RouteMapError::TooManyPlaces(MAX_PLACES + 1));
        }
        let name = name.to_owned();
        self.places.push(Place { name, point });
        Ok(PlaceId(self.places.len() as u16 - 1))
    }

    /// Lays a road by hand: from one place over some points to another. It can be walked both ways.
    ///
    /// No map is asked: [`RouteMap::update`] finds out which roads are blocked.
    ///
    /// # Errors
    ///
    /// [`RouteMapError::UnknownPlace`], [`Loop`](RouteMapError::Loop),
    /// [`PointNotFinite`](RouteMapError::PointNotFinite) and [`TooManyRoads`](RouteMapError::TooManyRoads).
    pub fn road(
        &mut self,
        from: PlaceId,
        to: PlaceId,
        between: &[Vec2],
    ) -> Result<RoadId, RouteMapError> {
        self.lay(from, to, between, false)
    }

    /// As [`road`](Self::road), but it can only be walked from its begin to its end.
    ///
    /// # Errors
    ///
    /// As [`road`](Self::road).
    pub fn one_way(
        &mut self,
        from: PlaceId,
        to: PlaceId,
        between: &[Vec2],
    ) -> Result<RoadId, RouteMapError> {
        self.lay(from, to, between, true)
    }

    /// Lays as many roads along taut paths as it takes for the route between any two places to be at most
    /// `stretch` times as long as the taut path between them. Roads that are there already count as open. Places
    /// that no way joins stay apart.
    ///
    /// 1.2 gives few roads, and routes a few percent longer than the shortest; 1 gives a road between nearly all places that do
    /// not lie on a road of others; infinity gives as few as join all places. It is the greedy spanner (Althöfer, Das,
    /// Dobkin, Joseph and Soares, 1993), on walking distances. Takes a search for each pair of places whose route is longer
    /// than `stretch` times the straight line.
    ///
    /// Gives the number of roads laid.
    ///
    /// # Errors
    ///
    /// [`RouteMapError::Stretch`] if that is below 1, [`Radius`](RouteMapError::Radius),
    /// [`PlaceBlocked`](RouteMapError::PlaceBlocked) and [`TooManyRoads`](RouteMapError::TooManyRoads).
    pub fn pave_all(
        &mut self,
        map: &NavMap,
        stretch: f32,
        scratch: &mut NavScratch,
    ) -> Result<usize, RouteMapError> {
        if stretch.is_nan() || stretch < 1.0 {
            return Err(RouteMapError::Stretch(stretch));
        }
        let layers = map.layers(checked(self.radius)?);
        for place in &self.places {
            self.check_fits(map, &layers, place)?;
        }
        let before = self.roads.len();
        let mut routes = self.route_lengths();
        for (a, b) in self.pairs() {
            let ends = [&self.places[a], &self.places[b]];
            let straight = ends[0].point.distance(ends[1].point);
            let is_short = |shortest: f32, routes: &Lengths| {
                // Infinite times nothing is no number, and no route is infinitely long.
                let most = (stretch.min(f32::MAX) * shortest).min(f32::MAX);
                routes.get(a, b) <= most && routes.get(b, a) <= most
            };
            if is_short(straight, &routes) {
                continue;
            }
            let Some(points) = self.taut_road(map, &layers, ends, scratch)? else {
                continue;
            };
            let shortest = length(&points);
            if is_short(shortest, &routes) {
                continue;
            }
            let between = points.get(1..points.len() - 1).unwrap_or_default();
            self.lay(PlaceId(a as u16), PlaceId(b as u16), between, false)?;
            routes.add((a, b), shortest);
        }
        Ok(self.roads.len() - before)
    }

    /// Works out all routes.
    ///
    /// # Errors
    ///
    /// [`RouteMapError::Radius`].
    pub fn build(self) -> Result<RouteMap, RouteMapError> {
        checked(self.radius)?;
        Ok(RouteMap::of(self.radius, self.places, self.roads))
    }

    fn known(&self, id: PlaceId) -> Result<&Place, RouteMapError> {
        let place = self.places.get(id.get());
        place.ok_or(RouteMapError::UnknownPlace(id))
    }

    pub(super) fn lay(
        &mut self,
        from: PlaceId,
        to: PlaceId,
        between: &[Vec2],
        is_one_way: bool,
    ) -> Result<RoadId, RouteMapError> {
        if self.roads.len() == MAX_ROADS {
            return Err(RouteMapError::TooManyRoads(MAX_ROADS + 1));
        }
        let (first, last) = (self.known(from)?.point, self.known(to)?.point);
        let id = RoadId(self.roads.len() as u16);
        if from == to {
            return Err(RouteMapError::Loop(id));
        }
        let inner = between.iter().copied();
        let points: Vec<Vec2> = [first].into_iter().chain(inner).chain([last]).collect();
        check_finite(id, &points)?;
        self.roads.push(Road {
            from,
            to,
            points,
            is_one_way,
        });
        Ok(id)
    }

    fn check_fits(
        &self,
        map: &NavMap,
        layers: &BodyLayers,
        place: &Place,
    ) -> Result<(), RouteMapError> {
        let fits = is_open(map, layers, [place.point; 2]);
        fits.then_some(())
            .ok_or_else(|| RouteMapError::PlaceBlocked(place.name.clone()))
    }

    /// The taut path between two places, all of whose lines a body can go; else one along cells. `None` if there is
    /// no way.
    fn taut_road(
        &self,
        map: &NavMap,
        layers: &BodyLayers,
        [from, to]: [&Place; 2],
        scratch: &mut NavScratch,
    ) -> Result<Option<Vec<Vec2>>, RouteMapError> {
        let way = map.find_taut_path(
            from.point,
            to.point,
            self.radius,
            scratch,
            &mut (),
            Cancel::NEVER,
        )?;
        if !way.is_whole || way.points.last() != Some(&to.point) {
            return Ok(None);
        }
        let is_open = |points: &[Vec2]| first_closed(map, layers, points).is_none();
        if is_open(&way.points) {
            return Ok(Some(way.points));
        }
        let ends = [from, to].map(|place| layers.nearest_free(place.point));
        let [Some(first), Some(last)] = ends else {
            return Ok(None);
        };
        let options = PathOptions::default();
        let found = map.find_path(first, last, self.radius, &options, scratch)?;
        let turns = found.path.turns.iter().map(|cell| cell.center());
        let mut points: Vec<Vec2> = [from.point].into_iter().chain(turns).collect();
        points.push(to.point);
        points.dedup();
        Ok(is_open(&points).then_some(points))
    }

    /// Pairs of places, nearest first.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let count = self.places.len();
        let mut pairs = Vec::with_capacity(count * count.saturating_sub(1) / 2);
        for a in 0..count {
            for b in a + 1..count {
                let [from, to] = [a, b].map(|place| self.places[place].point);
                // Squares are not negative: their bits are in the order of the numbers.
                pairs.push((from.distance_squared(to).to_bits(), a, b));
            }
        }
        pairs.sort_unstable();
        pairs.into_iter().map(|(_, a, b)| (a, b)).collect()
    }

    fn route_lengths(&self) -> Lengths {
        let count = self.places.len();
        let lengths: Vec<f32> = self.roads.iter().map(Road::length).collect();
        let open = vec![true; self.roads.len()];
        let network = Network::of(count, &self.roads, (&lengths, &open));
        let pairs = (0..count * count).map(|i| network.length(i / count, i % count));
        let lengths = pairs.collect();
        Lengths { count, lengths }
    }
}

/// The radius, if it is one.
fn checked(radius: f32) -> Result<f32, RouteMapError> {
    let is_good = radius.is_finite() && radius >= 0.0;
    is_good
        .then_some(radius)
        .ok_or(RouteMapError::Radius(radius))
}

/// An error if a point of a road is not finite.
fn check_finite(road: RoadId, points: &[Vec2]) -> Result<(), RouteMapError> {
    let index = points.iter().position(|point| !point.is_finite());
    index.map_or(Ok(()), |index| {
        let point = points[index];
        Err(RouteMapError::PointNotFinite { road, index, point })
    })
}

/// Lengths of the routes between all places, as roads are laid.
struct Lengths {
    count: usize,
    lengths: Vec<f32>,
}

impl Lengths {
    fn get(&self, from: usize, to: usize) -> f32 {
        self.lengths[from * self.count + to]
    }

    /// A road that can be walked both ways.
    fn add(&mut self, (a, b): (usize, usize), road: f32) {
        for (a, b) in [(a, b), (b, a)] {
            let onward: Vec<f32> = self.lengths[b * self.count..(b + 1) * self.count].to_vec();
            for from in 0..self.count {
                let there = self.get(from, a) + road;
                let row = &mut self.lengths[from * self.count..(from + 1) * self.count];
                if there < f32::INFINITY {
                    for (length, rest) in row.iter_mut().zip(&onward) {
                        *length = length.min(there + rest);
                    }
                }
            }
        }
    }
}
