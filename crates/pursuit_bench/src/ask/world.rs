//! The game that is asked: the real plugin on a level of Rapier colliders, without a window.

use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use fastrand::Rng;
use pursuit::{Cell, Grid};

use super::plan::{AskPlan, RADIUS};
use crate::error::BenchError;
use crate::game::WALLS;
use crate::game::places::Places;
use crate::game::walls::{Walls, center};

/// Frames until a bake and requests must be done.
const PATIENCE: usize = 10_000;

/// Two points, in world units.
pub(super) type Pair = (Vec2, Vec2);

/// An app with its level baked and nothing asked.
///
/// # Errors
/// A bake that does not come to its end.
pub(super) fn build(plan: &AskPlan, grid: &Grid) -> Result<App, BenchError> {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins.set(plan.pools.plugin()))
        .add_plugins(TransformPlugin)
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default());
    let size = Vec2::new(grid.width() as f32, grid.height() as f32);
    let world = app.world_mut();
    let nav = NavGrid::covering(Rect::from_corners(Vec2::ZERO, size));
    world.spawn(nav.node_radius(0.5).obstacles(WALLS));
    for wall in Walls::of(grid).boxes() {
        let half = wall.half_size();
        world.spawn((
            Collider::cuboid(half.x, half.y),
            CollisionGroups::new(WALLS, Group::ALL),
            Transform::from_translation(wall.center().extend(0.0)),
        ));
    }
    app.finish();
    app.cleanup();
    update_until(&mut app, |app| {
        let mut grids = app.world_mut().query::<&BakedGrid>();
        let mut grids = grids.iter(app.world());
        grids.all(|grid| grid.snapshot().is_some())
    })?;
    Ok(app)
}

/// Runs frames until something is done, with time for tasks between them.
fn update_until(app: &mut App, mut done: impl FnMut(&mut App) -> bool) -> Result<(), BenchError> {
    for _ in 0..PATIENCE {
        app.update();
        if done(app) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(BenchError::NoAnswer)
}

/// Where questions are about.
pub(super) struct Spots {
    places: Places,
    size: Vec2,
    random: Rng,
}

impl Spots {
    /// `None` where a body fits nowhere.
    pub(super) fn new(grid: &Grid, seed: u64) -> Option<Self> {
        Some(Spots {
            places: Places::new(grid, RADIUS).filter(|places| !places.largest.is_empty())?,
            size: Vec2::new(grid.width() as f32, grid.height() as f32),
            random: Rng::with_seed(seed),
        })
    }

    /// A point where a body can stand, and another one up to `within` cells from it.
    pub(super) fn pair(&mut self, within: u32) -> Pair {
        loop {
            let from = self.cell();
            let within = within as i32;
            let (dx, dy) = (
                self.random.i32(-within..=within),
                self.random.i32(-within..=within),
            );
            let to = from.offset(dx, dy);
            let is_near = dx * dx + dy * dy <= within * within;
            if is_near
                && self
                    .places
                    .largest
                    .binary_search_by_key(&key(to), key_of)
                    .is_ok()
            {
                return (self.beside(from), self.beside(to));
            }
        }
    }

    /// Any point of the level, in a wall or not.
    pub(super) fn any(&mut self) -> Vec2 {
        self.size * Vec2::new(self.random.f32(), self.random.f32())
    }

    fn cell(&mut self) -> Cell {
        let index = self.random.usize(0..self.places.largest.len());
        self.places.largest[index]
    }

    /// A point of a cell that has room for the body.
    fn beside(&mut self, cell: Cell) -> Vec2 {
        let room = 0.9 * (1.0 - 2.0 * RADIUS);
        let offset = Vec2::new(self.random.f32(), self.random.f32()) - 0.5;
        center(cell) + room * offset
    }
}

fn key(cell: Cell) -> (i32, i32) {
    (cell.y, cell.x)
}

fn key_of(cell: &Cell) -> (i32, i32) {
    key(*cell)
}

/// What a request was answered.
pub(super) struct Answer {
    pub(super) is_found: bool,
    pub(super) waypoints: Vec<Vec2>,
}

/// Has each path searched for in a task.
///
/// # Errors
/// Requests that get no answer.
pub(super) fn request(app: &mut App, pairs: &[Pair]) -> Result<Vec<Answer>, BenchError> {
    let world = app.world_mut();
    let ask = |&(from, to): &Pair| {
        let request = PathRequest::to(to).with_radius(RADIUS);
        let asker = world.spawn((request, Transform::from_translation(from.extend(0.0))));
        asker.id()
    };
    let askers: Vec<Entity> = pairs.iter().map(ask).collect();
    update_until(app, |app| {
        let mut statuses = askers.iter().filter_map(|asker| app.world().get(*asker));
        statuses
            .all(|status: &PathStatus| *status == PathStatus::Found || status.reason().is_some())
    })?;
    let world = app.world();
    let answer = |asker: &Entity| {
        let status = world.get::<PathStatus>(*asker);
        let path = world.get::<NavPath>(*asker);
        Answer {
            is_found: status == Some(&PathStatus::Found),
            waypoints: path.map_or(Vec::new(), |path| path.waypoints().to_vec()),
        }
    };
    Ok(askers.iter().map(answer).collect())
}
