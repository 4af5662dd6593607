//! The player's body.

use bevy::prelude::*;
use bevy_pursuit::NavAgent;
use bevy_rapier2d::prelude::*;
use pursuit_examples::walls::OBSTACLES;

use crate::bodies::{BODY_RADIUS, PLAYER_GROUP};
use crate::stage::Stage;

/// Marks the player.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Player;

/// Where the player begins: at the map's `P`, or anywhere.
pub(crate) fn start(stage: &Stage, rng: &mut fastrand::Rng) -> Vec2 {
    let marked = stage.level.positions('P').first().copied();
    marked.unwrap_or_else(|| {
        let floor = stage.level.main_floor();
        stage.level.layout().center(floor[rng.usize(..floor.len())])
    })
}

/// Spawns the player's body. It blocks nobody's way: hunters reach for it, they do not shove it.
pub(crate) fn spawn(commands: &mut Commands, position: Vec2) -> Entity {
    let body = (
        RigidBody::Dynamic,
        Collider::ball(BODY_RADIUS),
        CollisionGroups::new(PLAYER_GROUP, OBSTACLES),
        Friction::coefficient(0.0),
        Velocity::zero(),
        GravityScale(0.0),
        LockedAxes::ROTATION_LOCKED,
    );
    let place = (
        Transform::from_translation(position.extend(0.0)),
        Visibility::default(),
    );
    commands
        .spawn((Name::new("player"), Player, body, place))
        .id()
}

/// The player as an agent of Pursuit. While it is one, Pursuit drives its body.
pub(crate) fn walker(speed: f32) -> NavAgent {
    NavAgent::from_radius(BODY_RADIUS).with_speed(speed)
}
