//! All routes between places, by the road with which each begins.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::parts::{PlaceId, Road, RoadId};
use crate::cancel::{Cancelled, Watch};

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
    /// The routes over the roads that are `open`. Ends of all roads are places. With a flag to give up.
    pub(super) fn of_until(
        places: usize,
        roads: &[Road],
        (lengths, open): (&[f32], &[bool]),
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let mut network = Self {
            places,
            next: watch.collect(places * places, |_| NONE)?,
            lengths: watch.collect(places * places, |_| f32::INFINITY)?,
        };
        let arriving = Arriving::of(places, roads, open, watch)?;
        let mut queue = BinaryHeap::new();
        for to in 0..places {
            network.flood(to, (roads, lengths), &arriving, &mut queue, watch)?;
        }
        Ok(network)
    }

    /// How long the route between two places is; infinite if there is none.
    pub(super) fn length(&self, from: usize, to: usize) -> f32 {
        self.row(to).get(from).copied().unwrap_or(f32::INFINITY)
    }

    /// Calls `visit(road, whether it is walked backwards)` along the route, until that gives up. Whether there is one.
    pub(super) fn for_each_road(
        &self,
        from: PlaceId,
        to: PlaceId,
        roads: &[Road],
        mut visit: impl FnMut(RoadId, bool) -> Result<(), Cancelled>,
    ) -> Result<bool, Cancelled> {
        if self.length(from.get(), to.get()).is_infinite() {
            return Ok(false);
        }
        let mut at = from;
        while at != to {
            let id = RoadId(self.next[to.get() * self.places + at.get()]);
            let Some(road) = roads.get(id.get()) else {
                return Ok(false);
            };
            let is_backwards = road.from != at;
            visit(id, is_backwards)?;
            at = if is_backwards { road.from } else { road.to };
        }
        Ok(true)
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
        arriving: &Arriving,
        queue: &mut BinaryHeap<Reverse<(u64, usize)>>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        watch.pass_words(3 * self.places)?;
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
            watch.pass(1)?;
            for &id in arriving.at(at) {
                watch.pass(1)?;
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
        Ok(())
    }
}

/// The open roads by which each place can be reached.
struct Arriving {
    /// Where the roads of a place begin in `roads`.
    starts: Vec<u32>,
    roads: Vec<u16>,
}

impl Arriving {
    fn of(
        places: usize,
        roads: &[Road],
        open: &[bool],
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let mut ends: Vec<(usize, u16)> = Vec::with_capacity(2 * roads.len());
        for (id, (road, _)) in (0u16..)
            .zip(roads.iter().zip(open))
            .filter(|(_, (_, open))| **open)
        {
            watch.pass(1)?;
            ends.push((road.to.get(), id));
            if !road.is_one_way {
                ends.push((road.from.get(), id));
            }
        }
        watch.sort(&mut ends)?;
        let start = |place: usize| ends.partition_point(|&(at, _)| at < place) as u32;
        Ok(Self {
            starts: watch.collect(places + 1, start)?,
            roads: watch.collect(ends.len(), |i| ends[i].1)?,
        })
    }

    fn at(&self, place: usize) -> &[u16] {
        &self.roads[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::super::parts::{MAX_PLACES, MAX_ROADS};
    use super::*;
    use crate::cancel::{ITEMS, WORDS, looks};

    /// As many roads from one place to another as there may be.
    fn parallel() -> Vec<Road> {
        let road = Road {
            from: PlaceId(0),
            to: PlaceId(1),
            points: vec![Vec2::ZERO, Vec2::X],
            is_one_way: false,
        };
        vec![road; MAX_ROADS]
    }

    /// How often a flag that stays down is looked at while places are flooded.
    fn looks_of_floods(places: usize, roads: &[Road]) -> usize {
        let open = vec![true; roads.len()];
        let arriving = Arriving::of(places, roads, &open, &mut Watch::new(None));
        let arriving = arriving.expect("no flag");
        let lengths = vec![1.0; roads.len()];
        let mut network = Network {
            places,
            next: vec![NONE; places * places],
            lengths: vec![f32::INFINITY; places * places],
        };
        let (done, looks) = looks::count(usize::MAX, |flag| {
            let watch = &mut Watch::new(flag);
            let queue = &mut BinaryHeap::new();
            (0..places)
                .try_for_each(|to| network.flood(to, (roads, &lengths), &arriving, queue, watch))
        });
        assert!(done.is_ok(), "the flag stays down");
        looks
    }

    #[test]
    fn the_flag_is_looked_at_for_the_rows_of_places_that_no_road_joins() {
        let looks = looks_of_floods(MAX_PLACES, &[]);
        assert!(
            looks >= 3 * MAX_PLACES * MAX_PLACES / WORDS,
            "{looks} looks"
        );
    }

    #[test]
    fn the_flag_is_looked_at_for_the_roads_of_a_place() {
        let looks = looks_of_floods(2, &parallel());
        assert!(looks >= 2 * 2 * MAX_ROADS / ITEMS, "{looks} looks");
    }

    #[test]
    fn the_flag_is_looked_at_for_places_one_after_the_other() {
        let along = |at: usize| Road {
            from: PlaceId(at as u16),
            to: PlaceId(at as u16 + 1),
            points: vec![Vec2::ZERO, Vec2::X],
            is_one_way: true,
        };
        let roads: Vec<Road> = (0..MAX_PLACES - 1).map(along).collect();
        let looks = looks_of_floods(MAX_PLACES, &roads);
        // Half of all pairs are joined: a place and a road each. And there are the rows.
        let pairs = MAX_PLACES * (MAX_PLACES - 1) / 2;
        let rows = 3 * MAX_PLACES * MAX_PLACES / WORDS;
        assert!(looks >= 2 * pairs / ITEMS + rows, "{looks} looks");
    }

    #[test]
    fn the_flag_is_looked_at_as_open_roads_are_gathered() {
        let roads = parallel();
        let open = vec![true; roads.len()];
        let (done, looks) = looks::count(usize::MAX, |flag| {
            Arriving::of(2, &roads, &open, &mut Watch::new(flag)).map(|_| ())
        });
        assert!(done.is_ok(), "the flag stays down");
        // Two ends of each road are sorted, in rounds, and copied.
        let runs = 2 * MAX_ROADS / ITEMS;
        let (sort, copy) = (runs * (1 + runs.ilog2() as usize), runs);
        assert!(looks >= MAX_ROADS / ITEMS + sort + copy, "{looks} looks");
    }
}
