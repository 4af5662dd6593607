//! An anytime search on any space.

use super::engine;
use super::options::{AnytimeWeights, BoundedPath, Improvement};
use super::state::AnytimeState;
use crate::search::astar::SpacePath;
use crate::search::options::FindPathError;
use crate::search::recorder::SearchRecorder;
use crate::search::scratch::SearchScratch;
use crate::search::space::SearchSpace;

/// A search through a [`SearchSpace`] that has an answer soon, and a better one each time it is asked, until
/// that is the cheapest.
///
/// Each answer tells its [bound](BoundedPath::bound). It is proven: the least cost that a path can have which
/// the search has not ruled out. So it is often far below the weight that the answer was found with. It falls
/// from answer to answer, and that of the last one is 1.
///
/// - Where the space promises [consistent](crate::search::Guarantee::Consistent) estimates, no node is expanded twice
///   for one answer.
/// - Where it promises nothing, estimates lead the search and prove nothing. Bounds count the costs so far
///   alone, so the first ones are high, and the last answer takes a search without estimates. It is the
///   cheapest all the same.
///
/// Between two steps the search rests in its scratch, which is borrowed until the search is dropped. It has
/// no limit: budgets of steps add up to one, and the last answer stays the best known.
///
/// ```
/// use pursuit::planners::{AnytimeWeights, SpaceAnytime};
/// use pursuit::GridSpace;
/// use pursuit::{Cell, DiagonalPolicy, Grid, Heuristic, SearchScratch};
///
/// let grid = Grid::from_fn(40, 40, |cell| cell.x != 20 || cell.y == 39)?;
/// let policy = DiagonalPolicy::NoCornerCut;
/// let space = GridSpace::new(&grid, policy, Heuristic::Octile, Cell::new(39, 0)).expect("inside");
/// let start = space.node(Cell::new(0, 0)).expect("inside");
/// let mut scratch = SearchScratch::new();
/// let weights = AnytimeWeights::default();
/// let mut search = SpaceAnytime::start(&space, start, weights, &mut scratch)?.expect("a node");
/// let (mut answers, mut is_last) = (Vec::new(), false);
/// while !is_last {
///     // In a game: a frame.
///     let step = search.step(100, &mut ())?;
///     is_last = step.is_last();
///     answers.extend(step.answer());
/// }
/// assert!(answers[0].bound <= 3.0);
/// assert!(answers.is_sorted_by(|a, b| b.bound <= a.bound && b.path.cost <= a.path.cost));
/// assert_eq!(answers.last().map(|best| best.bound), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SpaceAnytime<'a, S> {
    space: &'a S,
    start: u32,
    weights: AnytimeWeights,
    scratch: &'a mut SearchScratch,
    /// `None` before the first step.
    state: Option<AnytimeState>,
}

impl<'a, S: SearchSpace> SpaceAnytime<'a, S> {
    /// A search from `start` to the goal of a space, before its first step. `None` when `start` is not a
    /// node of the space: that is looked at first.
    ///
    /// # Errors
    ///
    /// [`FindPathError::BadAnytimeWeights`].
    pub fn start(
        space: &'a S,
        start: u32,
        weights: AnytimeWeights,
        scratch: &'a mut SearchScratch,
    ) -> Result<Option<Self>, FindPathError> {
        if start >= space.node_count() {
            return Ok(None);
        }
        weights.check()?;
        Ok(Some(Self {
            space,
            start,
            weights,
            scratch,
            state: None,
        }))
    }

    /// Goes on and expands at most `budget` nodes. Ends before if there is something to tell. Tells `recorder` what the
    /// search does in this step; `&mut ()` does not listen. Each new weight of the estimate is
    /// [told](SearchRecorder::passed) as two whole numbers, and f is by these.
    ///
    /// What takes no expansion comes on top: a look at all open nodes for each answer, and the writing of
    /// the path. A step after the last answer gives it again. One after an error begins the search again.
    ///
    /// # Errors
    ///
    /// None once the search has started.
    pub fn step<R: SearchRecorder<u32>>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Improvement<BoundedPath>, FindPathError> {
        let before = self.state.take();
        let (space, scratch) = (self.space, &mut *self.scratch);
        let mut state = match before {
            Some(state) => state,
            None => engine::begin(space, self.start, self.weights, scratch, recorder),
        };
        let told = engine::go_on(space, &mut state, budget, scratch, recorder)?;
        self.state = Some(state);
        Ok(told.with(|| self.answer(&state)))
    }

    fn answer(&self, state: &AnytimeState) -> BoundedPath {
        let (stop, bound) = state.ended();
        BoundedPath {
            path: SpacePath {
                nodes: self.scratch.trail.iter().rev().copied().collect(),
                cost: state.written,
                outcome: stop.outcome(None),
                stats: state.stats(),
            },
            bound,
        }
    }
}

impl<S> std::fmt::Debug for SpaceAnytime<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpaceAnytime")
            .field("start", &self.start)
            .field("weights", &self.weights)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
