//! One request, from two points to waypoints: pure, no entities, fit for a task.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::search::{FindPathError, FoundPath, Outcome, PathOptions, SearchScratch, find_path};
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
    /// How far from a goal too near to a wall the path may end and still count as complete.
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
    let found =
        with_scratch(|scratch| find_path(&ends.class.grid, ends.from, ends.to, &options, scratch));
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
    let goal_cell = layout
        .cell_clamped(query.goal)
        .ok_or(FailReason::GoalOutside)?;
    let class = snapshot.class(query.radius);
    let near_start = Surroundings::new(snapshot, query.start, start_cell, query.radius, |cell| {
        class.grid.is_free(cell)
    });
    let from = near_start.entry().ok_or(FailReason::StartBlocked)?;
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
    let (to, shortfall) = match reason {
        None => (goal_cell, None),
        Some(reason) => {
            let near_goal =
                Surroundings::new(snapshot, query.goal, goal_cell, query.radius, |cell| {
                    class.regions.region(cell) == Some(region)
                });
            let beside = near_goal.in_sight();
            let to = beside
                .or_else(|| class.regions.nearest_in(region, goal_cell))
                .unwrap_or(from);
            // A target closer to a wall than this body can come is reached from beside it.
            let is_close = reason == FailReason::GoalBlocked
                && beside.is_some()
                && layout.center(to).distance(query.goal) <= query.tolerance;
            (to, (!is_close).then_some(reason))
        }
    };
    Ok(Ends {
        class,
        from,
        to,
        shortfall,
    })
}

/// The usable cells around a point where a body may not find its own cell free: pressed against a
/// wall, it may stand in a cell whose center does not fit it.
struct Surroundings<'a> {
    snapshot: &'a NavSnapshot,
    point: Vec2,
    radius: f32,
    /// Usable cells, nearest first.
    cells: Vec<Cell>,
}

impl<'a> Surroundings<'a> {
    fn new(
        snapshot: &'a NavSnapshot,
        point: Vec2,
        own: Cell,
        radius: f32,
        is_usable: impl Fn(Cell) -> bool,
    ) -> Self {
        let layout = snapshot.layout();
        let sees_own = snapshot.line_of_sight(point, layout.center(own), radius);
        if is_usable(own) && sees_own {
            return Self {
                snapshot,
                point,
                radius,
                cells: vec![own],
            };
        }
        let reach = (radius / layout.cell_size()).ceil() as u32 + 1;
        let around = CellRect {
            min: own,
            max: Cell::new(own.x + 1, own.y + 1),
        }
        .grow(reach);
        let mut cells: Vec<Cell> = around
            .intersect(&layout.rect())
            .cells()
            .filter(|cell| is_usable(*cell))
            .collect();
        cells.sort_by(|a, b| {
            let away = |cell: &Cell| layout.center(*cell).distance_squared(point);
            away(a).total_cmp(&away(b)).then(a.cmp(b))
        });
        Self {
            snapshot,
            point,
            radius,
            cells,
        }
    }

    /// The nearest cell that the whole body can go straight to, else the nearest that no wall
    /// separates from the point.
    fn in_sight(&self) -> Option<Cell> {
        let sees = |radius: f32| {
            let center = |cell: Cell| self.snapshot.layout().center(cell);
            move |cell: &&Cell| {
                self.snapshot
                    .line_of_sight(self.point, center(**cell), radius)
            }
        };
        let by_body = self.cells.iter().find(sees(self.radius));
        by_body
            .or_else(|| self.cells.iter().find(sees(0.1 * self.radius)))
            .copied()
    }

    /// The cell where a body at the point enters the grid; one that was pushed into a wall walks
    /// out to the nearest.
    fn entry(&self) -> Option<Cell> {
        self.in_sight().or(self.cells.first().copied())
    }
}

/// Part of its radius that a body keeps from corners where there is room: paths that touch them make
/// bodies scrape along.
const ELBOW_ROOM: f32 = 0.05;

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
        snapshot.radius_cells((1.0 + ELBOW_ROOM) * query.radius),
    );
    Plan {
        waypoints: taut
            .into_iter()
            .map(|point| layout.to_world(point))
            .collect(),
        length: found.path.length() as f32 * layout.cell_size(),
        expanded: found.stats.expanded,
        shortfall,
    }
}
