//! [`NavMap`]: the owner of all data that is derived from walls.

use std::f32;
use std::sync::Arc;

use glam::Vec2;

use super::body::Body;
use super::by_body::LayersByBody;
use super::ground::Ground;
use super::layers::BodyLayers;
use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::{Cell, CellRect, DiagonalPolicy};
use crate::clearance::{Clearance, FIT_TOLERANCE_CELLS};
use crate::cost::STRAIGHT;
use crate::flow::IntegrationField;
use crate::grid::{Grid, GridError};
use crate::search::{FindPathError, FoundPath, Outcome, PathOptions, SearchScratch};
use crate::sight;
use crate::smooth::TautScratch;
use crate::terrain::{AreaCosts, Areas};

/// Factor by which rounding may raise a cost.
pub(super) const COST_ROUNDING_FACTOR: f32 = 1.0 + 1e-5;

/// Memory that the methods of a [`NavMap`] reuse. Each thread needs its own. The methods of [`BodyLayers`] take its
/// field `search`.
#[derive(Debug, Default)]
pub struct NavScratch {
    /// Memory for searches.
    pub search: SearchScratch,
    /// Memory for taut paths.
    pub taut: TautScratch,
}

impl NavScratch {
    /// A scratch that has not allocated anything yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// A map: distances to obstacles, terrain costs, and the cells that bodies of each size and class can walk on.
///
/// A map is immutable; a [`LiveMap`](crate::LiveMap) can be edited. The layers for a radius are computed when they are
/// first needed, in the thread that needs them, while other threads that need them wait. The layers of the 16 most
/// recently used bodies are kept. Maps of more than about 1,700² cells keep as many layers as fit in 256 MiB, but at
/// least 4.
///
/// Terrain costs apply to all paths over cells: in [`find_path`](Self::find_path), [`distance`](Self::distance) and
/// [`field_to`](Self::field_to). A body pays only for the cell that contains its center, whatever its radius.
///
/// All lengths are in cells, and all positions are in cell space, where cell centers lie at whole numbers. A
/// [`Layout`](crate::Layout) converts them to world units.
///
/// # Memory
///
/// Maps from 512² to 16384² cells take 13 to 14 bytes per cell with one radius: 8 for distances, 5 for jump points, and
/// the rest for walls and regions. Each further radius takes 5 to 6 bytes per cell, and a search across the map takes
/// up to 9 bytes per cell while it runs. Maps that are narrow strips take up to 28 bytes per cell, and up to 45 during
/// a search. Terrain costs add 3 to 5 bytes per cell, but if the costs of free cells differ, there are no jump points.
///
/// # Invalid numbers
///
/// A body whose radius is NaN, infinite or above the [cap](Clearance::cap) fits nowhere, and a point with a NaN or
/// infinite coordinate is on no map. With such a body or point, paths and distances return an error:
/// [`BadRadius`](FindPathError::BadRadius), [`StartNotFinite`](FindPathError::StartNotFinite) or
/// [`GoalNotFinite`](FindPathError::GoalNotFinite). No cell is free for such a body, no goal is reachable, and nothing
/// is in sight. A body with a radius of 0 or less is a point.
///
/// # Long operations
///
/// The first call for a radius computes its [`BodyLayers`], which takes some milliseconds for 1024² cells. If you may
/// have to cancel the work, call [`prepare_layers`](Self::prepare_layers) first, and then search the layers with
/// [`BodyLayers::search`].
pub struct NavMap {
    /// Shared with maps on which areas have other costs.
    pub(super) clearance: Arc<Clearance>,
    /// Distances to sight blockers, if not all obstacles block sight.
    pub(super) sight_blockers: Option<Arc<Clearance>>,
    pub(super) ground: Ground,
    pub(super) diagonals: DiagonalPolicy,
    pub(super) by_body: LayersByBody,
}

impl NavMap {
    /// A map with the walls and the terrain costs of a grid. Each wall fills its cell. Bodies may have a radius of up
    /// to `max_radius` cells. The outside of the grid is not a wall.
    ///
    /// `max_radius` is the cap of [`Clearance::open`], clamped to 1..=1024. A value of 4 is enough for bodies up to 8
    /// cells wide.
    #[must_use]
    pub fn new(walls: &Grid, max_radius: f32, diagonals: DiagonalPolicy) -> Self {
        let clearance = Clearance::from_grid(walls, max_radius);
        Self {
            ground: Ground::of_costs(walls),
            ..Self::from_clearance(clearance, diagonals)
        }
    }

