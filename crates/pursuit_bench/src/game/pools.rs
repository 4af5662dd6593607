//! The requested and the actual sizes of Bevy's thread pools.

use bevy::app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use bevy::tasks::{AsyncComputeTaskPool, ComputeTaskPool, IoTaskPool};
use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::numbers::at_least_one;

/// Requested sizes of Bevy's thread pools. The pools belong to the process, and the first app of the process creates
/// them.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pools {
    /// Number of threads in which systems run. Bevy's default is all cores that other pools leave.
    #[arg(long = "compute-threads", value_name = "N", value_parser = at_least_one())]
    pub(crate) compute: Option<usize>,
    /// Number of threads in which searches and bakes run. Bevy's default is a quarter of the cores.
    #[arg(long = "threads", value_name = "N", value_parser = at_least_one())]
    pub(crate) async_compute: Option<usize>,
}

impl Pools {
    /// The plugin that creates the pools.
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

/// Writes the numbers of threads of the pools of this process. An app must have been built before.
impl Serialize for Pools {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let sizes = json!({
            "compute": ComputeTaskPool::get().thread_num(),
            "async_compute": AsyncComputeTaskPool::get().thread_num(),
            "io": IoTaskPool::get().thread_num(),
        });
        sizes.serialize(out)
    }
}
