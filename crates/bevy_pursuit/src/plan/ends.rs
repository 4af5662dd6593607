//! The two cells between which a search runs: where a body enters the grid, and where it goes if it cannot get to its
//! goal. Pure.

use bevy::math::Vec2;
use pursuit::{Algorithm, Cell, CellRect, RegionId};

use crate::agent::{FailReason, GoalKind, Jam, NavBody, NavOrder, Wants};
use crate::grid::{BodyLayers, LINE_FRACTION, NavSnapshot};

/// What to plan, in grid coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trip {
    pub(crate) start: Vec2,
    pub(crate) order: NavOrder,
    /// The body of the entity to flee from, if that entity is an agent.
    pub(crate) threat: Option<NavBody>,
    /// Whether a body outside of the grid is led back onto it.
    pub(crate) may_return: bool,
    pub(crate) kind: SearchKind,
    /// The algorithm of a search that is to be recorded. `None` if nothing is to be recorded.
    pub(crate) recorded_by: Option<Algorithm>,
}

/// The kind of search for a trip: a [`Purpose`](crate::agent::Purpose) with its data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum SearchKind {
    /// A plain path.
    #[default]
    Path,
    /// A check whether a new path would still end at `end`, and fall short of the goal for the same reason.
    Check { end: Cell, shortfall: FailReason },
    /// A path around a jam. `ahead` is the direction of the jam, a unit vector.
    Detour { jam: Jam, ahead: Vec2 },
    /// The ordinary path, unless it leads through the jam.
    WayBack { jam: Jam },
}

impl Trip {
    /// A trip from one point to another, as for a plain request.
    pub(crate) fn between(start: Vec2, goal: Vec2, body: impl Into<NavBody>) -> Self {
        let body = body.into();
        Self {
            start,
            order: NavOrder {
                want: Wants::Go,
                goal,
                radius: body.radius,
                class: body.class,
                to_rim: true,
                ..NavOrder::default()
            },
            threat: None,
            may_return: false,
            kind: SearchKind::Path,
            recorded_by: None,
        }
    }

    /// The jam to go around, and its direction.
    pub(crate) fn detour(&self) -> Option<(Jam, Vec2)> {
        match self.kind {
            SearchKind::Detour { jam, ahead } if !self.order.is_flight() => Some((jam, ahead)),
            _ => None,
        }
    }
}

/// Distance that a detour keeps from the center of a jam, in world units.
pub(super) fn room_around(snapshot: &NavSnapshot, jam: &Jam) -> f32 {
    jam.radius + 0.5 * snapshot.layout().cell_size()
}

/// Whether `waypoints`, found by a search for a [way back](SearchKind::WayBack), lead through the jam.
pub(super) fn leads_by_detour(snapshot: &NavSnapshot, trip: &Trip, waypoints: &[Vec2]) -> bool {
    let SearchKind::WayBack { jam } = trip.kind else {
        return false;
    };
    let jam = Jam {
        radius: room_around(snapshot, &jam),
        ..jam
    };
    let mut lines = waypoints.windows(2);
    lines.any(|line| jam.meets(line[0], line[1]))
}

/// The cells between which to search, and why `to` is not the goal's cell, if it falls short of the goal.
pub(super) struct Ends {
    pub(super) from: Cell,
    pub(super) to: Cell,
    pub(super) shortfall: Option<FailReason>,
}

/// The cell to go to instead of to the goal's cell, and why it falls short of the goal, if it does.
pub(super) type Substitute = (Option<Cell>, Option<FailReason>);

/// Everything that a [`Substitute`] depends on.
#[derive(PartialEq)]
pub(super) struct SubstituteKey {
    order: NavOrder,
    region: RegionId,
}

impl SubstituteKey {
    pub(super) fn new(trip: &Trip, region: RegionId) -> Self {
        let order = NavOrder {
            revision: 0,
            target: None,
            ..trip.order
        };
        Self { order, region }
    }
}

