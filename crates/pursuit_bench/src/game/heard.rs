//! The plugin's events, collected by observers.

use std::collections::BTreeMap;
use std::time::Duration;

use bevy::prelude::*;
use bevy_pursuit::PursuitStats;
use bevy_pursuit::prelude::*;

use crate::samples::Samples;

/// What observers have collected.
#[derive(Resource, Default)]
pub(crate) struct Heard {
    /// How often an agent was reported stuck.
    pub(crate) stuck: u64,
    pub(crate) request_to_path_ms: Samples,
    /// Arrivals since the last time they were taken out.
    pub(crate) arrivals: Vec<GoalReached>,
}

impl Heard {
    fn answered(&mut self, latency: Duration) {
        self.request_to_path_ms.push(latency.as_secs_f64() * 1e3);
    }
}

/// Adds observers of the plugin's events.
pub(crate) fn listen(app: &mut App) {
    app.init_resource::<Heard>()
        .add_observer(|event: On<PathFound>, mut heard: ResMut<Heard>| {
            heard.answered(event.latency);
        })
        .add_observer(|event: On<PathFailed>, mut heard: ResMut<Heard>| {
            heard.answered(event.latency);
        })
        .add_observer(|event: On<GoalReached>, mut heard: ResMut<Heard>| {
            heard.arrivals.push(*event);
        })
        .add_observer(|_: On<AgentStuck>, mut heard: ResMut<Heard>| heard.stuck += 1);
}

/// Requests that were answered without a path to the goal, by reason.
pub(crate) fn failures(stats: &PursuitStats) -> BTreeMap<String, u64> {
    let failures = stats.failures();
    let failures = failures.map(|(reason, count)| (format!("{reason:?}"), count));
    failures.collect()
}
