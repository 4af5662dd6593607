//! The target of a search, and the assembly of its result.

use super::grid_space::GridSpace;
use super::known_paths::KnownPaths;
use super::options::{
    Algorithm, FindPathError, FoundPath, PartialReason, PathOptions, SearchStats, Weights,
};
use super::scratch::SearchScratch;
use super::work::{Ended, Stop};
use crate::cell::Cell;
use crate::cost::octile;
use crate::grid::Grid;
use crate::jump::boards::JumpPointBoards;
use crate::jump::search::JumpMemory;
use crate::path::{self, Path, turning_places};
use crate::region::Regions;

/// The cell that a search looks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The goal. If the goal is known to be out of reach, the reachable cell nearest to it.
    pub(crate) cell: Cell,
    /// Why the goal is out of reach; `None` if it is not.
    pub(crate) shortfall: Option<PartialReason>,
}

impl Target {
    /// The goal if it is in the region of `start`, which is a free cell. Otherwise the cell of that region that is
    /// nearest to the goal.
    pub(crate) fn of(regions: &Regions, start: Cell, goal: Cell) -> Self {
        let (home, region) = (regions.region(start), regions.region(goal));
        if region == home {
            return Self {
                cell: goal,
                shortfall: None,
            };
        }
        let nearest = home.and_then(|home| regions.nearest_in(home, goal));
        Self {
            cell: nearest.unwrap_or(start),
            shortfall: Some(match region {
                Some(_) => PartialReason::Unreachable,
                None => PartialReason::GoalBlocked,
            }),
        }
    }

    /// The space in which a search looks for the target.
    pub(crate) fn space<'g>(
        self,
        grid: &'g Grid,
        options: &PathOptions,
    ) -> Result<GridSpace<'g>, FindPathError> {
        let space = GridSpace::new(grid, options.diagonals, options.heuristic, self.cell);
        let space = space.ok_or(FindPathError::GoalOutside(self.cell))?;
        Ok(if options.algorithm == Algorithm::AStar {
            space
        } else {
            space.with_runs()
        })
    }

    /// The result if the start is the target.
    pub(crate) fn stand(self) -> FoundPath {
        FoundPath {
            path: Path {
                turns: vec![self.cell],
                cost: 0,
            },
            outcome: Stop::Goal.outcome(self.shortfall),
            bound: 1.0,
            stats: SearchStats::default(),
        }
    }
}

/// The result from the known paths. `None` if the options do not allow their use, or if they have no path to the
/// target.
pub(crate) fn look_up(
    known_paths: Option<&dyn KnownPaths>,
    start: Cell,
    target: Target,
    options: &PathOptions,
    scratch: &mut SearchScratch,
) -> Option<FoundPath> {
    if options.algorithm != Algorithm::Auto {
        return None;
    }
    let (path, stats) = known_paths?.find(start, target.cell, &mut scratch.known_paths)?;
    Some(FoundPath {
        path,
        outcome: Stop::Goal.outcome(target.shortfall),
        bound: 1.0,
        stats,
    })
}

/// The result of a jump-point search that ended at the goal or at its limit.
pub(super) fn of_jumps(
    start: Cell,
    target: Target,
    boards: &JumpPointBoards,
    found: &Ended<Cell>,
    memory: &JumpMemory,
) -> FoundPath {
    let cost = found.cost;
    let turns = path::turns(memory.corners(boards));
    FoundPath {
        path: Path { turns, cost },
        outcome: found.stop.outcome(target.shortfall),
        // Only a path to the goal is known to be a cheapest one. On an open grid, no path is cheaper than `octile`.
        bound: match octile(start, found.end) {
            open @ 1.. if found.stop != Stop::Goal => cost as f64 / open as f64,
            _ => 1.0,
        },
        stats: found.stats,
    }
}

/// The turns of a trail, in walking order. The trail itself lists the path from its end to its start.
pub(crate) fn turns(space: &GridSpace<'_>, trail: &[u32]) -> Vec<Cell> {
    let mut turns = Vec::with_capacity(turning_places(trail).count());
    let places = turning_places(trail).rev();
    turns.extend(places.map(|place| space.cell(trail[place])));
    turns
}

/// The result of A\*.
pub(super) fn of_cells(
    space: &GridSpace<'_>,
    target: Target,
    found: &Ended<u32>,
    options: &PathOptions,
    scratch: &SearchScratch,
) -> FoundPath {
    let cost = found.cost;
    let turns = turns(space, &scratch.trail);
    FoundPath {
        path: Path { turns, cost },
        outcome: found.stop.outcome(target.shortfall),
        bound: bound(options.weights, found),
        stats: found.stats,
    }
}

/// Bound on the cost of the path that was found, as a multiple of the lowest cost between its two ends.
fn bound(weights: Weights, found: &Ended<u32>) -> f64 {
    // No path is cheaper than a path that costs nothing.
    if found.cost == 0 {
        return 1.0;
    }
    if weights.g == 0 {
        return f64::INFINITY;
    }
    let weight = f64::from(weights.h) / f64::from(weights.g);
    let least = (found.cost + 1).saturating_sub(found.slack).max(1);
    let slack = found.cost as f64 / least as f64;
    weight.max(slack)
}