/// The cell of `region` to go to if the goal's cell is not in `region` for `reason`. The first of these that exists:
///
/// 1. a cell from which the whole body can go straight onto the goal;
/// 2. for a trip with reach 0, a cell beside the goal, as near as a corner allows;
/// 3. a cell within reach of the goal and with a clear line to it;
/// 4. a cell at the rim of the obstacle that contains the goal, if reaching the rim is enough;
/// 5. a cell beside the goal, or the nearest cell. Only this one falls short of the goal.
pub(super) fn substitute(
    snapshot: &NavSnapshot,
    layers: &BodyLayers,
    trip: &Trip,
    (goal_cell, region): (Cell, RegionId),
    reason: FailReason,
) -> Substitute {
    let layout = snapshot.layout();
    let goal = Surroundings {
        snapshot,
        point: trip.order.goal,
        own: goal_cell,
        body: trip.order.body(),
    };
    let usable = |cell| layers.regions().region(cell) == Some(region);
    // A path ends at the center of a cell, so half a cell is added to the reach.
    let reach = trip.order.reach + 0.5 * layout.cell_size();
    let is_near = |cell: &Cell| layout.center(*cell).distance(trip.order.goal) <= reach;
    let around = goal.cells(usable, trip.order.radius);
    let beside = goal.in_sight(&around);
    if reason == FailReason::GoalBlocked {
        // The body may fit on the goal itself, though not on the center of its cell.
        let is_allowed = !snapshot.is_forbidden(goal.point, goal.body.class);
        let whole = around
            .iter()
            .find(|cell| is_allowed && goal.is_beside(**cell));
        if let Some(cell) = whole {
            return (Some(*cell), None);
        }
        // The goal is too near to a wall for the body. Without a reach, the body goes as near as it fits.
        let room = CORNER_RADII * trip.order.radius + layout.cell_size();
        let fits_near = |cell: &Cell| layout.center(*cell).distance(trip.order.goal) <= room;
        if trip.order.reach == 0.0 && beside.is_some_and(|cell| fits_near(&cell)) {
            return (beside, None);
        }
    }
    if reason != FailReason::GoalOutside {
        if beside.is_some_and(|cell| is_near(&cell)) {
            return (beside, None);
        }
        let (width, needs_sight) = (LINE_FRACTION * goal.body.radius, trip.order.needs_sight);
        let sees = |from: Vec2| match needs_sight {
            true => snapshot.sees(from, goal.point, width),
            false => snapshot.is_open(from, goal.point, width),
        };
        let in_line = |cell: &Cell| is_near(cell) && sees(layout.center(*cell));
        if let Some(cell) = goal.find_in_reach(trip.order.reach, usable, in_line) {
            return (Some(cell), None);
        }
    }
    let nearest = layers.regions().nearest_in(region, goal_cell);
    if reason == FailReason::GoalBlocked {
        let rim = around.first().copied().or(nearest);
        if rim.is_some_and(|cell| is_at_rim(snapshot, trip, layout.center(cell))) {
            return (rim, None);
        }
    }
    (beside.or(nearest), Some(reason))
}

/// The first cell of `region` on the straight line from the goal to the start, so that no agent walks around the goal's
/// obstacle in vain. `nearest` if that cell is much farther from the goal than `nearest`.
pub(super) fn near_rim(
    snapshot: &NavSnapshot,
    layers: &BodyLayers,
    trip: &Trip,
    (nearest, region): (Cell, RegionId),
) -> Cell {
    let layout = snapshot.layout();
    let sample = 0.5 * layout.cell_size();
    let away = layout.center(nearest).distance(trip.order.goal);
    let farthest = MAX_RIM_DISTANCE_RATIO * away + 4.0 * sample;
    let way = (trip.start - trip.order.goal).clamp_length_max(farthest);
    let samples = (way.length() / sample).ceil().clamp(1.0, 4096.0);
    let points = (0..=samples as u32).map(|n| trip.order.goal + way * (n as f32 / samples));
    let mut cells = points.filter_map(|point| layout.cell_at(point));
    let near = cells.find(|cell| layers.regions().region(*cell) == Some(region));
    near.unwrap_or(nearest)
}

/// Maximum distance of the near rim from the goal, as a multiple of the distance of the nearest cell.
const MAX_RIM_DISTANCE_RATIO: f32 = 1.25;

/// Distance between the corner of a room and the center of a body that touches both walls, in body radii.
const CORNER_RADII: f32 = std::f32::consts::SQRT_2;

/// Minimum distance to obstacles at which a point is treated as free ground, in cells.
const MIN_OPEN_CELLS: f32 = 0.3;

/// Whether the goal lies inside an obstacle, and a path that ends at `end`, at the rim of the obstacle, reaches the
/// goal.
fn is_at_rim(snapshot: &NavSnapshot, trip: &Trip, end: Vec2) -> bool {
    // A path ends at the center of a cell, so half a cell is added to the reach.
    let reach = trip.order.reach + 0.5 * snapshot.layout().cell_size();
    let is_near = trip.order.to_rim || end.distance(trip.order.goal) <= reach;
    // If the goal must be in sight, the obstacle is in the way.
    is_near
        && !trip.order.needs_sight
        && (trip.order.goal_kind == GoalKind::Body
            || !snapshot.free(trip.order.goal, LINE_FRACTION * trip.order.radius))
        && is_rim(snapshot, end, trip.order.goal)
}

/// Whether a path that ends at `end` ends at its goal, apart from rounding.
pub(super) fn is_goal(snapshot: &NavSnapshot, goal: Vec2, end: Vec2) -> bool {
    let rounding = 4.0 * f32::EPSILON * goal.abs().max_element();
    let far = (1e-3 * snapshot.layout().cell_size()).max(rounding);
    end.distance(goal) <= far
}

