//! What a benchmark asks of a search, ours or a peer's.

use pursuit::Cell;

/// A search on one map, ours or a peer's.
pub trait Finder {
    /// What the search itself returns.
    type Found;

    /// Searches. This alone is timed: the result holds every cell of the path, in whatever form the
    /// search gives them.
    fn find(&mut self, start: Cell, goal: Cell) -> Self::Found;

    /// Reads the result.
    fn read(found: Self::Found) -> Answer;
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// From start to goal, both included; `None` for no path.
    pub cells: Option<Vec<Cell>>,
    /// Cells whose neighbors were looked at, where the search tells.
    pub expanded: Option<u32>,
}
