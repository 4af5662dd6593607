//! The cheapest path between two cells of a grid.

use super::astar::Stop;
use super::grid_astar::{GridSearch, search};
use super::grid_space::GridSpace;
use super::jump::{End, jump_search};
use super::options::{
    Algorithm, FindPathError, FoundPath, Heuristic, Outcome, PartialReason, PathCells, PathOptions,
    SearchStats, Weights,
};
use super::recorder::{InUnits, SearchRecorder};
use super::scratch::SearchScratch;
use super::space::{Guarantee, SearchSpace};
use crate::cancel::check;
use crate::cell::{Cell, DiagonalPolicy};
use crate::cost::octile;
use crate::grid::Grid;
use crate::path::{Path, walk};
use crate::region::Regions;
use crate::tables::SearchTables;

/// Finds the cheapest path from `start` to `goal`, both included, or, when `goal` cannot be reached,
/// to the nearest cell that can: see [`Outcome::Partial`].
///
/// A step costs [`STRAIGHT`](super::STRAIGHT) or [`DIAGONAL`](super::DIAGONAL) times the mean of the
/// terrain costs of its two cells. `start == goal` is a complete path of one cell. Same arguments,
/// same answer, whatever the scratch was used for before. Where all free cells cost the same, that is the
/// answer for cells of cost 1 with its costs multiplied.
///
/// # Errors
///
/// See [`FindPathError`]; no error is a matter of reachability.
///
/// ```
/// use pursuit::{Cell, Grid, Outcome, PathOptions, SearchScratch, find_path};
///
/// // Three columns and rows with a wall in the middle.
/// let grid = Grid::from_fn(3, 3, |cell| cell != Cell::new(1, 1)).expect("a good size");
/// let mut scratch = SearchScratch::new();
/// let (start, goal) = (Cell::new(0, 1), Cell::new(2, 1));
/// let found = find_path(&grid, start, goal, &PathOptions::default(), &mut scratch)?;
/// assert_eq!(found.outcome, Outcome::Complete);
/// assert_eq!(found.path.length(), 4.0); // around the wall without cutting its corners
/// # Ok::<(), pursuit::FindPathError>(())
/// ```
pub fn find_path(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions<'_>,
    scratch: &mut SearchScratch,
) -> Result<FoundPath, FindPathError> {
    find_path_recorded(grid, start, goal, options, scratch, &mut ())
}

/// The same, and tells `recorder` what the search does.
///
/// # Errors
///
/// See [`FindPathError`].
pub fn find_path_recorded<R: SearchRecorder>(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions<'_>,
    scratch: &mut SearchScratch,
    recorder: &mut R,
) -> Result<FoundPath, FindPathError> {
    check_arguments(grid, start, goal, options)?;
    check(options.cancel)?;
    recorder.started();
    // Where all cells cost the same, searches count in units of that.
    let unit = grid.uniform_cost().map_or(1, u64::from);
    let recorder = &mut InUnits { unit, recorder };
    let mut found = Query::new(grid, start, goal, options).answer(options, scratch, recorder)?;
    found.path.cost *= unit;
    found.stats.cost *= unit;
    Ok(found)
}

/// Whether jump-point search answers as A\* would: a cheapest path on a grid for which it is made.
fn can_jump(grid: &Grid, options: &PathOptions<'_>) -> bool {
    options.algorithm != Algorithm::AStar
        && options.diagonals == DiagonalPolicy::NoCornerCut
        && options.heuristic == Heuristic::Octile
        && options.weights.g == options.weights.h
        && grid.uniform_cost().is_some()
}

/// What is asked, and where to search for it.
struct Query<'g> {
    grid: &'g Grid,
    start: Cell,
    goal: Cell,
    /// The goal, or the nearest cell when the goal is known to be out of reach.
    target: Cell,
    known: Option<PartialReason>,
}

/// What became of a search by jump points.
enum Jump {
    Found(FoundPath),
    /// Only A\* has an answer. What was done in vain.
    GoOn(SearchStats),
}

impl<'g> Query<'g> {
    /// The arguments are right.
    fn new(grid: &'g Grid, start: Cell, goal: Cell, options: &PathOptions<'_>) -> Self {
        let (target, known) = reachable_target(grid, start, goal, options);
        Self {
            grid,
            start,
            goal,
            target,
            known,
        }
    }

