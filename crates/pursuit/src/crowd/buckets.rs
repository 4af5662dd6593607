//! Members by place: a counting sort into a table of buckets that is as large as the crowd, not as the world.

use std::ops::Range;

use glam::Vec2;

use super::Member;
use super::workers::{Workers, each};

/// More levels than this are one. Each that is there takes looks of everybody; without them, the small ones look as far as the
/// largest are wide.
const LEVELS: usize = 8;

/// The least table of a level. Less: small crowds meet in it more often, and look at more who are far.
const LEAST: u32 = 64;

/// Rows lie this part of the table apart, so that the rows of a neighborhood do not overlap. Odd once it is a number of
/// buckets, so that no two rows of a table coincide.
const APART: u64 = 0x9E37_79B9;

/// Members whose radii differ by less than a factor of two, in buckets of one size. Those that nothing moves are apart, so
/// that they are found among any number of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) is_fixed: bool,
    /// The largest radius.
    pub(super) radius: f32,
    /// The largest reach beyond that.
    pub(super) reach: f32,
    inverse: f32,
    offset: u32,
    mask: u32,
    apart: u32,
}

/// The nearest whole number, for numbers that are not huge: those are as good as equal. In the sum the digits after the point
/// have no room.
fn whole(x: f32) -> i32 {
    const HUGE: f32 = 4e6;
    const SUMMAND: f32 = 1.5 * 8_388_608.0;
    let sum = x.clamp(-HUGE, HUGE) + SUMMAND;
    (sum.to_bits() as i32).wrapping_sub(SUMMAND.to_bits() as i32)
}

impl Level {
    pub(super) fn row(&self, y: f32) -> i32 {
        whole(y * self.inverse)
    }

    fn bucket(&self, column: i32, row: i32) -> u32 {
        let first = (row as u32).wrapping_mul(self.apart);
        first.wrapping_add(column as u32) & self.mask
    }
}

/// Where members are in the order of their buckets.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    levels: Vec<Level>,
    /// The first place of each bucket; one more at the end.
    first: Vec<u32>,
    keys: Vec<u32>,
    /// Members in the order of buckets, within one in that of serials: sums depend on it.
    pub(super) order: Vec<u32>,
    /// Where each member is in that order.
    pub(super) place_of: Vec<u32>,
}

/// What has to be known of all members before they are sorted.
pub(super) struct Survey {
    /// The smallest radius.
    least: f32,
    /// The fastest that somebody wants to go, in its radii.
    pub(super) fastest: f32,
    /// Whether they are in the order of serials.
    is_by_serial: bool,
}

impl Survey {
    /// That of members in parts of so many.
    pub(super) fn of(members: &[Member], size: usize, workers: &impl Workers) -> Self {
        let parts = each(workers, (0..members.len()).step_by(size), |first| {
            let until = (first + size).min(members.len());
            let with_one_before = &members[first.saturating_sub(1)..until];
            let mut part = Self {
                is_by_serial: with_one_before.is_sorted_by_key(|member| member.serial),
                ..Self::default()
            };
            for member in &members[first..until] {
                part.add(member);
            }
            part
        });
        parts.into_iter().fold(Self::default(), |all, part| Self {
            least: all.least.min(part.least),
            fastest: all.fastest.max(part.fastest),
            is_by_serial: all.is_by_serial && part.is_by_serial,
        })
    }

    fn add(&mut self, member: &Member) {
        let radius = member.reach();
        if radius > 0.0 {
            self.least = self.least.min(radius);
            if member.pace.is_finite() && !member.is_fixed() && !member.mind.is_settled {
                self.fastest = self.fastest.max(member.pace / radius);
            }
        }
    }
}

impl Default for Survey {
    fn default() -> Self {
        Self {
            least: f32::INFINITY,
            fastest: 0.0,
            is_by_serial: true,
        }
    }
}

/// Of the members of a level: how many they are, and the largest radius and reach.
type Extent = (u32, f32, f32);

/// Of those that something moves, and of the others.
type Extents = [[Extent; LEVELS]; 2];

impl Buckets {
    /// Sorts members, in parts of so many. `reach` says how far beyond its radius each one looks for neighbors.
    pub(super) fn sort(
        &mut self,
        members: &[Member],
        survey: &Survey,
        size: usize,
        workers: &impl Workers,
        reach: impl Fn(&Member) -> f32 + Sync,
    ) {
        self.find_levels(members, survey.least, size, workers, reach);
        self.keys.resize(members.len(), 0);
        let levels = &self.levels;
        let parts = members.chunks(size).zip(self.keys.chunks_mut(size));
        workers.run(parts.collect(), |(members, keys)| {
            for (member, key) in members.iter().zip(keys) {
                let level = &levels[level_of(levels, member)];
                let column = whole(member.place.x * level.inverse);
                *key = level.offset + level.bucket(column, level.row(member.place.y));
            }
        });
        self.count();
        if !survey.is_by_serial {
            self.sort_within(members, size, workers);
        }
        self.place_of.resize(members.len(), 0);
        for (place, &index) in self.order.iter().enumerate() {
            self.place_of[index as usize] = place as u32;
        }
    }

