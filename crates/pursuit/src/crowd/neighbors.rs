//! Who is near whom.

use glam::Vec2;

use super::buckets::Buckets;
use super::step::Body;

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
    /// Finds the neighbors of the members from `first` on: those whose bodies are nearer to each other than both reach.
    pub(super) fn find(
        &mut self,
        (first, count): (usize, usize),
        places: &[Vec2],
        bodies: &[Body],
        buckets: &Buckets,
    ) {
        self.near.clear();
        self.ends.clear();
        for own in first..first + count {
            self.add(own, places, bodies, buckets);
            self.ends.push(self.near.len() as u32);
        }
    }

    #[inline]
    fn add(&mut self, own: usize, places: &[Vec2], bodies: &[Body], buckets: &Buckets) {
        let (place, body) = (places[own], &bodies[own]);
        let start = self.near.len();
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
                    if is_near && is_in_row && other != own && self.near.len() < start + MOST {
                        self.near.push(other as u32);
                    }
                }
            });
        }
    }

    /// The neighbors of the member at an index of the run.
    #[inline]
    pub(super) fn of(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.near[start as usize..self.ends[index] as usize]
    }
}
