//! Waypoint maps with stored routes: named places, roads between them, and trips over them.
//!
//! A [`RouteMap`] is what a game designer draws: places with names, and roads between them, laid by hand or
//! [paved](RouteMapBuilder::pave_all) along taut paths. All routes between places are worked out in advance.
//! A trip searches from the walker to a route, follows it as it is stored, and searches from the
//! route to the goal. So a long trip costs two short searches, however long it is.
//!
//! # What is stored
//!
//! Each road is stored once, and two tables over all pairs of places: the road with which the route between
//! them begins, and how long it is (6 bytes per pair). A route is read off by going from road to road, which
//! takes as long as it takes to write its waypoints. Whole polylines per pair would be as fast, but hold each
//! road in as many copies as there are routes over it: 110 KB instead of 20 on a city map with 40 places.
//!
//! # When to take it
//!
//! For guided tours, for ways that have to follow roads, for long ways on large maps, and on terrain, where jump
//! points do not help. Routes are as good as the roads are. On city maps of 1024² cells with 40 random places and a
//! stretch of 1.2, trips are 7 to 12 percent longer than taut paths in the mean, a few far more, and take a 26th to a 46th of
//! the time of A\*. Where jump points help, [`NavMap::taut_path`](pursuit::NavMap::taut_path) takes 1.3 to 1.9 times as long as a trip,
//! and knows no detours. On a map that rests and has the memory for them, tables are faster than both, and exact.
//!
//! ```
//! use pursuit::glam::Vec2;
//! use pursuit::maps::parse_ascii;
//! use pursuit_lab::routes::{RouteMap, TripOptions};
//! use pursuit::{DiagonalPolicy, NavMap, NavScratch};
//!
//! let map = parse_ascii("G....#....\n.....#...L\n.....#....\n..........")?;
//! let (gate, library) = (map.find('G').expect("a G"), map.find('L').expect("an L"));
//! let nav = NavMap::new(&map.grid, 4.0, DiagonalPolicy::NoCornerCut);
//! let mut scratch = NavScratch::new();
//!
//! let mut builder = RouteMap::builder(0.45);
//! builder.place("gate", gate.center())?;
//! builder.place("library", library.center())?;
//! builder.pave_all(&nav, 1.2, &mut scratch)?;
//! let routes = builder.build()?;
//!
//! let options = TripOptions::default();
//! let trip = routes.trip(&nav, Vec2::new(1.0, 3.0), "library", &options, &mut scratch)?;
//! assert_eq!(trip.waypoints.last(), Some(&library.center()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod error;
mod joints;
mod line;
mod network;
mod options;
mod parts;
mod planner;
mod points;
mod route_map;
mod saved;
mod trip;
mod trips;
mod way_back;

pub use builder::RouteMapBuilder;
pub use error::{RouteMapError, TripError};
pub use options::{Destination, TripOptions};
pub use parts::{MAX_PLACES, MAX_ROADS, Place, PlaceId, Road, RoadId};
pub use route_map::{Route, RouteMap};
pub use trip::Trip;
