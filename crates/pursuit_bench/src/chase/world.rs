//! The game that is measured: the real plugin with Rapier, without a window, time by hand.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::plan::{AGENT_RADIUS, AGENT_SPEED, Body, ChasePlan, Mode, PLAYER_PACE};
use super::tour::Tour;
use super::walls::{Walls, center};

/// Ticks per second of game time.
pub(crate) const TICK_RATE: f64 = 60.0;

const WALLS: Group = Group::GROUP_1;
const AGENTS: Group = Group::GROUP_2;

/// The body that is chased.
#[derive(Component)]
pub(crate) struct Player;

/// A chaser, by its number.
#[derive(Component)]
pub(crate) struct Chaser(pub(crate) usize);

/// An app that makes one tick of game time per update.
pub(crate) fn build(plan: &ChasePlan, size: Vec2, walls: &Walls, mut tour: Tour) -> App {
    let mut app = App::new();
    let tick = Duration::from_secs_f64(1.0 / TICK_RATE);
    let plan_mode = match plan.mode {
        Mode::Inline => PlanMode::Inline,
        Mode::Async => PlanMode::Async,
    };
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimestepMode::Fixed {
            dt: tick.as_secs_f32(),
            substeps: 1,
        })
        .insert_resource(Time::<Fixed>::from_duration(tick))
        .insert_resource(TimeUpdateStrategy::ManualDuration(tick))
        .insert_resource(PursuitSettings {
            plan_mode,
            ..PursuitSettings::default()
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(FixedPreUpdate, walk_player);
    let world = app.world_mut();
    world.spawn(
        NavGrid::covering(Rect::from_corners(Vec2::ZERO, size))
            .node_radius(0.5)
            .obstacles(WALLS),
    );
    for wall in walls.boxes() {
        spawn_wall(world, wall);
    }
    let at = Transform::from_translation(tour.position().extend(0.0));
    let player = world.spawn((Player, at)).id();
    for number in 0..plan.agents {
        let place = center(tour.random_place());
        spawn_chaser(world, plan.body, Chaser(number), place, player);
    }
    app.insert_resource(tour);
    app.finish();
    app.cleanup();
    app
}

fn spawn_wall(world: &mut World, wall: &Rect) {
    let half = wall.half_size();
    world.spawn((
        RigidBody::Fixed,
        Collider::cuboid(half.x, half.y),
        CollisionGroups::new(WALLS, Group::ALL),
        Transform::from_translation(wall.center().extend(0.0)),
    ));
}

fn spawn_chaser(world: &mut World, body: Body, chaser: Chaser, place: Vec2, player: Entity) {
    let mut entity = world.spawn((
        chaser,
        NavAgent::from_radius(AGENT_RADIUS).with_speed(AGENT_SPEED),
        Chase::new(player),
        Transform::from_translation(place.extend(0.0)),
    ));
    let solid = (
        Collider::ball(AGENT_RADIUS),
        CollisionGroups::new(AGENTS, WALLS),
    );
    match body {
        Body::Transform => {}
        Body::Kinematic => {
            entity.insert((RigidBody::KinematicPositionBased, solid));
        }
        Body::Dynamic => {
            entity.insert((RigidBody::Dynamic, solid));
        }
    }
}

fn walk_player(
    time: Res<Time>,
    mut tour: ResMut<Tour>,
    mut player: Single<&mut Transform, With<Player>>,
) {
    tour.walk(PLAYER_PACE * AGENT_SPEED * time.delta_secs());
    player.translation = tour.position().extend(0.0);
}
