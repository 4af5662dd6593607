//! The question and the answer of a recorded search.

use std::time::Duration;

use pursuit::{Algorithm, Cell, DiagonalPolicy, Grid, Heuristic, Outcome, PathOptions, Weights};

use serde::{Deserialize, Serialize};

use super::layers::RecordedVoxels;
use super::size::GridSize;

/// The kind of a recorded search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RecordedAlgorithm {
    /// A search for the cheapest path, with the algorithm of its options.
    Path(Algorithm),
    /// ARA\*: see [`ara_star`](crate::ara_star).
    Anytime,
    /// D\* Lite: see [`d_star_lite`](crate::d_star_lite).
    Incremental,
    /// An integration field: see [`IntegrationField`](pursuit::IntegrationField).
    Field,
}

/// The question of a recorded search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordedSearch {
    /// A name for display, such as `A*`. It has at most [`MAX_NAME`](Self::MAX_NAME) bytes.
    pub name: String,
    /// Columns of the grid.
    pub width: u32,
    /// Rows of the grid.
    pub height: u32,
    /// The start of the path. A field, or a tree with its root at the goal, grows from the goal instead.
    pub start: Cell,
    /// The goal of the path.
    pub goal: Cell,
    /// The diagonal steps that were allowed.
    pub diagonals: DiagonalPolicy,
    /// The kind of the search.
    pub algorithm: RecordedAlgorithm,
    /// The estimate that guided the search.
    pub heuristic: Heuristic,
    /// The weights of the cost so far (g) and of the estimate (h).
    pub weights: Weights,
    /// Maximum number of nodes that the search could expand. `None` for no limit.
    pub max_expanded: Option<u32>,
    /// The layout of the cubes in columns and rows, for a search among cubes. `None` for a search on a grid.
    pub voxels: Option<RecordedVoxels>,
}

impl RecordedSearch {
    /// Maximum length of a name, in bytes. A longer name is truncated.
    pub const MAX_NAME: usize = 64;

    /// A search on a grid with these options. Its name is the algorithm that the options select on that grid. For
    /// [`Algorithm::Auto`] this is `jump points` if jump-point search can answer, and otherwise `A*`.
    #[must_use]
    pub fn new(grid: &Grid, start: Cell, goal: Cell, options: &PathOptions) -> Self {
        Self {
            name: name(grid, options).to_owned(),
            width: grid.width(),
            height: grid.height(),
            start,
            goal,
            diagonals: options.diagonals,
            algorithm: RecordedAlgorithm::Path(options.algorithm),
            heuristic: options.heuristic,
            weights: options.weights,
            max_expanded: options.max_expanded,
            voxels: None,
        }
    }

    /// A search by [ARA\*](crate::ara_star) with these options, named `ARA*`.
    #[must_use]
    pub fn anytime(grid: &Grid, start: Cell, goal: Cell, options: &PathOptions) -> Self {
        Self {
            name: "ARA*".to_owned(),
            algorithm: RecordedAlgorithm::Anytime,
            ..Self::new(grid, start, goal, options)
        }
    }

    /// A search by [D\* Lite](crate::d_star_lite) with these options, named `D* Lite`.
    #[must_use]
    pub fn incremental(grid: &Grid, start: Cell, goal: Cell, options: &PathOptions) -> Self {
        Self {
            name: "D* Lite".to_owned(),
            algorithm: RecordedAlgorithm::Incremental,
            ..Self::new(grid, start, goal, options)
        }
    }

    /// An integration field from a goal, named `field`, that is built for the path from a start: see
    /// [`IntegrationField::start_recorded`](pursuit::IntegrationField::start_recorded).
    #[must_use]
    pub fn field(grid: &Grid, start: Cell, goal: Cell, diagonals: DiagonalPolicy) -> Self {
        let options = PathOptions {
            diagonals,
            heuristic: Heuristic::Zero,
            ..PathOptions::default()
        };
        Self {
            name: "field".to_owned(),
            algorithm: RecordedAlgorithm::Field,
            ..Self::new(grid, start, goal, &options)
        }
    }

    /// This search with another name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name[..name.floor_char_boundary(Self::MAX_NAME)].clone_into(&mut self.name);
        self
    }

    /// The size of the grid.
    pub(crate) fn size(&self) -> GridSize {
        GridSize {
            width: self.width,
            height: self.height,
        }
    }
}

fn name(grid: &Grid, options: &PathOptions) -> &'static str {
    let Weights { g, h } = options.weights;
    match options.algorithm {
        _ if h == 0 || g != 0 && options.heuristic == Heuristic::Zero => "Dijkstra",
        _ if g == 0 => "greedy",
        _ if g != h => "weighted A*",
        _ if options.can_jump(grid) => "jump points",
        Algorithm::AStar | Algorithm::Auto | Algorithm::JumpPoint => "A*",
    }
}

/// How a recorded search ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordedEnd {
    /// All cells of the path that was found, both ends included.
    pub path: Vec<Cell>,
    /// Cost of the path, in the units of [`Event`](super::Event).
    pub cost: u64,
    /// Whether the path ends at the goal.
    pub outcome: Outcome,
    /// The path costs at most `bound` times as much as the cheapest path. Infinite if no bound is known.
    pub bound: f64,
    /// Nodes expanded, as [`SearchStats::expanded`](pursuit::SearchStats::expanded) counts them.
    pub expanded: u32,
    /// Entries put on the open list, as [`SearchStats::pushed`](pursuit::SearchStats::pushed) counts them.
    pub pushed: u32,
    /// Duration of the search, if it was measured. Recording takes time as well, so for a fair duration, time the
    /// search without a recorder.
    pub took: Option<Duration>,
}

/// How many events of each kind a search reported. For a single search, the counts agree with its
/// [`SearchStats`](pursuit::SearchStats).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Nodes expanded.
    pub expanded: u64,
    /// Entries put on the open list: nodes discovered or improved.
    pub pushed: u64,
    /// Paths to neighbors that were examined, with any result.
    pub relaxed: u64,
    /// Entries that were taken from the open list and dropped.
    pub dropped: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::DiagonalPolicy;

    #[test]
    fn a_search_is_named_after_the_algorithm_that_answers() {
        let even = Grid::from_fn(8, 8, |_| true).expect("a grid");
        let mut builder = even.to_builder();
        builder.set_cost(Cell::new(3, 3), 5).expect("a cost");
        let mud = builder.build();
        let name = |grid: &Grid, options: &PathOptions| {
            RecordedSearch::new(grid, Cell::new(0, 0), Cell::new(7, 7), options).name
        };
        let auto = PathOptions::default();
        assert_eq!(name(&even, &auto), "jump points");
        assert_eq!(name(&mud, &auto), "A*");
        let never = PathOptions {
            diagonals: DiagonalPolicy::Never,
            ..auto
        };
        assert_eq!(name(&even, &never), "A*");
        let asked = PathOptions {
            algorithm: Algorithm::AStar,
            ..auto
        };
        assert_eq!(name(&even, &asked), "A*");
        let dijkstra = PathOptions {
            heuristic: Heuristic::Zero,
            ..auto
        };
        assert_eq!(name(&even, &dijkstra), "Dijkstra");
    }
}
