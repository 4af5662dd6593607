//! What each stage of the plugin takes, measured from outside: a system between any two stages reads
//! the clock.

use std::time::Instant;

use bevy::ecs::schedule::ScheduleConfigs;
use bevy::ecs::system::NonSendMarker;
use bevy::ecs::system::ScheduleSystem;
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy_pursuit::PursuitSystems;
use bevy_pursuit::plugins::InlineBakes;
use bevy_rapier2d::plugin::PhysicsSet;
use serde_json::{Value, json};

use crate::clock::thread_ms;
use crate::report::joined;
use crate::samples::Samples;

/// In the order in which they run. `request` begins with the schedule, and `observe` when transforms are up to date. The
/// time of other systems that run in between counts.
const STAGES: [&str; 7] = [
    "request", "plan", "follow", "avoid", "drive", "observe", "bake",
];

/// Times of all stages.
#[derive(Resource)]
pub(crate) struct StageClock {
    last: Moment,
    /// Of this tick, in milliseconds.
    now: [f64; STAGES.len()],
    ticks: [Samples; STAGES.len()],
    /// How long the thread of the frame was on a processor in all stages of this tick, in milliseconds, and in each.
    cpu_now: f64,
    cpu_ms: Samples,
}

/// A moment by the clock, and the milliseconds that the thread of the frame spent on a processor so far.
type Moment = (Instant, f64);

fn moment() -> Moment {
    let cpu_ms = thread_ms();
    // The clock is read last, so that its times do not contain the other reading.
    (Instant::now(), cpu_ms)
}

impl StageClock {
    /// Takes down the tick that has ended.
    pub(crate) fn end_tick(&mut self) {
        for (ticks, now) in self.ticks.iter_mut().zip(&mut self.now) {
            ticks.push(std::mem::take(now));
        }
        self.cpu_ms.push(std::mem::take(&mut self.cpu_now));
    }

    /// How long the thread of the frame was on a processor in all stages, by tick, in milliseconds.
    pub(crate) fn cpu_ms(&self) -> &Samples {
        &self.cpu_ms
    }

    /// What some stages took of the last tick that was taken down, together, in milliseconds.
    pub(crate) fn latest_ms(&self, stages: &[&str]) -> f64 {
        let ticks = STAGES.iter().zip(&self.ticks);
        let those = ticks.filter(|(stage, _)| stages.contains(stage));
        those.filter_map(|(_, ticks)| ticks.last()).sum()
    }

    /// The times of all stages after the first `skipped` ticks; empty if they are not measured.
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

/// Measures the stages. The game's own systems must run before `FixedPreUpdate`.
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
    .add_systems(PostUpdate, bakes())
    .add_systems(InlineBakes, bakes());
}

fn bakes() -> ScheduleConfigs<ScheduleSystem> {
    use PursuitSystems::*;
    (
        begin.after(TransformSystems::Propagate).before(Observe),
        end::<5>.after(Observe).before(Bake),
        end::<6>.after(Bake),
    )
        .into_configs()
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
