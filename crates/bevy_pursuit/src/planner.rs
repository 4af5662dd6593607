//! Requests, each from two points to waypoints: pure, no entities, fit for a task.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::search::{FindPathError, FoundPath, Outcome, PathOptions, SearchScratch, find_path};
use pursuit::smooth::pull_string;
use pursuit::{Cell, CellRect, RegionId};

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

/// Plans one request after the other on a snapshot. Requests alike in radius or goal that follow one
/// another share what they have in common; no answer depends on the others.
pub(crate) struct Planner<'a> {
    snapshot: &'a NavSnapshot,
    max_expanded: Option<u32>,
    class: Option<(u32, Arc<RadiusClass>)>,
    substitute: Option<(SubstituteKey, Substitute)>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(snapshot: &'a NavSnapshot, max_expanded: Option<u32>) -> Self {
        Self {
            snapshot,
            max_expanded,
            class: None,
            substitute: None,
        }
    }

    /// The cheapest path for the body, pulled taut.
    ///
    /// A goal that cannot be reached yields the path to the nearest cell that can. Fails where
    /// there is no cell to start from, the radius makes no sense, or `cancel` was set meanwhile
    /// (`None`).
    pub(crate) fn plan(
        &mut self,
        query: &Query,
        cancel: &AtomicBool,
    ) -> Option<Result<Plan, FailReason>> {
        let ends = match self.find_ends(query) {
            Ok(ends) => ends,
            Err(reason) => return Some(Err(reason)),
        };
        let (_, class) = self.class.as_ref()?;
        let options = PathOptions {
            diagonals: self.snapshot.diagonals(),
            max_expanded: self.max_expanded,
            cancel: Some(cancel),
            ..PathOptions::default()
        };
        let found =
            with_scratch(|scratch| find_path(&class.grid, ends.from, ends.to, &options, scratch));
        match found {
            Ok(found) => Some(Ok(smooth(self.snapshot, query, &ends, &found))),
            Err(FindPathError::Cancelled) => None,
            Err(_) => Some(Err(FailReason::StartBlocked)),
        }
    }

    fn find_ends(&mut self, query: &Query) -> Result<Ends, FailReason> {
        let snapshot = self.snapshot;
        let layout = snapshot.layout();
        if !(0.0..=snapshot.max_radius()).contains(&query.radius) {
            return Err(FailReason::BadRadius);
        }
        let start_cell = layout.cell_at(query.start).ok_or(FailReason::OutsideGrid)?;
        let goal_cell = layout
            .cell_clamped(query.goal)
            .ok_or(FailReason::GoalOutside)?;
        let class = class_of(&mut self.class, snapshot, query.radius);
        let start = Surroundings {
            snapshot,
            point: query.start,
            own: start_cell,
            radius: query.radius,
        };
        let entry = start.entry(|cell| class.grid.is_free(cell));
        let from = entry.ok_or(FailReason::StartBlocked)?;
        let region = class.regions.region(from).ok_or(FailReason::StartBlocked)?;
        let reason = if layout.cell_at(query.goal).is_none() {
            FailReason::GoalOutside
        } else if class.regions.region(goal_cell) == Some(region) {
            return Ok(Ends {
                from,
                to: goal_cell,
                shortfall: None,
            });
        } else if class.grid.is_free(goal_cell) {
            FailReason::Unreachable
        } else {
            FailReason::GoalBlocked
        };
        let key = SubstituteKey::new(query, region);
        let (to, shortfall) = match &self.substitute {
            Some((known, substitute)) if *known == key => *substitute,
            _ => {
                let found = substitute(snapshot, class, query, (goal_cell, region), reason);
                self.substitute = Some((key, found));
                found
            }
        };
        Ok(Ends {
            from,
            to: to.unwrap_or(from),
            shortfall,
        })
    }
}

/// The class of a radius, looked up only where it is not that of the request before.
fn class_of<'c>(
    known: &'c mut Option<(u32, Arc<RadiusClass>)>,
    snapshot: &NavSnapshot,
    radius: f32,
) -> &'c RadiusClass {
    let bits = radius.to_bits();
    if known.as_ref().is_some_and(|(of, _)| *of != bits) {
        *known = None;
    }
    let (_, class) = known.get_or_insert_with(|| (bits, snapshot.class(radius)));
    class
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
    from: Cell,
    to: Cell,
    shortfall: Option<FailReason>,
}

