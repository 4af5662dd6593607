//! Warnings about settings and components that keep Rapier's bodies from moving as they should, with the remedy.

use std::{iter, mem};

use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::colliders::ScaledShapes;
use super::decompose::reach;
use crate::agent::{CrowdState, NavAgent, NavDrive, NavFrame};
use crate::grid::NavGrid;
use crate::names::Names;
use crate::obstacle::{ObservedObstacles, pose_of};
use crate::settings::PursuitSettings;

/// Detects whether the physics steps in Pursuit's schedule, by looking before and after the physics.
#[derive(Resource, Default)]
pub(super) struct StepProbe {
    /// Each physics world, and the change tick of its last step.
    last_steps: Vec<(Entity, Tick)>,
    /// Whether the physics stepped between the end of the previous tick's physics and the present tick.
    stepped_elsewhere: bool,
    /// Whether the physics has ever stepped in Pursuit's schedule.
    steps_here: bool,
    stepped: bool,
    was_logged: bool,
}

/// The component that Rapier writes in each step, and nowhere else.
type Steps<'w, 's> = Query<'w, 's, (Entity, Ref<'static, SimulationToRenderTime>)>;

impl StepProbe {
    /// Whether the physics normally steps in this schedule, but did not step in the previous tick.
    pub(super) fn is_gated(&self) -> bool {
        self.steps_here && !self.stepped
    }

    /// Whether a physics world stepped since the last call.
    fn look(&mut self, physics: &Steps) -> bool {
        let steps = || (physics.iter()).map(|(entity, time)| (entity, time.last_changed()));
        let mut both = steps().zip(&self.last_steps);
        let stepped = both.any(|(now, before)| now.0 == before.0 && now.1 != before.1);
        self.last_steps.clear();
        self.last_steps.extend(steps());
        stepped
    }
}

pub(super) fn look_before_physics(mut probe: ResMut<StepProbe>, physics: Steps) {
    probe.stepped_elsewhere = probe.look(&physics);
}

pub(super) fn look_after_physics(mut probe: ResMut<StepProbe>, physics: Steps) {
    probe.stepped = probe.look(&physics);
    probe.steps_here |= probe.stepped;
    if probe.stepped_elsewhere && !probe.steps_here && !probe.was_logged {
        probe.was_logged = true;
        warn!(
            "Rapier's physics steps in another schedule than Pursuit, so bodies move too fast or too slowly. Add \
             both plugins in the same schedule: RapierPhysicsPlugin::default().in_fixed_schedule() and \
             PursuitPlugins::default().in_fixed_schedule(), or both plugins without in_fixed_schedule()"
        );
    }
}

/// Number of ticks over which the time of the physics is compared with game time.
const WINDOW_TICKS: u32 = 60;

/// Warns if the physics falls behind game time because its longest step was too short in most of the latest ticks. A
/// single long frame does no harm. `ticks` counts all ticks, and the ticks in which the physics was cut short.
pub(super) fn watch_lag(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    mode: Option<Res<TimestepMode>>,
    bodies: Query<&RigidBody, With<NavAgent>>,
    mut ticks: Local<(u32, u32)>,
) -> Option<String> {
    let dt = settings.step(time.delta_secs());
    let TimestepMode::Variable {
        max_dt, time_scale, ..
    } = *mode?
    else {
        return None;
    };
    ticks.0 += 1;
    ticks.1 += u32::from(max_dt < 0.9 * dt * time_scale);
    if ticks.0 < WINDOW_TICKS {
        return None;
    }
    let (_, cut) = mem::take(&mut *ticks);
    let is_behind = cut > WINDOW_TICKS * 3 / 4 && bodies.iter().any(is_physical);
    is_behind.then(|| {
        format!(
            "Rapier steps at most {max_dt} s, but a frame is {dt} s of game time: agents with a dynamic body move at \
             {:.0} % of their speed. Raise max_dt of TimestepMode::Variable, or run Rapier and Pursuit \
             in_fixed_schedule() with TimestepMode::Fixed",
            100.0 * (max_dt / (dt * time_scale)),
        )
    })
}

/// Warns if an agent's speed is higher than Rapier allows.
pub(super) fn watch_speed(
    physics: Query<&RapierContextSimulation>,
    changed: Query<(Entity, &NavAgent, &RigidBody), Or<(Changed<NavAgent>, Changed<RigidBody>)>>,
    names: Names,
) -> Option<String> {
    let parameters = physics.iter().map(|it| &it.integration_parameters);
    let caps = parameters.map(|it| (it.max_linear_velocity(), it.length_unit));
    let (cap, unit) = caps.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let is_over = |(_, agent, body): &(Entity, &NavAgent, &RigidBody)| {
        **body == RigidBody::Dynamic && agent.is_valid() && agent.speed > cap
    };
    let (entity, agent, _) = changed.iter().find(is_over)?;
    Some(format!(
        "agent {} has a speed of {}, but in Rapier no dynamic body moves faster than {cap}: 400 times the length unit, \
         which is {unit}. Set the length unit to the number of pixels per meter: \
         RapierPhysicsPlugin::pixels_per_meter(100.0)",
        names.of(entity),
        agent.speed,
    ))
}

/// An agent's body, and the groups that it collides with.
type Colliding = (Entity, &'static RigidBody, Option<&'static CollisionGroups>);

/// Filter for agents that take part in crowds and have a solid collider.
type Parted = (
    With<NavAgent>,
    With<CrowdState>,
    With<Collider>,
    Without<Sensor>,
);

/// Filter for changes that may make an agent collide with other agents.
type BodyChanged = Or<(
    Changed<RigidBody>,
    Changed<CollisionGroups>,
    Added<CrowdState>,
)>;

/// Warns if the character controllers of agents stop at each other where Pursuit lets them pass.
pub(super) fn watch_groups(
    changed: Query<Colliding, (Parted, BodyChanged)>,
    all: Query<Colliding, Parted>,
    names: Names,
) -> Option<String> {
    let collides = |(_, body, groups): &(Entity, &RigidBody, Option<&CollisionGroups>)| {
        let groups = groups.copied().unwrap_or_default();
        **body == RigidBody::KinematicPositionBased && groups.memberships.intersects(groups.filters)
    };
    let (entity, ..) = changed.iter().find(collides)?;
    all.iter().filter(collides).nth(1)?;
    Some(format!(
        "agents such as {} collide with each other: their character controllers stop where Pursuit lets them pass, \
         and doors jam. Pursuit itself keeps agents apart. Let agents collide with everything except agents, for \
         example with CollisionGroups::new(AGENTS, WALLS)",
        names.of(entity),
    ))
}

type SolidCollider = (
    &'static Collider,
    &'static GlobalTransform,
    Option<&'static ColliderScale>,
    Option<&'static CollisionGroups>,
);

/// Distance by which a collider may reach beyond its agent's radius, as a fraction of the radius.
const REACH_SLACK_RADII: f32 = 0.01;

/// Warns if walls stop the collider of an agent where a body of the agent's radius fits. Each changed collider is
/// read even after that warning, because [`ScaledShapes`] warns of a mirrored collider. An agent with invalid numbers
/// stands still, so its collider does not matter.
///
/// The system looks only at bodies that Rapier added in an earlier tick: their colliders are placed and scaled.
pub(super) fn watch_reach(
    changed: Query<
        (
            Entity,
            &NavAgent,
            &RigidBody,
            &GlobalTransform,
            &RapierRigidBodyHandle,
        ),
        Or<(
            Changed<NavAgent>,
            Changed<Collider>,
            Added<RapierRigidBodyHandle>,
        )>,
    >,
    colliders: Query<SolidCollider, (Without<Sensor>, Without<ColliderDisabled>)>,
    children: Query<&Children>,
    grids: Query<&NavGrid>,
    shapes: ScaledShapes,
    names: Names,
) -> Option<String> {
    let reach_of = |one: Entity, center: &GlobalTransform| {
        let (collider, at, scale, groups) = colliders.get(one).ok()?;
        let stops_at = groups.map_or(u32::MAX, |groups| groups.filters.bits());
        let is_stopped = grids.is_empty() || grids.iter().any(|it| it.obstacles.meet(stops_at));
        let mut pose = pose_of(Some(at));
        pose.translation -= center.translation_vec3a();
        let shape = shapes.scaled(one, collider, Some(at), scale);
        is_stopped.then(|| (one, reach(one, shape, NavFrame::XY.pose_to_grid(pose))))
    };
    let warnings = changed.iter().map(|(entity, agent, body, center, _)| {
        // A character controller uses only the collider of its own entity.
        let is_dynamic = *body == RigidBody::Dynamic;
        let below = children.iter_descendants(entity).filter(|_| is_dynamic);
        let all = iter::once(entity).chain(below);
        let reaches = all.filter_map(|one| reach_of(one, center));
        let (one, reach) = reaches.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        let radius = agent.radius;
        let is_stopped = agent.is_valid()
            && reach > (1.0 + REACH_SLACK_RADII) * radius
            && (is_dynamic || *body == RigidBody::KinematicPositionBased);
        is_stopped.then(|| {
            format!(
                "agent {} has a radius of {radius}, but the collider of {} reaches {reach} from the agent's center: \
                 the agent gets stuck in doors and at corners. Use Collider::ball({radius}) around the center, or \
                 a radius of {reach}",
                names.of(entity),
                names.of(one),
            )
        })
    });
    warnings.fold(None, Option::or)
}

/// Warns if damping slows an agent whose grip is below 1.
pub(super) fn watch_damping(
    changed: Query<
        (Entity, &NavAgent, &NavDrive, &RigidBody, &Damping),
        Or<(Changed<NavAgent>, Changed<NavDrive>, Changed<Damping>)>,
    >,
    names: Names,
) -> Option<String> {
    changed.iter().find_map(|(entity, agent, drive, body, damping)| {
        let (grip, damping) = (NavDrive::grip_of(Some(drive)), damping.linear_damping);
        let is_driven = *body == RigidBody::Dynamic && agent.is_valid();
        let is_loose = is_driven && grip > 0.0 && grip < 1.0;
        // At this fraction of the agent's speed, damping slows the agent as much as its grip accelerates it.
        let share = grip * agent.acceleration / (damping * agent.speed);
        (is_loose && damping > 0.0 && share < 1.0).then(|| {
            format!(
                "agent {} has NavDrive::Grip({grip}) and Damping with a linear_damping of {damping}: it moves at \
                 {:.0} % of its speed. Set linear_damping to 0, because a grip also brakes, or raise the grip or the \
                 acceleration",
                names.of(entity),
                100.0 * share,
            )
        })
    })
}

/// Warns if obstacles of a grid are in two physics worlds.
pub(super) fn watch_worlds(
    worlds: Query<(), With<RapierContextSimulation>>,
    changed: Query<Entity, Or<(Changed<RapierContextEntityLink>, Changed<CollisionGroups>)>>,
    all: Query<(Entity, &RapierContextEntityLink), With<Collider>>,
    grids: Query<(Entity, Ref<NavGrid>)>,
    observed: Res<ObservedObstacles>,
    names: Names,
) -> Option<String> {
    worlds.iter().nth(1)?;
    grids.iter().find_map(|(entity, grid)| {
        let counts = |wall: &Entity| {
            let layers = observed.layers_of(*wall);
            layers.is_some_and(|layers| grid.obstacles.meet(layers.0))
        };
        let is_news = grid.is_changed() || changed.iter().any(|wall| counts(&wall));
        let mut counted = all.iter().filter(|(wall, _)| is_news && counts(wall));
        let (one, world) = counted.next()?;
        let (other, _) = counted.find(|(_, other)| *other != world)?;
        Some(format!(
            "NavGrid {} has obstacles in two physics worlds, such as {} and {}. Give the walls of each world a Group \
             of their own, and pass that Group to NavGrid::with_obstacles",
            names.of(entity),
            names.of(one),
            names.of(other),
        ))
    })
}

/// A step of the physics is treated as long as a tick if the two differ by at most this fraction.
const STEP_TOLERANCE: f32 = 0.01;

/// Warns if each step of the physics is longer or shorter than the fixed tick that contains it.
pub(super) fn watch_steps(
    time: Res<Time>,
    fixed: Option<Res<Time<Fixed>>>,
    mode: Option<Res<TimestepMode>>,
    bodies: Query<&RigidBody, With<NavAgent>>,
) -> Option<String> {
    let TimestepMode::Fixed { dt, .. } = *mode? else {
        return None;
    };
    let tick = time.delta_secs();
    let is_fixed = fixed.is_some_and(|fixed| fixed.timestep() == time.delta());
    let differs = is_fixed && (dt / tick - 1.0).abs() > STEP_TOLERANCE;
    (differs && bodies.iter().any(is_physical)).then(|| {
        format!(
            "Rapier steps {dt} s in each tick of {tick} s: agents with a dynamic body move at {:.0} % of their speed. \
             Set dt of TimestepMode::Fixed to the duration of a tick, which Time::<Fixed>::from_hz sets",
            100.0 * dt / tick,
        )
    })
}

fn is_physical(body: &RigidBody) -> bool {
    matches!(body, RigidBody::Dynamic | RigidBody::KinematicVelocityBased)
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;

    fn step(world: &mut World) {
        let mut physics = world.query::<&mut SimulationToRenderTime>();
        physics.single_mut(world).unwrap().diff += 1.0;
    }

    #[test]
    fn a_physics_that_does_not_step_in_a_tick_is_gated() {
        let mut world = World::new();
        world.init_resource::<StepProbe>();
        world.spawn(SimulationToRenderTime::default());
        let mut tick = |steps: bool| {
            world.increment_change_tick();
            world.run_system_once(look_before_physics).unwrap();
            if steps {
                step(&mut world);
            }
            world.run_system_once(look_after_physics).unwrap();
            world.resource::<StepProbe>().is_gated()
        };
        assert_eq!(
            [false, true, false, false, true].map(&mut tick),
            [false, false, true, true, false],
            "unknown before the first step"
        );
    }
}
