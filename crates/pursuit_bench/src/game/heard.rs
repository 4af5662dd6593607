//! What the plugin says: its events, heard by observers.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_pursuit::PursuitStats;
use bevy_pursuit::prelude::*;
use serde::Serialize;

use crate::samples::Samples;

/// What observers heard.
#[derive(Resource, Default)]
pub(crate) struct Heard {
    pub(crate) counts: EventCounts,
    pub(crate) request_to_path_ms: Samples,
    /// Arrivals, until somebody takes them.
    pub(crate) arrivals: Vec<GoalReached>,
}

/// Events by kind.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct EventCounts {
    pub(crate) path_found: u64,
    pub(crate) path_failed: u64,
    pub(crate) target_reached: u64,
    pub(crate) agent_stuck: u64,
}

impl EventCounts {
    pub(crate) fn total(&self) -> u64 {
        self.path_found + self.path_failed + self.target_reached + self.agent_stuck
    }

    /// Events heard since it was `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        EventCounts {
            path_found: self.path_found - before.path_found,
            path_failed: self.path_failed - before.path_failed,
            target_reached: self.target_reached - before.target_reached,
            agent_stuck: self.agent_stuck - before.agent_stuck,
        }
    }
}

/// Hears the plugin's events.
pub(crate) fn listen(app: &mut App) {
    app.init_resource::<Heard>()
        .add_observer(|event: On<PathFound>, mut heard: ResMut<Heard>| {
            heard.counts.path_found += 1;
            heard.answered(event.latency.as_secs_f64());
        })
        .add_observer(|event: On<PathFailed>, mut heard: ResMut<Heard>| {
            heard.counts.path_failed += 1;
            heard.answered(event.latency.as_secs_f64());
        })
        .add_observer(|event: On<GoalReached>, mut heard: ResMut<Heard>| {
            heard.counts.target_reached += 1;
            heard.arrivals.push(*event);
        })
        .add_observer(|_: On<AgentStuck>, mut heard: ResMut<Heard>| {
            heard.counts.agent_stuck += 1;
        });
}

/// Requests that were answered without a path to the goal, by reason.
pub(crate) fn failures(stats: &PursuitStats) -> BTreeMap<String, u64> {
    let failures = stats.failures();
    let failures = failures.map(|(reason, count)| (format!("{reason:?}"), count));
    failures.collect()
}

impl Heard {
    fn answered(&mut self, seconds: f64) {
        self.request_to_path_ms.push(seconds * 1e3);
    }
}
