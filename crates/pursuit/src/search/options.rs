//! What a search is asked, and what it answers.

use thiserror::Error;

use crate::cancel::Cancelled;
use crate::cell::{Cell, DiagonalPolicy};
use crate::grid::Grid;
use crate::path::Path;

/// The estimate of the remaining cost that leads the search. All are for the lowest terrain cost of the
/// grid's free cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Heuristic {
    /// Cost on an open grid under the policy: the 8-neighbor one, but under [`DiagonalPolicy::Never`]
    /// the 4-neighbor one (Manhattan distance). Admissible and consistent.
    #[default]
    Octile,
    /// No estimate: Dijkstra's algorithm.
    Zero,
}

/// How much the cost so far (g) and the estimate (h) count: `f = k_g · g + k_h · h`.
///
/// Equal weights give the cheapest path. More weight on `h` explores less and gives a path of at
/// most `h / g` times the cheapest cost. `g: 0` follows the estimate alone, without any bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Weights {
    /// `k_g`, the weight of the cost so far. Default: `1`.
    pub g: u16,
    /// `k_h`, the weight of the estimate. Default: `1`.
    pub h: u16,
}

impl Default for Weights {
    fn default() -> Self {
        Self { g: 1, h: 1 }
    }
}

impl Weights {
    /// f of a node.
    #[inline(always)]
    pub fn f(self, g: u64, h: u64) -> u64 {
        // On grids nothing saturates: g < 2^47.5, h < 2^44 and 2^16 · (2^47.5 + 2^44) < 2^64.
        let cost = u64::from(self.g).saturating_mul(g);
        cost.saturating_add(u64::from(self.h).saturating_mul(h))
    }
}

/// Which search to run. All give a path of the same cost, unless a limit ends them before; of several
/// that cost the same they may give different ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Algorithm {
    /// The fastest that is valid for what is asked: on a [`BodyLayers`](crate::BodyLayers) with tables these, else
    /// jump-point search, also over terrain, and else A\*.
    #[default]
    Auto,
    /// A\*, always.
    AStar,
    /// Jump-point search where it is valid: where all free cells cost the same, 8 neighbors without cut
    /// corners, [`Heuristic::Octile`] and equal weights, and on no strip (see [`Grid`]). Where only the costs
    /// differ, an A\* that prunes steps as jump-point search does, by what cells cost, and goes straight on without
    /// the open list; from jump point to jump point, if most cells are on even ground. Else A\*.
    JumpPoint,
}

/// How to search. The default finds the cheapest path without cutting corners.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathOptions {
    /// Which diagonal steps are allowed. A [`BodyLayers`](crate::BodyLayers) and a [`NavMap`](crate::NavMap) have a
    /// policy of their own, which holds there. Default: [`DiagonalPolicy::NoCornerCut`].
    pub diagonals: DiagonalPolicy,
    /// Default: [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// Default: [`Heuristic::Octile`].
    pub heuristic: Heuristic,
    /// Default: 1 and 1.
    pub weights: Weights,
    /// Most nodes to expand, as [`SearchStats::expanded`] counts them. When that many are expanded, the
    /// search ends with a path to the goal if it has one, else with a path to the nearest cell that was
    /// expanded: with 0, that is the start.
    ///
    /// - In A\* a node is a cell. On terrain a cell counts again when it is expanded again.
    /// - Jump-point search over terrain counts cells taken from the open list, and none that it only passes.
    /// - In jump-point search a node is a jump point: as many lead much further. A goal in plain sight
    ///   takes none. Where A\* goes on, because the goal is out of reach, it may expand what is left.
    /// - Answers from tables search nothing and have no limit.
    ///
    /// Default: no limit.
    pub max_expanded: Option<u32>,
}

