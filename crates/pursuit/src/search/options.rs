//! The options of a search, and its result.

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
    /// Cost of a path without obstacles: the octile distance over 8 neighbors, or the Manhattan distance over 4
    /// neighbors under [`DiagonalPolicy::Never`]. Admissible and consistent.
    #[default]
    Octile,
    /// No estimate: Dijkstra's algorithm.
    Zero,
}

/// The weights of the cost so far (g) and of the estimated remaining cost (h) in `f = k_g · g + k_h · h`.
///
/// With equal weights, a search finds the cheapest path. With a greater weight `h`, it explores less, and the path
/// costs at most `h / g` times as much as the cheapest one. With `g: 0`, it follows the estimate alone, and nothing
/// bounds the cost.
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

/// Which search to run. All algorithms find a path of the same cost, unless a limit ends the search first. If several
/// paths have this cost, they may return different ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Algorithm {
    /// The fastest algorithm that is valid for the options: tables if the [`BodyLayers`](crate::BodyLayers) has them,
    /// otherwise jump-point search (also over terrain), otherwise A\*.
    #[default]
    Auto,
    /// A\*, always.
    AStar,
    /// Jump-point search where it is valid. It needs [`DiagonalPolicy::NoCornerCut`], [`Heuristic::Octile`], equal
    /// weights, free cells that all cost the same, and a grid that is not a strip (see [`Grid`]).
    ///
    /// If all of this holds except that the costs of cells differ, a special A\* runs. It prunes steps as jump-point
    /// search does, and follows straight runs without the open list. If most cells cost the same as the cells around
    /// them, it goes from jump point to jump point. In all other cases A\* runs.
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
    /// Maximum number of nodes to expand, as [`SearchStats::expanded`] counts them. When a search reaches this limit,
    /// it ends with a path to the goal if it has found one, otherwise with a path to the expanded cell nearest to the
    /// goal. With a limit of 0 that cell is the start.
    ///
    /// - In A\* a node is a cell. On terrain a cell can be expanded several times, and each time is counted.
    /// - Jump-point search over terrain counts the cells that it takes from the open list, but not the cells along the
    ///   runs between them.
    /// - In jump-point search a node is a jump point, so a search gets much farther than A\* with the same limit. A
    ///   goal in plain sight needs no expansion. If A\* takes over because the memory of jump points is full, A\* may
    ///   expand only what is left of the limit.
    /// - A path from tables needs no search, so the limit does not apply.
    ///
    /// Default: no limit.
    pub max_expanded: Option<u32>,
}

impl PathOptions {
    /// Whether jump-point search is valid on a grid: the options ask for a cheapest path without cut corners and do not
    /// ask for A\*, and all free cells cost the same.
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
    /// Maximum number of nodes to expand. Default: no limit.
    pub max_expanded: Option<u32>,
}

/// A path, and facts about the search that found it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPath {
    /// The path from the start to the goal, or to the reached cell nearest to the goal.
    pub path: Path,
    /// Whether the path ends at the goal.
    pub outcome: Outcome,
    /// The path costs at most this many times as much as the cheapest path between its two ends. `1.0` for a cheapest
    /// path, infinite if no bound is known.
    pub bound: f64,
    /// The amount of work that the search did.
    pub stats: SearchStats,
}

/// Whether a path ends at the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The path ends at the goal. If the search reached its limit before it knew whether there is a cheaper path, the
    /// [bound](FoundPath::bound) is above 1.
    Complete,
    /// The path ends at the reached cell with the smallest octile distance to the goal. If several cells have this
    /// distance, it is the one with the smallest [`CellIndex`](crate::CellIndex). It can be the start itself.
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
    /// The search reached [`PathOptions::max_expanded`] before it was finished.
    LimitReached,
}

/// The amount of work that a search did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SearchStats {
    /// Number of nodes whose neighbors were visited. The goal is not included. In A\* the nodes are cells, in
    /// jump-point search jump points. Both are counted if A\* took over because the memory of jump points was full.
    /// With tables, the nodes are the corners whose labels were read.
    pub expanded: u32,
    /// Number of entries put on the open list: one for each node that was reached, and one more each time a cheaper
    /// path to the node was found. Over terrain, the cells along runs are also counted, although they are not put on
    /// the list. 0 if the goal was in plain sight. With tables, this is the number of label entries that were read.
    pub pushed: u32,
}

/// Why a search returns no path at all. If several arguments are invalid, every algorithm returns the first of these
/// variants that applies.
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
    /// The start is a blocked cell: a wall, or a cell on which a body of this radius does not fit.
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
