//! Searches on benchmark maps: every query timed and its path checked, beside peers.

mod figures;
mod flood;
mod moving;
mod own;
pub(crate) mod tally;
mod unreachable;
mod verify;

use std::fs;
use std::path::PathBuf;

use clap::Args;
use pursuit::{BodyLayers, DiagonalPolicy, SearchScratch};

use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, Loaded, MapSet};
use crate::numbers::at_least_one;
use crate::peers::{Peer, Side};
use figures::SearchFigures;
use moving::MovingTally;
use own::{Algorithm, OwnFinder};
use tally::Tally;
use unreachable::UnreachableTally;

#[derive(Args, Clone, Debug)]
pub(crate) struct SearchPlan {
    /// Folder of .map files with .map.scen beside them; each subfolder is a set of its own.
    #[arg(long, value_name = "DIR")]
    pub(crate) maps: PathBuf,
    /// Take every Nth query of each scenario.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub(crate) every: usize,
    /// Measure everything so often and count the least of it, against a machine that does other
    /// things too.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub(crate) rounds: usize,
    /// Which searches to run.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "auto,tables")]
    pub(crate) algorithms: Vec<Algorithm>,
    /// Run other crates' searches on the same queries too: all, or those named (needs the cargo
    /// feature `peers`): pathfinding, grid-pathfinding, hierarchical-pathfinding.
    #[arg(
        long,
        value_name = "PEERS",
        value_delimiter = ',',
        num_args = 0..,
        require_equals = true
    )]
    pub(crate) peers: Option<Vec<String>>,
    /// Let the peers answer every Nth of those queries only; ratios are over what both answered.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        value_parser = at_least_one,
        requires = "peers"
    )]
    pub(crate) peers_every: usize,
}

impl SearchPlan {
    /// Every how many queries the peers answer, if there are any.
    fn shared(&self) -> Option<usize> {
        self.peers.is_some().then_some(self.peers_every)
    }

    /// Those of `known` that were asked for, in the order of the command line.
    fn peers(&self, known: &[Peer]) -> Result<Vec<Peer>, BenchError> {
        let known: Vec<&Peer> = known.iter().filter(|peer| peer.search.is_some()).collect();
        match self.peers.as_deref() {
            None => Ok(Vec::new()),
            Some([]) if known.is_empty() => Err(BenchError::NoPeer("at all".to_string())),
            Some([]) => Ok(known.into_iter().copied().collect()),
            Some(names) => {
                let peer = |name: &String| {
                    let is_named = |peer: &&&Peer| peer.name.replace('_', "-") == *name;
                    let peer = known.iter().find(is_named);
                    peer.map_or_else(|| Err(BenchError::NoPeer(name.clone())), |peer| Ok(**peer))
                };
                names.iter().map(peer).collect()
            }
        }
    }
}

