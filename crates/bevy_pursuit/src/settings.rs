//! Settings of the whole plugin: where searches run and how much they may cost.

use bevy::ecs::prelude::{ReflectResource, Res};
use bevy::ecs::resource::Resource;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

/// Where searches and bakes run.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlanMode {
    /// In tasks of [`AsyncComputeTaskPool`](bevy::tasks::AsyncComputeTaskPool); the frame never
    /// waits. For games.
    ///
    /// By default that pool has a quarter of the cores, at least one thread, at most four. A game
    /// that asks for more paths than those can find gives it more:
    /// `TaskPoolPlugin::task_pool_options.async_compute`.
    #[default]
    Async,
    /// Inside the tick, in a fixed order, as much as [`PursuitSettings::search_budget`] allows; bakes in
    /// [`InlineBakes`](crate::InlineBakes), whole. Same input, same paths, tick for tick, however many frames there are:
    /// for tests, replays and single-threaded builds. While no tick runs, grids stay as they are; where
    /// several frames pass between two ticks, all obstacles are looked at in each.
    Inline,
}

/// Settings of the plugin. Insert your own before or after adding the plugins; read every frame.
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Resource, Default, Clone, Debug, PartialEq)]
pub struct PursuitSettings {
    /// Where searches and bakes run.
    ///
    /// Default: [`PlanMode::Async`].
    pub plan_mode: PlanMode,
    /// Most nodes that one search may expand before it settles for the nearest cell found so far:
    /// jump points where it searches by those, a dozen on a short way, hundreds on a long one,
    /// thousands in a maze; else cells. `None` is no limit. Answers from deep bakes (`NavGrid::deep_bake`)
    /// know no limit, and a goal in sight needs no search.
    ///
    /// Set it to bound the worst search, to `Some(20_000)` for example; far targets then give partial
    /// paths.
    ///
    /// Default: `None`.
    pub max_expanded: Option<u32>,
    /// Most requests that share one task; `0` counts as `1`. With fewer in line, tasks are smaller, so
    /// that every thread gets some.
    ///
    /// Lower it where single searches take milliseconds.
    ///
    /// Default: `128`.
    pub batch_size: usize,
    /// Most nodes that searches expand before the others wait: per tick under
    /// [`PlanMode::Inline`], per task under [`PlanMode::Async`]. A search that has begun runs to its
    /// end. `0` counts as `1`. What bodies of another radius can walk on has to be worked out before the first
    /// search for them: that counts as a node for each ten cells of the grid. A shared field counts as one for 16 cells that
    /// can be reached, over ground that differs for three; under [`PlanMode::Inline`] one that would cost more than this is not built.
    ///
    /// Lower it where the only thread is the main one, as in a browser: 10,000 nodes take about a
    /// millisecond.
    ///
    /// Default: `200_000`.
    pub search_budget: u32,
    /// Whether agents with the same goal or target read their paths off one flow field. It is built once the searches for
    /// that goal have cost as much as it would. Paths cost what those of searches cost; where several cost the same,
    /// another one may be taken. Chasers of a target that moves may be led to where it was when the field was built, if it
    /// moved by less than a twentieth of their distance. Grids of more than 4 million cells have no fields, and with
    /// [`max_expanded`](Self::max_expanded) no grid has.
    ///
    /// Where 256 agents and more chase one target on a grid in the plane of X and Y, or 96 that keep apart, agents that are some
    /// cells away walk along its field: their [`NavPath`](crate::NavPath) is empty until they are near. Not agents with a
    /// [`NavDrive`](crate::NavDrive), a [`Flee`](crate::Flee), an [`OnGrid`](crate::OnGrid), a recorder, a parent, or another
    /// [`RepathPolicy`](crate::RepathPolicy) than `Dynamic`.
    ///
    /// Default: `true`.
    pub share_fields: bool,
    /// Farthest target that a chaser looks for in a straight line, in cells of its grid. Beyond it
    /// the chaser keeps to its path.
    ///
    /// Default: `64.0`.
    pub sight_range_cells: f32,
    /// Longest step that an agent makes in one tick, in seconds: a stalled frame slows agents
    /// down instead of throwing them around corners. Finite, `> 0.0`; anything else counts as the
    /// default.
    ///
    /// Default: `0.1`.
    pub max_delta: f32,
}

/// Whether searches and bakes run inside the frame.
pub(crate) fn is_inline(settings: Option<Res<PursuitSettings>>) -> bool {
    settings.is_some_and(|settings| settings.plan_mode == PlanMode::Inline)
}

/// The longest step where nothing else is said, in seconds.
const MAX_STEP: f32 = 0.1;

impl PursuitSettings {
    /// The time that a tick of `dt` seconds counts for, in seconds: at most
    /// [`max_delta`](Self::max_delta).
    pub(crate) fn step(&self, dt: f32) -> f32 {
        let longest = if self.has_valid_delta() {
            self.max_delta
        } else {
            MAX_STEP
        };
        dt.min(longest)
    }

    /// Whether [`max_delta`](Self::max_delta) makes sense.
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
            max_delta: MAX_STEP,
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
    fn a_longest_step_that_makes_no_sense_counts_as_the_default() {
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
