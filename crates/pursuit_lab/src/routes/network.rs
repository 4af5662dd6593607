//! All routes between places, by the road with which each begins.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::parts::{PlaceId, Road, RoadId};

/// No road.
const NONE: u16 = u16::MAX;

/// For all pairs of places, the shortest route over open roads, by Dijkstra's algorithm from each place
/// (Dijkstra, 1959).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Network {
    places: usize,
    /// By destination, then by start: the road with which the route begins.
    next: Vec<u16>,
    /// In the same places: how long it is, infinite if there is none.
    lengths: Vec<f32>,
}

impl Network {
    /// The routes over the roads that are `open`. Ends of all roads are places.
    pub(super) fn of(places: usize, roads: &[Road], (lengths, open): (&[f32], &[bool])) -> Self {
        let mut network = Self {
            places,
            next: vec![NONE; places * places],
            lengths: vec![f32::INFINITY; places * places],
        };
        let arriving = arriving(places, roads, open);
        let mut queue = BinaryHeap::new();
        for to in 0..places {
            network.flood(to, (roads, lengths), &arriving, &mut queue);
        }
        network
    }

    /// How long the route between two places is; infinite if there is none.
    pub(super) fn length(&self, from: usize, to: usize) -> f32 {
        self.row(to).get(from).copied().unwrap_or(f32::INFINITY)
    }

    /// Calls `visit(road, whether it is walked backwards)` along the route, if there is one.
    pub(super) fn for_each_road(
        &self,
        from: PlaceId,
        to: PlaceId,
        roads: &[Road],
        mut visit: impl FnMut(RoadId, bool),
    ) {
        if self.length(from.get(), to.get()).is_infinite() {
            return;
        }
        let mut at = from;
        while at != to {
            let id = RoadId(self.next[to.get() * self.places + at.get()]);
            let Some(road) = roads.get(id.get()) else {
                return;
            };
            let is_backwards = road.from != at;
            visit(id, is_backwards);
            at = if is_backwards { road.from } else { road.to };
        }
    }

    /// Of all ways from `entries` to `exits`, each a place and how far it is to there, the one that is shortest.
    pub(super) fn best_pair(
        &self,
        entries: &[(usize, f32)],
        exits: &[(usize, f32)],
    ) -> Option<(usize, usize)> {
        let mut best = (f32::INFINITY, None);
        for (e, &(entry, before)) in entries.iter().enumerate() {
            for (x, &(exit, after)) in exits.iter().enumerate() {
                let length = before + self.length(entry, exit) + after;
                if length < best.0 {
                    best = (length, Some((e, x)));
                }
            }
        }
        best.1
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.next.capacity() * size_of::<u16>() + self.lengths.capacity() * size_of::<f32>()
    }

    fn row(&self, to: usize) -> &[f32] {
        let row = to * self.places..(to + 1) * self.places;
        self.lengths.get(row).unwrap_or_default()
    }

    /// Finds the routes to one place from all others, backwards along the roads.
    fn flood(
        &mut self,
        to: usize,
        (roads, road_lengths): (&[Road], &[f32]),
        arriving: &[Vec<u16>],
        queue: &mut BinaryHeap<Reverse<(u64, usize)>>,
    ) {
        let row = to * self.places..(to + 1) * self.places;
        let (next, lengths) = (&mut self.next[row.clone()], &mut self.lengths[row]);
        // Lengths are at least 0, so their bits are ordered as they are. Sums are made in 64 bits.
        let mut sums = vec![f64::INFINITY; lengths.len()];
        sums[to] = 0.0;
        queue.push(Reverse((0, to)));
        while let Some(Reverse((bits, at))) = queue.pop() {
            if bits != sums[at].to_bits() {
                continue;
            }
            for &id in &arriving[at] {
                let road = &roads[usize::from(id)];
                let from = if road.to.get() == at {
                    road.from
                } else {
                    road.to
                }
                .get();
                let sum = sums[at] + f64::from(road_lengths[usize::from(id)]);
                if sum < sums[from] {
                    sums[from] = sum;
                    next[from] = id;
                    queue.push(Reverse((sum.to_bits(), from)));
                }
            }
        }
        for (length, sum) in lengths.iter_mut().zip(sums) {
            *length = sum as f32;
        }
    }
}

/// The open roads by which each place can be reached.
fn arriving(places: usize, roads: &[Road], open: &[bool]) -> Vec<Vec<u16>> {
    let mut arriving = vec![Vec::new(); places];
    for (id, (road, is_open)) in (0..).zip(roads.iter().zip(open)) {
        if *is_open {
            arriving[road.to.get()].push(id);
            if !road.is_one_way {
                arriving[road.from.get()].push(id);
            }
        }
    }
    arriving
}
