//! ARA*: what the first answer takes and is worth, and what all of them take.

use pursuit::planners::AnytimeWeights;
use pursuit::search::{FoundPath, SearchScratch};
use pursuit::{Algorithm, Cell, Ground, PathOptions};
use serde::Serialize;

use super::ground::{Kind, ground, walk_cost};
use crate::clock::Clock;
use crate::error::BenchError;
use crate::mapset::{self, MapSet};
use crate::samples::Samples;

/// The bound that a first answer is asked for: the default of the weights.
const FIRST_BOUND: f64 = 3.0;
/// What rounding of a bound explains, as a share of it.
const ROUNDING: f64 = 1e-12;

/// Figures of one set of maps. Ratios are to A* on the same query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AnytimeRow {
    pub(crate) set: String,
    pub(crate) ground: Kind,
    /// Queries with a path of at least one step.
    pub(crate) queries: usize,
    /// Expansions until the first answer.
    pub(crate) first_expanded_p50: f64,
    pub(crate) first_expanded_p90: f64,
    /// What the first answer says of itself.
    pub(crate) first_bound_p50: f64,
    pub(crate) first_bound_max: f64,
    /// By how many percent it is dearer than the cheapest path.
    pub(crate) first_excess_p50: f64,
    pub(crate) first_excess_max: f64,
    pub(crate) first_time_p50: f64,
    /// Until the last answer.
    pub(crate) all_expanded_p50: f64,
    pub(crate) all_time_p50: f64,
    pub(crate) answers_p50: f64,
    pub(crate) answers_max: f64,
    /// First answers with a bound above the one that was asked for.
    pub(crate) loose: usize,
    /// Answers that are dearer than their bound says.
    pub(crate) untrue: usize,
    /// Answers that are no walk of their cost, and last ones that are not the cheapest.
    pub(crate) wrong: usize,
}

impl AnytimeRow {
    /// What should not have happened.
    pub(super) fn fault(&self) -> Option<String> {
        let Self {
            set,
            ground,
            loose,
            untrue,
            wrong,
            ..
        } = self;
        let ground = ground.name();
        (loose + untrue + wrong > 0).then(|| {
            format!(
                "anytime on {set}, {ground}: {loose} first answers with a bound above \
                 {FIRST_BOUND}, {untrue} untrue bounds, {wrong} wrong paths"
            )
        })
    }
}

/// Answers every query of a set, on even ground and on terrain.
///
/// # Errors
/// Files that can't be read, or are malformed.
pub(super) fn measure(
    set: &MapSet,
    every: usize,
    clock: &Clock,
) -> Result<Vec<AnytimeRow>, BenchError> {
    let mut tallies = Kind::ALL.map(|kind| (kind, Tally::default()));
    for path in &set.maps {
        let map = mapset::load(path, every)?;
        for (kind, tally) in &mut tallies {
            let ground = ground(kind.of(&map.grid));
            for query in &map.queries {
                tally.ask(&ground, query.start, query.goal, clock);
            }
        }
    }
    let rows = tallies.iter();
    Ok(rows
        .map(|(kind, tally)| tally.row(&set.name, *kind))
        .collect())
}

