//! An incremental search on a grid whose regions are known.

use super::root::Root;
use super::seen::{Rules, Seen};
use super::space::SpaceTree;
use crate::cell::{Cell, CellRect};
use crate::grid::Grid;
use crate::path::Path;
use crate::search::answer::{self, Target};
use crate::search::facts::GridFacts;
use crate::search::grid_space::GridSpace;
use crate::search::options::{FindPathError, FoundPath, Heuristic, PathOptions};
use crate::search::progress::{Progress, finish};
use crate::search::recorder::{Mapped, SearchRecorder};
use crate::search::sliced::check_arguments;
use crate::search::space::{Guarantee, SearchSpace};

/// Edits of so many cells are always followed.
const FEW: usize = 64;

/// The tree of cheapest ways that searches for one walker keep from one to the next, over edits of the map and
/// moves of both ends: [`BodyLayers::replan`](crate::BodyLayers::replan) finds a path with it.
///
/// Each path is as cheap as that of a new search, and only what changed since the last one has to be searched. That
/// pays where cells differ in what they cost; where all cost the same, a new jump-point search takes less. It
/// follows any layers: those of an edited map are compared with the last, cell by cell in words of 64. With those of
/// another size or policy it begins from scratch.
///
/// Takes 32 bytes per cell, up to 43 where rows end in padding to whole words. Small maps take up to a mebibyte more.
/// Cells that wait take some more, on maps of a few rows or columns up to 22 bytes per cell.
///
/// ```
/// use pursuit::planners::{IncrementalTree, Root};
/// use pursuit::{Cell, CellRect, DiagonalPolicy, Grid, LiveMap, NavMap, PathOptions};
///
/// // A wall with two doors.
/// let walls = Grid::from_fn(60, 60, |cell| cell.x != 30 || cell.y == 10 || cell.y == 50)?;
/// let mut live = LiveMap::new(NavMap::new(&walls, 1.0, DiagonalPolicy::NoCornerCut));
/// let (start, goal) = (Cell::new(2, 8), Cell::new(57, 8));
/// let mut tree = IncrementalTree::new(Root::Goal);
///
/// let layers = live.map().layers(0.4);
/// let path = layers.replan(start, goal, &PathOptions::default(), &mut tree)?.path;
/// assert!(path.cells().any(|cell| cell == Cell::new(30, 10)));
///
/// let door = CellRect::new(Cell::new(30, 10), Cell::new(31, 11));
/// assert!(live.fill(door, false));
///
/// // From where the walker is by now, around the door that closed.
/// let layers = live.map().layers(0.4);
/// let here = path.cells().nth(12).expect("a path that long");
/// let path = layers.replan(here, goal, &PathOptions::default(), &mut tree)?.path;
/// assert!(path.cells().any(|cell| cell == Cell::new(30, 50)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct IncrementalTree {
    tree: SpaceTree,
    seen: Option<Seen>,
    changes: Vec<Cell>,
}

impl IncrementalTree {
    /// Without a search. Allocates nothing yet.
    #[must_use]
    pub fn new(root: Root) -> Self {
        Self {
            tree: SpaceTree::new(root),
            ..Self::default()
        }
    }

    /// Forgets all: the next search is a new one.
    pub fn restart(&mut self) {
        self.tree.restart();
    }

    /// Takes in how the grid of a space differs from the last one.
    fn follow(&mut self, grid: &Grid, space: &GridSpace<'_>, rules: Rules) {
        let mut known = self.seen.take();
        let goes_on = match &mut known {
            Some(seen) => seen.follow(grid, rules, &mut self.changes),
            None => false,
        };
        if !goes_on {
            // Before there is another one, or both would be held.
            drop(known);
            self.tree.restart_on(grid);
            self.seen = Some(Seen::new(grid, rules));
            return;
        }
        // Where more changed than the tree took, a new one takes less.
        if self.changes.len() > FEW && self.changes.len() as u64 * 4 > self.tree.grown() {
            self.tree.restart();
        } else {
            for &cell in &self.changes {
                let around = CellRect::new(cell, cell.offset(1, 1)).grow(1);
                let nodes = around.cells().filter_map(|cell| space.node(cell));
                self.tree.changed(space, nodes);
            }
        }
        self.seen = known;
    }
}

