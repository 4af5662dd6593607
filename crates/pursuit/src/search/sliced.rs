//! A search on a grid that runs in steps.

use std::mem;
use std::ops::ControlFlow;

use super::answer::{self, Target};
use super::grid_astar::{self, GridState};
use super::known_paths::KnownPaths;
use super::options::{
    Algorithm, FindPathError, FoundPath, PathOptions, SearchLimits, SearchStats, Weights,
};
use super::recorder::{Mapped, SearchRecorder, Teller};
use super::scratch::SearchScratch;
use super::work::{Ended, Progress, Stop, finish};
use crate::cancel::Cancel;
use crate::cell::Cell;
use crate::grid::Grid;
use crate::jump::boards::JumpPointBoards;
use crate::jump::search::{self as jump, JumpState};
use crate::region::Regions;

/// A grid, and data derived from it that makes searches faster. The caller makes sure that the data belongs to the grid
/// and the policy of the search: a [`BodyLayers`](crate::BodyLayers) owns all of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridFacts<'a> {
    pub(crate) grid: &'a Grid,
    /// With regions, a search for an unreachable goal costs no more than the search for the nearest reachable cell.
    pub(crate) regions: &'a Regions,
    /// The jump points. `None` if no search uses them, and on strips (see [`Grid`]).
    pub(crate) boards: Option<&'a JumpPointBoards>,
    /// Known paths, which [`Algorithm::Auto`] uses if they are valid for the options.
    pub(crate) known_paths: Option<&'a dyn KnownPaths>,
}

/// A search for a cheapest path that runs in steps, such as a little in each frame, or one expansion at a time for
/// inspection.
///
/// Steps of any size lead to the result of [`find_path`](crate::BodyLayers::find_path), its stats included. The scratch
/// holds the state of the search between two steps, so it stays borrowed until the search is dropped. A search may be
/// dropped at any time, so a step takes no [`Cancel`].
///
/// ```
/// use pursuit::Progress;
/// use pursuit::{BodyLayers, Cell, DiagonalPolicy, Grid, PathOptions, SearchScratch};
///
/// let grid = Grid::from_fn(3, 3, |cell| cell != Cell::new(1, 1)).expect("a good size");
/// let layers = BodyLayers::from_grid(grid, DiagonalPolicy::NoCornerCut);
/// let mut scratch = SearchScratch::new();
/// let (start, goal) = (Cell::new(0, 1), Cell::new(2, 1));
/// let mut search = layers.search(start, goal, &PathOptions::default(), &mut scratch)?;
/// let found = loop {
///     // In a game, each pass of this loop is a frame.
///     if let Progress::Done(found) = search.step(2, &mut ())? {
///         break found;
///     }
/// };
/// assert_eq!(found.path.length(), 4.0);
/// # Ok::<(), pursuit::FindPathError>(())
/// ```
#[derive(Debug)]
pub struct Search<'a> {
    facts: GridFacts<'a>,
    start: Cell,
    goal: Cell,
    options: PathOptions,
    scratch: &'a mut SearchScratch,
    stage: Stage<'a>,
}

/// The work that a search does in its next step.
#[derive(Debug, Default)]
enum Stage<'a> {
    /// Begins the search.
    #[default]
    Start,
    /// Continues jump-point search.
    Jump(Jump<'a>),
    /// Continues A\*.
    Walk(Walk),
}

/// A jump-point search between two steps.
type Jump<'a> = (Target, &'a JumpPointBoards, JumpState);

/// A search with A\* between two steps. The stats are the work that jump-point search did before its memory was full.
type Walk = (Target, SearchStats, GridState);

impl<'a> Search<'a> {
    /// A search from `start` to `goal`, before its first step. The facts must belong to the diagonal policy of the
    /// options.
    #[inline]
    pub(crate) fn with_facts(
        facts: GridFacts<'a>,
        start: Cell,
        goal: Cell,
        options: PathOptions,
        scratch: &'a mut SearchScratch,
    ) -> Result<Self, FindPathError> {
        check_arguments(facts.grid, start, goal, &options)?;
        Ok(Self {
            facts,
            start,
            goal,
            options,
            scratch,
            stage: Stage::Start,
        })
    }

