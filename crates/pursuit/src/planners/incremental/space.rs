//! An incremental search on any space.

use super::engine::Engine;
use super::nodes::INFINITE;
use super::reversed::Reversed;
use super::root::Root;
use crate::cancel::Cancelled;
use crate::grid::Grid;
use crate::search::astar::SpacePath;
use crate::search::options::{FindPathError, SearchStats};
use crate::search::progress::{Progress, finish};
use crate::search::recorder::SearchRecorder;
use crate::search::space::SearchSpace;
use crate::search::work::{Stop, Work};

/// The root follows its end when it is farther from it than this part of what the path costs.
const LAG: u64 = 2;

/// The tree of cheapest ways that searches through a space keep from one to the next, over edits of the space and
/// moves of both ends. Each path is as cheap as that of a new search, and only what changed since the last one has to be
/// searched.
///
/// - [`search`](Self::search) moves the ends; the first one begins.
/// - After an edit, [`changed`](Self::changed) is told where, before the next search.
///
/// What the goal of the space is does not matter. Estimates are those of
/// [`SearchSpace::between`]; after an edit they may have grown, not fallen:
/// [`restart`](Self::restart) begins again where they did. Predecessors have to be right: where they contradict the
/// steps, paths are missed or cannot be walked.
///
/// Takes 32 bytes for each node, and some more for each that waits.
///
/// ```
/// use pursuit::planners::{Root, SpaceTree};
/// use pursuit::GridSpace;
/// use pursuit::{Cell, DIAGONAL, DiagonalPolicy, Grid, Heuristic, STRAIGHT};
///
/// let (start, goal) = (Cell::new(0, 2), Cell::new(6, 2));
/// let space = |grid| GridSpace::new(grid, DiagonalPolicy::NoCornerCut, Heuristic::Octile, goal);
/// let open = Grid::from_fn(7, 5, |_| true)?;
/// let all = space(&open).expect("inside");
/// let node = |cell| all.node(cell).expect("inside");
///
/// let mut tree = SpaceTree::new(Root::Goal);
/// let path = tree.find(&all, node(start), node(goal))?.expect("two nodes");
/// assert_eq!(path.cost, 6 * u64::from(STRAIGHT));
///
/// // A wall in the way: steps between cells around it change.
/// let wall = Cell::new(3, 2);
/// let closed = Grid::from_fn(7, 5, |cell| cell != wall)?;
/// let around = (1..4).flat_map(|y| (2..5).map(move |x| Cell::new(x, y)));
/// let less = space(&closed).expect("inside");
/// tree.changed(&less, around.map(node));
/// let path = tree.find(&less, node(start), node(goal))?.expect("two nodes");
/// assert_eq!(path.cost, 4 * u64::from(STRAIGHT) + 2 * u64::from(DIAGONAL));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct SpaceTree {
    root: Root,
    engine: Engine,
    state: State,
    /// Nodes expanded since it began.
    grown: u64,
    /// Where the end is by now that the root is for. Paths to the root lead over it, or else the root follows.
    lead: u32,
    /// The last path, from the tip to `lead`, if it is a whole one.
    trail: Vec<u32>,
    /// What the path costs; [`INFINITE`] for none.
    cost: u64,
}

/// What the engine of a tree holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    /// Nothing of use.
    #[default]
    Nothing,
    /// A search begun for the ends as they are, of which no recorder knows yet.
    Begun,
    /// The same, and recorders know.
    Fresh,
    /// A search begun for other ends.
    Kept,
    /// The same, and its root moved: what recorders heard before counts from another one.
    Moved,
}

impl SpaceTree {
    /// Without a search. Allocates nothing yet.
    #[must_use]
    pub fn new(root: Root) -> Self {
        Self {
            root,
            ..Self::default()
        }
    }

    /// At which end the tree has its root.
    pub(super) fn root(&self) -> Root {
        self.root
    }

    /// Forgets all: the next search is a new one.
    pub fn restart(&mut self) {
        self.state = State::Nothing;
    }

    /// Forgets all: the next search is on a grid of that size.
    pub(super) fn restart_on(&mut self, grid: &Grid) {
        self.restart();
        self.engine.nodes.set_grid(grid);
    }

    /// Takes in an edit of the space: for each step that came, went, or costs something else, the nodes at both
    /// its ends. On a grid these are the cells that changed and the eight around each. Others may be
    /// among them.
    pub fn changed<S: SearchSpace>(&mut self, space: &S, nodes: impl IntoIterator<Item = u32>) {
        if !self.is_about(space) {
            self.restart();
            return;
        }
        for node in nodes {
            match self.root {
                Root::Goal => self.engine.changed(&Reversed(space), node),
                Root::Start => self.engine.changed(space, node),
            }
        }
    }

