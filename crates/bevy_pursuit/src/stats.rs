//! Counters of the plugin's work and its cost.

use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::agent::FailReason;

/// Counters of the whole plugin, for overlays, diagnostics and benchmarks. Written by this crate.
///
/// Numbers and times are totals since the app started, unless their description says "now" or "latest".
#[derive(Resource, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PursuitStats {
    /// Number of requests answered with a path to the goal.
    pub paths_found: u64,
    /// Number of requests answered without a path to the goal, by [`FailReason`] in the order of [`FailReason::ALL`].
    pub paths_failed: [u64; FailReason::ALL.len()],
    /// Number of requests in [`paths_failed`](Self::paths_failed) that got a path to the reachable cell nearest
    /// to the goal and became [`PathStatus::Partial`](crate::PathStatus).
    pub paths_partial: u64,
    /// Number of requests answered by a search or a shared field, whatever the result.
    pub searches: u64,
    /// Number of nodes that all searches expanded. A node is a jump point, or a cell in a search that goes cell by
    /// cell, or a wall corner in a deep bake. A shared field adds the number of nodes that a search would have expanded
    /// in the same time.
    pub cells_expanded: u64,
    /// Number of fields built for agents to share: see [`share_fields`](crate::PursuitSettings::share_fields).
    pub fields: u64,
    /// Number of requests answered by a shared field.
    pub paths_shared: u64,
    /// Total time for which searches and fields ran in their tasks.
    pub search_time: Duration,
    /// Number of search tasks that are running now.
    pub tasks_in_flight: usize,
    /// Number of requests that wait for a task now.
    pub queued: usize,
    /// Number of bakes installed.
    pub bakes: u64,
    /// How long the latest bake ran in its task.
    pub last_bake: Duration,
    /// Number of search tables built by `NavGrid::deep_bake`. 0 without the feature `deep_bake`.
    pub deep_bakes: u64,
    /// How long the latest build of search tables ran in its thread.
    pub last_deep_bake: Duration,
    /// Time from the first to the last of the plugin's systems in the latest frame, summed over the schedules
    /// in which they run. Includes other systems that ran in between.
    pub frame_time: Duration,
}

impl PursuitStats {
    /// Counts a request that did not reach its goal.
    pub(crate) fn count_failure(&mut self, reason: FailReason) {
        self.paths_failed[reason as usize] += 1;
    }

    /// Number of requests that got no path at all, since the app started.
    pub fn without_path(&self) -> u64 {
        let failed: u64 = self.paths_failed.iter().sum();
        failed.saturating_sub(self.paths_partial)
    }

    /// Each reason for which requests did not reach their goal, with the number of such requests since the app started.
    pub fn failures(&self) -> impl Iterator<Item = (FailReason, u64)> + '_ {
        let counts = FailReason::ALL.into_iter().zip(self.paths_failed);
        counts.filter(|(_, count)| *count > 0)
    }
}

/// The time at which the present group of the plugin's systems began. `None` between two groups.
#[derive(Resource, Default)]
pub(crate) struct FrameClock(pub(crate) Option<Instant>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_its_own_counter() {
        let mut stats = PursuitStats::default();
        for reason in FailReason::ALL {
            stats.count_failure(reason);
        }
        stats.count_failure(FailReason::Unreachable);
        let twice: Vec<_> = stats.failures().filter(|(_, count)| *count == 2).collect();
        assert_eq!(twice, [(FailReason::Unreachable, 2)]);
        assert_eq!(stats.failures().count(), FailReason::ALL.len());
    }
}
