//! Shows the plugin's counters in Bevy's diagnostics.

use std::time::Duration;

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::schedule::{
    FrameOver, MainSystems, PursuitSystems, PursuitTickSystems, TickOver, TickStart,
    ensure_schedule,
};
use crate::stats::{FrameClock, PursuitStats};

/// Measures what the plugin costs and does.
///
/// Without this plugin, [`PursuitDiagnostics`] are not recorded, and [`PursuitStats::frame_time`] stays 0. The stages
/// write the other fields of [`PursuitStats`] themselves.
#[derive(Clone, Copy, Debug)]
pub struct DiagnosticsPlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

/// The paths of the plugin's measurements in Bevy's diagnostics store.
pub struct PursuitDiagnostics;

impl PursuitDiagnostics {
    /// Time per frame from the first to the last of the plugin's systems, summed over the schedules in which they run,
    /// in milliseconds.
    pub const FRAME_TIME: DiagnosticPath = DiagnosticPath::const_new("pursuit/frame_time");
    /// Number of requests answered per second.
    pub const PATHS: DiagnosticPath = DiagnosticPath::const_new("pursuit/paths");
    /// Number of search tasks that are running or about to start.
    pub const TASKS: DiagnosticPath = DiagnosticPath::const_new("pursuit/tasks");
    /// Number of requests that wait for a task.
    pub const QUEUED: DiagnosticPath = DiagnosticPath::const_new("pursuit/queued");
    /// Duration of the latest bake, in milliseconds.
    pub const BAKE_TIME: DiagnosticPath = DiagnosticPath::const_new("pursuit/bake_time");
}

impl Plugin for DiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        use PursuitSystems::{Bake, Observe};
        ensure_schedule(app, self.schedule);
        app.init_resource::<FrameClock>()
            .register_diagnostic(Diagnostic::new(PursuitDiagnostics::FRAME_TIME).with_suffix("ms"))
            .register_diagnostic(Diagnostic::new(PursuitDiagnostics::PATHS).with_suffix("/s"))
            .register_diagnostic(Diagnostic::new(PursuitDiagnostics::TASKS))
            .register_diagnostic(Diagnostic::new(PursuitDiagnostics::QUEUED))
            .register_diagnostic(Diagnostic::new(PursuitDiagnostics::BAKE_TIME).with_suffix("ms"))
            .add_main_systems(First, reset_frame_time)
            .add_main_systems(
                self.schedule,
                (
                    start_clock
                        .after(PursuitSystems::First)
                        .before(TickStart)
                        .in_set(PursuitTickSystems),
                    stop_clock.in_set(TickOver),
                ),
            )
            .add_main_systems(
                PostUpdate,
                (
                    start_clock
                        .after(TransformSystems::Propagate)
                        .before(Observe),
                    stop_clock.after(Bake),
                ),
            )
            .add_main_systems(
                Last,
                (
                    start_clock.before(FrameOver::Bakes),
                    (stop_clock, record_diagnostics)
                        .chain()
                        .after(FrameOver::Searches),
                ),
            );
    }
}

fn reset_frame_time(mut stats: ResMut<PursuitStats>) {
    stats.frame_time = Duration::ZERO;
}

fn start_clock(mut clock: ResMut<FrameClock>) {
    clock.0 = Some(Instant::now());
}

fn stop_clock(mut clock: ResMut<FrameClock>, mut stats: ResMut<PursuitStats>) {
    if let Some(begun) = clock.0.take() {
        stats.frame_time += begun.elapsed();
    }
}

fn record_diagnostics(
    stats: Res<PursuitStats>,
    time: Res<Time<Real>>,
    mut answered_before: Local<u64>,
    mut diagnostics: Diagnostics,
) {
    let answered = stats.paths_found + stats.paths_failed.iter().sum::<u64>();
    // A rollback may have restored a lower number.
    let new = answered.saturating_sub(*answered_before);
    *answered_before = answered;
    let seconds = time.delta_secs_f64();
    diagnostics.add_measurement(&PursuitDiagnostics::FRAME_TIME, || {
        stats.frame_time.as_secs_f64() * 1e3
    });
    if seconds > 0.0 {
        diagnostics.add_measurement(&PursuitDiagnostics::PATHS, || new as f64 / seconds);
    }
    diagnostics.add_measurement(&PursuitDiagnostics::TASKS, || stats.tasks_in_flight as f64);
    diagnostics.add_measurement(&PursuitDiagnostics::QUEUED, || stats.queued as f64);
    diagnostics.add_measurement(&PursuitDiagnostics::BAKE_TIME, || {
        stats.last_bake.as_secs_f64() * 1e3
    });
}
