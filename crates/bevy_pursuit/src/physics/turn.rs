//! Turns agents toward where they go. This only affects looks: the velocity does not wait for the turn.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::driven_tick::{DrivenOn, DrivenTick};
use crate::agent::{BodyKind, BodyState, DesiredVelocity, DriverState, NavAgent, TickPosition};

/// An agent is treated as facing its heading if the angle to the heading is at most this, in radians.
const FACING_TOLERANCE_RADIANS: f32 = 1e-4;

/// An agent keeps its rotation if its desired speed is at most this fraction of its full speed.
const REST_SPEED_SHARE: f32 = 0.01;

/// Turns an agent's entity around the z-axis, toward the direction in which the agent goes.
///
/// Optional: an agent without this component keeps the rotation that the game gives it. The heading is
/// [`DesiredVelocity`], so an agent that is knocked back still faces where it wants to go, and an agent that the game
/// moves itself ([`NavDrive::Manual`](crate::NavDrive::Manual)) turns as well. At rest an agent keeps its rotation.
///
/// This component has no effect on a grid outside of the XY plane, such as the ground of a 3D game: turn the model by
/// [`DesiredVelocity`] there.
///
/// Turning only affects looks. The velocity does not wait for a slow turn, and [`NavAgent::radius`] should contain the
/// body in every rotation.
///
/// - For a bare `Transform` and a position-based kinematic body, the rotation is written.
/// - For a dynamic or velocity-based body, the angular velocity is written, so that the physics turns it.
///   Writing its rotation would teleport it in every tick, out of contacts and interpolation. The
///   `LockedAxes::ROTATION_LOCKED` that Pursuit adds stays: it keeps collisions from turning the body.
///
/// A body below a mirrored parent turns the wrong way: mirror the sprite or model instead.
///
/// An invalid value has no effect, and a warning is logged once. Written by the user.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A sprite that is drawn facing up.
/// let turn = NavTurn::new(6.0).with_forward(Vec2::Y);
/// commands.spawn((NavAgent::from_radius(10.0), turn));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavTurn {
    /// Turning speed, in radians per second. `> 0.0`. With `f32::INFINITY`, a bare transform or a position-based
    /// kinematic body turns within one tick. A dynamic or velocity-based body turns by half of the remaining angle in
    /// each tick.
    ///
    /// For tanks and ships, use a lower value.
    ///
    /// Default: `10.0`, half a turn in about a third of a second.
    pub rate: f32,
    /// The direction that the entity faces when its rotation is `Quat::IDENTITY`. Finite, not zero; its length
    /// does not matter.
    ///
    /// Default: [`Vec2::X`], to the right.
    pub forward: Vec2,
}

impl Default for NavTurn {
    fn default() -> Self {
        Self {
            rate: 10.0,
            forward: Vec2::X,
        }
    }
}

impl NavTurn {
    /// Turns an entity that faces right, at this rate in radians per second.
    pub fn new(rate: f32) -> Self {
        Self::default().with_rate(rate)
    }

    /// Sets the turning speed, in radians per second.
    pub fn with_rate(mut self, rate: f32) -> Self {
        self.rate = rate;
        self
    }

    /// Sets the direction that the entity faces when its rotation is `Quat::IDENTITY`.
    pub fn with_forward(mut self, forward: Vec2) -> Self {
        self.forward = forward;
        self
    }

    pub(super) fn is_valid(&self) -> bool {
        self.rate > 0.0 && self.forward.is_finite() && self.forward != Vec2::ZERO
    }

    /// The shortest angle from the direction that the entity faces to `heading`, in radians; both are relative
    /// to its parent. `None` if the entity already faces there, or if a direction is undefined.
    pub(super) fn missing_angle(&self, transform: &Transform, heading: Vec2) -> Option<f32> {
        let drawn_forward = transform.scale * self.forward.normalize_or_zero().extend(0.0);
        let facing = (transform.rotation * drawn_forward).truncate();
        let angle = facing.perp_dot(heading).atan2(facing.dot(heading));
        (angle.is_finite() && angle.abs() > FACING_TOLERANCE_RADIANS).then_some(angle)
    }
}

/// The components that turning reads.
#[derive(QueryData)]
pub(super) struct TurnData {
    agent: &'static NavAgent,
    pub(super) turn: &'static NavTurn,
    desired: &'static DesiredVelocity,
    pub(super) driver: &'static BodyState,
    child_of: Option<&'static ChildOf>,
    position: &'static TickPosition,
    driven_on: DrivenOn<'static>,
}

/// The direction that an agent should face now, relative to its parent. `None` if it keeps its rotation.
pub(super) fn heading(
    data: &TurnDataItem,
    tick: &DrivenTick,
    transforms: &TransformHelper,
) -> Option<Vec2> {
    let velocity = data.desired.0;
    let wanted = velocity.xy();
    let goes = wanted.is_finite() && wanted.length() > REST_SPEED_SHARE * data.agent.speed;
    let can_turn = data.turn.is_valid() && data.driver.state == DriverState::Ready;
    let grid = || tick.grid_under(data.driven_on, data.position.0, velocity);
    if !goes || !can_turn || grid().is_some_and(|grid| !grid.plane().is_flat_in_xy()) {
        return None;
    }
    let Some(child_of) = data.child_of else {
        return Some(wanted);
    };
    let parent = transforms.compute_global_transform(child_of.parent());
    let inverse = parent.ok()?.affine().inverse();
    let local = inverse.transform_vector3(wanted.extend(0.0)).xy();
    local.is_finite().then_some(local)
}

