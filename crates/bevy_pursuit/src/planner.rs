//! One request, from two points to waypoints: pure, no entities, fit for a task.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::search::{
    FindPathError, FoundPath, Outcome, PathOptions, STRAIGHT, SearchScratch, find_path,
};
use pursuit::smooth::pull_string;
use pursuit::{Cell, CellRect};

use crate::agent::FailReason;
use crate::snapshot::{NavSnapshot, RadiusClass};

/// What to plan, in world units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub(crate) start: Vec2,
    pub(crate) goal: Vec2,
    pub(crate) radius: f32,
    /// How far from the goal the path may end and still count as complete.
    pub(crate) tolerance: f32,
}

/// A path, and why it does not reach the goal if it does not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) waypoints: Vec<Vec2>,
    pub(crate) length: f32,
    pub(crate) expanded: u32,
    pub(crate) shortfall: Option<FailReason>,
}

/// Plans on `snapshot`: the cheapest path for the body, pulled taut.
///
/// A goal that cannot be reached yields the path to the nearest cell that can. Fails where there
/// is no cell to start from, the radius makes no sense, or `cancel` was set meanwhile (`None`).
pub(crate) fn plan_path(
    snapshot: &NavSnapshot,
    query: &Query,
    max_expanded: Option<u32>,
    cancel: &AtomicBool,
) -> Option<Result<Plan, FailReason>> {
    let ends = match find_ends(snapshot, query) {
        Ok(ends) => ends,
        Err(reason) => return Some(Err(reason)),
    };
    let options = PathOptions {
        diagonals: snapshot.diagonals(),
        max_expanded,
        cancel: Some(cancel),
        ..PathOptions::default()
    };
    let found = with_scratch(|scratch| {
        find_path(&ends.class.grid, ends.from, ends.to, &options, scratch)
    });
    match found {
        Ok(found) => Some(Ok(smooth(snapshot, query, &ends, &found))),
        Err(FindPathError::Cancelled) => None,
        Err(_) => Some(Err(FailReason::StartBlocked)),
    }
}

/// Runs `search` with this thread's scratch, which keeps its memory from request to request.
fn with_scratch<T>(search: impl FnOnce(&mut SearchScratch) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<SearchScratch> = RefCell::new(SearchScratch::new());
    }
    SCRATCH.with_borrow_mut(search)
}

/// The cells between which to search, and why the second may not be the goal's.
struct Ends {
    class: std::sync::Arc<RadiusClass>,
    from: Cell,
    to: Cell,
    shortfall: Option<FailReason>,
}

fn find_ends(snapshot: &NavSnapshot, query: &Query) -> Result<Ends, FailReason> {
    let layout = snapshot.layout();
    if !(0.0..=snapshot.max_radius()).contains(&query.radius) {
        return Err(FailReason::BadRadius);
    }
    let start_cell = layout.cell_at(query.start).ok_or(FailReason::OutsideGrid)?;
    let goal_cell = layout.cell_clamped(query.goal).ok_or(FailReason::GoalOutside)?;
    let class = snapshot.class(query.radius);
    let from = entry_cell(snapshot, &class.grid, query, start_cell).ok_or(FailReason::StartBlocked)?;
    let region = class.regions.region(from).ok_or(FailReason::StartBlocked)?;
    let reason = if layout.cell_at(query.goal).is_none() {
        Some(FailReason::GoalOutside)
    } else if class.regions.region(goal_cell) == Some(region) {
        None
    } else if class.grid.is_free(goal_cell) {
        Some(FailReason::Unreachable)
    } else {
        Some(FailReason::GoalBlocked)
    };
    let to = match reason {
        None => goal_cell,
        Some(_) => class.regions.nearest_in(region, goal_cell).unwrap_or(from),
    };
    let shortfall = reason.filter(|reason| !is_close_enough(snapshot, query, to, *reason));
    Ok(Ends { class, from, to, shortfall })
}

/// Whether `to` counts as the goal although the goal's own cell cannot be entered: a target that
/// stands closer to a wall than this body can is reached from beside it, not through the wall.
fn is_close_enough(snapshot: &NavSnapshot, query: &Query, to: Cell, reason: FailReason) -> bool {
    let end = snapshot.layout().center(to);
    reason == FailReason::GoalBlocked
        && end.distance(query.goal) <= query.tolerance
        && snapshot.line_of_sight(end, query.goal, 0.1 * query.radius)
}

/// The free cell where a body at the start enters the grid.
///
/// Usually its own. A body pressed against a wall may stand in a cell whose center does not fit
/// it; then the nearest that the whole disc can be seen to reach, else the nearest that its center
/// can, else the nearest at all (a body that was pushed into a wall walks out).
fn entry_cell(
    snapshot: &NavSnapshot,
    grid: &pursuit::Grid,
    query: &Query,
    start_cell: Cell,
) -> Option<Cell> {
    let layout = snapshot.layout();
    let sees = |cell: Cell, radius: f32| {
        snapshot.line_of_sight(query.start, layout.center(cell), radius)
    };
    if grid.is_free(start_cell) && sees(start_cell, query.radius) {
        return Some(start_cell);
    }
    let reach = (query.radius / layout.cell_size()).ceil() as i32 + 1;
    let around = CellRect { min: start_cell, max: Cell::new(start_cell.x + 1, start_cell.y + 1) };
    let mut near: Vec<Cell> = around
        .grow(reach)
        .intersect(layout.rect())
        .cells()
        .filter(|cell| grid.is_free(*cell))
        .collect();
    near.sort_by(|a, b| {
        let distance = |cell: &Cell| layout.center(*cell).distance_squared(query.start);
        distance(a).total_cmp(&distance(b)).then(a.cmp(b))
    });
    let by_disc = near.iter().find(|cell| sees(**cell, query.radius));
    let by_center = || near.iter().find(|cell| sees(**cell, 0.1 * query.radius));
    by_disc.or_else(by_center).or(near.first()).copied()
}

/// Pulls the found path taut and takes it to world units.
fn smooth(snapshot: &NavSnapshot, query: &Query, ends: &Ends, found: &FoundPath) -> Plan {
    let layout = snapshot.layout();
    let shortfall = match found.outcome {
        Outcome::Complete => ends.shortfall,
        Outcome::Partial(_) => Some(ends.shortfall.unwrap_or(FailReason::LimitReached)),
    };
    let at_goal = shortfall.is_none();
    let taut = pull_string(
        snapshot.clearance(),
        layout.to_cell_space(query.start),
        &found.path.cells,
        at_goal.then(|| layout.to_cell_space(query.goal)),
        snapshot.radius_cells(query.radius),
    );
    Plan {
        waypoints: taut.into_iter().map(|point| layout.to_world(point)).collect(),
        length: (found.path.cost as f64 / f64::from(STRAIGHT)) as f32 * layout.cell_size(),
        expanded: found.stats.expanded,
        shortfall,
    }
}