    /// A counting sort by keys.
    fn count(&mut self) {
        let buckets = self.levels.last().map_or(0, |it| it.offset + it.mask + 1);
        self.first.clear();
        self.first.resize(buckets as usize + 2, 0);
        for &key in &self.keys {
            self.first[key as usize + 2] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first[2..] {
            sum += *first;
            *first = sum;
        }
        self.order.resize(self.keys.len(), 0);
        for (index, &key) in self.keys.iter().enumerate() {
            let place = &mut self.first[key as usize + 1];
            self.order[*place as usize] = index as u32;
            *place += 1;
        }
    }

    fn find_levels(
        &mut self,
        members: &[Member],
        least: f32,
        size: usize,
        workers: &impl Workers,
        reach: impl Fn(&Member) -> f32 + Sync,
    ) {
        let extents = |members: &[Member]| extents(members, least, &reach);
        let parts = each(workers, members.chunks(size), extents);
        let mut all = Extents::default();
        for part in parts {
            for (all, part) in all.as_flattened_mut().iter_mut().zip(part.as_flattened()) {
                *all = (all.0 + part.0, all.1.max(part.1), all.2.max(part.2));
            }
        }
        self.levels.clear();
        let mut offset = 0;
        let all = [false, true].into_iter().zip(all);
        let levels = all.flat_map(|(is_fixed, all)| all.map(|it| (is_fixed, it)));
        for (is_fixed, (count, radius, reach)) in levels.filter(|(_, it)| it.0 > 0) {
            let size = (2 * count).next_power_of_two().max(LEAST);
            self.levels.push(Level {
                is_fixed,
                radius,
                reach,
                inverse: 1.0 / (2.0 * radius + reach).max(f32::MIN_POSITIVE),
                offset,
                mask: size - 1,
                apart: (((u64::from(size) * APART) >> 32) | 1) as u32,
            });
            offset += size;
        }
    }

    /// Puts each bucket into the order of serials.
    fn sort_within(&mut self, members: &[Member], size: usize, workers: &impl Workers) {
        let serial = |index: &u32| members[*index as usize].serial;
        let ends = &self.first[1..];
        let buckets = ends.len().div_ceil(members.len().div_ceil(size));
        let (mut rest, mut start) = (&mut self.order[..], 0);
        let parts = ends.chunks(buckets).map(|ends| {
            let end = ends[ends.len() - 1] as usize;
            let (own, others) = std::mem::take(&mut rest).split_at_mut(end - start);
            rest = others;
            (own, std::mem::replace(&mut start, end), ends)
        });
        workers.run(parts.collect(), |(order, start, ends)| {
            let mut from = 0;
            for end in ends {
                let until = *end as usize - start;
                if until > from + 1 {
                    order[from..until].sort_unstable_by_key(serial);
                }
                from = until;
            }
        });
    }

    /// The largest last, and those of members that nothing moves after all others.
    pub(super) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The ranges of the order in which all members of a level are that are so near to a place, in each axis, and some others.
    /// `None` where there would be many.
    #[inline]
    pub(super) fn around(&self, level: &Level, place: Vec2, far: f32) -> Option<Runs> {
        let [left, low] = [place.x - far, place.y - far].map(|it| whole(it * level.inverse));
        let [right, high] = [place.x + far, place.y + far].map(|it| whole(it * level.inverse));
        let (width, height) = ((right - left) as u32, (high - low) as u32);
        if width.max(height) > 3 {
            return None;
        }
        let mut runs = Runs::default();
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

    /// The same where there may be many, each with the row that its members have to be in, where the range may be that of
    /// several rows.
    pub(super) fn all_around(
        &self,
        level: &Level,
        place: Vec2,
        far: f32,
        mut visit: impl FnMut(Range<usize>, Option<i32>),
    ) {
        let [left, low] = [place.x - far, place.y - far].map(|it| whole(it * level.inverse));
        let [right, high] = [place.x + far, place.y + far].map(|it| whole(it * level.inverse));
        let width = ((right - left) as u32).min(level.mask);
        // More rows than buckets: all of them.
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

    /// The range of the members in some buckets of a level.
    #[inline]
    fn run(&self, level: &Level, first: u32, last: u32) -> Range<usize> {
        let at = |bucket: u32| self.first[(level.offset + bucket) as usize] as usize;
        at(first)..at(last + 1)
    }
}

/// Up to eight ranges of members.
#[derive(Default)]
pub(super) struct Runs {
    all: [(u32, u32); 8],
    count: usize,
}

impl Runs {
    /// Adds one, if somebody is in it.
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

/// How many members each level has, and how large they are.
fn extents(members: &[Member], least: f32, reach: impl Fn(&Member) -> f32) -> Extents {
    let mut all = Extents::default();
    for member in members {
        let own = member.reach();
        let mut level = 0;
        let mut limit = least * 2.0;
        while own >= limit && level + 1 < LEVELS {
            (level, limit) = (level + 1, limit * 2.0);
        }
        let (count, radius, most) = &mut all[usize::from(member.is_fixed())][level];
        *count += 1;
        *radius = radius.max(own);
        if own > 0.0 {
            *most = most.max(reach(member));
        }
    }
    all
}

fn level_of(levels: &[Level], member: &Member) -> usize {
    let (radius, is_fixed) = (member.reach(), member.is_fixed());
    let holds = |level: &Level| level.is_fixed == is_fixed && radius <= level.radius;
    levels.iter().position(holds).unwrap_or(levels.len() - 1)
}
