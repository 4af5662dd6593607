//! The walls that a crowd checks.

use std::fmt;

use glam::Vec2;

use crate::cell::Cell;
use crate::clearance::FIT_TOLERANCE_CELLS;
use crate::layout::Layout;
use crate::map::NavMap;
use crate::sight;

/// The obstacles that stop the members of a crowd. Positions and lengths are in the units of the crowd.
pub trait CrowdWalls: Sync {
    /// The radius with which the walls of a ground are checked for a body of this radius, which includes its
    /// [margin](super::Member::margin). It is worked out once for each member, and passed to the other functions.
    fn planned_radius(&self, ground_id: u32, radius: f32) -> f32 {
        let _ = ground_id;
        radius
    }

    /// A position near `to` at which a body of this radius probably fits: `to`, moved away from walls that are
    /// too close. It is `to` itself if no wall is near. Only [`confine`](Self::confine) proves that a body fits.
    fn push_out(&self, ground_id: u32, radius: f32, to: Vec2) -> Vec2;

    /// Where a body ends up when it wants to move from `from` to `to`: a position to which a way without contact to
    /// any obstacle is proven. If there is such a proof for no other position, the result is `from`.
    fn confine(&self, ground_id: u32, radius: f32, from: Vec2, to: Vec2) -> Vec2;

    /// Distance that a body of this radius may move from `at`, in any direction, without a check of walls. It is
    /// less than the distance at which the body would touch a wall, or 0. A move within this distance is not
    /// [confined](Self::confine).
    fn room(&self, ground_id: u32, radius: f32, at: Vec2) -> f32 {
        let _ = (ground_id, radius, at);
        0.0
    }

    /// Whether walls also stop members without neighbors. If not, such a member moves as it wants, and the game
    /// should ignore its result: see [`CrowdMemory::has_neighbors`](super::CrowdMemory::has_neighbors). If most
    /// members are alone, `false` saves a third of the computing time of a tick.
    fn stop_lone_members(&self) -> bool {
        true
    }
}

/// The walls of a map, and the ground on it that is forbidden to a class of bodies. It consists of a few numbers and
/// two references, so it is cheap to create in each tick.
#[derive(Clone, Copy)]
pub struct CrowdGround<'a> {
    map: &'a NavMap,
    layout: &'a Layout,
    class: u8,
    cells_per_unit: f64,
    radius_factor: f32,
    has_forbidden: bool,
}

impl<'a> CrowdGround<'a> {
    /// Creates the ground of a class of bodies on a map. `layout` says where the map is, in the units of the
    /// crowd.
    #[must_use]
    pub fn new(map: &'a NavMap, layout: &'a Layout, class: u8) -> Self {
        let cells_per_unit = 1.0 / f64::from(layout.cell_size());
        Self {
            map,
            layout,
            class,
            cells_per_unit,
            radius_factor: cells_per_unit as f32,
            has_forbidden: map.forbids(class),
        }
    }
}

impl fmt::Debug for CrowdGround<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrowdGround")
            .field("layout", self.layout)
            .field("class", &self.class)
            .field("has_forbidden", &self.has_forbidden)
            .finish_non_exhaustive()
    }
}

/// Share of its clearance that a member inside a wall has to keep on its way out.
const EXIT_CLEARANCE_SHARE: f32 = 0.9;

