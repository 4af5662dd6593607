//! Terrain: the area of each cell, and its cost for each class of bodies.
//!
//! [`Areas`] has the area of each cell of a map. [`AreaCosts`] says, for a class of bodies, what each area costs or
//! that the area is forbidden. Both together give the cost of each cell for searches of that class.

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
