//! Searches on benchmark maps, by Pursuit and by peers. Every query is timed, and its path is checked.

mod figures;
mod flood;
mod moving;
mod own;
pub(crate) mod tally;
mod terrain;
mod unreachable;
mod verify;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use pursuit::{BodyLayers, DiagonalPolicy, SearchScratch};
use serde_json::json;

use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, Loaded, MapSet};
use crate::numbers::at_least_one;
use crate::peers::{Peer, PeerRun};
use crate::report::Report;
use figures::Rows;
use moving::MovingTally;
use own::{OwnFinder, OwnSearch};
use tally::Tally;
use terrain::TerrainKind;
use unreachable::UnreachableTally;

/// The peer to which all ratios relate. It is also the only peer that supports costs.
const RATIO_PEER: &str = "pathfinding";

#[derive(Args, Clone, Debug)]
pub(crate) struct SearchPlan {
    /// Folder of .map files with .map.scen files beside them. Each subfolder is a separate set.
    #[arg(long, value_name = "DIR")]
    pub(crate) maps: PathBuf,
    /// Take every Nth query of each scenario.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub(crate) every: usize,
    /// How often each measurement is repeated. The shortest time is reported, because other work of the machine makes
    /// times longer.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub(crate) rounds: usize,
    /// The searches to run.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "auto,tables")]
    pub(crate) algorithms: Vec<OwnSearch>,
    /// Also run peers on the same queries: all peers, or the named ones of pathfinding, grid-pathfinding and
    /// hierarchical-pathfinding (needs the cargo feature `peers`).
    #[arg(
        long,
        value_name = "PEERS",
        value_delimiter = ',',
        num_args = 0..,
        require_equals = true
    )]
    pub(crate) peers: Option<Vec<String>>,
    /// Let the peers answer only every Nth of these queries. Ratios are over the queries that both sides answered.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        value_parser = at_least_one(),
        requires = "peers"
    )]
    pub(crate) peers_every: usize,
    /// Put areas on the maps that cost 2 to 10 times as much as other ground. The listed lengths then come from A*, and
    /// only peers that support costs take part.
    #[arg(
        long,
        value_enum,
        value_name = "AREAS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "rough"
    )]
    pub(crate) terrain: Option<TerrainKind>,
}

impl SearchPlan {
    /// The peers answer every `N`th query, where `N` is the result. `None` without peers.
    fn shared_interval(&self) -> Option<usize> {
        self.peers.is_some().then_some(self.peers_every)
    }

    /// The peers of `known` that the command line names, in the order of the command line.
    fn peers(&self, known: &[Peer]) -> Result<Vec<Peer>, BenchError> {
        let can = |peer: &&Peer| {
            peer.search.is_some() && (peer.name == RATIO_PEER || self.terrain.is_none())
        };
        let known: Vec<&Peer> = known.iter().filter(can).collect();
        match self.peers.as_deref() {
            None => Ok(Vec::new()),
            Some([]) if known.is_empty() => Err(BenchError::no_peer("at all")),
            Some([]) => Ok(known.into_iter().copied().collect()),
            Some(names) => {
                let peer = |name: &String| {
                    let is_named = |peer: &&&Peer| peer.name.replace('_', "-") == *name;
                    let peer = known.iter().find(is_named);
                    peer.map(|peer| **peer)
                        .ok_or_else(|| BenchError::no_peer(name))
                };
                names.iter().map(peer).collect()
            }
        }
    }
}

/// Runs the benchmark on all sets.
pub(crate) fn run(plan: &SearchPlan, known: &[Peer]) -> Result<Report, BenchError> {
    let peers = plan.peers(known)?;
    let clock = Clock::calibrated(plan.rounds);
    let mut rows = Rows::default();
    for set in mapset::find_sets(&plan.maps)? {
        eprintln!("{}: {} maps", set.name, set.maps.len());
        SetRun::new(plan, &peers, &clock).finish(&set, &mut rows)?;
    }
    Ok(Report {
        faults: figures::faults(&rows),
        figures: json!({
            "machine": machine(),
            // Duration that the clock shows for an empty interval, in nanoseconds. It is subtracted from each time.
            "clock_ns": clock.overhead_ns(),
            // Every `every`th query of the scenarios is used. The peers answer every `peers_every`th of these.
            "every": plan.every,
            "peers_every": plan.shared_interval(),
            // Number of rounds. The shortest time of all rounds is reported.
            "rounds": plan.rounds,
            // The kind of areas on the maps. `null` without areas.
            "terrain": plan.terrain,
            "overall": figures::overall(&rows.rows),
            "rows": rows.rows,
            "unreachable": rows.unreachable,
            "moving": rows.moving,
        }),
    })
}

/// The name of the processor and the number of its hardware threads, as far as the system reports them.
pub(crate) fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {threads} hardware threads")
}

