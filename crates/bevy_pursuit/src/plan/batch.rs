//! Searches in tasks: several to one task, each of which can be told to stop.

use std::sync::atomic::Ordering;

use bevy::ecs::entity::{Entity, EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;
use bevy::platform::time::Instant;
use bevy::tasks::AsyncComputeTaskPool;

use super::jobs::{Answers, GridState, Job, Limits, run_jobs};
use super::pace::Pace;
use super::queue::Pending;
use crate::pending_task::PendingTask;

/// The searches that are running, or about to.
#[derive(Resource, Default)]
#[component(map_entities)]
pub(crate) struct SearchTasks {
    pub(crate) batches: Vec<Batch>,
    pub(crate) pace: Pace,
    /// Requests whose tasks are gone, to be put back in line.
    pub(crate) returned: Vec<Pending>,
}

impl Clone for SearchTasks {
    /// Without the tasks: what they search for waits again.
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
    /// How many searches may be sent off now.
    pub(crate) fn room(&mut self, threads: usize) -> usize {
        let running: usize = self.batches.iter().map(|batch| batch.requests.len()).sum();
        self.pace.room(threads, Instant::now(), running)
    }
}

/// Several searches in one task. Dropping it cancels them.
pub(crate) struct Batch {
    work: PendingTask<(GridState, Vec<Job>, Limits), Answers>,
    requests: Vec<Pending>,
}

impl Batch {
    /// A batch that is not begun.
    pub(crate) fn new(state: GridState, jobs: Vec<Job>, limits: Limits) -> Self {
        let requests: Vec<Pending> = jobs.iter().map(|job| job.waiting).collect();
        Self {
            work: PendingTask::new((state, jobs, limits), requests.len()),
            requests,
        }
    }

    /// Sends it off to the threads of `pool`, unless it is there already.
    pub(crate) fn begin(&mut self, pool: &AsyncComputeTaskPool) {
        let run = |(state, jobs, limits): (GridState, Vec<Job>, Limits), cancels: &[_]| {
            run_jobs(&state, &jobs, limits, None, cancels)
        };
        self.work.begin(pool, run);
    }

    /// Tells the searches to stop for whose ticket nobody waits. Whether any is left.
    pub(crate) fn keep_wanted(&self, waits: impl Fn(Entity, u64) -> bool) -> bool {
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

    /// The answers, once all are there.
    pub(crate) fn poll(&mut self) -> Option<Answers> {
        self.work.poll()
    }
}
