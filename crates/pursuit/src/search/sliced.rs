//! A search on a grid that goes on in steps.

use std::mem;

use super::answer::{self, Target};
use super::facts::GridFacts;
use super::grid_astar::{self, GridState};
use super::jump::{self, Begun, End, JumpState, Jumped};
use super::options::{
    Algorithm, FindPathError, FoundPath, PathOptions, SearchLimits, SearchStats, Weights,
};
use super::progress::{Progress, finish};
use super::recorder::{CellRecorder, InUnits, SearchRecorder, Teller};
use super::scratch::SearchScratch;
use crate::cancel::{Cancelled, check};
use crate::cell::Cell;
use crate::grid::Grid;
use crate::lines::boards::JumpPointBoards;

/// A search for a cheapest path that goes on in steps: a bit in each frame, or one expansion at a
/// time to be looked at.
///
/// Steps of any sizes give what [`find_path`](super::find_path) gives, its stats included. Between two of
/// them the search rests in its scratch, which is borrowed until the search is dropped. A search may be
/// dropped at any time.
///
/// ```
/// use pursuit::search::{Progress, Search};
/// use pursuit::{Cell, Grid, PathOptions, SearchScratch};
///
/// let grid = Grid::from_fn(3, 3, |cell| cell != Cell::new(1, 1)).expect("a good size");
/// let mut scratch = SearchScratch::new();
/// let (start, goal) = (Cell::new(0, 1), Cell::new(2, 1));
/// let mut search = Search::start(&grid, start, goal, &PathOptions::default(), &mut scratch)?;
/// let found = loop {
///     // In a game: a frame.
///     if let Progress::Done(found) = search.step(2)? {
///         break found;
///     }
/// };
/// assert_eq!(found.path.length(), 4.0);
/// # Ok::<(), pursuit::FindPathError>(())
/// ```
#[derive(Debug)]
pub struct Search<'a> {
    grid: &'a Grid,
    facts: Option<GridFacts<'a>>,
    start: Cell,
    goal: Cell,
    options: PathOptions<'a>,
    scratch: &'a mut SearchScratch,
    stage: Stage<'a>,
}

/// What a search does in its next step.
#[derive(Debug, Default)]
enum Stage<'a> {
    /// Begins.
    #[default]
    Start,
    /// Goes on from jump point to jump point.
    Jump {
        target: Target,
        boards: &'a JumpPointBoards,
        state: JumpState,
    },
    /// Goes on from cell to cell.
    Cells {
        target: Target,
        /// What jump points did before, in vain.
        before: SearchStats,
        state: GridState,
    },
}

impl<'a> Search<'a> {
    /// A search from `start` to `goal`, both included, before its first step. For the arguments see
    /// [`find_path`](super::find_path).
    ///
    /// # Errors
    ///
    /// Mistakes in the arguments: see [`FindPathError`].
    #[inline]
    pub fn start(
        grid: &'a Grid,
        start: Cell,
        goal: Cell,
        options: &PathOptions<'a>,
        scratch: &'a mut SearchScratch,
    ) -> Result<Self, FindPathError> {
        Self::with_facts((grid, None), start, goal, options, scratch)
    }

    /// The same, with facts about the grid under the policy of the options, if there are any.
    #[inline]
    pub(crate) fn with_facts(
        (grid, facts): (&'a Grid, Option<GridFacts<'a>>),
        start: Cell,
        goal: Cell,
        options: &PathOptions<'a>,
        scratch: &'a mut SearchScratch,
    ) -> Result<Self, FindPathError> {
        debug_assert!(
            facts.is_none_or(|facts| facts.fit(grid, options.diagonals)),
            "the regions or tables are those of another policy or grid"
        );
        check_arguments(grid, start, goal, options)?;
        Ok(Self {
            grid,
            facts,
            start,
            goal,
            options: *options,
            scratch,
            stage: Stage::Start,
        })
    }

    /// Goes on and expands at most `budget` nodes, as [`SearchStats::expanded`] counts them.
    ///
    /// What takes no expansion comes on top. The first search on a grid works out what jump points need in its
    /// first step, unless a [`Ground`](crate::Ground) did before. Tables answer in one
    /// step. The last step writes the path. A step of 0 does no more than that.
    ///
    /// A step after the answer, or after an error, begins the same search anew.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`].
    #[inline]
    pub fn step(&mut self, budget: u32) -> Result<Progress<FoundPath>, FindPathError> {
        self.step_recorded(budget, &mut ())
    }

