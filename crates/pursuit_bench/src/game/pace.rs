//! Game time beside real time.

use std::thread;
use std::time::{Duration, Instant};

use super::{Mode, TICK_RATE};
use crate::cli::GameArgs;

/// The ticks of a game, from 1 on.
///
/// They are held back where searches run beside the game: those take real time, and a game that runs a hundred times as
/// fast would wait a hundred times as long for each. See [`GameArgs::pace`].
pub(crate) fn ticks(play: &GameArgs) -> impl Iterator<Item = u64> + use<> {
    ticks_at(TICK_RATE, play)
}

/// The ticks of a game with `rate` ticks per second of game time.
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