/// Whether a path that ends at `end`, in the goal's own cell, leads to the goal.
pub(super) fn ends_beside_goal(snapshot: &NavSnapshot, trip: &Trip, end: Vec2) -> bool {
    snapshot.is_open(end, trip.order.goal, LINE_FRACTION * trip.order.radius)
        || is_at_rim(snapshot, trip, end)
}

/// Whether a path that ends at the center of the goal's cell leads to the goal.
pub(super) fn leads_to_goal(snapshot: &NavSnapshot, trip: &Trip, cell: Cell) -> bool {
    let center = snapshot.layout().center(cell);
    snapshot.is_open_to_center(trip.order.goal, cell, LINE_FRACTION * trip.order.radius)
        || is_goal(snapshot, trip.order.goal, center)
        || is_at_rim(snapshot, trip, center)
}

/// Whether the straight line from `from` to `goal` enters an obstacle once and stays inside up to the goal.
fn is_rim(snapshot: &NavSnapshot, from: Vec2, goal: Vec2) -> bool {
    let cell_size = snapshot.layout().cell_size();
    let samples = (4.0 * from.distance(goal) / cell_size).ceil().min(4096.0) as u32;
    let mut is_inside = false;
    for sample in 0..=samples {
        let point = from.lerp(goal, sample as f32 / samples.max(1) as f32);
        let is_open = snapshot.clearance_at(point) >= MIN_OPEN_CELLS * cell_size;
        if is_inside && is_open {
            return false;
        }
        is_inside = !is_open;
    }
    is_inside
}

/// Maximum distance from a goal at which a cell with a clear line to the goal is searched for, in cells.
const MAX_SIGHT_DISTANCE_CELLS: f32 = 32.0;
/// Maximum number of cells that are tried for a clear line to a goal.
const MAX_SIGHT_CELLS: usize = 1024;

/// The cells around a point. A body pressed against a wall may be in a cell at whose center it does not fit, so it has
/// to enter the grid at another cell.
pub(super) struct Surroundings<'a> {
    pub(super) snapshot: &'a NavSnapshot,
    pub(super) point: Vec2,
    /// The cell that contains the point.
    pub(super) own: Cell,
    pub(super) body: NavBody,
}

impl Surroundings<'_> {
    /// The nearest usable cell that is not ahead in the direction `ahead`, and to which the body can go straight.
    pub(super) fn entry_behind(
        &self,
        ahead: Vec2,
        is_usable: impl Fn(Cell) -> bool,
    ) -> Option<Cell> {
        let layout = self.snapshot.layout();
        let is_behind = |cell: &Cell| (layout.center(*cell) - self.point).dot(ahead) <= 0.0;
        let cells = self.cells(is_usable, self.body.radius).into_iter();
        cells.filter(is_behind).find(|cell| self.is_beside(*cell))
    }

    /// The cell where a body at the point enters the grid. If the body was pushed into a wall, this is the nearest
    /// usable cell.
    pub(super) fn entry(&self, is_usable: impl Fn(Cell) -> bool) -> Option<Cell> {
        if is_usable(self.own) && self.is_beside(self.own) {
            return Some(self.own);
        }
        let cells = self.cells(is_usable, self.body.radius);
        self.in_sight(&cells).or(cells.first().copied())
    }

    /// Whether the body can go straight from the point to the cell's center.
    fn is_beside(&self, cell: Cell) -> bool {
        let center = self.snapshot.layout().center(cell);
        (self.snapshot).is_open_to_center(self.point, cell, self.body.radius)
            && !(self.snapshot).enters_forbidden(self.point, center, self.body.class)
    }

    /// Whether no wall separates the point from the cell's center.
    fn sees(&self, cell: Cell) -> bool {
        let width = LINE_FRACTION * self.body.radius;
        self.snapshot.is_open_to_center(self.point, cell, width)
    }

    /// The nearest usable cell within `reach` world units that fits.
    fn find_in_reach(
        &self,
        reach: f32,
        is_usable: impl Fn(Cell) -> bool,
        fits: impl Fn(&Cell) -> bool,
    ) -> Option<Cell> {
        if reach <= self.body.radius {
            return None;
        }
        let max_reach = MAX_SIGHT_DISTANCE_CELLS * self.snapshot.layout().cell_size();
        let cells = self.cells(is_usable, reach.min(max_reach));
        cells.into_iter().take(MAX_SIGHT_CELLS).find(fits)
    }

    /// The usable cells within about `reach` world units of the point, nearest first.
    fn cells(&self, is_usable: impl Fn(Cell) -> bool, reach: f32) -> Vec<Cell> {
        let layout = self.snapshot.layout();
        let reach = (reach / layout.cell_size()).ceil() as u32 + 1;
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

    /// The first of `cells` to which the whole body can go straight, else the first that no wall separates from the
    /// point.
    fn in_sight(&self, cells: &[Cell]) -> Option<Cell> {
        let beside = cells.iter().find(|cell| self.is_beside(**cell));
        let first = beside.or_else(|| cells.iter().find(|cell| self.sees(**cell)));
        first.copied()
    }
}