    /// Moves the ends, and repairs in the steps of what it returns. `None` if one is not a node of the space.
    pub fn search<'a, S: SearchSpace>(
        &'a mut self,
        space: &'a S,
        start: u32,
        goal: u32,
    ) -> Option<SpaceIncremental<'a, S>> {
        if start.max(goal) >= space.node_count() {
            return None;
        }
        self.set_ends(space, start, goal);
        Some(SpaceIncremental { tree: self, space })
    }

    /// The same in one call.
    ///
    /// # Errors
    ///
    /// None once the search has started.
    pub fn find<S: SearchSpace>(
        &mut self,
        space: &S,
        start: u32,
        goal: u32,
    ) -> Result<Option<SpacePath>, FindPathError> {
        let Some(mut repair) = self.search(space, start, goal) else {
            return Ok(None);
        };
        finish(|| repair.step(u32::MAX, &mut ())).map(Some)
    }

    fn is_about<S: SearchSpace>(&self, space: &S) -> bool {
        self.state != State::Nothing && self.engine.nodes.count() == space.node_count()
    }

    /// Both are nodes of the space.
    pub(super) fn set_ends<S: SearchSpace>(&mut self, space: &S, start: u32, goal: u32) {
        let (lead, tip) = match self.root {
            Root::Goal => (goal, start),
            Root::Start => (start, goal),
        };
        let is_kept = self.is_about(space) && !self.engine.is_worn_out();
        (self.engine.expanded, self.engine.pushed) = (0, 0);
        self.lead = lead;
        if is_kept && (self.can_lag(lead) || self.move_root(space)) {
            self.engine.move_tip(tip);
            if self.state == State::Fresh {
                self.state = State::Kept;
            }
        } else {
            self.begin(space, tip);
        }
    }

    /// Whether the root may stay where it is, though its end is somewhere else by now: the cheapest path of before
    /// leads over that place, so the next one may, too.
    fn can_lag(&self, lead: u32) -> bool {
        if lead == self.engine.root {
            return true;
        }
        let depth = self.engine.depth(lead);
        let is_near = depth.is_some_and(|depth| depth.saturating_mul(LAG) <= self.cost);
        self.cost != INFINITE && is_near && self.trail.contains(&lead)
    }

    /// The root follows its end, if that is in the tree.
    fn move_root<S: SearchSpace>(&mut self, space: &S) -> bool {
        let is_moved = match self.root {
            Root::Goal => self.engine.move_root(&Reversed(space), self.lead),
            Root::Start => self.engine.move_root(space, self.lead),
        };
        if is_moved {
            self.state = State::Moved;
        }
        is_moved
    }

    fn begin<S: SearchSpace>(&mut self, space: &S, tip: u32) {
        match self.root {
            Root::Goal => self.engine.start(&Reversed(space), self.lead, tip),
            Root::Start => self.engine.start(space, self.lead, tip),
        }
        self.state = State::Begun;
        self.grown = 0;
        self.cost = INFINITE;
    }

    /// Nodes expanded since the tree was begun.
    pub(super) fn grown(&self) -> u64 {
        self.grown
    }

    /// Tells what the tree holds from searches before, for a recorder that heard none of them. Nothing where it
    /// was begun anew: the next repair tells all of it.
    pub(super) fn tell_known<S: SearchSpace>(
        &mut self,
        space: &S,
        recorder: &mut impl SearchRecorder<u32>,
    ) {
        if self.state == State::Begun {
            return;
        }
        recorder.started();
        match self.root {
            Root::Goal => self.engine.tell_known(&Reversed(space), recorder),
            Root::Start => self.engine.tell_known(space, recorder),
        }
        if self.state == State::Moved {
            self.state = State::Kept;
        }
    }

    /// Expands at most `budget` nodes. Whether it is done: then the path is in the trail.
    pub(super) fn repair<S: SearchSpace, R: SearchRecorder<u32>>(
        &mut self,
        space: &S,
        budget: u32,
        recorder: &mut R,
    ) -> Result<bool, Cancelled> {
        let mut work = Work::without_limit(self.engine.expanded, budget);
        loop {
            if self.state == State::Begun {
                recorder.started();
                self.state = State::Fresh;
            }
            if R::LISTENS && self.state == State::Moved {
                self.tell_known(space, recorder);
            }
            let engine = &mut self.engine;
            let before = work.expanded();
            let is_done = match self.root {
                Root::Goal => engine.repair(&Reversed(space), &mut work, recorder),
                Root::Start => engine.repair(space, &mut work, recorder),
            };
            engine.expanded = work.expanded();
            self.grown += u64::from(work.expanded() - before);
            if !is_done? {
                return Ok(false);
            }
            if self.trace(space) {
                return Ok(true);
            }
            let is_at_end = self.lead == self.engine.root;
            if is_at_end && matches!(self.state, State::Fresh | State::Nothing) {
                // A space whose steps and predecessors contradict each other.
                self.give_up();
                return Ok(true);
            }
            if is_at_end || !self.move_root(space) {
                self.begin(space, self.engine.tip);
            }
        }
    }

    /// Writes the path and its cost, or the start alone where there is none. `false` if there is one, but not over
    /// where the root's end is.
    fn trace<S: SearchSpace>(&mut self, space: &S) -> bool {
        let lead = self.lead;
        self.cost = INFINITE;
        let cost = self.engine.cost_from(lead);
        if cost == INFINITE {
            self.write_no_path();
            // From a root that is somewhere else, this says nothing.
            return lead == self.engine.root;
        }
        let (engine, trail) = (&self.engine, &mut self.trail);
        let is_whole = match self.root {
            Root::Goal => engine.trace(&Reversed(space), lead, trail),
            Root::Start => engine.trace(space, lead, trail),
        };
        if is_whole {
            self.cost = cost;
        }
        is_whole
    }

    /// There is no path; and the next search is a new one.
    fn give_up(&mut self) {
        self.restart();
        self.write_no_path();
    }

    /// Writes the start alone.
    fn write_no_path(&mut self) {
        self.cost = INFINITE;
        self.trail.clear();
        self.trail.push(match self.root {
            Root::Goal => self.engine.tip,
            Root::Start => self.lead,
        });
    }

    /// What the path costs that was found last; `None` if there is none.
    pub(super) fn cost(&self) -> Option<u64> {
        (self.cost != INFINITE).then_some(self.cost)
    }

    /// Why that path ends where it does.
    pub(super) fn stop(&self) -> Stop {
        self.cost().map_or(Stop::Exhausted, |_| Stop::Goal)
    }

    /// The nodes of that path, the goal first if the root is for the start, and else last.
    pub(super) fn trail(&self) -> &[u32] {
        &self.trail
    }

    /// The work since the ends were set.
    pub(super) fn stats(&self) -> SearchStats {
        SearchStats {
            expanded: self.engine.expanded,
            pushed: self.engine.pushed,
        }
    }
}

