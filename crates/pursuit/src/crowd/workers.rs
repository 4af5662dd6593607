//! Who does the work of a tick.

/// Threads that share the work of a tick. What comes of it does not depend on how many there are.
pub trait Workers {
    /// In how many parts it pays to cut the work on so many members, at least 1.
    fn parts(&self, members: usize) -> usize;

    /// Runs `work` on each part, in any order, at the same time where that pays. Comes back when all is done.
    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync);
}

/// What `work` makes of each part, in their order.
pub(super) fn each<I: Send, T: Send + Default>(
    workers: &impl Workers,
    parts: impl Iterator<Item = I>,
    work: impl Fn(I) -> T + Sync,
) -> Vec<T> {
    let parts: Vec<I> = parts.collect();
    let mut made: Vec<T> = parts.iter().map(|_| T::default()).collect();
    let parts = parts.into_iter().zip(&mut made).collect();
    workers.run(parts, |(part, made)| *made = work(part));
    made
}

/// The calling thread alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Workers for Alone {
    fn parts(&self, _: usize) -> usize {
        1
    }

    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync) {
        parts.into_iter().for_each(work);
    }
}
