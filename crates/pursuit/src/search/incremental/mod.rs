//! Incremental search: paths between ends that move, through a space that is edited.
//!
//! D\* Lite (Koenig and Likhachev, 2002), and rooted at the start for goals that move, as Moving Target D\* Lite
//! (Sun, Yeoh and Koenig, 2010), on any [`SearchSpace`](super::SearchSpace) and on a
//! [`Ground`](crate::Ground).

mod engine;
mod ground;
mod nodes;
mod reversed;
mod root;
mod seen;
mod space;

pub use ground::{IncrementalSearch, IncrementalTree};
pub use root::Root;
pub use space::{SpaceIncremental, SpaceTree};