impl CrowdGround<'_> {
    fn cells(&self, place: Vec2) -> Vec2 {
        let from_corner = place.as_dvec2() - self.layout.min_corner().as_dvec2();
        (from_corner * self.cells_per_unit - 0.5).as_vec2()
    }

    fn is_clear(&self, point: Vec2, radius: f32) -> bool {
        sight::is_square_clear(self.map.clearance(), point, radius)
    }

    /// Whether the center of a body may move straight from `start` to `end`. On this way it must enter no
    /// forbidden ground, not even by rounding. A center that is already inside forbidden ground may move on.
    fn may_go(&self, start: Vec2, end: Vec2) -> bool {
        let enters = |point: Vec2| self.map.is_forbidden(point, self.class);
        !self.has_forbidden
            || !self.map.enters_forbidden(start, end, self.class) && (enters(start) || !enters(end))
    }

    /// The direction away from nearby obstacles, in cell space: the gradient of the distances at the four
    /// surrounding cell centers.
    fn away(&self, point: Vec2) -> Vec2 {
        let corner = point.floor();
        let t = point - corner;
        let cell = Cell::new(corner.x as i32, corner.y as i32);
        let distance = |x, y| self.map.clearance().center(cell.offset(x, y));
        let [a, b, c, d] = [
            distance(0, 0),
            distance(1, 0),
            distance(0, 1),
            distance(1, 1),
        ];
        let x = (b - a) * (1.0 - t.y) + (d - c) * t.y;
        let y = (c - a) * (1.0 - t.x) + (d - b) * t.x;
        Vec2::new(x, y).normalize_or_zero()
    }
}

impl CrowdWalls for CrowdGround<'_> {
    fn push_out(&self, _: u32, radius: f32, to: Vec2) -> Vec2 {
        let mut point = self.cells(to);
        let radius = radius * self.radius_factor;
        if self.is_clear(point, radius) {
            return to;
        }
        let first = point;
        for _ in 0..3 {
            let missing = radius - sight::clearance_at(self.map.clearance(), point);
            if missing <= 0.0 {
                break;
            }
            point += self.away(point) * missing;
        }
        // `to` is returned unchanged, since conversion to cells and back would round it.
        if point == first {
            return to;
        }
        self.layout.to_world(point)
    }

    fn confine(&self, _: u32, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
        let [start, end] = [from, to].map(|place| self.cells(place));
        let radius = radius * self.radius_factor;
        if self.is_clear(start, radius) && self.is_clear(end, radius) && !self.has_forbidden {
            // A move of less than one cell may also cross the squares with the two other corners of its bounding box.
            let is_short = (end - start).abs().max_element() < 1.0;
            let corners = [Vec2::new(end.x, start.y), Vec2::new(start.x, end.y)];
            if is_short && corners.iter().all(|point| self.is_clear(*point, radius)) {
                return to;
            }
        }
        let here = sight::clearance_at(self.map.clearance(), start);
        let enough = (radius - FIT_TOLERANCE_CELLS).min(here);
        // If a wall has appeared over a member, the member may move away from the wall as if the member were smaller.
        let width = if enough < here {
            radius
        } else {
            EXIT_CLEARANCE_SHARE * here
        };
        let fits = |end: Vec2| {
            let there = sight::clearance_at(self.map.clearance(), end);
            // Along a move of at most half a radius, the clearance is more than nine tenths of the clearance at
            // its ends.
            let is_near = there >= enough && start.distance(end) <= 0.5 * enough;
            let gets_out = there >= enough || width == radius;
            let is_open = || gets_out && self.map.line_of_sight(start, end, width);
            (is_near || is_open()) && self.may_go(start, end)
        };
        if fits(end) {
            return to;
        }
        // A member pressed against a wall slides along it. Three moves are tried in turn: along the axis of the
        // longer component of the move, half as far along that axis, and along the other axis.
        let by = end - start;
        let [mut long, mut short] = [by.with_y(0.0), by.with_x(0.0)];
        if by.y.abs() > by.x.abs() {
            std::mem::swap(&mut long, &mut short);
        }
        let parts = [start + long, start + 0.5 * long, start + short];
        let most = parts.into_iter().find(|part| *part != start && fits(*part));
        most.map_or(from, |part| self.layout.to_world(part))
    }

    fn room(&self, _: u32, radius: f32, at: Vec2) -> f32 {
        if self.has_forbidden {
            return 0.0;
        }
        let radius = radius * self.radius_factor;
        let room = sight::square_room(self.map.clearance(), self.cells(at), radius);
        room * self.layout.cell_size()
    }
}
