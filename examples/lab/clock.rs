//! The unit of a step, and its duration.

use std::time::Duration;

use pursuit_lab::replay::{Pace, StepUnit};

/// Seconds per step, from the slowest pace to the fastest.
const STEP_SECONDS: [f64; 15] = [
    2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.000_5, 0.000_2, 0.000_1,
    0.000_03,
];
/// Factors by which slow motion slows a replay. With 1, there is no slow motion.
const SLOW_MOTIONS: [u32; 5] = [1, 2, 5, 10, 50];
/// Pauses after each step, in seconds.
const PAUSE_SECONDS: [f64; 6] = [0.0, 0.1, 0.2, 0.5, 1.0, 2.0];

/// The speed of the replays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Speed {
    /// The unit of a step.
    pub(crate) unit: StepUnit,
    /// Indices into [`STEP_SECONDS`], [`SLOW_MOTIONS`] and [`PAUSE_SECONDS`].
    pace: usize,
    slow_motion: usize,
    pause: usize,
}

impl Speed {
    /// The slowest speed at which `steps` steps take at most `seconds` seconds.
    pub(crate) fn new(unit: StepUnit, steps: u64, seconds: f64) -> Self {
        let wanted = seconds / steps.max(1) as f64;
        let fits = STEP_SECONDS.iter().position(|&pace| pace <= wanted);
        Self {
            unit,
            pace: fits.unwrap_or(STEP_SECONDS.len() - 1),
            slow_motion: 0,
            pause: 0,
        }
    }

    /// The speed as a pace of a replay.
    pub(crate) fn pace(&self) -> Pace {
        Pace {
            unit: self.unit,
            rate: 1.0 / STEP_SECONDS[self.pace],
            slow_motion: 1.0 / f64::from(SLOW_MOTIONS[self.slow_motion]),
            pause: Duration::from_secs_f64(PAUSE_SECONDS[self.pause]),
        }
    }

    /// Chooses the next faster pace, or the next slower one.
    pub(crate) fn change_pace(&mut self, is_faster: bool) {
        let next = self
            .pace
            .saturating_add_signed(if is_faster { 1 } else { -1 });
        self.pace = next.min(STEP_SECONDS.len() - 1);
    }

    /// Chooses the next slow motion, or the previous one. The slowest motion is followed by normal speed.
    pub(crate) fn change_slow_motion(&mut self, is_back: bool) {
        self.slow_motion = next_index(self.slow_motion, SLOW_MOTIONS.len(), is_back);
    }

    /// Chooses the next pause, or the previous one. The longest pause is followed by a pause of 0.
    pub(crate) fn change_pause(&mut self, is_back: bool) {
        self.pause = next_index(self.pause, PAUSE_SECONDS.len(), is_back);
    }

    /// Switches to the other unit.
    pub(crate) fn change_unit(&mut self) {
        self.unit = match self.unit {
            StepUnit::Expansion => StepUnit::Event,
            _ => StepUnit::Expansion,
        };
    }

    /// The unit of a step, in words.
    pub(crate) fn unit_text(&self) -> &'static str {
        match self.unit {
            StepUnit::Expansion => "an expansion",
            _ => "a look",
        }
    }

    /// The speed in words, with slow motion and pause.
    pub(crate) fn text(&self) -> String {
        let slow_motion = SLOW_MOTIONS[self.slow_motion];
        let seconds = STEP_SECONDS[self.pace] * f64::from(slow_motion) + PAUSE_SECONDS[self.pause];
        let mut text = if seconds < 0.1 {
            format!("{:.0} steps/s", 1.0 / seconds)
        } else {
            format!("{} s per step", (seconds * 100.0).round() / 100.0)
        };
        if self.slow_motion > 0 {
            text += &format!(", slow motion 1/{slow_motion}");
        }
        if self.pause > 0 {
            text += &format!(", pause {} s", PAUSE_SECONDS[self.pause]);
        }
        text
    }
}

/// The next index, or the previous one, in a ring of `count` entries.
fn next_index(place: usize, count: usize, is_back: bool) -> usize {
    let by = if is_back { count - 1 } else { 1 };
    (place + by) % count
}
