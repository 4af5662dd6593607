//! How a cell stands at some place of a replay.

use pursuit::Cell;

use crate::recording::Change;

/// What a cell is at some place of a replay. Where several fit, it is the last of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Mark {
    /// The search has not come to it.
    #[default]
    Undiscovered,
    /// It was discovered, and waits to be expanded. No better way to it was found since. So are cells that a search
    /// [knew before](Change::Known) and that waited when it began.
    Discovered,
    /// It waits to be expanded by a better way than the one by which it was discovered, or once more.
    Open,
    /// It was expanded, by this search or [by one before](Change::Settled) that this one goes on with.
    Closed,
    /// It is a neighbor of the current cell, and was looked at.
    Examined,
    /// It was expanded last: its neighbors are looked at now.
    Current,
    /// It is on the path. Cells are when all events are played.
    Path,
}

/// g, h and f of a cell. On a grid a straight step on terrain of cost 1 counts [`STRAIGHT`](pursuit::STRAIGHT); among
/// cubes a step counts 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Costs {
    /// Cost from where the search began: its start, or the goal for a field and for a tree rooted there.
    pub g: u64,
    /// Estimate of what remains.
    pub h: u64,
    /// What orders the open list.
    pub f: u64,
}

/// What a search had found at some place of a replay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// What the path costs.
    pub cost: u64,
    /// The path costs at most this many times the cheapest one: 1 for the cheapest, infinite while nothing is known.
    pub bound: f64,
}

/// How a cell stands at some place of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CellState {
    /// What it is.
    pub mark: Mark,
    /// Those of the best way known to it; `None` before it is discovered.
    pub costs: Option<Costs>,
    /// The cell before it on that way; `None` for the start, and where the search did not tell.
    pub parent: Option<Cell>,
    /// What the last look from the current cell came to, if it was looked at from there.
    pub look: Option<Change>,
}
