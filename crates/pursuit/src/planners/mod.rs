//! Searches that go on after an answer, for bodies and on any space. Feature `planners`.
//!
//! An anytime search has a path soon, and then better ones while there is time: ARA\* (Likhachev, Gordon and Thrun,
//! 2003), [`BodyLayers::anytime`](crate::BodyLayers::anytime) and [`SpaceAnytime`].
//!
//! An incremental search keeps what it knows while its ends move and the map is edited: D\* Lite (Koenig and
//! Likhachev, 2002), [`BodyLayers::replan`](crate::BodyLayers::replan) and [`SpaceTree`]. With its root at the start, for goals
//! that move, it is Moving Target D\* Lite (Sun, Yeoh and Koenig, 2010).

mod anytime;
mod incremental;
mod on_layers;
mod open;

pub(crate) use anytime::AnytimeMemory;
pub use anytime::{AnytimeSearch, AnytimeWeights, BoundedPath, Improvement, SpaceAnytime};
pub use incremental::{IncrementalSearch, IncrementalTree, Root, SpaceIncremental, SpaceTree};
