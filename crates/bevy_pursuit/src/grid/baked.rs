//! One baked state of a grid: immutable, and shared by every task and system that reads it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::entity::MapEntities;
use bevy::math::DVec2;
use bevy::prelude::*;
use pursuit::{
    AreaCosts, Areas, Body, BodyLayers, Cell, CellRect, Clearance, DiagonalPolicy, GridError,
    Layout, LayoutError, NavMap, sight,
};
use thiserror::Error;

use super::changes::TileChanges;
use super::obstacle_layers::ObstacleLayers;
use crate::agent::{GridPlane, NavBody, NavFrame, NavOrder};
use crate::grid::ObstacleIndex;

/// Maximum distance beyond the reach of an order at which a path still counts as ending at the goal, in body radii.
const END_TOLERANCE_RADII: f32 = 0.1;

/// Fraction of a body's radius that paths keep clear of obstacles.
///
/// A little less than 1, so that a body may touch walls on its path: a corridor may be exactly as wide as the body, and
/// a body that rests against a wall still stands on free ground.
pub const FIT_FRACTION: f32 = 0.99;

/// Fraction of a body's radius. The goal, and a straight line to the goal, have to be at least this far from obstacles.
pub(crate) const LINE_FRACTION: f32 = 0.1;

/// Least planning radius of a body, in cells. Without it, a point could go through a thin wall.
const MIN_RADIUS_CELLS: f32 = 0.01;

/// Why a [`NavGrid`](crate::NavGrid) cannot be baked.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The node radius is not a finite number above zero.
    #[error("node_radius must be finite and above zero, got {0}")]
    NodeRadius(f32),
    /// The greatest clearance is not a finite number of at least one cell.
    #[error("max_clearance_cells must be finite and at least 1 cell, got {0}")]
    MaxClearance(f32),
    /// The bounds have no area, or their corners are swapped.
    #[error(
        "bounds must be wider and higher than 0, with min below max, got {} to {}, which is {} x {}",
        .0.min,
        .0.max,
        .0.width(),
        .0.height()
    )]
    Bounds(Rect),
    /// The grid's [`NavFrame`] is not a valid plane.
    #[error(
        "NavFrame: the origin must be finite, and the axes of length 1 and at a right angle, got {0:?}"
    )]
    Frame(NavFrame),
    /// The bounds are not finite, or contain too many cells.
    #[error("bounds: {0}")]
    Layout(#[from] LayoutError),
}

/// The latest bake of a [`NavGrid`](crate::NavGrid). Empty until the first bake is done. Written by this crate.
///
/// A grid at rest takes the memory of two maps, even if it never changes: the baked map, and a copy ready for the next
/// edit. With one radius in use, each map takes 13 to 14 bytes per cell on grids of 512² cells or more: about 15 MB at
/// 1024². Each further radius adds 5 to 6 bytes per cell to each of the two maps.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[component(map_entities)]
#[reflect(Component, Default, Clone, Debug)]
pub struct BakedGrid {
    #[reflect(ignore)]
    pub(crate) snapshot: Option<Arc<NavSnapshot>>,
    #[reflect(ignore)]
    pub(crate) error: Option<BakeError>,
    #[reflect(ignore)]
    pub(crate) is_baking: bool,
    /// Whether the map will be replaced by a settled one, although nothing is edited.
    #[reflect(ignore)]
    pub(crate) is_unsettled: bool,
    /// The obstacles as of the latest bake.
    #[reflect(ignore)]
    pub(crate) obstacles: Option<Arc<ObstacleIndex>>,
    /// Where the cells will be. Used while there is no snapshot.
    #[reflect(ignore)]
    pub(crate) layout: Option<Layout>,
    /// The layers whose obstacles block this grid.
    #[reflect(ignore)]
    pub(crate) layers: ObstacleLayers,
    /// Where the grid is in the world. While there is a snapshot, this is the frame that the snapshot was baked for.
    #[reflect(ignore)]
    pub(crate) plane: GridPlane,
}

impl MapEntities for BakedGrid {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let index = self.obstacles.iter_mut();
        index.for_each(|index| Arc::make_mut(index).map_entities(mapper));
    }
}

