//! Batches: several searches in one task, each of which can be cancelled.

use std::sync::atomic::Ordering;

use bevy::ecs::entity::{Entity, EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;
use bevy::platform::time::Instant;
use bevy::tasks::AsyncComputeTaskPool;

use super::jobs::{Answers, GridState, Job, Limits, run_jobs};
use super::pace::Pace;
use super::queue::Pending;
use crate::agent::Ticket;
use crate::pending_task::PendingTask;

/// The batches that are running, or that start at the end of this frame.
#[derive(Resource, Default)]
#[component(map_entities)]
pub(crate) struct SearchTasks {
    pub(crate) batches: Vec<Batch>,
    pub(crate) pace: Pace,
    /// Requests whose tasks are gone. They go back into the queue.
    pub(crate) returned: Vec<Pending>,
}

impl Clone for SearchTasks {
    /// A copy without the tasks. Their requests wait again.
    fn clone(&self) -> Self {
        let running = self.batches.iter().flat_map(|batch| &batch.requests);
        Self {
            returned: running.chain(&self.returned).copied().collect(),
            ..Self::default()
        }
    }
}

impl MapEntities for SearchTasks {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        self.returned.map_entities(mapper);
    }
}

impl SearchTasks {
    /// Number of searches that may be started now.
    pub(crate) fn room(&mut self, threads: usize) -> usize {
        let running: usize = self.batches.iter().map(|batch| batch.requests.len()).sum();
        self.pace.room(threads, Instant::now(), running)
    }
}

/// Several searches in one task. Dropping the batch cancels the searches.
pub(crate) struct Batch {
    work: PendingTask<(GridState, Vec<Job>, Limits), Answers>,
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

    /// The answers, once all searches are done.
    pub(crate) fn poll(&mut self) -> Option<Answers> {
        self.work.poll()
    }
}
