//! What the ground is, and what it costs whom.
//!
//! A map knows which area each cell is in, [`Areas`]. What an area costs a class of bodies, or that it is forbidden to
//! them, its [`AreaCosts`] tell. From both follow the costs of cells that searches for that class go by.

mod areas;
mod classes;
mod costs;
mod line;
mod passes;
mod window;

pub use areas::Areas;
pub use classes::AreaCosts;
pub(crate) use costs::Terrain;
pub(crate) use line::cells_of_line;
pub(crate) use passes::Passes;
pub(crate) use window::Window;