    fn answer<R: SearchRecorder>(
        &self,
        options: &PathOptions<'_>,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<FoundPath, FindPathError> {
        if self.start == self.target {
            return Ok(self.stand());
        }
        let mut before = SearchStats::default();
        if can_jump(self.grid, options) {
            if let Some(found) = self.look_up(options, scratch)? {
                return Ok(found);
            }
            match self.jump(options, scratch, recorder)? {
                Jump::Found(found) => return Ok(found),
                Jump::GoOn(stats) => before = stats,
            }
        }
        let rest = options
            .max_expanded
            .map(|most| most.saturating_sub(before.expanded));
        let rest = PathOptions {
            max_expanded: rest,
            ..*options
        };
        let mut found = self.astar(&rest, scratch, recorder)?;
        found.stats.expanded = found.stats.expanded.saturating_add(before.expanded);
        found.stats.pushed = found.stats.pushed.saturating_add(before.pushed);
        Ok(found)
    }

    /// The answer where the start is the target.
    fn stand(&self) -> FoundPath {
        FoundPath {
            path: Path {
                cells: vec![self.start],
                cost: 0,
            },
            outcome: self.at_target(),
            bound: 1.0,
            stats: SearchStats::default(),
        }
    }

    /// The answer of the tables, if there are any for this grid and there is a path.
    fn look_up(
        &self,
        options: &PathOptions<'_>,
        scratch: &mut SearchScratch,
    ) -> Result<Option<FoundPath>, FindPathError> {
        let tables = options
            .tables
            .filter(|tables| tables.answer_for(self.grid, options.diagonals))
            .filter(|_| options.algorithm == Algorithm::Auto);
        let Some(tables) = tables else {
            return Ok(None);
        };
        let SearchScratch {
            tables: memory,
            turns,
            ..
        } = scratch;
        let answer =
            tables.find_in_units(self.start, self.target, options.cancel, memory, turns)?;
        Ok(answer.map(|answer| FoundPath {
            path: Path {
                cells: match options.cells {
                    PathCells::All => walk(turns),
                    PathCells::Turns => turns.clone(),
                },
                cost: answer.cost,
            },
            outcome: self.at_target(),
            bound: 1.0,
            stats: SearchStats {
                expanded: answer.expanded,
                pushed: answer.pushed,
                cost: answer.cost,
            },
        }))
    }

    /// The answer of jump-point search. Only A\* has one for a goal out of reach: it knows the nearest
    /// cell.
    fn jump<R: SearchRecorder>(
        &self,
        options: &PathOptions<'_>,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<Jump, FindPathError> {
        let vain = Ok(Jump::GoOn(SearchStats::default()));
        // Before boards are built.
        if !self.grid.is_free(self.target) {
            return vain;
        }
        let Some(boards) = self.grid.boards(options.cancel)? else {
            return vain;
        };
        if boards.scattered.is_scattered() && options.algorithm == Algorithm::Auto {
            return vain;
        }
        let memory = &mut scratch.jump;
        let limits = options.limits();
        let found = jump_search(boards, self.start, self.target, &limits, memory, recorder)?;
        let (outcome, bound) = match found.end {
            End::Goal => (self.at_target(), 1.0),
            End::Limit => (
                Outcome::Partial(PartialReason::LimitReached),
                self.bound_in_the_open(found.last, found.stats.cost),
            ),
            End::Exhausted | End::Full => return Ok(Jump::GoOn(found.stats)),
        };
        let cells = match options.cells {
            PathCells::All => memory.cells(boards),
            PathCells::Turns => memory.turns(boards),
        };
        Ok(Jump::Found(FoundPath {
            path: Path {
                cells,
                cost: found.stats.cost,
            },
            outcome,
            bound,
            stats: found.stats,
        }))
    }

    /// How many times as much as on an open grid a path to `end` costs: jump points that were expanded
    /// on the way to a goal need not have been reached at the least cost.
    fn bound_in_the_open(&self, end: Cell, cost: u64) -> f64 {
        let open = octile(self.start.x.abs_diff(end.x), self.start.y.abs_diff(end.y));
        if open == 0 {
            1.0
        } else {
            cost as f64 / open as f64
        }
    }