impl PathOptions {
    /// Whether jump-point search answers on a grid: it is asked for the cheapest path, and all free cells cost the same.
    #[must_use]
    pub fn can_jump(&self, grid: &Grid) -> bool {
        self.algorithm != Algorithm::AStar
            && self.diagonals == DiagonalPolicy::NoCornerCut
            && self.heuristic == Heuristic::Octile
            && self.weights.g == self.weights.h
            && grid.uniform_cost().is_some()
    }

    /// The part that every space understands.
    pub(super) fn limits(&self) -> SearchLimits {
        SearchLimits {
            weights: self.weights,
            max_expanded: self.max_expanded,
        }
    }
}

/// Weights and limits of a search in any space; see [`PathOptions`] for the fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchLimits {
    /// Default: 1 and 1.
    pub weights: Weights,
    /// Most nodes to expand. Default: no limit.
    pub max_expanded: Option<u32>,
}

/// A path and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPath {
    /// From the start to the goal, or to the nearest cell that was reached.
    pub path: Path,
    /// Whether the path ends at the goal.
    pub outcome: Outcome,
    /// The path costs at most this many times the cheapest path between its own two ends.
    /// 1 for an optimal search; infinite where nothing is known.
    pub bound: f64,
    /// The work done.
    pub stats: SearchStats,
}

/// Whether a path ends at the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// At the goal, even if the search came to its limit before it knew whether there is a cheaper
    /// path: then the [bound](FoundPath::bound) is above 1.
    Complete,
    /// At the cell with the smallest octile distance to the goal among those that were reached;
    /// among equals, the one with the smallest [`CellIndex`](crate::CellIndex). That can be the
    /// start itself.
    Partial(PartialReason),
}

/// Why a path does not end at the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PartialReason {
    /// The goal is a blocked cell.
    GoalBlocked,
    /// The goal is free, but no path leads there.
    Unreachable,
    /// The search was not done when it had expanded as many nodes as it may.
    LimitReached,
}

/// The work a search did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SearchStats {
    /// Nodes whose neighbors were visited; the goal is not among them. They are cells in A\*, jump
    /// points in jump-point search, both where A\* took over because the memory of jump points was full,
    /// and with tables corners whose labels were read; without labels, corners that were expanded.
    pub expanded: u32,
    /// Entries put on the open list: nodes reached, and again for each cheaper way to them; over terrain also those
    /// that are only passed. An
    /// incremental search also counts those that edits gave a cheaper way, or another one of the
    /// same cost, and none of those that became dearer. None where the goal was in plain sight; with tables,
    /// entries of those labels.
    pub pushed: u32,
}

/// Why there is no answer at all. Of several mistakes in the arguments, the one that is listed first is
/// told, whatever search would follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FindPathError {
    /// The radius of the body is NaN, infinite, or above the [cap](crate::Clearance::cap) of the map. Told by a
    /// [`NavMap`](crate::NavMap) alone.
    #[error("the radius is NaN, infinite, or above the largest that the map was made for")]
    BadRadius,
    /// A coordinate of the start is NaN or infinite.
    #[error("the start is not finite: a coordinate is NaN or infinite")]
    StartNotFinite,
    /// A coordinate of the goal is NaN or infinite.
    #[error("the goal is not finite: a coordinate is NaN or infinite")]
    GoalNotFinite,
    /// The start is not a cell of the grid.
    #[error("the start {0} is outside of the grid")]
    StartOutside(Cell),
    /// The goal is not a cell of the grid.
    #[error("the goal {0} is outside of the grid")]
    GoalOutside(Cell),
    /// The start is a blocked cell: a wall, or one on which a body of this radius does not fit.
    #[error("the start {0} is blocked: there is a wall, or a body of this radius does not fit")]
    StartBlocked(Cell),
    /// Both weights are zero, so that nothing would lead the search.
    #[error("at least one of the two weights must be above zero")]
    ZeroWeights,
    /// The search was [cancelled](crate::Cancel).
    #[error("the search was cancelled")]
    Cancelled,
}

impl From<Cancelled> for FindPathError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
