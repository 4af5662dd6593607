//! Every query of every map, each timed alone and its path checked.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use pursuit::maps::Scenario;
use pursuit::search::{Heuristic, Outcome, PathOptions, SearchScratch, find_path};
use pursuit::{Cell, Grid};

use crate::error::BenchError;
use crate::mapset::{self, Loaded, MapSet};
use crate::report::SearchRow;
use crate::samples::Samples;
use crate::verify::verify;

/// A search of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Algorithm {
    /// A* with the octile heuristic.
    Astar,
    /// The same search without a heuristic.
    Dijkstra,
}

/// What to run.
pub(crate) struct SearchPlan {
    pub(crate) maps: PathBuf,
    /// Every how many queries of a scenario take part, at least 1.
    pub(crate) every: usize,
    pub(crate) algorithms: Vec<Algorithm>,
    /// Every how many of those the peers answer too; `None` runs no peers.
    pub(crate) peers_every: Option<usize>,
}

/// A search that answers one query of a map.
trait Finder {
    fn find(&mut self, start: Cell, goal: Cell) -> Answer;
}

struct Answer {
    cells: Option<Vec<Cell>>,
    expanded: u32,
    /// Of the search alone.
    took: Duration,
}

/// Runs all sets and returns a row for each set and algorithm.
///
/// # Errors
/// Files that can't be read, or are malformed.
pub(crate) fn run(plan: &SearchPlan) -> Result<Vec<SearchRow>, BenchError> {
    let mut rows = Vec::new();
    for set in mapset::find_sets(&plan.maps)? {
        eprintln!("{}: {} maps", set.name, set.maps.len());
        rows.extend(run_set(plan, &set)?);
    }
    Ok(rows)
}

fn run_set(plan: &SearchPlan, set: &MapSet) -> Result<Vec<SearchRow>, BenchError> {
    let mut own: Vec<_> = plan.algorithms.iter().map(|_| Tally::default()).collect();
    let mut peers = Peers::default();
    let mut scratch = SearchScratch::new();
    for path in &set.maps {
        let map = mapset::load(path, plan.every)?;
        for (&algorithm, tally) in plan.algorithms.iter().zip(&mut own) {
            let mut finder = OwnFinder::new(&map.grid, algorithm, &mut scratch);
            tally.run(&map, &mut finder, 1, plan.peers_every);
        }
        if let Some(every) = plan.peers_every {
            peers.run(&map, every);
        }
    }
    let peer = peers.mean_us();
    let own = plan.algorithms.iter().zip(&own);
    let mut rows: Vec<_> = own
        .map(|(algorithm, tally)| tally.row(&set.name, &name(*algorithm), peer))
        .collect();
    rows.extend(peers.row(&set.name));
    Ok(rows)
}

/// An algorithm's name on the command line.
fn name(algorithm: Algorithm) -> String {
    let value = algorithm.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_string())
}

/// Figures of one algorithm on one set.
#[derive(Default)]
struct Tally {
    us: Samples,
    /// Of the queries that the peers answer too.
    shared_us: Samples,
    expanded: Samples,
    wrong: usize,
    illegal: usize,
}

impl Tally {
    /// Answers every `every`th query; every `shared`th of all counts as shared with the peers.
    fn run(&mut self, map: &Loaded, finder: &mut dyn Finder, every: usize, shared: Option<usize>) {
        for (index, query) in map.queries.iter().enumerate().step_by(every) {
            let answer = finder.find(query.start, query.goal);
            let us = answer.took.as_secs_f64() * 1e6;
            self.us.push(us);
            if shared.is_some_and(|shared| index % shared == 0) {
                self.shared_us.push(us);
            }
            self.judge(&map.grid, query, &answer);
        }
    }

    fn judge(&mut self, grid: &Grid, query: &Scenario, answer: &Answer) {
        let ends = (query.start, query.goal);
        let verdict = verify(grid, ends, query.length, answer.cells.as_deref());
        self.expanded.push(f64::from(answer.expanded));
        self.wrong += usize::from(verdict.wrong);
        self.illegal += usize::from(verdict.illegal);
    }

    /// `peer_us` is the peer's mean over the shared queries.
    fn row(&self, set: &str, algorithm: &str, peer_us: Option<f64>) -> SearchRow {
        let us = |share| self.us.percentile(share).unwrap_or_default();
        let ratio = peer_us.zip(self.shared_us.mean());
        SearchRow {
            set: set.to_string(),
            algorithm: algorithm.to_string(),
            queries: self.us.len(),
            mean_us: self.us.mean().unwrap_or_default(),
            p50_us: us(0.5),
            p95_us: us(0.95),
            p99_us: us(0.99),
            max_us: us(1.0),
            expanded: self.expanded.mean().unwrap_or_default(),
            wrong: self.wrong,
            illegal: self.illegal,
            times_peer: ratio.map(|(peer, own)| peer / own),
        }
    }
}

