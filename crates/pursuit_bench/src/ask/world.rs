//! The game in which the queries are made: the real plugin on a level of Rapier colliders, without a window.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use fastrand::Rng;
use pursuit::{Cell, Grid};

use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::places::Places;
use crate::game::pools::Pools;
use crate::game::walls::{WallBoxes, center};
use crate::game::{self, Mode, transform_at};

/// Maximum number of frames until a bake or all requests are done.
const MAX_FRAMES: usize = 10_000;

/// Two points, in world units.
pub(super) type Pair = (Vec2, Vec2);

/// An app with a baked level and without requests.
pub(super) fn build(pools: &Pools, grid: &Grid) -> Result<App, BenchError> {
    let mut app = game::app(Mode::Async, pools, &WallBoxes::of(grid));
    game::start(&mut app);
    update_until(&mut app, game::is_baked)?;
    Ok(app)
}

fn update_until(app: &mut App, is_done: impl FnMut(&mut App) -> bool) -> Result<(), BenchError> {
    let is_done = game::update_until(app, MAX_FRAMES, is_done);
    is_done.then_some(()).ok_or_else(BenchError::no_answer)
}

/// Chooses the points of queries.
pub(super) struct QuestionPoints {
    places: Places,
    size: Vec2,
    random: Rng,
}

impl QuestionPoints {
    /// `None` if a body of the agents' radius does not fit anywhere on the level.
    pub(super) fn new(grid: &Grid, seed: u64) -> Option<Self> {
        Some(QuestionPoints {
            places: Places::new(grid, AGENT_RADIUS).filter(|places| !places.largest.is_empty())?,
            size: Vec2::new(grid.width() as f32, grid.height() as f32),
            random: Rng::with_seed(seed),
        })
    }

    /// Two random points where a body can stand. The distance of their cells is at most `within`.
    pub(super) fn pair(&mut self, within: u32) -> Pair {
        loop {
            let from = self.places.largest[self.random.usize(0..self.places.largest.len())];
            let within = within as i32;
            let mut step = || self.random.i32(-within..=within);
            let (dx, dy) = (step(), step());
            let to = from.offset(dx, dy);
            let key = |cell: &Cell| (cell.y, cell.x);
            let place = self.places.largest.binary_search_by_key(&key(&to), key);
            if dx * dx + dy * dy <= within * within && place.is_ok() {
                return (self.point_in(from), self.point_in(to));
            }
        }
    }

    /// A random point of the level. It may be in a wall.
    pub(super) fn any(&mut self) -> Vec2 {
        self.size * Vec2::new(self.random.f32(), self.random.f32())
    }

    /// A random point in a cell, close enough to the center that a body has room.
    fn point_in(&mut self, cell: Cell) -> Vec2 {
        let room = 0.9 * (1.0 - 2.0 * AGENT_RADIUS);
        let offset = Vec2::new(self.random.f32(), self.random.f32()) - 0.5;
        center(cell) + room * offset
    }
}

/// The answer to a path request.
pub(super) struct RequestAnswer {
    pub(super) is_found: bool,
    pub(super) waypoints: Vec<Vec2>,
}

/// Requests all paths. The plugin searches for them in tasks.
pub(super) fn request(app: &mut App, pairs: &[Pair]) -> Result<Vec<RequestAnswer>, BenchError> {
    let world = app.world_mut();
    let ask = |&(from, to): &Pair| {
        let request = PathRequest::to(to).with_radius(AGENT_RADIUS);
        world.spawn((request, transform_at(from))).id()
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
        RequestAnswer {
            is_found: status == Some(&PathStatus::Found),
            waypoints: path.map_or(Vec::new(), |path| {
                path.waypoints().map(Vec3::truncate).collect()
            }),
        }
    };
    Ok(askers.iter().map(answer).collect())
}
