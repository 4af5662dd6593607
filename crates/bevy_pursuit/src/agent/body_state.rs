//! How firmly a body is driven, which a game may set, and the state of a body, for any physics engine or none.

use std::mem;

use bevy::prelude::*;

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
    /// The velocity is set in every tick: the body walks exactly as planned, and a push has no lasting effect.
    #[default]
    Firm,
    /// Fraction of [`NavAgent::acceleration`](crate::NavAgent::acceleration) with which the velocity of a
    /// dynamic body is brought toward the desired one, `0.0..=1.0`, no unit.
    ///
    /// With a grip below `1.0`, knock-back, conveyors and explosions work: with `0.2`, a body that was hit takes five
    /// times as long to brake as at full acceleration. The lower the grip, the sooner an agent slows down before
    /// corners and goals. `0.0` has the effect of [`Manual`](Self::Manual). A number that is not finite or outside of
    /// the range is treated as `1.0`.
    ///
    /// Kinematic bodies and bare transforms are driven firmly with any grip above `0.0`.
    Grip(f32),
    /// Pursuit leaves every body alone, including bare transforms and bodies that it could not drive. The game
    /// moves the body, for example by [`DesiredVelocity`](crate::DesiredVelocity). The agent's
    /// [`NavPath`](crate::NavPath) may be empty: see
    /// [`share_fields`](crate::PursuitSettings::share_fields). Progress is still watched: an agent that the game does
    /// not move is reported as stuck.
    Manual,
}

impl NavDrive {
    /// Whether the grip is in its range.
    pub(crate) fn is_valid(&self) -> bool {
        !matches!(self, Self::Grip(grip) if !(0.0..=1.0).contains(grip))
    }

    /// The grip of an agent with this component: 1 without a component, 0 if the game moves the body.
    pub(crate) fn grip_of(drive: Option<&Self>) -> f32 {
        match drive {
            Some(Self::Manual) => 0.0,
            Some(drive @ Self::Grip(grip)) if drive.is_valid() => *grip,
            _ => 1.0,
        }
    }
}

/// Whether a body can be driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DriverState {
    /// The body can be driven.
    #[default]
    Ready,
    /// The physics holds the body: the body is disabled, or the physics is paused. No progress is expected.
    Held,
    /// The body cannot be driven at all. The log says why.
    Unable,
}

/// How an agent's body moves and turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// An entity without a physics body. Pursuit writes its `Transform`.
    #[default]
    Bare,
    /// A position-based kinematic body. The physics moves it by the steps that Pursuit requests, and Pursuit turns it
    /// by writing its `Transform`.
    Stepped,
    /// A velocity-based kinematic body. The physics moves and turns it by the velocity that Pursuit sets, and by
    /// nothing else.
    Steered,
    /// A dynamic body. The physics moves and turns it by the velocity that Pursuit sets, and other bodies push it. Its
    /// grip decides how fast it takes on that velocity.
    Pushed,
    /// A body that cannot move.
    Fixed,
}

/// State of an agent's body. Written by the systems in `physics`. For an entity without a physics body, `gap`, `state`
/// and `kind` have their defaults, which describe a bare transform.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BodyState {
    /// Distance that is kept free of obstacles beyond the agent's radius, in world units.
    pub(crate) gap: f32,
    /// Whether the body can be driven now.
    pub(crate) state: DriverState,
    /// How the body moves and turns.
    pub(crate) kind: BodyKind,
    /// Whether the body still has a velocity that Pursuit gave it.
    pub(crate) walks: bool,
    /// The part of earlier steps that rounding has kept out of the position so far, in world units.
    pub(crate) carry: Vec2,
    /// Whether the log has a warning that the body cannot be driven.
    pub(crate) was_logged: bool,
}

/// What to do with a body in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Drive {
    /// Leave the body alone, so that the game's own changes to it stay.
    Leave,
    /// Bring the body to rest.
    Stop,
    /// Move the body with this velocity, in world units per second.
    Go(Vec2),
}

impl BodyState {
    /// What to do with a body whose desired velocity is `desired`.
    ///
    /// A body whose desired velocity becomes zero is stopped once and then left alone.
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

    /// Whether Pursuit may move the body.
    pub(crate) fn may_drive(&self, grip: f32) -> bool {
        self.state == DriverState::Ready && grip > 0.0
    }

    /// Fraction of the agent's acceleration that its body can use to speed up and brake: the grip of a dynamic body, 1
    /// for any other body, and 1 for a body that the game moves.
    pub(crate) fn agility(&self, drive: Option<&NavDrive>) -> f32 {
        let grip = NavDrive::grip_of(drive);
        if self.kind == BodyKind::Pushed && grip > 0.0 {
            grip
        } else {
            1.0
        }
    }

    /// Whether the body can be driven, and was given a velocity when it was last driven.
    pub(crate) fn is_going(&self) -> bool {
        self.walks && self.state == DriverState::Ready
    }

    /// Rounds the step `wanted`, plus the rest of earlier steps, so that `position` plus the result is a representable
    /// number. Keeps the rest for the next tick.
    ///
    /// Far from the origin, representable positions are far apart: at 10,000, about 0.001. Without the rest, steps of
    /// that size would be rounded in the same direction in every tick, or to nothing.
    pub(crate) fn representable(&mut self, position: Vec2, wanted: Vec2) -> Vec2 {
        let total = wanted + self.carry;
        let step = (position + total) - position;
        let rest = total - step;
        // A single position that is not finite must not spoil all later steps.
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
                NavDrive::grip_of(Some(&NavDrive::Grip(grip))),
                1.0,
                "{grip}"
            );
        }
        for grip in [0.0, 0.3, 1.0] {
            assert_eq!(NavDrive::grip_of(Some(&NavDrive::Grip(grip))), grip);
        }
        assert_eq!(NavDrive::grip_of(None), 1.0);
        assert_eq!(NavDrive::grip_of(Some(&NavDrive::Manual)), 0.0);
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