    /// The same, and tells `recorder` what the search does in this step.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`].
    #[inline]
    pub fn step_recorded<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        // Where all cells cost the same, searches count in units of that.
        let unit = self.grid.uniform_cost().map_or(1, u64::from);
        let stage = mem::take(&mut self.stage);
        check(self.options.cancel)?;
        let recorder = &mut InUnits { unit, recorder };
        let mut progress = match stage {
            Stage::Start => {
                recorder.started();
                self.begin(budget, recorder)?
            }
            Stage::Jump {
                target,
                boards,
                state,
            } => self.jump(target, boards, state, budget, recorder)?,
            Stage::Cells {
                target,
                before,
                state,
            } => self.walk(target, before, state, budget, recorder)?,
        };
        if let Progress::Done(found) = &mut progress {
            found.path.cost *= unit;
            found.stats.cost *= unit;
        }
        Ok(progress)
    }

    /// Goes on until there is an answer.
    #[inline(always)]
    pub(crate) fn finish<R: SearchRecorder>(
        mut self,
        recorder: &mut R,
    ) -> Result<FoundPath, FindPathError> {
        finish(|| self.step_recorded(u32::MAX, recorder))
    }

    fn begin<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let (grid, options) = (self.grid, &self.options);
        let target = Target::of(self.facts, self.start, self.goal, options.cancel)?;
        if self.start == target.cell {
            return Ok(Progress::Done(target.stand()));
        }
        if !options.can_jump(grid) {
            return self.begin_walk(target, SearchStats::default(), budget, recorder);
        }
        if let Some(found) = answer::look_up(self.facts, self.start, target, options, self.scratch)?
        {
            return Ok(Progress::Done(found));
        }
        let Some(boards) = self.boards(target.cell)? else {
            return self.begin_walk(target, SearchStats::default(), budget, recorder);
        };
        let ends = (self.start, target.cell);
        let memory = &mut self.scratch.jump;
        match jump::begin(boards, ends, &options.limits(), memory, recorder)? {
            Begun::Ended(jumped) => Ok(Progress::Done(self.jumped(target, boards, &jumped)?)),
            Begun::Open(state) => self.jump(target, boards, state, budget, recorder),
        }
    }

    /// Where walks over the grid stop, if it is worth while to search by jump points.
    fn boards(&self, target: Cell) -> Result<Option<&'a JumpPointBoards>, FindPathError> {
        // Only A\* has an answer for a goal out of reach: it knows the nearest cell. Boards are not
        // built for nothing.
        if !self.grid.is_free(target) {
            return Ok(None);
        }
        let boards = self.grid.boards(self.options.cancel)?;
        Ok(boards.filter(|boards| {
            self.options.algorithm != Algorithm::Auto || !boards.scattered.is_scattered()
        }))
    }

    /// Goes on with jump-point search. Where that finds that the goal is out of reach, A\* begins.
    fn jump<R: SearchRecorder>(
        &mut self,
        target: Target,
        boards: &'a JumpPointBoards,
        mut state: JumpState,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let before = state.expanded();
        let limits = self.options.limits();
        let memory = &mut self.scratch.jump;
        let jumped = match jump::go_on(boards, &mut state, budget, &limits, memory, recorder)? {
            Progress::Running => {
                self.stage = Stage::Jump {
                    target,
                    boards,
                    state,
                };
                return Ok(Progress::Running);
            }
            Progress::Done(jumped) => jumped,
        };
        match jumped.end {
            End::Goal | End::Limit => Ok(Progress::Done(self.jumped(target, boards, &jumped)?)),
            End::Exhausted | End::Full => {
                let left = budget - (state.expanded() - before);
                recorder.started();
                self.begin_walk(target, jumped.stats, left, recorder)
            }
        }
    }

    /// The answer of jump-point search.
    fn jumped(
        &self,
        target: Target,
        boards: &JumpPointBoards,
        jumped: &Jumped,
    ) -> Result<FoundPath, Cancelled> {
        let (memory, options) = (&self.scratch.jump, &self.options);
        answer::of_jumps(self.start, target, boards, jumped, memory, options.cancel)
    }

    /// Begins with A\*.
    fn begin_walk<R: SearchRecorder>(
        &mut self,
        target: Target,
        before: SearchStats,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let space = target.space(self.grid, &self.options)?.in_units();
        let start = self.grid.node(self.start);
        let start = start.ok_or(FindPathError::StartOutside(self.start))?;
        let limits = self.options.limits();
        let nodes = &mut CellRecorder::new(&space, recorder);
        Teller::new(&space, limits.weights, nodes).start(start);
        let state = grid_astar::begin(&space, start, &limits, self.scratch);
        self.walk(target, before, state, budget, recorder)
    }

    /// Goes on with A\*.
    fn walk<R: SearchRecorder>(
        &mut self,
        target: Target,
        before: SearchStats,
        mut state: GridState,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        let space = target.space(self.grid, &self.options)?.in_units();
        let most = self.options.max_expanded;
        let limits = SearchLimits {
            max_expanded: most.map(|most| most.saturating_sub(before.expanded)),
            ..self.options.limits()
        };
        let scratch = &mut *self.scratch;
        let progress = grid_astar::go_on(&space, &mut state, budget, &limits, scratch, recorder)?;
        let Progress::Done(ended) = progress else {
            self.stage = Stage::Cells {
                target,
                before,
                state,
            };
            return Ok(Progress::Running);
        };
        let is_goal_free = self.grid.is_free(self.goal);
        let mut found =
            answer::of_cells(&space, target, is_goal_free, &ended, &self.options, scratch)?;
        found.stats.expanded = found.stats.expanded.saturating_add(before.expanded);
        found.stats.pushed = found.stats.pushed.saturating_add(before.pushed);
        Ok(Progress::Done(found))
    }
}

