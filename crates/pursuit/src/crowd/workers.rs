//! The threads that do the work of a tick.

/// Threads that share the work of a tick. The result does not depend on their number.
pub trait Workers {
    /// The number of parts into which the work on `members` members should be divided, at least 1.
    fn parts(&self, members: usize) -> usize;

    /// The number of members per part when there are `members` members. It is at least 1.
    fn part_size(&self, members: usize) -> usize {
        members.div_ceil(self.parts(members).max(1)).max(1)
    }

    /// Runs `work` on each part, in any order, in parallel where that is faster. Returns when all parts are done.
    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync);
}

/// Cuts a slice into parts with the given ends.
pub(super) fn cut<'a, T>(
    mut all: &'a mut [T],
    ends: &[usize],
) -> impl Iterator<Item = &'a mut [T]> {
    let mut start = 0;
    ends.iter().map(move |end| {
        let (part, rest) = std::mem::take(&mut all).split_at_mut(end - start);
        (all, start) = (rest, *end);
        part
    })
}

/// Runs all work on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleThread;

impl Workers for SingleThread {
    fn parts(&self, _: usize) -> usize {
        1
    }

    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync) {
        parts.into_iter().for_each(work);
    }
}
