//! What the game asks of an entity (requests, chases, flights), and the single intent that is decided from it.

pub(crate) mod chase;
pub(crate) mod cornered;
pub(crate) mod decide;
pub(crate) mod decided;
pub(crate) mod flee;
pub(crate) mod request;
mod surround;
mod targets;
mod unplaced;

pub use chase::Chase;
pub use flee::Flee;
pub use request::PathRequest;
