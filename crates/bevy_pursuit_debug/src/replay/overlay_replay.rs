//! The replayed search, which is the picked agent's latest search or a search that the game supplies.

use std::sync::Arc;
use std::time::Duration;

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy_pursuit::PathRecorder;
use bevy_pursuit::grid::BakedGrid;
use pursuit::{AreaCosts, Layout, STRAIGHT};
use pursuit_lab::recording::Recording;
use pursuit_lab::replay::{Pace, Replay, StepUnit};

use crate::grids::is_on_xy_plane;
use crate::pick::OverlayPick;

/// Duration of a replay at its initial rate, in seconds. The replay of a small search is shorter, because the rate is
/// at least [`MIN_INITIAL_RATE`].
const INITIAL_SECONDS: f64 = 8.0;
/// Minimum initial rate of a replay, in expansions per second.
const MIN_INITIAL_RATE: f64 = 8.0;
/// Time for which a replay rests at its end before a newer search replaces it.
const REST_AT_END: Duration = Duration::from_secs(4);

/// The search that the overlay replays.
///
/// It is the search that the game [shows](Self::show), or otherwise the latest search in the [`PathRecorder`] of the
/// picked agent. A new replay starts playing immediately. It takes eight seconds, or less if the search has fewer than
/// 64 expansions. The book lists the keys that control a replay, in `docs/src/overlay.md`. The game may also control
/// the [`Replay`] itself.
///
/// Chasing agents search several times per second. So a newer search of the agent replaces a replay only after the
/// replay has been at its end for four seconds. A replay that is paused before its end is not replaced.
///
/// Default: no search.
#[derive(Resource, Reflect, Default)]
#[reflect(Resource, Default)]
pub struct OverlayReplay {
    #[reflect(ignore)]
    shown: Option<ShownReplay>,
    /// The recording to replay next, and the task that prepares its replay.
    #[reflect(ignore)]
    task: Option<(Arc<Recording>, Task<ShownReplay>)>,
    /// Whether the game supplied the shown search, with [`OverlayReplay::show`].
    #[reflect(ignore)]
    pub(super) is_from_game: bool,
    /// The agent whose search is shown, unless the game supplied the shown search.
    #[reflect(ignore)]
    of: Option<Entity>,
}

/// A replay, and the layout of its grid.
struct ShownReplay {
    replay: Replay,
    layout: Layout,
    /// The cost of plain ground in the search: [`AreaCosts::PLAIN`] on a grid with areas, and 1 on other grids.
    plain_cost: u8,
    /// Time for which the replay has been at its end.
    time_at_end: Duration,
}

impl ShownReplay {
    /// Whether the replay has been at its end for [`REST_AT_END`]. A replay without events is over immediately, because
    /// it shows nothing.
    fn is_over(&self) -> bool {
        self.replay.is_at_end() && (self.time_at_end >= REST_AT_END || self.replay.is_empty())
    }

    /// Advances the replay by `time`, and adds up how long the replay has been at its end.
    fn advance(&mut self, time: Duration) {
        self.replay.advance(time);
        self.time_at_end = match self.replay.is_at_end() {
            true => self.time_at_end.saturating_add(time),
            false => Duration::ZERO,
        };
    }
}

impl OverlayReplay {
    /// Shows a search on a grid with this layout: see [`NavSnapshot::layout`](bevy_pursuit::grid::NavSnapshot::layout).
    /// If the recorded grid has another size, only the cells within the layout are shown. Costs are shown as if plain
    /// ground had a cost of 1.
    pub fn show(&mut self, layout: Layout, recording: impl Into<Arc<Recording>>) {
        self.is_from_game = true;
        self.load(layout, 1, recording.into());
    }

    /// Removes the replay. The next replay is of a recorded search of the picked agent, or of a search that the game
    /// shows.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The replay that is shown. `None` if there is no replay, or if it is not ready yet.
    pub fn replay(&self) -> Option<&Replay> {
        self.shown.as_ref().map(|shown| &shown.replay)
    }

    /// The replay that is shown, for the game to control. `None` if there is no replay, or if it is not ready yet.
    pub fn replay_mut(&mut self) -> Option<&mut Replay> {
        self.shown.as_mut().map(|shown| &mut shown.replay)
    }

    /// The replay that is shown, and the layout of its grid.
    pub(super) fn on_ground(&self) -> Option<(&Replay, &Layout)> {
        let shown = self.shown.as_ref();
        shown.map(|shown| (&shown.replay, &shown.layout))
    }

