//! Saved waypoint maps: any bytes are refused or are a map that can be asked, and what is loaded is saved as it was.

use std::cell::RefCell;

use arbitrary::Arbitrary;
use glam::Vec2;
use pursuit::{DiagonalPolicy, NavMap, NavScratch};
use pursuit_lab::routes::{PlaceId, RouteMap, RouteMapBuilder, Trip, TripError, TripOptions};

use crate::{AnyEdit, AnyGrid};

/// Most places of a map whose routes are all looked at.
const MAX_PLACES: u16 = 20;

/// Bytes that may be a saved map.
#[derive(Arbitrary, Debug)]
pub enum AnyFile<'b> {
    /// Any bytes.
    Any(&'b [u8]),
    /// What a map of these places and roads is saved as, with some bytes changed.
    Damaged {
        /// The map.
        map: AnyRoutes,
        /// Where bytes change, and how.
        changes: Vec<(u16, u8)>,
        /// Bytes that are missing at the end.
        missing: u8,
    },
}

/// Places, and roads between them.
#[derive(Arbitrary, Debug)]
pub struct AnyRoutes {
    /// In tenths of a cell.
    radius: u8,
    places: Vec<[u8; 2]>,
    roads: Vec<(u8, u8, Option<[f32; 2]>, bool)>,
}

impl AnyRoutes {
    fn builder(&self) -> RouteMapBuilder {
        let mut builder = RouteMap::builder(f32::from(self.radius % 22) / 10.0);
        let point = |[x, y]: [u8; 2]| Vec2::new(f32::from(x % 64), f32::from(y % 64));
        for (number, &place) in self.places.iter().take(usize::from(MAX_PLACES)).enumerate() {
            let added = builder.place(&number.to_string(), point(place));
            added.expect("a point and a name of its own");
        }
        for &(from, to, between, is_one_way) in self.roads.iter().take(60) {
            let [from, to] = [from, to].map(|id| PlaceId(u16::from(id)));
            let between: Vec<Vec2> = between.map(Vec2::from).into_iter().collect();
            // Roads to nowhere and over points that are none are refused.
            let _ = if is_one_way {
                builder.one_way(from, to, &between)
            } else {
                builder.road(from, to, &between)
            };
        }
        builder
    }
}

impl AnyFile<'_> {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Any(bytes) => bytes.to_vec(),
            Self::Damaged {
                map,
                changes,
                missing,
            } => {
                let map = map.builder().build().expect("a good radius");
                let mut bytes = postcard::to_allocvec(&map).expect("a map can be saved");
                let count = bytes.len();
                for &(at, byte) in changes {
                    bytes[usize::from(at) % count] = byte;
                }
                bytes.truncate(count.saturating_sub(usize::from(*missing)));
                bytes
            }
        }
    }
}

/// Loads a file and asks the map.
///
/// # Panics
///
/// Where a loaded map is not saved as it was, or a route does not lead from its begin to its end.
pub fn check(file: &AnyFile<'_>) {
    let Ok(map) = postcard::from_bytes::<RouteMap>(&file.bytes()) else {
        return;
    };
    let saved = postcard::to_allocvec(&map).expect("what was loaded can be saved");
    let again: RouteMap = postcard::from_bytes(&saved).expect("and loaded");
    assert_eq!((again.places(), again.roads()), (map.places(), map.roads()));
    let count = (map.places().len() as u16).min(MAX_PLACES);
    for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
        let Some(route) = map.route(PlaceId(from), PlaceId(to)) else {
            continue;
        };
        let point = |place: u16| Some(&map.places()[usize::from(place)].point);
        assert_eq!(route.waypoints.first(), point(from));
        let end = route.waypoints.last().expect("a route has an end");
        let place = map.places()[usize::from(to)].point;
        assert!(
            end.distance(place) <= 1e-2,
            "a road with a loose end was loaded"
        );
    }
}

/// From where to where, and how.
#[derive(Arbitrary, Debug)]
pub struct AnyTrip {
    ends: [[u8; 2]; 2],
    off: [u8; 2],
    reach: Option<f32>,
    is_unverified: bool,
}

impl AnyTrip {
    fn options(&self) -> TripOptions {
        let mut options = TripOptions::default();
        options.reach = self.reach;
        options.verify = !self.is_unverified;
        options
    }
}

/// A map, routes over it, edits, and trips between them.
#[derive(Arbitrary, Debug)]
pub struct AnyTrips {
    walls: AnyGrid,
    routes: AnyRoutes,
    is_paved: bool,
    edit: AnyEdit,
    trips: [AnyTrip; 3],
}

fn check_trip(map: &NavMap, routes: &RouteMap, trip: &Trip, from: Vec2, options: &TripOptions) {
    assert_eq!(trip.waypoints.first(), Some(&from));
    assert!(trip.stored.start <= trip.stored.end && trip.stored.end <= trip.waypoints.len());
    // On its first line, a body may leave a wall.
    let closed = trip.blocked_ahead(map, routes.radius(), 1);
    assert!(!options.verify || closed.is_none(), "{trip:?}");
}

thread_local! {
    static SCRATCH: RefCell<NavScratch> = RefCell::new(NavScratch::new());
}

impl AnyTrips {
    /// Plans the trips, before the edit and after it.
    ///
    /// # Panics
    ///
    /// Where a trip does not begin at the walker, leads through walls, or is refused though a search is not; or where
    /// an update leaves roads to be closed or opened.
    pub fn check(&self) {
        let walls = self.walls.build();
        let edited = self.edit.apply(&walls).0;
        let maps =
            [walls, edited].map(|walls| NavMap::new(&walls, 2.0, DiagonalPolicy::NoCornerCut));
        let mut builder = self.routes.builder();
        SCRATCH.with_borrow_mut(|scratch| {
            if self.is_paved {
                // Places may be blocked.
                let _ = builder.pave_all(&maps[0], 1.2, scratch);
            }
            let mut routes = builder.build().expect("a good radius");
            for map in &maps {
                self.walk(map, &routes, scratch);
                routes.update(map);
                assert_eq!(routes.update(map), [], "one look is enough");
                self.walk(map, &routes, scratch);
            }
        });
    }

    fn walk(&self, map: &NavMap, routes: &RouteMap, scratch: &mut NavScratch) {
        let max = map.rect().max.center();
        let point = |[x, y]: [u8; 2]| Vec2::new(f32::from(x), f32::from(y)) / 2.0 % max;
        for any in &self.trips {
            let ([from, to], options) = (any.ends.map(point), any.options());
            let searched = map.taut_path(from, to, routes.radius(), scratch);
            let trip = match routes.trip(map, from, to, &options, scratch) {
                Ok(trip) => trip,
                Err(error) => {
                    let expected = searched.expect_err("a search finds a way");
                    assert_eq!(error, TripError::Search(expected));
                    continue;
                }
            };
            check_trip(map, routes, &trip, from, &options);
            let end = trip.waypoints.last().copied().expect("a trip has an end");
            for from in [end, point(any.off)] {
                let is_there = map.taut_path(from, end, routes.radius(), scratch).is_ok();
                let back = routes.rejoin(map, &trip, from, &options, scratch);
                assert_eq!(back.is_ok(), is_there, "{back:?}");
                if let Ok(back) = back {
                    check_trip(map, routes, &back, from, &options);
                }
            }
        }
    }
}
