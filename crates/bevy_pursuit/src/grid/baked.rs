//! One baked state of a grid: immutable, shared by every task and system that reads it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::component::Component;
use bevy::ecs::entity::{EntityMapper, MapEntities};
use bevy::ecs::prelude::ReflectComponent;
use bevy::math::{DVec2, Rect, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::{
    AreaCosts, Areas, Body, BodyLayers, Cell, CellRect, Clearance, DiagonalPolicy, GridError,
    Layout, LayoutError, NavMap, sight,
};
use thiserror::Error;

use super::changes::TileChanges;
use super::obstacle_layers::ObstacleLayers;
use crate::agent::{NavBody, NavFrame, Plane};
use crate::grid::ObstacleIndex;

/// Paths keep this share of a body's radius clear of obstacles.
///
/// A little less than all of it, so that touching counts as fitting: a body may be exactly half as
/// wide as a corridor, and one that rests against a wall still stands on free ground.
pub const FIT: f32 = 0.99;

/// Part of a body's radius that a line to its goal has to be clear for.
pub(crate) const LINE: f32 = 0.1;

/// Least radius that paths are planned for, in cells: a point may not pass through a thin wall.
const LEAST_RADIUS_CELLS: f32 = 0.01;

/// Why a [`NavGrid`](crate::NavGrid) cannot be baked.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The node radius is not a finite number above zero.
    #[error("node_radius must be finite and above zero, got {0}")]
    NodeRadius(f32),
    /// The greatest clearance is not a finite number from one cell up.
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
    /// The grid's frame is no plane.
    #[error(
        "NavFrame: the origin must be finite, and the axes of length 1 and at a right angle, got {0:?}"
    )]
    Frame(NavFrame),
    /// The bounds are not finite, or hold too many cells.
    #[error("bounds: {0}")]
    Layout(#[from] LayoutError),
}

/// The latest bake of a [`NavGrid`](crate::NavGrid). Empty until the first one is done.
/// Written by this crate.
///
/// A grid that rests takes the memory of two maps: the baked one, and a copy ready for the next edit, also where
/// nothing ever changes. With one radius in use, each of them takes 13 to 14 bytes per cell on grids of 512² cells or
/// more: some 15 MB at 1024². Each further radius adds 5 to 6 bytes per cell to both.
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
    /// Whether the map will be replaced by one that settled, though nothing is edited.
    #[reflect(ignore)]
    pub(crate) is_unsettled: bool,
    /// The obstacles as of the latest bake.
    #[reflect(ignore)]
    pub(crate) obstacles: Option<Arc<ObstacleIndex>>,
    /// Where the cells will lie, while there is no snapshot.
    #[reflect(ignore)]
    pub(crate) layout: Option<Layout>,
    /// What is an obstacle for the grid.
    #[reflect(ignore)]
    pub(crate) layers: ObstacleLayers,
    /// Where the grid lies. While there is a snapshot, the frame that it was baked for.
    #[reflect(ignore)]
    pub(crate) frame: Plane,
}

impl MapEntities for BakedGrid {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let index = self.obstacles.iter_mut();
        index.for_each(|index| Arc::make_mut(index).map_entities(mapper));
    }
}

impl BakedGrid {
    /// A grid that the game baked itself, for games that disable the
    /// [`BakePlugin`](crate::plugins::BakePlugin). That plugin bakes over it.
    ///
    /// Goes beside a [`NavGrid`](crate::NavGrid), whose bounds say which agents plan on it. Give
    /// each new snapshot a higher generation: paths planned on an older one are looked at again. It does not know
    /// which entities its obstacles are, so that
    /// [`what_blocks`](crate::Navigation::what_blocks) names none.
    pub fn from_snapshot(snapshot: impl Into<Arc<NavSnapshot>>) -> Self {
        Self {
            snapshot: Some(snapshot.into()),
            ..Self::default()
        }
    }

    /// Sets where a snapshot that the game baked itself lies in the world. The component [`NavFrame`] does not count then.
    #[must_use]
    pub fn in_frame(mut self, frame: NavFrame) -> Self {
        self.frame = frame.into();
        self
    }

    /// Where the latest snapshot lies in the world: the [`NavFrame`] that it was baked for.
    pub fn frame(&self) -> &NavFrame {
        self.frame.frame()
    }

    /// The frame of a grid; without one, places are those of the plane of X and Y.
    pub(crate) fn frame_of(grid: Option<&Self>) -> &Plane {
        grid.map_or(&Plane::XY, |grid| &grid.frame)
    }

    /// The latest snapshot; `None` before the first bake and when the grid cannot be baked.
    pub fn snapshot(&self) -> Option<&Arc<NavSnapshot>> {
        self.snapshot.as_ref()
    }

    /// Whether a task is at work on a newer snapshot. `false` means that the snapshot shows the
    /// colliders as they were at the end of this frame; change detection does not tell.
    pub fn is_baking(&self) -> bool {
        self.is_baking
    }

