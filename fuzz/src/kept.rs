//! Searches that go on after an answer: trees that follow edits and moves, and paths that get better.

use arbitrary::Arbitrary;
use pursuit::planners::{AnytimeWeights, Improvement, IncrementalTree, Root};
use pursuit::{BodyLayers, Cell, FindPathError, FoundPath, Grid, Progress, SearchScratch};

use crate::{AnyEdit, AnyGrid, AnyQuery, Rules, cell_of, check_walk, expected_error};

/// Where an end goes.
#[derive(Arbitrary, Debug)]
enum Move {
    Stay,
    /// By up to three columns and rows.
    Beside(u8),
    /// To a cell of the last path.
    Along(u8),
    Anywhere([u8; 2]),
}

impl Move {
    fn from(&self, at: Cell, path: &[Cell], grid: &Grid) -> Cell {
        let next = match *self {
            Self::Stay => at,
            Self::Beside(by) => at.offset(i32::from(by % 7) - 3, i32::from(by / 7 % 7) - 3),
            Self::Along(share) if !path.is_empty() => {
                path[usize::from(share) * path.len() / (usize::from(u8::MAX) + 1)]
            }
            Self::Along(_) => at,
            Self::Anywhere(at) => cell_of(grid, at),
        };
        if grid.contains(next) { next } else { at }
    }
}

/// What happens before the next search.
#[derive(Arbitrary, Debug)]
struct Turn {
    edit: Option<AnyEdit>,
    start: Move,
    goal: Move,
    /// Nodes that one step expands at most; none for all at once.
    budget: Option<u8>,
    /// Steps after which the search is dropped, sometimes.
    dropped_after: Option<u8>,
    /// Other rules, sometimes.
    rules: Option<Rules>,
}

/// A chase over a map that is edited.
#[derive(Arbitrary, Debug)]
pub struct AnyChase {
    grid: AnyGrid,
    ends: AnyQuery,
    rules: Rules,
    at_goal: bool,
    turns: Vec<Turn>,
}

impl AnyChase {
    /// Searches after every turn.
    ///
    /// # Panics
    ///
    /// Where an answer is not the oracle's.
    pub fn check(&self) {
        let root = if self.at_goal {
            Root::Goal
        } else {
            Root::Start
        };
        let mut tree = IncrementalTree::new(root);
        let mut rules = self.rules;
        let mut grid = self.grid.build();
        let mut ends = self.ends.cells(&grid);
        let mut path: Vec<Cell> = Vec::new();
        for turn in self.turns.iter().take(24) {
            if let Some(edit) = &turn.edit {
                grid = edit.apply(&grid).0;
            }
            rules = turn.rules.unwrap_or(rules);
            ends.0 = turn.start.from(ends.0, &path, &grid);
            ends.1 = turn.goal.from(ends.1, &path, &grid);
            let layers = BodyLayers::from_grid(grid.clone(), rules.diagonals());
            if let Some(found) = turn.search(&layers, ends, rules, &mut tree) {
                path = found.path.cells().collect();
            }
        }
    }
}

impl Turn {
    /// The answer, if there is one and the search was not dropped.
    fn search(
        &self,
        layers: &BodyLayers,
        ends: (Cell, Cell),
        rules: Rules,
        tree: &mut IncrementalTree,
    ) -> Option<FoundPath> {
        let options = rules.options();
        let refused = expected_error(layers.grid(), ends.0, ends.1, &options);
        let mut search = match layers.incremental(ends.0, ends.1, &options, tree) {
            Ok(search) => search,
            Err(error) => {
                assert_eq!(Some(error), refused);
                return None;
            }
        };
        assert_eq!(refused, None);
        let budget = self.budget.map_or(u32::MAX, |budget| u32::from(budget) + 1);
        let mut steps = 0;
        let found = loop {
            if self
                .dropped_after
                .is_some_and(|most| steps >= u32::from(most))
            {
                return None;
            }
            match search.step(budget, &mut ()).expect("no flag") {
                Progress::Done(found) => break found,
                Progress::Running => steps += 1,
            }
            assert!(steps < 1_000_000, "it never ends");
        };
        let cheapest = check_walk(layers.grid(), ends, &found, options.diagonals);
        assert_eq!((found.path.cost, found.bound), (cheapest, 1.0));
        let again = search.step(budget, &mut ()).expect("no flag");
        assert_eq!(
            again.done().as_ref(),
            Some(&found),
            "a step after the answer"
        );
        Some(found)
    }
}

/// Searches for paths that get better.
#[derive(Arbitrary, Debug)]
pub struct AnyImprovements {
    grid: AnyGrid,
    rules: Rules,
    /// With weights, and the most nodes that one step expands.
    searches: Vec<(AnyQuery, [u8; 2], u8)>,
}

impl AnyImprovements {
    /// Searches one after the other with the same memory.
    ///
    /// # Panics
    ///
    /// Where a bound is not true, or the last path not a cheapest one.
    pub fn check(&self) {
        let layers = BodyLayers::from_grid(self.grid.build(), self.rules.diagonals());
        let scratch = &mut SearchScratch::new();
        for (query, weights, budget) in self.searches.iter().take(6) {
            let ends = query.cells(layers.grid());
            let [first, fall] = weights.map(f32::from);
            let weights = AnytimeWeights::new(1.0 + first * first / 4096.0, 0.02 + fall / 64.0);
            let budget = u32::from(*budget) + 1;
            let sliced = self.search(&layers, ends, weights, budget, scratch);
            let fresh = &mut SearchScratch::new();
            let whole = self.search(&layers, ends, weights, u32::MAX, fresh);
            assert_eq!(
                sliced, whole,
                "steps, or what the scratch did before, matter"
            );
        }
    }

    /// All answers.
    fn search(
        &self,
        layers: &BodyLayers,
        ends: (Cell, Cell),
        weights: AnytimeWeights,
        budget: u32,
        scratch: &mut SearchScratch,
    ) -> Result<Vec<FoundPath>, FindPathError> {
        let options = self.rules.options();
        let refused = expected_error(layers.grid(), ends.0, ends.1, &options);
        let search = layers.anytime(ends.0, ends.1, weights, &options, scratch);
        assert_eq!(search.as_ref().err(), refused.as_ref());
        let mut search = search?;
        let mut answers: Vec<FoundPath> = Vec::new();
        for steps in 0.. {
            assert!(steps < 1_000_000, "it never ends");
            let step: Improvement<FoundPath> = search.step(budget, &mut ())?;
            let is_last = step.is_last();
            if let Some(answer) = step.answer() {
                let cheapest = check_walk(layers.grid(), ends, &answer, options.diagonals);
                let most = answer.bound * cheapest as f64 * (1.0 + 1e-12);
                assert!(answer.path.cost as f64 <= most, "the bound is not true");
                if let Some(before) = answers.last() {
                    assert!(answer.bound <= before.bound, "a bound that grows");
                    assert!(answer.path.cost <= before.path.cost, "a worse path");
                }
                if is_last {
                    assert_eq!((answer.path.cost, answer.bound), (cheapest, 1.0));
                }
                answers.push(answer);
            }
            if is_last {
                break;
            }
        }
        assert!(!answers.is_empty(), "the last step has an answer");
        Ok(answers)
    }
}
