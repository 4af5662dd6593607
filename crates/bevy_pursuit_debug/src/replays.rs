//! The replay of a search on the ground where it took place: that of the picked agent, or one that a game gives.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy_pursuit::PathRecorder;
use bevy_pursuit::grid::BakedGrid;
use pursuit::replay::{Pace, StepUnit};
use pursuit::{Layout, Recording, Replay};

use crate::category::OverlayCategory;
use crate::pick::OverlayPick;
use crate::settings::PursuitDebugSettings;

/// A replay takes that many seconds at first, however much the search did.
const SECONDS: f64 = 8.0;
/// Expansions per second of a short search.
const LEAST_RATE: f64 = 8.0;
/// How much faster or slower the keys make it.
const FASTER: f64 = 2.0;
/// Least and most expansions per second that the keys set.
const RATES: (f64, f64) = (0.25, 1e6);

/// The search that the overlay replays.
///
/// That is what the [`PathRecorder`] of the picked agent holds, or what the game [shows](Self::show), which
/// goes before it. A new one plays from its beginning, in eight seconds or at eight expansions per second. Keys
/// are in [`PursuitDebugSettings::replay`]; the game may also move the [`Replay`] by itself.
///
/// Default: none.
#[derive(Resource, Default)]
pub struct OverlayReplay {
    shown: Option<Shown>,
    /// What is made ready to be shown: that takes a while.
    task: Option<(Arc<Recording>, Task<Shown>)>,
    /// Whether the game chose what is shown.
    is_given: bool,
}

/// A replay, and where the cells of its grid lie.
struct Shown {
    replay: Replay,
    layout: Layout,
}

impl OverlayReplay {
    /// Shows a search on a grid whose cells lie as `layout` says:
    /// [`NavSnapshot::layout`](bevy_pursuit::grid::NavSnapshot::layout). A recording of another size is
    /// shown as far as its cells lie in that grid.
    pub fn show(&mut self, layout: Layout, recording: impl Into<Arc<Recording>>) {
        self.is_given = true;
        self.load(layout, recording.into());
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
    pub(crate) fn on_ground(&self) -> Option<(&Replay, &Layout)> {
        self.shown
            .as_ref()
            .map(|shown| (&shown.replay, &shown.layout))
    }

    /// Makes a recording ready in a task, unless it is shown, or on its way.
    fn load(&mut self, layout: Layout, recording: Arc<Recording>) {
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
            Shown { replay, layout }
        });
        self.task = Some((recording, task));
    }

    fn take_ready(&mut self) {
        if let Some((_, task)) = &mut self.task
            && let Some(ready) = check_ready(task)
        {
            self.shown = Some(ready);
            self.task = None;
        }
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
        let recorder = pick.agent.and_then(|agent| recorders.get(agent).ok());
        match recorder {
            None if replay.shown.is_some() || replay.task.is_some() => replay.clear(),
            None => {}
            Some(recorder) => {
                // One that plays is let finish: chasers search several times per second.
                let is_playing = replay.replay().is_some_and(Replay::is_playing);
                let latest = recorder.latest().filter(|_| !is_playing);
                let baked = latest.and_then(|latest| grids.get(latest.grid).ok());
                let snapshot = baked.and_then(BakedGrid::snapshot);
                if let Some((latest, snapshot)) = latest.zip(snapshot) {
                    replay.load(*snapshot.layout(), Arc::clone(&latest.recording));
                }
            }
        }
    }
    let by = time.delta();
    if let Some(replay) = replay.bypass_change_detection().replay_mut() {
        replay.advance(by);
    }
}

/// Forgets what is shown, but for what the game gave.
pub(crate) fn forget_replay(mut replay: ResMut<OverlayReplay>) {
    if !replay.is_given {
        replay.clear();
    }
}

/// Obeys the keys of replays.
pub(crate) fn obey_replay_keys(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    settings: Res<PursuitDebugSettings>,
    pick: Res<OverlayPick>,
    recorders: Query<(), With<PathRecorder>>,
    mut replay: ResMut<OverlayReplay>,
    mut commands: Commands,
) {
    let Some(keys) = keys else { return };
    let is_held = settings.keys.modifier.is_held(&keys);
    if !is_held || !settings.shows(OverlayCategory::Searches) {
        return;
    }
    let is_hit = |key: Option<KeyCode>| key.is_some_and(|key| keys.just_pressed(key));
    let own = settings.replay;
    if is_hit(own.record)
        && let Some(agent) = pick.agent
    {
        let mut agent_commands = commands.entity(agent);
        if recorders.contains(agent) {
            agent_commands.try_remove::<PathRecorder>();
        } else {
            agent_commands.try_insert(PathRecorder::default());
        }
    }
    let Some(replay) = replay.bypass_change_detection().replay_mut() else {
        return;
    };
    if is_hit(own.play) {
        match replay.is_playing() {
            true => replay.pause(),
            false => replay.play(),
        }
    }
    if is_hit(own.back) {
        replay.pause();
        replay.step_expansion_back();
    }
    if is_hit(own.forward) {
        replay.pause();
        replay.step_expansion();
    }
    let steps = i32::from(is_hit(own.faster)) - i32::from(is_hit(own.slower));
    if steps != 0 {
        let mut pace = replay.pace();
        pace.rate = (pace.rate * FASTER.powi(steps)).clamp(RATES.0, RATES.1);
        // Rates between these are above 0.
        let _ = replay.set_pace(pace);
    }
}

/// How far the replay is, for the inspector.
pub(crate) fn progress(replay: &Replay) -> String {
    let search = replay.recording().search();
    let counts = replay.counts();
    let mut text = format!(
        "{}: {} expanded, {} pushed, event {} of {}",
        search.name,
        counts.expanded,
        counts.pushed,
        replay.cursor(),
        replay.len()
    );
    if let Some(took) = replay.recording().end().and_then(|end| end.took) {
        text += &format!(", took {:.0} us", took.as_secs_f64() * 1e6);
    }
    if replay.recording().is_cut() {
        text += ", cut";
    }
    text
}