pub(crate) fn check_arguments(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions<'_>,
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::cancel::looks;
    use crate::cell::DiagonalPolicy;
    use crate::region::Regions;
    #[cfg(feature = "tables")]
    use crate::tables::SearchTables;
    use crate::tables::Shortcut;

    /// Rooms with doors, a corridor to and fro, and hills if wanted.
    fn map(with_hills: bool) -> Grid {
        let mut random = fastrand::Rng::with_seed(8);
        let grid = Grid::from_fn(260, 200, |Cell { x, y }| match x {
            ..60 => y % 2 == 0 || x == if y % 4 == 1 { 0 } else { 59 },
            60 => y == 0,
            _ => x % 7 != 6 && y % 7 != 6 || random.u8(0..4) == 0,
        });
        let mut builder = grid.expect("a good size").to_builder();
        for cell in builder
            .clone()
            .build()
            .rect()
            .cells()
            .filter(|_| with_hills)
        {
            let cost = 1 + (cell.x / 9 % 5) as u8;
            builder.set_cost(cell, cost).expect("inside");
        }
        builder.build()
    }

    /// From the corridor to the far end of the rooms, on each road that an answer can take.
    fn roads<'a>(
        regions: &'a Regions,
        [plain, baked]: [&'a Shortcut; 2],
    ) -> Vec<(Option<GridFacts<'a>>, PathOptions<'a>)> {
        let astar = PathOptions {
            algorithm: Algorithm::AStar,
            ..PathOptions::default()
        };
        let jump = PathOptions {
            algorithm: Algorithm::JumpPoint,
            ..astar
        };
        let weighted = PathOptions {
            weights: Weights { g: 3, h: 2 },
            ..astar
        };
        let facts = |shortcut| Some(GridFacts { regions, shortcut });
        vec![
            (None, astar),
            (None, jump),
            (None, weighted),
            (facts(plain), jump),
            (facts(baked), PathOptions::default()),
        ]
    }

    #[test]
    fn a_flag_ends_a_search_at_whichever_look_it_is_up_and_nothing_is_left_of_it() {
        let (even, hills) = (map(false), map(true));
        let policy = DiagonalPolicy::NoCornerCut;
        let regions = Regions::of(&even, policy);
        let plain = Shortcut::default();
        #[cfg(not(feature = "tables"))]
        let baked = Shortcut::default();
        #[cfg(feature = "tables")]
        let baked = Shortcut::of(SearchTables::build(&even, policy, None).expect("even ground"));
        let (start, far) = (Cell::new(2, 198), Cell::new(257, 100));
        let wall = Cell::new(258, 104);
        assert!(even.is_free(far) && !even.is_free(wall));
        let mut kept = SearchScratch::new();
        let mut roads = roads(&regions, [&plain, &baked]);
        roads.push(roads[0]);
        let last = roads.len() - 1;
        for (road, goal) in (0..=last).flat_map(|road| [(road, far), (road, wall)]) {
            let (facts, options) = roads[road];
            let mut find = |up_at: usize| {
                // Boards are built anew.
                let grid = if road == last {
                    hills.clone()
                } else {
                    even.clone()
                };
                looks::count(up_at, |cancel: Option<&AtomicBool>| {
                    let options = PathOptions { cancel, ..options };
                    let ground = (&grid, facts);
                    Search::with_facts(ground, start, goal, &options, &mut kept)?.finish(&mut ())
                })
            };
            let (expected, all) = find(usize::MAX);
            let found = expected.clone().expect("the arguments are right");
            assert!(all > 1, "{all} looks: {options:?}");
            assert!(found.stats.expanded as usize / 1024 <= all);
            for up_at in (0..all).step_by(all / 40 + 1) {
                let (answer, looked) = find(up_at);
                assert_eq!(answer, Err(FindPathError::Cancelled));
                assert_eq!(looked, up_at + 1, "it went on: {options:?}");
                assert_eq!(find(usize::MAX).0, expected, "{options:?}");
            }
        }
    }
}
