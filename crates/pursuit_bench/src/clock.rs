//! Times without what it takes to read them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::samples::Samples;

/// How often the clock is read to learn what a reading costs.
const CALIBRATION_READINGS: usize = 20_001;

/// Milliseconds that this thread spent on a processor. The time that other threads took meanwhile does not count.
pub(crate) fn thread_ms() -> f64 {
    on_cpu_ms(ClockId::ThreadCPUTime)
}

/// Milliseconds that all threads of this process spent on processors together.
pub(crate) fn process_ms() -> f64 {
    on_cpu_ms(ClockId::ProcessCPUTime)
}

fn on_cpu_ms(clock: ClockId) -> f64 {
    let spent = clock_gettime(clock);
    spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6
}

/// A clock that knows its own cost.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// How often everything is measured; the least of it counts.
    pub rounds: usize,
    /// Shown by an empty interval, on the median.
    overhead: Duration,
}

impl Clock {
    /// Takes about a millisecond.
    pub(crate) fn calibrated(rounds: usize) -> Self {
        let reading = |_| black_box(Instant::now()).elapsed().as_secs_f64();
        let empty: Samples = (0..CALIBRATION_READINGS).map(reading).collect();
        let median = empty.percentile(0.5).unwrap_or_default();
        Clock {
            rounds,
            overhead: Duration::from_secs_f64(median),
        }
    }

    /// What an empty interval shows, in nanoseconds.
    pub(crate) fn overhead_ns(&self) -> f64 {
        self.overhead.as_secs_f64() * 1e9
    }

    /// Runs `work` and returns what it gave and how long it took, in microseconds.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let started = Instant::now();
        let done = black_box(work());
        let took = started.elapsed().saturating_sub(self.overhead);
        (done, took.as_secs_f64() * 1e6)
    }

    /// Times each of `count` things in every round and keeps its least time, in microseconds: what else
    /// the machine does only ever adds. What `work` gives in the first round goes to `check`, outside of
    /// the time.
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

    /// Time of `work`, the least of all rounds, in microseconds.
    pub(crate) fn time_all<T>(&self, mut work: impl FnMut() -> T) -> f64 {
        let rounds = (0..self.rounds).map(|_| self.time(&mut work).1);
        rounds.fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn each_thing_is_checked_once_however_often_it_is_timed() {
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
