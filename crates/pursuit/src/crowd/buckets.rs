//! Sorts members by position, with a counting sort into a table of buckets. The size of the table depends on the
//! number of members, not on the size of the world.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Vec2, Vec4Swizzles};

use super::Member;
use super::body::Disc;
use super::levels::{Level, Survey, level_of};
use super::workers::{Workers, cut};

/// The members, sorted by bucket.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    levels: Vec<Level>,
    /// For each bucket, the index in `order` at which it begins. The last bucket has the members that meet no other
    /// member. At the end, `first` has the number of all members, twice.
    first: Vec<u32>,
    /// The bucket of each member, and its serial, which orders the members of a bucket.
    keys: Vec<(u32, u32)>,
    /// The indices of the members, sorted by bucket.
    pub(super) order: Vec<u32>,
    /// For each member, its index in `order`.
    place_of: Vec<AtomicU32>,
    /// The indices in `order` at which the parts of the work end. Each part consists of whole buckets.
    pub(super) ends: Vec<usize>,
}

impl Buckets {
    /// Sorts members, and divides them into parts of about `size` members. The survey must have counted all of
    /// them.
    pub(super) fn sort(
        &mut self,
        members: &[Member],
        (survey, dt): (&mut Survey, f32),
        size: usize,
        workers: &impl Workers,
    ) {
        survey.write_levels(dt, &mut self.levels);
        let levels = &self.levels;
        let nowhere = levels.last().map_or(0, Level::end);
        self.keys.resize(members.len(), (0, 0));
        let parts = members.chunks(size).zip(self.keys.chunks_mut(size));
        workers.run(parts.collect(), |(members, keys)| {
            for (member, key) in members.iter().zip(keys) {
                let level = level_of(levels, member);
                let bucket = level.map_or(nowhere, |level| level.key(member.place));
                *key = (bucket, member.serial);
            }
        });
        self.count(nowhere as usize + 1);
        self.find_ends(size);
        self.place_of.resize_with(members.len(), AtomicU32::default);
    }

