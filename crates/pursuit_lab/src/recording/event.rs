//! One thing that a search did.

use pursuit::{Cell, Change, Way, Weights};

/// One thing that a search told its [`SearchRecorder`](pursuit::SearchRecorder). On a grid, costs count
/// [`STRAIGHT`](pursuit::STRAIGHT) for a straight step on cost 1: divide by that to have cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Event {
    /// It began, and what came before is void.
    Started,
    /// Another pass of it began, with these weights.
    Passed(Weights),
    /// It looked at a way to a cell, and this came of it.
    Relaxed(Way, Change),
    /// It took a cell from the open list, to look at its neighbors.
    Expanded(Way),
    /// It took a cell from the open list that it had expanded by a better way.
    Dropped(Cell),
    /// It came to the goal.
    Reached(Way),
    /// It had an answer, and would look for a better one. Only an anytime search tells this.
    Answered {
        /// What its path costs.
        cost: u64,
        /// No path costs less.
        least: u64,
    },
}
