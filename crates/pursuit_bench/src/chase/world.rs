//! The chase as a game: a walking player, and agents that start all over the level.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::plan::AgentBody;
use crate::cli::GameArgs;
use crate::game::agent::{AGENT_RADIUS, AGENT_SPEED, agent};
use crate::game::tour::Tour;
use crate::game::walls::{WallBoxes, center};
use crate::game::{self, WALL_GROUP, stages, transform_at};

/// Speed of the player, as a fraction of the speed of the agents.
pub(crate) const PLAYER_SPEED_FRACTION: f32 = 0.6;
const AGENT_GROUP: Group = Group::GROUP_2;

/// Marks the chased body.
#[derive(Component)]
pub(crate) struct Player;

/// A chasing agent, with its index.
#[derive(Component)]
pub(crate) struct Chaser(pub(crate) usize);

/// An app with one tick of game time per update. With `stages`, each stage of the plugin is measured.
pub(crate) fn build(
    play: &GameArgs,
    body: AgentBody,
    stages: bool,
    walls: &WallBoxes,
    mut tour: Tour,
) -> App {
    let mut app = game::app(play.mode, &play.common.pools, walls);
    app.add_systems(FixedFirst, walk_player);
    if stages {
        stages::measure(&mut app);
    }
    let world = app.world_mut();
    let player = world.spawn((Player, transform_at(tour.position()))).id();
    for number in 0..play.agents {
        let place = center(tour.random_place());
        let mut entity = world.spawn((
            (Chaser(number), agent(), NavAvoidance::None),
            (Chase::new(player), transform_at(place)),
        ));
        give_body(&mut entity, body, AGENT_RADIUS);
    }
    app.insert_resource(tour);
    game::start(&mut app);
    app
}

/// Gives an agent a body of a kind. Walls stop the body, other agents do not.
pub(crate) fn give_body(entity: &mut EntityWorldMut, body: AgentBody, radius: f32) {
    let kind = match body {
        AgentBody::Transform => return,
        AgentBody::Kinematic => RigidBody::KinematicPositionBased,
        AgentBody::Dynamic => RigidBody::Dynamic,
    };
    let groups = CollisionGroups::new(AGENT_GROUP, WALL_GROUP);
    entity.insert((kind, Collider::ball(radius), groups));
}

fn walk_player(
    time: Res<Time>,
    mut tour: ResMut<Tour>,
    mut player: Single<&mut Transform, With<Player>>,
) {
    tour.walk(PLAYER_SPEED_FRACTION * AGENT_SPEED * time.delta_secs());
    player.translation = tour.position().extend(0.0);
}
