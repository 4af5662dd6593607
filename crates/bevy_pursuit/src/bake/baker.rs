//! Bakes one grid: keeps its obstacles as convex pieces, and turns edits into a new snapshot.
//!
//! A baker moves into the task that bakes and returns with the result, so that the main thread hands over only the
//! edits.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::entity::{EntityMapper, MapEntities};
use bevy::log::warn_once;
use pursuit::{
    AreaCosts, Areas, CellRect, Clearance, DiagonalPolicy, EditError, EditTarget, Layout, LiveMap,
    NavMap,
};

use super::dirty::disjoint;
use super::nearest::draw_nearest;
use super::paint::{Patch, paint};
use super::raster::{cells_within, touching_distance};
use crate::agent::NavFrame;
use crate::grid::{IndexEdits, NavGrid, NavSnapshot, ObstacleIndex, Piece};
use crate::ground::{AreaId, NavArea, Rules};
use crate::obstacle::{Edits, Obstacle, ObstacleId, Pieces};
use crate::visitor::map_keys;

/// The obstacles of one grid, and its latest snapshot.
#[derive(Clone)]
pub(super) struct Baker {
    layout: Layout,
    pub(super) frame: NavFrame,
    /// Greatest distance that is stored, in cells.
    cap: f32,
    diagonals: DiagonalPolicy,
    /// Generation of the snapshot that the first bake makes.
    first_generation: u64,
    latest: Option<Arc<NavSnapshot>>,
    /// Whether the map has settled since the last bake. If so, the only work that may be left is to prepare the copy
    /// for the next edit.
    has_settled: bool,
    /// The map of the latest snapshot, and copies of it that take the next edits.
    live: Option<LiveMap>,
    obstacles: BTreeMap<ObstacleId, PlacedObstacle>,
    /// The obstacles, indexed by position.
    pub(super) index: Arc<ObstacleIndex>,
    /// The obstacles that block sight. `None` until the first see-through obstacle.
    sight_blockers: Option<ObstacleIndex>,
    /// The shapes of areas.
    patches: BTreeMap<ObstacleId, Patch>,
    rules: Arc<Rules>,
    /// The rules with which the map was last drawn.
    drawn_by: Arc<Rules>,
}

/// An obstacle in the grid's cell space.
#[derive(Clone, PartialEq)]
struct PlacedObstacle {
    pieces: Arc<[Piece]>,
    /// Cells whose values the pieces can change.
    area: CellRect,
    is_transparent: bool,
}

const SAME_SIZE: &str = "invariant: a layout has the size of a grid";

impl Baker {
    /// A baker without obstacles. Its first bake covers the whole grid and makes a snapshot of generation `generation +
    /// 1`. The cap is the grid's `max_clearance_cells`, rounded as in a clearance field.
    pub(super) fn new(
        (grid, frame): (&NavGrid, NavFrame),
        layout: Layout,
        generation: u64,
    ) -> Self {
        let cap = grid.max_clearance_cells;
        let cap = Clearance::open(1, 1, cap).map_or(cap, |field| field.cap());
        Self {
            layout,
            frame,
            cap,
            diagonals: grid.diagonals.into(),
            first_generation: generation + 1,
            latest: None,
            has_settled: true,
            live: None,
            obstacles: BTreeMap::new(),
            index: Arc::new(ObstacleIndex::new(layout.width(), layout.height(), cap)),
            sight_blockers: None,
            patches: BTreeMap::new(),
            rules: Arc::default(),
            drawn_by: Arc::default(),
        }
    }

    pub(super) fn latest(&self) -> Option<&Arc<NavSnapshot>> {
        self.latest.as_ref()
    }

    /// Whether the map stays as it is until the next bake.
    pub(super) fn has_settled(&self) -> bool {
        self.has_settled || self.is_at_rest()
    }

    /// Whether [`settle`](Self::settle) has nothing to do.
    pub(super) fn is_at_rest(&self) -> bool {
        self.live.as_ref().is_none_or(LiveMap::is_settled)
    }