/// Figures while they come in.
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
    loose: usize,
    untrue: usize,
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
    fn ask(&mut self, ground: &Ground, start: Cell, goal: Cell, clock: &Clock) {
        if start == goal || !ground.is_reachable(start, goal) {
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
            let (astar, us) = clock.time(|| ground.find_path(start, goal, &options, scratch));
            let answers = answers(ground, (start, goal), &options, scratch, clock);
            least = (
                us.min(least.0),
                answers.first_us.min(least.1),
                answers.all_us.min(least.2),
            );
            told = Some((astar, answers.paths));
        }
        match told {
            Some((Ok(astar), paths)) if !paths.is_empty() => {
                self.note(ground, &astar, &paths);
                self.first_time.push(ratio(least.1, least.0));
                self.all_time.push(ratio(least.2, least.0));
            }
            // A path is there, and was not found.
            _ => self.wrong += 1,
        }
    }

    /// `paths` are there, the first answer first.
    fn note(&mut self, ground: &Ground, astar: &FoundPath, paths: &[FoundPath]) {
        let cheapest = astar.path.cost;
        for found in paths {
            let most = found.bound * cheapest as f64 * (1.0 + ROUNDING);
            self.untrue += usize::from(found.path.cost as f64 > most);
            let cells: Vec<Cell> = found.path.cells().collect();
            let is_walk = walk_cost(ground.grid(), &cells) == Some(found.path.cost);
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

    fn row(&self, set: &str, ground: Kind) -> AnytimeRow {
        let p = |samples: &Samples, share| samples.percentile(share).unwrap_or_default();
        AnytimeRow {
            set: set.to_string(),
            ground,
            queries: self.answers.len(),
            first_expanded_p50: p(&self.first_expanded, 0.5),
            first_expanded_p90: p(&self.first_expanded, 0.9),
            first_bound_p50: p(&self.first_bound, 0.5),
            first_bound_max: p(&self.first_bound, 1.0),
            first_excess_p50: p(&self.first_excess, 0.5),
            first_excess_max: p(&self.first_excess, 1.0),
            first_time_p50: p(&self.first_time, 0.5),
            all_expanded_p50: p(&self.all_expanded, 0.5),
            all_time_p50: p(&self.all_time, 0.5),
            answers_p50: p(&self.answers, 0.5),
            answers_max: p(&self.answers, 1.0),
            loose: self.loose,
            untrue: self.untrue,
            wrong: self.wrong,
        }
    }
}

/// Steps a search to its end. Without answers if the search refuses.
fn answers(
    ground: &Ground,
    (start, goal): (Cell, Cell),
    options: &PathOptions,
    scratch: &mut SearchScratch,
    clock: &Clock,
) -> Answers {
    let mut answers = Answers::default();
    let weights = AnytimeWeights::default();
    let (search, mut us) = clock.time(|| ground.anytime(start, goal, weights, options, scratch));
    let Ok(mut search) = search else {
        return answers;
    };
    loop {
        let (step, took) = clock.time(|| search.step(u32::MAX));
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
    use super::{Kind, Tally, ground};
    use crate::clock::Clock;
    use pursuit::maps::parse_ascii;
    use pursuit::search::{FoundPath, Outcome, SearchStats};
    use pursuit::{Cell, Ground, Path};

    fn corridor() -> Ground {
        ground(parse_ascii("......").unwrap().grid)
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
    fn ratios_are_to_a_star_and_the_last_answer_is_the_cheapest() {
        let mut tally = Tally::default();
        let paths = [found(6, 5, 2.0), found(4, 30, 1.0)];
        tally.note(&corridor(), &found(4, 20, 1.0), &paths);
        let row = tally.row("set", Kind::Even);
        assert_eq!((row.first_expanded_p50, row.all_expanded_p50), (0.25, 1.5));
        assert_eq!((row.first_bound_max, row.first_excess_max), (2.0, 50.0));
        assert_eq!((row.queries, row.answers_max), (1, 2.0));
        assert_eq!((row.untrue, row.wrong, row.loose), (0, 0, 0));
        assert_eq!(row.fault(), None);
    }

    #[test]
    fn a_bound_that_does_not_hold_and_a_last_answer_that_is_dear_are_faults() {
        let mut tally = Tally::default();
        let paths = [found(6, 5, 1.4), found(6, 30, 3.5)];
        tally.note(&corridor(), &found(4, 20, 1.0), &paths);
        tally.note(&corridor(), &found(4, 20, 1.0), &[found(6, 5, 3.5)]);
        let row = tally.row("set", Kind::Terrain);
        assert_eq!((row.untrue, row.wrong, row.loose), (1, 2, 1));
        let fault = row.fault().unwrap();
        assert!(fault.contains("1 untrue bounds, 2 wrong paths"), "{fault}");
    }

    #[test]
    fn only_queries_with_a_way_are_asked() {
        let ground = ground(parse_ascii("..#.\n..#.\n....").unwrap().grid);
        let clock = Clock::calibrated(2);
        let mut tally = Tally::default();
        let [a, b, wall] = [(0, 0), (3, 0), (2, 0)].map(Cell::from);
        for (start, goal) in [(a, b), (a, a), (a, wall)] {
            tally.ask(&ground, start, goal, &clock);
        }
        let row = tally.row("set", Kind::Even);
        assert_eq!((row.queries, row.wrong, row.untrue), (1, 0, 0));
        assert!(row.first_time_p50 <= row.all_time_p50);
    }
}
