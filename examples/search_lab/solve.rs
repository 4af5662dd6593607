//! One search, timed without anybody listening, then told to somebody who listens.

use std::time::{Duration, Instant};

use pursuit::recording::RecordedSearch;
use pursuit::{
    Cell, Change, FindPathError, FoundPath, Grid, Outcome, Recording, SearchRecorder,
    SearchScratch, Way, find_path_recorded,
};

use crate::method::{Method, Settings};

/// Most bytes of a recording: some 50 million events.
const LIMIT: usize = 256 << 20;
/// Searches that take less are timed several times, for the least of the times.
const SHORT: Duration = Duration::from_millis(10);
/// How often those are timed.
const TIMES: usize = 5;

/// A question: a grid and two of its cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trip<'a> {
    /// Where to search.
    pub(crate) grid: &'a Grid,
    /// From where.
    pub(crate) start: Cell,
    /// To where.
    pub(crate) goal: Cell,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// The path, and what the search says about it.
    pub(crate) found: FoundPath,
    /// How long it took.
    pub(crate) took: Duration,
    /// Cells that were expanded, each counted once.
    pub(crate) visited: usize,
    /// Cells that waited to be expanded when it was over.
    pub(crate) open: usize,
}

impl Figures {
    /// Whether the path ends at the goal.
    pub(crate) fn is_complete(&self) -> bool {
        self.found.outcome == Outcome::Complete
    }
}

/// Records a search, and times it.
///
/// # Errors
///
/// Those of the search.
pub(crate) fn record(
    trip: Trip<'_>,
    method: Method,
    settings: &Settings,
    scratch: &mut SearchScratch,
) -> Result<Recording, FindPathError> {
    let options = settings.options(method);
    let search = RecordedSearch::new(trip.grid, trip.start, trip.goal, &options);
    let mut recording = Recording::new(search.named(method.name())).with_limit(LIMIT);
    let (_, took) = time(trip, method, settings, scratch)?;
    let found = search_once(trip, method, settings, scratch, &mut recording)?.0;
    recording.finish(&found, Some(took));
    Ok(recording)
}

/// Counts and times a search.
///
/// # Errors
///
/// Those of the search.
pub(crate) fn measure(
    trip: Trip<'_>,
    method: Method,
    settings: &Settings,
    scratch: &mut SearchScratch,
) -> Result<Figures, FindPathError> {
    let (found, took) = time(trip, method, settings, scratch)?;
    let mut tally = Tally::new(trip.grid);
    search_once(trip, method, settings, scratch, &mut tally)?;
    let count = |wanted| tally.cells.iter().filter(|cell| **cell == wanted).count();
    Ok(Figures {
        found,
        took,
        visited: count(Seen::Expanded),
        open: count(Seen::Open),
    })
}

/// The least time of several.
fn time(
    trip: Trip<'_>,
    method: Method,
    settings: &Settings,
    scratch: &mut SearchScratch,
) -> Result<(FoundPath, Duration), FindPathError> {
    let mut once = || search_once(trip, method, settings, scratch, &mut ());
    let (found, mut took) = once()?;
    for _ in 1..TIMES {
        if took < SHORT {
            took = took.min(once()?.1);
        }
    }
    Ok((found, took))
}

/// Searches and looks at a clock.
fn search_once<R: SearchRecorder>(
    trip: Trip<'_>,
    method: Method,
    settings: &Settings,
    scratch: &mut SearchScratch,
    recorder: &mut R,
) -> Result<(FoundPath, Duration), FindPathError> {
    let Trip { grid, start, goal } = trip;
    let options = settings.options(method);
    let begun = Instant::now();
    let found = find_path_recorded(grid, start, goal, &options, scratch, recorder)?;
    Ok((found, begun.elapsed()))
}

/// How a search left each cell.
struct Tally<'a> {
    grid: &'a Grid,
    cells: Vec<Seen>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    Open,
    Expanded,
}

impl<'a> Tally<'a> {
    fn new(grid: &'a Grid) -> Self {
        let cells = vec![Seen::Never; grid.cell_count()];
        Self { grid, cells }
    }

    fn set(&mut self, cell: Cell, seen: Seen) {
        let index = self.grid.index(cell);
        if let Some(slot) = index.and_then(|index| self.cells.get_mut(index.get())) {
            *slot = seen;
        }
    }
}

impl SearchRecorder for Tally<'_> {
    fn started(&mut self) {
        self.cells.fill(Seen::Never);
    }

    fn relaxed(&mut self, way: Way, change: Change) {
        if change != Change::Kept {
            self.set(way.node, Seen::Open);
        }
    }

    fn expanded(&mut self, way: Way) {
        self.set(way.node, Seen::Expanded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn figures(map: &str, method: Method) -> Figures {
        let board = Board::parse("a", map).expect("a map");
        let grid = board.grid().expect("a grid");
        let (start, goal) = (board.start, board.goal);
        let trip = Trip {
            grid: &grid,
            start,
            goal,
        };
        let settings = Settings::default();
        measure(trip, method, &settings, &mut SearchScratch::new()).expect("an answer")
    }

    #[test]
    fn every_cell_is_counted_once() {
        let figures = figures("S....\n.....\n....G\n", Method::Dijkstra);
        assert_eq!(figures.visited + figures.open, 15);
        assert!(figures.is_complete() && figures.found.bound == 1.0);
    }

    #[test]
    fn an_estimate_saves_cells_and_no_cost() {
        let map = "..........\n.S......G.\n..........\n..........\n..........\n";
        let (dijkstra, a_star) = (figures(map, Method::Dijkstra), figures(map, Method::AStar));
        assert_eq!(dijkstra.found.path.cost, a_star.found.path.cost);
        assert!(a_star.visited * 2 < dijkstra.visited);
    }

    #[test]
    fn a_goal_behind_walls_is_told() {
        assert!(!figures("S.#.G\n..#..\n", Method::AStar).is_complete());
    }
}
