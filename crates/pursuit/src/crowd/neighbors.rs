//! Who is near whom.

use std::ops::Range;

use glam::Vec2;

use super::body::Body;
use super::buckets::Buckets;

/// At most so many neighbors of one member count.
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
        // One more than count, so that writing needs no condition.
        let mut near = [0_u32; MOST + 1];
        let mut count = 0;
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
                    near[count] = other as u32;
                    count += usize::from(
                        is_near
                            & is_in_row
                            & (bodies[other].radius > 0.0)
                            & (other != own)
                            & (count < MOST),
                    );
                }
            });
        }
        self.near.extend_from_slice(&near[..count]);
    }

    /// The neighbors of the member at an index of the run.
    #[inline]
    pub(super) fn of(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.near[start as usize..self.ends[index] as usize]
    }
}
