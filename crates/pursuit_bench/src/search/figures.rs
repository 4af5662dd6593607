//! What a run of searches found out.

use serde::Serialize;

use crate::report::Report;

/// Figures of one algorithm on one set of maps.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct SearchRow {
    pub(crate) set: String,
    pub(crate) algorithm: String,
    /// Whether it is not ours.
    pub(crate) peer: bool,
    pub(crate) queries: usize,
    pub(crate) mean_us: f64,
    pub(crate) p50_us: f64,
    pub(crate) p95_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    /// Mean over the queries with a short path.
    pub(crate) short_us: Option<f64>,
    /// Mean number of expanded cells, where the search tells.
    pub(crate) expanded: Option<f64>,
    /// Answers that are not a path of the listed length, or none where none is listed.
    pub(crate) wrong: usize,
    pub(crate) illegal: usize,
    /// How many times as long the first peer took, on the mean, over the queries that both answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) times_peer: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) excess: Option<Excess>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) preparation: Option<Preparation>,
}

/// By how much legal paths are longer than the shortest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Excess {
    /// Legal paths that were found, where there is one.
    pub(crate) paths: usize,
    pub(crate) mean_percent: f64,
    pub(crate) worst_percent: f64,
}

/// What it takes to be ready for a map's first query.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Preparation {
    pub(crate) maps: usize,
    /// Those of them that it was given up for; their queries were answered without.
    pub(crate) refused: usize,
    pub(crate) mean_ms: f64,
    pub(crate) worst_ms: f64,
    /// Of memory, kept as long as queries come; where the search tells.
    pub(crate) mean_bytes_per_cell: Option<f64>,
    pub(crate) worst_bytes_per_cell: Option<f64>,
}

/// An algorithm over all sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Overall {
    pub(crate) algorithm: String,
    /// Sets that have a ratio.
    pub(crate) sets: usize,
    /// Geometric mean of their ratios to the first peer.
    pub(crate) times_peer: f64,
}

/// Queries without a path, on one set of maps.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct UnreachableRow {
    pub(crate) set: String,
    /// Queries between two regions.
    pub(crate) unreachable: usize,
    /// Mean time to say whether there is a path, over these, those with a blocked goal and as many
    /// with a path.
    pub(crate) answer_ns: Option<f64>,
    /// Mean time to find the path to the nearest reachable cell.
    pub(crate) unreachable_us: Option<f64>,
    /// Queries with a wall as the goal.
    pub(crate) blocked: usize,
    pub(crate) blocked_us: Option<f64>,
    /// Answers and paths that a flood of the map does not confirm.
    pub(crate) wrong: usize,
}

/// An agent that plans anew at every tick, on one set of maps.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct MovingRow {
    pub(crate) set: String,
    pub(crate) algorithm: String,
    /// With the target near enough to count.
    pub(crate) ticks: usize,
    pub(crate) mean_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    /// Ticks whose cost was compared to that of plain A*.
    pub(crate) checked: usize,
    pub(crate) wrong: usize,
}

/// All of it.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct SearchFigures {
    pub(crate) machine: String,
    /// What an empty interval shows, taken off each time.
    pub(crate) clock_ns: f64,
    /// Every how many queries of the scenarios took part, and every how many of those at the peers.
    pub(crate) every: usize,
    /// How often everything was measured; the least of it counts.
    pub(crate) rounds: usize,
    pub(crate) peers_every: Option<usize>,
    pub(crate) rows: Vec<SearchRow>,
    pub(crate) overall: Vec<Overall>,
    pub(crate) unreachable: Vec<UnreachableRow>,
    pub(crate) moving: Vec<MovingRow>,
}

impl Report for SearchFigures {
    /// Of our own answers: what peers do is for the reader to judge.
    fn faults(&self) -> Vec<String> {
        let own = self.rows.iter().filter(|row| !row.peer);
        let paths: usize = own.map(|row| row.wrong + row.illegal).sum();
        let partial: usize = self.unreachable.iter().map(|row| row.wrong).sum();
        let moving: usize = self.moving.iter().map(|row| row.wrong).sum();
        let wrong = paths + partial + moving;
        let fault = (wrong > 0).then(|| format!("{wrong} paths or answers are wrong or illegal"));
        fault.into_iter().collect()
    }
}

/// The geometric mean of each algorithm's ratios, in the order in which they first appear.
pub(crate) fn overall(rows: &[SearchRow]) -> Vec<Overall> {
    let mut all: Vec<Overall> = Vec::new();
    for row in rows {
        let Some(ratio) = row.times_peer.filter(|&ratio| ratio > 0.0) else {
            continue;
        };
        let known = all.iter().position(|one| one.algorithm == row.algorithm);
        let at = known.unwrap_or_else(|| {
            all.push(Overall {
                algorithm: row.algorithm.clone(),
                sets: 0,
                times_peer: 0.0,
            });
            all.len() - 1
        });
        all[at].sets += 1;
        // The sum of logarithms until all are there.
        all[at].times_peer += ratio.ln();
    }
    for one in &mut all {
        one.times_peer = (one.times_peer / one.sets as f64).exp();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{MovingRow, SearchFigures, SearchRow, UnreachableRow, overall};
    use crate::report::Report;

    fn row(algorithm: &str, times_peer: Option<f64>) -> SearchRow {
        SearchRow {
            algorithm: algorithm.to_string(),
            times_peer,
            ..SearchRow::default()
        }
    }

    #[test]
    fn the_mean_of_ratios_is_geometric() {
        let rows = [
            row("auto", Some(2.0)),
            row("slow", Some(0.5)),
            row("auto", Some(8.0)),
            row("auto", None),
        ];
        let all = overall(&rows);
        let names: Vec<_> = all.iter().map(|one| (&*one.algorithm, one.sets)).collect();
        assert_eq!(names, [("auto", 2), ("slow", 1)]);
        assert!((all[0].times_peer - 4.0).abs() < 1e-12, "{all:?}");
        assert!((all[1].times_peer - 0.5).abs() < 1e-12, "{all:?}");
    }

    #[test]
    fn our_own_mistakes_fail_the_run_and_those_of_peers_do_not() {
        let mistaken = |peer| SearchRow {
            peer,
            wrong: 1,
            illegal: 1,
            ..SearchRow::default()
        };
        let mut figures = SearchFigures {
            rows: vec![SearchRow::default(), mistaken(true)],
            ..SearchFigures::default()
        };
        assert!(figures.faults().is_empty());
        figures.rows.push(mistaken(false));
        figures.moving.push(MovingRow::default());
        figures.moving[0].wrong = 1;
        figures.unreachable.push(UnreachableRow::default());
        figures.unreachable[0].wrong = 1;
        assert!(figures.faults()[0].starts_with("4 paths"));
    }
}
