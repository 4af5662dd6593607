//! Drives rigid bodies by their velocity: dynamic bodies, and velocity-based kinematic bodies.

use bevy::prelude::*;
use bevy_rapier2d::dynamics::{RigidBody, Velocity};

use super::velocity::{AllowedVelocity, set_linear};
use crate::agent::{
    BodyState, DesiredVelocity, Drive, Intent, NavAgent, NavDrive, NavPaused, TickPosition, Wants,
};
use crate::names::Names;
use crate::physics::driven_tick::DrivenTick;

/// The components that driving by velocity reads and writes.
type VelocityData<'a> = (
    Entity,
    &'a NavAgent,
    Option<&'a NavDrive>,
    AllowedVelocity,
    &'a Intent,
    &'a TickPosition,
    Has<NavPaused>,
    &'a RigidBody,
    &'a mut BodyState,
    &'a mut Velocity,
);

/// Sets the velocity of dynamic and of velocity-based kinematic bodies.
pub(super) fn drive_velocities(
    tick: DrivenTick,
    mut was_logged: Local<bool>,
    names: Names,
    mut bodies: Query<VelocityData>,
) {
    let dt = tick.dt();
    for (entity, agent, drive, allowed, intent, place, paused, body, mut driver, mut velocity) in
        &mut bodies
    {
        let grip = match body {
            RigidBody::Dynamic => NavDrive::grip_of(drive),
            // A kinematic body moves only by the velocity that is set here, so any grip above 0 is treated as 1.
            RigidBody::KinematicVelocityBased => NavDrive::grip_of(drive).ceil(),
            RigidBody::KinematicPositionBased | RigidBody::Fixed => continue,
        };
        let driver = driver.bypass_change_detection();
        let desired = allowed.velocity(&tick);
        let wanted = match driver.drive(desired, grip) {
            // An agent that rests at the place where it wants to be resists pushes. An agent that wants nothing does
            // not.
            Drive::Leave if !is_firm(intent, paused) || !driver.may_drive(grip) => continue,
            Drive::Leave | Drive::Stop => Vec2::ZERO,
            Drive::Go(wanted) => wanted,
        };
        let linear = toward(velocity.linear, wanted, grip, agent.acceleration * dt);
        // A slipping body comes to rest over several ticks.
        driver.walks = wanted != Vec2::ZERO || linear != Vec2::ZERO;
        set_linear(&mut velocity, linear);
        if *was_logged {
            continue;
        }
        let place = place.0.xy();
        if stalls(place, agent.speed * dt) {
            *was_logged = true;
            warn_of_distance(&names.of(entity), place, agent.speed, dt);
        } else if *body == RigidBody::Dynamic && is_coarse(place, agent.radius) {
            *was_logged = true;
            warn_of_grain(&names.of(entity), place, agent.radius);
        }
    }
}

/// Removes the agent's own walking speed from bodies whose pause begins. With low grip they would slide on.
///
/// Speed from a knock-back remains; grip brakes it. Runs before this tick's velocities are decided, because the bodies
/// still walk with those of the previous tick.
pub(super) fn stop_walking(
    mut bodies: Query<
        (&DesiredVelocity, &BodyState, &RigidBody, &mut Velocity),
        (With<NavAgent>, Added<NavPaused>),
    >,
) {
    for (desired, driver, body, mut velocity) in &mut bodies {
        if *body == RigidBody::Dynamic && driver.is_going() {
            let linear = without_walk(velocity.linear, desired.0.xy());
            set_linear(&mut velocity, linear);
        }
    }
}

/// A velocity without its part in the walking direction. At most the walking speed is removed.
fn without_walk(now: Vec2, walk: Vec2) -> Vec2 {
    let Some(direction) = walk.try_normalize() else {
        return now;
    };
    let own = now.dot(direction).clamp(0.0, walk.length());
    if own.is_finite() {
        now - direction * own
    } else {
        now
    }
}

/// Whether an agent at rest resists pushes.
fn is_firm(intent: &Intent, is_paused: bool) -> bool {
    intent.order.want != Wants::Nothing && !is_paused
}

/// Changes a velocity toward the wanted one. With a grip of 1 the result is the wanted velocity, otherwise the change
/// is at most `grip * change`.
fn toward(now: Vec2, wanted: Vec2, grip: f32, change: f32) -> Vec2 {
    let missing = wanted - now;
    let max_change = grip * change;
    if grip >= 1.0 || !now.is_finite() || missing.length() <= max_change {
        wanted
    } else {
        now + missing.clamp_length_max(max_change.max(0.0))
    }
}

