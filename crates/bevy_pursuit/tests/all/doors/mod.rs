//! Doors into Pursuit: what a game may pause, turn, push, change, replace and listen to.

mod changes;
mod detours;
mod knockback;
mod paused;
mod plugins;
#[cfg(all(feature = "recorder", feature = "deep_bake"))]
mod registry;
mod turning;
mod values;

use std::time::Duration;

use bevy::app::PluginGroupBuilder;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::common::*;

const TICK: f32 = 1.0 / 60.0;

/// A game as [`game`] makes it, with these of Pursuit's plugins, and with Rapier or without.
fn game_of(
    with_rapier: bool,
    choose: impl FnOnce(PluginGroupBuilder) -> PluginGroupBuilder,
) -> App {
    let mut app = App::new();
    let tick = Duration::from_secs_f64(1.0 / 60.0);
    app.add_plugins((MinimalPlugins, TransformPlugin));
    if with_rapier {
        app.insert_resource(TimestepMode::Fixed {
            dt: tick.as_secs_f32(),
            substeps: 1,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule());
    }
    app.insert_resource(Time::<Fixed>::from_duration(tick))
        .insert_resource(TimeUpdateStrategy::ManualDuration(tick))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        })
        .init_resource::<Heard>()
        .add_plugins(choose(
            PursuitPlugins::default().in_fixed_schedule().build(),
        ))
        .add_observer(|event: On<PathFound>, mut heard: ResMut<Heard>| heard.found.push(*event))
        .add_observer(|event: On<PathFailed>, mut heard: ResMut<Heard>| heard.failed.push(*event))
        .add_observer(|event: On<TargetReached>, mut heard: ResMut<Heard>| {
            heard.reached.push(*event)
        })
        .add_observer(|event: On<AgentStuck>, mut heard: ResMut<Heard>| heard.stuck.push(*event));
    app.finish();
    app.cleanup();
    app
}

/// A game without Rapier's plugin.
fn without_rapier() -> App {
    game_of(false, |plugins| plugins)
}

/// An open level of unit cells.
fn open_level(app: &mut App, width: usize, height: usize) {
    build_level(app, &open(width, height));
    run(app, 3);
}

fn request(app: &mut App, agent: Entity, goal: Vec2) {
    app.world_mut()
        .entity_mut(agent)
        .insert(PathRequest::to(goal));
}

fn desired(app: &App, agent: Entity) -> Vec2 {
    get::<DesiredVelocity>(app, agent).0
}

/// What agents do with the velocity that they want, where the game moves them itself.
fn move_by_hand(time: Res<Time>, mut agents: Query<(&DesiredVelocity, &mut Transform)>) {
    for (desired, mut transform) in &mut agents {
        transform.translation += desired.0.extend(0.0) * time.delta_secs();
    }
}
