//! An anytime search on a grid whose regions are known.

use super::engine;
use super::options::{AnytimeWeights, Improvement};
use super::state::AnytimeState;
use crate::cell::Cell;
use crate::grid::Grid;
use crate::path::Path;
use crate::search::answer::{self, Target};
use crate::search::facts::GridFacts;
use crate::search::grid_space::GridSpace;
use crate::search::options::{FindPathError, FoundPath, PathOptions};
use crate::search::recorder::{Mapped, SearchRecorder};
use crate::search::scratch::SearchScratch;
use crate::search::sliced::check_arguments;

/// A search on a [`BodyLayers`](crate::BodyLayers) that has a path soon, and a better one each time it is asked, until
/// that is the cheapest: [`BodyLayers::anytime`](crate::BodyLayers::anytime) starts one.
///
/// For huge maps with terrain: walk on the first answer while the better one comes. Where all cells cost the
/// same, jump-point search has the cheapest path sooner than this its first. For what the bounds say see
/// [`SpaceAnytime`](super::SpaceAnytime).
///
/// A goal out of reach is not searched for, but the nearest cell that is reachable.
///
/// ```
/// use pursuit::planners::AnytimeWeights;
/// use pursuit::{BodyLayers, Cell, DiagonalPolicy, Grid, PathOptions, SearchScratch};
///
/// let mut terrain = Grid::builder(60, 60)?;
/// for y in 0..50 {
///     terrain.set_cost(Cell::new(30, y), 9)?;
/// }
/// let layers = BodyLayers::from_grid(terrain.build(), DiagonalPolicy::NoCornerCut);
/// let (start, goal) = (Cell::new(2, 5), Cell::new(57, 5));
/// let (options, weights) = (PathOptions::default(), AnytimeWeights::default());
/// let mut scratch = SearchScratch::new();
/// let mut search = layers.anytime(start, goal, weights, &options, &mut scratch)?;
/// let mut walked = None;
/// loop {
///     let step = search.step(500, &mut ())?;
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
    options: PathOptions,
    scratch: &'a mut SearchScratch,
    /// What it searches for, and how far it is; `None` before the first step.
    state: Option<(Target, AnytimeState)>,
}

impl<'a> AnytimeSearch<'a> {
    /// Before its first step. `options` hold the policy that `facts` are about.
    pub(crate) fn with_facts(
        (grid, facts): (&'a Grid, GridFacts<'a>),
        (start, goal): (Cell, Cell),
        weights: AnytimeWeights,
        options: &PathOptions,
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
            state: None,
        })
    }

    /// Goes on and expands at most `budget` cells. Ends before if there is something to tell: see
    /// [`SpaceAnytime::step`](super::SpaceAnytime::step). [`FoundPath::bound`] is what is proven.
    ///
    /// # Errors
    ///
    /// None once the search has started.
    pub fn step<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Improvement<FoundPath>, FindPathError> {
        let before = self.state.take();
        let target = match before {
            Some((target, _)) => target,
            None => Target::of(self.facts.regions, self.start, self.goal),
        };
        let space = target.space(self.grid, &self.options)?;
        let recorder = &mut Mapped::new(|node| space.cell(node), recorder);
        let scratch = &mut *self.scratch;
        let mut state = match before {
            Some((_, state)) => state,
            None => {
                let start = self.grid.walls().node(self.start);
                let start = start.ok_or(FindPathError::StartOutside(self.start))?;
                engine::begin(&space, start, self.weights, scratch, recorder)
            }
        };
        let told = engine::go_on(&space, &mut state, budget, scratch, recorder)?;
        let step = told.with(|| self.answer(&space, target, &state));
        self.state = Some((target, state));
        Ok(step)
    }

    fn answer(&self, space: &GridSpace<'_>, target: Target, state: &AnytimeState) -> FoundPath {
        let (stop, bound) = state.ended();
        FoundPath {
            path: Path {
                turns: answer::turns(space, &self.scratch.trail),
                cost: state.written,
            },
            outcome: stop.outcome(target.shortfall),
            bound,
            stats: state.stats(),
        }
    }
}
