//! Forgets what was given to agents that are not driven any more. Whichever physics is there stopped their bodies before.

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::prelude::*;
use bevy::math::Vec2;

use crate::agent::{BodyState, DesiredVelocity, NavAgent};
use crate::schedule::{DriveTick, Ran};

/// Whether a game did not let [`PursuitSystems::Drive`](crate::schedule::PursuitSystems) run in this
/// tick.
pub(super) fn is_undriven(driven: Ran<DriveTick>) -> bool {
    !driven.now()
}

/// Forgets it of all agents.
pub(super) fn rest_undriven(mut bodies: Query<&mut BodyState, With<NavAgent>>) {
    for mut body in &mut bodies {
        rest(body.bypass_change_detection());
    }
}

fn rest(body: &mut BodyState) {
    if body.walks {
        body.walks = false;
        body.carry = Vec2::ZERO;
    }
}

/// Agents that are agents no longer, or out of the game for now.
pub(super) type Strange = Or<(Without<NavAgent>, With<Disabled>)>;
/// The same, to ask whether there are any.
pub(super) type Strangers = (With<BodyState>, Strange);

/// Forgets it of what is no agent any more, or disabled.
pub(super) fn rest_strangers(mut bodies: Query<(&mut BodyState, &mut DesiredVelocity), Strange>) {
    for (mut body, mut desired) in &mut bodies {
        desired.set_if_neq(DesiredVelocity::default());
        rest(body.bypass_change_detection());
    }
}
