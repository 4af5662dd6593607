//! Warnings about settings and components that keep agents from moving as they should, with or without Rapier.

use bevy::prelude::*;

use super::turn::NavTurn;
use crate::agent::{BodyState, CrowdObstacle, NavAgent, NavDrive};
use crate::chunks::{AllOf, any_changed};
use crate::grid::NavGrid;
use crate::ground::AgentClasses;
use crate::names::Names;
use crate::settings::PursuitSettings;

/// Longest tick with which bodies still come to rest at their goals, in seconds.
const SLOW_TICK_SECONDS: f32 = 0.15;

/// Number of slow ticks in a row before a warning. A single long frame does no harm.
const MIN_SLOW_TICKS: u32 = 8;

/// Logs the first warning that the system piped into this one returns, and no later warning.
pub(super) fn log_once(In(warning): In<Option<String>>, mut was_logged: Local<bool>) {
    if let Some(warning) = warning.filter(|_| !*was_logged) {
        *was_logged = true;
        warn!("{warning}");
    }
}

/// Warns if ticks are so long that agents cannot move as they should. `slow` is the number of such ticks in a row.
pub(super) fn watch_ticks(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    agents: Query<(), With<NavAgent>>,
    mut slow: Local<u32>,
) -> Option<String> {
    let dt = time.delta_secs();
    let counted = settings.step(dt);
    let is_slow = dt > SLOW_TICK_SECONDS.max(1.05 * counted) || counted > SLOW_TICK_SECONDS;
    *slow = if is_slow && !agents.is_empty() {
        *slow + 1
    } else {
        0
    };
    (*slow >= MIN_SLOW_TICKS).then(|| {
        format!(
            "Pursuit's schedule runs only once in {dt} s. Agents without a body move at {:.0} % of their speed, \
             because a tick counts as at most {counted} s (PursuitSettings::max_delta), and bodies swing around their \
             goals. Run the schedule at least ten times a second",
            100.0 * counted / dt,
        )
    })
}

pub(super) fn watch_settings(settings: Res<PursuitSettings>) -> Option<String> {
    (settings.is_changed() && !settings.has_valid_delta()).then(|| {
        format!(
            "PursuitSettings::max_delta must be finite and above 0, got {}. Pursuit uses {} instead",
            settings.max_delta,
            PursuitSettings::default().max_delta,
        )
    })
}

pub(super) fn watch_drives(
    drives: Query<(Entity, &NavDrive), Changed<NavDrive>>,
    names: Names,
) -> Option<String> {
    let (entity, drive) = drives.iter().find(|(_, drive)| !drive.is_valid())?;
    Some(format!(
        "NavDrive on {}: the grip must be from 0 to 1, got {drive:?}. It is treated as 1",
        names.of(entity),
    ))
}

pub(super) fn watch_turns(
    turns: Query<(Entity, &NavTurn), Changed<NavTurn>>,
    names: Names,
) -> Option<String> {
    let (entity, turn) = turns.iter().find(|(_, turn)| !turn.is_valid())?;
    Some(format!(
        "NavTurn on {} is ignored: rate must be above 0, and forward must be finite and not zero, got {turn:?}",
        names.of(entity)
    ))
}

/// Warns if a new agent has a scale other than 1.
pub(super) fn watch_scales(
    all: Query<AllOf<BodyState>>,
    new: Query<(Entity, &Transform), Added<BodyState>>,
    names: Names,
) -> Option<String> {
    if !any_changed(&all) {
        return None;
    }
    let scales = new.iter().map(|(entity, it)| (entity, it.scale.truncate()));
    let is_scaled = |scale: &Vec2| !scale.abs().abs_diff_eq(Vec2::ONE, 1e-3);
    let (entity, scale) = scales.into_iter().find(|(_, scale)| is_scaled(scale))?;
    Some(format!(
        "agent {} has a Transform with scale {scale}, but NavAgent::radius is in world units and is not scaled. Set it \
         to the radius of the scaled body, or scale a child that holds the sprite or model",
        names.of(entity),
    ))
}

/// Warns if an agent has a class that does not exist.
pub(super) fn watch_classes(
    classes: Option<Res<AgentClasses>>,
    all: Query<AllOf<NavAgent>>,
    changed: Query<(Entity, &NavAgent), Changed<NavAgent>>,
    agents: Query<(Entity, &NavAgent)>,
    names: Names,
) -> Option<String> {
    let known = classes?;
    let class_of = |agent: &NavAgent| usize::from(agent.class.0);
    let is_unknown = |(_, agent): &(Entity, &NavAgent)| class_of(agent) >= known.all.len().max(1);
    let unknown = match known.is_changed() {
        true => agents.iter().find(is_unknown),
        false if any_changed(&all) => changed.iter().find(is_unknown),
        false => None,
    };
    let (entity, agent) = unknown?;
    Some(format!(
        "agent {} has class {}, which AgentClasses does not contain. It is treated as class 0. Add the class to \
         AgentClasses",
        names.of(entity),
        class_of(agent),
    ))
}

/// Warns if a `CrowdObstacle` is at least as wide as the longest side of every grid.
pub(super) fn watch_crowd_obstacles(
    obstacles: Query<(Entity, Ref<CrowdObstacle>)>,
    grids: Query<Ref<NavGrid>>,
    names: Names,
) -> Option<String> {
    let are_new = grids.iter().any(|grid| grid.is_changed());
    let size = |grid: Ref<NavGrid>| grid.bounds.size().max_element();
    let largest = grids.iter().map(size).max_by(f32::total_cmp)?;
    obstacles.iter().find_map(|(entity, obstacle)| {
        let is_new = are_new || obstacle.is_changed();
        let radius = obstacle.valid_radius().filter(|_| is_new)?;
        (2.0 * radius >= largest).then(|| {
            format!(
                "CrowdObstacle on {} has a radius of {radius}, but the largest NavGrid is only {largest} long: agents \
                 that keep clear of this entity end up in a corner. Set the radius to that of its body, in world units",
                names.of(entity)
            )
        })
    })
}
