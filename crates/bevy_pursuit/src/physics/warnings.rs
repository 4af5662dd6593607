//! Says in the log what keeps agents from going as they should, whatever moves them.

use bevy::ecs::prelude::*;
use bevy::log::warn;
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::components::Transform;

use crate::agent::{BodyState, NavDrive};
use crate::names::Names;
use crate::settings::PursuitSettings;

/// Longest tick in which bodies come to rest where they should, in seconds.
const SLOW_TICK: f32 = 0.15;

/// Slow ticks in a row until that is said: one that stalls does no harm.
const SLOW_TICKS: u32 = 8;

/// Says when ticks are so rare that agents cannot go as they should.
pub(super) fn watch_ticks(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    mut slow: Local<u32>,
    mut is_said: Local<bool>,
) {
    let dt = time.delta_secs();
    let counted = settings.step(dt);
    let is_slow = dt > SLOW_TICK.max(1.05 * counted) || counted > SLOW_TICK;
    *slow = if is_slow { *slow + 1 } else { 0 };
    if *slow >= SLOW_TICKS && !*is_said {
        *is_said = true;
        warn!(
            "Pursuit's schedule runs every {dt} s only: agents without a body go at {:.0} % of their speed, since a \
             tick counts for {counted} s at most (PursuitSettings::max_delta), and bodies swing around their goals. \
             Let it run ten times a second or more often",
            100.0 * counted / dt,
        );
    }
}

/// Says when the settings make no sense.
pub(super) fn watch_settings(settings: Res<PursuitSettings>, mut is_said: Local<bool>) {
    if settings.is_changed() && !settings.has_valid_delta() && !*is_said {
        *is_said = true;
        warn!(
            "PursuitSettings::max_delta must be finite and above 0, got {}: it counts as {}",
            settings.max_delta,
            PursuitSettings::default().max_delta,
        );
    }
}

/// Says when a [`NavDrive`] makes no sense.
pub(super) fn watch_grips(
    drives: Query<(Entity, &NavDrive), Changed<NavDrive>>,
    names: Names,
    mut is_said: Local<bool>,
) {
    if !*is_said && let Some((entity, drive)) = drives.iter().find(|(_, drive)| !drive.is_valid()) {
        *is_said = true;
        warn!(
            "NavDrive on {}: a grip must be from 0 to 1, got {:?}: it counts as 1",
            names.of(entity),
            drive
        );
    }
}

/// Mirrored counts as unscaled: games turn sprites so.
fn is_unscaled(transform: &Transform) -> bool {
    let scale = transform.scale.truncate().abs();
    scale.abs_diff_eq(Vec2::ONE, 1e-3)
}

/// Says of the first scaled agent, when it is first looked at, what a scale does not do.
pub(super) fn watch_scales(
    agents: Query<(Entity, &Transform), Added<BodyState>>,
    names: Names,
    mut is_said: Local<bool>,
) {
    if !*is_said && let Some((entity, transform)) = agents.iter().find(|(_, one)| !is_unscaled(one))
    {
        *is_said = true;
        warn!(
            "agent {} has a Transform with scale {}, but NavAgent::radius is in world units and is not scaled. \
             Give it the radius that the scaled body has, or scale a child that holds the looks",
            names.of(entity),
            transform.scale.truncate()
        );
    }
}
