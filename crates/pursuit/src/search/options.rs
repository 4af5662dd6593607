//! The options of a search, and its answer.

use thiserror::Error;

use crate::cancel::Cancelled;
use crate::cell::{Cell, DiagonalPolicy};
use crate::grid::Grid;
use crate::path::Path;

/// The estimate of the remaining cost that guides the search. Every estimate assumes the lowest terrain cost of the
/// grid's free cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Heuristic {
    /// Cost on an open grid under the diagonal policy: the octile distance over 8 neighbors, or the Manhattan distance
    /// over 4 neighbors under [`DiagonalPolicy::Never`]. Admissible and consistent.
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
    /// The f of a node, which orders the open list: `k_g · g + k_h · h`.
    #[inline(always)]
    pub fn f(self, g: u64, h: u64) -> u64 {
        // On grids nothing saturates: g < 2^47.5, h < 2^44 and 2^16 · (2^47.5 + 2^44) < 2^64.
        let cost = u64::from(self.g).saturating_mul(g);
        cost.saturating_add(u64::from(self.h).saturating_mul(h))
    }
}

/// Which search to run. All of them find a path of the same cost, unless a limit ends the search first. Among several
/// paths of equal cost they may return different ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Algorithm {
    /// The fastest search that is valid for the options: the tables of a [`BodyLayers`](crate::BodyLayers) that has
    /// them, otherwise jump-point search (also over terrain), otherwise A\*.
    #[default]
    Auto,
    /// A\*, always.
    AStar,
    /// Jump-point search where it is valid: all free cells cost the same, 8 neighbors without cut corners,
    /// [`Heuristic::Octile`], equal weights, and a grid that is no strip (see [`Grid`]). Where only the costs differ,
    /// an A\* that prunes steps by the costs of cells, as jump-point search does, and goes straight on without the open
    /// list; if most cells are on even ground, it goes from jump point to jump point. Otherwise A\*.
    JumpPoint,
}

/// The options of a search. The default finds the cheapest path without cutting corners.
#[derive(Clone, Copy, Debug, Default)]
pub struct PathOptions {
    /// Which diagonal steps are allowed. A [`BodyLayers`](crate::BodyLayers) and a [`NavMap`](crate::NavMap) have a
    /// policy of their own, which they use instead. Default: [`DiagonalPolicy::NoCornerCut`].
    pub diagonals: DiagonalPolicy,
    /// Which search to run. Default: [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// The estimate of the remaining cost. Default: [`Heuristic::Octile`].
    pub heuristic: Heuristic,
    /// The weights of the cost so far and of the estimate. Default: 1 and 1.
    pub weights: Weights,
    /// Most nodes to expand, as [`SearchStats::expanded`] counts them. When that many are expanded, the search ends
    /// with a path to the goal if it has found one, otherwise with a path to the expanded cell nearest to the goal.
    /// With a limit of 0 that cell is the start.
    ///
    /// - In A\* a node is a cell. On terrain a cell counts again when it is expanded again.
    /// - Jump-point search over terrain counts the cells taken from the open list, but not the cells that it only
    ///   passes.
    /// - In jump-point search a node is a jump point, so a search gets much further on the same number. A goal in plain
    ///   sight needs no expansion. Where A\* takes over because the goal is out of reach, it may expand the remaining
    ///   number.
    /// - An answer from tables is no search and has no limit.
    ///
    /// Default: no limit.
    pub max_expanded: Option<u32>,
}

impl PathOptions {
    /// Whether jump-point search may answer on a grid: the options ask for a cheapest path without cut corners and do
    /// not ask for A\*, and all free cells cost the same.
    #[must_use]
    pub fn can_jump(&self, grid: &Grid) -> bool {
        self.algorithm != Algorithm::AStar
            && self.diagonals == DiagonalPolicy::NoCornerCut
            && self.heuristic == Heuristic::Octile
            && self.weights.g == self.weights.h
            && grid.uniform_cost().is_some()
    }

    /// The options that apply to any space.
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
    /// The weights of the cost so far and of the estimate. Default: 1 and 1.
    pub weights: Weights,
    /// Most nodes to expand. Default: no limit.
    pub max_expanded: Option<u32>,
}

/// A path, and facts about the search that found it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPath {
    /// The path from the start to the goal, or to the reached cell nearest to the goal.
    pub path: Path,
    /// Whether the path ends at the goal.
    pub outcome: Outcome,
    /// The path costs at most this many times the cheapest path between its own two ends. `1.0` for an optimal search;
    /// infinite where no bound is known.
    pub bound: f64,
    /// The work done.
    pub stats: SearchStats,
}

/// Whether a path ends at the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The path ends at the goal. If the search reached its limit before it knew whether there is a cheaper path, the
    /// [bound](FoundPath::bound) is above 1.
    Complete,
    /// The path ends at the reached cell with the smallest octile distance to the goal; among equals, at the cell with
    /// the smallest [`CellIndex`](crate::CellIndex). That can be the start itself.
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
    /// The search reached [`PathOptions::max_expanded`] before it was done.
    LimitReached,
}

/// The amount of work that a search did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SearchStats {
    /// Number of nodes whose neighbors were visited, without the goal. The nodes are cells in A\* and jump points in
    /// jump-point search, or both where A\* took over because the memory of jump points was full. With tables they are
    /// the corners whose labels were read or, without labels, the corners that were expanded.
    pub expanded: u32,
    /// Number of entries put on the open list: one for each node that was reached, and one more for each cheaper path
    /// to it. Over terrain, nodes that are only passed also count. An incremental search also counts nodes to which
    /// edits opened a cheaper path, or another path of equal cost, but no nodes that became more expensive. 0 if the
    /// goal was in plain sight. With tables, the number of label entries that were read.
    pub pushed: u32,
}

/// Why there is no answer at all. If several arguments are wrong, the error is the first of these variants that
/// applies, whichever search would follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FindPathError {
    /// The radius of the body is NaN, infinite, or above the [cap](crate::Clearance::cap) of the map. Only a
    /// [`NavMap`](crate::NavMap) returns this error.
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
    /// Both weights are zero, so nothing would guide the search.
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
