//! Adds the components that driving a body needs, and finds out which bodies can be driven.

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::kinematic::gap;
use super::velocity::stop_linear;
use super::warnings::StepProbe;
use crate::agent::{BodyKind, BodyState, DriverState, NavAgent, NavDrive};
use crate::names::Names;

/// Filter for agents that lack a component that some driver needs.
type LacksSomething = (
    With<NavAgent>,
    Or<(
        Without<Velocity>,
        Without<LockedAxes>,
        Without<GravityScale>,
    )>,
);

/// Adds the components that driving needs and the user did not add: a `Velocity`, and components that keep a dynamic
/// body upright and weightless.
///
/// The system looks for missing components instead of new bodies, so it also works if a component is removed later.
pub(super) fn equip_bodies(
    mut commands: Commands,
    bodies: Query<(Entity, &RigidBody, Has<Velocity>), LacksSomething>,
) {
    for (entity, body, has_velocity) in &bodies {
        let mut agent = commands.entity(entity);
        match body {
            RigidBody::Dynamic => {
                let parts = (LockedAxes::ROTATION_LOCKED, GravityScale(0.0));
                agent.try_insert_if_new((Velocity::default(), parts));
            }
            RigidBody::KinematicVelocityBased if !has_velocity => {
                agent.try_insert(Velocity::default());
            }
            _ => {}
        }
    }
}

/// The components that the inspection reads and writes.
type InspectedData<'a> = (
    Entity,
    &'a mut BodyState,
    &'a NavAgent,
    Option<&'a NavDrive>,
    &'a RigidBody,
    Has<RigidBodyDisabled>,
    Option<&'a Collider>,
    Option<&'a KinematicCharacterController>,
    Option<&'a RapierContextEntityLink>,
);

/// The components that the inspection of an agent without a body reads and writes.
type BareData<'a> = (&'a mut BodyState, Option<&'a mut Velocity>);
type Bare = (With<NavAgent>, Without<RigidBody>);

/// Determines for each agent whether its body can be driven, and warns of bodies that cannot.
///
/// The system looks at every agent in every tick, because removals would be missed if ticks are rare. This takes a few
/// nanoseconds per agent.
pub(super) fn inspect_drivers(
    probe: Res<StepProbe>,
    physics: Query<(Entity, &RapierConfiguration, Has<DefaultRapierContext>)>,
    mut bare: Query<BareData, Bare>,
    mut agents: Query<InspectedData>,
    children: Query<&Children>,
    colliders: Query<(), With<Collider>>,
    names: Names,
) {
    let is_off = |(_, config, _): &(_, &RapierConfiguration, _)| !config.physics_pipeline_active;
    let off: Vec<_> = physics.iter().filter(is_off).collect();
    let all_paused = probe.is_gated();
    let is_paused = |link: Option<&RapierContextEntityLink>| {
        let is_mine = |context, is_default| link.map_or(is_default, |link| link.0 == context);
        all_paused || off.iter().any(|one| is_mine(one.0, one.2))
    };
    inspect_bare(&mut bare);
    for (entity, mut driver, agent, drive, body, disabled, collider, controller, link) in
        &mut agents
    {
        let has_shape = collider.is_some()
            || controller.is_some_and(|controller| controller.custom_shape.is_some());
        let (kind, is_movable) = match body {
            RigidBody::Dynamic => (BodyKind::Pushed, true),
            RigidBody::Fixed => (BodyKind::Fixed, false),
            RigidBody::KinematicPositionBased => (BodyKind::Stepped, has_shape),
            RigidBody::KinematicVelocityBased => (BodyKind::Steered, true),
        };
        // A body that the game moves does not have to be drivable.
        let is_manual = NavDrive::grip_of(drive) == 0.0;
        let state = match (is_movable || is_manual, disabled || is_paused(link)) {
            (false, _) => DriverState::Unable,
            (true, true) => DriverState::Held,
            (true, false) => DriverState::Ready,
        };
        let gap = match (body, controller) {
            (RigidBody::KinematicPositionBased, Some(controller)) => {
                gap(controller, collider, agent.radius)
            }
            _ => 0.0,
        };
        let was_unable = driver.state == DriverState::Unable;
        let inspected = (gap, state, kind);
        // The state is written only if it differs, because a change makes the agent's intent be decided again.
        if (driver.gap, driver.state, driver.kind) != inspected {
            (driver.gap, driver.state, driver.kind) = inspected;
        }
        // Not logged in the first tick, because a collider is often added a moment after its body.
        if driver.state == DriverState::Unable && was_unable && !driver.was_logged {
            driver.was_logged = true;
            let below = children.iter_descendants(entity);
            let child = below.into_iter().find(|child| colliders.contains(*child));
            warn_of_body(&names.of(entity), body, child.map(|child| names.of(child)));
        }
    }
}

/// Resets the state of agents whose `RigidBody` was removed.
fn inspect_bare(bare: &mut Query<BareData, Bare>) {
    for (mut driver, velocity) in bare {
        if driver.kind != BodyKind::Bare {
            // A body that is added later must not continue with the velocity of the old one.
            if driver.walks {
                velocity.map(stop_linear);
            }
            *driver = BodyState {
                walks: driver.walks,
                carry: driver.carry,
                was_logged: driver.was_logged,
                ..BodyState::default()
            };
        }
    }
}