    /// Fills `first` and `order` by a counting sort of `keys`.
    fn count(&mut self, buckets: usize) {
        self.first.clear();
        self.first.resize(buckets + 2, 0);
        for (bucket, _) in &self.keys {
            self.first[*bucket as usize + 2] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first[2..] {
            sum += *first;
            *first = sum;
        }
        self.order.resize(self.keys.len(), 0);
        for (index, (bucket, _)) in self.keys.iter().enumerate() {
            let place = &mut self.first[*bucket as usize + 1];
            self.order[*place as usize] = index as u32;
            *place += 1;
        }
    }

    /// Divides the order into parts of about `size` members: each part ends with the bucket of its `size`th
    /// member.
    fn find_ends(&mut self, size: usize) {
        self.ends.clear();
        let mut end = 0;
        while end < self.order.len() {
            let last = (end + size - 1).min(self.order.len() - 1);
            let (bucket, _) = self.keys[self.order[last] as usize];
            end = self.first[bucket as usize + 1] as usize;
            self.ends.push(end);
        }
    }

    /// Makes [`place_of`](Self::place_of) return each index below `count` unchanged.
    pub(super) fn keep_order(&mut self, count: usize) {
        self.place_of.clear();
        self.place_of.extend((0..count as u32).map(AtomicU32::new));
    }

    /// Passes each part of the order to `work`, together with one of `outputs`. Before `work` gets a part, each
    /// bucket of the part is sorted by serial, since floating-point sums depend on the order of their terms. The
    /// order does not change afterwards.
    pub(super) fn arrange<T: Send>(
        &mut self,
        workers: &impl Workers,
        outputs: impl Iterator<Item = T>,
        work: impl Fn(&[u32], T) + Sync,
    ) {
        let Self {
            first,
            keys,
            order,
            place_of,
            ends,
            ..
        } = self;
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let parts = starts.zip(cut(order, ends)).zip(outputs);
        workers.run(parts.collect(), |((start, order), output)| {
            // A part consists of whole buckets.
            let (bucket, _) = keys[order[0] as usize];
            let mut from = 0;
            for until in &first[bucket as usize + 1..] {
                let until = *until as usize - start;
                if until > from + 1 {
                    order[from..until].sort_unstable_by_key(|it| keys[*it as usize].1);
                }
                from = until;
                if from == order.len() {
                    break;
                }
            }
            for (place, index) in (start..).zip(&*order) {
                place_of[*index as usize].store(place as u32, Ordering::Relaxed);
            }
            work(order, output);
        });
    }

    /// The index in `order` of the member that the game passed at `index`.
    pub(super) fn place_of(&self, index: usize) -> usize {
        self.place_of[index].load(Ordering::Relaxed) as usize
    }

    /// The levels that may hold neighbors of a member, each with the greatest distance that a neighbor in this
    /// level can have. Levels with greater radii come later, and the levels of fixed members come after all
    /// others.
    #[inline]
    pub(super) fn levels_near(
        &self,
        plane: u16,
        disc: Disc,
    ) -> impl DoubleEndedIterator<Item = (&Level, f32)> {
        let [_, _, radius, wide] = disc.to_array();
        let far = move |it: &Level| (wide + it.radius).max(radius + (it.radius + it.reach));
        let of_plane = self.levels.iter().filter(move |it| it.plane == plane);
        let levels = of_plane.map(move |level| (level, far(level)));
        levels.filter(move |(level, far)| level.is_near(disc.xy(), *far))
    }

    /// The ranges of `order` that hold all members of a level within `far` of `place` on each axis. They may hold
    /// a few other members as well. `None` if more than four rows or columns of buckets are within `far`.
    #[inline]
    pub(super) fn around<'r>(
        &self,
        level: &Level,
        place: Vec2,
        far: f32,
        runs: &'r mut MemberRanges,
    ) -> Option<&'r MemberRanges> {
        runs.count = 0;
        let [(left, low), (right, high)] = level.buckets(place, far);
        let (width, height) = ((right - left) as u32, (high - low) as u32);
        if width.max(height) > 3 {
            return None;
        }
        for row in low..=high {
            let first = level.bucket(left, row);
            let last = first + width;
            runs.add(self.run(level, first, last.min(level.mask)));
            if last > level.mask {
                runs.add(self.run(level, 0, last - level.mask - 1));
            }
        }
        Some(runs)
    }

    /// Does the same as [`around`](Self::around) for any number of buckets. Each range is passed to `visit`, together
    /// with a row of buckets: members of the range that are not in this row must be skipped. If the range is the
    /// whole level, no row is passed.
    pub(super) fn all_around(
        &self,
        level: &Level,
        place: Vec2,
        far: f32,
        mut visit: impl FnMut(Range<usize>, Option<i32>),
    ) {
        let [(left, low), (right, high)] = level.buckets(place, far);
        let width = ((right - left) as u32).min(level.mask);
        // The rows cover all buckets of the level.
        if (high - low) as u32 >= level.mask {
            return visit(self.run(level, 0, level.mask), None);
        }
        for row in low..=high {
            let first = level.bucket(left, row);
            let last = first + width;
            visit(self.run(level, first, last.min(level.mask)), Some(row));
            if last > level.mask {
                visit(self.run(level, 0, last - level.mask - 1), Some(row));
            }
        }
    }

    /// The range of `order` that has the members in the buckets from `first` to `last` of a level.
    #[inline]
    fn run(&self, level: &Level, first: u32, last: u32) -> Range<usize> {
        let at = |bucket: u32| self.first[(level.offset + bucket) as usize] as usize;
        at(first)..at(last + 1)
    }
}

/// Up to eight ranges of members.
#[derive(Default)]
pub(super) struct MemberRanges {
    all: [(u32, u32); 8],
    count: usize,
}

impl MemberRanges {
    /// Adds a range unless it is empty.
    #[inline]
    fn add(&mut self, run: Range<usize>) {
        self.all[self.count & 7] = (run.start as u32, run.end as u32);
        self.count += usize::from(!run.is_empty());
    }

    #[inline]
    pub(super) fn each(&self) -> impl Iterator<Item = Range<usize>> {
        let runs = self.all.iter().take(self.count);
        runs.map(|(start, end)| *start as usize..*end as usize)
    }
}
