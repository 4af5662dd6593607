//! Says in the log what keeps the bodies of Rapier from going as they should, and how to mend it.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::prelude::*;
use bevy::log::warn;
use bevy::time::Time;
use bevy_rapier2d::dynamics::RigidBody;
use bevy_rapier2d::plugin::context::RapierContextSimulation;
use bevy_rapier2d::plugin::{SimulationToRenderTime, TimestepMode};

use crate::agent::NavAgent;
use crate::names::Names;
use crate::settings::PursuitSettings;

/// Finds out whether the physics steps in the schedule of Pursuit, by looking before and after.
#[derive(Resource, Default)]
pub(super) struct StepProbe {
    /// Each physics world, and when it last stepped.
    seen: Vec<(Entity, Tick)>,
    stepped_elsewhere: bool,
    steps_here: bool,
    stepped: bool,
    is_said: bool,
}

/// Rapier writes this component in each step, and nowhere else.
type Steps<'w, 's> = Query<'w, 's, (Entity, Ref<'static, SimulationToRenderTime>)>;

impl StepProbe {
    /// Whether a physics that steps in this schedule did not step in the last tick.
    pub(super) fn is_gated(&self) -> bool {
        self.steps_here && !self.stepped
    }

    /// Whether a physics world stepped since the last look.
    fn look(&mut self, physics: &Steps) -> bool {
        let mut stepped = false;
        let mut count = 0;
        for (entity, time) in physics {
            let now = (entity, time.last_changed());
            if let Some(before) = self.seen.get_mut(count) {
                stepped |= before.0 == entity && before.1 != now.1;
                *before = now;
            } else {
                self.seen.push(now);
            }
            count += 1;
        }
        self.seen.truncate(count);
        stepped
    }
}

pub(super) fn look_before_physics(mut probe: ResMut<StepProbe>, physics: Steps) {
    probe.stepped_elsewhere = probe.look(&physics);
}

pub(super) fn look_after_physics(mut probe: ResMut<StepProbe>, physics: Steps) {
    probe.stepped = probe.look(&physics);
    probe.steps_here |= probe.stepped;
    if probe.stepped_elsewhere && !probe.steps_here && !probe.is_said {
        probe.is_said = true;
        warn!(
            "Rapier's physics steps in another schedule than Pursuit, so that bodies go too fast or too slow. Add \
             both plugins in the same one: RapierPhysicsPlugin::default().in_fixed_schedule() and \
             PursuitPlugins::default().in_fixed_schedule(), or both without"
        );
    }
}

/// Ticks over which the time of the physics is compared with that of the game.
const WINDOW: u32 = 60;

/// Counts ticks in which the physics was cut short.
#[derive(Default)]
pub(super) struct Lag {
    ticks: u32,
    cut: u32,
    is_said: bool,
}

/// Says when the physics falls behind the game's time because its longest step is too short.
pub(super) fn watch_timestep(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    mode: Option<Res<TimestepMode>>,
    mut lag: Local<Lag>,
    bodies: Query<&RigidBody, With<NavAgent>>,
) {
    let Some(TimestepMode::Variable {
        max_dt, time_scale, ..
    }) = mode.as_deref().copied()
    else {
        return;
    };
    if lag.is_said {
        return;
    }
    let dt = settings.step(time.delta_secs());
    lag.ticks += 1;
    lag.cut += u32::from(max_dt < 0.9 * dt * time_scale);
    if lag.ticks < WINDOW {
        return;
    }
    // Most of them: one frame that stalls does no harm.
    let is_behind = lag.cut > WINDOW * 3 / 4;
    (lag.ticks, lag.cut) = (0, 0);
    let is_physical =
        |body: &RigidBody| matches!(body, RigidBody::Dynamic | RigidBody::KinematicVelocityBased);
    if is_behind && bodies.iter().any(is_physical) {
        lag.is_said = true;
        warn!(
            "Rapier steps {max_dt} s at most, but a frame is {dt} s of game time: agents with a dynamic body go at \
             {:.0} % of their speed. Raise max_dt of TimestepMode::Variable, or run Rapier and Pursuit \
             in_fixed_schedule() with TimestepMode::Fixed",
            100.0 * max_dt / (dt * time_scale),
        );
    }
}

/// Says when an agent is to go faster than Rapier lets bodies go.
pub(super) fn watch_speeds(
    physics: Query<&RapierContextSimulation>,
    agents: Query<(Entity, &NavAgent, &RigidBody), Or<(Changed<NavAgent>, Changed<RigidBody>)>>,
    names: Names,
    mut is_said: Local<bool>,
) {
    if *is_said || agents.is_empty() {
        return;
    }
    let caps = physics.iter().map(|physics| {
        let parameters = &physics.integration_parameters;
        (parameters.max_linear_velocity(), parameters.length_unit)
    });
    let Some((cap, unit)) = caps.min_by(|(a, _), (b, _)| a.total_cmp(b)) else {
        return;
    };
    let is_capped = |agent: &NavAgent, body: &RigidBody| {
        *body == RigidBody::Dynamic && agent.is_valid() && agent.speed > cap
    };
    let capped = agents
        .iter()
        .find(|(_, agent, body)| is_capped(agent, body));
    if let Some((entity, agent, _)) = capped {
        *is_said = true;
        warn!(
            "agent {} has a speed of {}, but Rapier lets no dynamic body go faster than {cap}: 400 times its length \
             unit, which is {unit}. Set it to the pixels of a meter: \
             RapierPhysicsPlugin::pixels_per_meter(100.0)",
            names.of(entity),
            agent.speed,
        );
    }
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