    /// A map of obstacles of any shape, which are given by the distances to them. All cells cost 1: see
    /// [`with_costs`](Self::with_costs).
    #[must_use]
    pub fn from_clearance(clearance: Clearance, diagonals: DiagonalPolicy) -> Self {
        Self {
            by_body: LayersByBody::of_cells(clearance.rect().cell_count()),
            clearance: Arc::new(clearance),
            sight_blockers: None,
            ground: Ground::even(),
            diagonals,
        }
    }

    /// Replaces the terrain costs by the costs in the grid `costs`, which must have the size of the map. They apply to
    /// all bodies. The walls of that grid are ignored, but the costs of its walls apply to cells that are free on this
    /// map, now or after an edit.
    ///
    /// # Errors
    ///
    /// Returns [`GridError::OtherSize`] if the sizes differ.
    pub fn with_costs(self, costs: &Grid) -> Result<Self, GridError> {
        self.on(costs.rect(), Ground::of_costs(costs))
    }

    /// Replaces the terrain by areas, with their costs for each [class](Body::class) of bodies. A class that is not in
    /// `classes` has the costs of the first one. The center of a body keeps out of areas that are forbidden to its
    /// class. Areas affect neither distances to obstacles nor sight. Path costs are then in sixteenths of the cost of
    /// plain ground.
    ///
    /// ```
    /// use pursuit::{AreaCosts, Areas, Body, Cell, CellRect, DiagonalPolicy, Grid, NavMap, NavScratch};
    ///
    /// let mut areas = Areas::plain(9, 5)?;
    /// areas.fill(CellRect::new(Cell::new(3, 0), Cell::new(5, 4)), 1);
    /// let walker = AreaCosts::plain().with(1, AreaCosts::FORBIDDEN);
    /// let duck = AreaCosts::plain();
    /// let map = NavMap::new(&Grid::from_fn(9, 5, |_| true)?, 1.0, DiagonalPolicy::NoCornerCut)
    ///     .with_areas(areas, &[walker, duck])?;
    ///
    /// let (from, to, scratch) = (Cell::new(0, 2), Cell::new(8, 2), &mut NavScratch::new());
    /// let body = |class: u8| Body { radius: 0.4, class };
    /// assert!(map.distance(from, to, body(0), scratch)? > Some(8.5), "around the water");
    /// assert_eq!(map.distance(from, to, body(1), scratch)?, Some(8.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`GridError::OtherSize`] if the sizes differ.
    pub fn with_areas(self, areas: Areas, classes: &[AreaCosts]) -> Result<Self, GridError> {
        self.on(areas.rect(), Ground::of_areas(areas, classes))
    }

    /// A map with other costs of the areas for each class. It shares distances and areas with this map, so it is made
    /// in constant time, and it has no layers yet. If this map has no areas, the new map has the same costs.
    #[must_use]
    pub fn with_classes(&self, classes: &[AreaCosts]) -> Self {
        Self {
            clearance: Arc::clone(&self.clearance),
            sight_blockers: self.sight_blockers.clone(),
            ground: match self.areas() {
                Some(areas) => Ground::of_areas(areas.clone(), classes),
                None => self.ground.clone(),
            },
            diagonals: self.diagonals,
            by_body: LayersByBody::of_cells(self.rect().cell_count()),
        }
    }

    fn on(mut self, rect: CellRect, ground: Ground) -> Result<Self, GridError> {
        self.check_size(rect)?;
        self.ground = ground;
        self.by_body = LayersByBody::of_cells(rect.cell_count());
        Ok(self)
    }

    pub(super) fn check_size(&self, rect: CellRect) -> Result<(), GridError> {
        let is_same = rect == self.rect();
        is_same.then_some(()).ok_or(GridError::OtherSize {
            width: self.clearance.width(),
            height: self.clearance.height(),
            other_width: rect.width(),
            other_height: rect.height(),
        })
    }

