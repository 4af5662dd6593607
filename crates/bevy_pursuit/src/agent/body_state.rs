//! How firmly a body is driven, which a game may set, and what is known of the body, whatever physics it is of.

use std::mem;

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::Vec2;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

/// How firmly Pursuit drives an agent's body.
///
/// Optional: an agent without it is driven firmly. Written by the user.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // An enemy that can be knocked back by an impulse.
/// commands.spawn((NavAgent::from_radius(10.0), NavDrive::Grip(0.2)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub enum NavDrive {
    /// The velocity itself is set in every tick: the body walks exactly as planned, and what pushes it has no
    /// lasting effect.
    #[default]
    Firm,
    /// Part of [`NavAgent::acceleration`](crate::NavAgent::acceleration) by which the velocity of a dynamic body may be
    /// brought toward the desired one, `0.0..=1.0`, no unit.
    ///
    /// Less than `1.0` lets knock-back, conveyors and explosions work: `0.2` takes five times as long to brake a body
    /// that was hit as it takes to stop at full acceleration. Agents know how well they can brake, and slow down
    /// sooner. `0.0` is as [`Manual`](Self::Manual). A number outside of the range, or one that is not finite, counts
    /// as `1.0`.
    ///
    /// Kinematic bodies and bare transforms are driven firmly, whatever their grip.
    Grip(f32),
    /// Every body is left alone, bare transforms and bodies that Pursuit could not drive included: the game moves it,
    /// by [`DesiredVelocity`](crate::DesiredVelocity) if it likes. Progress is still watched: an agent that the game
    /// does not move tells that it is stuck.
    Manual,
}

impl NavDrive {
    /// Whether a grip is in its range.
    pub(crate) fn is_valid(&self) -> bool {
        !matches!(self, Self::Grip(grip) if !(0.0..=1.0).contains(grip))
    }

    /// The grip that counts, for an agent that may have no such component.
    pub(crate) fn effective(drive: Option<&Self>) -> f32 {
        match drive {
            Some(Self::Manual) => 0.0,
            Some(drive @ Self::Grip(grip)) if drive.is_valid() => *grip,
            _ => 1.0,
        }
    }
}

/// Whether a body goes where Pursuit wants it to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DriverState {
    /// It does.
    #[default]
    Ready,
    /// The physics holds it: it is disabled, or its physics is paused. No progress is expected.
    Held,
    /// It cannot be driven at all. The log says why.
    Unable,
}

/// How an agent's body moves and turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// No physics moves it: its `Transform` is written.
    #[default]
    Bare,
    /// A physics moves it by the steps that it is given. It is turned by its `Transform`.
    Stepped,
    /// A physics moves and turns it by the velocity that it is given, and by nothing else.
    Steered,
    /// The same, but others push it: it goes as it should only as far as it has a grip.
    Pushed,
    /// Nothing moves it.
    Fixed,
}

/// What is known of the body of an agent. Whichever physics is there writes it; what it does not know is a bare
/// transform, as by default.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BodyState {
    /// What is kept free of obstacles beyond the agent's radius, in world units.
    pub(crate) gap: f32,
    /// Whether the body can be driven now.
    pub(crate) state: DriverState,
    /// How it moves and turns.
    pub(crate) kind: BodyKind,
    /// Whether the body still has a velocity that Pursuit gave it.
    pub(crate) walks: bool,
    /// Part of the steps so far that rounding swallowed, in world units.
    pub(crate) carry: Vec2,
    /// For the physics that writes this: what it derived it from, and whether the log was told of it. 0 while it does
    /// not know the body.
    pub(crate) seen: u8,
}

/// What to do with a body in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Drive {
    /// Leave it alone: what the game sets itself stays.
    Leave,
    /// Bring it to rest.
    Stop,
    /// Move it by this velocity, in world units per second.
    Go(Vec2),
}

impl BodyState {
    /// What to do with a body that wants `desired`.
    ///
    /// A body that wants nothing is stopped once and then left alone.
    pub(crate) fn drive(&mut self, desired: Vec2, grip: f32) -> Drive {
        if self.state != DriverState::Ready {
            return Drive::Leave;
        }
        if grip == 0.0 {
            self.walks = false;
            return Drive::Leave;
        }
        let wants = desired.is_finite() && desired != Vec2::ZERO;
        let walked = mem::replace(&mut self.walks, wants);
        if wants {
            Drive::Go(desired)
        } else if walked {
            self.carry = Vec2::ZERO;
            Drive::Stop
        } else {
            Drive::Leave
        }
    }

    /// Whether the body is the driver's to move.
    pub(crate) fn may_drive(&self, grip: f32) -> bool {
        self.state == DriverState::Ready && grip > 0.0
    }