    pub(super) fn obstacle_count(&self) -> usize {
        self.obstacles.len()
    }

    /// Stores the rules for the next bake. Returns whether they make a bake necessary.
    pub(super) fn set_rules(&mut self, rules: &Arc<Rules>) -> bool {
        if !is_same(&self.rules, rules) {
            self.rules = Arc::clone(rules);
        }
        self.latest.is_some() && self.is_map_outdated()
    }

    /// Makes `snapshot` the latest one. It may differ from the previous snapshot only in the costs of areas.
    pub(super) fn continue_from(&mut self, snapshot: Arc<NavSnapshot>) {
        self.live = Some(LiveMap::new(snapshot.map().clone()));
        self.latest = Some(snapshot);
        self.has_settled = false;
    }

    /// Whether the live map lacks areas or sight blockers that exist now, or its areas were painted in another order.
    pub(super) fn is_map_outdated(&self) -> bool {
        let plain = Some(AreaCosts::PLAIN);
        let mut classes = self.rules.classes.iter();
        let mut is_uneven = || classes.any(|class| class.cost(AreaId::PLAIN.0) != plain);
        let map = self.live.as_ref().map(LiveMap::map);
        let has_sight_blockers = map.is_some_and(|map| map.sight_blockers().is_some());
        let is_other = match map.is_some_and(|map| map.areas().is_some()) {
            true => !self.drawn_by.draws_as(&self.rules),
            false => !self.patches.is_empty() || is_uneven(),
        };
        is_other || self.sight_blockers.is_some() != has_sight_blockers
    }

    /// Draws a map with the distances of `clearance` and the present areas and sight blockers, and stores the rules in
    /// `drawn_by`. `None` if the bake was cancelled.
    fn draw_map(&mut self, clearance: Clearance, cancelled: &AtomicBool) -> Option<NavMap> {
        let mut map = NavMap::from_clearance(clearance, self.diagonals);
        if let Some(blockers) = &self.sight_blockers {
            let sight_blockers = self.draw(blockers, cancelled);
            map = map.with_sight_blockers(sight_blockers).expect(SAME_SIZE);
        }
        self.drawn_by = Arc::clone(&self.rules);
        let (width, height) = (self.layout.width(), self.layout.height());
        let mut areas = Areas::plain(width, height).expect(SAME_SIZE);
        let all = self.layout.rect();
        paint(&mut areas, &[all], &self.patches, &self.rules);
        let map = map.with_areas(areas, &self.rules.classes).expect(SAME_SIZE);
        (!cancelled.load(Ordering::Relaxed)).then_some(map)
    }