/// A run on one set, with its figures.
struct SetRun<'p> {
    plan: &'p SearchPlan,
    clock: &'p Clock,
    scratch: SearchScratch,
    own: Vec<(OwnSearch, Tally, MovingTally)>,
    peers: Vec<(Peer, Tally)>,
    unreachable: UnreachableTally,
}

impl<'p> SetRun<'p> {
    fn new(plan: &'p SearchPlan, peers: &[Peer], clock: &'p Clock) -> Self {
        let own = plan.algorithms.iter();
        let own = own.map(|&algorithm| (algorithm, Tally::default(), MovingTally::default()));
        SetRun {
            plan,
            clock,
            scratch: SearchScratch::new(),
            own: own.collect(),
            peers: peers.iter().map(|&peer| (peer, Tally::default())).collect(),
            unreachable: UnreachableTally::default(),
        }
    }

    fn finish(mut self, set: &MapSet, all: &mut Rows) -> Result<(), BenchError> {
        for (number, path) in set.maps.iter().enumerate() {
            let mut map = mapset::load(path, self.plan.every)?;
            if let Some(areas) = self.plan.terrain {
                map = terrain::with_areas(&map, areas, &mut self.scratch);
            }
            self.run_map(&map, number as u64);
        }
        // The ratios always relate to the same peer, whatever order the command line has.
        let mut peers = self.peers.iter();
        let first = peers.find(|(peer, _)| peer.name == RATIO_PEER);
        let first = first.and_then(|(_, tally)| tally.shared_us());
        for (algorithm, tally, moving) in &self.own {
            let name = algorithm.name();
            all.rows.push(tally.row(&set.name, &name, first));
            if algorithm.replans() {
                all.moving.push(moving.row(&set.name, &name));
            }
        }
        let peers = self.peers.iter();
        let rows = peers.map(|(peer, tally)| tally.peer_row(&set.name, peer.name, first));
        all.rows.extend(rows);
        all.unreachable.push(self.unreachable.row(&set.name));
        Ok(())
    }

