//! The planes on which crowds move, and the walls there.

use bevy::prelude::*;
use pursuit::Layout;
use pursuit::crowd::{CrowdGround, CrowdWalls};

use crate::agent::GridPlane;
use crate::grid::{GridRef, Grids, NavSnapshot};
use crate::ground::ClassId;

/// Two grids lie in one plane if the cosine of the angle between them differs from 1 by less than this, and if their
/// distance in height is at most this times (1 + the distance of their origins).
const PLANE_TOLERANCE: f32 = 1e-3;
/// Minimum free space around a body, in body radii. A body with less cannot have walked to its position.
const MIN_FREE_RADII: f32 = 0.97;
/// Number of classes per grid in the number of a ground, which is `grid index × CLASSES_PER_GRID + class`. A ground is
/// a grid as the agents of one class see it.
const CLASSES_PER_GRID: u32 = 256;

/// All grids, sorted into planes. Agents in one plane can meet, even if they are on different grids.
pub(super) struct Space<'a> {
    grids: &'a Grids,
    planes: Vec<&'a GridPlane>,
    /// The index of the plane of each grid.
    plane_of: Vec<usize>,
    /// The walls of each baked grid, by class.
    walls: Vec<Vec<CrowdGround<'a>>>,
    /// Whether the coordinates of each grid differ from those of its plane.
    is_turned: Vec<bool>,
}

impl<'a> Space<'a> {
    /// Prepares the walls for `classes` classes. Walls for further classes are made when they are needed.
    pub(super) fn new(grids: &'a Grids, classes: usize) -> Self {
        // The order must not depend on the world's storage.
        let mut order: Vec<usize> = (0..grids.len()).collect();
        order.sort_by_key(|index| {
            let frame = grids.at(*index).plane();
            (!frame.is_xy(), frame.frame().bits())
        });
        let mut planes: Vec<&GridPlane> = Vec::new();
        let mut plane_of = vec![0; grids.len()];
        for index in order {
            let frame = grids.at(index).plane();
            let known = planes.iter().position(|plane| are_one(plane, frame));
            plane_of[index] = known.unwrap_or(planes.len());
            if known.is_none() {
                planes.push(frame);
            }
        }
        let walls = grids.iter().map(|grid| {
            let classes = (0..=u8::MAX).take(classes).map(ClassId);
            let snapshot = grid.snapshot();
            let walls = snapshot.map(|it| classes.map(|class| walls(it, class)));
            walls.into_iter().flatten().collect()
        });
        let with_plane = grids.iter().zip(&plane_of);
        let is_turned = with_plane.map(|(grid, plane)| planes[*plane] != grid.plane());
        Self {
            is_turned: is_turned.collect(),
            grids,
            planes,
            plane_of,
            walls: walls.collect(),
        }
    }

    pub(super) fn grids(&self) -> &'a Grids {
        self.grids
    }

    pub(super) fn plane(&self, index: usize) -> &GridPlane {
        self.planes[index]
    }

    /// The number of a ground. `None` if the grid is not baked.
    pub(super) fn number(&self, grid: Entity, class: ClassId) -> Option<u32> {
        let index = self.grids.index(grid)?;
        self.grids.at(index).snapshot()?;
        Some(index as u32 * CLASSES_PER_GRID + u32::from(class.0))
    }

    pub(super) fn plane_index(&self, ground: u32) -> usize {
        self.plane_of[(ground / CLASSES_PER_GRID) as usize]
    }

    pub(super) fn plane_of(&self, ground: u32) -> &GridPlane {
        self.plane(self.plane_index(ground))
    }

    /// The plane of a ground's grid, with the grid's own coordinates.
    pub(super) fn frame_of(&self, ground: u32) -> &GridPlane {
        self.grids.at((ground / CLASSES_PER_GRID) as usize).plane()
    }

    /// The number of the cell of a grid that is nearest to a point. The cells of all baked grids are numbered in one
    /// sequence. `None` if the grid is not baked, or if the point is not finite.
    pub(super) fn cell(&self, grid: Option<Entity>, point: Vec2) -> Option<u32> {
        let index = self.grids.index(grid?)?;
        let layout_of = |grid: GridRef<'a>| grid.snapshot().map(NavSnapshot::layout);
        let layout = layout_of(self.grids.at(index))?;
        let cell = layout.cell_clamped(point)?;
        let before = self.grids.iter().take(index).filter_map(layout_of);
        let before: usize = before.map(Layout::cell_count).sum();
        let row = cell.y as usize * layout.width() as usize;
        u32::try_from(before + row + cell.x as usize).ok()
    }

    /// The index of the plane nearest to a position. The position may be above or below the plane.
    pub(super) fn nearest_plane(&self, place: Vec3) -> Option<usize> {
        let height = |index: &usize| self.planes[*index].frame().height(place);
        (0..self.planes.len()).min_by(|a, b| height(a).total_cmp(&height(b)))
    }

    /// The walls that stop a body of this planned radius on a ground.
    fn at(&self, ground: u32, radius: f32) -> Option<Wall<'_>> {
        let index = (ground / CLASSES_PER_GRID) as usize;
        let class = ClassId((ground % CLASSES_PER_GRID) as u8);
        let one = self.grids.at(index);
        let snapshot = one.snapshot()?;
        let known = self.walls[index].get(usize::from(class.0));
        Some(Wall {
            ground: known.map_or_else(|| walls(snapshot, class), |known| *known),
            class,
            snapshot,
            radius,
            turned: self.is_turned[index].then(|| (self.plane_of(ground), one.plane())),
        })
    }
}

