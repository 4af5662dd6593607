//! ARA\* (Likhachev, Gordon and Thrun, 2003): an answer soon, and better ones while there is time.

mod engine;
mod grid_search;
mod memory;
mod options;
mod space;
mod state;

pub use grid_search::AnytimeSearch;
pub(crate) use memory::AnytimeMemory;
pub use options::{AnytimeWeights, BoundedPath, Improvement};
pub use space::SpaceAnytime;
