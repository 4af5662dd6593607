//! Our own searches.

use clap::ValueEnum;
use pursuit::tables::{SearchTables, TablesError};
use pursuit::{
    self, BodyLayers, Cancel, Cell, FindPathError, FoundPath, Grid, Heuristic, Outcome,
    PathOptions, SearchScratch,
};

use crate::peers::finder::{Answer, Finder};

/// A search of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Algorithm {
    /// What a game gets that asks for nothing: the fastest search that is right for the map.
    Auto,
    /// The same, given tables that were baked for the map.
    Tables,
    /// Jump-point search.
    Jps,
    /// A* with the octile heuristic.
    Astar,
    /// The same search without a heuristic.
    Dijkstra,
}

impl Algorithm {
    /// Its name on the command line.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_string())
    }

    /// Whether an agent would plan with it at every tick.
    pub(super) fn replans(self) -> bool {
        self != Algorithm::Dijkstra
    }

    /// What a caller sets for it.
    pub(super) fn options(self) -> PathOptions {
        let algorithm = match self {
            Algorithm::Auto | Algorithm::Tables => pursuit::Algorithm::Auto,
            Algorithm::Jps => pursuit::Algorithm::JumpPoint,
            Algorithm::Astar | Algorithm::Dijkstra => pursuit::Algorithm::AStar,
        };
        let heuristic = match self {
            Algorithm::Dijkstra => Heuristic::Zero,
            _ => Heuristic::Octile,
        };
        PathOptions {
            algorithm,
            heuristic,
            ..PathOptions::default()
        }
    }

    /// What is baked before the first query of a map; `None` for nothing.
    pub(super) fn bake(self, grid: &Grid) -> Option<Result<SearchTables, TablesError>> {
        let diagonals = self.options().diagonals;
        (self == Algorithm::Tables).then(|| SearchTables::build(grid, diagonals, Cancel::NEVER))
    }
}

/// `find_path` on one map, with tables if there are any.
pub(super) struct OwnFinder<'m> {
    pub(super) layers: &'m BodyLayers,
    pub(super) options: PathOptions,
    pub(super) scratch: &'m mut SearchScratch,
}

impl Finder for OwnFinder<'_> {
    type Found = Result<FoundPath, FindPathError>;

    fn find(&mut self, start: Cell, goal: Cell) -> Self::Found {
        (self.layers).find_path(start, goal, &self.options, self.scratch)
    }

    fn read(found: Self::Found) -> Answer {
        let Ok(found) = found else {
            return Answer::default();
        };
        let complete = found.outcome == Outcome::Complete;
        Answer {
            cells: complete.then(|| found.path.cells().collect()),
            expanded: Some(found.stats.expanded),
        }
    }
}
