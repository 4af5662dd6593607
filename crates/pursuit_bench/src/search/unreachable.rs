//! Queries without a path: measures how long it takes to detect that there is no path, and to find a path to the
//! nearest reachable cell.

use std::hint::black_box;

use fastrand::Rng;
use pursuit::{
    BodyLayers, Cell, DiagonalPolicy, FoundPath, Grid, Outcome, PartialReason, Regions,
    SearchScratch,
};
use serde_json::{Value, json};

use super::flood::Flood;
use super::own::OwnSearch;
use super::verify::verify;
use crate::clock::Clock;
use crate::mapset::Loaded;
use crate::samples::Samples;

/// Maximum number of queries of each kind per map.
const QUERIES_PER_KIND: usize = 100;
/// Number of rounds over which the reachability checks of a map are timed.
const ANSWER_ROUNDS: u32 = 64;
/// One out of this many partial paths is compared with the shortest path.
const COST_CHECK_INTERVAL: usize = 8;

type Pair = (Cell, Cell);

/// The figures of one set.
#[derive(Default)]
pub(super) struct UnreachableTally {
    answer_ns: f64,
    answers: usize,
    unreachable_us: Samples,
    blocked_us: Samples,
    wrong: usize,
}

impl UnreachableTally {
    /// Measures the queries without a path on a map. The chosen queries depend only on the map and on `seed`.
    pub(super) fn run(
        &mut self,
        map: &Loaded,
        seed: u64,
        scratch: &mut SearchScratch,
        clock: &Clock,
    ) {
        let grid = &map.grid;
        let flood = Flood::of(grid);
        let mut random = Rng::with_seed(seed);
        let [unreachable, blocked] = [
            unreachable_pairs(grid, &flood, &mut random),
            blocked_pairs(grid, &mut random),
        ];
        let layers = BodyLayers::from_grid(grid.clone(), DiagonalPolicy::default());
        let mut all = [&unreachable[..], &blocked[..]].concat();
        let mut reachable: Vec<_> = map.queries.iter().map(|q| (q.start, q.goal)).collect();
        random.shuffle(&mut reachable);
        reachable.truncate(all.len());
        all.extend(reachable);
        random.shuffle(&mut all);
        self.answer(&all, layers.regions(), &flood, clock);
        for (pairs, reason, us) in [
            (
                &unreachable,
                PartialReason::Unreachable,
                &mut self.unreachable_us,
            ),
            (&blocked, PartialReason::GoalBlocked, &mut self.blocked_us),
        ] {
            let options = OwnSearch::Auto.options();
            let mut answers = Vec::new();
            let find = |at: usize| {
                let (start, goal) = (black_box(pairs[at].0), black_box(pairs[at].1));
                layers.find_path(start, goal, &options, scratch)
            };
            let took = clock.time_each(pairs.len(), find, |_, found| answers.push(found));
            us.extend(took.iter());
            for (index, (&pair, found)) in pairs.iter().zip(answers).enumerate() {
                let right = found.is_ok_and(|found| {
                    found.outcome == Outcome::Partial(reason)
                        && leads_nearest(grid, &flood, pair, &found)
                        && (index % COST_CHECK_INTERVAL != 0
                            || is_shortest(&layers, pair.0, &found, scratch))
                });
                self.wrong += usize::from(!right);
            }
        }
    }

    /// Measures reachability checks. A check takes less time than a reading of the clock, so all checks are timed
    /// together.
    fn answer(&mut self, pairs: &[Pair], regions: &Regions, flood: &Flood, clock: &Clock) {
        for &(a, b) in pairs {
            self.wrong += usize::from(regions.connected(a, b) != flood.connected(a, b));
        }
        let us = clock.time_all(|| {
            for _ in 0..ANSWER_ROUNDS {
                for &(a, b) in pairs {
                    black_box(regions.connected(black_box(a), black_box(b)));
                }
            }
        });
        self.answer_ns += us * 1e3 / f64::from(ANSWER_ROUNDS);
        self.answers += pairs.len();
    }

    pub(super) fn row(&self, set: &str) -> Value {
        json!({
            "set": set,
            // Number of queries between two regions.
            "unreachable": self.unreachable_us.len(),
            // Mean time of a reachability check, in nanoseconds. The mean is over the queries between two regions, the
            // queries with a blocked goal, and at most as many queries of the scenario as there are of these two kinds
            // together.
            "answer_ns": (self.answers > 0).then(|| self.answer_ns / self.answers as f64),
            // Mean time to find the path to the nearest reachable cell, in microseconds.
            "unreachable_us": self.unreachable_us.mean(),
            // Number of queries with a wall as the goal.
            "blocked": self.blocked_us.len(),
            "blocked_us": self.blocked_us.mean(),
            // Number of answers and paths that a flood of the map does not confirm.
            "wrong": self.wrong,
        })
    }
}

