//! Answers questions about a snapshot for a class of agents: which ground the class may not enter, and where straight
//! lines are cheap.

use bevy::math::Vec2;
use pursuit::{Cell, FieldSample, FlowField};

use super::baked::{LINE_FRACTION, NavSnapshot};
use crate::agent::NavBody;
use crate::ground::{AreaId, ClassId};

/// Agents walk straight over a distance of at most this many cells, even if the map has cheaper ground elsewhere. Over
/// such a distance, a search for a road takes more time than it saves.
const MAX_STRAIGHT_CELLS: f32 = 16.0;

/// Distance by which rounding may move an agent into a forbidden cell, in cells.
const ROUNDING_CELLS: f32 = 2e-4;

/// The discs around both ends of a step prove that no wall is between the ends only if the step is shorter than this
/// fraction of the sum of their radii. Where a thin wall is between the ends, rounding may let the discs overlap.
const DISC_FRACTION: f32 = 0.999;

/// The center and the corners of a square with the side 2.
const AROUND: [Vec2; 5] = [
    Vec2::ZERO,
    Vec2::NEG_ONE,
    Vec2::new(-1.0, 1.0),
    Vec2::new(1.0, -1.0),
    Vec2::ONE,
];

impl NavSnapshot {
    /// Like [`can_go_straight`](Self::can_go_straight), but only if a path over cells would hardly be cheaper than the
    /// line. The line may cost about as much as a line over the map's cheapest ground for the body's class. A line of
    /// at most [`MAX_STRAIGHT_CELLS`] may also cost as much as if all of it were on the ground of its cheaper end.
    /// A body of `room` times the radius has to fit along the line.
    pub(crate) fn should_go_straight(
        &self,
        from: Vec2,
        to: Vec2,
        body: impl Into<NavBody>,
        room: f32,
    ) -> bool {
        let body = body.into();
        if self.is_even(body.class) {
            return self.can_go_straight(from, to, body, room);
        }
        let [from, to] = [from, to].map(|position| self.layout().to_cell_space(position));
        let least = self.map().least_cost(from, to, body.class.0);
        let ends = [from, to].map(|end| self.map().cost_at(end, body.class.0).unwrap_or(0.0));
        let local = ends[0].min(ends[1]) * from.distance(to);
        let is_near = from.distance(to) <= MAX_STRAIGHT_CELLS;
        let max_cost = if is_near { least.max(local) } else { least };
        let body = self.in_cells_of(body.scaled(room));
        self.map().can_go_straight_within(from, to, body, max_cost)
    }

    /// Whether all ground has the same cost for a class.
    pub(crate) fn is_even(&self, class: ClassId) -> bool {
        self.map().is_even(class.0)
    }

    /// Whether a position is in a cell that is forbidden to a class.
    pub(crate) fn is_forbidden(&self, position: Vec2, class: ClassId) -> bool {
        self.map()
            .is_forbidden(self.layout().to_cell_space(position), class.0)
    }

    /// The area at `position`, if the ground is forbidden to a class there and at all four corners of a square around
    /// it with the side `2 * depth`.
    pub(crate) fn forbidden_area(
        &self,
        position: Vec2,
        class: ClassId,
        depth: f32,
    ) -> Option<AreaId> {
        let mut places = AROUND.iter().map(|&corner| position + depth * corner);
        if !places.all(|place| self.is_forbidden(place, class)) {
            return None;
        }
        self.area_at(position)
    }

    /// The area at a position. `None` outside of the grid.
    pub(crate) fn area_at(&self, position: Vec2) -> Option<AreaId> {
        let cell = self.layout().cell_at(position)?;
        let areas = self.map().areas();
        Some(areas.map_or(AreaId::PLAIN, |areas| AreaId(areas.area(cell))))
    }

    /// The cells of a body's shortest path out of ground that is forbidden to its class.
    pub(crate) fn escape_path(&self, position: Vec2, body: NavBody) -> Vec<Cell> {
        let point = self.layout().to_cell_space(position);
        self.map().escape_path(point, self.in_cells_of(body))
    }

