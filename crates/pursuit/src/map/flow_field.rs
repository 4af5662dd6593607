//! Flow fields on the layers of a body.

use glam::Vec2;

use super::body::Body;
use super::layers::BodyLayers;
use super::nav_map::NavMap;
use crate::cancel::Cancel;
use crate::cell::{Cell, DiagonalPolicy, NEIGHBORS, floor};
use crate::clearance::FIT_TOLERANCE_CELLS;
use crate::cost::STRAIGHT;
use crate::flow::{FieldBounds, FieldError, FlowField, IntegrationField, Occupancy};
use crate::steer::closest_on_segment;

impl FlowField {
    /// Builds the complete field of a body toward seeds. A seed is a goal and the cost that is added to every path to
    /// this goal. Seeds that are blocked or outside the bounds are ignored.
    ///
    /// The build uses the memory of `scratch`. The costs move from `scratch` to the field, so afterwards `scratch` has
    /// no cells.
    ///
    /// ```
    /// use pursuit::glam::Vec2;
    /// use pursuit::maps::parse_ascii;
    /// use pursuit::{Cancel, DiagonalPolicy, FieldBounds, FlowField, IntegrationField, NavMap, STRAIGHT};
    ///
    /// let level = parse_ascii("S......\n.......\n###....\nH......")?;
    /// let [goal, hidden] = ['S', 'H'].map(|mark| level.find(mark).expect("a mark"));
    /// let map = NavMap::new(&level.grid, 2.0, DiagonalPolicy::NoCornerCut);
    /// let (layers, all) = (map.layers(0.4), FieldBounds::default());
    /// let mut scratch = IntegrationField::new();
    /// let field = FlowField::build(&layers, &[(goal, 0)], all, &mut scratch, Cancel::NEVER)?;
    ///
    /// assert_eq!(field.cost(goal.offset(5, 0)), Some(5 * STRAIGHT));
    /// assert_eq!(field.direction(hidden), Some(Vec2::X));
    /// assert!(!field.can_go_straight(hidden) && field.can_go_straight(goal.offset(5, 1)));
    /// assert!(field.is_of(&layers));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FieldError::Cancelled`] if `cancel` ends the work.
    pub fn build(
        layers: &BodyLayers,
        seeds: &[(Cell, u32)],
        bounds: FieldBounds,
        scratch: &mut IntegrationField,
        cancel: Cancel<'_>,
    ) -> Result<Self, FieldError> {
        let grid = layers.grid();
        scratch.start_from(grid, seeds, bounds, layers.diagonals(), cancel)?;
        let looks = (is_clear(layers), true);
        Self::of(scratch, grid, seeds, looks, cancel)
    }

    /// A field that leads newcomers to the free cells around a goal at which other bodies have already arrived. Cells
    /// that are full of standing bodies are walls. Each cell beside a full cell is a goal. Its seed costs three times
    /// as much as its path along `self`, so that newcomers also fill the far side. Jammed cells cost ten times as much,
    /// but at most 255, so that the last bodies take another door if that is faster.
    ///
    /// On the new field, [`can_go_straight`](Self::can_go_straight) is `false` everywhere. `layers` must be the layers
    /// that `self` was built on. The idea is from Treuille, Cooper and Popović, Continuum Crowds (2006), but without
    /// densities: a cell is full, jammed or free.
    ///
    /// # Errors
    ///
    /// [`FieldError::Cancelled`] if `cancel` ends the work.
    pub fn around(
        &self,
        layers: &BodyLayers,
        occupancy: Occupancy<'_>,
        scratch: &mut IntegrationField,
        cancel: Cancel<'_>,
    ) -> Result<Self, FieldError> {
        let grid = layers.grid();
        let places = self.places(occupancy.full_cells, PRICE_FACTOR);
        let (from, policy) = ((&places[..], FieldBounds::default()), layers.diagonals());
        scratch.start_around(grid, from, occupancy, policy, cancel)?;
        Self::of(scratch, grid, &places, (is_clear(layers), false), cancel)
    }