    /// The part of its agent's acceleration by which the body can be sped up and braked. A body that the
    /// game moves itself is taken to be able to do all of it.
    pub(crate) fn agility(&self, drive: Option<&NavDrive>) -> f32 {
        let grip = NavDrive::effective(drive);
        if self.kind == BodyKind::Pushed && grip > 0.0 {
            grip
        } else {
            1.0
        }
    }

    /// Whether it was to go when it was driven last.
    pub(crate) fn is_going(&self) -> bool {
        self.walks && self.state == DriverState::Ready
    }

    /// The step that `position` can make of `wanted` and of what rounding swallowed so far. Keeps the
    /// rest for the next tick.
    ///
    /// Far from the origin, positions are far apart: at 10,000 about a thousandth. Steps of that size
    /// would be rounded up, down, or to nothing, always the same way.
    pub(crate) fn representable(&mut self, position: Vec2, wanted: Vec2) -> Vec2 {
        let total = wanted + self.carry;
        let step = (position + total) - position;
        let rest = total - step;
        // A place that is not finite for one tick must not spoil the steps of all later ones.
        self.carry = if rest.is_finite() { rest } else { Vec2::ZERO };
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        assert_eq!(NavDrive::default(), NavDrive::Firm);
        let driver = BodyState::default();
        assert_eq!((driver.gap, driver.state), (0.0, DriverState::Ready));
    }

    #[test]
    fn an_invalid_grip_counts_as_full() {
        for grip in [-0.1, 1.1, f32::NAN, f32::INFINITY] {
            assert_eq!(
                NavDrive::effective(Some(&NavDrive::Grip(grip))),
                1.0,
                "{grip}"
            );
        }
        for grip in [0.0, 0.3, 1.0] {
            assert_eq!(NavDrive::effective(Some(&NavDrive::Grip(grip))), grip);
        }
        assert_eq!(NavDrive::effective(None), 1.0);
        assert_eq!(NavDrive::effective(Some(&NavDrive::Manual)), 0.0);
    }

    #[test]
    fn only_a_slipping_body_uses_its_grip() {
        let drive = |grip| Some(NavDrive::Grip(grip));
        let firm = BodyState::default();
        let slips = BodyState {
            kind: BodyKind::Pushed,
            ..firm
        };
        assert_eq!(slips.agility(drive(0.2).as_ref()), 0.2);
        assert_eq!(slips.agility(None), 1.0);
        // A grip of zero means that the game moves the body.
        assert_eq!(slips.agility(drive(0.0).as_ref()), 1.0);
        assert_eq!(firm.agility(drive(0.2).as_ref()), 1.0);
    }

    #[test]
    fn a_body_that_wants_nothing_is_stopped_once() {
        let mut driver = BodyState::default();
        assert_eq!(driver.drive(Vec2::ZERO, 1.0), Drive::Leave);
        assert_eq!(driver.drive(Vec2::X, 1.0), Drive::Go(Vec2::X));
        assert_eq!(driver.drive(Vec2::NAN, 1.0), Drive::Stop);
        assert_eq!(driver.drive(Vec2::ZERO, 1.0), Drive::Leave);
    }

    #[test]
    fn a_held_body_is_stopped_when_it_is_free_again() {
        let mut driver = BodyState::default();
        driver.drive(Vec2::X, 1.0);
        driver.state = DriverState::Held;
        assert_eq!(driver.drive(Vec2::ZERO, 1.0), Drive::Leave);
        driver.state = DriverState::Ready;
        assert_eq!(driver.drive(Vec2::ZERO, 1.0), Drive::Stop);
    }

    #[test]
    fn a_position_that_is_not_finite_leaves_no_remainder() {
        for bad in [f32::NAN, f32::INFINITY, f32::MAX] {
            let mut driver = BodyState::default();
            driver.representable(Vec2::splat(bad), Vec2::splat(f32::MAX));
            driver.representable(Vec2::splat(bad), Vec2::X);
            let step = driver.representable(Vec2::ZERO, Vec2::X);
            assert!(step.is_finite(), "after a place of {bad}: {step}");
        }
    }

    #[test]
    fn steps_that_rounding_swallows_add_up() {
        let mut driver = BodyState::default();
        let mut position = Vec2::new(1e6, -1e6);
        let wanted = Vec2::new(0.01, 0.02);
        for _ in 0..1000 {
            position += driver.representable(position, wanted);
        }
        let walked = position - Vec2::new(1e6, -1e6);
        assert!(
            (walked - 1000.0 * wanted).abs().max_element() < 0.1,
            "{walked}"
        );
    }
}
