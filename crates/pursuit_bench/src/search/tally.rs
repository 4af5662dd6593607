//! Collects the figures of one algorithm on one set of maps.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pursuit::Grid;
use pursuit::maps::Scenario;
use serde_json::{Value, json};

use super::verify::verify;
use crate::clock::Clock;
use crate::mapset::Loaded;
use crate::peers::finder::{Finder, FinderAnswer};
use crate::samples::Samples;

/// Maximum length of the path of a short query, in cells.
const MAX_SHORT_LENGTH_CELLS: f64 = 32.0;
/// Number of timed rounds of the short queries of a map, after a round that is not timed.
const SHORT_ROUNDS: u32 = 16;
/// How long a search answers queries of a map before the first timed query.
const WARM_UP_TIME: Duration = Duration::from_millis(20);

/// The figures of one algorithm on one set.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    us: Samples,
    /// Times of the queries that the peers also answer.
    shared_us: Samples,
    /// Total time of all short queries, in microseconds, and their number.
    short_us: f64,
    short: usize,
    expanded: Samples,
    excess: Samples,
    wrong: usize,
    illegal: usize,
    prepared_ms: Samples,
    refused: usize,
    bytes_per_cell: Samples,
}

impl Tally {
    /// Records the preparation of a map before its first query: its duration in microseconds, and the memory that it
    /// keeps.
    pub(crate) fn add_preparation(&mut self, us: f64, bytes_per_cell: Option<f64>) {
        self.prepared_ms.push(us / 1e3);
        self.bytes_per_cell.extend(bytes_per_cell);
    }

    /// Records a preparation that was given up, with its duration in microseconds.
    pub(super) fn add_refusal(&mut self, us: f64) {
        self.add_preparation(us, None);
        self.refused += 1;
    }

    /// Answers every `every`th query of a map. Each query is timed separately, and its answer is checked. A warm-up
    /// fills the processor's caches, so that the first search is not slower than the others. The peers also answer
    /// every `shared`th of these queries.
    pub(crate) fn run<F: Finder>(
        &mut self,
        map: &Loaded,
        finder: &mut F,
        every: usize,
        shared: Option<usize>,
        clock: &Clock,
    ) {
        let queries: Vec<_> = map.queries.iter().step_by(every).collect();
        let started = Instant::now();
        for query in &queries {
            if started.elapsed() > WARM_UP_TIME {
                break;
            }
            drop(black_box(finder.find(query.start, query.goal)));
        }
        let find = |at: usize| {
            let query = queries[at];
            finder.find(black_box(query.start), black_box(query.goal))
        };
        let judge = |at: usize, found| self.judge(&map.grid, queries[at], &F::read(found));
        let us = clock.time_each(queries.len(), find, judge);
        if let Some(shared) = shared {
            self.shared_us.extend(us.iter().step_by(shared));
        }
        self.us.extend(us.iter());
        self.run_short(map, finder, every, clock);
    }

    fn judge(&mut self, grid: &Grid, query: &Scenario, answer: &FinderAnswer) {
        let ends = (query.start, query.goal);
        let verdict = verify(grid, ends, query.length, answer.cells.as_deref());
        self.expanded.extend(answer.expanded.map(f64::from));
        self.excess.extend(verdict.excess);
        self.wrong += usize::from(verdict.wrong);
        self.illegal += usize::from(verdict.illegal);
    }

    /// Measures short queries. They are timed together, because a single one takes no longer than a reading of the
    /// clock.
    fn run_short<F: Finder>(&mut self, map: &Loaded, finder: &mut F, every: usize, clock: &Clock) {
        let queries = short_queries(&map.queries, every);
        let mut ask = || {
            for query in &queries {
                let (start, goal) = (black_box(query.start), black_box(query.goal));
                drop(black_box(finder.find(start, goal)));
            }
        };
        ask();
        let us = clock.time_all(|| (0..SHORT_ROUNDS).for_each(|_| ask()));
        self.short_us += us / f64::from(SHORT_ROUNDS);
        self.short += queries.len();
    }