/// Runs all sets.
pub(crate) fn run(plan: &SearchPlan, known: &[Peer]) -> Result<SearchFigures, BenchError> {
    let peers = plan.peers(known)?;
    let clock = Clock::calibrated(plan.rounds);
    let mut figures = SearchFigures {
        machine: machine(),
        clock_ns: clock.overhead_ns(),
        every: plan.every,
        rounds: plan.rounds,
        peers_every: plan.shared(),
        ..SearchFigures::default()
    };
    for set in mapset::find_sets(&plan.maps)? {
        eprintln!("{}: {} maps", set.name, set.maps.len());
        SetRun::new(plan, &peers, &clock).finish(&set, &mut figures)?;
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
    peers: Vec<(Peer, Tally)>,
    unreachable: UnreachableTally,
    moving: Vec<MovingTally>,
}

impl<'p> SetRun<'p> {
    fn new(plan: &'p SearchPlan, peers: &[Peer], clock: &'p Clock) -> Self {
        let own = plan.algorithms.iter();
        SetRun {
            plan,
            clock,
            scratch: SearchScratch::new(),
            own: own.clone().map(|_| Tally::default()).collect(),
            peers: peers.iter().map(|&peer| (peer, Tally::default())).collect(),
            unreachable: UnreachableTally::default(),
            moving: own.map(|_| MovingTally::default()).collect(),
        }
    }

    fn finish(mut self, set: &MapSet, figures: &mut SearchFigures) -> Result<(), BenchError> {
        for (number, path) in set.maps.iter().enumerate() {
            let map = mapset::load(path, self.plan.every)?;
            self.run_map(&map, number as u64);
        }
        // Ratios are to one peer, whether it was asked for first or last.
        let mut peers = self.peers.iter();
        let first = peers.find(|(peer, _)| peer.name == "pathfinding");
        let first = first.and_then(|(_, tally)| tally.shared_us());
        for (at, algorithm) in self.plan.algorithms.iter().enumerate() {
            let name = algorithm.name();
            figures.rows.push(self.own[at].row(&set.name, &name, first));
            if algorithm.replans() {
                figures.moving.push(self.moving[at].row(&set.name, &name));
            }
        }
        let peers = self.peers.iter();
        let rows = peers.map(|(peer, tally)| tally.peer_row(&set.name, peer.name, first));
        figures.rows.extend(rows);
        figures.unreachable.push(self.unreachable.row(&set.name));
        Ok(())
    }

    /// `number` is the map's in its set: what is random is different on each.
    fn run_map(&mut self, map: &Loaded, number: u64) {
        let shared = self.plan.shared();
        let ticks = moving::ticks(&map.grid, number, &mut self.scratch);
        for (at, &algorithm) in self.plan.algorithms.iter().enumerate() {
            let (baked, us) = self.clock.time(|| algorithm.bake(&map.grid));
            let cells = map.grid.cell_count() as f64;
            let layers = BodyLayers::from_grid(map.grid.clone(), DiagonalPolicy::default());
            match baked {
                Some(Ok(tables)) => {
                    let bytes = tables.byte_size() as f64 / cells;
                    self.own[at].prepared(us, Some(bytes));
                    assert!(layers.set_tables(tables), "tables are those of the grid");
                }
                Some(Err(_)) => self.own[at].refused(us),
                None => {}
            }
            let options = algorithm.options();
            let mut finder = OwnFinder {
                layers: &layers,
                options,
                scratch: &mut self.scratch,
            };
            self.own[at].run(map, &mut finder, 1, shared, self.clock);
            if algorithm.replans() {
                let (scratch, clock) = (&mut self.scratch, self.clock);
                self.moving[at].run(&layers, &ticks, &options, scratch, clock);
            }
        }
        self.unreachable
            .run(map, number, &mut self.scratch, self.clock);
        for (peer, tally) in &mut self.peers {
            let mut side = Side {
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
    use super::{Algorithm, SearchFigures, SearchPlan, run};
    use crate::fixture::Folder;
    use crate::peers::PEERS;
    use crate::report::Report;
    use clap::ValueEnum;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";

    /// A set of one map of six cells whose two queries are listed with these lengths.
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
            algorithms: Algorithm::value_variants().to_vec(),
            peers: None,
            peers_every: 20,
        }
    }

    fn figures(name: &str, lengths: [f64; 2]) -> SearchFigures {
        let folder = Folder::new(name);
        run(&plan(&folder, lengths), PEERS).unwrap()
    }

    #[test]
    fn each_algorithm_answers_each_query() {
        let figures = figures("search-right", [4.0, 1.0]);
        let rows = &figures.rows;
        let algorithms: Vec<_> = rows.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(algorithms, ["auto", "tables", "jps", "astar", "dijkstra"]);
        for row in rows {
            assert_eq!((row.queries, row.wrong, row.illegal), (2, 0, 0), "{row:?}");
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
        assert_eq!(figures.faults(), [""; 0]);
    }

    #[test]
    fn a_length_that_differs_from_the_listed_one_is_wrong() {
        let figures = figures("search-wrong", [3.98, 1.005]);
        for row in &figures.rows {
            assert_eq!((row.wrong, row.illegal), (1, 0), "{}", row.algorithm);
        }
        assert_eq!(figures.faults().len(), 1);
    }

    #[test]
    fn a_peer_that_is_not_there_is_an_error() {
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
            algorithms: vec![Algorithm::Auto],
            peers: Some(Vec::new()),
            peers_every: 2,
            ..plan(&folder, [4.0, 1.0])
        };
        let figures = run(&plan, PEERS).unwrap();
        let peers: Vec<_> = figures.rows.iter().filter(|row| row.peer).collect();
        assert_eq!(peers.len(), PEERS.len());
        for row in &peers {
            assert_eq!(row.queries, 1, "{}", row.algorithm);
            assert!(row.preparation.is_some() && row.times_peer.is_some());
        }
        assert_eq!((peers[0].wrong, peers[0].times_peer), (0, Some(1.0)));
        let overall: Vec<_> = figures.overall.iter().map(|one| one.sets).collect();
        assert_eq!(overall, [1; 4]);
    }
}
