//! The measured game: the real plugin with Rapier, without a window, and with a clock that the benchmark advances.

pub(crate) mod agent;
pub(crate) mod events;
pub(crate) mod pace;
pub(crate) mod places;
pub(crate) mod pools;
pub(crate) mod positions;
mod rects;
pub(crate) mod rough;
pub(crate) mod stages;
pub(crate) mod tour;
pub(crate) mod walls;

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{BakedGrid, PlanMode};
use bevy_rapier2d::prelude::*;
use clap::ValueEnum;
use serde::Serialize;

use pools::Pools;
use walls::WallBoxes;

/// Ticks per second of game time.
pub(crate) const TICK_RATE: f64 = 60.0;
/// Number of ticks in the first second. In this second, the level is baked and all agents plan at the same time.
pub(crate) const FIRST_SECOND: usize = TICK_RATE as usize;

/// The collision group of walls and doors.
pub(crate) const WALL_GROUP: Group = Group::GROUP_1;

/// Where searches and bakes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// In tasks, as in a game. Runs differ slightly.
    Async,
    /// Within the frame. The same seed gives the same run.
    Inline,
}

/// An app with one tick of game time per update, and with a level of one grid.
pub(crate) fn app(mode: Mode, pools: &Pools, walls: &WallBoxes) -> App {
    app_at(TICK_RATE, mode, pools, walls)
}

/// An app with a level, and with `rate` ticks per second of game time. Each update is one tick.
pub(crate) fn app_at(rate: f64, mode: Mode, pools: &Pools, walls: &WallBoxes) -> App {
    let tick = Duration::from_secs_f64(1.0 / rate);
    let mut app = empty_app(tick, pools);
    let plan_mode = match mode {
        Mode::Inline => PlanMode::Inline,
        Mode::Async => PlanMode::Async,
    };
    app.insert_resource(TimestepMode::Fixed {
        dt: tick.as_secs_f32(),
        substeps: 1,
    })
    .insert_resource(PursuitSettings {
        plan_mode,
        share_fields: false,
        ..PursuitSettings::default()
    })
    .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
    .add_plugins(PursuitPlugins::default().in_fixed_schedule());
    let world = app.world_mut();
    world.spawn(
        NavGrid::covering(Rect::from_corners(Vec2::ZERO, walls.size()))
            .with_node_radius(0.5)
            .with_obstacles(WALL_GROUP),
    );
    for area in walls.boxes() {
        world.spawn(wall(area));
    }
    app
}

/// An app without a level, and with one tick of game time per update.
pub(crate) fn empty_app(tick: Duration, pools: &Pools) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(pools.plugin()), TransformPlugin))
        .insert_resource(Time::<Fixed>::from_duration(tick))
        .insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    #[cfg(test)]
    if DECIDES_IN_EACH_TICK.get() {
        app.init_resource::<bevy_pursuit::plugins::DecideInEachTick>();
    }
    app
}

#[cfg(test)]
thread_local! {
    /// Whether the games of this test decide each agent in each tick.
    pub(crate) static DECIDES_IN_EACH_TICK: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Finishes the plugins of an app, so that it can be updated.
pub(crate) fn start(app: &mut App) {
    app.finish();
    app.cleanup();
}

/// Runs frames until `is_done` returns true, with time for tasks between the frames. Returns whether that happened
/// within `max_frames` frames.
pub(crate) fn update_until(
    app: &mut App,
    max_frames: usize,
    mut is_done: impl FnMut(&mut App) -> bool,
) -> bool {
    (0..max_frames).any(|frame| {
        if frame > 0 && app.world().resource::<PursuitSettings>().plan_mode == PlanMode::Async {
            std::thread::sleep(Duration::from_millis(1));
        }
        app.update();
        is_done(app)
    })
}

/// A wall that does not move.
pub(crate) fn wall(area: &Rect) -> impl Bundle + use<> {
    let half = area.half_size();
    (
        RigidBody::Fixed,
        Collider::cuboid(half.x, half.y),
        CollisionGroups::new(WALL_GROUP, Group::ALL),
        transform_at(area.center()),
    )
}

/// A transform with this position.
pub(crate) fn transform_at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

/// Whether every grid has a snapshot.
pub(crate) fn is_baked(app: &mut App) -> bool {
    let mut grids = app.world_mut().query::<&BakedGrid>();
    let mut grids = grids.iter(app.world());
    grids.all(|grid| grid.snapshot().is_some())
}
