//! Everybody's body: sizes, collision groups, components.

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::walls::OBSTACLES;

/// Radius of everybody's body, in world units.
pub const BODY_RADIUS: f32 = 11.0;
/// Group of the player's collider.
pub const PLAYER_GROUP: Group = Group::GROUP_2;
/// Group of the hunters' colliders.
pub const HUNTER_GROUP: Group = Group::GROUP_3;
/// Group of the colliders of hunters that slip past each other.
pub const SLIPPING_GROUP: Group = Group::GROUP_4;

/// The body of a player: solid against walls. Others reach for it, they do not shove it.
pub fn player_body() -> impl Bundle {
    (
        RigidBody::Dynamic,
        Collider::ball(BODY_RADIUS),
        CollisionGroups::new(PLAYER_GROUP, OBSTACLES),
        Friction::coefficient(0.0),
        Velocity::zero(),
        GravityScale(0.0),
        LockedAxes::ROTATION_LOCKED,
    )
}

/// The body of somebody who walks by himself: solid against walls and others like him.
pub fn walker_body() -> impl Bundle {
    (
        RigidBody::Dynamic,
        Collider::ball(BODY_RADIUS),
        CollisionGroups::new(HUNTER_GROUP, OBSTACLES | HUNTER_GROUP),
        Friction::coefficient(0.0),
    )
}
