//! Both searches of the same question, and their replays.

use std::time::Duration;

use bevy::prelude::*;
use pursuit::{Outcome, SearchScratch};
use pursuit_examples::replays::{Replays, Speed};
use pursuit_lab::recording::Recording;
use pursuit_lab::replay::{Replay, StepUnit};
use pursuit_lab::voxels::{Voxel, VoxelPathError};

use crate::level::Level;
use crate::solve::{Gait, Method, solve};

/// Number of boards, shown or not.
pub(crate) const BOARDS: usize = Method::ALL.len();
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
    /// Whether it shows a search that was saved, until something is asked anew.
    pub(crate) is_loaded: bool,
}

impl Board {
    /// What a recording tells. Without an answer there is no path, and no time.
    fn new(method: Method, recording: Recording) -> Self {
        let (voxels, end) = (recording.search().voxels, recording.end());
        let cells = end.into_iter().flat_map(|end| &end.path);
        Self {
            method,
            is_loaded: false,
            is_complete: end.is_some_and(|end| end.outcome == Outcome::Complete),
            voxels: cells
                .filter_map(|&cell| voxels.map(|voxels| voxels.voxel(cell)))
                .collect(),
            cost: end.map_or(0, |end| end.cost),
            took: end.and_then(|end| end.took).unwrap_or_default(),
            replay: Replay::new(recording),
        }
    }
}

/// Both boards, and how they play.
#[derive(Resource, Debug)]
pub(crate) struct Race {
    /// From the left on; or why there are none.
    pub(crate) boards: Result<[Board; BOARDS], VoxelPathError>,
    pub(crate) gait: Gait,
    pub(crate) shown: Shown,
    speed: Speed,
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
            speed: Speed::new(StepUnit::Expansion),
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

    /// Shows a search that was saved on the board of its kind, until something is asked anew, where the others stand.
    pub(crate) fn open(&mut self, recording: Recording, at: f32) {
        let method = Method::of(&recording);
        let own = self
            .boards_mut()
            .iter_mut()
            .find(|board| board.method == method);
        if let Some(own) = own {
            *own = Board {
                is_loaded: true,
                ..Board::new(method, recording)
            };
        }
        self.fit_pace();
        self.seek(at);
    }

    /// Both, if there are any.
    pub(crate) fn boards(&self) -> &[Board] {
        self.boards.as_ref().map_or(&[], |boards| boards)
    }

    /// Both, if there are any.
    pub(crate) fn boards_mut(&mut self) -> &mut [Board] {
        self.boards.as_mut().map_or(&mut [], |boards| boards)
    }

    /// The slowest pace at which neither takes much longer than [`LENGTH`].
    fn fit_pace(&mut self) {
        let unit = self.speed.unit();
        let steps = self.replays().map(|replay| match unit {
            StepUnit::Expansion => replay.recording().counts().expanded,
            _ => replay.len().into(),
        });
        let steps = steps.max().unwrap_or(1);
        self.speed.fit(steps, 1.5 * LENGTH);
        self.set_speed();
    }
}

impl Replays for Race {
    fn speed(&self) -> &Speed {
        &self.speed
    }

    fn speed_mut(&mut self) -> &mut Speed {
        &mut self.speed
    }

    /// Both, even if only one board is shown.
    fn replays(&self) -> impl Iterator<Item = &Replay> {
        self.boards().iter().map(|board| &board.replay)
    }

    fn replays_mut(&mut self) -> impl Iterator<Item = &mut Replay> {
        self.boards_mut().iter_mut().map(|board| &mut board.replay)
    }

    fn end(&self, board: usize) -> Option<u32> {
        self.boards().get(board).map(|board| board.replay.len())
    }
}

fn run(
    level: &Level,
    gait: Gait,
    scratch: &mut SearchScratch,
) -> Result<[Board; BOARDS], VoxelPathError> {
    let mut board = |method| -> Result<Board, VoxelPathError> {
        let solved = solve(level, gait, method, scratch)?;
        Ok(Board::new(method, solved.recording))
    };
    let [led, other] = Method::ALL;
    Ok([board(led)?, board(other)?])
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
        race.change_unit();
        assert_eq!(race.speed().unit(), StepUnit::Event);
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
            let seconds = steps as f64 * race.speed().seconds_per_step();
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
        assert!(!race.is_playing() && race.events() == 0);
    }
}