    /// Applies `edits` and bakes the cells that they touch. Returns a rectangle around the baked cells, or `None` if
    /// nothing changed or the bake was cancelled.
    ///
    /// Stops early once `cancelled` is set; the baker cannot be used afterwards.
    pub(super) fn bake(&mut self, edits: Edits, cancelled: &AtomicBool) -> Option<CellRect> {
        let rects = self.apply(edits);
        if self.live.is_none() {
            return self.bake_all(cancelled);
        }
        let is_map_outdated = self.is_map_outdated();
        if is_map_outdated {
            let clearance = self.latest.as_ref()?.clearance().clone();
            self.live = Some(LiveMap::new(self.draw_map(clearance, cancelled)?));
        }
        let live = self.live.as_mut()?;
        let draw = |mut target: EditTarget<'_>| {
            for rect in &rects {
                redraw_rect(&self.index, target.clearance, *rect, cancelled);
                if let (Some(blockers), Some(sight_blockers)) =
                    (&self.sight_blockers, &mut target.sight_blockers)
                {
                    redraw_rect(blockers, sight_blockers, *rect, cancelled);
                }
            }
            if let Some(areas) = &mut target.areas {
                paint(areas, &rects, &self.patches, &self.rules);
            }
        };
        let edited = match rects.is_empty() {
            true => Ok(false),
            false => live.edit_all(&rects, draw, cancelled.into()),
        };
        let has_changed = match edited {
            Err(EditError::Cancelled(_)) => return None,
            edited => edited.expect("invariant: drawing leaves the size and the cap"),
        };
        if cancelled.load(Ordering::Relaxed) || !(has_changed || is_map_outdated) {
            return None;
        }
        let latest = self.latest.as_ref()?;
        let include = |bounds: CellRect, rect: &CellRect| bounds.union(rect);
        let mut touched = rects.iter().fold(CellRect::EMPTY, include);
        let snapshot = if is_map_outdated {
            touched = self.layout.rect();
            latest.with_changed_map(live.map(), latest.generation() + 1)
        } else {
            latest.after(live.map(), &rects)?
        };
        self.latest = Some(Arc::new(snapshot));
        self.has_settled = false;
        Some(touched)
    }

    /// Finishes work that edits postpone in order to be fast, and prepares the copy that the next edit writes to.
    /// Called for a map that is not being edited. Distances and the generation stay the same.
    ///
    /// Stops early once `cancelled` is set; the baker cannot be used afterwards.
    pub(super) fn settle(&mut self, cancelled: &AtomicBool) {
        if let Some((live, latest)) = self.live.as_mut().zip(self.latest.as_mut())
            && matches!(live.settle(cancelled.into()), Ok(true))
        {
            *latest = Arc::new(latest.with_map(live.map()));
        }
        self.has_settled = true;
    }

    /// Bakes the whole grid for the first time. Returns its rectangle, or `None` if the bake was cancelled.
    fn bake_all(&mut self, cancelled: &AtomicBool) -> Option<CellRect> {
        let clearance = self.draw(&self.index, cancelled);
        if cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let (layout, generation) = (self.layout, self.first_generation);
        let mut snapshot = NavSnapshot::new(layout, clearance, self.diagonals, generation);
        if self.is_map_outdated() {
            let map = self.draw_map(snapshot.clearance().clone(), cancelled)?;
            snapshot = snapshot.with_map(&map.into());
        }
        self.live = Some(LiveMap::new(snapshot.map().clone()));
        self.has_settled = false;
        self.latest = Some(Arc::new(snapshot));
        Some(layout.rect())
    }

    /// The distances in the whole grid from the obstacles in `index`.
    fn draw(&self, index: &ObstacleIndex, cancelled: &AtomicBool) -> Clearance {
        let (width, height) = (self.layout.width(), self.layout.height());
        let mut clearance = Clearance::open(width, height, self.cap).expect(SAME_SIZE);
        redraw_rect(index, &mut clearance, self.layout.rect(), cancelled);
        clearance
    }

    /// Replaces the edited obstacles and areas. Returns rectangles, which do not overlap, around the cells that their
    /// old and new shapes touch.
    fn apply(&mut self, edits: Edits) -> Vec<CellRect> {
        let mut dirty = Vec::new();
        let (mut index_edits, mut sight_edits) = (IndexEdits::default(), IndexEdits::default());
        let mut has_fences = false;
        for (id, edit) in edits {
            let area = edit.as_ref().and_then(|obstacle| obstacle.area);
            let patch = area.zip(edit.as_ref());
            let patch = patch.map(|(area, obstacle)| self.patch(id, area, obstacle));
            let before = match &patch {
                Some(patch) => self.patches.insert(id, patch.clone()),
                None => self.patches.remove(&id),
            };
            if before != patch {
                let both = [before, patch].into_iter().flatten();
                dirty.extend(both.map(|patch| patch.cells));
            }
            let edit = edit.filter(|_| area.is_none());
            let new = edit.map(|obstacle| self.place(id, &obstacle));
            let old = self.obstacles.remove(&id);
            if old == new {
                self.obstacles.extend(old.map(|placed| (id, placed)));
                continue;
            }
            // The first bake draws the whole grid.
            if self.latest.is_some() {
                let both = [&old, &new].into_iter().flatten();
                dirty.extend(both.map(|placed| placed.area));
            }
            if let Some(placed) = &old {
                index_edits.remove(&placed.pieces);
                sight_edits.remove(&placed.pieces);
            }
            if let Some(placed) = &new {
                index_edits.add(id.entity, &placed.pieces);
                has_fences |= placed.is_transparent;
                if !placed.is_transparent {
                    sight_edits.add(id.entity, &placed.pieces);
                }
            }
            self.obstacles.extend(new.map(|placed| (id, placed)));
        }
        if !index_edits.is_empty() {
            Arc::make_mut(&mut self.index).apply(&index_edits);
        }
        match &mut self.sight_blockers {
            Some(known) => known.apply(&sight_edits),
            None if has_fences => self.sight_blockers = Some(self.index_of_sight_blockers()),
            None => {}
        }
        disjoint(dirty, self.layout.rect())
    }

    /// An index of the obstacles that block sight.
    fn index_of_sight_blockers(&self) -> ObstacleIndex {
        let mut edits = IndexEdits::default();
        let all = self.obstacles.iter();
        for (id, placed) in all.filter(|(_, placed)| !placed.is_transparent) {
            edits.add(id.entity, &placed.pieces);
        }
        let mut index = ObstacleIndex::new(self.layout.width(), self.layout.height(), self.cap);
        index.apply(&edits);
        index
    }

    fn patch(&self, id: ObstacleId, area: NavArea, obstacle: &Obstacle) -> Patch {
        if !self.rules.knows(area.area) {
            let (entity, area) = (id.entity, area.area.0);
            warn_once!(
                "NavArea on {entity} has area {area}, which NavAreas does not contain: it is treated as plain ground. \
                 Add the area to NavAreas (said once, for the first such area)"
            );
        }
        let (pieces, cells) = self.cut(id, obstacle, 0.0);
        Patch {
            area,
            pieces,
            cells,
        }
    }

    fn place(&self, id: ObstacleId, obstacle: &Obstacle) -> PlacedObstacle {
        let (pieces, area) = self.cut(id, obstacle, touching_distance(self.cap));
        PlacedObstacle {
            pieces,
            area,
            is_transparent: obstacle.is_transparent,
        }
    }

    /// Cuts an obstacle's outline into pieces in the grid's cell space. The rectangle holds the cells
    /// within `reach` of a piece.
    fn cut(
        &self,
        ObstacleId { entity, .. }: ObstacleId,
        obstacle: &Obstacle,
        reach: f64,
    ) -> (Arc<[Piece]>, CellRect) {
        let mut cut = Pieces::new(self.frame.pose_to_grid(obstacle.pose), &self.layout);
        obstacle.outline.add_to(&mut cut);
        if cut.lacks_some {
            warn_once!(
                "obstacle {entity} has a size or position that is NaN or infinite: that part is left \
                 out of the navigation grid. Give it finite values (said once, for the first such obstacle)"
            );
        }
        let grid = self.layout.rect();
        let cells = cut.pieces.iter().map(|one| cells_within(one, reach, grid));
        let cells = cells.fold(CellRect::EMPTY, |all, cells| all.union(&cells));
        (cut.pieces.into(), cells)
    }
}

impl MapEntities for Baker {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        map_keys(&mut self.obstacles, mapper);
        map_keys(&mut self.patches, mapper);
        Arc::make_mut(&mut self.index).map_entities(mapper);
        self.sight_blockers.map_entities(mapper);
    }
}

pub(super) fn is_same(own: &Arc<Rules>, other: &Arc<Rules>) -> bool {
    Arc::ptr_eq(own, other) || own == other
}

/// Draws the distances in a rectangle again, from the obstacles in `index`.
fn redraw_rect(
    index: &ObstacleIndex,
    clearance: &mut Clearance,
    rect: CellRect,
    cancelled: &AtomicBool,
) {
    // Distances are also stored for steps into the rectangle, and such a step starts up to one cell outside of it.
    let reach = f64::from(clearance.cap()) + 1.0;
    let corners = [rect.min, rect.max].map(|corner| corner.center().as_dvec2());
    clearance.replace_obstacles(rect, |drawing| {
        let pieces = index.near((corners[0], corners[1]), reach);
        draw_nearest(drawing, pieces, || !cancelled.load(Ordering::Relaxed));
    });
}
