//! What a step is, and how long one takes.

use std::time::Duration;

use pursuit_lab::replay::{Pace, StepUnit};

/// Seconds per step, from the slowest pace on.
const PACES: [f64; 15] = [
    2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.000_5, 0.000_2, 0.000_1,
    0.000_03,
];
/// How many times slower slow motion is, from none on.
const SLOWER: [u32; 5] = [1, 2, 5, 10, 50];
/// Pauses after each step, in seconds, from none on.
const PAUSES: [f64; 6] = [0.0, 0.1, 0.2, 0.5, 1.0, 2.0];

/// How fast replays play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Speed {
    /// What a step is.
    pub(crate) unit: StepUnit,
    /// Places in [`PACES`], [`SLOWER`] and [`PAUSES`].
    pace: usize,
    slower: usize,
    pause: usize,
}

impl Speed {
    /// The slowest speed at which so many steps take no longer than that many seconds.
    pub(crate) fn new(unit: StepUnit, steps: u64, seconds: f64) -> Self {
        let wanted = seconds / steps.max(1) as f64;
        let fits = PACES.iter().position(|&pace| pace <= wanted);
        Self {
            unit,
            pace: fits.unwrap_or(PACES.len() - 1),
            slower: 0,
            pause: 0,
        }
    }

    /// As the core takes it.
    pub(crate) fn pace(&self) -> Pace {
        Pace {
            unit: self.unit,
            rate: 1.0 / PACES[self.pace],
            slow_motion: 1.0 / f64::from(SLOWER[self.slower]),
            pause: Duration::from_secs_f64(PAUSES[self.pause]),
        }
    }

    /// One pace faster or slower.
    pub(crate) fn change_pace(&mut self, is_faster: bool) {
        let next = self.pace + usize::from(is_faster);
        let slower = usize::from(!is_faster);
        self.pace = next.saturating_sub(slower).min(PACES.len() - 1);
    }

    /// The next slow motion, or the one before; none after the slowest.
    pub(crate) fn change_slow_motion(&mut self, is_back: bool) {
        self.slower = turned(self.slower, SLOWER.len(), is_back);
    }

    /// The next pause after each step, or the one before; none after the longest.
    pub(crate) fn change_pause(&mut self, is_back: bool) {
        self.pause = turned(self.pause, PAUSES.len(), is_back);
    }

    /// The other unit.
    pub(crate) fn change_unit(&mut self) {
        self.unit = match self.unit {
            StepUnit::Expansion => StepUnit::Event,
            _ => StepUnit::Expansion,
        };
    }

    /// What a step is, in words.
    pub(crate) fn unit_text(&self) -> &'static str {
        match self.unit {
            StepUnit::Expansion => "an expansion",
            _ => "a look",
        }
    }

    /// How fast it is, and what makes it slow.
    pub(crate) fn text(&self) -> String {
        let slower = SLOWER[self.slower];
        let seconds = PACES[self.pace] * f64::from(slower) + PAUSES[self.pause];
        let mut text = if seconds < 0.1 {
            format!("{:.0} steps/s", 1.0 / seconds)
        } else {
            format!("{} s per step", (seconds * 100.0).round() / 100.0)
        };
        if self.slower > 0 {
            text += &format!(", slow motion 1/{slower}");
        }
        if self.pause > 0 {
            text += &format!(", pause {} s", PAUSES[self.pause]);
        }
        text
    }
}

/// The next place, or the one before, in a ring of so many.
fn turned(place: usize, count: usize, is_back: bool) -> usize {
    let by = if is_back { count - 1 } else { 1 };
    (place + by) % count
}
