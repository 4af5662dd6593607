//! The searches of Pursuit.

use clap::ValueEnum;
use pursuit::tables::{SearchTables, TablesError};
use pursuit::{
    self, BodyLayers, Cancel, Cell, FindPathError, FoundPath, Grid, Heuristic, Outcome,
    PathOptions, SearchScratch,
};

use crate::peers::finder::{Finder, FinderAnswer};

/// A search of Pursuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OwnSearch {
    /// The default of a game: the fastest search that is exact on the map.
    Auto,
    /// The default search, with search tables that were baked for the map.
    Tables,
    /// Jump-point search.
    Jps,
    /// A* with the octile heuristic.
    Astar,
    /// Dijkstra's algorithm: A* without a heuristic.
    Dijkstra,
}

impl OwnSearch {
    /// The name of the search on the command line.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_string())
    }

    /// Whether an agent would use this search to plan in every tick.
    pub(super) fn replans(self) -> bool {
        self != OwnSearch::Dijkstra
    }

    /// The options that select this search.
    pub(super) fn options(self) -> PathOptions {
        let algorithm = match self {
            OwnSearch::Auto | OwnSearch::Tables => pursuit::Algorithm::Auto,
            OwnSearch::Jps => pursuit::Algorithm::JumpPoint,
            OwnSearch::Astar | OwnSearch::Dijkstra => pursuit::Algorithm::AStar,
        };
        let heuristic = match self {
            OwnSearch::Dijkstra => Heuristic::Zero,
            _ => Heuristic::Octile,
        };
        PathOptions {
            algorithm,
            heuristic,
            ..PathOptions::default()
        }
    }

    /// Builds the tables that the search needs before the first query of a map. `None` if the search needs no tables.
    pub(super) fn bake(self, grid: &Grid) -> Option<Result<SearchTables, TablesError>> {
        let diagonals = self.options().diagonals;
        (self == OwnSearch::Tables).then(|| SearchTables::build(grid, diagonals, Cancel::NEVER))
    }
}

/// Searches with `find_path` on one map, with tables if the layers have them.
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

    fn read(found: Self::Found) -> FinderAnswer {
        let Ok(found) = found else {
            return FinderAnswer::default();
        };
        let complete = found.outcome == Outcome::Complete;
        FinderAnswer {
            cells: complete.then(|| found.path.cells().collect()),
            expanded: Some(found.stats.expanded),
        }
    }
}
