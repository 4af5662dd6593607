//! Collects the events of the plugin with observers.

use std::collections::BTreeMap;
use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::PursuitStats;
use bevy_pursuit::prelude::*;

use crate::samples::Samples;

/// The observed events.
#[derive(Resource, Default)]
pub(crate) struct EventLog {
    /// Number of reports that an agent is stuck.
    pub(crate) stuck: u64,
    pub(crate) request_to_path_ms: Samples,
    /// Arrivals that no meter has taken yet.
    pub(crate) arrivals: Vec<GoalReached>,
}

impl EventLog {
    fn answered(&mut self, latency: Duration) {
        self.request_to_path_ms.push(latency.as_secs_f64() * 1e3);
    }
}

/// Adds observers of the plugin's events.
pub(crate) fn observe(app: &mut App) {
    app.init_resource::<EventLog>()
        .add_observer(|event: On<PathFound>, mut events: ResMut<EventLog>| {
            events.answered(event.latency);
        })
        .add_observer(|event: On<PathFailed>, mut events: ResMut<EventLog>| {
            events.answered(event.latency);
        })
        .add_observer(|event: On<GoalReached>, mut events: ResMut<EventLog>| {
            events.arrivals.push(*event);
        })
        .add_observer(|_: On<AgentStuck>, mut events: ResMut<EventLog>| events.stuck += 1);
}

/// Number of requests that were answered without a path to the goal, by reason.
pub(crate) fn failures(stats: &PursuitStats) -> BTreeMap<String, u64> {
    let failures = stats.failures();
    let failures = failures.map(|(reason, count)| (format!("{reason:?}"), count));
    failures.collect()
}
