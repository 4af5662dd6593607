//! Paths that are known before a search begins.

use std::any::Any;
use std::fmt::Debug;

use super::options::SearchStats;
use crate::cell::{Cell, DiagonalPolicy};
use crate::grid::Grid;
use crate::path::Path;

/// Cheapest paths over a grid that somebody worked out ahead. A search with
/// [`Algorithm::Auto`](super::Algorithm::Auto) asks for one before it expands anything.
pub(crate) trait KnownPaths: Any + Debug + Send + Sync {
    /// Whether the paths are those over `grid`, or over a clone of it, under a policy.
    fn are_of(&self, grid: &Grid, diagonals: DiagonalPolicy) -> bool;

    /// The cheapest path between two cells, by units of what each cell costs. `None` if no path joins them.
    fn find(&self, start: Cell, goal: Cell, memory: &mut Memory) -> Option<(Path, SearchStats)>;
}

/// What one question writes to and the next one uses again. Each kind of [`KnownPaths`] keeps its own type in here.
pub(crate) type Memory = Option<Box<dyn Any + Send + Sync>>;
