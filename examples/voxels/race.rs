//! Both searches of the same question, and their replays.

use std::time::Duration;

use bevy::prelude::*;
use pursuit::SearchScratch;
use pursuit::replay::{Pace, Replay, StepUnit};
use pursuit::voxels::Voxel;

use crate::level::Level;
use crate::solve::{Gait, Method, SolveError, Solved, solve};

/// Number of boards, shown or not.
pub(crate) const BOARDS: usize = Method::ALL.len();
/// Seconds per step of the paces, from the slowest on.
const PACES: [f64; 14] = [
    2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.000_5, 0.000_2, 0.000_1,
];
/// Seconds that a replay takes, more or less, until somebody chooses another pace.
const LENGTH: f64 = 10.0;

/// Which boards are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Both,
    Only(Method),
}

impl Shown {
    /// Whether a board is.
    pub(crate) fn has(self, method: Method) -> bool {
        self == Self::Both || self == Self::Only(method)
    }

    pub(crate) fn next(self) -> Self {
        match self {
            Self::Both => Self::Only(Method::AStar),
            Self::Only(Method::AStar) => Self::Only(Method::Dijkstra),
            Self::Only(Method::Dijkstra) => Self::Both,
        }
    }
}

/// What a search came to, and where its replay is.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// Which search.
    pub(crate) method: Method,
    pub(crate) replay: Replay,
    /// The path.
    pub(crate) voxels: Vec<Voxel>,
    pub(crate) cost: u64,
    pub(crate) took: Duration,
    /// Whether the path ends at the goal.
    pub(crate) is_complete: bool,
}

impl Board {
    fn new(method: Method, solved: Solved) -> Self {
        Self {
            method,
            is_complete: solved.is_complete(),
            replay: Replay::new(solved.recording),
            voxels: solved.voxels,
            cost: solved.found.cost,
            took: solved.took,
        }
    }
}

/// Both boards, and how they play.
#[derive(Resource, Debug)]
pub(crate) struct Race {
    /// From the left on; or why there are none.
    pub(crate) boards: Result<[Board; BOARDS], SolveError>,
    pub(crate) gait: Gait,
    pub(crate) shown: Shown,
    /// Whether a step is an expansion with all its looks, or a single look.
    pub(crate) unit: StepUnit,
    /// Which of the paces.
    pace: usize,
    scratch: SearchScratch,
}

impl Race {
    /// Searches, and stands at a part of the replay.
    pub(crate) fn new(level: &Level, gait: Gait, shown: Shown, at: f32) -> Self {
        let mut scratch = SearchScratch::new();
        let mut race = Self {
            boards: run(level, gait, &mut scratch),
            gait,
            shown,
            unit: StepUnit::Expansion,
            pace: 0,
            scratch,
        };
        race.fit_pace();
        race.seek(at);
        race
    }

    /// Searches anew, and plays from the beginning if anything plays.
    pub(crate) fn run_again(&mut self, level: &Level, gait: Gait) {
        let was_playing = self.is_playing();
        self.gait = gait;
        self.boards = run(level, gait, &mut self.scratch);
        self.fit_pace();
        if was_playing {
            self.toggle();
        }
    }

    /// Both, if there are any.
    pub(crate) fn boards(&self) -> &[Board] {
        self.boards.as_ref().map_or(&[], |boards| boards)
    }

    /// Both, if there are any.
    pub(crate) fn boards_mut(&mut self) -> &mut [Board] {
        self.boards.as_mut().map_or(&mut [], |boards| boards)
    }

    fn replays(&self) -> impl Iterator<Item = &Replay> {
        self.boards().iter().map(|board| &board.replay)
    }

    fn replays_mut(&mut self) -> impl Iterator<Item = &mut Replay> {
        self.boards_mut().iter_mut().map(|board| &mut board.replay)
    }

    /// Number of events of the longer replay.
    pub(crate) fn len(&self) -> u32 {
        self.replays().map(Replay::len).max().unwrap_or(0)
    }

    /// Number of events played, of the replay that is further.
    pub(crate) fn cursor(&self) -> u32 {
        self.replays().map(Replay::cursor).max().unwrap_or(0)
    }

    /// Moves both to a part of the longer one.
    pub(crate) fn seek(&mut self, part: f32) {
        let events = (f64::from(part) * f64::from(self.len())).round() as u32;
        self.replays_mut().for_each(|replay| replay.seek(events));
    }

    /// Stops both.
    pub(crate) fn pause(&mut self) {
        self.replays_mut().for_each(Replay::pause);
    }

    /// Whether any plays.
    pub(crate) fn is_playing(&self) -> bool {
        self.replays().any(Replay::is_playing)
    }

    /// Plays or pauses both; from the beginning, if both are at the end.
    pub(crate) fn toggle(&mut self) {
        let is_playing = self.is_playing();
        let is_over = self.replays().all(Replay::is_at_end);
        for replay in self.replays_mut() {
            if is_playing {
                replay.pause();
            } else if is_over || !replay.is_at_end() {
                replay.play();
            }
        }
    }

