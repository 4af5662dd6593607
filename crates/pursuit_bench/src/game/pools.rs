//! Bevy's thread pools: how large they shall be, and how large they are.

use bevy::app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use bevy::tasks::{AsyncComputeTaskPool, ComputeTaskPool, IoTaskPool};
use serde::Serialize;

/// Threads of Bevy's pools; `None` for Bevy's default. Pools belong to the process: the first app in it
/// makes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pools {
    /// Threads in which systems run, and what they share out.
    pub(crate) compute: Option<usize>,
    /// Threads in which searches and bakes run.
    pub(crate) async_compute: Option<usize>,
}

impl Pools {
    /// The plugin that makes them.
    pub(crate) fn plugin(&self) -> TaskPoolPlugin {
        let sized = |policy: TaskPoolThreadAssignmentPolicy, threads: Option<usize>| match threads {
            None => policy,
            Some(threads) => TaskPoolThreadAssignmentPolicy {
                min_threads: threads,
                max_threads: threads,
                ..policy
            },
        };
        let options = TaskPoolOptions::default();
        TaskPoolPlugin {
            task_pool_options: TaskPoolOptions {
                compute: sized(options.compute, self.compute),
                async_compute: sized(options.async_compute, self.async_compute),
                ..options
            },
        }
    }
}

/// Threads that Bevy's pools have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PoolSizes {
    pub(crate) compute: usize,
    pub(crate) async_compute: usize,
    pub(crate) io: usize,
}

impl PoolSizes {
    /// Those of this process, in which an app was built before.
    pub(crate) fn read() -> Self {
        PoolSizes {
            compute: ComputeTaskPool::get().thread_num(),
            async_compute: AsyncComputeTaskPool::get().thread_num(),
            io: IoTaskPool::get().thread_num(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pools;

    #[test]
    fn only_the_pools_that_were_named_change() {
        let plain = Pools::default().plugin().task_pool_options;
        let sized = Pools {
            compute: Some(3),
            async_compute: None,
        };
        let sized = sized.plugin().task_pool_options;
        assert_eq!(
            (sized.compute.min_threads, sized.compute.max_threads),
            (3, 3)
        );
        assert_eq!(
            sized.async_compute.max_threads,
            plain.async_compute.max_threads
        );
        assert_eq!(sized.io.max_threads, plain.io.max_threads);
    }
}
