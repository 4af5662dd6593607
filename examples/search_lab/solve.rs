//! One search, timed without anybody listening, then told to somebody who listens.

use std::time::{Duration, Instant};

use pursuit::planners::{AnytimeWeights, Improvement, IncrementalSearch, IncrementalTree, Root};
use pursuit::tables::SearchTables;
use pursuit::{
    Cell, Change, FindPathError, FoundPath, Grid, Ground, IntegrationField, Outcome, PartialReason,
    Path, PathOptions, Progress, SearchRecorder, SearchScratch, SearchStats, Way,
    find_path_recorded,
};
use pursuit_lab::recording::RecordedSearch;
use pursuit_lab::recording::Recording;

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
    let question = Question::new(trip, method, settings);
    let (grid, start, goal, options) = (trip.grid, trip.start, trip.goal, &question.options);
    let search = match method {
        Method::Anytime => RecordedSearch::anytime(grid, start, goal, options),
        Method::Incremental => RecordedSearch::incremental(grid, start, goal, options),
        Method::Field => RecordedSearch::field(grid, start, goal, options.diagonals),
        _ => RecordedSearch::new(grid, start, goal, options),
    };
    let mut recording = Recording::new(search.named(method.name())).with_limit(LIMIT);
    let (_, took) = question.time(scratch)?;
    let found = question.ask(scratch, &mut recording)?;
    recording.finish(&found, Some(took));
    Ok(recording)
}

/// What D* Lite keeps from one search to the next, over edits of the map and moves of its ends: a tree that is
/// timed, and one that tells what it does. Both know the same.
#[derive(Debug)]
pub(crate) struct Trees {
    timed: IncrementalTree,
    told: IncrementalTree,
}

impl Default for Trees {
    fn default() -> Self {
        let tree = || IncrementalTree::new(Root::Goal);
        Self {
            timed: tree(),
            told: tree(),
        }
    }
}

/// Records how D* Lite repairs its trees, and times it. The recording begins with what they knew: that takes so many
/// of its events, none where they begin anew.
///
/// # Errors
///
/// Those of the search.
pub(crate) fn record_repair(
    trip: Trip<'_>,
    settings: &Settings,
    trees: &mut Trees,
    scratch: &mut SearchScratch,
) -> Result<(Recording, u32), FindPathError> {
    let question = Question::new(trip, Method::Incremental, settings);
    let (Trip { grid, start, goal }, options) = (trip, &question.options);
    let ground = Ground::from_grid(grid.clone(), options.diagonals);
    let begun = Instant::now();
    ground.replan(start, goal, options, &mut trees.timed)?;
    let mut took = begun.elapsed();
    let search = RecordedSearch::incremental(grid, start, goal, options);
    let search = search.named(Method::Incremental.name());
    let mut recording = Recording::new(search).with_limit(LIMIT);
    let mut search = ground.incremental(start, goal, options, &mut trees.told)?;
    search.tell_known(&mut recording)?;
    let known = recording.len();
    let found = finish(&mut search, &mut recording)?;
    if known == 0 {
        // A search from scratch can be timed as often as any other.
        took = took.min(question.time(scratch)?.1);
    }
    recording.finish(&found, Some(took));
    Ok((recording, known))
}

/// Steps until there is an answer.
fn finish<R: SearchRecorder>(
    search: &mut IncrementalSearch<'_>,
    recorder: &mut R,
) -> Result<FoundPath, FindPathError> {
    loop {
        if let Progress::Done(found) = search.step_recorded(u32::MAX, recorder)? {
            return Ok(found);
        }
    }
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
    let question = Question::new(trip, method, settings);
    let (found, took) = question.time(scratch)?;
    let mut tally = Tally::new(trip.grid);
    question.ask(scratch, &mut tally)?;
    let count = |wanted| tally.cells.iter().filter(|cell| **cell == wanted).count();
    Ok(Figures {
        found,
        took,
        visited: count(Seen::Expanded),
        open: count(Seen::Open),
    })
}

/// Bakes search tables, and times an answer from them, for which no cell is visited. With how long the bake took.
///
/// `None` where there are no tables, for they are not for such a map or such rules.
pub(crate) fn measure_tables(
    trip: Trip<'_>,
    settings: &Settings,
    scratch: &mut SearchScratch,
) -> Option<(Figures, Duration)> {
    let diagonals = settings.policy();
    let ground = Ground::from_grid(trip.grid.clone(), diagonals);
    let begun = Instant::now();
    let tables = SearchTables::build(ground.grid(), diagonals).ok()?;
    let bake = begun.elapsed();
    let options = PathOptions::default();
    let are_own = ground.set_tables(tables);
    let answer = || ground.find_path(trip.start, trip.goal, &options, scratch);
    let (found, took) = least_time(answer).ok().filter(|_| are_own)?;
    let figures = Figures {
        found,
        took,
        visited: 0,
        open: 0,
    };
    Some((figures, bake))
}

