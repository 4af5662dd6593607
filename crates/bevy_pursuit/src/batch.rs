//! Searches in tasks: several to one task, each of which can be told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::entity::Entity;
use bevy::ecs::resource::Resource;
use bevy::math::Vec2;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};

use crate::agent::FailReason;
use crate::planner::{Plan, Query, plan_path};
use crate::queue::Waiting;
use crate::snapshot::NavSnapshot;

/// The searches that are running.
#[derive(Resource, Default)]
pub(crate) struct SearchTasks {
    pub(crate) batches: Vec<Batch>,
}

/// One search, ready to run on any thread.
pub(crate) struct Job {
    pub(crate) waiting: Waiting,
    pub(crate) grid: Entity,
    pub(crate) snapshot: Arc<NavSnapshot>,
    /// In world units.
    pub(crate) start: Vec2,
}

/// What came of a [`Job`].
pub(crate) struct Answer {
    pub(crate) waiting: Waiting,
    pub(crate) grid: Entity,
    pub(crate) generation: u64,
    pub(crate) result: Result<Plan, FailReason>,
}

impl Job {
    /// Searches; `None` if `cancel` was set meanwhile.
    pub(crate) fn run(&self, max_expanded: Option<u32>, cancel: &AtomicBool) -> Option<Answer> {
        let query = Query {
            start: self.start,
            goal: self.waiting.goal,
            radius: self.waiting.radius,
            tolerance: self.waiting.tolerance,
        };
        let result = plan_path(&self.snapshot, &query, max_expanded, cancel)?;
        Some(Answer {
            waiting: self.waiting,
            grid: self.grid,
            generation: self.snapshot.generation(),
            result,
        })
    }
}

/// Several searches in one task. Dropping it cancels them.
pub(crate) struct Batch {
    task: Task<Vec<Answer>>,
    tickets: Vec<(Entity, u64)>,
    cancels: Arc<[AtomicBool]>,
}

impl Batch {
    /// Sends `jobs` off.
    pub(crate) fn spawn(
        pool: &AsyncComputeTaskPool,
        jobs: Vec<Job>,
        max_expanded: Option<u32>,
    ) -> Self {
        let tickets = jobs
            .iter()
            .map(|job| (job.waiting.entity, job.waiting.serial))
            .collect();
        let cancels: Arc<[AtomicBool]> = jobs.iter().map(|_| AtomicBool::new(false)).collect();
        let seen_by_task = Arc::clone(&cancels);
        let task = pool.spawn(async move {
            let run = |(job, cancel): (&Job, &AtomicBool)| {
                let cancelled = cancel.load(Ordering::Relaxed);
                (!cancelled)
                    .then(|| job.run(max_expanded, cancel))
                    .flatten()
            };
            jobs.iter()
                .zip(seen_by_task.iter())
                .filter_map(run)
                .collect()
        });
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
            let waits = waits(*entity, *serial);
            cancel.store(!waits, Ordering::Relaxed);
            wanted |= waits;
        }
        wanted
    }

    /// The answers, once all are there.
    pub(crate) fn poll(&mut self) -> Option<Vec<Answer>> {
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
