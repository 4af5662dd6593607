//! An incremental search on any space.

use std::sync::atomic::AtomicBool;

use super::engine::{Engine, FROM_GOAL};
use super::nodes::INFINITE;
use super::root::Root;
use crate::cancel::{Cancelled, Watch, check};
use crate::search::astar::SpacePath;
use crate::search::options::{FindPathError, Outcome, PartialReason, SearchLimits, SearchStats};
use crate::search::progress::{Progress, finish};
use crate::search::recorder::NodeRecorder;
use crate::search::space::SearchSpace;
use crate::search::work::Work;

/// The tree of cheapest ways that searches through a space keep from one to the next, over edits of the space and
/// moves of both ends. Each answer costs as much as one of a new search, but takes what changed since the last.
///
/// - [`search`](Self::search) moves the ends; the first one begins.
/// - After an edit, [`changed`](Self::changed) is told where, before the next search.
///
/// What the goal of the space is does not matter. Estimates are those of
/// [`SearchSpace::between`]; after an edit they may have grown, not fallen:
/// [`restart`](Self::restart) begins anew where they did. Predecessors have to be right.
///
/// Takes 32 bytes for each node, and some more for each that waits.
///
/// ```
/// use pursuit::search::{GridSpace, Root, SpaceTree};
/// use pursuit::{Cell, DiagonalPolicy, Grid, Heuristic};
///
/// let (start, goal) = (Cell::new(0, 2), Cell::new(6, 2));
/// let space = |grid| GridSpace::new(grid, DiagonalPolicy::NoCornerCut, Heuristic::Octile, goal);
/// let open = Grid::from_fn(7, 5, |_| true)?;
/// let all = space(&open).expect("inside");
/// let node = |cell| all.node(cell).expect("inside");
///
/// let mut tree = SpaceTree::new(Root::Goal);
/// let path = tree.find(&all, node(start), node(goal), None)?.expect("two nodes");
/// assert_eq!(path.nodes.len(), 7);
///
/// // A wall in the way: steps between cells around it change.
/// let wall = Cell::new(3, 2);
/// let closed = Grid::from_fn(7, 5, |cell| cell != wall)?;
/// let around = (1..4).flat_map(|y| (2..5).map(move |x| Cell::new(x, y)));
/// let less = space(&closed).expect("inside");
/// tree.changed(&less, around.map(node));
/// let path = tree.find(&less, node(start), node(goal), None)?.expect("two nodes");
/// assert_eq!(path.nodes.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct SpaceTree {
    root: Root,
    engine: Engine,
    /// Whether the engine holds a search.
    has_begun: bool,
    trail: Vec<u32>,
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
    #[must_use]
    pub fn root(&self) -> Root {
        self.root
    }

    /// Forgets all: the next search is a new one.
    pub fn restart(&mut self) {
        self.has_begun = false;
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
                Root::Goal => self.engine.changed::<S, FROM_GOAL>(space, node),
                Root::Start => self.engine.changed::<S, { !FROM_GOAL }>(space, node),
            }
        }
    }

    /// Moves the ends, and repairs in the steps of what it returns. `None` if one is not a node of the space.
    pub fn search<'a, S: SearchSpace>(
        &'a mut self,
        space: &'a S,
        start: u32,
        goal: u32,
        cancel: Option<&'a AtomicBool>,
    ) -> Option<SpaceIncremental<'a, S>> {
        if start.max(goal) >= space.node_count() {
            return None;
        }
        self.set_ends(space, start, goal);
        Some(SpaceIncremental {
            tree: self,
            space,
            cancel,
        })
    }

    /// The same in one call.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`].
    pub fn find<S: SearchSpace>(
        &mut self,
        space: &S,
        start: u32,
        goal: u32,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<SpacePath>, FindPathError> {
        let Some(mut repair) = self.search(space, start, goal, cancel) else {
            return Ok(None);
        };
        finish(|| repair.step(u32::MAX)).map(Some)
    }

    fn is_about<S: SearchSpace>(&self, space: &S) -> bool {
        self.has_begun && self.engine.nodes.count() == space.node_count()
    }

    /// Both are nodes of the space. Whether the search is a new one.
    pub(super) fn set_ends<S: SearchSpace>(&mut self, space: &S, start: u32, goal: u32) -> bool {
        let (root, tip) = match self.root {
            Root::Goal => (goal, start),
            Root::Start => (start, goal),
        };
        let engine = &mut self.engine;
        (engine.expanded, engine.pushed) = (0, 0);
        let is_kept = self.is_about(space) && !self.engine.is_worn_out();
        let engine = &mut self.engine;
        let moved = is_kept
            && (root == engine.root
                || match self.root {
                    Root::Goal => engine.move_root::<S, FROM_GOAL>(space, root),
                    Root::Start => engine.move_root::<S, { !FROM_GOAL }>(space, root),
                });
        if moved {
            engine.move_tip(tip);
            return false;
        }
        match self.root {
            Root::Goal => engine.start::<S, FROM_GOAL>(space, root, tip),
            Root::Start => engine.start::<S, { !FROM_GOAL }>(space, root, tip),
        }
        self.has_begun = true;
        true
    }

    /// Expands at most `budget` nodes. Whether it is done.
    pub(super) fn repair<S: SearchSpace>(
        &mut self,
        space: &S,
        budget: u32,
        cancel: Option<&AtomicBool>,
        recorder: &mut impl NodeRecorder,
    ) -> Result<bool, Cancelled> {
        check(cancel)?;
        let limits = SearchLimits {
            cancel,
            ..SearchLimits::default()
        };
        let engine = &mut self.engine;
        let mut work = Work::go_on(engine.expanded, budget, &limits);
        let watch = &mut Watch::new(cancel);
        let is_done = match self.root {
            Root::Goal => engine.repair::<S, FROM_GOAL>(space, &mut work, watch, recorder),
            Root::Start => engine.repair::<S, { !FROM_GOAL }>(space, &mut work, watch, recorder),
        };
        engine.expanded = work.expanded();
        is_done
    }

    /// Writes the path, end first, and returns its cost; the start alone where there is none.
    pub(super) fn trace<S: SearchSpace>(
        &mut self,
        space: &S,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<u64>, Cancelled> {
        let (engine, trail, watch) = (&self.engine, &mut self.trail, &mut Watch::new(cancel));
        let cost = engine.cost();
        if cost == INFINITE {
            trail.clear();
            trail.push(match self.root {
                Root::Goal => engine.tip,
                Root::Start => engine.root,
            });
            return Ok(None);
        }
        match self.root {
            Root::Goal => {
                engine.trace::<S, FROM_GOAL>(space, trail, watch)?;
                trail.reverse();
            }
            Root::Start => engine.trace::<S, { !FROM_GOAL }>(space, trail, watch)?,
        }
        Ok(Some(cost))
    }

    pub(super) fn trail(&self) -> &[u32] {
        &self.trail
    }

    pub(super) fn stats(&self, cost: u64) -> SearchStats {
        SearchStats {
            expanded: self.engine.expanded,
            pushed: self.engine.pushed,
            cost,
        }
    }
}

/// A search that is being brought up to date with where its ends are: [`SpaceTree::search`] starts one.
///
/// May be dropped at any time; the next one goes on with what is left.
pub struct SpaceIncremental<'a, S> {
    tree: &'a mut SpaceTree,
    space: &'a S,
    cancel: Option<&'a AtomicBool>,
}