    /// Whether the field was built on exactly these layers, without edits since then. Rebuilt layers are different,
    /// even if their cells are the same.
    #[must_use]
    pub fn is_of(&self, layers: &BodyLayers) -> bool {
        self.is_of_grid(layers.grid())
    }
}

/// Price of a cell beside a standing body, in multiples of the remaining cost of the cell. With a greater factor,
/// newcomers go farther around to come nearer. With a smaller one, they stand on the side from which they come.
const PRICE_FACTOR: u32 = 3;

/// Number of steps that a body looks ahead along a field.
const LOOK_AHEAD_STEPS: usize = 6;

/// Where a body joins the line from a cell to the next one, in steps from the first cell.
const JOIN_STEPS: f32 = 0.5;

/// A sample of a field: where it leads from a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldSample {
    /// The direction to go: a unit vector in cell space, zero at the goal.
    pub heading: Vec2,
    /// Remaining distance along the field, in cells of plain ground. It decreases along the way, even within one cell.
    pub remaining: f32,
    /// Distance along the heading up to which the body is proven to fit, in cells. 0 if nothing is proven.
    pub clear_distance: f32,
}

impl NavMap {
    /// Samples the field of a body at any point. `None` if no cell around the point has a path.
    ///
    /// If the goal is visible, the sample leads straight to it. Otherwise it leads to the farthest of a few points
    /// along the field that the body can reach in a straight line. So bodies walk side by side through a door that is
    /// one cell wide in the field but has room for two bodies. If no such point can be reached, the sample leads to the
    /// next cell.
    #[must_use]
    pub fn sample_field(
        &self,
        field: &FlowField,
        point: Vec2,
        body: impl Into<Body>,
    ) -> Option<FieldSample> {
        let (cell, body) = (self.known_at(field, point)?, body.into());
        let (step, cost) = (field.direction(cell)?, self.plain_cost(field, cell)?);
        let remaining = self.remaining_beside(field, point, (cell, step, cost));
        let to = |end: Vec2, is_clear: bool| FieldSample {
            heading: (end - point).normalize_or_zero(),
            remaining,
            clear_distance: if is_clear { end.distance(point) } else { 0.0 },
        };
        let is_open = |end: Vec2| {
            let saved = cost - self.plain_cost(field, Cell::at(end)).unwrap_or(cost);
            self.can_go_straight_within(point, end, body, saved + 1.0)
        };
        let goal = field.goals().first().map(|(goal, _)| goal.center());
        if let Some(goal) = goal.filter(|goal| field.can_go_straight(cell) && is_open(*goal)) {
            return Some(to(goal, true));
        }
        let mut ahead = [point; LOOK_AHEAD_STEPS + 1];
        let (mut steps, mut on) = (0, step);
        while steps < LOOK_AHEAD_STEPS && on != Vec2::ZERO {
            ahead[steps + 1] = ahead[steps] + on;
            steps += 1;
            on = field.direction(Cell::at(ahead[steps])).unwrap_or_default();
        }
        // The line from the center of a cell to the next center is proven. The body joins this line farther on.
        let on_line = closest_on_segment(cell.center(), cell.center() + step, point);
        let tries = [ahead[steps], ahead[steps / 2], ahead[1.min(steps)]];
        let open = tries.into_iter().find(|end| *end != point && is_open(*end));
        let joined = || to(on_line + JOIN_STEPS * step, false);
        Some(open.map_or_else(joined, |end| to(end, true)))
    }

    /// Remaining distance from a point in or beside a cell, in cells of plain ground.
    fn remaining(&self, field: &FlowField, point: Vec2, cell: Cell) -> Option<f32> {
        let (step, cost) = (field.direction(cell)?, self.plain_cost(field, cell)?);
        Some(self.remaining_beside(field, point, (cell, step, cost)))
    }