impl BakedGrid {
    /// A grid that the game baked itself. This is for games that disable the
    /// [`BakePlugin`](crate::plugins::BakePlugin), which would overwrite the grid.
    ///
    /// Insert the component beside a [`NavGrid`](crate::NavGrid), whose bounds decide which agents plan on the grid.
    /// Give each new snapshot a higher generation: paths planned on an older one are then checked again. A grid from a
    /// snapshot does not know the entities of its obstacles, so [`what_blocks`](crate::Navigation::what_blocks) returns
    /// none.
    pub fn from_snapshot(snapshot: impl Into<Arc<NavSnapshot>>) -> Self {
        Self {
            snapshot: Some(snapshot.into()),
            ..Self::default()
        }
    }

    /// Sets where a snapshot that the game baked itself is in the world. The component [`NavFrame`] is then
    /// ignored.
    #[must_use]
    pub fn in_frame(mut self, frame: NavFrame) -> Self {
        self.plane = frame.into();
        self
    }

    /// Where the latest snapshot is in the world: the [`NavFrame`] that it was baked for.
    pub fn frame(&self) -> &NavFrame {
        self.plane.frame()
    }

    /// The plane of a grid; without a grid, the XY plane.
    pub(crate) fn plane_of(grid: Option<&Self>) -> &GridPlane {
        grid.map_or(&GridPlane::XY, |grid| &grid.plane)
    }

    /// The latest snapshot; `None` before the first bake, or if the grid cannot be baked.
    pub fn snapshot(&self) -> Option<&Arc<NavSnapshot>> {
        self.snapshot.as_ref()
    }

    /// Whether a path that ends at `end` misses the goal of its order: `end` is not within reach, although the body fits
    /// at the goal. The distances of the snapshot cannot always prove that the body fits, so this function measures the
    /// distances to the obstacles themselves.
    pub(crate) fn is_goal_missed(&self, order: &NavOrder, end: Vec2) -> bool {
        let is_off = end.distance(order.goal) > order.reach + END_TOLERANCE_RADII * order.radius;
        is_off && self.fits_at_goal(order)
    }

    /// Whether the body of an order fits at its goal, measured by the obstacles themselves. `false` for a flight.
    pub(crate) fn fits_at_goal(&self, order: &NavOrder) -> bool {
        let Some((snapshot, index)) = self.snapshot.as_ref().zip(self.obstacles.as_ref()) else {
            return false;
        };
        let (goal, layout) = (order.goal, snapshot.layout());
        let low = layout.min_corner() + order.radius;
        let is_inside = goal == goal.clamp(low, low.max(layout.max_corner() - order.radius));
        is_inside && !order.is_flight() && !snapshot.is_forbidden(goal, order.class) && {
            let radius = snapshot.radius_cells(order.radius).into();
            let at = layout.to_cell_space_f64(goal.as_dvec2());
            index.nearer_than(radius, at).is_empty()
        }
    }

    /// Whether a task is working on a newer snapshot. `false` means that the snapshot shows the colliders as
    /// they were at the end of this frame. A change of this value does not trigger change detection.
    pub fn is_baking(&self) -> bool {
        self.is_baking
    }

    /// Why the grid cannot be baked; `None` if it can.
    pub fn error(&self) -> Option<&BakeError> {
        self.error.as_ref()
    }
}

/// Distances to obstacles at the time when a bake began. Bodies of any radius can be checked against them.
///
/// Positions are in grid coordinates, lengths in world units. The planning radius of a body is [`FIT_FRACTION`] times
/// its radius.
pub struct NavSnapshot {
    layout: Layout,
    map: Arc<NavMap>,
    generation: u64,
    changes: TileChanges,
}

impl NavSnapshot {
    /// A snapshot of `clearance`, whose cells are placed by `layout`.
    pub fn new(
        layout: Layout,
        clearance: Clearance,
        diagonals: DiagonalPolicy,
        generation: u64,
    ) -> Self {
        Self {
            layout,
            map: NavMap::from_clearance(clearance, diagonals).into(),
            generation,
            changes: TileChanges::new(&layout, generation),
        }
    }

    /// Replaces the ground of this snapshot, for [`BakedGrid::from_snapshot`]. `areas` has the size of the
    /// layout; `classes` are the costs of the areas for each [class](crate::NavAgent::class) of agents.
    ///
    /// # Errors
    ///
    /// [`GridError::OtherSize`] if the size differs.
    pub fn with_areas(self, areas: Areas, classes: &[AreaCosts]) -> Result<Self, GridError> {
        let map = NavMap::from_clearance(self.clearance().clone(), self.diagonals());
        Ok(Self {
            map: map.with_areas(areas, classes)?.into(),
            ..self
        })
    }