    /// Where a field leads a body from a position. If there is a field `around` other agents, that field is used where
    /// agents are in the way. [`FieldSample::remaining`] is always measured along `field`. Lengths are in world units.
    /// `None` if no cell near the position has a path to the goal.
    pub(crate) fn sample_field(
        &self,
        (field, around): (&FlowField, Option<&FlowField>),
        position: Vec2,
        body: impl Into<NavBody>,
    ) -> Option<FieldSample> {
        let point = self.layout().to_cell_space(position);
        let cell = self.layout().cell_size();
        let (map, body) = (self.map(), self.in_cells_of(body.into()));
        let way = match around {
            Some(around) => map.sample_around((field, around), point, body),
            None => map.sample_field(field, point, body),
        }?;
        Some(FieldSample {
            remaining: way.remaining * cell,
            clear_distance: way.clear_distance * cell,
            ..way
        })
    }

    /// Cost of a straight line for a class, in cells of plain ground. `None` if the line enters a cell that is
    /// forbidden to the class.
    pub(crate) fn line_cost(&self, from: Vec2, to: Vec2, class: ClassId) -> Option<f32> {
        let [from, to] = [from, to].map(|position| self.layout().to_cell_space(position));
        self.map().line_cost(from, to, class.0)
    }

    /// Whether the line from `from` to `to` enters a cell that is forbidden to a class. A body that stands in forbidden
    /// cells may leave them.
    pub(crate) fn enters_forbidden(&self, from: Vec2, to: Vec2, class: ClassId) -> bool {
        self.line_cost(from, to, class).is_none()
    }

    /// The part of a step that stays out of the cells forbidden to a class: the whole step, else its part along one
    /// axis, else zero. A body that stands in a forbidden cell makes the whole step, unless rounding put it there.
    pub(crate) fn keep_out(&self, from: Vec2, step: Vec2, class: ClassId) -> Vec2 {
        if self.is_even(class) || step == Vec2::ZERO {
            return step;
        }
        let rounding = ROUNDING_CELLS * self.layout().cell_size();
        let mut around = AROUND.iter().map(|&corner| from + rounding * corner);
        let Some(start) = around.find(|&place| !self.is_forbidden(place, class)) else {
            return step;
        };
        whole_or_along_axis(step, |part| {
            !self.enters_forbidden(start, from + *part, class)
        })
    }

    /// `velocity`, in world units per second, or the part of it that enters no forbidden ground within a tick of `dt`
    /// seconds.
    pub(crate) fn allowed_velocity(
        &self,
        from: Vec2,
        (velocity, dt): (Vec2, f32),
        class: ClassId,
    ) -> Vec2 {
        let kept = self.keep_out(from, velocity * dt, class);
        // A velocity that is computed again differs by rounding, and the driver compares it with `proven_velocity`
        // without tolerance.
        if kept == velocity * dt {
            return velocity;
        }
        kept / dt
    }

    /// The part of a step that keeps the body clear of walls and out of forbidden ground: the whole step, else its part
    /// along one axis, else zero.
    ///
    /// A body that is already too close to a wall may not come closer to a wall.
    pub(crate) fn slide_along_walls(&self, body: NavBody, position: Vec2, wanted: Vec2) -> Vec2 {
        let wanted = self.keep_out(position, wanted, body.class);
        // This is the most common case. The test is cheap: it reads one or two bytes.
        if self.can_go_straight(position, position + wanted, body, 1.0) {
            return wanted;
        }
        let here = self.clearance_at(position);
        let planned = self.radius_cells(body.radius) * self.layout().cell_size();
        let enough = planned.min(here);
        let fits = |part: &Vec2| {
            let there = position + *part;
            if self.keep_out(position, *part, body.class) != *part {
                return false;
            }
            let clear = self.clearance_at(there);
            // If the free discs around both ends overlap, no wall is between the ends, not even a thin one. Inside a wall
            // and next to it, no free disc is known.
            let is_near = here <= 0.0 || part.length() < DISC_FRACTION * (here + clear);
            let crosses_none = is_near || self.is_open(position, there, LINE_FRACTION * here);
            (crosses_none && clear >= enough) || self.is_open(position, there, body.radius)
        };
        whole_or_along_axis(wanted, fits)
    }
}

/// The first part of a step that fits: the whole step, else its part along one axis, else zero.
fn whole_or_along_axis(step: Vec2, fits: impl FnMut(&Vec2) -> bool) -> Vec2 {
    let parts = [step, Vec2::new(step.x, 0.0), Vec2::new(0.0, step.y)];
    parts.into_iter().find(fits).unwrap_or(Vec2::ZERO)
}
