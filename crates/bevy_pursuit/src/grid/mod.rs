//! The user's side of a grid: the component that describes it, and the baked state that answers questions.

mod baked;
mod changes;
mod choose;
mod for_class;
mod goal_cell;
mod grids;
mod nav_grid;
mod obstacle_index;
mod obstacle_layers;
mod piece;

pub(crate) use baked::LINE_FRACTION;
pub use baked::{BakeError, BakedGrid, FIT_FRACTION, NavSnapshot};
pub use choose::OnGrid;
pub(crate) use choose::{choose_grid, grid_at_or_near, nearest_grid, why_none};
pub(crate) use goal_cell::{Substitute, goal_of_field, is_at_rim, substitute};
pub(crate) use grids::{GridRef, GridUnderAgent, Grids, drop_grids, fill_grids};
pub use nav_grid::{Diagonals, NavGrid};
pub(crate) use obstacle_index::{IndexEdits, ObstacleIndex};
pub use obstacle_layers::ObstacleLayers;
pub(crate) use piece::{Piece, Samples, convex_hull};
pub use pursuit::BodyLayers;
