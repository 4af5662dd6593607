//! The cells that bodies of one radius and class can walk on.

use std::sync::{Arc, OnceLock};

use glam::Vec2;

use super::body::Body;
use super::ground::Ground;
use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::{Cell, CellRect, DiagonalPolicy};
use crate::clearance::Clearance;
use crate::flow::IntegrationField;
use crate::grid::Grid;
use crate::jump::boards::{JumpPointBoards, Skips, is_strip};
use crate::jump::update::UpdateScratch;
use crate::region::{Regions, nearest_free};
use crate::search::known_paths::KnownPaths;
use crate::search::{
    FindPathError, FoundPath, GridFacts, PathOptions, Search, SearchRecorder, SearchScratch,
};

/// The cells that bodies of one radius and class can walk on, and all data that searches for these bodies need. The
/// data is in layers: a grid, its regions, jump points, and tables if they were baked.
///
/// A [`NavMap`](crate::NavMap) has layers for each body. Layers can also be made from a grid alone:
///
/// ```
/// use pursuit::{BodyLayers, Cell, DiagonalPolicy, Grid, PathOptions, SearchScratch};
///
/// let grid = Grid::from_fn(5, 3, |cell| cell.x != 2)?;
/// let layers = BodyLayers::from_grid(grid, DiagonalPolicy::NoCornerCut);
/// let (start, goal) = (Cell::new(0, 1), Cell::new(4, 1));
/// assert!(!layers.is_reachable(start, goal));
/// // The path ends at the reachable cell nearest to the goal. This needs no search of all reachable cells.
/// let mut scratch = SearchScratch::new();
/// let found = layers.find_path(start, goal, &PathOptions::default(), &mut scratch)?;
/// assert_eq!(found.path.end(), Some(Cell::new(1, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodyLayers {
    grid: Grid,
    regions: Regions,
    /// Where walks over the grid stop. Kept by an edit after which searches do not go by jump points.
    pub(super) boards: Option<Box<JumpPointBoards>>,
    body: Body,
    diagonals: DiagonalPolicy,
    known_paths: OnceLock<Arc<dyn KnownPaths>>,
}

impl BodyLayers {
    /// The layers of a grid for points, whose radius is 0. This finds the regions, and computes the data for
    /// jump-point search where it can be used.
    #[must_use]
    pub fn from_grid(grid: Grid, diagonals: DiagonalPolicy) -> Self {
        uncancelled(|cancel| Self::new(grid, Body::default(), diagonals, cancel))
    }

    pub(super) fn of(
        clearance: &Clearance,
        ground: &Ground,
        body: Body,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let mut walls = clearance.decide_walkable(body.radius, diagonals, cancel)?;
        if let Some(close) = ground.closing(body.class, cancel) {
            walls.edit_words(walls.rect(), close)?;
        }
        let grid = Grid::new(walls, ground.costs(body.class), cancel)?;
        Self::new(grid, body, diagonals, cancel)
    }

    /// Makes the layers ready to be edited.
    pub(super) fn prepare_updates(&mut self) {
        if let Some(boards) = &mut self.boards {
            boards.prepare_updates();
        }
    }

    /// Whether the layers can catch up with `newer` and be edited without work that grows with the map.
    pub(super) fn is_ready(&self, newer: &Self) -> bool {
        let newer = newer.boards.as_ref();
        newer.is_none_or(|newer| self.boards.as_ref().is_some_and(|own| own.is_ready(newer)))
    }

    // If an update of the layers is cancelled, they are incomplete and cannot be used.

    /// Updates the layers to distances and areas that changed in some rectangles.
    pub(super) fn redraw(
        &mut self,
        clearance: &Clearance,
        ground: &Ground,
        rects: &[CellRect],
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let (class, body) = (self.body.class, (self.body.radius, self.diagonals));
        clearance.update_walkable(&mut self.grid, body, rects, cancel)?;
        let around = clearance.decided_by(rects);
        if let Some(close) = ground.closing(class, cancel) {
            self.grid.edit_words(around.clone(), close)?;
        }
        ground.recost(class, &mut self.grid, around.clone(), cancel)?;
        if let Some(boards) = &mut self.boards {
            boards.clear_journals();
            boards.update(self.grid.walls().words(), around.clone(), scratch, cancel)?;
        }
        self.update_regions(around, cancel)?;
        self.prepare(cancel)?;
        self.known_paths = OnceLock::new();
        Ok(())
    }

