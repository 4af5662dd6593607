//! Paths that are known before a search begins.

use std::any::Any;
use std::fmt::Debug;

use super::options::SearchStats;
use crate::cell::Cell;
use crate::path::Path;

/// Cheapest paths on a grid that were computed in advance. A search with [`Algorithm::Auto`](super::Algorithm::Auto)
/// asks for a path before it expands anything.
pub(crate) trait KnownPaths: Any + Debug + Send + Sync {
    /// The cheapest path between two cells. Its cost is computed as if every cell had the cost 1. `None` if no path
    /// joins the two cells.
    fn find(&self, start: Cell, goal: Cell, memory: &mut Memory) -> Option<(Path, SearchStats)>;
}

/// Working memory that queries reuse. Each kind of [`KnownPaths`] keeps its own type in it.
pub(crate) type Memory = Option<Box<dyn Any + Send + Sync>>;