/// One search on a [`BodyLayers`](crate::BodyLayers) with what an [`IncrementalTree`] keeps, in steps:
/// [`BodyLayers::incremental`](crate::BodyLayers::incremental) starts one.
///
/// May be dropped at any time; the next one goes on with what is left.
#[derive(Debug)]
pub struct IncrementalSearch<'a> {
    grid: &'a Grid,
    target: Target,
    start: Cell,
    options: PathOptions,
    tree: &'a mut IncrementalTree,
}

impl<'a> IncrementalSearch<'a> {
    /// Brings the tree up to date with the grid and the ends. `options` hold the policy that `facts` are about.
    pub(crate) fn with_facts(
        (grid, facts): (&'a Grid, GridFacts<'a>),
        (start, goal): (Cell, Cell),
        options: &PathOptions,
        tree: &'a mut IncrementalTree,
    ) -> Result<Self, FindPathError> {
        check_arguments(grid, start, goal, options)?;
        let target = Target::of(facts.regions, start, goal);
        let mut search = Self {
            grid,
            target,
            start,
            options: *options,
            tree,
        };
        let mut space = target.space(grid, &search.options)?;
        if space.guarantee() != Guarantee::Consistent {
            search.options.heuristic = Heuristic::Octile;
            space = target.space(grid, &search.options)?;
        }
        let rules = Rules {
            diagonals: options.diagonals,
            heuristic: search.options.heuristic,
            cheapest: space.cheapest,
        };
        let tree = &mut *search.tree;
        tree.follow(grid, &space, rules);
        let (start, goal) = (space.node(start), space.node(target.cell));
        if let (Some(start), Some(goal)) = (start, goal) {
            tree.tree.set_ends(&space, start, goal);
        }
        Ok(search)
    }

    /// Goes on and expands at most `budget` cells, and tells `recorder` what the search does in this step: see
    /// [`SpaceIncremental::step`](super::SpaceIncremental::step). A step after the answer gives it again.
    ///
    /// Stats count from the start of this search on: a cell once when a cheaper way to it is followed up, and
    /// once when its way is gone.
    ///
    /// # Errors
    ///
    /// None once the search has started.
    pub fn step<R: SearchRecorder>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<FoundPath>, FindPathError> {
        if self.start == self.target.cell {
            return Ok(Progress::Done(self.target.stand()));
        }
        let space = self.target.space(self.grid, &self.options)?;
        let recorder = &mut Mapped::new(|node| space.cell(node), recorder);
        let tree = &mut self.tree.tree;
        if !tree.repair(&space, budget, recorder)? {
            return Ok(Progress::Running);
        }
        let mut turns = answer::turns(&space, tree.trail());
        if tree.root() == Root::Goal {
            // The trail of such a tree goes from the start to the end.
            turns.reverse();
        }
        Ok(Progress::Done(FoundPath {
            path: Path {
                turns,
                cost: tree.cost().unwrap_or(0),
            },
            outcome: tree.stop().outcome(self.target.shortfall),
            bound: 1.0,
            stats: tree.stats(),
        }))
    }

    /// Tells a recorder that heard of no search before what the tree holds from them: see
    /// [`SpaceIncremental::tell_known`](super::SpaceIncremental::tell_known). Nothing where the start is the goal, for
    /// then nothing is searched.
    ///
    /// # Errors
    ///
    /// None once the search has started.
    pub fn tell_known<R: SearchRecorder>(&mut self, recorder: &mut R) -> Result<(), FindPathError> {
        if self.start == self.target.cell {
            return Ok(());
        }
        let space = self.target.space(self.grid, &self.options)?;
        let recorder = &mut Mapped::new(|node| space.cell(node), recorder);
        let tree = &mut self.tree.tree;
        tree.tell_known(&space, recorder);
        Ok(())
    }

    /// Steps until there is an answer.
    pub(crate) fn finish(mut self) -> Result<FoundPath, FindPathError> {
        finish(|| self.step(u32::MAX, &mut ()))
    }
}
