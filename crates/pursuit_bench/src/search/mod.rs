//! Searches on benchmark maps: every query timed and its path checked, beside peers.

mod figures;
mod flood;
mod moving;
mod own;
mod peers;
mod plan;
mod tally;
mod unreachable;
mod verify;

use std::fs;

use pursuit::search::SearchScratch;
use pursuit::tables::SearchTables;
use pursuit::{DiagonalPolicy, Grid, Ground};

use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, Loaded, MapSet};
use moving::MovingTally;
use own::{OwnFinder, Place};
use peers::Peers;
use tally::{Selection, Tally};
use unreachable::UnreachableTally;

#[cfg(test)]
pub(crate) use figures::overall;
pub(crate) use figures::{MovingRow, SearchFigures, SearchRow, UnreachableRow};
pub(crate) use own::Algorithm;
pub(crate) use plan::{Peer, PeersPlan, SearchPlan};

/// Runs all sets.
///
/// # Errors
/// Files that can't be read, or are malformed.
pub(crate) fn run(plan: &SearchPlan) -> Result<SearchFigures, BenchError> {
    let clock = Clock::calibrated(plan.rounds);
    let mut figures = SearchFigures {
        machine: machine(),
        clock_ns: clock.overhead_ns(),
        every: plan.every,
        rounds: plan.rounds,
        peers_every: plan.peers.as_ref().map(|peers| peers.every),
        ..SearchFigures::default()
    };
    for set in mapset::find_sets(&plan.maps)? {
        eprintln!("{}: {} maps", set.name, set.maps.len());
        SetRun::new(plan, &clock).finish(&set, &mut figures)?;
    }
    figures.overall = figures::overall(&figures.rows);
    Ok(figures)
}

/// The processor and how many of its threads there are, where the system tells.
pub(crate) fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {threads} hardware threads")
}

/// All figures of one set.
struct SetRun<'p> {
    plan: &'p SearchPlan,
    clock: &'p Clock,
    scratch: SearchScratch,
    own: Vec<Tally>,
    peers: Peers,
    unreachable: UnreachableTally,
    moving: Vec<MovingTally>,
}

impl<'p> SetRun<'p> {
    fn new(plan: &'p SearchPlan, clock: &'p Clock) -> Self {
        SetRun {
            plan,
            clock,
            scratch: SearchScratch::new(),
            own: plan.algorithms.iter().map(|_| Tally::default()).collect(),
            peers: Peers::new(plan.peers.as_ref()),
            unreachable: UnreachableTally::default(),
            moving: plan
                .algorithms
                .iter()
                .map(|_| MovingTally::default())
                .collect(),
        }
    }

    fn finish(mut self, set: &MapSet, figures: &mut SearchFigures) -> Result<(), BenchError> {
        for (number, path) in set.maps.iter().enumerate() {
            let map = mapset::load(path, self.plan.every)?;
            self.run_map(&map, number as u64);
        }
        let peer = self.peers.first_us();
        for (at, algorithm) in self.plan.algorithms.iter().enumerate() {
            let name = algorithm.name();
            figures.rows.push(self.own[at].row(&set.name, &name, peer));
            if algorithm.replans() {
                figures.moving.push(self.moving[at].row(&set.name, &name));
            }
        }
        figures.rows.extend(self.peers.rows(&set.name));
        figures.unreachable.push(self.unreachable.row(&set.name));
        Ok(())
    }

    /// `number` is the map's in its set: what is random is different on each.
    fn run_map(&mut self, map: &Loaded, number: u64) {
        let selection = Selection {
            every: 1,
            shared: self.plan.peers.as_ref().map(|peers| peers.every),
        };
        let ticks = moving::ticks(&map.grid, number, &mut self.scratch);
        for (at, &algorithm) in self.plan.algorithms.iter().enumerate() {
            let (baked, us) = self.clock.time(|| algorithm.bake(&map.grid));
            let cells = map.grid.cell_count() as f64;
            let ground = match baked {
                Some(Ok(tables)) => {
                    let bytes = tables.byte_size() as f64 / cells;
                    self.own[at].prepared(us, Some(bytes));
                    Some(ground_with(tables, &map.grid))
                }
                Some(Err(_)) => {
                    self.own[at].refused(us);
                    None
                }
                None => None,
            };
            let place = ground.as_ref().map_or(Place::Bare(&map.grid), Place::Known);
            let options = algorithm.options();
            let mut finder = OwnFinder {
                place,
                options,
                scratch: &mut self.scratch,
            };
            self.own[at].run(map, &mut finder, selection, self.clock);
            if algorithm.replans() {
                let (scratch, clock) = (&mut self.scratch, self.clock);
                self.moving[at].run(place, &ticks, &options, scratch, clock);
            }
        }
        self.unreachable
            .run(map, number, &mut self.scratch, self.clock);
        self.peers.run(map, self.clock);
    }
}

