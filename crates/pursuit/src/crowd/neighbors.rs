//! Neighbor lists.

use std::ops::Range;

use glam::{Mat4, Vec4, Vec4Swizzles};

use super::Member;
use super::body::{CrowdBody, Disc, MemberPlan};
use super::buckets::{Buckets, MemberRanges};
use super::levels::{Level, reach};

/// Maximum number of neighbors per member. Fixed members are kept first, then the nearest ones. In a packed crowd, a
/// member has fewer than seven neighbors on average. With a smaller maximum, a member walks into neighbors that were
/// left out. With a greater one, a throng on one point takes longer to compute, and spreads no faster.
const MAX_NEIGHBORS: usize = 32;

/// In a row of buckets, at most this many groups of four members are checked. They are spread evenly over the
/// row. If thousands of members are on one point, checks of all pairs would take millions of operations. With a
/// greater number, such a throng spreads in fewer ticks, but each tick takes longer.
const MAX_GROUPS_PER_ROW: usize = 24;

/// A disc that has no neighbors, for padding after the last member.
pub(super) const NOWHERE: Disc = Vec4::NAN;

/// Number of [`NOWHERE`] discs that have to follow the last member, since discs are read in groups of four.
pub(super) const PADDING_DISCS: usize = 3;

pub(super) fn disc_of(member: &Member, dt: f32) -> Disc {
    let wide = member.radius + reach(member, dt);
    Vec4::new(member.place.x, member.place.y, member.radius, wide)
}

/// A number with one bit for each of four members. The bit of a member is set if it is a neighbor of `own`, that is,
/// if one of the two reaches the other.
#[inline]
fn near(own: Disc, [a, b, c, d]: [Disc; 4]) -> u32 {
    let others = Mat4::from_cols(a, b, c, d).transpose();
    let (x, y) = (others.x_axis - own.x, others.y_axis - own.y);
    let reach = (others.z_axis + own.w).max(others.w_axis + own.z);
    (x * x + y * y).cmplt(reach * reach).bitmask()
}

/// For each number of four bits, the indices of the bits that are set, and how many there are.
const BITS: [([u32; 4], usize); 16] = {
    let mut all = [([0; 4], 0); 16];
    let mut bits = 0;
    while bits < 16 {
        let mut bit = 0;
        while bit < 4 {
            if bits >> bit & 1 == 1 {
                all[bits].0[all[bits].1] = bit;
                all[bits].1 += 1;
            }
            bit += 1;
        }
        bits += 1;
    }
    all
};

/// The neighbors of a range of members, one list after the other.
#[derive(Debug, Default)]
pub(super) struct Lists {
    near: Vec<u32>,
    ends: Vec<u32>,
}

impl Lists {
    /// Removes all lists.
    pub(super) fn clear(&mut self) {
        self.near.clear();
        self.ends.clear();
    }

    /// Finds the neighbors of each member of a range, and appends one list for each member. `first` is the index of the
    /// first member, and `plans` has one plan per member. Two members are neighbors if one of them reaches the other. A
    /// member at rest gets an empty list.
    pub(super) fn find(
        &mut self,
        (first, plans): (usize, &[MemberPlan]),
        bodies: &[CrowdBody],
        discs: &[Disc],
        buckets: &Buckets,
    ) {
        let mut runs = MemberRanges::default();
        for (index, plan) in plans.iter().enumerate() {
            let own = first + index;
            if bodies[own].radius > 0.0 && !plan.rests {
                self.add(own, bodies, (discs, buckets), &mut runs);
            }
            self.ends.push(self.near.len() as u32);
        }
    }

    #[inline]
    fn add(
        &mut self,
        own: usize,
        bodies: &[CrowdBody],
        (discs, buckets): (&[Disc], &Buckets),
        runs: &mut MemberRanges,
    ) {
        let body = &bodies[own];
        let first = self.near.len();
        let mut fixed = first;
        for (level, far) in buckets.levels_near(body.plane, discs[own]).rev() {
            match buckets.around(level, body.place, far, runs) {
                Some(runs) => {
                    for run in runs.each() {
                        self.add_run(own, discs, run);
                    }
                }
                None => self.add_wide(own, discs, (buckets, level), far),
            }
            if level.is_fixed {
                fixed = self.near.len();
            }
        }
        if self.near.len() - first > MAX_NEIGHBORS {
            self.keep_nearest(body, bodies, first, fixed);
        }
    }

    /// Adds the members of a range that are neighbors of `own`.
    #[inline]
    fn add_run(&mut self, own: usize, discs: &[Disc], run: Range<usize>) {
        let mut step = 4;
        if run.len() > 4 * MAX_GROUPS_PER_ROW {
            step *= run.len().div_ceil(4 * MAX_GROUPS_PER_ROW);
        }
        let mut at = run.start;
        while at < run.end {
            let Some(&four) = discs[at..].first_chunk() else {
                return;
            };
            let mut bits = near(discs[own], four);
            bits &= 15 >> (4 - (run.end - at).min(4));
            if own.wrapping_sub(at) < 4 {
                bits &= !(1 << (own - at));
            }
            let (places, count) = &BITS[bits as usize & 15];
            let end = self.near.len() + count;
            let found = places.map(|place| place + at as u32);
            self.near.extend_from_slice(&found);
            self.near.truncate(end);
            at += step;
        }
    }

    /// Calls [`add_run`](Self::add_run) for all ranges of a level around a member. Used if there are many such
    /// ranges.
    #[cold]
    fn add_wide(
        &mut self,
        own: usize,
        discs: &[Disc],
        (buckets, level): (&Buckets, &Level),
        far: f32,
    ) {
        buckets.all_around(level, discs[own].xy(), far, |run, row| {
            let start = self.near.len();
            self.add_run(own, discs, run);
            let Some(row) = row else {
                return;
            };
            let mut end = start;
            for at in start..self.near.len() {
                let other = self.near[at];
                self.near[end] = other;
                end += usize::from(level.row(discs[other as usize].y) == row);
            }
            self.near.truncate(end);
        });
    }

    /// Drops the farthest neighbors of a member that has too many. Fixed neighbors are kept first. They come before
    /// the index `fixed` in the list.
    #[cold]
    fn keep_nearest(&mut self, body: &CrowdBody, bodies: &[CrowdBody], first: usize, fixed: usize) {
        let from = if fixed - first > MAX_NEIGHBORS {
            self.near.truncate(fixed);
            first
        } else {
            fixed
        };
        self.near[from..].sort_unstable_by_key(|other| {
            let other = &bodies[*other as usize];
            let squared = other.place.distance_squared(body.place);
            (squared.to_bits(), other.serial)
        });
        self.near.truncate(first + MAX_NEIGHBORS);
    }

    /// The neighbors of the member with this index in the range.
    #[inline]
    pub(super) fn of(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.near[start as usize..self.ends[index] as usize]
    }
}
