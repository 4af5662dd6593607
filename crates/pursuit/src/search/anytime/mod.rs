//! Anytime search: an answer soon, and better ones while there is time.
//!
//! ARA\* (Likhachev, Gordon and Thrun, 2003) on any [`SearchSpace`](super::SearchSpace) and on a
//! [`Ground`](crate::Ground).

mod engine;
mod ground;
pub(super) mod memory;
mod options;
mod space;
mod state;

pub use ground::AnytimeSearch;
pub use options::{AnytimeWeights, BoundedPath, Improvement};
pub use space::SpaceAnytime;
pub(crate) use state::proven_bound;