    /// Sets the distances to the obstacles that block sight. For example, a fence or a chasm stops bodies but not
    /// shots. By default, all obstacles block sight.
    ///
    /// # Errors
    ///
    /// Returns [`GridError::OtherSize`] if the sizes differ.
    pub fn with_sight_blockers(mut self, sight_blockers: Clearance) -> Result<Self, GridError> {
        self.check_size(sight_blockers.rect())?;
        self.sight_blockers = Some(Arc::new(sight_blockers));
        Ok(self)
    }

    /// Distances to the obstacles that block sight. `None` if all obstacles do.
    #[must_use]
    pub fn sight_blockers(&self) -> Option<&Clearance> {
        self.sight_blockers.as_deref()
    }

    /// The area of each cell. `None` if all cells are plain ground.
    #[must_use]
    pub fn areas(&self) -> Option<&Areas> {
        self.ground.areas()
    }

    /// Distances to obstacles.
    #[must_use]
    pub fn clearance(&self) -> &Clearance {
        &self.clearance
    }

    /// The diagonal steps that are allowed.
    #[must_use]
    pub fn diagonals(&self) -> DiagonalPolicy {
        self.diagonals
    }

    /// The rectangle of all cells.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.clearance.rect()
    }

    /// The layers of a body, which say which cells it can walk on. The first call for a body computes them.
    #[must_use]
    pub fn layers(&self, body: impl Into<Body>) -> Arc<BodyLayers> {
        let body = body.into();
        uncancelled(|cancel| self.prepare_layers(body, cancel))
    }

    /// Computes the layers of a body in advance, and returns them. Checks `cancel` for each row and each tile of the
    /// map, and for each layer of the data for jump-point search.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] if `cancel` ends the work before the layers are finished. The work done until then is lost.
    pub fn prepare_layers(
        &self,
        body: impl Into<Body>,
        cancel: Cancel<'_>,
    ) -> Result<Arc<BodyLayers>, Cancelled> {
        let body = body.into();
        let derive = || {
            let (clearance, ground) = (&self.clearance, &self.ground);
            BodyLayers::of(clearance, ground, body, self.diagonals, cancel).map(Arc::new)
        };
        self.by_body.find_or_work_out(body, derive, cancel)
    }

    /// The [`layers`](Self::layers) of a body if they are finished. Otherwise `None`, without computing or waiting.
    #[must_use]
    pub fn layers_if_ready(&self, body: impl Into<Body>) -> Option<Arc<BodyLayers>> {
        self.by_body.find_ready(body.into())
    }

    /// The finished layers that were used recently, on this map or on an earlier or later map of the same
    /// [`LiveMap`](crate::LiveMap).
    #[must_use]
    pub fn layers_in_use(&self) -> Vec<Arc<BodyLayers>> {
        let in_use = self.by_body.in_use().into_iter();
        in_use.filter_map(|(_, layers)| layers).collect()
    }

    /// The cheapest path of a body, as cells: see [`BodyLayers::find_path`].
    ///
    /// # Errors
    ///
    /// Returns the [`FindPathError`] that applies.
    pub fn find_path(
        &self,
        start: Cell,
        goal: Cell,
        body: impl Into<Body>,
        options: &PathOptions,
        scratch: &mut NavScratch,
    ) -> Result<FoundPath, FindPathError> {
        let body = body.into();
        self.check_radius(body.radius)?;
        let layers = self.layers(body);
        layers.find_path(start, goal, options, &mut scratch.search)
    }

    /// An integration field: the cheapest paths of many bodies to the nearest of a few goals. [`BodyLayers::field_to`]
    /// has an example. Goals that are outside the grid, or on which the body does not fit, are ignored, so replace such
    /// a goal by its [`nearest_free`](Self::nearest_free) cell. If no goal remains, no cell has a path.
    #[must_use]
    pub fn field_to(&self, goals: &[Cell], body: impl Into<Body>) -> IntegrationField {
        self.layers(body).field_to(goals)
    }