    /// The next snapshot, with `map`, which may differ from the map of this snapshot only in `rects`. `None` if it does
    /// not differ.
    pub(crate) fn after(&self, map: &Arc<NavMap>, rects: &[CellRect]) -> Option<Self> {
        let generation = self.generation + 1;
        let differs = |rect| map.differs_in(&self.map, rect);
        let changes = self.changes.after(generation, map.rect(), differs, rects)?;
        Some(Self {
            map: map.clone(),
            generation,
            changes,
            ..*self
        })
    }

    /// A later snapshot, with `map`, whose ground may differ everywhere.
    pub(crate) fn with_changed_map(&self, map: &Arc<NavMap>, generation: u64) -> Self {
        Self {
            layout: self.layout,
            map: map.clone(),
            generation,
            changes: TileChanges::new(&self.layout, generation),
        }
    }

    /// A later snapshot with the same areas at other costs.
    pub(crate) fn with_classes(&self, classes: &[AreaCosts], generation: u64) -> Self {
        let map = self.map.with_classes(classes);
        self.with_changed_map(&map.into(), generation)
    }

    /// This snapshot with another map of the same distances.
    pub(crate) fn with_map(&self, map: &Arc<NavMap>) -> Self {
        Self {
            map: map.clone(),
            changes: self.changes.clone(),
            ..*self
        }
    }

    /// Where the cells are, in grid coordinates.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Distances to obstacles, in cells.
    pub fn clearance(&self) -> &Clearance {
        self.map.clearance()
    }

    /// Which diagonal steps are allowed.
    pub fn diagonals(&self) -> DiagonalPolicy {
        self.map.diagonals()
    }

    /// Generation of the snapshot: grows with each bake of the same grid entity.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The planning radius for a body of `radius`, in cells. For a radius that is not a finite number `>= 0.0`
    /// it is infinite, so that the body fits nowhere.
    pub fn radius_cells(&self, radius: f32) -> f32 {
        if radius.is_finite() && radius >= 0.0 {
            (FIT_FRACTION * radius / self.layout.cell_size()).max(MIN_RADIUS_CELLS)
        } else {
            f32::INFINITY
        }
    }

    /// The largest body radius for which distances are known, in world units. A larger body finds no free cell.
    pub fn max_radius(&self) -> f32 {
        self.clearance().cap() * self.layout.cell_size() / FIT_FRACTION
    }

    /// The cells that a body can walk on.
    ///
    /// The layers are computed at the first call for a body. That call may take milliseconds, or wait for another
    /// thread that computes the same layers. The layers of the 16 latest bodies are kept, or of fewer bodies on [large
    /// maps](NavMap). A new snapshot already has the layers that were recently used on the snapshot before.
    pub fn layers(&self, body: impl Into<NavBody>) -> Arc<BodyLayers> {
        self.map.layers(self.in_cells_of(body.into()))
    }

    /// Like [`layers`](Self::layers), but `None` if `cancel` becomes `true` before the layers are there.
    pub(crate) fn prepare_layers(
        &self,
        body: NavBody,
        cancel: &AtomicBool,
    ) -> Option<Arc<BodyLayers>> {
        let body = self.in_cells_of(body);
        self.map.prepare_layers(body, cancel.into()).ok()
    }

    /// Like [`layers`](Self::layers), but `None` instead of computing or waiting.
    pub fn layers_if_ready(&self, body: impl Into<NavBody>) -> Option<Arc<BodyLayers>> {
        self.map.layers_if_ready(self.in_cells_of(body.into()))
    }

    pub(super) fn in_cells_of(&self, body: NavBody) -> Body {
        Body {
            radius: self.radius_cells(body.radius),
            class: body.class.0,
        }
    }

    /// The map in units of cells, with everything that the core can answer.
    pub fn map(&self) -> &Arc<NavMap> {
        &self.map
    }

    /// Whether a distance to an obstacle changed in `area` (world units) after `generation`, in tiles of 8 × 8 cells.
    /// Also `true` if the grid was baked from nothing since then, because older changes are unknown.
    pub(crate) fn changed_since(&self, generation: u64, area: Rect) -> bool {
        let [min, max] = [area.min, area.max].map(|corner| self.in_cells(corner));
        self.changes.area_changed_since(generation, min, max)
    }

    /// The tiles of 8 × 8 cells in which a distance to an obstacle changed after `generation`, in cells. All
    /// tiles if the grid was baked from nothing since then. Tiles at the border may extend beyond the grid.
    ///
    /// The iteration also visits the unchanged tiles between the changes, in nanoseconds per tile.
    pub fn changed_tiles(&self, generation: u64) -> impl Iterator<Item = CellRect> {
        self.changes.tiles_since(generation)
    }

