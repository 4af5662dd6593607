//! Who does the work of a tick.

/// Threads that share the work of a tick. What comes of it does not depend on how many there are.
pub trait Workers {
    /// In how many parts it pays to cut the work on so many members, at least 1.
    fn parts(&self, members: usize) -> usize;

    /// How many of so many members make a part, at least 1.
    fn part_of(&self, members: usize) -> usize {
        members.div_ceil(self.parts(members).max(1)).max(1)
    }

    /// Runs `work` on each part, in any order, at the same time where that pays. Comes back when all is done.
    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync);
}

/// Cuts what belongs to members into parts that end so.
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
