//! Limits how fast game time passes, compared with real time.

use std::thread;
use std::time::{Duration, Instant};

use super::{Mode, TICK_RATE};
use crate::cli::GameArgs;

/// The numbers of the ticks of a game, starting at 1.
///
/// If searches run in tasks, the ticks are delayed, so that game time is not faster than [`GameArgs::pace`]. Searches
/// take real time, so in a game that runs a hundred times faster than real time, each search would take a hundred times
/// more ticks.
pub(crate) fn ticks(play: &GameArgs) -> impl Iterator<Item = u64> + use<> {
    ticks_at(TICK_RATE, play)
}

/// The numbers of the ticks of a game with `rate` ticks per second of game time, starting at 1.
pub(crate) fn ticks_at(rate: f64, play: &GameArgs) -> impl Iterator<Item = u64> + use<> {
    let is_paced = play.mode == Mode::Async && play.pace > 0.0;
    let seconds = if is_paced {
        1.0 / (rate * play.pace)
    } else {
        0.0
    };
    let tick = Duration::from_secs_f64(seconds);
    let started = Instant::now();
    (1..=(play.seconds * rate).ceil() as u64).inspect(move |&number| {
        let due = tick.mul_f64((number - 1) as f64);
        thread::sleep(due.saturating_sub(started.elapsed()));
    })
}