/// Pairs of free cells from different parts. The direction alternates, because one part is usually much larger than the
/// others. Empty if all free cells are connected.
fn unreachable_pairs(grid: &Grid, flood: &Flood, random: &mut Rng) -> Vec<Pair> {
    let free: Vec<_> = grid.rect().cells().filter(|&c| grid.is_free(c)).collect();
    let pair = |number: usize| {
        let &a = random.choice(&free)?;
        let elsewhere: Vec<_> = free.iter().filter(|&&b| !flood.connected(a, b)).collect();
        let &&b = random.choice(&elsewhere)?;
        Some(if number.is_multiple_of(2) {
            (a, b)
        } else {
            (b, a)
        })
    };
    (0..QUERIES_PER_KIND).map_while(pair).collect()
}

/// Pairs of a free cell and a wall. Empty on a map without free cells or without walls.
fn blocked_pairs(grid: &Grid, random: &mut Rng) -> Vec<Pair> {
    let (free, walls): (Vec<_>, Vec<_>) = grid.rect().cells().partition(|&c| grid.is_free(c));
    let pair = |_| Some((*random.choice(&free)?, *random.choice(&walls)?));
    (0..QUERIES_PER_KIND).map_while(pair).collect()
}

/// Whether the path is legal, has its stated cost, and ends at the reachable cell that is nearest according to the
/// flood.
fn leads_nearest(grid: &Grid, flood: &Flood, (start, goal): Pair, found: &FoundPath) -> bool {
    let Some(end) = flood.nearest(start, goal) else {
        return false;
    };
    let cells: Vec<Cell> = found.path.cells().collect();
    let verdict = verify(grid, (start, end), found.path.length(), Some(&cells));
    !verdict.wrong && !verdict.illegal
}

/// Whether a path by plain A* to the same end has the same cost.
fn is_shortest(
    layers: &BodyLayers,
    start: Cell,
    found: &FoundPath,
    scratch: &mut SearchScratch,
) -> bool {
    let other = found.path.end().map(|end| {
        let options = OwnSearch::Astar.options();
        layers.find_path(start, end, &options, scratch)
    });
    other.is_some_and(|other| other.is_ok_and(|other| other.path.cost == found.path.cost))
}

#[cfg(test)]
mod tests {
    use super::{UnreachableTally, blocked_pairs, unreachable_pairs};
    use crate::clock::Clock;
    use crate::search::flood::Flood;
    use fastrand::Rng;
    use pursuit::maps::parse_ascii;

    const TWO_ROOMS: &str = "...#..\n...#..\n...#..";

    #[test]
    fn unreachable_pairs_join_different_parts_in_both_directions_and_depend_only_on_the_seed() {
        let grid = parse_ascii(TWO_ROOMS).unwrap().grid;
        let flood = Flood::of(&grid);
        let pairs = |seed| unreachable_pairs(&grid, &flood, &mut Rng::with_seed(seed));
        let first = pairs(1);
        assert_eq!(first.len(), 100);
        for &(a, b) in &first {
            assert!(grid.is_free(a) && grid.is_free(b) && !flood.connected(a, b));
        }
        assert!(first.iter().any(|(a, b)| a.x < b.x) && first.iter().any(|(a, b)| a.x > b.x));
        assert_eq!(first, pairs(1));
        assert_ne!(first, pairs(2));
    }

    #[test]
    fn maps_with_one_part_or_without_free_cells_have_no_unreachable_queries() {
        let mut random = Rng::with_seed(1);
        for map in ["...\n...", "##"] {
            let grid = parse_ascii(map).unwrap().grid;
            let apart = unreachable_pairs(&grid, &Flood::of(&grid), &mut random);
            assert!(apart.is_empty() && blocked_pairs(&grid, &mut random).is_empty());
        }
    }

    #[test]
    fn an_answer_that_the_flood_does_not_confirm_is_wrong() {
        let map = |text: &str| parse_ascii(text).unwrap().grid;
        let [apart, joined] = [map("..#.."), map(".....")];
        let pairs = unreachable_pairs(&apart, &Flood::of(&apart), &mut Rng::with_seed(1));
        let regions = pursuit::Regions::of(&joined, pursuit::DiagonalPolicy::default());
        let mut tally = UnreachableTally::default();
        tally.answer(&pairs, &regions, &Flood::of(&apart), &Clock::calibrated(1));
        assert_eq!(tally.wrong, pairs.len());
    }
}
