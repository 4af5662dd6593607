//! Grid navigation for chases: clearance-aware grids, optimal search, string pulling, steering.
//!
//! No engine, no entities, no frames: positions go in, paths and velocities come out.
//!
//! ```
//! use pursuit::glam::Vec2;
//! use pursuit::maps::parse_ascii;
//! use pursuit::{
//!     Clearance, DiagonalPolicy, PathCells, PathOptions, SearchScratch, StringScratch, find_path,
//!     pull_string_with,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let map = parse_ascii("........\n.S.#....\n...#..G.\n........")?;
//! let (start, goal) = (map.find('S').expect("an S"), map.find('G').expect("a G"));
//!
//! // The cells on which a body of 0.45 cells can walk, and how far each is from a wall.
//! let clearance = Clearance::from_grid(&map.grid, 4.0);
//! let walkable = clearance.walkable(0.45, DiagonalPolicy::NoCornerCut);
//!
//! // The cheapest path, by the cells where it turns. Keep the scratch from search to search.
//! let options = PathOptions { cells: PathCells::Turns, ..PathOptions::default() };
//! let found = find_path(&walkable, start, goal, &options, &mut SearchScratch::new())?;
//!
//! // Straight lines that the whole body can follow, in cells; `Layout` maps cells to a world.
//! let (from, to) = (start.center(), goal.center());
//! let string = pull_string_with(
//!     &mut StringScratch::default(),
//!     &clearance,
//!     from,
//!     &found.path.cells,
//!     Some(to),
//!     0.45,
//! );
//! assert_eq!(string.last(), Some(&to));
//! # let _: Vec<Vec2> = string;
//! # Ok(())
//! # }
//! ```

mod bit_rows;
mod boards;
mod cancel;
pub mod cell;
pub mod clearance;
pub mod cost;
mod dead_ends;
pub mod grid;
mod grid_error;
pub mod layout;
mod lazy_boards;
pub mod maps;
pub mod path;
pub mod region;
pub mod search;
pub mod sight;
pub mod smooth;
pub mod steer;
mod stride;
pub mod tables;
mod terrain;

pub use glam;

pub use cell::{Cell, CellIndex, CellRect, DiagonalPolicy, MAX_CELLS, MAX_SIDE, NEIGHBORS};
pub use clearance::{Clearance, Step};
pub use grid::{Grid, GridBuilder, GridError};
pub use layout::{Layout, LayoutError};
pub use path::Path;
pub use region::{RegionId, Regions};
pub use search::{
    Algorithm, DIAGONAL, FindPathError, FoundPath, Heuristic, Outcome, PartialReason, PathCells,
    PathOptions, STRAIGHT, SearchLimits, SearchRecorder, SearchScratch, SearchSpace, SearchStats,
    Weights, find_path, find_path_recorded,
};
pub use smooth::{StringScratch, pull_string, pull_string_with};
pub use tables::{SearchTables, TablesAnswer, TablesError, TablesScratch};