/// Where to go instead of to a goal out of reach, and what falls short by it.
type Substitute = (Option<Cell>, Option<FailReason>);

/// All that a [`Substitute`] depends on, numbers by their bits.
#[derive(PartialEq)]
struct SubstituteKey {
    goal: [u32; 2],
    radius: u32,
    tolerance: u32,
    region: RegionId,
}

impl SubstituteKey {
    fn new(query: &Query, region: RegionId) -> Self {
        Self {
            goal: query.goal.to_array().map(f32::to_bits),
            radius: query.radius.to_bits(),
            tolerance: query.tolerance.to_bits(),
            region,
        }
    }
}

/// The cell of `region` to go to where the goal is not in it: one that the goal is in sight of, else
/// the nearest.
fn substitute(
    snapshot: &NavSnapshot,
    class: &RadiusClass,
    query: &Query,
    (goal_cell, region): (Cell, RegionId),
    reason: FailReason,
) -> Substitute {
    let goal = Surroundings {
        snapshot,
        point: query.goal,
        own: goal_cell,
        radius: query.radius,
    };
    let usable = |cell| class.regions.region(cell) == Some(region);
    let beside = goal.in_sight(&goal.cells(usable));
    let to = beside.or_else(|| class.regions.nearest_in(region, goal_cell));
    // A target closer to a wall than this body can come is reached from beside it.
    let distance = |cell: Cell| snapshot.layout().center(cell).distance(query.goal);
    let is_close = reason == FailReason::GoalBlocked
        && beside.is_some_and(|cell| distance(cell) <= query.tolerance);
    (to, (!is_close).then_some(reason))
}

/// The cells around a point where a body may not find its own cell free: pressed against a wall, it
/// may stand in a cell whose center does not fit it.
struct Surroundings<'a> {
    snapshot: &'a NavSnapshot,
    point: Vec2,
    /// The cell that the point is in.
    own: Cell,
    radius: f32,
}

impl Surroundings<'_> {
    /// The cell where a body at the point enters the grid; one that was pushed into a wall walks
    /// out to the nearest.
    fn entry(&self, is_usable: impl Fn(Cell) -> bool) -> Option<Cell> {
        if is_usable(self.own) && self.sees(self.own, self.radius) {
            return Some(self.own);
        }
        let cells = self.cells(is_usable);
        self.in_sight(&cells).or(cells.first().copied())
    }

    /// Whether a body of `radius` can go straight from the point to the cell's center.
    fn sees(&self, cell: Cell, radius: f32) -> bool {
        let center = self.snapshot.layout().center(cell);
        self.snapshot.line_of_sight(self.point, center, radius)
    }

    /// The usable cells around, nearest first.
    fn cells(&self, is_usable: impl Fn(Cell) -> bool) -> Vec<Cell> {
        let layout = self.snapshot.layout();
        let reach = (self.radius / layout.cell_size()).ceil() as u32 + 1;
        let own = CellRect {
            min: self.own,
            max: Cell::new(self.own.x + 1, self.own.y + 1),
        };
        let around = own.grow(reach).intersect(&layout.rect());
        let mut cells: Vec<Cell> = around.cells().filter(|cell| is_usable(*cell)).collect();
        cells.sort_by(|a, b| {
            let away = |cell: &Cell| layout.center(*cell).distance_squared(self.point);
            away(a).total_cmp(&away(b)).then(a.cmp(b))
        });
        cells
    }

    /// The first of `cells` that the whole body can go straight to, else the first that no wall
    /// separates from the point.
    fn in_sight(&self, cells: &[Cell]) -> Option<Cell> {
        let first = |radius: f32| cells.iter().copied().find(|cell| self.sees(*cell, radius));
        first(self.radius).or_else(|| first(0.1 * self.radius))
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
    let mut waypoints = pull_string(
        snapshot.clearance(),
        layout.to_cell_space(query.start),
        &found.path.cells,
        at_goal.then(|| layout.to_cell_space(query.goal)),
        snapshot.radius_cells((1.0 + ELBOW_ROOM) * query.radius),
    );
    for point in &mut waypoints {
        *point = layout.to_world(*point);
    }
    Plan {
        waypoints,
        length: found.path.length() as f32 * layout.cell_size(),
        expanded: found.stats.expanded,
        shortfall,
    }
}