    /// Makes these layers equal to `newer`. Before the call, the two may differ only by edits in `rects`. Boards that
    /// missed several edits may count other cells as dead ends.
    pub(super) fn catch_up(
        &mut self,
        newer: &Self,
        clearance: &Clearance,
        rects: &[CellRect],
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        cancel.check()?;
        let around = clearance.decided_by(rects);
        self.grid.catch_up(&newer.grid, around.clone());
        match (&mut self.boards, &newer.boards) {
            (Some(boards), Some(newer)) => {
                let has_journals = boards.catch_up(newer);
                if !has_journals {
                    boards.update(self.grid.walls().words(), around.clone(), scratch, cancel)?;
                }
            }
            (boards, newer) => boards.clone_from(newer),
        }
        self.update_regions(around, cancel)?;
        self.known_paths = newer.known_paths.clone();
        Ok(())
    }

    /// Whether searches find the same as on layers made from scratch.
    pub(super) fn is_settled(&self) -> bool {
        (self.boards.as_ref()).is_none_or(|boards| boards.is_settled())
    }

    /// Finds the dead ends that edits left unfilled: see [`is_settled`](Self::is_settled).
    pub(super) fn settle(
        &mut self,
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(boards) = &mut self.boards {
            boards.clear_journals();
            boards.settle(self.grid.walls().words(), scratch, cancel)?;
        }
        Ok(())
    }

    fn update_regions(
        &mut self,
        rects: impl Iterator<Item = CellRect>,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let changed = rects.fold(CellRect::EMPTY, |all, rect| all.union(&rect));
        self.regions.follow(self.grid.walls(), changed, cancel)
    }

    fn new(
        grid: Grid,
        body: Body,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let regions = Regions::labeled(grid.walls(), diagonals, cancel)?;
        let mut layers = Self {
            grid,
            regions,
            boards: None,
            body,
            diagonals,
            known_paths: OnceLock::new(),
        };
        layers.prepare(cancel)?;
        Ok(layers)
    }

    /// Computes the data for jump-point search, if the search can use it and it is missing.
    fn prepare(&mut self, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let (width, height) = (self.grid.width(), self.grid.height());
        if self.boards.is_none() && self.can_jump() && !is_strip(width, height) {
            let (words, skips) = (self.grid.walls().words(), Skips::DeadEndsAndDominated);
            let boards = JumpPointBoards::build(words, width, height, skips, cancel)?;
            self.boards = Some(Box::new(boards));
        }
        Ok(())
    }

    /// Whether jump-point search gives the cheapest paths here: all free cells cost the same, and diagonal
    /// steps cut no corners.
    fn can_jump(&self) -> bool {
        self.diagonals == DiagonalPolicy::NoCornerCut && self.grid.uniform_cost().is_some()
    }

