//! Loops over many agents, in chunks on the compute pool.

use bevy::tasks::{ComputeTaskPool, TaskPool};
use pursuit::crowd::Workers;

/// Fewer items than this are not worth a second thread.
const LEAST: usize = 512;
/// The same where the pool has one thread beside the frame's own, for work that takes long enough.
const LEAST_OF_TWO: usize = 4096;

/// Whether a loop over so many items gains by chunks. With one thread beside the frame's own it does
/// not: that one is busy with searches, and a chunk that it holds while it waits for a core is waited
/// for by the frame.
pub(crate) fn is_worth_it(count: usize) -> bool {
    let pool = ComputeTaskPool::get_or_init(Default::default);
    count >= LEAST && pool.thread_num() > 1
}

/// Runs `work` on chunks of `items`; gives what each brought, in order.
///
/// The calling thread helps. What comes of an item does not depend on how they are shared out.
pub(crate) fn in_chunks<T: Send, R: Send + 'static>(
    items: &mut [T],
    work: impl Fn(&mut [T]) -> R + Sync,
) -> Vec<R> {
    if !is_worth_it(items.len()) {
        return vec![work(items)];
    }
    share(ComputeTaskPool::get_or_init(Default::default), items, work)
}

/// The threads of the compute pool, and the one that calls.
#[derive(Debug)]
pub(crate) struct Pool(&'static TaskPool);

impl Default for Pool {
    fn default() -> Self {
        Self(ComputeTaskPool::get_or_init(Default::default))
    }
}

impl Workers for Pool {
    fn parts(&self, members: usize) -> usize {
        let threads = self.0.thread_num();
        let least = if threads > 1 { LEAST } else { LEAST_OF_TWO };
        if members < least || threads == 0 {
            return 1;
        }
        (4 * (threads + 1)).min(members / (LEAST / 2))
    }

    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync) {
        if parts.len() < 2 {
            return parts.into_iter().for_each(work);
        }
        let work = &work;
        self.0.scope(|scope| {
            for part in parts {
                scope.spawn(async move { work(part) });
            }
        });
    }
}

fn share<T: Send, R: Send + 'static>(
    pool: &TaskPool,
    items: &mut [T],
    work: impl Fn(&mut [T]) -> R + Sync,
) -> Vec<R> {
    let shares = 4 * (pool.thread_num() + 1);
    let size = items.len().div_ceil(shares).max(LEAST / 2);
    let work = &work;
    pool.scope(|scope| {
        for chunk in items.chunks_mut(size) {
            scope.spawn(async move { work(chunk) });
        }
    })
}

#[cfg(test)]
mod tests {
    use bevy::tasks::TaskPoolBuilder;

    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_results_keep_their_order() {
        let pool = TaskPoolBuilder::new().num_threads(3).build();
        for count in [0, 1, LEAST - 1, LEAST, 10 * LEAST + 7] {
            let mut items: Vec<usize> = (0..count).collect();
            let seen = share(&pool, &mut items, |chunk| {
                chunk.iter_mut().for_each(|item| *item += 1);
                chunk.to_vec()
            });
            assert_eq!(seen.concat(), items);
            assert_eq!(items, (1..=count).collect::<Vec<_>>());
        }
    }
}
