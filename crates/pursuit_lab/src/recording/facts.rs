//! What a recorded search was asked, and what it answered.

use std::time::Duration;

use pursuit::{Algorithm, Cell, DiagonalPolicy, Grid, Heuristic, Outcome, PathOptions, Weights};

use serde::{Deserialize, Serialize};

use super::layers::RecordedVoxels;
use super::size::Size;

/// Which kind of search was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RecordedAlgorithm {
    /// One for the cheapest path, with the algorithm that was asked for.
    Path(Algorithm),
    /// ARA\*: see [`ara_star`](crate::ara_star).
    Anytime,
    /// D\* Lite: see [`d_star_lite`](crate::d_star_lite).
    Incremental,
    /// An integration field: see [`IntegrationField`](pursuit::IntegrationField).
    Field,
}

/// What a recorded search was asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordedSearch {
    /// What to call it, such as `A*`: to be shown, and nothing else. At most
    /// [`MAX_NAME`](Self::MAX_NAME) bytes.
    pub name: String,
    /// Columns of the grid.
    pub width: u32,
    /// Rows of the grid.
    pub height: u32,
    /// Where the path begins. Fields, and trees with their root at the goal, grow from the goal.
    pub start: Cell,
    /// Where it was to end.
    pub goal: Cell,
    /// Which diagonal steps it might take.
    pub diagonals: DiagonalPolicy,
    /// Which kind of search it was.
    pub algorithm: RecordedAlgorithm,
    /// The estimate that led it.
    pub heuristic: Heuristic,
    /// How much the cost so far and the estimate counted.
    pub weights: Weights,
    /// Most nodes that it might expand; `None` for no limit.
    pub max_expanded: Option<u32>,
    /// The cubes that its columns and rows are a picture of; `None` for a search on a grid.
    pub voxels: Option<RecordedVoxels>,
}

impl RecordedSearch {
    /// Most bytes of a name. A longer one is cut.
    pub const MAX_NAME: usize = 64;

    /// A search on a grid with these options. It is named after the algorithm that they come to on that grid:
    /// with [`Algorithm::Auto`], `jump points` where those can answer, else `A*`.
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

    /// An integration field from a goal, named `field`, of which the way from a start is of interest: see
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

    /// The same under another name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name[..name.floor_char_boundary(Self::MAX_NAME)].clone_into(&mut self.name);
        self
    }

    /// Those of a grid.
    pub(crate) fn size(&self) -> Size {
        Size {
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
    /// The cells of the path that it gave, every one, both ends included.
    pub path: Vec<Cell>,
    /// What that path costs, in the units of [`Event`](super::Event).
    pub cost: u64,
    /// Whether it ends at the goal.
    pub outcome: Outcome,
    /// The path costs at most this many times the cheapest one. Infinite where nothing is known.
    pub bound: f64,
    /// Nodes expanded, as [`SearchStats::expanded`](pursuit::SearchStats::expanded) counts them.
    pub expanded: u32,
    /// Entries put on the open list, as [`SearchStats::pushed`](pursuit::SearchStats::pushed) counts them.
    pub pushed: u32,
    /// How long it took, if somebody looked at a clock. A recorder takes time itself: for a figure that is
    /// fair, time the same search without one.
    pub took: Option<Duration>,
}

/// What a search told, counted. Of one search it is the same as in its [`SearchStats`](pursuit::SearchStats).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Nodes expanded.
    pub expanded: u64,
    /// Ways that were put on the open list: nodes discovered or improved.
    pub pushed: u64,
    /// Ways that were looked at, whatever came of it.
    pub relaxed: u64,
    /// Entries of the open list that were dropped.
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
