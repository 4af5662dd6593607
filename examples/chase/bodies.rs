//! Sizes and collision groups of everybody's body.

use bevy_rapier2d::prelude::Group;

/// Radius of everybody's body, in world units.
pub(crate) const BODY_RADIUS: f32 = 11.0;
/// Group of the player's collider.
pub(crate) const PLAYER_GROUP: Group = Group::GROUP_2;
/// Group of the hunters' colliders.
pub(crate) const HUNTER_GROUP: Group = Group::GROUP_3;
/// Group of the colliders of hunters that slip past each other.
pub(crate) const SLIPPING_GROUP: Group = Group::GROUP_4;