    /// Like [`changed_since`](Self::changed_since), for everything within `radius` of the line from `from` to
    /// `to` (world units).
    pub(crate) fn segment_changed_since(
        &self,
        generation: u64,
        from: Vec2,
        to: Vec2,
        radius: f32,
    ) -> bool {
        let [from, to] = [from, to].map(|end| self.in_cells(end));
        let reach = f64::from(radius) / f64::from(self.layout.cell_size());
        self.changes
            .segment_changed_since(generation, from, to, reach)
    }

    fn in_cells(&self, position: Vec2) -> DVec2 {
        self.layout.to_cell_space_f64(position.as_dvec2())
    }

    /// Whether a body at `position` is inside the grid, touches no obstacle, and is not on ground that is
    /// forbidden to its class. `false` if the distances cannot prove that it touches no obstacle.
    pub fn free(&self, position: Vec2, body: impl Into<NavBody>) -> bool {
        let (body, point) = (body.into(), self.layout.to_cell_space(position));
        self.layout.cell_at(position).is_some()
            && sight::clearance_at(self.clearance(), point) >= self.radius_cells(body.radius)
            && !self.is_forbidden(position, body.class)
    }

    /// Whether a body can go straight from `from` to `to` with `room` times its radius clear around it.
    ///
    /// The body touches no obstacle, and its center enters no cell that is forbidden to its class. A line that starts
    /// in such cells may cross them until it leaves them, however far that is. The cost of the ground does not matter.
    /// `false` if the distances cannot prove it, or if an end is outside the grid.
    pub fn can_go_straight(
        &self,
        from: Vec2,
        to: Vec2,
        body: impl Into<NavBody>,
        room: f32,
    ) -> bool {
        let [from, to] = [from, to].map(|position| self.layout.to_cell_space(position));
        let body = self.in_cells_of(body.into().scaled(room));
        self.map.can_go_straight(from, to, body)
    }

    /// Whether no obstacle blocks a line of sight or a shot of this half width, in world units. Whether anything can
    /// walk there does not matter. `false` if the distances cannot prove it, or if an end is outside the grid.
    pub fn sees(&self, from: Vec2, to: Vec2, half_width: f32) -> bool {
        let [from, to] = [from, to].map(|position| self.layout.to_cell_space(position));
        self.map.sees(from, to, self.radius_cells(half_width))
    }

    /// Whether no obstacle is in the way of a body of this radius. The kind of ground does not matter.
    pub(crate) fn is_open(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let [from, to] = [from, to].map(|position| self.layout.to_cell_space(position));
        self.map.line_of_sight(from, to, self.radius_cells(radius))
    }

    /// Like [`is_open`](Self::is_open), between a point and the center of a cell, for a line of this half width. The
    /// clearance at the center alone settles most cases: if it exceeds the half width plus the length of the line, no
    /// obstacle is in the way.
    pub(crate) fn is_open_to_center(&self, point: Vec2, cell: Cell, half_width: f32) -> bool {
        let center = self.layout.center(cell);
        let spare = self.clearance().center(cell) - self.radius_cells(half_width);
        let max_distance = spare * self.layout.cell_size();
        max_distance > 0.0 && center.distance_squared(point) < max_distance * max_distance
            || self.is_open(point, center, half_width)
    }

    /// Fraction of the line from `from` to `to` that a body of `radius` can go before an obstacle stops it,
    /// `0.0..=1.0`.
    pub fn visible_fraction(&self, from: Vec2, to: Vec2, radius: f32) -> f32 {
        let [from, to] = [from, to].map(|position| self.layout.to_cell_space(position));
        sight::visible_fraction(self.clearance(), from, to, self.radius_cells(radius))
    }

    /// A proven lower bound of the distance from `position` to the nearest obstacle, in world units, capped at
    /// the grid's `max_clearance_cells`.
    pub fn clearance_at(&self, position: Vec2) -> f32 {
        sight::clearance_at(self.clearance(), self.layout.to_cell_space(position))
            * self.layout.cell_size()
    }
}

