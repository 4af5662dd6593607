//! The interface between the benchmark and a search of Pursuit or of a peer.

use pursuit::Cell;

/// A search on one map, of Pursuit or of a peer.
pub trait Finder {
    /// The result in the form in which the search returns it.
    type Found;

    /// Searches for a path. Only this call is timed. The result must have every cell of the path, in any form.
    fn find(&mut self, start: Cell, goal: Cell) -> Self::Found;

    /// Converts the result of the search.
    fn read(found: Self::Found) -> FinderAnswer;
}

/// The answer of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FinderAnswer {
    /// Cells from the start to the goal, both included. `None` if there is no path.
    pub cells: Option<Vec<Cell>>,
    /// Number of expanded cells. `None` if the search does not report it.
    pub expanded: Option<u32>,
}
