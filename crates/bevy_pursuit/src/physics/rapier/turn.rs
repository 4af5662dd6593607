//! Turns the bodies that Rapier rotates, and stops those that should no longer turn.

use std::mem;

use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::velocity::{set_angular, stop_angular};
use crate::agent::{BodyKind, DriverState};
use crate::physics::driven_tick::DrivenTick;
use crate::physics::turn::{NavTurn, TurnData, heading};

/// Fraction of the remaining angle by which a body is turned in a tick. Below 1, so that a body does not overshoot if
/// the physics does not step at the rate of the ticks.
const TURN_SHARE_PER_TICK: f32 = 0.5;

/// Tells whether the body of an agent has an angular velocity that Pursuit set.
///
/// Unlike Pursuit's other private components, this one is cloned with the agent, because the velocity is cloned, too.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Turning {
    pub(super) spins: bool,
}

/// Adds [`Turning`] to bodies with a [`NavTurn`].
pub(super) fn equip_turning(
    mut commands: Commands,
    bodies: Query<Entity, (With<NavTurn>, With<RigidBody>, Without<Turning>)>,
) {
    for body in &bodies {
        commands.entity(body).try_insert(Turning::default());
    }
}

/// Turns the bodies that the physics rotates: dynamic and velocity-based kinematic bodies.
pub(super) fn turn_bodies(
    tick: DrivenTick,
    mode: Option<Res<TimestepMode>>,
    transforms: TransformHelper,
    mut bodies: Query<(TurnData, &Transform, &mut Turning, &mut Velocity)>,
) {
    let dt = tick.dt();
    let step = match mode.as_deref() {
        Some(TimestepMode::Interpolated { dt: step, .. }) => dt.max(*step),
        _ => dt,
    };
    for (data, transform, mut turning, mut velocity) in &mut bodies {
        let is_turned = matches!(data.driver.kind, BodyKind::Steered | BodyKind::Pushed);
        if !is_turned || data.driver.state != DriverState::Ready {
            continue;
        }
        let turn = data.turn;
        let angle = heading(&data, &tick, &transforms)
            // The physics may step even if no time passes.
            .filter(|_| tick.is_followed() && dt > 0.0)
            .and_then(|heading| turn.missing_angle(transform, heading));
        let spin = angle.map_or(0.0, |angle| {
            (TURN_SHARE_PER_TICK * angle / step).clamp(-turn.rate, turn.rate)
        });
        turning.set_spin(spin, &mut velocity);
    }
}

impl Turning {
    /// Sets the angular velocity of a body. A body that should not turn is stopped once and then left alone.
    fn set_spin(&mut self, spin: f32, velocity: &mut Mut<Velocity>) {
        if spin == 0.0 && !self.spins {
            return;
        }
        self.spins = spin != 0.0;
        set_angular(velocity, spin);
    }
}

/// Stops a body whose [`NavTurn`] was removed.
pub(super) fn stop_turning(removed: On<Remove, NavTurn>, world: DeferredWorld) {
    stop_spin(world, removed.entity);
}

/// Stops the rotation of a body that Pursuit turns.
pub(super) fn stop_spin(mut world: DeferredWorld, body: Entity) {
    let turning = world.get_mut::<Turning>(body);
    if turning.is_some_and(|mut turning| mem::take(&mut turning.spins)) {
        world.get_mut(body).map(stop_angular);
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;
    use bevy::math::Vec3;

    use super::*;
    use crate::agent::{BodyState, DesiredVelocity, NavAgent};

    #[test]
    fn a_body_stops_spinning_while_time_is_paused() {
        use bevy::time::Time;

        use crate::schedule::{FollowTick, TickCount};
        use crate::settings::PursuitSettings;

        let mut world = World::new();
        world.init_resource::<Time>();
        world.init_resource::<TickCount>();
        world.init_resource::<FollowTick>();
        world.init_resource::<PursuitSettings>();
        world.init_resource::<crate::grid::Grids>();
        let agent = (NavAgent::default(), NavTurn::default(), RigidBody::Dynamic);
        let state = BodyState {
            kind: BodyKind::Pushed,
            ..BodyState::default()
        };
        let motion = (DesiredVelocity(100.0 * Vec3::Y), Velocity::angular(3.0));
        let body = world
            .spawn((agent, motion, Turning { spins: true }, state))
            .id();
        world.run_system_once(turn_bodies).unwrap();
        assert_eq!(world.get::<Velocity>(body).unwrap().angular, 0.0);
    }
}