    /// Continues the search and expands at most `budget` nodes, as [`SearchStats::expanded`] counts them. Reports the
    /// events of this step to `recorder`; pass `&mut ()` to record nothing.
    ///
    /// The budget limits only expansions: a path from tables takes one step, and the last step of a search also writes
    /// the path. A step with a budget of 0 expands nothing, but still does such work.
    ///
    /// A step after the last one begins the same search again.
    ///
    /// # Errors
    ///
    /// None: the arguments were checked when the search was made.
    #[inline]
    pub fn step<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        self.advance(budget, recorder, Cancel::NEVER)
    }

    /// Continues the search to its end, and reports its events to `recorder`. Checks `cancel` at the start and once
    /// every 1,024 expansions.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`] if `cancel` ends the work before the path is known.
    #[inline(always)]
    pub fn finish<R: SearchRecorder>(
        mut self,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<FoundPath, FindPathError> {
        finish(|| self.advance(u32::MAX, recorder, cancel))
    }

    #[inline]
    fn advance<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        // If all cells cost the same, the costs inside a search are in units of that cost.
        let unit = self.facts.grid.uniform_cost().map_or(1, u64::from);
        let stage = mem::take(&mut self.stage);
        cancel.check()?;
        let recorder = &mut Mapped::in_units(unit, |cell: Cell| cell, recorder);
        let mut progress = match stage {
            Stage::Start => {
                recorder.started();
                self.begin(budget, recorder, cancel)?
            }
            Stage::Jump(jump) => self.jump(jump, budget, recorder, cancel)?,
            Stage::Walk(walk) => self.walk(walk, budget, recorder, cancel)?,
        };
        if let Progress::Done(found) = &mut progress {
            found.path.cost *= unit;
        }
        Ok(progress)
    }

    fn begin<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let options = &self.options;
        let target = Target::of(self.facts.regions, self.start, self.goal);
        if self.start == target.cell {
            return Ok(Progress::Done(target.stand()));
        }
        if !options.can_jump(self.facts.grid) {
            return self.begin_walk((target, SearchStats::default()), budget, recorder, cancel);
        }
        let (known, scratch) = (self.facts.known_paths, &mut *self.scratch);
        if let Some(found) = answer::look_up(known, self.start, target, options, scratch) {
            return Ok(Progress::Done(found));
        }
        // Jump-point search is slow on grids with scattered walls.
        let is_good = |boards: &&JumpPointBoards| {
            options.algorithm != Algorithm::Auto || !boards.scattered.is_scattered()
        };
        let Some(boards) = self.facts.boards.filter(is_good) else {
            return self.begin_walk((target, SearchStats::default()), budget, recorder, cancel);
        };
        let ends = (self.start, target.cell);
        let memory = &mut self.scratch.jump;
        match jump::begin(boards, ends, &options.limits(), memory, recorder, cancel)? {
            ControlFlow::Break(found) => Ok(Progress::Done(self.jumped(target, boards, &found))),
            ControlFlow::Continue(state) => {
                self.jump((target, boards, state), budget, recorder, cancel)
            }
        }
    }

    /// Continues jump-point search. If its memory is full before the goal is found, A\* begins.
    fn jump<R: SearchRecorder>(
        &mut self,
        (target, boards, mut state): Jump<'a>,
        budget: u32,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let before = state.expanded();
        let limits = self.options.limits();
        let memory = &mut self.scratch.jump;
        let progress = jump::go_on(
            boards, &mut state, budget, &limits, memory, recorder, cancel,
        )?;
        let Progress::Done(found) = progress else {
            self.stage = Stage::Jump((target, boards, state));
            return Ok(Progress::Running);
        };
        if found.stop == Stop::Exhausted {
            let left = budget - (state.expanded() - before);
            recorder.started();
            return self.begin_walk((target, found.stats), left, recorder, cancel);
        }
        Ok(Progress::Done(self.jumped(target, boards, &found)))
    }

    /// The result, if jump-point search finished and A\* was not needed.
    fn jumped(&self, target: Target, boards: &JumpPointBoards, found: &Ended<Cell>) -> FoundPath {
        answer::of_jumps(self.start, target, boards, found, &self.scratch.jump)
    }

    /// Begins A\*.
    fn begin_walk<R: SearchRecorder>(
        &mut self,
        (target, before): (Target, SearchStats),
        budget: u32,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let space = target.space(self.facts.grid, &self.options)?.in_units();
        let start = self.facts.grid.walls().node(self.start);
        let start = start.ok_or(FindPathError::StartOutside(self.start))?;
        let limits = self.options.limits();
        let nodes = &mut Mapped::new(|node| space.cell(node), recorder);
        Teller::new(&space, limits.weights, nodes).start(start);
        let state = grid_astar::begin(&space, start, &limits, self.scratch);
        self.walk((target, before, state), budget, recorder, cancel)
    }

    /// Continues A\*.
    fn walk<R: SearchRecorder>(
        &mut self,
        (target, before, mut state): Walk,
        budget: u32,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let space = target.space(self.facts.grid, &self.options)?.in_units();
        let most = self.options.max_expanded;
        let limits = SearchLimits {
            max_expanded: most.map(|most| most.saturating_sub(before.expanded)),
            ..self.options.limits()
        };
        let scratch = &mut *self.scratch;
        let progress = grid_astar::go_on(
            &space, &mut state, budget, &limits, scratch, recorder, cancel,
        )?;
        let Progress::Done(ended) = progress else {
            self.stage = Stage::Walk((target, before, state));
            return Ok(Progress::Running);
        };
        let mut found = answer::of_cells(&space, target, &ended, &self.options, scratch);
        found.stats.expanded = found.stats.expanded.saturating_add(before.expanded);
        found.stats.pushed = found.stats.pushed.saturating_add(before.pushed);
        Ok(Progress::Done(found))
    }
}

pub(crate) fn check_arguments(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions,
) -> Result<(), FindPathError> {
    if !grid.contains(start) {
        return Err(FindPathError::StartOutside(start));
    }
    if !grid.contains(goal) {
        return Err(FindPathError::GoalOutside(goal));
    }
    if !grid.is_free(start) {
        return Err(FindPathError::StartBlocked(start));
    }
    if options.weights == (Weights { g: 0, h: 0 }) {
        return Err(FindPathError::ZeroWeights);
    }
    Ok(())
}
