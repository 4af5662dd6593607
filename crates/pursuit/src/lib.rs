//! Grid navigation for chases: clearance-aware grids, optimal search, string pulling, steering.
//!
//! No engine, no entities, no frames: positions go in, paths and velocities come out.

mod bit_rows;
mod boards;
pub mod cell;
pub mod clearance;
pub mod cost;
mod dead_ends;
pub mod grid;
pub mod layout;
pub mod maps;
pub mod path;
pub mod region;
pub mod search;
pub mod sight;
pub mod smooth;
pub mod steer;
pub mod tables;
mod terrain;

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
pub use tables::{SearchTables, TablesAnswer, TablesError, TablesScratch};
