//! The state of a cell at the cursor of a replay.

use pursuit::Cell;

use crate::recording::Change;

/// The mark of a cell at the cursor of a replay. If several marks apply, the cell has the last of them in the order of
/// this enum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Mark {
    /// The search has not reached the cell.
    #[default]
    Undiscovered,
    /// The cell was discovered and waits to be expanded, and no better path to it was found since. This mark includes
    /// waiting cells that an earlier search [discovered](Change::Known).
    Discovered,
    /// After its discovery the cell was [improved](Change::Improved) or [worsened](Change::Worsened), and it waits to
    /// be expanded, perhaps for a second time.
    Open,
    /// The cell was expanded, by this search or by [an earlier search](Change::Settled) that this one continues.
    Closed,
    /// The search examined the cell as a neighbor of the current cell.
    Examined,
    /// The cell was expanded last, and the search now examines its neighbors.
    Current,
    /// The cell is on the path. Cells have this mark only when all events are played.
    Path,
}

/// The costs g, h and f of a cell. On a grid, a straight step on terrain of cost 1 costs
/// [`STRAIGHT`](pursuit::STRAIGHT). Among cubes, a step costs 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Costs {
    /// Cost of the path from the root of the search. The root is the start, except for a field or a tree that grows
    /// from the goal.
    pub g: u64,
    /// Estimate of the remaining cost.
    pub h: u64,
    /// The value by which the open list is ordered.
    pub f: u64,
}

/// The latest answer that the search found before the cursor of a replay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// Cost of the path.
    pub cost: u64,
    /// The path costs at most `bound` times as much as the cheapest path. 1 for the cheapest path, infinite if no bound
    /// is known.
    pub bound: f64,
}

/// The state of a cell at the cursor of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CellState {
    /// The mark of the cell.
    pub mark: Mark,
    /// Costs of the best known path to the cell. `None` before the cell is discovered.
    pub costs: Option<Costs>,
    /// The previous cell on the best known path. `None` for the start, or if the search did not report the previous
    /// cell.
    pub parent: Option<Cell>,
    /// The result of the latest examination of this cell from the current cell. `None` if the cell was not examined
    /// from there.
    pub look: Option<Change>,
}
