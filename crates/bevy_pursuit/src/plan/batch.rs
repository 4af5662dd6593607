//! Batches run several searches in one task. [`Pace`] limits the number of searches that start per tick.

use std::sync::atomic::Ordering;
use std::thread::{self, ThreadId};
use std::time::Duration;

use bevy::ecs::entity::{Entity, MapEntities};
use bevy::ecs::resource::Resource;
use bevy::platform::time::Instant;
use bevy::tasks::AsyncComputeTaskPool;

use super::jobs::{Answers, GridState, Job, Limits, run_jobs};
use super::queue::Pending;
use crate::agent::Ticket;
use crate::pending_task::PendingTask;

/// The batches that are running, or that start at the end of this frame.
#[derive(Resource, MapEntities, Default)]
#[component(map_entities)]
pub(crate) struct SearchTasks {
    pub(crate) batches: Vec<Batch>,
    pub(crate) pace: Pace,
    /// Requests whose batches are gone. In the next tick, these requests go back into the queue.
    #[entities]
    pub(crate) returned: Vec<Pending>,
}

impl Clone for SearchTasks {
    /// A copy without batches. Their requests are in `returned`, so the copy searches for them again.
    fn clone(&self) -> Self {
        let running = self.batches.iter().flat_map(|batch| &batch.requests);
        Self {
            returned: running.chain(&self.returned).copied().collect(),
            ..Self::default()
        }
    }
}

impl SearchTasks {
    /// Number of searches that may be started now on `threads` threads. Must be called once per tick.
    pub(crate) fn room(&mut self, threads: usize) -> usize {
        let running: usize = self.batches.iter().map(|batch| batch.requests.len()).sum();
        self.pace.room(threads, Instant::now(), running)
    }
}

/// Several searches in one task. Dropping the batch cancels the searches.
pub(crate) struct Batch {
    pub(super) work: PendingTask<(GridState, Vec<Job>, Limits), Answers>,
    requests: Vec<Pending>,
}

impl Batch {
    /// A batch whose task is not started yet.
    pub(crate) fn new(state: GridState, jobs: Vec<Job>, limits: Limits) -> Self {
        let requests: Vec<Pending> = jobs.iter().map(|job| job.waiting).collect();
        Self {
            work: PendingTask::new((state, jobs, limits), requests.len()),
            requests,
        }
    }

    /// Starts the task on the threads of `pool`, unless it has started already.
    pub(crate) fn begin(&mut self, pool: &AsyncComputeTaskPool) {
        let run = |(state, jobs, limits): (GridState, Vec<Job>, Limits), cancels: &[_]| {
            run_jobs(&state, &jobs, limits, None, cancels)
        };
        self.work.begin(pool, run);
    }

    /// Cancels the searches whose entities no longer wait for them. Returns whether any search is still wanted.
    pub(crate) fn keep_wanted(&self, waits: impl Fn(Entity, Ticket) -> bool) -> bool {
        let mut wanted = false;
        for (request, cancel) in self.requests.iter().zip(self.work.cancels()) {
            if waits(request.entity, request.ticket) {
                wanted = true;
            } else {
                cancel.store(true, Ordering::Relaxed);
            }
        }
        wanted
    }
}

/// Decides how many searches may start in a tick. In tasks, this is the number that the threads finish in two ticks.
/// With fewer searches, threads would wait for the main thread. With more searches, the last ones would be for outdated
/// intents. On the main thread, searches get the fraction [`SEARCH_TICK_SHARE`] of a tick instead.
pub(crate) struct Pace {
    /// Recent average time of a search, in seconds.
    search: f64,
    /// Recent longest time between two ticks, in seconds.
    tick: f64,
    /// When [`room`](Self::room) was last called.
    last: Option<Instant>,
    /// Whether tasks run on the main thread, because the pool has no other threads.
    shares_frame: bool,
}

/// Maximum fraction of a tick that searches take if they run on the main thread.
const SEARCH_TICK_SHARE: f64 = 0.125;

impl Default for Pace {
    fn default() -> Self {
        Self {
            search: 50e-6,
            tick: 1.0 / 60.0,
            last: None,
            shares_frame: false,
        }
    }
}

impl Pace {
    /// Updates the average with `count` finished searches, which took `duration` in total on the thread `ran_in`. Must
    /// be called on the main thread.
    pub(super) fn note(&mut self, ran_in: Option<ThreadId>, count: usize, duration: Duration) {
        self.shares_frame = ran_in == Some(thread::current().id());
        if count > 0 {
            let each = duration.as_secs_f64() / count as f64;
            self.search += 0.25 * (each - self.search);
        }
    }

    /// Number of searches that may start at `now` on `threads` threads, beside `running` others. Call it once per tick.
    pub(super) fn room(&mut self, threads: usize, now: Instant, running: usize) -> usize {
        if let Some(last) = self.last.replace(now) {
            let tick = now.duration_since(last).as_secs_f64();
            // Ticks of a fixed schedule come in bursts, so the longest recent time is used.
            self.tick = tick.max(0.9 * self.tick).clamp(0.004, 0.1);
        }
        if self.shares_frame {
            let max_searches = SEARCH_TICK_SHARE * self.tick / self.search.max(1e-7);
            return (max_searches as usize).max(1).saturating_sub(running);
        }
        let threads = threads.max(1);
        let per_thread = 2.0 * self.tick / self.search.max(1e-7);
        let max_searches = (threads as f64 * per_thread) as usize;
        max_searches.max(2 * threads).saturating_sub(running)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_get_room_for_two_ticks_of_every_thread() {
        let mut pace = Pace::default();
        let start = Instant::now();
        let tick = Duration::from_millis(20);
        for millis in [2, 5, 20, 1] {
            for _ in 0..40 {
                pace.note(None, 10, Duration::from_millis(millis));
            }
        }
        pace.room(1, start, 0);
        for number in 1..=10 {
            pace.room(1, start + number * tick, 0);
        }
        let room = pace.room(2, start + 11 * tick, 100);
        // At 100 µs per search, two threads run 800 searches in two ticks of 20 ms, and 100 of them are running.
        assert!((690..=710).contains(&room), "{room}");
        assert_eq!(pace.room(2, start + 12 * tick, 5000), 0);
    }

    #[test]
    fn searches_inside_the_frame_take_an_eighth_of_it() {
        let mut pace = Pace::default();
        let note = |pace: &mut Pace, thread| pace.note(Some(thread), 10, Duration::from_millis(1));
        let here = thread::current().id();
        (0..40).for_each(|_| note(&mut pace, here));
        let start = Instant::now();
        let tick = Duration::from_millis(20);
        pace.room(1, start, 0);
        let room =
            |pace: &mut Pace| (1..=10).fold(0, |_, number| pace.room(1, start + number * tick, 0));
        // At 100 µs per search, an eighth of a tick of 20 ms is enough for 25 searches.
        let shared = room(&mut pace);
        assert!((24..=26).contains(&shared), "{shared}");
        let elsewhere = thread::spawn(|| thread::current().id());
        note(&mut pace, elsewhere.join().expect("a thread"));
        assert!(room(&mut pace) > 300);
    }
}