    /// Runs all searches on a map. `number` is the index of the map in its set. The index is the seed of random
    /// choices, so that the choices differ between maps.
    fn run_map(&mut self, map: &Loaded, number: u64) {
        let shared_interval = self.plan.shared_interval();
        let ticks = moving::ticks(&map.grid, number, &mut self.scratch);
        for (algorithm, tally, moving) in &mut self.own {
            let (baked, us) = self.clock.time(|| algorithm.bake(&map.grid));
            let cells = map.grid.cell_count() as f64;
            let layers = BodyLayers::from_grid(map.grid.clone(), DiagonalPolicy::default());
            match baked {
                Some(Ok(tables)) => {
                    tally.add_preparation(us, Some(tables.byte_size() as f64 / cells));
                    assert!(layers.set_tables(tables), "tables are those of the grid");
                }
                Some(Err(_)) => tally.add_refusal(us),
                None => {}
            }
            let options = algorithm.options();
            let mut finder = OwnFinder {
                layers: &layers,
                options,
                scratch: &mut self.scratch,
            };
            tally.run(map, &mut finder, 1, shared_interval, self.clock);
            if algorithm.replans() {
                moving.run(&layers, &ticks, &options, &mut self.scratch, self.clock);
            }
        }
        self.unreachable
            .run(map, number, &mut self.scratch, self.clock);
        for (peer, tally) in &mut self.peers {
            let mut side = PeerRun {
                map,
                every: self.plan.peers_every,
                clock: self.clock,
                tally,
            };
            if let Some(search) = peer.search {
                search(&mut side);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{OwnSearch, SearchPlan, TerrainKind, run};
    use crate::peers::PEERS;
    use crate::report::Report;
    use crate::tests::fixture::Folder;
    use clap::ValueEnum;
    use serde_json::Value;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";

    /// A plan with a set of one map of six cells. Its two queries are listed with these lengths.
    pub(crate) fn plan(folder: &Folder, [around, beside]: [f64; 2]) -> SearchPlan {
        folder.write("set/a.map", MAP);
        let queries = format!(
            "version 1\n1\ta.map\t3\t2\t0\t0\t2\t0\t{around}\n0\ta.map\t3\t2\t0\t0\t0\t1\t{beside}\n"
        );
        folder.write("set/a.map.scen", &queries);
        SearchPlan {
            maps: folder.path().to_path_buf(),
            every: 1,
            rounds: 2,
            algorithms: OwnSearch::value_variants().to_vec(),
            peers: None,
            peers_every: 20,
            terrain: None,
        }
    }

    fn report(name: &str, lengths: [f64; 2]) -> Report {
        let folder = Folder::new(name);
        run(&plan(&folder, lengths), PEERS).unwrap()
    }

    fn rows<'r>(report: &'r Report, of: &str) -> &'r [Value] {
        report.figures[of].as_array().unwrap()
    }

    /// The counts of a row with these keys.
    fn counts<const N: usize>(row: &Value, keys: [&str; N]) -> [u64; N] {
        keys.map(|key| row[key].as_u64().unwrap())
    }

    #[test]
    fn each_algorithm_answers_each_query() {
        let report = report("search-right", [4.0, 1.0]);
        let rows = |of| rows(&report, of);
        let own = rows("rows");
        let algorithms: Vec<_> = own
            .iter()
            .map(|row| row["algorithm"].as_str().unwrap())
            .collect();
        assert_eq!(algorithms, ["auto", "tables", "jps", "astar", "dijkstra"]);
        for row in own {
            assert_eq!(
                counts(row, ["queries", "wrong", "illegal"]),
                [2, 0, 0],
                "{row}"
            );
            let [p50, p99, max] = ["p50_us", "p99_us", "max_us"].map(|key| row[key].as_f64());
            assert!(p50 <= p99 && p99 <= max, "{row}");
            assert!(
                row["short_us"].as_f64() > Some(0.0),
                "both queries are short"
            );
            let tables = row["preparation"].as_object();
            assert_eq!(tables.is_some(), row["algorithm"] == "tables", "{row}");
        }
        let [astar, dijkstra] = [3, 4].map(|at: usize| own[at]["expanded"].as_f64());
        assert!(
            astar >= Some(1.0) && astar <= dijkstra,
            "the heuristic saves work"
        );
        assert_eq!(counts(&own[1]["preparation"], ["maps", "refused"]), [1, 0]);
        let apart = counts(&rows("unreachable")[0], ["unreachable", "blocked", "wrong"]);
        assert_eq!(apart, [0, 100, 0]);
        let moving = rows("moving");
        assert_eq!(moving.len(), 4, "an agent has a heuristic");
        for row in moving {
            let [ticks, checked, wrong] = counts(row, ["ticks", "checked", "wrong"]);
            assert!(ticks > 0 && checked > 0 && wrong == 0, "{row}");
        }
        assert_eq!(report.faults, [""; 0]);
    }

    #[test]
    fn paths_over_terrain_cost_as_much_as_paths_of_astar() {
        let folder = Folder::new("search-terrain");
        let plan = SearchPlan {
            terrain: Some(TerrainKind::Rough),
            ..plan(&folder, [4.0, 1.0])
        };
        let report = run(&plan, PEERS).unwrap();
        for row in rows(&report, "rows") {
            let found = counts(row, ["queries", "wrong", "illegal"]);
            assert_eq!(found, [2, 0, 0], "{row}");
        }
        assert_eq!(report.figures["terrain"], "rough");
        assert_eq!(report.faults, [""; 0]);
    }

    #[test]
    fn a_length_that_differs_from_the_listed_one_is_wrong() {
        let report = report("search-wrong", [3.98, 1.005]);
        for row in rows(&report, "rows") {
            assert_eq!(counts(row, ["wrong", "illegal"]), [1, 0], "{row}");
        }
        assert_eq!(report.faults.len(), 1);
    }

    #[test]
    fn an_unknown_peer_is_an_error() {
        let folder = Folder::new("search-no-peer");
        let plan = SearchPlan {
            peers: Some(vec!["nobody".to_string()]),
            ..plan(&folder, [4.0, 1.0])
        };
        let error = run(&plan, PEERS).err().unwrap().to_string();
        assert!(error.contains("nobody"), "{error}");
        let all = Some(Vec::new());
        assert!(run(&SearchPlan { peers: all, ..plan }, &[]).is_err());
    }

    #[cfg(feature = "peers")]
    #[test]
    fn peers_answer_their_share_and_give_a_ratio() {
        let folder = Folder::new("search-peers");
        let plan = SearchPlan {
            algorithms: vec![OwnSearch::Auto],
            peers: Some(Vec::new()),
            peers_every: 2,
            ..plan(&folder, [4.0, 1.0])
        };
        let report = run(&plan, PEERS).unwrap();
        let peers = rows(&report, "rows")
            .iter()
            .filter(|row| row["peer"] == true);
        let peers: Vec<_> = peers.collect();
        assert_eq!(peers.len(), PEERS.len());
        for row in &peers {
            assert_eq!(row["queries"], 1, "{row}");
            assert!(row["preparation"].is_object() && row["times_peer"].is_number());
        }
        assert_eq!(
            (&peers[0]["wrong"], &peers[0]["times_peer"]),
            (&0.into(), &1.0.into())
        );
        let overall = rows(&report, "overall").iter().map(|one| &one["sets"]);
        assert_eq!(overall.collect::<Vec<_>>(), [1; 4]);
    }
}
