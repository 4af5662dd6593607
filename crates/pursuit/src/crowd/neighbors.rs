//! Who is near whom.

use std::ops::Range;

use glam::Vec2;

use super::body::Body;
use super::buckets::Buckets;

/// At most so many neighbors of one member count: those that nothing moves, then those that are nearest.
const MOST: usize = 32;

/// At most so many members of a row of buckets are looked at, evenly spread: thousands on one point would take millions
/// of looks.
const LOOKS: usize = 96;

/// Neighbors of a run of members, one list after the other.
#[derive(Debug, Default)]
pub(super) struct Lists {
    near: Vec<u32>,
    ends: Vec<u32>,
}

impl Lists {
    /// Finds the neighbors of a range of members: those that are nearer to each other than what one of both reaches.
    pub(super) fn find(
        &mut self,
        members: Range<usize>,
        places: &[Vec2],
        bodies: &[Body],
        buckets: &Buckets,
    ) {
        self.near.clear();
        self.ends.clear();
        for own in members {
            self.add(own, places, bodies, buckets);
            self.ends.push(self.near.len() as u32);
        }
    }

    #[inline]
    fn add(&mut self, own: usize, places: &[Vec2], bodies: &[Body], buckets: &Buckets) {
        let (place, body) = (places[own], &bodies[own]);
        let first = self.near.len();
        let mut fixed = first;
        for level in buckets.levels().iter().rev() {
            let farthest = body.radius + level.radius + body.reach.max(level.reach);
            let around = (place - farthest, place + farthest);
            buckets.around(level, around, |run, row| {
                let stride = run.len().div_ceil(LOOKS).max(1);
                for other in run.step_by(stride) {
                    let reach =
                        body.radius + bodies[other].radius + body.reach.max(bodies[other].reach);
                    let is_near = places[other].distance_squared(place) < reach * reach;
                    let is_in_row = row.is_none_or(|row| level.row(places[other].y) == row);
                    if is_near && is_in_row && bodies[other].radius > 0.0 && other != own {
                        self.near.push(other as u32);
                    }
                }
            });
            if level.is_fixed {
                fixed = self.near.len();
            }
        }
        // The fixed ones come first, and all of the others after them that there is room for.
        let from = if fixed - first > MOST {
            self.near.truncate(fixed);
            first
        } else {
            fixed
        };
        if self.near.len() - first > MOST {
            let key = |other: &u32| {
                let other = *other as usize;
                let squared = places[other].distance_squared(place);
                (squared.to_bits(), bodies[other].serial)
            };
            self.near[from..].sort_unstable_by_key(key);
            self.near.truncate(first + MOST);
        }
    }

    /// The neighbors of the member at an index of the run.
    #[inline]
    pub(super) fn of(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.near[start as usize..self.ends[index] as usize]
    }
}
