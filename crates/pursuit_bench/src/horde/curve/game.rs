//! Plays one game of one side.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use pursuit::Grid;
use serde_json::{Value, json};

use super::plan::CurvePlan;
use super::side::Side;
use crate::clock::{process_ms, thread_ms};
use crate::error::BenchError;
use crate::game::FIRST_SECOND;
use crate::game::pace::ticks;
use crate::game::positions::position_of_only;
use crate::game::walls::WallBoxes;
use crate::horde::meter::Meter;
use crate::horde::scene::{Scene, Setting};
use crate::horde::target_field::TargetField;
use crate::horde::tick_times;
use crate::horde::world::{Avoidance, Bodies, HordeAgents, RADIUS, Target};

/// Measurements at the end of the first second.
struct Begin {
    /// Cost of each agent's path to the target. `None` without a path.
    costs: Vec<Option<u32>>,
    /// CPU time of all threads of the process, and of this thread, in milliseconds.
    spent: [f64; 2],
}

impl Begin {
    fn now(app: &mut App, meter: &mut Meter) -> Self {
        Begin {
            costs: costs(app, meter),
            spent: [process_ms(), thread_ms()],
        }
    }

    /// Mean CPU time of all threads per tick since `self`, in milliseconds. The work of the benchmark itself in this
    /// thread is left out.
    fn cpu_ms(&self, meter: &Meter) -> Option<f64> {
        let [all, own] = [process_ms() - self.spent[0], thread_ms() - self.spent[1]];
        let updates = &meter.update_ms[1];
        let spent = all - own + updates.iter().sum::<f64>();
        (!updates.is_empty()).then(|| spent / updates.len() as f64)
    }

    /// Fraction of the agents whose path to the target is cheaper in `now` than in `self`.
    fn nearer(&self, now: &[Option<u32>]) -> f64 {
        let both = self.costs.iter().zip(now);
        let nearer = both.filter(|(then, now)| matches!((then, now), (Some(a), Some(b)) if b < a));
        nearer.count() as f64 / now.len() as f64
    }
}

fn costs(app: &mut App, meter: &mut Meter) -> Vec<Option<u32>> {
    let target = position_of_only::<Target>(app.world_mut());
    meter.target_field.lead_to(target);
    let places = meter.positions.places.iter();
    places
        .map(|place| meter.target_field.cost(*place))
        .collect()
}

/// Plays a game, and returns its figures.
pub(super) fn play(
    plan: &CurvePlan,
    level: &Grid,
    side: Side,
    agents: usize,
) -> Result<Value, BenchError> {
    let no_room = || BenchError::at(&plan.common.map, "no room for that many agents");
    let setting =
        Setting::new(level, Scene::March, RADIUS, agents, plan.common.seed).ok_or_else(no_room)?;
    let kind = HordeAgents::new(Avoidance::None, RADIUS, Bodies::PLAIN);
    let walls = WallBoxes::of(level);
    let mut meter = Meter::new(kind, TargetField::new(level, RADIUS), &setting.starts);
    let mut app = side.app(plan, setting, &walls);
    let (started, within) = (Instant::now(), Duration::from_secs_f64(plan.within));
    // No time passes in the first update of an app.
    app.update();
    let mut begin = None;
    for tick in ticks(&plan.play(agents)) {
        if started.elapsed() > within {
            break;
        }
        meter.tick(&mut app, &walls, None);
        if tick == FIRST_SECOND as u64 {
            begin = Some(Begin::now(&mut app, &mut meter));
        }
    }
    let cpu_ms = begin.as_ref().and_then(|begin| begin.cpu_ms(&meter));
    let now = costs(&mut app, &mut meter);
    Ok(json!({
        "side": side.name(),
        "agents": agents,
        // Number of ticks after the first second. The figures below are of these ticks, except `first_second_ms` and
        // `wall_overlaps`.
        "ticks": meter.update_ms[0].len(),
        // Time of whole updates, in milliseconds: elapsed time, and CPU time of the main thread.
        "tick_ms": tick_times(&meter.update_ms[0], &meter.update_ms[1]),
        // Time of the plugin's systems in these updates. Peers do not have this figure.
        "main_thread_ms": meter.main_thread_ms.tick_time(),
        // Mean CPU time of all threads in a tick. It includes tasks, but not the benchmark itself.
        "all_threads_cpu_ms": cpu_ms,
        "first_second_ms": meter.first_ms.tick_time(),
        // The fraction of the agents that moved in a tick: minimum and mean.
        "moved_share": meter.moved_share.percentile(0.0),
        "moved_mean": meter.moved_share.mean(),
        // How far agents walked toward the target, as a fraction of the distance at full speed. Agents in the crowd at
        // the target are left out.
        "progress": meter.progress.mean(),
        // Fraction of the agents whose path to the target is cheaper at the end than after the first second.
        "nearer": begin.map(|begin| begin.nearer(&now)),
        // The figures below are defined as in the benchmark `horde`.
        "over": meter.closeness.over(),
        "deep": meter.closeness.deep(),
        "worst": meter.closeness.worst(),
        "wall_overlaps": meter.positions.wall_overlaps,
        "anchor_ns": meter.target_field.anchor_ns(),
    }))
}

#[cfg(test)]
mod tests {
    use super::Begin;

    #[test]
    fn agents_count_as_nearer_if_their_remaining_cost_has_dropped() {
        let begin = Begin {
            costs: vec![Some(5), Some(5), Some(5), None],
            spent: [0.0; 2],
        };
        assert_eq!(begin.nearer(&[Some(4), Some(5), None, Some(1)]), 0.25);
    }
}