    fn astar<R: SearchRecorder>(
        &self,
        options: &PathOptions<'_>,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<FoundPath, FindPathError> {
        let grid = self.grid;
        let space = GridSpace::new(grid, options.diagonals, options.heuristic, self.target);
        let (Some(space), Some(start)) = (space, grid.node(self.start)) else {
            return Err(FindPathError::GoalOutside(self.target));
        };
        let space = space.in_units();
        recorder.started();
        let found = search(&space, start, &options.limits(), scratch, recorder)?;
        let cost = found.cost;
        let trail = scratch.trail.iter().rev();
        let cells = match options.cells {
            PathCells::All => trail.map(|&node| space.cell(node)).collect(),
            PathCells::Turns => {
                let mut cells = Vec::with_capacity(turns(&scratch.trail).count());
                cells.extend(turns(&scratch.trail).map(|node| space.cell(node)));
                cells
            }
        };
        let outcome = match found.search.stop {
            Stop::Goal => self.at_target(),
            Stop::Limit => Outcome::Partial(PartialReason::LimitReached),
            Stop::Exhausted if grid.is_free(self.goal) => {
                Outcome::Partial(PartialReason::Unreachable)
            }
            Stop::Exhausted => Outcome::Partial(PartialReason::GoalBlocked),
        };
        // No way is cheaper than none.
        let bound = if cost == 0 {
            1.0
        } else {
            bound(&space, options.weights, &found)
        };
        Ok(FoundPath {
            path: Path { cells, cost },
            outcome,
            bound,
            stats: SearchStats {
                cost,
                ..found.search.stats
            },
        })
    }

    /// The outcome of a path that ends at the target.
    fn at_target(&self) -> Outcome {
        self.known.map_or(Outcome::Complete, Outcome::Partial)
    }
}

/// The nodes of a trail, given end first, between which it does not turn, start first.
fn turns(trail: &[u32]) -> impl Iterator<Item = u32> {
    let step = |place: usize| trail[place].wrapping_sub(trail[place - 1]);
    (0..trail.len())
        .rev()
        .filter(move |&place| {
            let is_end = place == 0 || place + 1 == trail.len();
            is_end || step(place) != step(place + 1)
        })
        .map(|place| trail[place])
}

fn check_arguments(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions<'_>,
) -> Result<(), FindPathError> {
    if !grid.contains(start) {
        return Err(FindPathError::StartOutside(start));
    }
    if !grid.contains(goal) {
        return Err(FindPathError::GoalOutside(goal));
    }
    if !grid.is_free(start) {
        return Err(FindPathError::StartBlocked(start));
    }
    if options.weights == (Weights { g: 0, h: 0 }) {
        return Err(FindPathError::ZeroWeights);
    }
    let other = |regions: &Regions| !regions.answer_for(grid, options.diagonals);
    if options.regions.is_some_and(other) {
        return Err(FindPathError::OtherRegions);
    }
    Ok(())
}

/// Where to search for: the goal or, when the regions tell that it is out of reach, the nearest cell
/// that is not, and why.
fn reachable_target(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions<'_>,
) -> (Cell, Option<PartialReason>) {
    let baked = options
        .tables
        .filter(|tables| tables.answer_for(grid, options.diagonals));
    let regions = options.regions.or(baked.map(SearchTables::regions));
    let Some((regions, home)) = regions.and_then(|regions| Some((regions, regions.region(start)?)))
    else {
        return (goal, None);
    };
    let reason = match regions.region(goal) {
        Some(region) if region == home => return (goal, None),
        Some(_) => PartialReason::Unreachable,
        None => PartialReason::GoalBlocked,
    };
    let nearest = regions.nearest_in(home, goal).unwrap_or(start);
    (nearest, Some(reason))
}

/// Times the cheapest cost that the path to the search's end may cost at most.
fn bound(space: &GridSpace<'_>, weights: Weights, found: &GridSearch) -> f64 {
    let stop = found.search.stop;
    let reopens = space.guarantee() == Guarantee::None;
    if reopens && stop == Stop::Exhausted {
        // Every improvement was followed up: the costs are those of Dijkstra's algorithm.
        return 1.0;
    }
    if weights.g == 0 || reopens && stop == Stop::Limit {
        return f64::INFINITY;
    }
    let weight = f64::from(weights.h) / f64::from(weights.g);
    let least = (found.cost + 1).saturating_sub(found.slack).max(1);
    let slack = found.cost as f64 / least as f64;
    (weight * space.overestimate()).max(slack)
}
