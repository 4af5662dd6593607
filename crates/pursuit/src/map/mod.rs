//! One map for bodies of every size: walls and distances, and per radius all that follows from them.
//!
//! [`NavMap`] owns what searches need, works it out when it is first asked for, and keeps it.

mod by_radius;
mod edit_error;
mod layers;
mod live_map;
mod nav_map;
mod taut;
mod working;

pub use edit_error::EditError;
pub use layers::BodyLayers;
pub use live_map::LiveMap;
pub use nav_map::{NavMap, NavScratch};
pub use taut::TautWay;