    /// Length of the cheapest path of a body between two cells, in cells. `None` if there is no path.
    ///
    /// The length is the cost of the path, in straight steps on ground of cost 1. Without terrain, a straight step is 1
    /// cell long and a diagonal step √2 cells. With terrain, the length of each step is multiplied by the mean cost of
    /// its two ends.
    ///
    /// # Errors
    ///
    /// Returns the [`FindPathError`] that applies.
    pub fn distance(
        &self,
        start: Cell,
        goal: Cell,
        body: impl Into<Body>,
        scratch: &mut NavScratch,
    ) -> Result<Option<f64>, FindPathError> {
        let body = body.into();
        self.check_radius(body.radius)?;
        let layers = self.layers(body);
        if layers.grid().is_free(start)
            && layers.grid().contains(goal)
            && !layers.is_reachable(start, goal)
        {
            return Ok(None);
        }
        let found = layers.find_path(start, goal, &PathOptions::default(), &mut scratch.search)?;
        let is_whole = found.outcome == Outcome::Complete;
        let cell = f64::from(STRAIGHT) * f64::from(self.ground.unit());
        Ok(is_whole.then(|| found.path.cost as f64 / cell))
    }

    /// Whether a body can get from one cell to another. This takes no search. `false` if the body does not fit on one
    /// of the cells.
    #[must_use]
    pub fn is_reachable(&self, start: Cell, goal: Cell, body: impl Into<Body>) -> bool {
        self.layers(body).is_reachable(start, goal)
    }

    /// Whether a body can go straight from one point to another: it touches no obstacle, and its center enters no
    /// ground that is forbidden to its class. The cost of the line does not matter.
    #[must_use]
    pub fn can_go_straight(&self, from: Vec2, to: Vec2, body: impl Into<Body>) -> bool {
        self.can_go_straight_within(from, to, body, f32::INFINITY)
    }

    /// Like [`can_go_straight`](Self::can_go_straight), but the line may cost at most `max_cost`, in cells of plain
    /// ground. Pass the cost of the path that the line replaces or, if no path is known, the
    /// [least cost](Self::least_cost).
    #[must_use]
    pub fn can_go_straight_within(
        &self,
        from: Vec2,
        to: Vec2,
        body: impl Into<Body>,
        max_cost: f32,
    ) -> bool {
        let body = body.into();
        self.line_of_sight(from, to, body.radius)
            && self
                .line_cost(from, to, body.class)
                .is_some_and(|cost| cost <= max_cost * COST_ROUNDING_FACTOR)
    }

    /// A lower bound for the cost of a walk over cells between two points, in cells of plain ground: the octile
    /// distance over the cheapest ground that the map has for the [class](Body::class).
    #[must_use]
    pub fn least_cost(&self, from: Vec2, to: Vec2, class: u8) -> f32 {
        let apart = (to - from).abs();
        let octile = apart.max_element() + (f32::consts::SQRT_2 - 1.0) * apart.min_element();
        octile * self.ground.least(class)
    }

    /// The cost of a straight line for a [class](Body::class) of bodies, in cells of plain ground, whatever obstacles
    /// it crosses. `None` if the line enters cells that are forbidden to the class. A line that begins in forbidden
    /// cells may leave them.
    #[must_use]
    pub fn line_cost(&self, from: Vec2, to: Vec2, class: u8) -> Option<f32> {
        self.ground.line_cost((from, to), class)
    }

    /// The cost of the ground at a point for a [class](Body::class), as a multiple of the cost of plain ground. `None`
    /// if the ground is forbidden.
    #[must_use]
    pub fn cost_at(&self, point: Vec2, class: u8) -> Option<f32> {
        let cost = self.ground.cost(Cell::at(point), class)?;
        Some(f32::from(cost) / f32::from(self.ground.unit()))
    }

    /// Whether all ground has the same cost for a [class](Body::class), and nothing is forbidden to it.
    #[must_use]
    pub fn is_even(&self, class: u8) -> bool {
        self.ground.is_even(class)
    }

    /// Whether some cells are forbidden to a class.
    pub(crate) fn forbids(&self, class: u8) -> bool {
        self.ground.forbids(class)
    }

    /// Whether a point lies in a cell that is forbidden to a [class](Body::class).
    #[must_use]
    pub fn is_forbidden(&self, point: Vec2, class: u8) -> bool {
        self.ground.cost(Cell::at(point), class).is_none()
    }

    /// Whether a straight line enters cells that are forbidden to a [class](Body::class). A line that begins in such
    /// cells may leave them.
    #[must_use]
    pub fn enters_forbidden(&self, from: Vec2, to: Vec2, class: u8) -> bool {
        self.line_cost(from, to, class).is_none()
    }

