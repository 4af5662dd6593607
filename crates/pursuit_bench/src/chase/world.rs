//! The chase as a game: a player that walks, agents that are spawned all over the level.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::plan::{Body, ChasePlan, PLAYER_PACE};
use crate::game::agent::{AGENT_RADIUS, AGENT_SPEED, agent};
use crate::game::tour::Tour;
use crate::game::walls::{Walls, center};
use crate::game::{self, WALLS, stages};

const AGENTS: Group = Group::GROUP_2;

/// The body that is chased.
#[derive(Component)]
pub(crate) struct Player;

/// A chaser, by its number.
#[derive(Component)]
pub(crate) struct Chaser(pub(crate) usize);

/// An app that makes one tick of game time per update.
pub(crate) fn build(plan: &ChasePlan, size: Vec2, walls: &Walls, mut tour: Tour) -> App {
    let mut app = game::app(plan.mode, &plan.pools, size, walls);
    app.add_systems(FixedFirst, walk_player);
    if plan.stages {
        stages::measure(&mut app);
    }
    let world = app.world_mut();
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

fn spawn_chaser(world: &mut World, body: Body, chaser: Chaser, place: Vec2, player: Entity) {
    let mut entity = world.spawn((
        chaser,
        agent(),
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
