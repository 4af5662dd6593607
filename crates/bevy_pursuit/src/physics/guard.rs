//! Resets the motion state of agents that are no longer driven. The physics integration has already stopped
//! their bodies.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;

use crate::agent::{BodyState, DesiredVelocity, NavAgent};
use crate::schedule::{DriveTick, Ran};

/// Filter for entities that are no longer agents, or are disabled.
pub(super) type NotDriven = Or<(Without<NavAgent>, With<Disabled>)>;

/// Resets the [`DesiredVelocity`] and the motion in the [`BodyState`] of entities that are no longer agents, or are
/// disabled. If the game did not let [`PursuitSystems::Drive`](crate::schedule::PursuitSystems) run in this tick, also
/// resets the motion in the [`BodyState`] of all agents, but not their [`DesiredVelocity`].
pub(super) fn reset_motion(
    driven: Ran<DriveTick>,
    mut bodies: ParamSet<(
        Query<(&mut BodyState, &mut DesiredVelocity), NotDriven>,
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

/// Resets the two fields of a body that describe its motion.
fn forget(body: &mut BodyState) {
    if body.walks {
        body.walks = false;
        body.carry = Vec2::ZERO;
    }
}
