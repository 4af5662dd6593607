//! The cheapest path between two cells of a grid.

use super::astar::Stop;
use super::grid_astar::{GridSearch, search};
use super::grid_space::GridSpace;
use super::options::{
    FindPathError, FoundPath, Outcome, PartialReason, PathOptions, SearchStats, Weights,
};
use super::scratch::SearchScratch;
use super::space::{Guarantee, SearchSpace};
use crate::cell::Cell;
use crate::grid::Grid;
use crate::path::Path;

/// Finds the cheapest path from `start` to `goal`, both included, or, when `goal` cannot be reached,
/// to the nearest cell that can: see [`Outcome::Partial`].
///
/// A step costs [`STRAIGHT`](super::STRAIGHT) or [`DIAGONAL`](super::DIAGONAL) times the mean of the
/// terrain costs of its two cells. `start == goal` is a complete path of one cell. Same arguments,
/// same answer, whatever the scratch was used for before.
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
    check_arguments(grid, start, goal, options)?;
    let (target, known) = reachable_target(grid, start, goal, options)?;
    if start == target {
        let path = Path {
            cells: vec![start],
            cost: 0,
        };
        let outcome = known.map_or(Outcome::Complete, Outcome::Partial);
        return Ok(FoundPath {
            path,
            outcome,
            bound: 1.0,
            stats: SearchStats::default(),
        });
    }
    let (Some(space), Some(start_node)) = (
        GridSpace::new(grid, options.diagonals, options.heuristic, target),
        grid.slot(start),
    ) else {
        return Err(FindPathError::GoalOutside(target));
    };
    let found = search(&space, start_node, &options.limits(), scratch)?;
    let cost = found.cost;
    let cells = scratch
        .trail
        .iter()
        .rev()
        .map(|&node| space.cell(node))
        .collect();
    let outcome = match (found.search.stop, known) {
        (Stop::Goal, None) => Outcome::Complete,
        (Stop::Goal, Some(reason)) => Outcome::Partial(reason),
        (Stop::Limit, _) => Outcome::Partial(PartialReason::LimitReached),
        (Stop::Exhausted, _) if grid.is_free(goal) => Outcome::Partial(PartialReason::Unreachable),
        (Stop::Exhausted, _) => Outcome::Partial(PartialReason::GoalBlocked),
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
    Ok(())
}

/// Where to search for: the goal or, when the regions tell that it is out of reach, the nearest cell
/// that is not, and why.
fn reachable_target(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions<'_>,
) -> Result<(Cell, Option<PartialReason>), FindPathError> {
    let Some(regions) = options.regions else {
        return Ok((goal, None));
    };
    if !regions.answer_for(grid, options.diagonals) {
        return Err(FindPathError::OtherRegions);
    }
    let Some(home) = regions.region(start) else {
        return Err(FindPathError::OtherRegions);
    };
    let reason = match regions.region(goal) {
        Some(region) if region == home => return Ok((goal, None)),
        Some(_) => PartialReason::Unreachable,
        None => PartialReason::GoalBlocked,
    };
    let nearest = regions.nearest_in(home, goal).unwrap_or(start);
    Ok((nearest, Some(reason)))
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
