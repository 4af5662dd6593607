//! The pace of a replay.

use std::time::Duration;

use thiserror::Error;

/// The unit in which a replay plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum StepUnit {
    /// A step is one event, such as an expansion or the examination of a neighbor.
    #[default]
    Event,
    /// A step is one expansion, with the examination of all neighbors.
    Expansion,
}

/// The pace of a replay. A step takes `1 / (rate · slow_motion)` seconds, plus the pause.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// The unit of a step. Default: [`StepUnit::Event`].
    pub unit: StepUnit,
    /// Steps per second. Finite, above 0. Default: `200.0`.
    pub rate: f64,
    /// Multiplies the rate: with `0.1` the replay is ten times slower, with `2.0` twice as fast. Finite, above 0.
    /// Default: `1.0`.
    pub slow_motion: f64,
    /// A pause after each step. Default: none.
    pub pause: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            unit: StepUnit::Event,
            rate: 200.0,
            slow_motion: 1.0,
            pause: Duration::ZERO,
        }
    }
}

/// The reason why a pace was refused.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum PaceError {
    /// The rate is not a finite number above 0.
    #[error("the rate must be finite and above 0, got {0}")]
    Rate(f64),
    /// The slow motion is not a finite number above 0.
    #[error("the slow motion must be finite and above 0, got {0}")]
    SlowMotion(f64),
}

impl Pace {
    fn check(&self) -> Result<(), PaceError> {
        let is_good = |number: f64| number.is_finite() && number > 0.0;
        if !is_good(self.rate) {
            return Err(PaceError::Rate(self.rate));
        }
        if !is_good(self.slow_motion) {
            return Err(PaceError::SlowMotion(self.slow_motion));
        }
        Ok(())
    }

    /// Duration of a step, in seconds. It is above 0, and may be infinite.
    fn seconds(&self) -> f64 {
        let seconds = 1.0 / (self.rate * self.slow_motion) + self.pause.as_secs_f64();
        seconds.max(1e-9)
    }
}

/// A clock that counts steps.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayClock {
    pace: Pace,
    pub(super) is_playing: bool,
    /// The fraction of a step that has elapsed since the last whole step.
    rest: f64,
}

impl PlayClock {
    pub(super) fn pace(&self) -> Pace {
        self.pace
    }

    pub(super) fn set_pace(&mut self, pace: Pace) -> Result<(), PaceError> {
        pace.check()?;
        self.pace = pace;
        Ok(())
    }

    pub(super) fn play(&mut self, is_playing: bool) {
        self.is_playing = is_playing;
        self.rest = 0.0;
    }

    /// Number of steps that are due after `time`. The remaining fraction of a step is carried over to the next call.
    pub(super) fn steps(&mut self, time: Duration) -> u32 {
        if !self.is_playing {
            return 0;
        }
        let steps = self.rest + time.as_secs_f64() / self.pace.seconds();
        self.rest = steps.fract();
        steps as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playing(pace: Pace) -> PlayClock {
        let mut clock = PlayClock::default();
        clock.set_pace(pace).expect("a good pace");
        clock.play(true);
        clock
    }

    #[test]
    fn the_defaults_match_the_docs() {
        let Pace {
            unit,
            rate,
            slow_motion,
            pause,
        } = Pace::default();
        assert_eq!((unit, rate), (StepUnit::Event, 200.0));
        assert_eq!((slow_motion, pause), (1.0, Duration::ZERO));
    }

    #[test]
    fn the_number_of_steps_does_not_depend_on_the_frame_rate() {
        let pace = Pace {
            rate: 64.0,
            ..Pace::default()
        };
        for frames in [1, 7, 64, 1000] {
            let mut clock = playing(pace);
            let frame = Duration::from_secs(4) / frames;
            let steps: u32 = (0..frames).map(|_| clock.steps(frame)).sum();
            assert!((255..=256).contains(&steps), "{steps} in {frames}");
        }
    }

    #[test]
    fn a_rate_or_slow_motion_that_is_not_positive_and_finite_is_refused_and_the_pace_stays() {
        let mut clock = PlayClock::default();
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let rate = Pace {
                rate: bad,
                ..Pace::default()
            };
            assert!(matches!(clock.set_pace(rate), Err(PaceError::Rate(_))));
            let slow = Pace {
                slow_motion: bad,
                ..Pace::default()
            };
            assert!(matches!(
                clock.set_pace(slow),
                Err(PaceError::SlowMotion(_))
            ));
        }
        assert_eq!(clock.pace(), Pace::default());
        let least = Pace {
            rate: f64::MIN_POSITIVE,
            slow_motion: f64::MIN_POSITIVE,
            ..Pace::default()
        };
        assert_eq!(playing(least).steps(Duration::MAX), 0);
        let most = Pace {
            rate: f64::MAX,
            slow_motion: f64::MAX,
            ..Pace::default()
        };
        assert_eq!(playing(most).steps(Duration::MAX), u32::MAX);
    }
}
