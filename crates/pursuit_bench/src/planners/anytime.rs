//! ARA*: what the first answer takes and is worth, and what all of them take.

use pursuit::planners::AnytimeWeights;
use pursuit::{Algorithm, BodyLayers, Cell, FoundPath, PathOptions, SearchScratch};
use serde_json::{Value, json};

use super::ground::{Kind, layers, walk_cost};
use super::rows::Rows;
use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, MapSet};
use crate::samples::Samples;

/// The bound that a first answer is asked for: the default of the weights.
const FIRST_BOUND: f64 = 3.0;
/// What rounding of a bound explains, as a share of it.
const ROUNDING: f64 = 1e-12;

/// Answers every query of a set, on even ground and on terrain.
pub(super) fn measure(set: &MapSet, every: usize, clock: &Clock) -> Result<Rows, BenchError> {
    let mut tallies = Kind::ALL.map(|kind| (kind, Tally::default()));
    for path in &set.maps {
        let map = mapset::load(path, every)?;
        for (kind, tally) in &mut tallies {
            let layers = layers(kind.of(&map.grid));
            for query in &map.queries {
                tally.ask(&layers, query.start, query.goal, clock);
            }
        }
    }
    let mut rows = Rows::default();
    for (kind, tally) in &tallies {
        rows.add(tally.row(&set.name, *kind), tally.fault(&set.name, *kind));
    }
    Ok(rows)
}

#[derive(Default)]
struct Tally {
    scratch: SearchScratch,
    first_expanded: Samples,
    first_bound: Samples,
    first_excess: Samples,
    first_time: Samples,
    all_expanded: Samples,
    all_time: Samples,
    answers: Samples,
    /// First answers with a bound above the one that was asked for.
    loose: usize,
    /// Answers that are dearer than their bound says.
    untrue: usize,
    /// Answers that are no walk of their cost, and last ones that are not the cheapest.
    wrong: usize,
}

/// All answers to one query, and the time until the first and the last of them.
#[derive(Default)]
struct Answers {
    paths: Vec<FoundPath>,
    first_us: f64,
    all_us: f64,
}

impl Tally {
    fn ask(&mut self, layers: &BodyLayers, start: Cell, goal: Cell, clock: &Clock) {
        if start == goal || !layers.is_reachable(start, goal) {
            return;
        }
        let options = PathOptions {
            algorithm: Algorithm::AStar,
            ..PathOptions::default()
        };
        let scratch = &mut self.scratch;
        let mut least = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let mut told = None;
        for _ in 0..clock.rounds {
            let (astar, us) = clock.time(|| layers.find_path(start, goal, &options, scratch));
            let answers = answers(layers, (start, goal), &options, scratch, clock);
            least = (
                us.min(least.0),
                answers.first_us.min(least.1),
                answers.all_us.min(least.2),
            );
            told = Some((astar, answers.paths));
        }
        match told {
            Some((Ok(astar), paths)) if !paths.is_empty() => {
                self.note(layers, &astar, &paths);
                self.first_time.push(ratio(least.1, least.0));
                self.all_time.push(ratio(least.2, least.0));
            }
            // A path is there, and was not found.
            _ => self.wrong += 1,
        }
    }

    /// `paths` are there, the first answer first.
    fn note(&mut self, layers: &BodyLayers, astar: &FoundPath, paths: &[FoundPath]) {
        let cheapest = astar.path.cost;
        for found in paths {
            let most = found.bound * cheapest as f64 * (1.0 + ROUNDING);
            self.untrue += usize::from(found.path.cost as f64 > most);
            let cells: Vec<Cell> = found.path.cells().collect();
            let is_walk = walk_cost(layers.grid(), &cells) == Some(found.path.cost);
            self.wrong += usize::from(!is_walk);
        }
        let effort = |found: &FoundPath| {
            let (own, astar) = (found.stats.expanded, astar.stats.expanded);
            ratio(own.into(), astar.max(1).into())
        };
        if let Some(first) = paths.first() {
            let more = first.path.cost as f64 / cheapest as f64 - 1.0;
            self.first_expanded.push(effort(first));
            self.first_bound.push(first.bound);
            self.first_excess.push(100.0 * more);
            self.loose += usize::from(first.bound > FIRST_BOUND);
        }
        if let Some(last) = paths.last() {
            let is_best = last.path.cost == cheapest && last.bound == 1.0;
            self.all_expanded.push(effort(last));
            self.wrong += usize::from(!is_best);
        }
        self.answers.push(paths.len() as f64);
    }