/// A search that is being brought up to date with where its ends are: [`SpaceTree::search`] starts one.
///
/// May be dropped at any time; the next one goes on with what is left.
pub struct SpaceIncremental<'a, S> {
    tree: &'a mut SpaceTree,
    space: &'a S,
}

impl<S: SearchSpace> SpaceIncremental<'_, S> {
    /// Goes on and expands at most `budget` nodes. Where no path leads to the goal, the path is the start alone:
    /// [`PartialReason::Unreachable`](crate::PartialReason::Unreachable). A step after the answer gives it again.
    ///
    /// Stats count from the search on, a node once when a cheaper way to it is followed up, and once when its
    /// way is gone.
    ///
    /// Tells `recorder` what the search does in this step; `&mut ()` does not listen. It has
    /// [`started`](SearchRecorder::started) when the tree begins again. So it has when the root of the tree moves,
    /// also on the way: then it tells again [what is known](Self::tell_known), since costs are those from the root of the
    /// tree; `u64::MAX` where an edit left no way. Else it adds to what was told before, and first tells what edits
    /// changed.
    ///
    /// # Errors
    ///
    /// None once the search has started.
    pub fn step<R: SearchRecorder<u32>>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<SpacePath>, FindPathError> {
        let Self { tree, space } = self;
        if !tree.repair(*space, budget, recorder)? {
            return Ok(Progress::Running);
        }
        let mut nodes = tree.trail().to_vec();
        if tree.root == Root::Start {
            nodes.reverse();
        }
        Ok(Progress::Done(SpacePath {
            nodes,
            cost: tree.cost().unwrap_or(0),
            outcome: tree.stop().outcome(None),
            stats: tree.stats(),
        }))
    }

    /// Tells a recorder that heard of no search before what the tree holds from them, so that what
    /// [`step`](Self::step) adds makes sense alone: [`started`](SearchRecorder::started), then each
    /// known node: as [`Change::Settled`](crate::Change::Settled) those that the last search expanded, as
    /// [`Change::Known`](crate::Change::Known) those that waited when it ended. Nothing where the tree begins again.
    /// To be called before the first step: after it, what edits changed is told as known.
    ///
    /// - The parent is the one from the last search, before edits since then.
    /// - g counts from where the root is now, and is at least 0.
    /// - h leads to where the other end is now.
    /// - The root and the one before it are told as they are now.
    ///
    /// # Errors
    ///
    /// None once the search has started.
    pub fn tell_known<R: SearchRecorder<u32>>(
        &mut self,
        recorder: &mut R,
    ) -> Result<(), FindPathError> {
        self.tree.tell_known(self.space, recorder);
        Ok(())
    }
}

impl<S> std::fmt::Debug for SpaceIncremental<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpaceIncremental")
            .field("tree", &self.tree)
            .finish_non_exhaustive()
    }
}