fn warn_of_body(name: &str, body: &RigidBody, child: Option<String>) {
    match (body, child) {
        (RigidBody::KinematicPositionBased, Some(child)) => warn!(
            "agent {name} cannot move: its Collider is on the child {child}, and a character controller moves only a \
             kinematic body that has the Collider itself. Put the Collider on the agent's entity, or use \
             RigidBody::Dynamic or RigidBody::KinematicVelocityBased"
        ),
        (RigidBody::KinematicPositionBased, None) => warn!(
            "agent {name} cannot move: it is a kinematic body without a Collider, and a character controller moves \
             only bodies that have one. Add a Collider, or remove the RigidBody"
        ),
        _ => warn!(
            "agent {name} cannot move: its body is RigidBody::Fixed. Use RigidBody::Dynamic or \
             RigidBody::KinematicPositionBased"
        ),
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use crate::grid::FIT_FRACTION;

    use super::*;

    /// A world with a physics context, active or paused.
    fn world(is_active: bool) -> World {
        let mut world = World::new();
        world.init_resource::<StepProbe>();
        let config = RapierConfiguration {
            physics_pipeline_active: is_active,
            ..RapierConfiguration::new(1.0)
        };
        world.spawn((config, DefaultRapierContext));
        world
    }

    fn driver_of(world: &mut World, body: impl Bundle) -> BodyState {
        let agent = world.spawn((NavAgent::default(), body)).id();
        world.run_system_once(inspect_drivers).unwrap();
        *world.get::<BodyState>(agent).unwrap()
    }

    #[test]
    fn bodies_that_cannot_be_driven_are_distinguished_from_held_ones() {
        use DriverState::*;
        let collider = || Collider::ball(1.0);
        let kinematic = RigidBody::KinematicPositionBased;
        for is_active in [true, false] {
            let mut world = world(is_active);
            let expected = if is_active { Ready } else { Held };
            let mut state = |body: &dyn Fn(&mut World) -> BodyState| body(&mut world).state;
            assert_eq!(state(&|w| driver_of(w, ())), Ready);
            assert_eq!(state(&|w| driver_of(w, RigidBody::Dynamic)), expected);
            assert_eq!(state(&|w| driver_of(w, (kinematic, collider()))), expected);
            assert_eq!(state(&|w| driver_of(w, kinematic)), Unable);
            assert_eq!(
                state(&|w| driver_of(w, (RigidBody::Fixed, collider()))),
                Unable
            );
            let disabled = || (RigidBody::Dynamic, RigidBodyDisabled);
            assert_eq!(state(&|w| driver_of(w, disabled())), Held);
            // The game moves this body, so it does not have to be drivable.
            let manual = || (RigidBody::Fixed, NavDrive::Manual);
            assert_eq!(state(&|w| driver_of(w, manual())), expected);
        }
    }

    #[test]
    fn a_body_that_the_game_moves_need_not_be_drivable() {
        let mut world = world(true);
        let kinematic = RigidBody::KinematicPositionBased;
        for body in [RigidBody::Fixed, kinematic] {
            for (grip, expected) in [(0.0, DriverState::Ready), (0.1, DriverState::Unable)] {
                let driver = driver_of(&mut world, (body, NavDrive::Grip(grip)));
                assert_eq!(driver.state, expected, "{body:?} with grip {grip}");
            }
        }
    }

    #[test]
    fn a_body_of_an_active_context_is_not_held_by_a_paused_one() {
        let mut world = world(false);
        let other = world.spawn(RapierConfiguration::new(1.0)).id();
        let body = (RigidBody::Dynamic, RapierContextEntityLink(other));
        assert_eq!(driver_of(&mut world, body).state, DriverState::Ready);
    }

    #[test]
    fn the_driver_state_follows_added_and_removed_components() {
        let mut world = world(true);
        let body = (RigidBody::Dynamic, RigidBodyDisabled);
        let agent = world.spawn((NavAgent::default(), body)).id();
        let state = |world: &mut World| {
            world.run_system_once(inspect_drivers).unwrap();
            world.get::<BodyState>(agent).unwrap().state
        };
        assert_eq!(state(&mut world), DriverState::Held);
        world.entity_mut(agent).remove::<RigidBodyDisabled>();
        assert_eq!(state(&mut world), DriverState::Ready);
        world.entity_mut(agent).insert(RigidBody::Fixed);
        assert_eq!(state(&mut world), DriverState::Unable);
        world.entity_mut(agent).remove::<RigidBody>();
        assert_eq!(state(&mut world), DriverState::Ready);
    }

    #[test]
    fn the_gap_compensates_for_the_offset_of_the_controller() {
        use bevy_rapier2d::control::CharacterLength::{Absolute, Relative};
        let mut world = world(true);
        let radius = NavAgent::default().radius;
        for (offset, size, free) in [
            (Absolute(0.3), radius, 0.3),
            (Relative(0.1), radius, 1.6),
            (Absolute(-1.0), radius, 0.0),
            (Absolute(f32::NAN), radius, 0.0),
            (Absolute(0.08), 0.98 * radius, 0.08 - 0.02 * radius),
            (Absolute(0.08), 2.0 * radius, 0.08),
        ] {
            let controller = KinematicCharacterController {
                offset,
                ..KinematicCharacterController::default()
            };
            let body = (RigidBody::KinematicPositionBased, Collider::ball(size));
            let driver = driver_of(&mut world, (body, controller.clone()));
            let kept_free = FIT_FRACTION * (radius + driver.gap);
            assert!(
                (kept_free - (radius + free)).abs() < 1e-4 || driver.gap == 0.0,
                "{offset:?}"
            );
            assert_eq!(driver.gap == 0.0, size < radius, "{offset:?}");
            // A dynamic body ignores its controller.
            let driver = driver_of(&mut world, (RigidBody::Dynamic, controller));
            assert_eq!(driver.gap, 0.0);
        }
    }
}