    /// Does the work of [`remaining`](Self::remaining) if the step and the cost of the cell are known.
    fn remaining_beside(
        &self,
        field: &FlowField,
        point: Vec2,
        (cell, step, cost): (Cell, Vec2, f32),
    ) -> f32 {
        let along_step = || cost - step.dot(point - cell.center());
        let between = self.cost_between(field, point);
        between.unwrap_or_else(along_step).max(0.0)
    }

    /// Cost of the path from a point, interpolated between the four cell centers around the point, so that the cost
    /// falls along the path within a cell. `None` if one of the four cells has no path.
    fn cost_between(&self, field: &FlowField, point: Vec2) -> Option<f32> {
        let [x, y] = point.as_dvec2().to_array().map(floor);
        let corner = Cell::new(x, y);
        let t = point - corner.center();
        let costs = field.costs_of_square(corner)?;
        let [a, b, c, d] = costs.map(|cost| self.in_cells(cost));
        let low = a * (1.0 - t.x) + b * t.x;
        let high = c * (1.0 - t.x) + d * t.x;
        Some(low * (1.0 - t.y) + high * t.y)
    }

    /// Samples two fields for a newcomer at any point. The field [around](FlowField::around) other bodies is used if it
    /// has a path from the point and other bodies are in the way. Otherwise the plain field is used.
    /// [`FieldSample::remaining`] is always measured along the plain field, so that the order of agents does not depend
    /// on which field they follow.
    #[must_use]
    pub fn sample_around(
        &self,
        (plain, around): (&FlowField, &FlowField),
        point: Vec2,
        body: impl Into<Body>,
    ) -> Option<FieldSample> {
        let (body, own) = (body.into(), Cell::at(point));
        if around.cost(own) == plain.cost(own) {
            return self.sample_field(plain, point, body);
        }
        let leads_on = around.direction(own).is_some_and(|step| step != Vec2::ZERO);
        let on = || self.sample_field(around, point, body);
        let Some(on) = leads_on.then(on).flatten() else {
            return self.sample_field(plain, point, body);
        };
        let remaining = self.remaining(plain, point, self.known_at(plain, point)?)?;
        Some(FieldSample { remaining, ..on })
    }

    /// Cost of the path from a cell, in cells of plain ground.
    fn plain_cost(&self, field: &FlowField, cell: Cell) -> Option<f32> {
        field.cost(cell).map(|cost| self.in_cells(cost))
    }

    fn in_cells(&self, cost: u32) -> f32 {
        let cell_of_plain = f64::from(STRAIGHT) * f64::from(self.ground.unit());
        (f64::from(cost) / cell_of_plain) as f32
    }

    /// The cell of a point if it has a path, otherwise a neighbor that has one.
    fn known_at(&self, field: &FlowField, point: Vec2) -> Option<Cell> {
        let own = Cell::at(point);
        match field.cost(own) {
            Some(_) => Some(own),
            None => self.known_beside(field, point),
        }
    }

    /// The nearest neighbor of a point's cell that has a path and is not behind a wall.
    fn known_beside(&self, field: &FlowField, point: Vec2) -> Option<Cell> {
        let own = Cell::at(point);
        let beside = NEIGHBORS.iter().map(|(x, y)| own.offset(*x, *y));
        let known = beside.filter(|cell| field.cost(*cell).is_some());
        let open = known.filter(|cell| self.line_of_sight(point, cell.center(), 0.0));
        open.min_by(|a, b| {
            let [a, b] = [a, b].map(|cell| cell.center().distance_squared(point));
            a.total_cmp(&b)
        })
    }
}

/// Whether a body fits everywhere in the square between four cells that are free. An obstacle in there would be too
/// near to one of the steps between them: they leave room for a circle with a radius of 0.207, without diagonal
/// ones of 0.5.
fn is_clear(layers: &BodyLayers) -> bool {
    let room = match layers.diagonals() {
        DiagonalPolicy::Never => 0.501,
        _ => 0.2072,
    };
    layers.radius() - FIT_TOLERANCE_CELLS > room
}
