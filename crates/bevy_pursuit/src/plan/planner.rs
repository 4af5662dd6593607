//! Requests, each from two points to waypoints: pure, no entities, fit for a task.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::search::{FindPathError, Outcome, PathCells, PathOptions, SearchScratch, find_path};
use pursuit::smooth::{StringScratch, pull_string_with};
use pursuit::{Cell, CellRect, Path, RegionId};

use crate::grid::{NavSnapshot, RadiusClass};
use crate::motion::agent::FailReason;
use crate::plan::field::GoalField;

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
/// another share what they have in common; what a path costs does not depend on the others.
pub(crate) struct Planner<'a> {
    snapshot: &'a NavSnapshot,
    max_expanded: Option<u32>,
    class: Option<(u32, Arc<RadiusClass>)>,
    substitute: Option<(SubstituteKey, Substitute)>,
    group: Option<Group>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(snapshot: &'a NavSnapshot, max_expanded: Option<u32>) -> Self {
        Self {
            snapshot,
            max_expanded,
            class: None,
            substitute: None,
            group: None,
        }
    }

    /// The cheapest path for the body, pulled taut. `alike` requests of the same radius to the same
    /// goal follow, this one among them.
    ///
    /// A goal that cannot be reached yields the path to the nearest cell that can. Fails where
    /// there is no cell to start from, the radius makes no sense, or `cancel` was set meanwhile
    /// (`None`).
    pub(crate) fn plan(
        &mut self,
        query: &Query,
        alike: usize,
        cancel: &AtomicBool,
    ) -> Option<Result<Plan, FailReason>> {
        let ends = match self.find_ends(query) {
            Ok(ends) => ends,
            Err(reason) => return Some(Err(reason)),
        };
        match self.find_route(&ends, alike, cancel) {
            Ok(route) => Some(Ok(smooth(self.snapshot, query, &ends, &route))),
            Err(FindPathError::Cancelled) => None,
            Err(_) => Some(Err(FailReason::StartBlocked)),
        }
    }

    fn find_route(
        &mut self,
        ends: &Ends,
        alike: usize,
        cancel: &AtomicBool,
    ) -> Result<Route, FindPathError> {
        let Some((bits, class)) = &self.class else {
            return Err(FindPathError::StartBlocked(ends.from));
        };
        let group = match self.group.take() {
            Some(group) if (group.to, group.radius) == (ends.to, *bits) => group,
            _ => Group::new(ends.to, *bits),
        };
        let group = self.group.insert(group);
        let diagonals = self.snapshot.diagonals();
        if self.max_expanded.is_none() && group.wants_field(class, alike) {
            let mut field = GoalField::borrow();
            field.start(&class.grid, diagonals, ends.to);
            group.field = Some(field);
        }
        let by_field = group.field.as_mut();
        if let Some(path) = by_field.and_then(|field| field.path_from(ends.from)) {
            return Ok(Route {
                path,
                is_whole: true,
                expanded: 0,
            });
        }
        let options = PathOptions {
            diagonals,
            cells: PathCells::Turns,
            max_expanded: self.max_expanded,
            cancel: Some(cancel),
            tables: class.tables(),
            ..PathOptions::default()
        };
        let (from, to) = (ends.from, ends.to);
        let found =
            with_memory(|memory| find_path(&class.grid, from, to, &options, &mut memory.search))?;
        group.searches += 1;
        group.expanded += u64::from(found.stats.expanded);
        Ok(Route {
            path: found.path,
            is_whole: found.outcome == Outcome::Complete,
            expanded: found.stats.expanded,
        })
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

/// Runs `work` with this thread's memory, which is kept from request to request.
fn with_memory<T>(work: impl FnOnce(&mut Memory) -> T) -> T {
    thread_local! {
        static MEMORY: RefCell<Memory> = RefCell::default();
    }
    MEMORY.with_borrow_mut(work)
}

#[derive(Default)]
struct Memory {
    search: SearchScratch,
    string: StringScratch,
}

/// A path, given by the cells where it turns.
struct Route {
    path: Path,
    /// Whether it leads to where it was searched for.
    is_whole: bool,
    expanded: u32,
}

/// Cells of a [`GoalField`] that are settled in the time in which a search expands one. Measured on
/// maps of 512 × 512 cells with goals all over them: 4 among random walls, 6 in mazes of wide
/// corridors, 9 to 14 in games and cities.
const FIELD_CELLS: u64 = 5;

/// Requests to one cell for one radius that follow one another.
struct Group {
    to: Cell,
    radius: u32,
    /// Searches so far, and what they expanded.
    searches: u64,
    expanded: u64,
    field: Option<GoalField>,
}

impl Group {
    fn new(to: Cell, radius: u32) -> Self {
        Self {
            to,
            radius,
            searches: 0,
            expanded: 0,
            field: None,
        }
    }

    /// Whether it is now time for a field, with `alike` requests ahead: when as many searches as
    /// those so far would take longer than a flood of all that can be reached.
    fn wants_field(&self, class: &RadiusClass, alike: usize) -> bool {
        if self.field.is_some() || self.searches == 0 {
            return false;
        }
        let ahead = self.expanded / self.searches * alike as u64;
        let region = class.regions.region(self.to);
        let cells = region.map_or(0, |region| class.regions.size(region));
        ahead * FIELD_CELLS > cells as u64 && GoalField::can_hold(&class.grid, cells)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(field) = self.field.take() {
            field.give_back();
        }
    }
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
fn smooth(snapshot: &NavSnapshot, query: &Query, ends: &Ends, route: &Route) -> Plan {
    let layout = snapshot.layout();
    let shortfall = if route.is_whole {
        ends.shortfall
    } else {
        Some(ends.shortfall.unwrap_or(FailReason::LimitReached))
    };
    let at_goal = shortfall.is_none();
    let start = layout.to_cell_space(query.start);
    let goal = at_goal.then(|| layout.to_cell_space(query.goal));
    let radius = snapshot.radius_cells((1.0 + ELBOW_ROOM) * query.radius);
    let (clearance, turns) = (snapshot.clearance(), &route.path.cells);
    let mut waypoints = with_memory(|memory| {
        pull_string_with(&mut memory.string, clearance, start, turns, goal, radius)
    });
    for point in &mut waypoints {
        *point = layout.to_world(*point);
    }
    Plan {
        waypoints,
        length: route.path.length() as f32 * layout.cell_size(),
        expanded: route.expanded,
        shortfall,
    }
}
