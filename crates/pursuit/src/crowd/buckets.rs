//! Members by place: a counting sort into a table of buckets that is as large as the crowd, not as the world.

use std::ops::Range;

use glam::Vec2;

use super::Member;

/// More levels than this are one.
const LEVELS: usize = 8;

/// The least table of a level.
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

/// Rounded down; faster than the call that `floor` is where there is no instruction for it.
fn whole(x: f32) -> i32 {
    let cut = x as i32;
    cut.saturating_sub(i32::from(x < cut as f32))
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
    /// Members in the order of buckets, within one in that of serials. What it was in the tick before is a good order to
    /// read members in.
    pub(super) order: Vec<u32>,
    before: Vec<u32>,
}

impl Buckets {
    /// Sorts members. `reach` says how far beyond its radius each one looks for neighbors.
    pub(super) fn sort(&mut self, members: &[Member], reach: impl Fn(&Member) -> f32) {
        self.find_levels(members, reach);
        self.remember_order(members.len());
        let buckets = self.levels.last().map_or(0, |it| it.offset + it.mask + 1);
        self.first.clear();
        self.first.resize(buckets as usize + 2, 0);
        self.keys.clear();
        let levels = &self.levels;
        self.keys.extend(self.before.iter().map(|&index| {
            let member = &members[index as usize];
            let level = &levels[level_of(levels, member)];
            let column = whole(member.place.x * level.inverse);
            level.offset + level.bucket(column, level.row(member.place.y))
        }));
        for &key in &self.keys {
            self.first[key as usize + 2] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first[2..] {
            sum += *first;
            *first = sum;
        }
        self.order.resize(members.len(), 0);
        for (&index, &key) in self.before.iter().zip(&self.keys) {
            let place = &mut self.first[key as usize + 1];
            self.order[*place as usize] = index;
            *place += 1;
        }
        self.sort_within(members);
    }

    fn find_levels(&mut self, members: &[Member], reach: impl Fn(&Member) -> f32) {
        let radii = members.iter().map(Member::reach);
        let least = radii
            .filter(|radius| *radius > 0.0)
            .fold(f32::INFINITY, f32::min);
        let mut all = [[(0_u32, 0.0_f32, 0.0_f32); LEVELS]; 2];
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
        self.levels.clear();
        let mut offset = 0;
        let all = [false, true].into_iter().zip(all);
        let each = all.flat_map(|(is_fixed, all)| all.map(|it| (is_fixed, it)));
        for (is_fixed, (count, radius, reach)) in each.filter(|(_, it)| it.0 > 0) {
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

    /// The order of the tick before, if it is of as many.
    fn remember_order(&mut self, count: usize) {
        if self.order.len() == count {
            std::mem::swap(&mut self.order, &mut self.before);
        } else {
            self.before.clear();
            self.before.extend(0..count as u32);
        }
    }

    /// Puts each bucket into the order of serials: sums depend on the order, and that may not depend on the past.
    fn sort_within(&mut self, members: &[Member]) {
        let serial = |index: u32| members[index as usize].serial;
        let mut from = 0;
        for &until in &self.first[1..] {
            let until = until as usize;
            if until > from + 1 {
                self.order[from..until].sort_unstable_by_key(|index| serial(*index));
            }
            from = until.max(from);
        }
    }

    /// The largest last, and those of members that nothing moves after all others.
    pub(super) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The ranges of the order in which all members of a level are that lie in a rectangle, and some others: each with the
    /// row that its members have to be in, where the range may be that of several rows.
    #[inline]
    pub(super) fn around(
        &self,
        level: &Level,
        (min, max): (Vec2, Vec2),
        mut visit: impl FnMut(Range<usize>, Option<i32>),
    ) {
        let [left, right] = [min.x, max.x].map(|x| whole(x * level.inverse));
        let (low, high) = (level.row(min.y), level.row(max.y));
        let width = (right.wrapping_sub(left) as u32).min(level.mask);
        let at = |bucket: u32| self.first[(level.offset + bucket) as usize] as usize;
        // More rows than buckets: all of them.
        if high.wrapping_sub(low) as u32 >= level.mask {
            return visit(at(0)..at(level.mask + 1), None);
        }
        let is_small = width <= 3 && high.wrapping_sub(low) <= 3;
        for row in low..=high {
            let first = level.bucket(left, row);
            let last = first + width;
            let run = |from: u32, until: u32| at(from)..at(until);
            let row = (!is_small).then_some(row);
            if last <= level.mask {
                visit(run(first, last + 1), row);
            } else {
                visit(run(first, level.mask + 1), row);
                visit(run(0, last - level.mask), row);
            }
        }
    }
}

fn level_of(levels: &[Level], member: &Member) -> usize {
    let (radius, is_fixed) = (member.reach(), member.is_fixed());
    let holds = |level: &Level| level.is_fixed == is_fixed && radius <= level.radius;
    levels.iter().position(holds).unwrap_or(levels.len() - 1)
}
