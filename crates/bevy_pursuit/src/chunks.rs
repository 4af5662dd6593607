//! Loops over many agents, in chunks on the compute pool.

use bevy::tasks::ComputeTaskPool;

/// Fewer items than this are not worth a second thread.
const LEAST: usize = 512;

/// Runs `work` on chunks of `items`; gives what each brought, in order.
///
/// Not `par_iter`: on two cores Bevy gives the compute pool one thread, and then that runs in the
/// calling thread alone. A scope lets the calling thread help.
pub(crate) fn in_chunks<T: Send, R: Send + 'static>(
    items: &mut [T],
    work: impl Fn(&mut [T]) -> R + Sync,
) -> Vec<R> {
    let pool = ComputeTaskPool::get_or_init(Default::default);
    if items.len() < LEAST {
        return vec![work(items)];
    }
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
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_results_keep_their_order() {
        for count in [0, 1, LEAST - 1, LEAST, 10 * LEAST + 7] {
            let mut items: Vec<usize> = (0..count).collect();
            let seen = in_chunks(&mut items, |chunk| {
                chunk.iter_mut().for_each(|item| *item += 1);
                chunk.to_vec()
            });
            assert_eq!(seen.concat(), items);
            assert_eq!(items, (1..=count).collect::<Vec<_>>());
        }
    }
}
