//! The events of a search.

use pursuit::{Cell, Edge, Weights};

/// One event of a search. On a grid, a straight step on terrain of cost 1 costs [`STRAIGHT`](pursuit::STRAIGHT): divide
/// costs by it to get cells.
///
/// Searches of the core report most of these events to a [`SearchRecorder`](pursuit::SearchRecorder).
/// [`ara_star`](crate::ara_star) and [`d_star_lite`](crate::d_star_lite) report the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The search began. Earlier events are void.
    Started,
    /// Another pass of the same search began, with these weights.
    Passed(Weights),
    /// The search examined a path to a cell, with this result.
    Relaxed(Edge, Change),
    /// The search took a cell from the open list, to examine its neighbors.
    Expanded(Edge),
    /// The search took a cell from the open list and dropped it, because it had already expanded the cell along a
    /// better path.
    Dropped(Cell),
    /// The search reached the goal.
    Reached(Edge),
    /// The search found an answer, and may still look for a better one. Only ARA\* reports this event.
    Answered {
        /// Cost of the path that was found.
        cost: u64,
        /// A lower bound for the cost of any path.
        lower_bound: u64,
    },
}

/// The result of examining a path to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// The cell was not known before, and was put on the open list.
    Discovered,
    /// This path is better than the known path. The cell has a new parent, and was put on the open list again. After an
    /// edit, a path is also reported as improved if it replaces an equally good path that no longer exists.
    Improved,
    /// The cell is unchanged: a known path to it is at least as good.
    Kept,
    /// The known path no longer exists, and the cell now costs more. Only D\* Lite reports this change.
    Worsened,
    /// An earlier search discovered the cell, and the cell still waits to be expanded. [`Counts`](super::Counts) leaves
    /// this event out, because it is not work of this search. Only D\* Lite reports this change.
    Known,
    /// An earlier search expanded the cell. [`Counts`](super::Counts) leaves this event out, because it is not work of
    /// this search. Only D\* Lite reports this change.
    Settled,
}

impl From<pursuit::Relaxation> for Change {
    fn from(change: pursuit::Relaxation) -> Self {
        match change {
            pursuit::Relaxation::Discovered => Self::Discovered,
            pursuit::Relaxation::Improved => Self::Improved,
            pursuit::Relaxation::Kept => Self::Kept,
        }
    }
}
