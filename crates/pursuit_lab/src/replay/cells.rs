//! The state of a cell at a place of a replay.

use pursuit::Cell;

use crate::recording::Change;

/// The mark of a cell at a place of a replay. If several marks apply, the cell has the last of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Mark {
    /// The search has not reached the cell.
    #[default]
    Undiscovered,
    /// The cell was discovered and waits to be expanded, and no better path to it was found since. Cells that an
    /// earlier search [discovered](Change::Known) and that still waited also have this mark.
    Discovered,
    /// The cell waits to be expanded over a better path than the one by which it was discovered, or to be expanded
    /// again.
    Open,
    /// The cell was expanded, by this search or by [an earlier search](Change::Settled) that this one continues.
    Closed,
    /// The search looked at the cell from the current cell.
    Examined,
    /// The cell was expanded last, and the search looks at its neighbors now.
    Current,
    /// The cell is on the path. Cells have this mark only when all events are played.
    Path,
}

/// g, h and f of a cell. On a grid a straight step on terrain of cost 1 counts [`STRAIGHT`](pursuit::STRAIGHT); among
/// cubes a step counts 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Costs {
    /// Cost of the path from the beginning of the search: its start, or the goal for a field and for a tree rooted
    /// there.
    pub g: u64,
    /// Estimate of the remaining cost.
    pub h: u64,
    /// The order of the open list.
    pub f: u64,
}

/// The answer that a search had found at a place of a replay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// Cost of the path.
    pub cost: u64,
    /// The path costs at most this many times the cheapest path: 1 for the cheapest, infinite if no bound is known.
    pub bound: f64,
}

/// The state of a cell at a place of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CellState {
    /// The mark of the cell.
    pub mark: Mark,
    /// Costs of the best known path to the cell; `None` before it is discovered.
    pub costs: Option<Costs>,
    /// The previous cell on that path; `None` for the start, and if the search did not report it.
    pub parent: Option<Cell>,
    /// The result of the last look at this cell from the current cell, if there was one.
    pub look: Option<Change>,
}
