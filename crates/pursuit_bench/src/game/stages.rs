//! Measures the time of each stage of the plugin from outside: systems between the stages read the clock.

use std::time::Instant;

use bevy::ecs::system::NonSendMarker;
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy_pursuit::plugins::InlineBakeSystems;
use bevy_pursuit::{PlanMode, PursuitSettings, PursuitSystems};
use bevy_rapier2d::plugin::PhysicsSet;
use serde_json::{Value, json};

use crate::clock::thread_ms;
use crate::report::joined;
use crate::samples::Samples;

/// The stages in the order in which they run. `request` begins with the schedule, and `observe` begins when transforms
/// are up to date. The time of a stage includes other systems that run at the same point.
const STAGES: [&str; 7] = [
    "request", "plan", "follow", "avoid", "drive", "observe", "bake",
];

/// Measures the times of all stages.
#[derive(Resource)]
pub(crate) struct StageClock {
    last: Moment,
    /// Time of each stage in the current tick, in milliseconds.
    now: [f64; STAGES.len()],
    ticks: [Samples; STAGES.len()],
    /// CPU time of the main thread in all stages together, in milliseconds: in the current tick, and in each tick that
    /// has ended.
    cpu_now: f64,
    cpu_ms: Samples,
}

/// A moment: the time of the clock, and the CPU time of the main thread so far, in milliseconds.
type Moment = (Instant, f64);

fn moment() -> Moment {
    let cpu_ms = thread_ms();
    // The clock is read last, so that elapsed times do not include the reading of the CPU time.
    (Instant::now(), cpu_ms)
}

impl StageClock {
    /// Records the times of the tick that has ended.
    pub(crate) fn end_tick(&mut self) {
        for (ticks, now) in self.ticks.iter_mut().zip(&mut self.now) {
            ticks.push(std::mem::take(now));
        }
        self.cpu_ms.push(std::mem::take(&mut self.cpu_now));
    }

    /// CPU time of the main thread in all stages together, for each tick, in milliseconds.
    pub(crate) fn cpu_ms(&self) -> &Samples {
        &self.cpu_ms
    }

    /// Total time of some stages in the last recorded tick, in milliseconds.
    pub(crate) fn latest_ms(&self, stages: &[&str]) -> f64 {
        let ticks = STAGES.iter().zip(&self.ticks);
        let those = ticks.filter(|(stage, _)| stages.contains(stage));
        those.filter_map(|(_, ticks)| ticks.last()).sum()
    }

    /// The times of all stages after the first `skipped` ticks. Empty if the stages are not measured.
    pub(crate) fn times_after(skipped: usize, app: &App) -> Vec<Value> {
        let clock = app.world().get_resource::<Self>();
        let stages = clock
            .into_iter()
            .flat_map(|clock| STAGES.into_iter().zip(&clock.ticks));
        let times = stages.map(|(stage, ticks)| {
            let ms = ticks.skip(skipped).tick_time();
            joined(json!({ "stage": stage }), ms)
        });
        times.collect()
    }
}

/// Adds the systems that measure the stages. The game's own systems must run before `FixedPreUpdate`.
pub(crate) fn measure(app: &mut App) {
    use PursuitSystems::*;
    app.insert_resource(StageClock {
        last: moment(),
        now: Default::default(),
        ticks: Default::default(),
        cpu_now: 0.0,
        cpu_ms: Samples::default(),
    })
    .add_systems(FixedPreUpdate, begin)
    .add_systems(
        FixedUpdate,
        (
            end::<0>.after(Decide).before(Plan),
            end::<1>.after(Plan).before(Follow),
            end::<2>.after(Follow).before(Avoid),
            end::<3>.after(Avoid).before(Drive),
            end::<4>.after(Drive).before(PhysicsSet::SyncBackend),
        ),
    )
    .add_systems(
        PostUpdate,
        (
            begin.after(TransformSystems::Propagate).before(Observe),
            end::<5>.after(Observe).before(Bake),
            end::<6>.after(Bake),
        ),
    )
    .add_systems(
        FixedUpdate,
        (
            begin
                .after(InlineBakeSystems::Propagate)
                .before(InlineBakeSystems::Observe),
            end::<5>
                .after(InlineBakeSystems::Observe)
                .before(InlineBakeSystems::Bake),
            end::<6>.after(InlineBakeSystems::Bake).before(Decide),
        )
            .run_if(is_inline),
    );
}

fn is_inline(settings: Res<PursuitSettings>) -> bool {
    settings.plan_mode == PlanMode::Inline
}

fn begin(_main: NonSendMarker, mut clock: ResMut<StageClock>) {
    clock.last = moment();
}

fn end<const STAGE: usize>(_main: NonSendMarker, mut clock: ResMut<StageClock>) {
    let wall = Instant::now();
    let cpu_ms = thread_ms();
    clock.now[STAGE] += (wall - clock.last.0).as_secs_f64() * 1e3;
    clock.cpu_now += cpu_ms - clock.last.1;
    clock.last = moment();
}