    /// The cost of a straight step over plain ground in the search that is shown.
    pub(super) fn plain_step(&self) -> u64 {
        let plain_cost = self.shown.as_ref().map_or(1, |shown| shown.plain_cost);
        u64::from(STRAIGHT) * u64::from(plain_cost)
    }

    /// Prepares the replay of a recording in a task, unless it is already shown or being prepared.
    fn load(&mut self, layout: Layout, plain_cost: u8, recording: Arc<Recording>) {
        let shown = self.replay().map(Replay::recording);
        let next = self.task.as_ref().map(|(next, _)| next);
        if next.or(shown).is_some_and(|it| Arc::ptr_eq(it, &recording)) {
            return;
        }
        let pool = AsyncComputeTaskPool::get_or_init(Default::default);
        let own = Arc::clone(&recording);
        let task = pool.spawn(async move {
            let mut replay = Replay::new(own);
            let expansions = replay.recording().counts().expanded;
            let rate = (expansions as f64 / INITIAL_SECONDS).max(MIN_INITIAL_RATE);
            // This cannot fail: the rate is above 0.
            let _ = replay.set_pace(Pace {
                unit: StepUnit::Expansion,
                rate,
                ..Pace::default()
            });
            replay.play();
            ShownReplay {
                replay,
                layout,
                plain_cost,
                time_at_end: Duration::ZERO,
            }
        });
        self.task = Some((recording, task));
    }

    /// Shows the next replay if it is ready. A replay that the game supplied is always shown. A replay of an agent's
    /// search is dropped if the current replay is not over, for example because it was rewound.
    fn take_ready(&mut self) {
        if let Some((_, task)) = &mut self.task
            && let Some(ready) = check_ready(task)
        {
            if self.is_from_game || self.can_be_replaced() {
                self.shown = Some(ready);
            }
            self.task = None;
        }
    }

    /// Whether a newer search may replace the current one.
    fn can_be_replaced(&self) -> bool {
        self.shown.as_ref().is_none_or(ShownReplay::is_over)
    }
}

/// Shows the latest recorded search of the picked agent, and advances the replay.
pub(crate) fn play_replays(
    pick: Res<OverlayPick>,
    time: Res<Time<Real>>,
    recorders: Query<&PathRecorder>,
    grids: Query<&BakedGrid>,
    mut replay: ResMut<OverlayReplay>,
) {
    replay.take_ready();
    if !replay.is_from_game {
        if replay.of != pick.agent {
            replay.clear();
            replay.of = pick.agent;
        }
        let recorder = pick.agent.and_then(|agent| recorders.get(agent).ok());
        match recorder {
            None if replay.shown.is_some() || replay.task.is_some() => replay.clear(),
            None => {}
            Some(recorder) => {
                let latest = recorder.latest().filter(|_| replay.can_be_replaced());
                let baked = latest.and_then(|latest| grids.get(latest.grid).ok());
                let baked = baked.filter(|baked| is_on_xy_plane(baked));
                let snapshot = baked.and_then(BakedGrid::snapshot);
                if let Some((latest, snapshot)) = latest.zip(snapshot) {
                    let has_areas = snapshot.map().areas().is_some();
                    let plain_cost = if has_areas { AreaCosts::PLAIN } else { 1 };
                    replay.load(
                        *snapshot.layout(),
                        plain_cost,
                        Arc::clone(&latest.recording),
                    );
                }
            }
        }
    }
    let elapsed = time.delta();
    if let Some(shown) = &mut replay.bypass_change_detection().shown {
        shown.advance(elapsed);
    }
}

/// Removes the replay, unless the game supplied it.
pub(crate) fn forget_replay(mut replay: ResMut<OverlayReplay>) {
    if !replay.is_from_game {
        replay.clear();
    }
}

/// The replay of a search by A\* around a wall in the middle of a square grid, `side` cells wide.
#[cfg(test)]
pub(super) fn replay_around_a_wall(side: u32) -> Replay {
    use pursuit::{Algorithm, Cell, Grid, PathOptions, SearchScratch};
    let (last, algorithm) = (side as i32 - 1, Algorithm::AStar);
    let is_free = |cell: Cell| cell.x != last / 2 || cell.y == 0;
    let grid = Grid::from_fn(side, side, is_free).expect("a grid");
    let options = PathOptions {
        algorithm,
        ..PathOptions::default()
    };
    let (start, goal) = (Cell::new(0, last), Cell::new(last, last));
    let scratch = &mut SearchScratch::new();
    let recording = Recording::of_path(&grid, start, goal, &options, scratch);
    Replay::new(recording.expect("a path"))
}
