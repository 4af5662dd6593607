//! D\* Lite (Koenig and Likhachev, 2002): paths between ends that move, through a space that is edited.

mod engine;
mod grid_tree;
mod nodes;
mod reversed;
mod root;
mod seen;
mod space;

pub use grid_tree::{IncrementalSearch, IncrementalTree};
pub use root::Root;
pub use space::{SpaceIncremental, SpaceTree};
