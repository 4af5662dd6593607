//! Grid navigation for chases: clearance-aware grids, optimal search, string pulling, steering.
//!
//! No engine, no entities, no frames: positions go in, paths and velocities come out.
//!
//! ```
//! use pursuit::maps::parse_ascii;
//! use pursuit::{DiagonalPolicy, NavMap, NavScratch};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let map = parse_ascii("........\n.S.#....\n...#..G.\n........")?;
//! let (start, goal) = (map.find('S').expect("an S"), map.find('G').expect("a G"));
//!
//! // Distances to the walls, for bodies with a radius of up to 4 cells.
//! let nav = NavMap::new(&map.grid, 4.0, DiagonalPolicy::NoCornerCut);
//! // Straight lines that a body with a radius of 0.45 cells can follow. Reuse the scratch for the next path.
//! let mut scratch = NavScratch::new();
//! let path = nav.taut_path(start.center(), goal.center(), 0.45, &mut scratch)?;
//! // If the goal cannot be reached, the path ends where it comes closest.
//! assert_eq!(path.last(), Some(&goal.center()));
//! # Ok(())
//! # }
//! ```
//!
//! In the text of a map `#`, `@`, `O`, `T` and `W` are walls, `1` to `9` are free cells of that cost, and all
//! other characters are free cells, which can be found by their character: see [`maps::parse_ascii`]. Positions
//! and lengths are in cells, and cell centers lie at whole numbers. A [`Layout`] maps cells to a world. A body as
//! wide as a gap of one cell has a radius of 0.5.
//!
//! | I want to ... | Use |
//! |---|---|
//! | have a map of walls that fill cells | [`maps::parse_ascii`], [`maps::parse_map`], [`Grid::from_fn`], then [`NavMap::new`] |
//! | have ground that costs more to cross | [`GridBuilder::set_cost`], then [`NavMap::new`] or [`NavMap::with_costs`] |
//! | have ground that costs some bodies more than others, or that some may not enter | [`Areas`], then [`NavMap::with_areas`] |
//! | have a map of obstacles of any shape | [`Clearance::open`], lowered by each obstacle, then [`NavMap::from_clearance`] |
//! | send a body somewhere | [`NavMap::taut_path`], and [`steer::advance`] to walk it |
//! | know the cells of the path, or search with other options | [`NavMap::find_path`] with [`PathOptions`]; then [`Path::cells`] |
//! | give up on a search that takes too long | a [`Cancel`], or [`PathOptions::max_expanded`] |
//! | know the length of the path to a goal | [`NavMap::distance`] |
//! | send many bodies to few goals, or find the nearest goal | [`NavMap::field_to`], then [`IntegrationField::path`] and [`Path::end`] |
//! | lead a crowd to few goals, with one or two memory loads per body | [`FlowField::build`] |
//! | follow a field from any point | [`NavMap::sample_field`] |
//! | let bodies keep their distance, queue and settle | [`crowd::Crowd`] |
//! | know whether there is a path at all, or which cells can be reached | [`NavMap::is_reachable`], which takes nanoseconds per cell |
//! | see from one point to another, as a body or as a point | [`NavMap::line_of_sight`] |
//! | place something where it fits | [`NavMap::nearest_free`] |
//! | open a door, or close one | [`LiveMap::new`] with the map, then [`LiveMap::fill`]; [`LiveMap::map`] is the current map |
//! | change obstacles of any shape | [`LiveMap::edit`] |
//! | do all this many times for one radius | [`NavMap::layers`] |
//! | search a grid as it is, without bodies or distances | [`BodyLayers::from_grid`] |
//! | find long paths in microseconds on a map that does not change | feature `tables`: `tables::SearchTables`, and `BodyLayers::set_tables` |
//! | search a little in each frame, or look at a search step by step | [`BodyLayers::search`], [`Search`] |
//! | search another graph, or solve a puzzle | [`astar()`] on a [`SearchSpace`] |
//! | see what a search did, event by event | a [`SearchRecorder`]; the crate `pursuit_lab` has one that keeps everything |

// docs.rs marks items that need a feature.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bits;
mod cancel;
mod cell;
mod clearance;
mod cost;
pub mod crowd;
mod flow;
mod grid;
mod grid_error;
mod heap;
mod identity;
mod jump;
mod layout;
mod lazy;
mod map;
pub mod maps;
mod path;
mod pruning;
#[cfg(test)]
#[path = "tests/random.rs"]
mod random;
mod region;
mod search;
pub mod sight;
mod smooth;
pub mod steer;
mod stride;
#[cfg(feature = "tables")]
pub mod tables;
mod terrain;
mod walls;

pub use glam;

pub use cancel::{Cancel, Cancelled};
pub use cell::{Cell, CellIndex, CellRect, DiagonalPolicy, MAX_CELLS, MAX_SIDE, NEIGHBORS};
pub use clearance::{Clearance, Drawing, FIT_TOLERANCE_CELLS, Step};
pub use cost::{DIAGONAL, STRAIGHT, octile};
pub use flow::{FieldBounds, FieldError, FlowField, IntegrationField, Occupancy};
pub use grid::{Grid, GridBuilder, GridError};
pub use layout::{Layout, LayoutError};
pub use map::{Body, BodyLayers, EditError, EditTarget, FieldSample, LiveMap, NavMap, NavScratch};
pub use path::Path;
pub use region::{RegionId, Regions};
#[doc(hidden)]
#[cfg(any(test, feature = "oracle"))]
pub use search::oracle;
pub use search::{
    Algorithm, Edge, FindPathError, FoundPath, GridSpace, Guarantee, Heuristic, Mapped, Outcome,
    PartialReason, PathOptions, Progress, Relaxation, Search, SearchLimits, SearchRecorder,
    SearchScratch, SearchSpace, SearchStats, SpacePath, SpaceSearch, Weights, astar,
};
pub use smooth::{Room, TautScratch, taut_path};
pub use terrain::{AreaCosts, Areas};