impl<S: SearchSpace> SpaceIncremental<'_, S> {
    /// Goes on and expands at most `budget` nodes. Where no path leads to the goal, the path is the start alone:
    /// [`PartialReason::Unreachable`]. A step after the answer gives it again.
    ///
    /// Stats count from the search on, a node once when a cheaper way to it is followed up, and once when its
    /// way is gone.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`]. A later step goes on where this one ended.
    pub fn step(&mut self, budget: u32) -> Result<Progress<SpacePath>, FindPathError> {
        let Self {
            tree,
            space,
            cancel,
        } = self;
        if !tree.repair(*space, budget, *cancel, &mut ())? {
            return Ok(Progress::Running);
        }
        let cost = tree.trace(*space, *cancel)?;
        Ok(Progress::Done(SpacePath {
            nodes: tree.trail.iter().rev().copied().collect(),
            cost: cost.unwrap_or(0),
            outcome: match cost {
                Some(_) => Outcome::Complete,
                None => Outcome::Partial(PartialReason::Unreachable),
            },
            stats: tree.stats(cost.unwrap_or(0)),
        }))
    }
}

impl<S> std::fmt::Debug for SpaceIncremental<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpaceIncremental")
            .field("tree", &self.tree)
            .finish_non_exhaustive()
    }
}