/// What is found, and the least time of several.
fn least_time(
    mut find: impl FnMut() -> Result<FoundPath, FindPathError>,
) -> Result<(FoundPath, Duration), FindPathError> {
    let mut once = || -> Result<_, FindPathError> {
        let begun = Instant::now();
        let found = find()?;
        Ok((found, begun.elapsed()))
    };
    let (found, mut took) = once()?;
    for _ in 1..TIMES {
        if took < SHORT {
            took = took.min(once()?.1);
        }
    }
    Ok((found, took))
}

/// A question, and what a search for it stands on.
struct Question<'a> {
    trip: Trip<'a>,
    method: Method,
    options: PathOptions,
    /// For those that need to know what can be reached.
    ground: Option<Ground>,
}

impl<'a> Question<'a> {
    fn new(trip: Trip<'a>, method: Method, settings: &Settings) -> Self {
        let options = settings.options(method);
        let needs_ground = matches!(method, Method::Anytime | Method::Incremental);
        Self {
            trip,
            method,
            options,
            ground: needs_ground.then(|| Ground::from_grid(trip.grid.clone(), options.diagonals)),
        }
    }

    /// The answer, and the least time of several.
    fn time(&self, scratch: &mut SearchScratch) -> Result<(FoundPath, Duration), FindPathError> {
        least_time(|| self.ask(scratch, &mut ()))
    }

    /// Searches until the last answer.
    fn ask<R: SearchRecorder>(
        &self,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<FoundPath, FindPathError> {
        let Trip { grid, start, goal } = self.trip;
        let options = &self.options;
        match (&self.ground, self.method) {
            (Some(ground), Method::Anytime) => {
                let weights = AnytimeWeights::default();
                let mut search = ground.anytime(start, goal, weights, options, scratch)?;
                loop {
                    if let Improvement::Last(found) = search.step_recorded(u32::MAX, recorder)? {
                        break Ok(found);
                    }
                }
            }
            (None, Method::Field) => self.ask_field(recorder),
            (Some(ground), _) => {
                let mut tree = IncrementalTree::new(Root::Goal);
                let mut search = ground.incremental(start, goal, options, &mut tree)?;
                finish(&mut search, recorder)
            }
            (None, _) => find_path_recorded(grid, start, goal, options, scratch, recorder),
        }
    }

    /// Works out the whole field, and walks down it.
    fn ask_field<R: SearchRecorder>(&self, recorder: &mut R) -> Result<FoundPath, FindPathError> {
        let Trip { grid, start, goal } = self.trip;
        let mut field = IntegrationField::new();
        field.start_recorded(grid, &[goal], self.options.diagonals, recorder);
        field.settle_recorded(u32::MAX, recorder);
        let path = field.path(start).ok().flatten();
        let outcome = match path {
            Some(_) => Outcome::Complete,
            None => Outcome::Partial(PartialReason::Unreachable),
        };
        let path = path.unwrap_or_else(|| Path {
            turns: vec![start],
            cost: 0,
        });
        let stats = SearchStats {
            expanded: field.expanded(),
            pushed: field.pushed(),
            cost: path.cost,
        };
        Ok(FoundPath {
            path,
            outcome,
            bound: 1.0,
            stats,
        })
    }
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
    use pursuit_lab::replay::Replay;

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
        for method in Method::ALL {
            assert!(
                !figures("S.#.G\n..#..\n", method).is_complete(),
                "{method:?}"
            );
        }
    }

    #[test]
    fn bounds_of_later_answers_fall_to_one() {
        let map =
            "S.........\n.########.\n........#.\n.######.#.\n.#G.....#.\n.########.\n..........\n";
        let board = Board::parse("a", map).expect("a map");
        let grid = board.grid().expect("a grid");
        let trip = Trip {
            grid: &grid,
            start: board.start,
            goal: board.goal,
        };
        for method in Method::ALL {
            let (settings, scratch) = (Settings::default(), &mut SearchScratch::new());
            let recording = record(trip, method, &settings, scratch).expect("an answer");
            let mut replay = Replay::new(recording);
            let mut answers = Vec::new();
            while replay.step() {
                answers.extend(replay.answer());
            }
            answers.dedup();
            let end = replay.recording().end().expect("an end");
            let last = answers.last().expect("an answer");
            assert_eq!((last.cost, last.bound), (end.cost, end.bound), "{method:?}");
            assert!(answers.is_sorted_by(|a, b| a.bound >= b.bound && a.cost >= b.cost));
            assert_eq!(answers.len() > 1, method == Method::Anytime, "{method:?}");
        }
    }
}
