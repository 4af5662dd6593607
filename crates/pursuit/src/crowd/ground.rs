//! Walls, as a crowd asks them.

use glam::Vec2;

use crate::cell::Cell;
use crate::clearance::TOLERANCE;
use crate::layout::Layout;
use crate::map::NavMap;
use crate::sight;

/// What stops members. Places and lengths are those of the crowd.
pub trait Walls: Sync {
    /// A place near `to` where a body of this radius fits as far as walls nearby say: `to` itself where they are far.
    /// No proof.
    fn push_out(&self, ground: u32, radius: f32, to: Vec2) -> Vec2;

    /// Where a body that goes from one place to another gets at most, as is proven.
    fn confine(&self, ground: u32, radius: f32, from: Vec2, to: Vec2) -> Vec2;
}

/// The walls of a map, and what is forbidden to a class of bodies on it.
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
    /// The ground of a class on a map, which lies in the crowd's space as `layout` says.
    #[must_use]
    pub fn new(map: &'a NavMap, layout: &'a Layout, class: u8) -> Self {
        let cells_per_unit = 1.0 / f64::from(layout.cell_size());
        Self {
            map,
            layout,
            class,
            cells_per_unit,
            radius_factor: cells_per_unit as f32,
            has_forbidden: !map.is_even(class),
        }
    }
}

impl CrowdGround<'_> {
    fn cells(&self, place: Vec2) -> Vec2 {
        let from_corner = place.as_dvec2() - self.layout.min_corner().as_dvec2();
        (from_corner * self.cells_per_unit - 0.5).as_vec2()
    }

    fn is_clear(&self, point: Vec2, radius: f32) -> bool {
        sight::is_square_clear(self.map.clearance(), point, radius)
    }

    /// Away from what is near, in cells: the gradient of the distances of the four centers around.
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

impl Walls for CrowdGround<'_> {
    fn push_out(&self, _: u32, radius: f32, to: Vec2) -> Vec2 {
        let mut point = self.cells(to);
        let radius = radius * self.radius_factor;
        if self.is_clear(point, radius) {
            return to;
        }
        for _ in 0..2 {
            let missing = radius - sight::clearance_at(self.map.clearance(), point);
            if missing <= 0.0 {
                break;
            }
            point += self.away(point) * missing;
        }
        self.layout.to_world(point)
    }

    fn confine(&self, _: u32, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
        let [start, end] = [from, to].map(|place| self.cells(place));
        let radius = radius * self.radius_factor;
        if self.is_clear(start, radius) && self.is_clear(end, radius) && !self.has_forbidden {
            let apart = (end - start).abs();
            if apart.max_element() < 1.0 && self.is_clear(start.midpoint(end), radius) {
                return to;
            }
        }
        let here = sight::clearance_at(self.map.clearance(), start);
        let enough = (radius - TOLERANCE).min(here);
        let fits = |end: Vec2| {
            let there = sight::clearance_at(self.map.clearance(), end);
            let is_near = there >= enough && (start.distance(end) < here + there);
            (is_near || self.map.line_of_sight(start, end, radius))
                && !(self.has_forbidden && self.map.enters_forbidden(start, end, self.class))
        };
        let parts = [end, Vec2::new(end.x, start.y), Vec2::new(start.x, end.y)];
        if fits(parts[0]) {
            return to;
        }
        let most = parts[1..].iter().find(|part| fits(**part));
        most.map_or(from, |part| self.layout.to_world(*part))
    }
}
