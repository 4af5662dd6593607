//! The replay of a search on the ground where it took place: that of the picked agent, or one that a game gives.

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

use crate::grids::lies_flat;
use crate::pick::OverlayPick;

/// A replay takes that many seconds at first, however much the search did.
const SECONDS: f64 = 8.0;
/// Expansions per second of a short search.
const LEAST_RATE: f64 = 8.0;
/// How long a replay rests at its end before a newer search takes its place.
const REST: Duration = Duration::from_secs(4);

/// The search that the overlay replays.
///
/// That is what the [`PathRecorder`] of the picked agent holds, or what the game [shows](Self::show), which
/// wins over it. A new one plays from its beginning, in eight seconds or at eight expansions per second. The keys
/// are those of the [crate](crate); the game may also move the [`Replay`] by itself.
///
/// Chasers search several times per second. So a replay is let finish, also while it is paused, and rests at its end
/// for four seconds, before a newer search of the agent takes its place.
///
/// Default: none.
#[derive(Resource, Reflect, Default)]
#[reflect(Resource, Default)]
pub struct OverlayReplay {
    #[reflect(ignore)]
    shown: Option<Shown>,
    /// What is made ready to be shown: that takes a while.
    #[reflect(ignore)]
    task: Option<(Arc<Recording>, Task<Shown>)>,
    /// Whether the game chose what is shown.
    #[reflect(ignore)]
    pub(super) is_given: bool,
    /// Whose search is shown, if the game chose none.
    #[reflect(ignore)]
    of: Option<Entity>,
}

/// A replay, and where the cells of its grid lie.
struct Shown {
    replay: Replay,
    layout: Layout,
    /// What a cell of plain ground costs in its search.
    plain: u8,
    /// How long it has been at its end.
    rested: Duration,
}

impl Shown {
    /// Whether it was seen to its end. There is nothing to see where a search knew the answer at once.
    fn is_over(&self) -> bool {
        self.replay.is_at_end() && (self.rested >= REST || self.replay.is_empty())
    }

    /// Lets time pass.
    fn advance(&mut self, time: Duration) {
        self.replay.advance(time);
        self.rested = match self.replay.is_at_end() {
            true => self.rested.saturating_add(time),
            false => Duration::ZERO,
        };
    }
}

impl OverlayReplay {
    /// Shows a search on a grid whose cells lie as `layout` says:
    /// [`NavSnapshot::layout`](bevy_pursuit::grid::NavSnapshot::layout). A recording of another size is
    /// shown as far as its cells lie in that grid, and its costs as if plain ground cost 1.
    pub fn show(&mut self, layout: Layout, recording: impl Into<Arc<Recording>>) {
        self.is_given = true;
        self.load(layout, 1, recording.into());
    }

    /// Shows none, until an agent that is picked has one.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// What is shown; `None` until it is ready.
    pub fn replay(&self) -> Option<&Replay> {
        self.shown.as_ref().map(|shown| &shown.replay)
    }

    /// The same, to be moved.
    pub fn replay_mut(&mut self) -> Option<&mut Replay> {
        self.shown.as_mut().map(|shown| &mut shown.replay)
    }

    /// What is shown, and where its cells lie.
    pub(super) fn on_ground(&self) -> Option<(&Replay, &Layout)> {
        let shown = self.shown.as_ref();
        shown.map(|shown| (&shown.replay, &shown.layout))
    }

    /// What a straight step over plain ground costs in what is shown.
    pub(super) fn plain_step(&self) -> u64 {
        let plain = self.shown.as_ref().map_or(1, |shown| shown.plain);
        u64::from(STRAIGHT) * u64::from(plain)
    }

    /// Makes a recording ready in a task, unless it is shown, or on its way.
    fn load(&mut self, layout: Layout, plain: u8, recording: Arc<Recording>) {
        let shown = self.replay().map(Replay::recording);
        let coming = self.task.as_ref().map(|(coming, _)| coming);
        if coming
            .or(shown)
            .is_some_and(|it| Arc::ptr_eq(it, &recording))
        {
            return;
        }
        let pool = AsyncComputeTaskPool::get_or_init(Default::default);
        let own = Arc::clone(&recording);
        let task = pool.spawn(async move {
            let mut replay = Replay::new(own);
            let expansions = replay.recording().counts().expanded;
            let rate = (expansions as f64 / SECONDS).max(LEAST_RATE);
            // A rate above 0 is a pace.
            let _ = replay.set_pace(Pace {
                unit: StepUnit::Expansion,
                rate,
                ..Pace::default()
            });
            replay.play();
            Shown {
                replay,
                layout,
                plain,
                rested: Duration::ZERO,
            }
        });
        self.task = Some((recording, task));
    }

    /// Takes in what is ready, unless what is shown is played once more since.
    fn take_ready(&mut self) {
        if let Some((_, task)) = &mut self.task
            && let Some(ready) = check_ready(task)
        {
            if self.is_given || self.is_free() {
                self.shown = Some(ready);
            }
            self.task = None;
        }
    }

    /// Whether a newer search may take the place of what is shown.
    fn is_free(&self) -> bool {
        self.shown.as_ref().is_none_or(Shown::is_over)
    }
}

/// Shows what the picked agent has recorded, and lets time pass for it.
pub(crate) fn play_replays(
    pick: Res<OverlayPick>,
    time: Res<Time<Real>>,
    recorders: Query<&PathRecorder>,
    grids: Query<&BakedGrid>,
    mut replay: ResMut<OverlayReplay>,
) {
    replay.take_ready();
    if !replay.is_given {
        if replay.of != pick.agent {
            replay.clear();
            replay.of = pick.agent;
        }
        let recorder = pick.agent.and_then(|agent| recorders.get(agent).ok());
        match recorder {
            None if replay.shown.is_some() || replay.task.is_some() => replay.clear(),
            None => {}
            Some(recorder) => {
                let latest = recorder.latest().filter(|_| replay.is_free());
                let baked = latest.and_then(|latest| grids.get(latest.grid).ok());
                let baked = baked.filter(|baked| lies_flat(baked));
                let snapshot = baked.and_then(BakedGrid::snapshot);
                if let Some((latest, snapshot)) = latest.zip(snapshot) {
                    let has_areas = snapshot.map().areas().is_some();
                    let plain = if has_areas { AreaCosts::PLAIN } else { 1 };
                    replay.load(*snapshot.layout(), plain, Arc::clone(&latest.recording));
                }
            }
        }
    }
    let by = time.delta();
    if let Some(shown) = &mut replay.bypass_change_detection().shown {
        shown.advance(by);
    }
}

/// Forgets what is shown, except what the game gave.
pub(crate) fn forget_replay(mut replay: ResMut<OverlayReplay>) {
    if !replay.is_given {
        replay.clear();
    }
}

/// The replay of a search by A\*, around a wall in the middle of a square.
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