    /// Why the grid cannot be baked, if it cannot.
    pub fn error(&self) -> Option<&BakeError> {
        self.error.as_ref()
    }
}

/// Distances to obstacles as they were when a bake began, and what follows from them for bodies of
/// any radius.
///
/// Positions are in the frame of the grid, lengths in world units. A body's planning radius is [`FIT`] times its radius.
pub struct NavSnapshot {
    layout: Layout,
    map: Arc<NavMap>,
    generation: u64,
    changes: TileChanges,
}

impl NavSnapshot {
    /// A snapshot of `clearance`, whose cells lie as `layout` says.
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

    /// The snapshot on other ground: areas, of the size of its layout, and what they cost each
    /// [class](crate::NavAgent::class) of agents.
    ///
    /// For [`BakedGrid::from_snapshot`].
    ///
    /// # Errors
    ///
    /// [`GridError::OtherSize`].
    pub fn with_areas(self, areas: Areas, classes: &[AreaCosts]) -> Result<Self, GridError> {
        let map = NavMap::from_clearance(self.clearance().clone(), self.diagonals());
        Ok(Self {
            map: map.with_areas(areas, classes)?.into(),
            ..self
        })
    }

    /// The snapshot after this one, of a map that differs from this one's in `rects`. `None` if none does
    /// anywhere.
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

    /// A snapshot after this one, of a map on which all ground may be another.
    pub(crate) fn on_other_ground(&self, map: &Arc<NavMap>, generation: u64) -> Self {
        Self {
            layout: self.layout,
            map: map.clone(),
            generation,
            changes: TileChanges::new(&self.layout, generation),
        }
    }

    /// The snapshot on which the same areas cost the classes otherwise.
    pub(crate) fn with_classes(&self, classes: &[AreaCosts], generation: u64) -> Self {
        let map = self.map.with_classes(classes);
        self.on_other_ground(&map.into(), generation)
    }

    /// This snapshot with another map of the same distances.
    pub(crate) fn with_map(&self, map: &Arc<NavMap>) -> Self {
        Self {
            map: map.clone(),
            changes: self.changes.clone(),
            ..*self
        }
    }

    /// Where the cells lie in the frame of the grid.
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

    /// Grows by one with each bake of the same grid entity.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The planning radius for a body of `radius`, in cells. Infinite, and so fitting nowhere, for
    /// a radius that is not a finite number `>= 0.0`.
    pub fn radius_cells(&self, radius: f32) -> f32 {
        if radius.is_finite() && radius >= 0.0 {
            (FIT * radius / self.layout.cell_size()).max(LEAST_RADIUS_CELLS)
        } else {
            f32::INFINITY
        }
    }

    /// The largest body radius for which distances are known, in world units. No cell is free for
    /// a larger one.
    pub fn max_radius(&self) -> f32 {
        self.clearance().cap() * self.layout.cell_size() / FIT
    }

    /// What a body can walk on.
    ///
    /// Computed on first use for each body; a call may take milliseconds then, or wait for another
    /// thread that computes them. The layers of the 16 latest bodies are kept, fewer on [large maps](NavMap). A new
    /// snapshot comes with the layers that were lately in use before it.
    pub fn layers(&self, body: impl Into<NavBody>) -> Arc<BodyLayers> {
        self.map.layers(self.in_cells_of(body.into()))
    }

    /// As [`layers`](Self::layers); `None` once `cancel` is `true` and the layers are not there yet.
    pub(crate) fn layers_until(
        &self,
        body: NavBody,
        cancel: &AtomicBool,
    ) -> Option<Arc<BodyLayers>> {
        self.map.layers_until(self.in_cells_of(body), cancel).ok()
    }

    /// As [`layers`](Self::layers), but `None` instead of computing or waiting.
    pub fn layers_if_ready(&self, body: impl Into<NavBody>) -> Option<Arc<BodyLayers>> {
        self.map.layers_if_ready(self.in_cells_of(body.into()))
    }

    pub(super) fn in_cells_of(&self, body: NavBody) -> Body {
        Body {
            radius: self.radius_cells(body.radius),
            class: body.class.0,
        }
    }

    /// The map of the cells, in their units: all that the core can tell.
    pub fn map(&self) -> &Arc<NavMap> {
        &self.map
    }

    /// Whether a distance to an obstacle changed in `area` (world units) after `generation`, in
    /// tiles of 8 × 8 cells. `true` if that is too long ago to tell: the grid was baked from
    /// nothing since then.
    pub(crate) fn changed_since(&self, generation: u64, area: Rect) -> bool {
        let [min, max] = [area.min, area.max].map(|corner| self.in_cells(corner));
        self.changes.area_changed_since(generation, min, max)
    }

    /// The tiles of 8 × 8 cells in which a distance to an obstacle changed after `generation`, in cells. All
    /// tiles if the grid was baked from nothing since then. Those at the border may reach beyond the grid.
    ///
    /// Takes time for what lies between the changes, too: nanoseconds per tile.
    pub fn changed_tiles(&self, generation: u64) -> impl Iterator<Item = CellRect> {
        self.changes.tiles_since(generation)
    }

