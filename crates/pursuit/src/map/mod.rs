//! One map for bodies of every size and class: walls and distances, and per body all that follows from them.
//!
//! [`NavMap`] owns what searches need, works it out when it is first asked for, and keeps it.

mod body;
mod by_body;
mod edit_error;
mod escape_path;
mod flow_field;
mod ground;
mod layers;
mod live_map;
mod nav_map;
mod pull;
mod taut;
mod working;

pub use body::Body;
pub use edit_error::EditError;
pub use flow_field::FieldSample;
pub use layers::BodyLayers;
pub use live_map::LiveMap;
pub use nav_map::{NavMap, NavScratch};
pub use working::EditTarget;