    /// Mean time of the queries that the peers also answer, in microseconds.
    pub(super) fn shared_us(&self) -> Option<f64> {
        self.shared_us.mean()
    }

    /// The row of an algorithm. `peer_us` is the mean time of the ratio peer over the shared queries, in microseconds.
    pub(super) fn row(&self, set: &str, algorithm: &str, peer_us: Option<f64>) -> Value {
        let us = |share| self.us.percentile(share).unwrap_or_default();
        let mut row = json!({
            "set": set,
            "algorithm": algorithm,
            // Whether the search belongs to a peer.
            "peer": false,
            "queries": self.us.len(),
            "mean_us": self.us.mean().unwrap_or_default(),
            "p50_us": us(0.5),
            "p95_us": us(0.95),
            "p99_us": us(0.99),
            "max_us": us(1.0),
            // Mean time of the queries with a short path, in microseconds.
            "short_us": (self.short > 0).then(|| self.short_us / self.short as f64),
            // Mean number of expanded cells. `null` if the search does not report it.
            "expanded": self.expanded.mean(),
            // Number of answers that do not agree with the listed length, or with the fact that no path is listed.
            "wrong": self.wrong,
            "illegal": self.illegal,
        });
        if let Some((peer, own)) = peer_us.zip(self.shared_us()) {
            // Mean time of the ratio peer divided by the mean time of this search, over the queries that both answered.
            row["times_peer"] = (peer / own).into();
        }
        if !self.prepared_ms.is_empty() {
            row["preparation"] = self.preparation();
        }
        row
    }

    /// The row of a peer: [`Tally::row`], and the excess of its paths.
    pub(super) fn peer_row(&self, set: &str, name: &str, first_us: Option<f64>) -> Value {
        let mut row = self.row(set, name, first_us);
        row["peer"] = true.into();
        if !self.excess.is_empty() {
            row["excess"] = self.excess();
        }
        row
    }

    /// The excess of legal paths over the listed length, in percent of that length. Only queries with a listed path
    /// have an excess.
    fn excess(&self) -> Value {
        json!({
            "paths": self.excess.len(),
            "mean_percent": self.excess.mean(),
            "worst_percent": self.excess.max(),
        })
    }

    /// The time and the memory of the preparation for the first query of a map.
    fn preparation(&self) -> Value {
        json!({
            "maps": self.prepared_ms.len(),
            // Number of maps whose preparation was given up. Their queries were answered without it.
            "refused": self.refused,
            "mean_ms": self.prepared_ms.mean(),
            "worst_ms": self.prepared_ms.max(),
            // Memory that the preparation keeps for all queries, in bytes per cell. `null` if the search does not
            // report it.
            "mean_bytes_per_cell": self.bytes_per_cell.mean(),
            "worst_bytes_per_cell": self.bytes_per_cell.max(),
        })
    }
}

/// The queries with a short path among every `every`th query. A query without a path is never short.
fn short_queries(queries: &[Scenario], every: usize) -> Vec<&Scenario> {
    let selected = queries.iter().step_by(every);
    let short = |query: &&Scenario| query.has_path() && query.length <= MAX_SHORT_LENGTH_CELLS;
    selected.filter(short).collect()
}

#[cfg(test)]
mod tests {
    use super::{Tally, short_queries};
    use crate::clock::Clock;
    use crate::mapset::Loaded;
    use crate::peers::finder::{Finder, FinderAnswer};
    use pursuit::Cell;
    use pursuit::maps::{Scenario, parse_ascii};
    use serde_json::json;

    fn query(goal: i32, length: f64) -> Scenario {
        Scenario {
            bucket: 0,
            map: String::new(),
            width: 4,
            height: 2,
            start: Cell::new(0, 0),
            goal: Cell::new(goal, 0),
            length,
        }
    }