    /// As [`changed_since`](Self::changed_since), for what is within `radius` of the way from
    /// `from` to `to` (world units).
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

    /// Whether a body at `position` is inside the grid and touches no obstacle, as far as the distances can prove, nor
    /// stands where its class may not.
    pub fn free(&self, position: Vec2, body: impl Into<NavBody>) -> bool {
        let (body, point) = (body.into(), self.layout.to_cell_space(position));
        self.layout.cell_at(position).is_some()
            && sight::clearance_at(self.clearance(), point) >= self.radius_cells(body.radius)
            && !self.is_forbidden(position, body.class)
    }

    /// Whether a body with `room` times its radius around it can go straight from `from` to `to`: it touches no
    /// obstacle, and its center enters no cell that is forbidden to its class, though it may leave some, however far that
    /// is. What the way costs is not asked. `false` where the distances cannot prove it, and when an end is outside the
    /// grid.
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

    /// Whether no obstacle is in the way of a look or a shot that is `2 * width` wide, in world units. Whether anybody
    /// can walk there is not asked. `false` where the distances cannot prove it, and when an end is outside the grid.
    pub fn sees(&self, from: Vec2, to: Vec2, width: f32) -> bool {
        let [from, to] = [from, to].map(|position| self.layout.to_cell_space(position));
        self.map.sees(from, to, self.radius_cells(width))
    }

    /// Whether no obstacle is in the way of a body of this radius, whatever the ground is.
    pub(crate) fn is_open(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let [from, to] = [from, to].map(|position| self.layout.to_cell_space(position));
        self.map.line_of_sight(from, to, self.radius_cells(radius))
    }

    /// As [`is_open`](Self::is_open), between a point and the center of a cell. Settled by the distance at the center where
    /// that is enough: the way is no nearer to an obstacle than that less its length.
    pub(crate) fn is_open_to_center(&self, point: Vec2, cell: Cell, width: f32) -> bool {
        let center = self.layout.center(cell);
        let spare = self.clearance().center(cell) - self.radius_cells(width);
        let most = spare * self.layout.cell_size();
        most > 0.0 && center.distance_squared(point) < most * most
            || self.is_open(point, center, width)
    }

    /// How much of the way from `from` to `to` a body of `radius` can go straight, `0.0..=1.0`.
    pub fn visible_fraction(&self, from: Vec2, to: Vec2, radius: f32) -> f32 {
        let [from, to] = [from, to].map(|position| self.layout.to_cell_space(position));
        sight::visible_fraction(self.clearance(), from, to, self.radius_cells(radius))
    }

    /// A proven lower bound of the distance from `position` to the nearest obstacle, in world
    /// units, capped at the grid's `max_clearance_cells`.
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

    /// 8 × 4 cells of 2 units from (-8, 0), with an obstacle on the border between columns 3 and 4.
    fn snapshot() -> NavSnapshot {
        let layout = Layout::new(Vec2::new(-8.0, 0.0), 2.0, 8, 4).unwrap();
        let mut clearance = Clearance::open(8, 4, 3.0).unwrap();
        for cell in layout.rect().cells() {
            let distance = (cell.x as f32 - 3.5).abs();
            clearance.lower_center(cell, distance);
            if cell.x == 3 {
                clearance.lower_step(cell, pursuit::Step::PlusX, 0.0);
            }
        }
        NavSnapshot::new(layout, clearance, DiagonalPolicy::Never, 7)
    }

    #[test]
    fn layers_are_those_of_the_planning_radius() {
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
    fn larger_bodies_fit_on_fewer_cells_and_no_number_fits_nowhere() {
        let snapshot = snapshot();
        let free = |radius: f32| snapshot.layers(radius).grid().free_count();
        assert_eq!((free(1.0), free(1.1), free(5.0)), (28, 24, 16));
        assert_eq!(snapshot.max_radius(), 6.0 / FIT);
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
    fn a_snapshot_tells_what_changed_in_world_units() {
        let first = snapshot();
        let mut live = LiveMap::new(first.map().clone());
        let rects = [CellRect::new(Cell::new(0, 0), Cell::new(1, 1))];
        let edited = live.edit(&rects, |clearance| {
            clearance.lower_center(Cell::new(0, 0), 0.0)
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
        assert_eq!(tiles(7), [tile], "the one that changed");
        assert_eq!(tiles(8), [], "nothing since the latest bake");
        assert_eq!(tiles(6), [tile], "all, since the first bake");
        assert!(!second.changed_since(8, near));
        assert!(second.changed_since(6, far), "older than the grid");
        let (west, east) = (Vec2::new(20.0, 4.0), Vec2::new(30.0, 4.0));
        assert!(!second.segment_changed_since(7, west, east, 5.0));
        assert!(second.segment_changed_since(7, west, east, 12.0));
    }
}
