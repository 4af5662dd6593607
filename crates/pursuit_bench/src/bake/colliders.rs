//! Measures how long the plugin takes to bake a level of Rapier colliders within a frame.

use bevy::prelude::*;
use bevy_pursuit::BakedGrid;
use bevy_pursuit::PursuitStats;
use bevy_pursuit::prelude::*;
use pursuit::{DiagonalPolicy, Grid};

use super::plan::BakePlan;
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS;
use crate::game::walls::WallBoxes;
use crate::game::{self, Mode};

/// Maximum number of frames until a bake is done. A bake takes one frame, and the other frames are a reserve.
const MAX_BAKE_FRAMES: usize = 4;

/// The result of the measurement.
pub(super) struct Colliders {
    /// Number of colliders.
    pub(super) count: usize,
    /// The shortest bake of all rounds, in microseconds.
    pub(super) us: f64,
    /// Number of cells for which the bake and the level's walls disagree about whether a body can walk there.
    pub(super) differing: usize,
}

/// Bakes the level's walls as colliders.
pub(super) fn measure(level: &Grid, plan: &BakePlan) -> Result<Colliders, BenchError> {
    let walls = WallBoxes::of(level);
    let mut app = game::app(Mode::Inline, &plan.common.pools, &walls);
    let world = app.world_mut();
    for mut grid in world.query::<&mut NavGrid>().iter_mut(world) {
        grid.max_clearance_cells = plan.cap;
    }
    game::start(&mut app);
    let mut us = f64::INFINITY;
    for round in 0..=plan.rounds {
        if round > 0 {
            replace_grid(app.world_mut());
        }
        let took = bake(&mut app)?;
        // The first bake is not counted, because it allocates memory and Rapier reads the level.
        us = if round > 0 { us.min(took) } else { us };
    }
    Ok(Colliders {
        count: walls.boxes().len(),
        us,
        differing: differing(&mut app, level, plan.cap),
    })
}

/// Replaces the grid with a copy that was never baked.
fn replace_grid(world: &mut World) {
    let mut grids = world.query::<(Entity, &NavGrid)>();
    let old: Vec<_> = grids.iter(world).map(|(at, grid)| (at, *grid)).collect();
    for (entity, grid) in old {
        world.despawn(entity);
        world.spawn(grid);
    }
}

/// Runs frames until a bake is done. Returns the duration of the bake, in microseconds.
fn bake(app: &mut App) -> Result<f64, BenchError> {
    let before = app.world().resource::<PursuitStats>().bakes;
    let is_baked = |app: &mut App| app.world().resource::<PursuitStats>().bakes > before;
    let is_baked = game::update_until(app, MAX_BAKE_FRAMES, is_baked);
    let took = app.world().resource::<PursuitStats>().last_bake;
    let us = is_baked.then_some(took.as_secs_f64() * 1e6);
    us.ok_or_else(|| BenchError::of("a bake did not finish"))
}

fn differing(app: &mut App, level: &Grid, cap: f32) -> usize {
    let world = app.world_mut();
    let mut grids = world.query::<&BakedGrid>();
    let baked = grids.iter(world).find_map(BakedGrid::snapshot);
    let policy = DiagonalPolicy::default();
    let ground = baked.map(|snapshot| snapshot.clearance().walkable(AGENT_RADIUS, policy));
    let expected = pursuit::Clearance::from_grid(level, cap).walkable(AGENT_RADIUS, policy);
    let is_other = |cell| {
        let is_free = ground.as_ref().is_some_and(|ground| ground.is_free(cell));
        is_free != expected.is_free(cell)
    };
    level.rect().cells().filter(|&cell| is_other(cell)).count()
}