    #[test]
    fn short_queries_have_a_path_of_at_most_32_cells() {
        let queries = [(0, 0.0), (3, 0.0), (3, 32.0), (3, 32.01), (1, 1.0)];
        let queries = queries.map(|(goal, length)| query(goal, length));
        let picked = |every| {
            let short = short_queries(&queries, every).into_iter();
            let lengths = short.map(|query| query.length);
            lengths.collect::<Vec<_>>()
        };
        assert_eq!(picked(1), [0.0, 32.0, 1.0], "3 at length 0 has no path");
        assert_eq!(picked(2), [0.0, 32.0, 1.0]);
        assert_eq!(picked(3), [0.0]);
    }

    /// A search that always returns the same path, and counts its calls.
    struct Fixed {
        path: Option<Vec<Cell>>,
        asked: usize,
    }

    impl Finder for Fixed {
        type Found = FinderAnswer;

        fn find(&mut self, _start: Cell, _goal: Cell) -> FinderAnswer {
            self.asked += 1;
            FinderAnswer {
                cells: self.path.clone(),
                expanded: None,
            }
        }

        fn read(found: FinderAnswer) -> FinderAnswer {
            found
        }
    }

    fn tally(map: &str, length: f64, path: &[(i32, i32)]) -> Tally {
        let map = Loaded {
            grid: parse_ascii(map).unwrap().grid,
            queries: vec![query(2, length); 5],
        };
        let cells: Vec<_> = path.iter().map(|&(x, y)| Cell::new(x, y)).collect();
        let mut finder = Fixed {
            path: (!cells.is_empty()).then_some(cells),
            asked: 0,
        };
        let mut tally = Tally::default();
        tally.run(&map, &mut finder, 1, Some(2), &Clock::calibrated(1));
        assert!(
            finder.asked > tally.us.len(),
            "short queries are asked again"
        );
        tally
    }

    #[test]
    fn the_ratio_to_a_peer_uses_only_queries_that_both_answered() {
        let tally = tally("....", 2.0, &[(0, 0), (1, 0), (2, 0)]);
        assert_eq!((tally.us.len(), tally.shared_us.len()), (5, 3));
        let own = tally.shared_us().unwrap().max(1e-9);
        let row = tally.row("set", "auto", Some(own * 3.0));
        if tally.shared_us() > Some(0.0) {
            let times = row["times_peer"].as_f64().unwrap();
            assert!((times - 3.0).abs() < 1e-9, "{row}");
        }
        let counts = ["wrong", "illegal", "queries"].map(|key| row[key].as_u64());
        assert_eq!(counts, [0, 0, 5].map(Some));
        assert!(row["short_us"].is_number());
    }

    #[test]
    fn detours_are_wrong_with_an_excess_and_illegal_paths_are_wrong_without_one() {
        let detour = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)];
        let longer = tally("....\n....", 2.0, &detour);
        assert_eq!((longer.wrong, longer.illegal), (5, 0));
        let excess = &longer.peer_row("set", "a", None)["excess"];
        assert_eq!(
            (&excess["paths"], &excess["worst_percent"]),
            (&5.into(), &100.0.into())
        );
        let through = tally(".#..\n....", 4.0, &[(0, 0), (1, 0), (2, 0)]);
        assert_eq!((through.wrong, through.illegal), (5, 5));
        assert!(through.peer_row("set", "a", None).get("excess").is_none());
        let none = tally("....", 2.0, &[]);
        assert_eq!((none.wrong, none.illegal), (5, 0));
    }

    #[test]
    fn a_row_has_the_key_preparation_only_if_a_map_was_prepared() {
        let mut tally = Tally::default();
        assert!(tally.row("set", "auto", None).get("preparation").is_none());
        tally.add_preparation(1000.0, Some(8.0));
        tally.add_preparation(3000.0, Some(16.0));
        tally.add_refusal(2000.0);
        let expected = json!({
            "maps": 3,
            "refused": 1,
            "mean_ms": 2.0,
            "worst_ms": 3.0,
            "mean_bytes_per_cell": 12.0,
            "worst_bytes_per_cell": 16.0,
        });
        assert_eq!(tally.row("set", "tables", None)["preparation"], expected);
    }
}