    /// A step forward or back, with both paused.
    pub(crate) fn step(&mut self, is_forward: bool) {
        // One that is over waits until the other is back where it ended.
        let (unit, cursor) = (self.unit, self.cursor());
        for replay in self.replays_mut() {
            replay.pause();
            let _ = match (unit, is_forward) {
                (StepUnit::Expansion, true) => replay.step_expansion(),
                (_, true) => replay.step(),
                _ if replay.is_at_end() && replay.cursor() < cursor => false,
                (StepUnit::Expansion, false) => replay.step_expansion_back(),
                (_, false) => replay.step_back(),
            };
        }
    }

    /// One pace faster or slower.
    pub(crate) fn change_pace(&mut self, is_faster: bool) {
        self.pace = if is_faster {
            (self.pace + 1).min(PACES.len() - 1)
        } else {
            self.pace.saturating_sub(1)
        };
        self.set_pace();
    }

    /// The other unit.
    pub(crate) fn change_unit(&mut self) {
        self.unit = match self.unit {
            StepUnit::Expansion => StepUnit::Event,
            _ => StepUnit::Expansion,
        };
        self.set_pace();
    }

    /// Seconds per step.
    pub(crate) fn seconds_per_step(&self) -> f64 {
        PACES[self.pace]
    }

    /// The slowest pace at which neither takes much longer than [`LENGTH`].
    fn fit_pace(&mut self) {
        let steps = self.replays().map(|replay| match self.unit {
            StepUnit::Expansion => replay.recording().counts().expanded,
            _ => replay.len().into(),
        });
        let steps = steps.max().unwrap_or(1).max(1);
        let wanted = 1.5 * LENGTH / steps as f64;
        self.pace = PACES
            .iter()
            .position(|&pace| pace <= wanted)
            .unwrap_or(PACES.len() - 1);
        self.set_pace();
    }

    fn set_pace(&mut self) {
        let pace = Pace {
            unit: self.unit,
            rate: 1.0 / self.seconds_per_step(),
            slow_motion: 1.0,
            pause: Duration::ZERO,
        };
        for replay in self.replays_mut() {
            // The paces are all finite and above zero.
            let _ = replay.set_pace(pace);
        }
    }
}

fn run(
    level: &Level,
    gait: Gait,
    scratch: &mut SearchScratch,
) -> Result<[Board; BOARDS], SolveError> {
    let mut board = |method| -> Result<Board, SolveError> {
        Ok(Board::new(method, solve(level, gait, method, scratch)?))
    };
    let [led, other] = Method::ALL;
    Ok([board(led)?, board(other)?])
}

/// Lets time pass.
pub(crate) fn advance(time: Res<Time>, mut race: ResMut<Race>) {
    if race.is_playing() {
        let passed = time.delta();
        for replay in race.replays_mut() {
            replay.advance(passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hill::hill;

    fn race() -> Race {
        Race::new(&hill().expect("a good size"), Gait::Walk, Shown::Both, 0.0)
    }

    #[test]
    fn both_are_stepped_and_scrubbed_together() {
        let mut race = race();
        race.unit = StepUnit::Event;
        race.step(true);
        race.step(true);
        assert!(race.replays().all(|replay| replay.cursor() == 2));
        race.step(false);
        assert!(race.replays().all(|replay| replay.cursor() == 1));
        race.seek(1.0);
        assert!(race.replays().all(Replay::is_at_end));
        race.step(false);
        let over = race.replays().filter(|replay| replay.is_at_end());
        assert_eq!(over.count(), 1, "the shorter one waits for the longer one");
    }

    #[test]
    fn a_replay_lasts_about_as_long_whatever_it_shows() {
        let level = hill().expect("a good size");
        for gait in Gait::ALL {
            let race = Race::new(&level, gait, Shown::Both, 0.0);
            let steps = race
                .replays()
                .map(|replay| replay.recording().counts().expanded)
                .max()
                .expect("two boards");
            let seconds = steps as f64 * race.seconds_per_step();
            assert!(
                (4.0..=1.5 * LENGTH).contains(&seconds),
                "{gait:?}: {seconds}"
            );
        }
    }

    #[test]
    fn playing_goes_on_after_a_change_and_begins_anew_at_the_end() {
        let level = hill().expect("a good size");
        let mut race = race();
        race.toggle();
        race.run_again(&level, Gait::Fly);
        assert!(race.is_playing() && race.cursor() == 0);
        race.pause();
        race.seek(1.0);
        race.toggle();
        assert!(race.is_playing() && race.cursor() == 0);
    }

    #[test]
    fn without_a_search_nothing_plays() {
        let mut level = hill().expect("a good size");
        level.start = level.start.offset(0, 0, -1);
        let mut race = Race::new(&level, Gait::Walk, Shown::Both, 0.5);
        assert!(race.boards.is_err());
        race.toggle();
        race.step(true);
        assert!(!race.is_playing() && race.len() == 0);
    }
}
