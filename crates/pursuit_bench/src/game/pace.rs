//! Game time beside real time.

use std::thread;
use std::time::{Duration, Instant};

use super::{Mode, TICK_RATE};

/// Holds game time back where searches run beside it: they take real time, and a game that runs a
/// hundred times as fast would wait a hundred times as long for each.
pub(crate) struct Pace {
    started: Instant,
    /// Real time per tick; zero for as fast as it goes.
    tick: Duration,
}

impl Pace {
    /// `pace` is the most game time per real time in [`Mode::Async`]; 0 for as fast as it goes.
    pub(crate) fn new(mode: Mode, pace: f64) -> Self {
        let paced = mode == Mode::Async && pace > 0.0;
        let tick = if paced { 1.0 / (TICK_RATE * pace) } else { 0.0 };
        Pace {
            started: Instant::now(),
            tick: Duration::from_secs_f64(tick),
        }
    }

    /// Waits until `ticks` ticks are due.
    pub(crate) fn wait(&self, ticks: u64) {
        let due = self.tick.mul_f64(ticks as f64);
        let early = due.saturating_sub(self.started.elapsed());
        if !early.is_zero() {
            thread::sleep(early);
        }
    }
}