/// The walls of a grid for one class.
fn walls(snapshot: &NavSnapshot, class: ClassId) -> CrowdGround<'_> {
    CrowdGround::new(snapshot.map(), snapshot.layout(), class.0)
}

/// The walls of one body.
struct Wall<'a> {
    ground: CrowdGround<'a>,
    class: ClassId,
    snapshot: &'a NavSnapshot,
    radius: f32,
    /// The plane of the crowd and the plane of the grid, if their coordinates differ.
    turned: Option<(&'a GridPlane, &'a GridPlane)>,
}

impl Wall<'_> {
    /// Whether a body is in a wall or off the grid, and a move leads it no deeper in. The driver of bare transforms
    /// also allows such moves.
    fn leads_out(&self, from: Vec2, to: Vec2) -> bool {
        let here = self.snapshot.clearance_at(from);
        let there = self.snapshot.clearance_at(to);
        // If the free discs around both points overlap, no wall is in between. Inside a wall there is no free disc.
        let is_near = here <= 0.0 || from.distance(to) < here + there;
        here < MIN_FREE_RADII * self.radius
            && there >= here
            && is_near
            && !(self.snapshot).enters_forbidden(from, to, self.class)
    }

    fn to_grid(&self, place: Vec2) -> Vec2 {
        match self.turned {
            Some((plane, frame)) => frame.to_grid(plane.to_world(place)),
            None => place,
        }
    }

    fn to_plane(&self, place: Vec2) -> Vec2 {
        match self.turned {
            Some((plane, frame)) => plane.to_grid(frame.to_world(place)),
            None => place,
        }
    }
}

impl CrowdWalls for Space<'_> {
    /// `false`, because the follow and drive stages keep lone agents clear of walls.
    fn stop_lone_members(&self) -> bool {
        false
    }

    /// The radius that paths keep clear for a body, in world units.
    fn planned_radius(&self, ground: u32, radius: f32) -> f32 {
        // Obstacles have no ground of their own, so there may be no grid at all.
        let grid = self.grids.iter().nth((ground / CLASSES_PER_GRID) as usize);
        let snapshot = grid.and_then(|it| it.snapshot());
        snapshot.map_or(radius, |it| {
            it.radius_cells(radius) * it.layout().cell_size()
        })
    }

    fn room(&self, ground: u32, radius: f32, at: Vec2) -> f32 {
        let wall = self.at(ground, radius);
        wall.map_or(0.0, |it| it.ground.room(ground, it.radius, it.to_grid(at)))
    }

    fn push_out(&self, ground: u32, radius: f32, to: Vec2) -> Vec2 {
        let Some(wall) = self.at(ground, radius) else {
            return to;
        };
        let place = wall.to_grid(to);
        let pushed = wall.ground.push_out(ground, wall.radius, place);
        // Converting there and back would only add rounding errors.
        if pushed == place {
            to
        } else {
            wall.to_plane(pushed)
        }
    }

    fn confine(&self, ground: u32, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
        let Some(wall) = self.at(ground, radius) else {
            return from;
        };
        let [start, end] = [from, to].map(|place| wall.to_grid(place));
        match wall.ground.confine(ground, wall.radius, start, end) {
            place if place == end => to,
            place if place == start && wall.leads_out(start, end) => to,
            place if place == start => from,
            place => wall.to_plane(place),
        }
    }
}

/// Whether two grids lie in one plane.
fn are_one(one: &GridPlane, other: &GridPlane) -> bool {
    let normal = |plane: &GridPlane| plane.frame().x.cross(plane.frame().y);
    let apart = one.frame().origin.distance(other.frame().origin);
    normal(one).dot(normal(other)) > 1.0 - PLANE_TOLERANCE
        && one.frame().height(other.frame().origin) <= PLANE_TOLERANCE * (1.0 + apart)
}