    /// The free cells and their costs. A disc with the radius of the bodies that moves along any allowed step between
    /// free cells touches no obstacle.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The connected regions of [`grid`](Self::grid).
    #[must_use]
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Radius of the bodies, in cells.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.body.radius
    }

    /// The bodies that can walk on these cells.
    #[must_use]
    pub fn body(&self) -> Body {
        self.body
    }

    /// The diagonal steps that are allowed.
    #[must_use]
    pub fn diagonals(&self) -> DiagonalPolicy {
        self.diagonals
    }

    /// Paths that were computed in advance and replace searches.
    pub(crate) fn known_paths(&self) -> Option<&dyn KnownPaths> {
        self.known_paths.get().map(AsRef::as_ref)
    }

    /// Sets paths that replace searches, unless the layers already have such paths.
    #[cfg(feature = "tables")]
    pub(crate) fn set_known_paths(&self, paths: Arc<dyn KnownPaths>) {
        self.known_paths.get_or_init(|| paths);
    }

    /// Whether a path joins two cells. This takes no search. `false` if one of the cells is not free.
    #[must_use]
    pub fn is_reachable(&self, start: Cell, goal: Cell) -> bool {
        self.regions.connected(start, goal)
    }

    /// The cheapest path between two cells, including both. If `goal` cannot be reached, the path leads to the
    /// reachable cell nearest to it: see [`Outcome::Partial`](crate::Outcome::Partial). Diagonal steps follow the
    /// policy of these layers, and the policy in `options` is ignored.
    ///
    /// A step costs [`STRAIGHT`](crate::STRAIGHT) or [`DIAGONAL`](crate::DIAGONAL) times the mean of the terrain costs
    /// of its two cells. If `start == goal`, the path is complete and has one cell. The same arguments always give the
    /// same result, whatever the scratch was used for before. If all free cells have the same cost, the search finds
    /// the path for cells of cost 1, and multiplies its cost.
    ///
    /// A search for an unreachable goal takes no longer than a search for the reachable cell nearest to it.
    /// [`Algorithm::Auto`](crate::Algorithm::Auto) reads the path from tables if these are valid for the options.
    ///
    /// # Errors
    ///
    /// Returns the [`FindPathError`] that applies.
    pub fn find_path(
        &self,
        start: Cell,
        goal: Cell,
        options: &PathOptions,
        scratch: &mut SearchScratch,
    ) -> Result<FoundPath, FindPathError> {
        self.search(start, goal, options, scratch)?
            .finish(&mut (), Cancel::NEVER)
    }

    /// Like [`find_path`](Self::find_path), but reports the events of the search to a recorder. Paths from tables have
    /// no events: see [`SearchRecorder`].
    ///
    /// # Errors
    ///
    /// Returns the [`FindPathError`] that applies.
    pub fn find_path_recorded<R: SearchRecorder>(
        &self,
        start: Cell,
        goal: Cell,
        options: &PathOptions,
        scratch: &mut SearchScratch,
        recorder: &mut R,
    ) -> Result<FoundPath, FindPathError> {
        self.search(start, goal, options, scratch)?
            .finish(recorder, Cancel::NEVER)
    }

    /// Like [`find_path`](Self::find_path), but the [`Search`] can run in steps and can be cancelled.
    ///
    /// # Errors
    ///
    /// Returns the [`FindPathError`] that applies if an argument is invalid.
    pub fn search<'a>(
        &'a self,
        start: Cell,
        goal: Cell,
        options: &PathOptions,
        scratch: &'a mut SearchScratch,
    ) -> Result<Search<'a>, FindPathError> {
        let facts = GridFacts {
            grid: &self.grid,
            regions: &self.regions,
            boards: self.boards.as_deref(),
            known_paths: self.known_paths(),
        };
        let options = PathOptions {
            diagonals: self.diagonals,
            ..*options
        };
        Search::with_facts(facts, start, goal, options, scratch)
    }

    /// An integration field: the costs and first steps of the cheapest paths from all cells to the nearest of several
    /// goals. Goals that are blocked or outside the grid are ignored. If no goal remains, no cell has a path.
    ///
    /// ```
    /// use pursuit::maps::parse_ascii;
    /// use pursuit::{Cell, DiagonalPolicy, NavMap, STRAIGHT};
    ///
    /// let level = parse_ascii("A..#....\n...#....\nS......B")?;
    /// let [start, a, b] = ['S', 'A', 'B'].map(|mark| level.find(mark).expect("a mark"));
    /// let nav = NavMap::new(&level.grid, 4.0, DiagonalPolicy::NoCornerCut);
    /// let mut field = nav.layers(0.4).field_to(&[a, b]);
    ///
    /// // The cheapest path to the nearest goal, and that goal.
    /// let path = field.path(start)?.expect("a way");
    /// assert_eq!(path.end(), Some(a));
    /// // The length of the path, in cells, and its cost.
    /// assert_eq!(path.length(), 2.0);
    /// let cost = field.cost(start)?.expect("a way");
    /// assert_eq!(cost, 2 * u64::from(STRAIGHT));
    /// // Every cell of the path.
    /// let way: Vec<Cell> = path.cells().collect();
    /// assert_eq!(way, [start, start.offset(0, -1), a]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The field is computed when it is queried, and only as far as the query needs. To reuse the memory of a field, or
    /// to cancel the work, [start](IntegrationField::start_from) a field on [`grid`](Self::grid).
    #[must_use]
    pub fn field_to(&self, goals: &[Cell]) -> IntegrationField {
        let mut field = IntegrationField::new();
        field.start(&self.grid, goals, self.diagonals);
        field
    }

    /// The free cell whose center is nearest to a point in cell space, which may lie anywhere. If several cells are
    /// equally near, it is the first one, row by row. `None` if no cell is free, or if the point is not finite.
    #[must_use]
    pub fn nearest_free(&self, point: Vec2) -> Option<Cell> {
        nearest_free(&self.grid, point)
    }
}
