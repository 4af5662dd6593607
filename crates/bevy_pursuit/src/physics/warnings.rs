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

/// Number of slow ticks in a row, and which warnings were logged. Each warning is logged once.
#[derive(Default)]
pub(super) struct WarningState {
    slow: u32,
    was_logged: [bool; 7],
}

/// Checks the length of ticks, the settings, and changed agents.
pub(super) fn watch(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    drives: Query<(Entity, &NavDrive), Changed<NavDrive>>,
    turns: Query<(Entity, &NavTurn), Changed<NavTurn>>,
    (bodies, new): (
        Query<AllOf<BodyState>>,
        Query<(Entity, &Transform), Added<BodyState>>,
    ),
    (all, changed): (
        Query<AllOf<NavAgent>>,
        Query<(Entity, &NavAgent), Changed<NavAgent>>,
    ),
    agents: Query<(Entity, &NavAgent)>,
    (avoided, grids): (Query<(Entity, Ref<CrowdObstacle>)>, Query<Ref<NavGrid>>),
    classes: Option<Res<AgentClasses>>,
    names: Names,
    mut state: Local<WarningState>,
) {
    let WarningState { slow, was_logged } = &mut *state;
    let dt = time.delta_secs();
    let is_slow = is_slow(dt, &settings) && !agents.is_empty();
    *slow = if is_slow { *slow + 1 } else { 0 };
    let warnings = [
        (*slow >= MIN_SLOW_TICKS).then(|| rare_ticks(dt, &settings)),
        settings
            .is_changed()
            .then(|| bad_delta(&settings))
            .flatten(),
        drives.iter().find_map(|one| bad_grip(one, &names)),
        turns.iter().find_map(|one| bad_turn(one, &names)),
        any_changed(&bodies)
            .then(|| new.iter().find_map(|one| scaled(one, &names)))
            .flatten(),
        classes.and_then(|known| {
            let unknown = |one| unknown_class(one, &known, &names);
            match known.is_changed() && !was_logged[5] {
                true => agents.iter().find_map(unknown),
                false if any_changed(&all) => changed.iter().find_map(unknown),
                false => None,
            }
        }),
        avoided
            .iter()
            .find_map(|one| covers_all(one, &grids, &names)),
    ];
    for (warning, was_logged) in warnings.into_iter().zip(was_logged) {
        if let Some(warning) = warning.filter(|_| !*was_logged) {
            *was_logged = true;
            warn!("{warning}");
        }
    }
}

/// Whether ticks are so long that agents cannot move as they should.
fn is_slow(dt: f32, settings: &PursuitSettings) -> bool {
    let counted = settings.step(dt);
    dt > SLOW_TICK_SECONDS.max(1.05 * counted) || counted > SLOW_TICK_SECONDS
}

fn rare_ticks(dt: f32, settings: &PursuitSettings) -> String {
    let counted = settings.step(dt);
    format!(
        "Pursuit's schedule runs only once in {dt} s. Agents without a body move at {:.0} % of their speed, because a \
         tick counts as at most {counted} s (PursuitSettings::max_delta), and bodies swing around their goals. Run the \
         schedule at least ten times a second",
        100.0 * counted / dt,
    )
}

fn bad_delta(settings: &PursuitSettings) -> Option<String> {
    (!settings.has_valid_delta()).then(|| {
        format!(
            "PursuitSettings::max_delta must be finite and above 0, got {}. Pursuit uses {} instead",
            settings.max_delta,
            PursuitSettings::default().max_delta,
        )
    })
}

fn bad_grip((entity, drive): (Entity, &NavDrive), names: &Names) -> Option<String> {
    (!drive.is_valid()).then(|| {
        format!(
            "NavDrive on {}: the grip must be from 0 to 1, got {drive:?}. It is treated as 1",
            names.of(entity),
        )
    })
}

fn bad_turn((entity, turn): (Entity, &NavTurn), names: &Names) -> Option<String> {
    (!turn.is_valid()).then(|| {
        format!(
            "NavTurn on {} is ignored: rate must be above 0, and forward must be finite and not zero, got {turn:?}",
            names.of(entity)
        )
    })
}

fn unknown_class(
    (entity, agent): (Entity, &NavAgent),
    known: &AgentClasses,
    names: &Names,
) -> Option<String> {
    let class = usize::from(agent.class.0);
    (class > 0 && class >= known.all.len()).then(|| {
        let agent = names.of(entity);
        format!(
            "agent {agent} has class {class}, which AgentClasses does not contain. It is treated as class 0. Add the \
             class to AgentClasses"
        )
    })
}

/// A warning about a `CrowdObstacle` whose radius covers every grid.
fn covers_all(
    (entity, avoided): (Entity, Ref<CrowdObstacle>),
    grids: &Query<Ref<NavGrid>>,
    names: &Names,
) -> Option<String> {
    let is_new = avoided.is_changed() || grids.iter().any(|grid| grid.is_changed());
    let radius = avoided.valid_radius().filter(|_| is_new)?;
    let size = |grid: Ref<NavGrid>| grid.bounds.size().max_element();
    let largest = grids.iter().map(size).max_by(f32::total_cmp)?;
    (2.0 * radius >= largest).then(|| {
        format!(
            "CrowdObstacle on {} has a radius of {radius}, but the largest NavGrid is only {largest} long: agents \
             that keep clear of this entity end up in a corner. Set the radius to that of its body, in world units",
            names.of(entity)
        )
    })
}

fn scaled((entity, transform): (Entity, &Transform), names: &Names) -> Option<String> {
    let scale = transform.scale.truncate();
    (!scale.abs().abs_diff_eq(Vec2::ONE, 1e-3)).then(|| {
        format!(
            "agent {} has a Transform with scale {scale}, but NavAgent::radius is in world units and is not scaled. \
             Set it to the radius of the scaled body, or scale a child that holds the sprite or model",
            names.of(entity),
        )
    })
}
