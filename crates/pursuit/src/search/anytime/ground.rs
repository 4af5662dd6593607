//! An anytime search on a grid whose regions are known.

use super::engine;
use super::options::{AnytimeWeights, Improvement};
use super::state::{AnytimeState, Told};
use crate::cancel::check;
use crate::cell::Cell;
use crate::grid::Grid;
use crate::path::Path;
use crate::search::answer::{self, Target};
use crate::search::facts::GridFacts;
use crate::search::grid_space::GridSpace;
use crate::search::options::{FindPathError, FoundPath, PathOptions};
use crate::search::recorder::{CellRecorder, SearchRecorder};
use crate::search::scratch::SearchScratch;
use crate::search::sliced::check_arguments;

/// A search on a [`Ground`](crate::Ground) that has a path soon, and a better one each time it is asked, until
/// that is the cheapest: [`Ground::anytime`](crate::Ground::anytime) starts one.
///
/// For huge maps with terrain: walk on the first answer while the better one comes. Where all cells cost the
/// same, jump-point search has the cheapest path sooner than this its first. For what the bounds say see
/// [`SpaceAnytime`](super::SpaceAnytime).
///
/// A goal out of reach is not searched for, but the nearest cell that is reachable.
///
/// ```
/// use pursuit::search::AnytimeWeights;
/// use pursuit::{Cell, DiagonalPolicy, Grid, Ground, PathOptions, SearchScratch};
///
/// let mut terrain = Grid::builder(60, 60)?;
/// for y in 0..50 {
///     terrain.set_cost(Cell::new(30, y), 9)?;
/// }
/// let ground = Ground::from_grid(terrain.build(), DiagonalPolicy::NoCornerCut);
/// let (start, goal) = (Cell::new(2, 5), Cell::new(57, 5));
/// let (options, weights) = (PathOptions::default(), AnytimeWeights::default());
/// let mut scratch = SearchScratch::new();
/// let mut search = ground.anytime(start, goal, weights, &options, &mut scratch)?;
/// let mut walked = None;
/// loop {
///     let step = search.step(500)?;
///     let is_last = step.is_last();
///     // Here an agent would take the better path.
///     walked = step.answer().or(walked);
///     if is_last {
///         break;
///     }
/// }
/// assert_eq!(walked.map(|found| found.bound), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnytimeSearch<'a> {
    grid: &'a Grid,
    facts: GridFacts<'a>,
    start: Cell,
    goal: Cell,
    weights: AnytimeWeights,
    options: PathOptions<'a>,
    scratch: &'a mut SearchScratch,
    stage: Option<Stage>,
}

/// What a search keeps from step to step.
#[derive(Clone, Copy, Debug)]
struct Stage {
    target: Target,
    state: AnytimeState,
    is_over: bool,
}

impl<'a> AnytimeSearch<'a> {
    /// Before its first step. `options` hold the policy that `facts` are about.
    pub(crate) fn with_facts(
        (grid, facts): (&'a Grid, GridFacts<'a>),
        (start, goal): (Cell, Cell),
        weights: AnytimeWeights,
        options: &PathOptions<'a>,
        scratch: &'a mut SearchScratch,
    ) -> Result<Self, FindPathError> {
        check_arguments(grid, start, goal, options)?;
        weights.check()?;
        Ok(Self {
            grid,
            facts,
            start,
            goal,
            weights,
            options: *options,
            scratch,
            stage: None,
        })
    }

    /// Goes on and expands at most `budget` cells. Ends before if there is something to tell: see
    /// [`SpaceAnytime::step`](super::SpaceAnytime::step). [`FoundPath::bound`] is what is proven.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`].
    pub fn step(&mut self, budget: u32) -> Result<Improvement<FoundPath>, FindPathError> {
        self.step_recorded(budget, &mut ())
    }

    /// The same, and tells `recorder` what the search does in this step. `f` is that of the weight at that
    /// time, in costs.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`].
    pub fn step_recorded<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Improvement<FoundPath>, FindPathError> {
        check(self.options.cancel)?;
        let cancel = self.options.cancel;
        let stage = self.stage.take();
        let target = match stage {
            Some(stage) => stage.target,
            None => Target::of(Some(self.facts), self.start, self.goal, cancel)?,
        };
        let space = self.space(target)?;
        let recorder = &mut CellRecorder::new(&space, recorder);
        let mut stage = match stage {
            Some(stage) => stage,
            None => {
                let start = self.grid.node(self.start);
                let start = start.ok_or(FindPathError::StartOutside(self.start))?;
                Stage {
                    target,
                    state: engine::begin(&space, start, self.weights, self.scratch, recorder),
                    is_over: false,
                }
            }
        };
        let (state, scratch) = (&mut stage.state, &mut *self.scratch);
        let told = if stage.is_over {
            Told::Last
        } else {
            engine::go_on(&space, state, budget, cancel, scratch, recorder)?
        };
        let answer = match told {
            Told::Nothing => None,
            Told::Better | Told::Last => Some(self.answer(&space, &stage)?),
        };
        stage.is_over = told == Told::Last;
        self.stage = Some(stage);
        Ok(told.with(answer))
    }

    fn answer(&mut self, space: &GridSpace<'_>, stage: &Stage) -> Result<FoundPath, FindPathError> {
        let Stage { target, state, .. } = stage;
        let (outcome, bound) = state.outcome();
        let stats = state.stats();
        let cells = answer::cells(space, &self.scratch.trail, &self.options)?;
        Ok(FoundPath {
            path: Path {
                cells,
                cost: stats.cost,
            },
            outcome: if state.has_goal() {
                target.outcome()
            } else {
                outcome
            },
            bound,
            stats,
        })
    }

    fn space(&self, target: Target) -> Result<GridSpace<'a>, FindPathError> {
        let PathOptions {
            diagonals,
            heuristic,
            ..
        } = self.options;
        let space = GridSpace::new(self.grid, diagonals, heuristic, target.cell);
        space.ok_or(FindPathError::GoalOutside(target.cell))
    }
}