/// A map with its tables.
fn ground_with(tables: SearchTables, grid: &Grid) -> Ground {
    let ground = Ground::from_grid(grid.clone(), DiagonalPolicy::default());
    assert!(
        ground.set_tables(tables),
        "the tables are those of the grid"
    );
    ground
}

#[cfg(test)]
mod tests {
    use super::{Algorithm, SearchFigures, SearchPlan, run};
    use crate::fixture::Folder;
    use clap::ValueEnum;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";

    /// Figures for one map of six cells whose two queries are listed with these lengths.
    fn figures(name: &str, lengths: [f64; 2]) -> SearchFigures {
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
            rounds: 2,
            algorithms: Algorithm::value_variants().to_vec(),
            peers: None,
        };
        run(&plan).unwrap()
    }

    #[test]
    fn each_algorithm_answers_each_query() {
        let figures = figures("search-right", [4.0, 1.0]);
        let rows = &figures.rows;
        let algorithms: Vec<_> = rows.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(algorithms, ["auto", "tables", "jps", "astar", "dijkstra"]);
        for row in rows {
            assert_eq!(
                (row.set.as_str(), row.queries, row.wrong, row.illegal),
                ("set", 2, 0, 0)
            );
            assert!(row.p50_us <= row.p99_us && row.p99_us <= row.max_us);
            assert!(row.short_us > Some(0.0), "both queries are short");
        }
        assert!(rows[3].expanded >= Some(1.0));
        assert!(
            rows[3].expanded <= rows[4].expanded,
            "the heuristic saves work"
        );
        let baked = rows
            .iter()
            .map(|row| row.preparation.map(|p| (p.maps, p.refused)));
        let expected = [None, Some((1, 0)), None, None, None];
        assert_eq!(baked.collect::<Vec<_>>(), expected);
        assert!(figures.right());
    }

    #[test]
    fn a_length_that_differs_from_the_listed_one_is_wrong() {
        let figures = figures("search-wrong", [3.98, 1.005]);
        for row in &figures.rows {
            assert_eq!((row.wrong, row.illegal), (1, 0), "{}", row.algorithm);
        }
        assert!(!figures.right());
    }

    #[test]
    fn a_map_is_asked_for_what_has_no_path_and_toured() {
        let figures = figures("search-more", [4.0, 1.0]);
        let row = &figures.unreachable[0];
        assert_eq!((row.unreachable, row.blocked, row.wrong), (0, 100, 0));
        let moving = &figures.moving;
        assert_eq!(moving.len(), 4, "an agent has a heuristic");
        for row in moving {
            assert!(
                row.ticks > 0 && row.checked > 0 && row.wrong == 0,
                "{row:?}"
            );
        }
    }

    #[cfg(feature = "peers")]
    #[test]
    fn peers_answer_their_share_and_give_a_ratio() {
        use super::{Peer, PeersPlan};

        let folder = Folder::new("search-peers");
        folder.write("a.map", MAP);
        let query = "1\ta.map\t3\t2\t0\t0\t2\t0\t4\n";
        folder.write("a.map.scen", &format!("version 1\n{}", query.repeat(5)));
        let plan = SearchPlan {
            maps: folder.path().to_path_buf(),
            every: 1,
            rounds: 2,
            algorithms: vec![Algorithm::Auto],
            peers: Some(PeersPlan {
                peers: Peer::value_variants().to_vec(),
                every: 2,
            }),
        };
        let figures = run(&plan).unwrap();
        let peers: Vec<_> = figures.rows.iter().filter(|row| row.peer).collect();
        assert_eq!(peers.len(), 4);
        for row in &peers {
            assert_eq!(row.queries, 3, "{}", row.algorithm);
            assert!(row.preparation.is_some() && row.times_peer.is_some());
        }
        assert_eq!((peers[0].wrong, peers[0].times_peer), (0, Some(1.0)));
        let overall: Vec<_> = figures.overall.iter().map(|one| one.sets).collect();
        assert_eq!(overall, [1; 5]);
    }
}
