//! Settings of the whole plugin: where searches run and how much they may cost.

use bevy::prelude::*;

/// Where searches and bakes run.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlanMode {
    /// In tasks of [`AsyncComputeTaskPool`](bevy::tasks::AsyncComputeTaskPool), for games. No frame waits for the
    /// tasks.
    ///
    /// By default, that pool has one thread for every four cores, but at least one and at most four threads. If a game
    /// needs more paths than these threads can find, it can enlarge the pool with
    /// `TaskPoolPlugin::task_pool_options.async_compute`.
    #[default]
    Async,
    /// Inside the tick and in a fixed order, for tests, replays and single-threaded builds. The same input
    /// gives the same paths, tick for tick, however many frames there are.
    ///
    /// Each tick searches as much as [`PursuitSettings::search_budget`] allows, and completes the bakes in
    /// [`InlineBakeSystems`](crate::plugins::InlineBakeSystems). Grids do not change while no tick runs. A tick that comes several
    /// frames after the previous tick compares all obstacles again.
    Inline,
}

/// Settings of the whole plugin. A game may insert this resource before or after it adds the plugins. The settings are
/// read in every frame.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PursuitSettings {
    /// Where searches and bakes run.
    ///
    /// Default: [`PlanMode::Async`].
    pub plan_mode: PlanMode,
    /// Maximum number of nodes that one search may expand. After that, the path ends at the nearest cell found so far.
    /// `None` means no limit.
    ///
    /// A node is a jump point where the search uses jump points, and a cell elsewhere. A short path takes about a dozen
    /// jump points, a long one takes hundreds, and a maze thousands. The limit does not apply to answers from deep
    /// bakes (`NavGrid::deep_bake`), and a goal in sight needs no search.
    ///
    /// Set a limit to bound the worst search, for example `Some(20_000)`. Paths to distant targets are then partial.
    ///
    /// Default: `None`.
    pub max_expanded: Option<u32>,
    /// Maximum number of requests per task. `0` is treated as `1`. When few requests wait, each task gets fewer, so
    /// that every thread has work.
    ///
    /// Lower this number if single searches take milliseconds.
    ///
    /// Default: `128`.
    pub batch_size: usize,
    /// Number of nodes that searches may expand before the remaining requests have to wait: per tick with
    /// [`PlanMode::Inline`], per task with [`PlanMode::Async`]. `0` is treated as `1`. A search that has begun always
    /// finishes.
    ///
    /// Other work uses up the budget as well. Working out where bodies of a new radius fit, before their first search,
    /// costs one node per ten cells of the grid. A shared field costs one node per 16 reachable cells, or one node per
    /// three reachable cells where ground costs differ. With [`PlanMode::Inline`], a field that would cost more than
    /// the whole budget is not built.
    ///
    /// Lower the budget where the main thread is the only one, as in a browser: 10,000 nodes take about a millisecond.
    ///
    /// Default: `200_000`.
    pub search_budget: u32,
    /// Whether agents with the same goal or target get their paths from one shared flow field.
    ///
    /// A field is built once the searches for its goal have taken as long as building the field would. Paths from the
    /// field cost as much as searched paths. Where several paths have the same cost, the field may choose a different
    /// one than a search would. Chasers of a moving target may be led to the target's position at the time when the
    /// field was built, as long as the target has moved by at most a cell and a half, or a twentieth of the chaser's
    /// distance from the target. Grids of more than 4 million cells have no fields, and no grid has any while
    /// [`max_expanded`](Self::max_expanded) is set.
    ///
    /// If one target is chased by at least 256 agents, or by at least 96 agents that keep apart, the chasers that are
    /// some cells away from the target walk along a field toward it. The [`NavPath`](crate::NavPath) of such a chaser
    /// is empty until the chaser is near the target.
    ///
    /// Default: `true`.
    pub share_fields: bool,
    /// Maximum distance at which a chaser looks for its target in a straight line, in cells of its grid. A
    /// chaser that is farther away keeps to its path.
    ///
    /// Default: `64.0`.
    pub sight_range_cells: f32,
    /// Maximum length of a tick, in seconds. In a longer tick, agents move as if the tick had this length: after a
    /// stalled frame, they are slow instead of being thrown around corners. Finite, `> 0.0`; any other value is treated
    /// as the default.
    ///
    /// Default: `0.1`.
    pub max_delta: f32,
}

/// Whether searches and bakes run inside the tick.
pub(crate) fn is_inline(settings: Option<Res<PursuitSettings>>) -> bool {
    settings.is_some_and(|settings| settings.plan_mode == PlanMode::Inline)
}

/// Default of [`PursuitSettings::max_delta`], in seconds.
const DEFAULT_MAX_DELTA: f32 = 0.1;

impl PursuitSettings {
    /// Limits the length of a tick, `dt`, to [`max_delta`](Self::max_delta). Both are in seconds.
    pub(crate) fn step(&self, dt: f32) -> f32 {
        let valid = self.has_valid_delta().then_some(self.max_delta);
        dt.min(valid.unwrap_or(DEFAULT_MAX_DELTA))
    }

    /// Whether [`max_delta`](Self::max_delta) is in its range.
    pub(crate) fn has_valid_delta(&self) -> bool {
        self.max_delta.is_finite() && self.max_delta > 0.0
    }
}

impl Default for PursuitSettings {
    fn default() -> Self {
        Self {
            plan_mode: PlanMode::default(),
            max_expanded: None,
            batch_size: 128,
            search_budget: 200_000,
            share_fields: true,
            sight_range_cells: 64.0,
            max_delta: DEFAULT_MAX_DELTA,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let settings = PursuitSettings::default();
        assert_eq!(settings.plan_mode, PlanMode::Async);
        assert_eq!(settings.max_expanded, None);
        assert_eq!(settings.batch_size, 128);
        assert_eq!(settings.search_budget, 200_000);
        assert!(settings.share_fields);
        assert_eq!(settings.sight_range_cells, 64.0);
        assert_eq!(settings.max_delta, 0.1);
    }

    #[test]
    fn an_invalid_max_delta_limits_a_step_like_the_default() {
        for max_delta in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let settings = PursuitSettings {
                max_delta,
                ..PursuitSettings::default()
            };
            assert_eq!((settings.step(0.02), settings.step(5.0)), (0.02, 0.1));
        }
        let short = PursuitSettings {
            max_delta: 0.05,
            ..PursuitSettings::default()
        };
        assert_eq!((short.step(0.02), short.step(5.0)), (0.02, 0.05));
    }
}
