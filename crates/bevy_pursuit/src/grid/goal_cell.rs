//! Finds the cell to which a path or a field leads if the goal's cell is blocked or out of reach, and the cell where a
//! body enters the grid. All functions are pure.

use bevy::math::Vec2;
use pursuit::{Cell, CellRect, RegionId};

use super::{BodyLayers, LINE_FRACTION, NavSnapshot};
use crate::agent::{FailReason, GoalKind, NavBody, NavOrder};

/// Distance between the corner of a room and the center of a body that touches both walls, in body radii.
const CORNER_RADII: f32 = std::f32::consts::SQRT_2;

/// Minimum distance to obstacles at which a point is treated as free ground, in cells.
const MIN_OPEN_CELLS: f32 = 0.3;

/// Maximum distance from a goal at which a cell with a clear line to the goal is searched for, in cells.
const MAX_SIGHT_DISTANCE_CELLS: f32 = 32.0;
/// Maximum number of cells that are tried for a clear line to a goal.
const MAX_SIGHT_CELLS: usize = 1024;

/// The cell to go to instead of the goal's cell. The reason is `None` if reaching that cell counts as reaching the
/// goal.
pub(crate) type Substitute = (Option<Cell>, Option<FailReason>);

/// The cell of `region` to go to if, for `reason`, the goal's cell is not in `region`. Returns the first of these cells
/// that exists:
///
/// 1. a cell from which the whole body can go straight onto the goal;
/// 2. for an order with reach 0, a cell beside the goal, as near as a corner allows;
/// 3. a cell within reach of the goal and with a clear line to it;
/// 4. a cell at the rim of the obstacle that contains the goal, if reaching the rim is enough;
/// 5. a cell beside the goal, or the nearest cell. Only this choice falls short of the goal.
pub(crate) fn substitute(
    snapshot: &NavSnapshot,
    layers: &BodyLayers,
    order: &NavOrder,
    (goal_cell, region): (Cell, RegionId),
    reason: FailReason,
) -> Substitute {
    let layout = snapshot.layout();
    let goal = snapshot.around(order.goal, goal_cell, order.body());
    let usable = |cell| layers.regions().region(cell) == Some(region);
    // A path ends at the center of a cell, so half a cell is added to the reach.
    let reach = order.reach + 0.5 * layout.cell_size();
    let is_near = |cell: &Cell| layout.center(*cell).distance(order.goal) <= reach;
    let around = goal.cells(usable, order.radius);
    let beside = goal.in_sight(&around);
    if reason == FailReason::GoalBlocked {
        // The body may fit on the goal itself, though not on the center of its cell.
        let is_allowed = !snapshot.is_forbidden(goal.point, goal.body.class);
        let is_whole = |cell: &&Cell| is_allowed && goal.is_beside(**cell);
        if let Some(cell) = around.iter().find(is_whole) {
            return (Some(*cell), None);
        }
        // The goal is too near to a wall for the body. With a reach of 0, the body goes as near as it fits.
        let room = CORNER_RADII * order.radius + layout.cell_size();
        let fits_near = |cell: &Cell| layout.center(*cell).distance(order.goal) <= room;
        if order.reach == 0.0 && beside.is_some_and(|cell| fits_near(&cell)) {
            return (beside, None);
        }
    }
    if reason != FailReason::GoalOutside {
        if beside.is_some_and(|cell| is_near(&cell)) {
            return (beside, None);
        }
        let (width, needs_sight) = (LINE_FRACTION * goal.body.radius, order.needs_sight);
        let sees = |from: Vec2| match needs_sight {
            true => snapshot.sees(from, goal.point, width),
            false => snapshot.is_open(from, goal.point, width),
        };
        let in_line = |cell: &Cell| is_near(cell) && sees(layout.center(*cell));
        if let Some(cell) = goal.find_in_reach(order.reach, usable, in_line) {
            return (Some(cell), None);
        }
    }
    let nearest = layers.regions().nearest_in(region, goal_cell);
    if reason == FailReason::GoalBlocked {
        let rim = around.first().copied().or(nearest);
        if rim.is_some_and(|cell| is_at_rim(snapshot, order, layout.center(cell))) {
            return (rim, None);
        }
    }
    (beside.or(nearest), Some(reason))
}

/// The cell to which a field leads, wherever agents start: the goal's cell if it is free, or else its [`substitute`] in
/// the region in which a body at the goal would enter the grid.
pub(crate) fn goal_of_field(
    snapshot: &NavSnapshot,
    layers: &BodyLayers,
    (goal, body): (Vec2, NavBody),
) -> Option<Cell> {
    let own = snapshot.layout().cell_clamped(goal)?;
    let is_free = |cell| layers.grid().is_free(cell);
    if is_free(own) {
        return Some(own);
    }
    let around = snapshot.around(goal, own, body);
    let nearest = || layers.nearest_free(snapshot.layout().to_cell_space(goal));
    let entry = around.entry(is_free).or_else(nearest)?;
    let region = layers.regions().region(entry)?;
    let order = NavOrder {
        goal,
        radius: body.radius,
        class: body.class,
        to_rim: true,
        ..NavOrder::default()
    };
    let reason = FailReason::GoalBlocked;
    substitute(snapshot, layers, &order, (own, region), reason).0
}

/// Whether the goal lies inside an obstacle, and a path that ends at `end`, at the rim of the obstacle, reaches the
/// goal.
pub(crate) fn is_at_rim(snapshot: &NavSnapshot, order: &NavOrder, end: Vec2) -> bool {
    // A path ends at the center of a cell, so half a cell is added to the reach.
    let reach = order.reach + 0.5 * snapshot.layout().cell_size();
    let is_near = order.to_rim || end.distance(order.goal) <= reach;
    // If the goal must be in sight, the obstacle is in the way.
    is_near
        && !order.needs_sight
        && (order.goal_kind == GoalKind::Body
            || !snapshot.free(order.goal, LINE_FRACTION * order.radius))
        && is_rim(snapshot, end, order.goal)
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

/// The cells around a point. A body that is pressed against a wall may be in a cell at whose center it does not fit, so
/// the body has to enter the grid at another cell.
pub(crate) struct Surroundings<'a> {
    snapshot: &'a NavSnapshot,
    point: Vec2,
    /// The cell that contains the point.
    own: Cell,
    body: NavBody,
}

impl NavSnapshot {
    /// The cells around `point`, for `body`. `own` is the cell that contains the point.
    pub(crate) fn around(&self, point: Vec2, own: Cell, body: NavBody) -> Surroundings<'_> {
        Surroundings {
            snapshot: self,
            point,
            own,
            body,
        }
    }
}

impl Surroundings<'_> {
    /// The nearest usable cell to which the body can go straight, and which does not lie in the direction `ahead`.
    pub(crate) fn entry_behind(
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
    pub(crate) fn entry(&self, is_usable: impl Fn(Cell) -> bool) -> Option<Cell> {
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

    /// The nearest usable cell within `reach` world units for which `fits` is true. At most [`MAX_SIGHT_CELLS`] cells
    /// are tried. `None` if `reach` is within the body's radius, because the caller has tried these cells already.
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
        let own = CellRect::new(self.own, self.own.offset(1, 1));
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
