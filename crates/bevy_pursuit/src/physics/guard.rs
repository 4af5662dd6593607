//! Forgets what was given to agents that are not driven any more. Whichever physics is there stopped their bodies before.

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::prelude::*;
use bevy::math::Vec2;

use crate::agent::{BodyState, DesiredVelocity, NavAgent};
use crate::schedule::{DriveTick, Ran};

/// Agents that are agents no longer, or out of the game for now.
pub(super) type Strange = Or<(Without<NavAgent>, With<Disabled>)>;

/// Forgets it of what is no agent any more, or disabled; and of all agents where a game did not let
/// [`PursuitSystems::Drive`](crate::schedule::PursuitSystems) run in this tick.
pub(super) fn rest(
    driven: Ran<DriveTick>,
    mut bodies: ParamSet<(
        Query<(&mut BodyState, &mut DesiredVelocity), Strange>,
        Query<&mut BodyState, With<NavAgent>>,
    )>,
) {
    for (mut body, mut desired) in &mut bodies.p0() {
        desired.set_if_neq(DesiredVelocity::default());
        forget(body.bypass_change_detection());
    }
    if !driven.now() {
        for mut body in &mut bodies.p1() {
            forget(body.bypass_change_detection());
        }
    }
}

fn forget(body: &mut BodyState) {
    if body.walks {
        body.walks = false;
        body.carry = Vec2::ZERO;
    }
}
