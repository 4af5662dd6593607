//! What users ask of a grid: the component that asks for one, and the baked state that answers.

mod baked;
mod choose;
mod nav_grid;

pub use baked::{BakeError, BakedGrid, FIT, NavSnapshot, RadiusClass};
pub use choose::OnGrid;
pub(crate) use choose::{GridView, choose_grid};
pub use nav_grid::{Diagonals, GridBaked, NavGrid, ObstacleLayers};
