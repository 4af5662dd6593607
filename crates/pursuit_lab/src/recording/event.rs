//! One thing that a search did.

use pursuit::{Cell, Edge, Weights};

/// One thing that a search did. On a grid, costs count [`STRAIGHT`](pursuit::STRAIGHT) for a straight step on cost 1:
/// divide by that to get cells.
///
/// A [`SearchRecorder`](pursuit::SearchRecorder) of the core reports most of these. [`ara_star`](crate::ara_star)
/// and [`d_star_lite`](crate::d_star_lite) report the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The search began. Earlier events are void.
    Started,
    /// Another pass began, with these weights.
    Passed(Weights),
    /// The search looked at a way to a cell, with this result.
    Relaxed(Edge, Change),
    /// The search took a cell from the open list, to look at its neighbors.
    Expanded(Edge),
    /// The search took a cell from the open list that it had expanded by a better way.
    Dropped(Cell),
    /// The search came to the goal.
    Reached(Edge),
    /// The search had an answer, and would look for a better one. Only ARA\* reports it.
    Answered {
        /// Cost of the answer's path.
        cost: u64,
        /// No path costs less.
        least: u64,
    },
}

/// The result of a look at a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// The cell was not known before, and was put on the open list.
    Discovered,
    /// This way is better than the one known: the cell has a new parent, and was put on the open list again. After
    /// an edit, also a way that is as good as one that no longer exists.
    Improved,
    /// The cell stays as it was: a way to it is known that is as good.
    Kept,
    /// The way known no longer exists: the cell costs more now, and waits. Only D\* Lite reports it.
    Worsened,
    /// An earlier search discovered the cell, and it waits to be expanded. Counts as no work. Only D\* Lite reports it.
    Known,
    /// An earlier search expanded the cell. Counts as no work. Only D\* Lite reports it.
    Settled,
}

impl From<pursuit::Change> for Change {
    fn from(change: pursuit::Change) -> Self {
        match change {
            pursuit::Change::Discovered => Self::Discovered,
            pursuit::Change::Improved => Self::Improved,
            pursuit::Change::Kept => Self::Kept,
        }
    }
}
