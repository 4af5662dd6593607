//! Measures durations, without the time that it takes to read the clock.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::samples::Samples;

/// Number of readings from which the duration of one reading is measured.
const CALIBRATION_READINGS: usize = 20_001;

/// CPU time of this thread, in milliseconds.
pub(crate) fn thread_ms() -> f64 {
    on_cpu_ms(ClockId::ThreadCPUTime)
}

/// CPU time of this process, summed over its threads, in milliseconds.
pub(crate) fn process_ms() -> f64 {
    on_cpu_ms(ClockId::ProcessCPUTime)
}

fn on_cpu_ms(clock: ClockId) -> f64 {
    let spent = clock_gettime(clock);
    spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6
}

/// A clock that subtracts the duration of its own readings.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// How often each measurement is repeated. The shortest time is used.
    pub rounds: usize,
    /// Median duration that the clock shows for an empty interval.
    overhead: Duration,
}

impl Clock {
    /// Makes a clock for `rounds` rounds, and measures the duration of a reading. This takes about a millisecond.
    pub(crate) fn calibrated(rounds: usize) -> Self {
        let reading = |_| black_box(Instant::now()).elapsed().as_secs_f64();
        let empty: Samples = (0..CALIBRATION_READINGS).map(reading).collect();
        let median = empty.percentile(0.5).unwrap_or_default();
        Clock {
            rounds,
            overhead: Duration::from_secs_f64(median),
        }
    }

    /// Duration that the clock shows for an empty interval, in nanoseconds.
    pub(crate) fn overhead_ns(&self) -> f64 {
        self.overhead.as_secs_f64() * 1e9
    }

    /// Runs `work`. Returns its result and its duration, in microseconds.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let started = Instant::now();
        let done = black_box(work());
        let took = started.elapsed().saturating_sub(self.overhead);
        (done, took.as_secs_f64() * 1e6)
    }

    /// Times `work` for each index below `count` in every round. Returns the shortest time of each index, in
    /// microseconds: other work on the machine can only make a time longer. The results of the first round are passed
    /// to `check`, outside of the timed part.
    pub(crate) fn time_each<T>(
        &self,
        count: usize,
        mut work: impl FnMut(usize) -> T,
        mut check: impl FnMut(usize, T),
    ) -> Samples {
        let mut least = vec![f64::INFINITY; count];
        for round in 0..self.rounds {
            for (thing, least) in least.iter_mut().enumerate() {
                let (done, us) = self.time(|| work(thing));
                *least = least.min(us);
                if round == 0 {
                    check(thing, done);
                }
            }
        }
        least.into_iter().collect()
    }

    /// The shortest time of `work` in all rounds, in microseconds.
    pub(crate) fn time_all<T>(&self, mut work: impl FnMut() -> T) -> f64 {
        let rounds = (0..self.rounds).map(|_| self.time(&mut work).1);
        rounds.fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn each_result_is_checked_once_even_if_it_is_timed_several_times() {
        let (mut worked, mut checked) = (0, Vec::new());
        let clock = Clock::calibrated(3);
        let work = |thing| {
            worked += 1;
            thing * 10
        };
        let us = clock.time_each(2, work, |thing, done| checked.push((thing, done)));
        assert_eq!((us.len(), worked), (2, 6));
        assert_eq!(checked, [(0, 0), (1, 10)]);
    }
}
