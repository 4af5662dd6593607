//! Loops over many agents, in chunks on the compute pool.

use bevy::tasks::{ComputeTaskPool, TaskPool};

/// Fewer items than this are not worth a second thread.
const LEAST: usize = 512;

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