    /// Whether this map and another map of the same size have different distances or areas anywhere in a rectangle,
    /// which lies inside both maps.
    #[must_use]
    pub fn differs_in(&self, other: &Self, rect: CellRect) -> bool {
        let [own, others] = [self, other].map(|map| map.sight_blockers.as_ref());
        self.clearance.differs_in(&other.clearance, rect)
            || own.is_some() != others.is_some()
            || (own.zip(others)).is_some_and(|(own, other)| own.differs_in(other, rect))
            || self.ground.differs_in(&other.ground, rect)
    }

    /// Whether no obstacle blocks a body of this radius on a straight line, whatever the ground costs: see
    /// [`sight::line_of_sight`].
    #[must_use]
    pub fn line_of_sight(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        sight::line_of_sight(&self.clearance, from, to, radius)
    }

    /// Whether no sight blocker comes within `width` cells of a straight line: see
    /// [`with_sight_blockers`](Self::with_sight_blockers).
    #[must_use]
    pub fn sees(&self, from: Vec2, to: Vec2, width: f32) -> bool {
        let sight_blockers = self.sight_blockers.as_ref().unwrap_or(&self.clearance);
        sight::line_of_sight(sight_blockers, from, to, width)
    }

    /// Of all cells on which a body can stand, the one nearest to a point: see [`BodyLayers::nearest_free`].
    #[must_use]
    pub fn nearest_free(&self, point: Vec2, body: impl Into<Body>) -> Option<Cell> {
        self.layers(body).nearest_free(point)
    }

    /// Whether a body of this radius may fit somewhere.
    pub(super) fn check_radius(&self, radius: f32) -> Result<(), FindPathError> {
        let fits = radius.is_finite() && radius - FIT_TOLERANCE_CELLS <= self.clearance.cap();
        fits.then_some(()).ok_or(FindPathError::BadRadius)
    }

    /// Whether the map has all layers that were recently requested from `newer`, and nothing else holds them. If not,
    /// an edit of this map copies some layers. `is_wanted` gets a layer of this map and the same layer of `newer`.
    pub(super) fn owns_all_of(
        &self,
        newer: &Self,
        is_wanted: impl Fn(&BodyLayers, &BodyLayers) -> bool,
    ) -> bool {
        let mut wanted = newer.by_body.in_use().into_iter();
        wanted.all(|(body, newer)| {
            let is_own = |newer: Arc<BodyLayers>| {
                let is_wanted = |own: &BodyLayers| is_wanted(own, &newer);
                self.by_body.is_own(body, is_wanted)
            };
            newer.is_none_or(is_own)
        })
    }

    /// Whether all layers in use are settled.
    pub(super) fn is_settled(&self) -> bool {
        let by_body = self.layers_in_use();
        by_body.iter().all(|layers| layers.is_settled())
    }
}

impl std::fmt::Debug for NavMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NavMap")
            .field("rect", &self.rect())
            .field("diagonals", &self.diagonals)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::steps::assert_asks_and_ends;
    use crate::flow::FieldBounds;

    #[test]
    fn work_on_a_large_map_checks_for_cancellation_in_each_part() {
        const SIDE: u32 = 4096;
        let walls = Grid::from_fn(SIDE, SIDE, |cell| {
            cell.x * cell.y % 97 > 9 || cell.x % 50 == 0
        });
        let walls = walls.expect("a good size");
        let map = NavMap::new(&walls, 2.0, DiagonalPolicy::NoCornerCut);
        let (clearance, ground, body) = (&map.clearance, &map.ground, Body::from(0.4));
        assert_asks_and_ends(SIDE, |cancel| {
            BodyLayers::of(clearance, ground, body, map.diagonals, cancel).map(|_| ())
        });
        let (mut field, center) = (IntegrationField::new(), Cell::new(2000, 2050));
        let seeds = [(center, 0)];
        assert_asks_and_ends(SIDE, |cancel| {
            let (all, policy) = (FieldBounds::default(), map.diagonals);
            field.start_from(&walls, &seeds, all, policy, cancel)?;
            field.settle_to(center.offset(150, 150), cancel)
        });
    }
}
