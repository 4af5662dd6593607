//! Searches in tasks: several to one task, each of which can be told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::ecs::entity::Entity;
use bevy::ecs::resource::Resource;
use bevy::math::Vec2;
use bevy::platform::time::Instant;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};

use crate::agent::FailReason;
use crate::planner::{Plan, Planner, Query};
use crate::queue::Waiting;
use crate::snapshot::NavSnapshot;

/// The searches that are running.
#[derive(Resource, Default)]
pub(crate) struct SearchTasks {
    pub(crate) batches: Vec<Batch>,
    pub(crate) pace: Pace,
}

impl SearchTasks {
    /// How many searches may be sent off now.
    pub(crate) fn room(&mut self, threads: usize) -> usize {
        let running: usize = self.batches.iter().map(|batch| batch.tickets.len()).sum();
        self.pace.room(threads, Instant::now(), running)
    }
}

/// What a search walks on.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) grid: Entity,
    pub(crate) snapshot: Arc<NavSnapshot>,
}

/// One search, ready to run on any thread.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) waiting: Waiting,
    /// In world units.
    pub(crate) start: Vec2,
}

/// What came of a [`Job`].
pub(crate) struct Answer {
    pub(crate) waiting: Waiting,
    pub(crate) result: Result<Plan, FailReason>,
}

/// What came of jobs on one ground.
pub(crate) struct Answers {
    pub(crate) grid: Entity,
    /// Of the snapshot that was searched.
    pub(crate) generation: u64,
    pub(crate) answers: Vec<Answer>,
    /// How long the searches took.
    pub(crate) duration: Duration,
}

/// Runs `jobs` one after the other, those left out of which `is_cancelled` says so.
pub(crate) fn run_jobs<'c>(
    ground: &Ground,
    jobs: &[Job],
    max_expanded: Option<u32>,
    cancels: impl IntoIterator<Item = &'c AtomicBool>,
) -> Answers {
    let began = Instant::now();
    let mut planner = Planner::new(&ground.snapshot, max_expanded);
    let run = |(job, cancel): (&Job, &AtomicBool)| {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let query = Query {
            start: job.start,
            goal: job.waiting.goal,
            radius: job.waiting.radius,
            tolerance: job.waiting.tolerance,
        };
        let result = planner.plan(&query, cancel)?;
        Some(Answer {
            waiting: job.waiting,
            result,
        })
    };
    let answers = jobs.iter().zip(cancels).filter_map(run).collect();
    Answers {
        grid: ground.grid,
        generation: ground.snapshot.generation(),
        answers,
        duration: began.elapsed(),
    }
}

/// Several searches in one task. Dropping it cancels them.
pub(crate) struct Batch {
    task: Task<Answers>,
    tickets: Vec<(Entity, u64)>,
    cancels: Arc<[AtomicBool]>,
}

impl Batch {
    /// Sends `jobs` off.
    pub(crate) fn spawn(
        pool: &AsyncComputeTaskPool,
        ground: Ground,
        jobs: Vec<Job>,
        max_expanded: Option<u32>,
    ) -> Self {
        let tickets = jobs
            .iter()
            .map(|job| (job.waiting.entity, job.waiting.serial))
            .collect();
        let cancels: Arc<[AtomicBool]> = jobs.iter().map(|_| AtomicBool::new(false)).collect();
        let seen_by_task = Arc::clone(&cancels);
        let task =
            pool.spawn(async move { run_jobs(&ground, &jobs, max_expanded, &*seen_by_task) });
        Self {
            task,
            tickets,
            cancels,
        }
    }

    /// Tells the searches to stop for whose ticket nobody waits. Whether any is left.
    pub(crate) fn keep_wanted(&self, waits: impl Fn(Entity, u64) -> bool) -> bool {
        let mut wanted = false;
        for ((entity, serial), cancel) in self.tickets.iter().zip(self.cancels.iter()) {
            if waits(*entity, *serial) {
                wanted = true;
            } else {
                cancel.store(true, Ordering::Relaxed);
            }
        }
        wanted
    }

    /// The answers, once all are there.
    pub(crate) fn poll(&mut self) -> Option<Answers> {
        check_ready(&mut self.task)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.cancels
            .iter()
            .for_each(|cancel| cancel.store(true, Ordering::Relaxed));
    }
}

/// How much work to send off: enough to last until the tick after the next one, so that no thread
/// waits for the frame, and no more, so that what is searched for is not old.
pub(crate) struct Pace {
    /// What a search takes of late, in seconds.
    search: f64,
    /// Time from tick to tick of late, in seconds.
    tick: f64,
    last: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            search: 50e-6,
            tick: 1.0 / 60.0,
            last: None,
        }
    }
}

impl Pace {
    /// Learns from searches that are done.
    pub(crate) fn note(&mut self, answers: &Answers) {
        let count = answers.answers.len();
        if count > 0 {
            let each = answers.duration.as_secs_f64() / count as f64;
            self.search += 0.25 * (each - self.search);
        }
    }

    /// How many more searches may be sent off at `now` while `running` are; once per tick.
    fn room(&mut self, threads: usize, now: Instant, running: usize) -> usize {
        if let Some(last) = self.last.replace(now) {
            let tick = now.duration_since(last).as_secs_f64();
            // Ticks of a fixed schedule come in bunches: the longest of late counts.
            self.tick = tick.max(0.9 * self.tick).clamp(0.004, 0.1);
        }
        let threads = threads.max(1);
        let most = 2.0 * self.tick / self.search.max(1e-7);
        let most = (threads as f64 * most) as usize;
        most.max(2 * threads).saturating_sub(running)
    }
}