impl fmt::Debug for NavSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NavSnapshot")
            .field("layout", &self.layout)
            .field("diagonals", &self.diagonals())
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use pursuit::LiveMap;

    use super::*;

    /// 8 by 4 cells of 2 units from (-8, 0), with an obstacle on the border between columns 3 and 4.
    fn snapshot() -> NavSnapshot {
        let layout = Layout::new(Vec2::new(-8.0, 0.0), 2.0, 8, 4).unwrap();
        let mut clearance = Clearance::open(8, 4, 3.0).unwrap();
        for cell in layout.rect().cells() {
            let distance = (cell.x as f32 - 3.5).abs();
            clearance.limit_center(cell, distance);
            if cell.x == 3 {
                clearance.limit_step(cell, pursuit::Step::PlusX, 0.0);
            }
        }
        NavSnapshot::new(layout, clearance, DiagonalPolicy::Never, 7)
    }

    #[test]
    fn layers_use_the_planning_radius() {
        let snapshot = snapshot();
        assert!(snapshot.layers_if_ready(1.0).is_none());
        let layers = snapshot.layers(1.0);
        assert!(Arc::ptr_eq(
            &layers,
            &snapshot.layers_if_ready(1.0).unwrap()
        ));
        assert_eq!(layers.radius(), 0.495);
    }

    #[test]
    fn threads_that_ask_at_once_share_the_same_layers() {
        let snapshot = snapshot();
        let all = std::thread::scope(|scope| {
            let asking = [0; 8].map(|_| scope.spawn(|| snapshot.layers(1.0)));
            asking.map(|thread| thread.join().unwrap())
        });
        assert!(all.iter().all(|layers| Arc::ptr_eq(layers, &all[0])));
    }

    #[test]
    fn larger_bodies_fit_on_fewer_cells_and_invalid_radii_on_none() {
        let snapshot = snapshot();
        let free = |radius: f32| snapshot.layers(radius).grid().free_count();
        assert_eq!((free(1.0), free(1.1), free(5.0)), (28, 24, 16));
        assert_eq!(snapshot.max_radius(), 6.0 / FIT_FRACTION);
        for radius in [6.1_f32, f32::INFINITY, f32::NAN, -1.0] {
            assert_eq!(free(radius), 0, "radius {radius}");
            assert!(
                !snapshot.free(Vec2::new(-7.0, 1.0), radius),
                "radius {radius}"
            );
        }
    }

    #[test]
    fn a_point_does_not_step_through_a_wall() {
        let layers = snapshot().layers(0.0);
        assert!(!layers.regions().connected(Cell::new(0, 0), Cell::new(7, 0)));
    }

    #[test]
    fn positions_outside_of_the_grid_are_not_free() {
        let snapshot = snapshot();
        assert!(snapshot.free(Vec2::new(-7.0, 1.0), 1.0));
        assert!(!snapshot.free(Vec2::new(-9.0, 1.0), 0.0));
        assert!(!snapshot.free(Vec2::splat(f32::NAN), 0.0));
    }

    #[test]
    fn a_snapshot_reports_changes_in_world_units() {
        let first = snapshot();
        let mut live = LiveMap::new(first.map().clone());
        let rects = [CellRect::new(Cell::new(0, 0), Cell::new(1, 1))];
        let edited = live.edit(&rects, |clearance| {
            clearance.limit_center(Cell::new(0, 0), 0.0)
        });
        assert_eq!(edited, Ok(true));
        let second = first.after(live.map(), &rects).unwrap();
        assert_eq!(second.generation(), 8);
        assert!(second.after(live.map(), &rects).is_none());
        // The grid is 16 by 8 units, one tile, from (-8, 0).
        let near = Rect::new(-7.0, 1.0, -6.0, 2.0);
        let far = Rect::new(20.0, 1.0, 30.0, 2.0);
        assert!(second.changed_since(7, near) && !second.changed_since(7, far));
        let tile = CellRect::new(Cell::new(0, 0), Cell::new(8, 8));
        let tiles = |since: u64| second.changed_tiles(since).collect::<Vec<_>>();
        assert_eq!(tiles(7), [tile], "not only the changed tile");
        assert_eq!(tiles(8), [], "changes after the latest bake");
        assert_eq!(
            tiles(6),
            [tile],
            "not all tiles for a generation before the first bake"
        );
        assert!(!second.changed_since(8, near));
        assert!(
            second.changed_since(6, far),
            "unknown changes before the first bake"
        );
        let (west, east) = (Vec2::new(20.0, 4.0), Vec2::new(30.0, 4.0));
        assert!(!second.segment_changed_since(7, west, east, 5.0));
        assert!(second.segment_changed_since(7, west, east, 12.0));
    }
}