struct OwnFinder<'m> {
    grid: &'m Grid,
    options: PathOptions<'static>,
    scratch: &'m mut SearchScratch,
}

impl<'m> OwnFinder<'m> {
    fn new(grid: &'m Grid, algorithm: Algorithm, scratch: &'m mut SearchScratch) -> Self {
        let heuristic = match algorithm {
            Algorithm::Astar => Heuristic::Octile,
            Algorithm::Dijkstra => Heuristic::Zero,
        };
        let options = PathOptions {
            heuristic,
            ..PathOptions::default()
        };
        OwnFinder {
            grid,
            options,
            scratch,
        }
    }
}

impl Finder for OwnFinder<'_> {
    fn find(&mut self, start: Cell, goal: Cell) -> Answer {
        let started = Instant::now();
        let found = black_box(find_path(
            self.grid,
            black_box(start),
            black_box(goal),
            &self.options,
            self.scratch,
        ));
        let took = started.elapsed();
        let found = found.ok();
        let expanded = found.as_ref().map_or(0, |found| found.stats.expanded);
        let complete = found.filter(|found| found.outcome == Outcome::Complete);
        Answer {
            cells: complete.map(|found| found.path.cells),
            expanded,
            took,
        }
    }
}

/// The peers' side, which is empty in a build without them.
#[derive(Default)]
struct Peers {
    #[cfg(feature = "peers")]
    pathfinding: Tally,
}

#[cfg(not(feature = "peers"))]
impl Peers {
    fn run(&mut self, _map: &Loaded, _every: usize) {}

    fn mean_us(&self) -> Option<f64> {
        None
    }

    fn row(&self, _set: &str) -> Option<SearchRow> {
        None
    }
}

#[cfg(feature = "peers")]
mod with_peers {
    use super::{Answer, Finder, Instant, Loaded, Peers, SearchRow, black_box};
    use crate::peers::PeerGrid;
    use pursuit::Cell;

    impl Peers {
        pub(super) fn run(&mut self, map: &Loaded, every: usize) {
            let mut finder = PeerGrid::new(&map.grid);
            self.pathfinding.run(map, &mut finder, every, None);
        }

        pub(super) fn mean_us(&self) -> Option<f64> {
            self.pathfinding.us.mean()
        }

        pub(super) fn row(&self, set: &str) -> Option<SearchRow> {
            let ran = self.pathfinding.us.len() > 0;
            ran.then(|| self.pathfinding.row(set, "pathfinding", None))
        }
    }

    impl Finder for PeerGrid {
        fn find(&mut self, start: Cell, goal: Cell) -> Answer {
            let started = Instant::now();
            let (path, expanded) = black_box(self.find_path(black_box(start), black_box(goal)));
            let took = started.elapsed();
            let cells = path.map(|nodes| nodes.into_iter().map(|(x, y)| Cell::new(x, y)).collect());
            Answer {
                cells,
                expanded,
                took,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Algorithm, SearchPlan, run};
    use crate::fixture::Folder;
    use crate::report::SearchRow;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";

    /// Rows for one map of six cells whose two queries are listed with these lengths.
    fn rows(name: &str, lengths: [f64; 2]) -> Vec<SearchRow> {
        let folder = Folder::new(name);
        folder.write("set/a.map", MAP);
        let [around, beside] = lengths;
        let queries = format!(
            "version 1\n1\ta.map\t3\t2\t0\t0\t2\t0\t{around}\n0\ta.map\t3\t2\t0\t0\t0\t1\t{beside}\n"
        );
        folder.write("set/a.map.scen", &queries);
        let plan = SearchPlan {
            maps: folder.path().to_path_buf(),
            every: 1,
            algorithms: vec![Algorithm::Astar, Algorithm::Dijkstra],
            peers_every: None,
        };
        run(&plan).unwrap()
    }

    #[test]
    fn each_algorithm_answers_each_query() {
        let rows = rows("search-right", [4.0, 1.0]);
        let algorithms: Vec<_> = rows.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(algorithms, ["astar", "dijkstra"]);
        for row in &rows {
            assert_eq!(
                (row.set.as_str(), row.queries, row.wrong, row.illegal),
                ("set", 2, 0, 0)
            );
            assert!(row.mean_us > 0.0 && row.p50_us <= row.p99_us && row.p99_us <= row.max_us);
            assert!(row.expanded >= 1.0);
        }
        assert!(
            rows[0].expanded <= rows[1].expanded,
            "the heuristic saves work"
        );
    }

    #[test]
    fn a_length_that_differs_from_the_listed_one_is_wrong() {
        let rows = rows("search-wrong", [3.98, 1.005]);
        for row in rows {
            assert_eq!((row.wrong, row.illegal), (1, 0), "{}", row.algorithm);
        }
    }
}