/// The distance from the origin, per axis, at which a step of this length becomes shorter than half of the gap between
/// adjacent `f32` numbers. At this distance and beyond, a body cannot make such a step.
fn reach_of_steps(step: f32) -> f32 {
    // An f32 has 24 binary digits, and the gap doubles at each power of two.
    (step.log2() + 25.0).floor().exp2()
}

/// Whether steps of this length are lost to rounding at this position.
fn stalls(place: Vec2, step: f32) -> bool {
    let far = place.abs().max_element();
    // The first comparison is cheap, and false for every body that is anywhere near the origin.
    far * f32::EPSILON > step && step > 0.0 && far >= reach_of_steps(step)
}

/// Least radius with which a body reaches its goal reliably. The unit is the gap between adjacent `f32` numbers at its
/// position.
const MIN_RADIUS_ULPS: f32 = 50.0;

/// Whether the numbers at a position are too coarse for a body of this radius.
fn is_coarse(place: Vec2, radius: f32) -> bool {
    let far = place.abs().max_element();
    // The first comparison is cheap, and false for every body that is anywhere near the origin. A radius that is not
    // above 0 has a warning of its own.
    far * f32::EPSILON * MIN_RADIUS_ULPS > radius
        && radius > 0.0
        && grain(far) * MIN_RADIUS_ULPS > radius
}

/// The gap between an `f32` number and the next larger one.
fn grain(far: f32) -> f32 {
    far.next_up() - far
}

fn warn_of_grain(name: &str, place: Vec2, radius: f32) {
    warn!(
        "agent {name} at {place} may stand or swing around its goal: numbers are {} apart there, which is too coarse \
         for physics with a body of radius {radius}. Move the level nearer to the origin, or make all of it larger",
        grain(place.abs().max_element()),
    );
}

fn warn_of_distance(name: &str, place: Vec2, speed: f32, dt: f32) {
    warn!(
        "agent {name} at {place} does not move as it should: at speed {speed} and {dt} s per tick a step is {}, \
         which physics in single precision rounds away beyond {} from the origin. Run the physics at a slower rate, or \
         move the level nearer to the origin",
        speed * dt,
        reach_of_steps(speed * dt),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_grip_sets_the_velocity_and_less_approaches_it() {
        let (now, wanted) = (Vec2::new(10.0, 0.0), Vec2::new(0.0, 8.0));
        assert_eq!(toward(now, wanted, 1.0, 0.1), wanted);
        let slips = toward(now, wanted, 0.2, 5.0);
        assert!((slips.distance(now) - 1.0).abs() < 1e-5, "{slips}");
        assert!(slips.distance(wanted) < now.distance(wanted));
        assert_eq!(toward(wanted * 0.99, wanted, 0.2, 5.0), wanted);
    }

    #[test]
    fn stopping_removes_the_walk_and_keeps_a_hit() {
        let walk = Vec2::X * 8.0;
        for (now, rest) in [
            (walk, Vec2::ZERO),
            (walk * 0.5, Vec2::ZERO),
            (Vec2::new(20.0, 3.0), Vec2::new(12.0, 3.0)),
            (Vec2::new(-20.0, 3.0), Vec2::new(-20.0, 3.0)),
        ] {
            assert_eq!(without_walk(now, walk), rest, "{now}");
        }
        assert_eq!(without_walk(walk, Vec2::ZERO), walk);
        assert_eq!(without_walk(walk, Vec2::NAN), walk);
    }

    #[test]
    fn a_step_stalls_where_rounding_swallows_it() {
        for step in [1e-4_f32, 0.003, 0.7, 12.0] {
            let reach = reach_of_steps(step);
            for (far, is_swallowed) in [(reach * 1.01, true), (reach * 0.49, false)] {
                // A step of exactly half a unit may be rounded up, so this one is slightly shorter.
                let swallowed = far + 0.99 * step == far;
                assert_eq!(swallowed, is_swallowed, "step {step} at {far}");
                assert_eq!(stalls(Vec2::new(0.0, -far), step), is_swallowed);
            }
        }
        assert!(!stalls(Vec2::NAN, 0.1) && !stalls(Vec2::splat(1e9), 0.0));
    }
}