    /// Ratios are to A* on the same query.
    fn row(&self, set: &str, ground: Kind) -> Value {
        let p = |samples: &Samples, share| samples.percentile(share).unwrap_or_default();
        json!({
            "set": set,
            "ground": ground,
            // Queries with a path of at least one step.
            "queries": self.answers.len(),
            // Expansions until the first answer.
            "first_expanded_p50": p(&self.first_expanded, 0.5),
            "first_expanded_p90": p(&self.first_expanded, 0.9),
            // What the first answer says of itself.
            "first_bound_p50": p(&self.first_bound, 0.5),
            "first_bound_max": p(&self.first_bound, 1.0),
            // By how many percent it is dearer than the cheapest path.
            "first_excess_p50": p(&self.first_excess, 0.5),
            "first_excess_max": p(&self.first_excess, 1.0),
            "first_time_p50": p(&self.first_time, 0.5),
            // Until the last answer.
            "all_expanded_p50": p(&self.all_expanded, 0.5),
            "all_time_p50": p(&self.all_time, 0.5),
            "answers_p50": p(&self.answers, 0.5),
            "answers_max": p(&self.answers, 1.0),
            "loose": self.loose,
            "untrue": self.untrue,
            "wrong": self.wrong,
        })
    }

    fn fault(&self, set: &str, ground: Kind) -> Option<String> {
        let (loose, untrue, wrong) = (self.loose, self.untrue, self.wrong);
        (loose + untrue + wrong > 0).then(|| {
            format!(
                "anytime on {set}, {ground:?}: {loose} first answers with a bound above \
                 {FIRST_BOUND}, {untrue} untrue bounds, {wrong} wrong paths"
            )
        })
    }
}

/// Steps a search to its end. Without answers if the search refuses.
fn answers(
    layers: &BodyLayers,
    (start, goal): (Cell, Cell),
    options: &PathOptions,
    scratch: &mut SearchScratch,
    clock: &Clock,
) -> Answers {
    let mut answers = Answers::default();
    let weights = AnytimeWeights::default();
    let (search, mut us) = clock.time(|| layers.anytime(start, goal, weights, options, scratch));
    let Ok(mut search) = search else {
        return answers;
    };
    loop {
        let (step, took) = clock.time(|| search.step(u32::MAX, &mut ()));
        us += took;
        let Ok(step) = step else {
            return Answers::default();
        };
        let is_last = step.is_last();
        if let Some(found) = step.answer() {
            if answers.paths.is_empty() {
                answers.first_us = us;
            }
            answers.paths.push(found);
        }
        if is_last {
            answers.all_us = us;
            return answers;
        }
    }
}

/// How many times the second the first is; nothing takes no time at all.
fn ratio(own: f64, other: f64) -> f64 {
    own / other.max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Tally, layers};
    use pursuit::maps::parse_ascii;
    use pursuit::{BodyLayers, Cell, FoundPath, Outcome, Path, SearchStats};

    fn corridor() -> BodyLayers {
        layers(parse_ascii("......").unwrap().grid)
    }

    /// An answer that walks right and `back` cells back.
    fn found(steps: i32, expanded: u32, bound: f64) -> FoundPath {
        let there = (0..=steps).map(|x| Cell::new(x.min(10 - x), 0));
        FoundPath {
            path: Path::from_cells(there.collect(), steps as u64 * 1970),
            outcome: Outcome::Complete,
            bound,
            stats: SearchStats {
                expanded,
                ..SearchStats::default()
            },
        }
    }

    #[test]
    fn a_bound_that_does_not_hold_and_a_last_answer_that_is_dear_are_faults() {
        let mut tally = Tally::default();
        let paths = [found(6, 5, 1.4), found(6, 30, 3.5)];
        tally.note(&corridor(), &found(4, 20, 1.0), &paths);
        tally.note(&corridor(), &found(4, 20, 1.0), &[found(6, 5, 3.5)]);
        assert_eq!((tally.untrue, tally.wrong, tally.loose), (1, 2, 1));
        let fault = tally.fault("set", Kind::Terrain).unwrap();
        assert!(fault.contains("1 untrue bounds, 2 wrong paths"), "{fault}");
    }
}