/// Turns the agents whose transform decides their rotation: bare transforms and position-based kinematic
/// bodies.
pub(super) fn turn_transforms(
    tick: DrivenTick,
    agents: Query<(Entity, TurnData)>,
    mut transforms: ParamSet<(TransformHelper, Query<&mut Transform>)>,
) {
    if !tick.is_followed() {
        return;
    }
    for (entity, data) in &agents {
        if !matches!(data.driver.kind, BodyKind::Bare | BodyKind::Stepped) {
            continue;
        }
        let turn = data.turn;
        let Some(heading) = heading(&data, &tick, &transforms.p0()) else {
            continue;
        };
        let mut turnable = transforms.p1();
        let Ok(mut transform) = turnable.get_mut(entity) else {
            continue;
        };
        // If no time passes and the rate is infinite, this is NaN, for which `clamp` would panic.
        let max_angle = turn.rate * tick.dt();
        if let Some(angle) = turn.missing_angle(&transform, heading)
            && max_angle > 0.0
        {
            let step = Quat::from_rotation_z(angle.clamp(-max_angle, max_angle));
            transform.rotation = (step * transform.rotation).normalize();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use std::time::Duration;

    use bevy::ecs::system::RunSystemOnce;
    use bevy::math::Vec3;
    use bevy::time::Time;

    use super::*;
    use crate::agent::{NavFrame, WalkedGrid};
    use crate::grid::{BakedGrid, Grids, NavGrid, fill_grids};
    use crate::schedule::{FollowTick, TickCount};
    use crate::settings::PursuitSettings;

    fn facing(angle: f32) -> Transform {
        Transform::from_rotation(Quat::from_rotation_z(angle))
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let turn = NavTurn::default();
        assert_eq!((turn.rate, turn.forward), (10.0, Vec2::X));
        assert_eq!(NavTurn::new(3.0).rate, 3.0);
    }

    #[test]
    fn an_agent_on_a_3d_ground_plane_is_not_turned_about_z() {
        for (frame, turns) in [(NavFrame::XY, true), (NavFrame::XZ, false)] {
            let mut world = World::new();
            let mut time = Time::<()>::default();
            time.advance_by(Duration::from_millis(20));
            world.insert_resource(time);
            world.init_resource::<TickCount>();
            world.init_resource::<FollowTick>();
            world.init_resource::<PursuitSettings>();
            let baked = BakedGrid::default().in_frame(frame);
            let grid = NavGrid::default();
            let walked = WalkedGrid(Some(world.spawn((grid, baked)).id()));
            world.init_resource::<Grids>();
            world.run_system_once(fill_grids).unwrap();
            let desired = DesiredVelocity(Vec3::new(-100.0, 100.0, 0.0));
            let agent = (NavAgent::default(), NavTurn::default(), walked, desired);
            let agent = world.spawn(agent).id();
            world.run_system_once(turn_transforms).unwrap();
            let rotation = world.get::<Transform>(agent).unwrap().rotation;
            assert_eq!(rotation != Quat::IDENTITY, turns, "{frame:?}");
        }
    }

    #[test]
    fn an_agent_turns_the_shorter_way_round() {
        let turn = NavTurn::default();
        for (from, to) in [(0.0, 1.0), (3.0, -3.0), (-3.0, 3.0), (0.5, -2.0)] {
            let heading = 7.0 * Vec2::from_angle(to);
            let angle = turn.missing_angle(&facing(from), heading).unwrap();
            assert!(angle.abs() <= PI, "from {from} to {to} by {angle}");
            let end = Vec2::from_angle(from + angle);
            assert!(end.distance(Vec2::from_angle(to)) < 1e-4);
        }
        assert_eq!(
            turn.missing_angle(&facing(1.0), Vec2::from_angle(1.0)),
            None
        );
    }

    #[test]
    fn the_forward_direction_and_the_mirroring_of_a_sprite_count() {
        let up = NavTurn::default().with_forward(3.0 * Vec2::Y);
        let angle = up.missing_angle(&Transform::IDENTITY, Vec2::X).unwrap();
        assert!((angle + FRAC_PI_2).abs() < 1e-5, "{angle}");
        let mirrored = Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let turn = NavTurn::default();
        assert_eq!(turn.missing_angle(&mirrored, Vec2::NEG_X), None);
        let flat = Transform::from_scale(Vec3::ZERO);
        assert_eq!(turn.missing_angle(&flat, Vec2::Y), None);
    }

    #[test]
    fn out_of_range_numbers_are_invalid() {
        let turn = NavTurn::default();
        assert!(turn.is_valid() && turn.with_rate(f32::INFINITY).is_valid());
        for rate in [0.0, -1.0, f32::NAN] {
            assert!(!turn.with_rate(rate).is_valid(), "rate {rate}");
        }
        for forward in [Vec2::ZERO, Vec2::NAN, Vec2::new(f32::INFINITY, 1.0)] {
            assert!(!turn.with_forward(forward).is_valid(), "{forward}");
        }
    }
}
