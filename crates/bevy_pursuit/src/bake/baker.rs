//! Bakes one grid: keeps its obstacles as pieces, and turns edits into a new snapshot.
//!
//! A baker moves into the task that bakes and comes back with the result, so that the frame hands
//! over only what changed.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::entity::{EntityMapper, MapEntities};
use bevy::log::warn_once;
use pursuit::{CellRect, Clearance, DiagonalPolicy, EditError, Layout, LiveMap};

use super::dirty::Dirty;
use super::shape::{draw_nearest, touched_cells};
use crate::agent::NavFrame;
use crate::grid::{IndexEdits, NavSnapshot, ObstacleIndex, Piece};
use crate::obstacle::{Edits, Obstacle, ObstacleId, Pieces};

/// The obstacles of one grid, and its latest snapshot.
#[derive(Clone)]
pub(super) struct Baker {
    layout: Layout,
    frame: NavFrame,
    cap: f32,
    diagonals: DiagonalPolicy,
    /// Of the first bake.
    generation: u64,
    latest: Option<Arc<NavSnapshot>>,
    /// Whether it settled since the last bake. Then only the copy for the next edit may have to be made ready.
    has_settled: bool,
    /// The map of the latest snapshot, and copies of it that take the next edits.
    live: Option<LiveMap>,
    obstacles: BTreeMap<ObstacleId, Placed>,
    /// The same obstacles, by where they are.
    index: Arc<ObstacleIndex>,
}

/// An obstacle in the grid's cell space.
#[derive(Clone, PartialEq)]
struct Placed {
    pieces: Arc<[Piece]>,
    /// Cells whose values the pieces can change.
    area: CellRect,
}

impl Baker {
    /// A baker without obstacles. Its first bake covers the whole grid and is of the generation
    /// after `generation`. `cap` is rounded as a field does.
    pub(super) fn new(
        layout: Layout,
        frame: NavFrame,
        cap: f32,
        diagonals: DiagonalPolicy,
        generation: u64,
    ) -> Self {
        let cap = Clearance::open(1, 1, cap).map_or(cap, |field| field.cap());
        Self {
            layout,
            frame,
            cap,
            diagonals,
            generation: generation + 1,
            latest: None,
            has_settled: true,
            live: None,
            obstacles: BTreeMap::new(),
            index: Arc::new(ObstacleIndex::new(layout.width(), layout.height(), cap)),
        }
    }

    pub(super) fn frame(&self) -> NavFrame {
        self.frame
    }

    pub(super) fn latest(&self) -> Option<&Arc<NavSnapshot>> {
        self.latest.as_ref()
    }

    /// The obstacles as of the latest bake, also where it changed no distance.
    pub(super) fn index(&self) -> &Arc<ObstacleIndex> {
        &self.index
    }

    /// Whether the map stays as it is until the next bake.
    pub(super) fn has_settled(&self) -> bool {
        self.has_settled
    }

    /// Whether [`settle`](Self::settle) has nothing to do.
    pub(super) fn is_at_rest(&self) -> bool {
        self.live.as_ref().is_none_or(LiveMap::is_settled)
    }

    pub(super) fn obstacle_count(&self) -> usize {
        self.obstacles.len()
    }

    /// Takes `edits` over and bakes what they touch. Gives a rectangle around the new cells, or
    /// `None` if nothing changed.
    ///
    /// Stops early when `cancelled` is set; the baker is of no use then.
    pub(super) fn bake(&mut self, edits: Edits, cancelled: &AtomicBool) -> Option<CellRect> {
        let rects = self.apply(edits);
        let Some(live) = &mut self.live else {
            return self.bake_all(cancelled);
        };
        if rects.is_empty() {
            return None;
        }
        let draw = |clearance: &mut Clearance| {
            for rect in &rects {
                draw_near(&self.index, clearance, *rect, cancelled);
            }
        };
        let edited = live.edit_until(&rects, draw, cancelled);
        let has_changed = match edited {
            Err(EditError::Cancelled(_)) => false,
            edited => edited.expect("invariant: drawing leaves the size and the cap"),
        };
        if !has_changed || cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let snapshot = self.latest.as_ref()?.after(live.map(), &rects)?;
        self.latest = Some(Arc::new(snapshot));
        self.has_settled = false;
        let bounds = |all: CellRect, rect: &CellRect| all.union(rect);
        Some(rects.iter().fold(CellRect::EMPTY, bounds))
    }

    /// Works out what edits left in order to be quick, and the copy that the next one takes, for a map that
    /// rests. Nothing is due then: distances stay, and so does the generation.
    ///
    /// Stops early when `cancelled` is set; the baker is of no use then.
    pub(super) fn settle(&mut self, cancelled: &AtomicBool) {
        let settle = |live: &mut LiveMap| live.settle_until(cancelled);
        let is_new = matches!(self.live.as_mut().map(settle), Some(Ok(true)));
        if let Some((live, latest)) = self
            .live
            .as_ref()
            .zip(self.latest.as_mut())
            .filter(|_| is_new)
        {
            *latest = Arc::new(latest.with_map(live.map()));
        }
        self.has_settled = true;
    }

    /// The first bake.
    fn bake_all(&mut self, cancelled: &AtomicBool) -> Option<CellRect> {
        let (layout, all) = (self.layout, self.layout.rect());
        let mut clearance = Clearance::open(layout.width(), layout.height(), self.cap)
            .expect("invariant: a layout has the size of a clearance field");
        clearance.redraw(all, |drawing| {
            let pieces = self.obstacles.values().flat_map(|placed| &*placed.pieces);
            draw_nearest(drawing, pieces, || !cancelled.load(Ordering::Relaxed));
        });
        if cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let snapshot = NavSnapshot::new(layout, clearance, self.diagonals, self.generation);
        self.live = Some(LiveMap::new(snapshot.map().clone()));
        self.has_settled = false;
        self.latest = Some(Arc::new(snapshot));
        Some(all)
    }

    /// Replaces the edited obstacles; gives the cells that their old and new places touch.
    fn apply(&mut self, edits: Edits) -> Vec<CellRect> {
        let mut dirty = Dirty::new(self.layout.rect());
        let mut index = IndexEdits::default();
        for (id, edit) in edits {
            let new = edit.map(|obstacle| self.place(id, &obstacle));
            let old = self.obstacles.remove(&id);
            if old == new {
                self.obstacles.extend(old.map(|placed| (id, placed)));
                continue;
            }
            if self.latest.is_some() {
                for placed in [&old, &new].into_iter().flatten() {
                    dirty.add(placed.area);
                }
            }
            old.iter().for_each(|placed| index.remove(&placed.pieces));
            new.iter()
                .for_each(|placed| index.add(id.entity, &placed.pieces));
            self.obstacles.extend(new.map(|placed| (id, placed)));
        }
        self.index = self
            .index
            .after(&index)
            .map_or(Arc::clone(&self.index), Arc::new);
        dirty.into_rects()
    }

    fn place(&self, ObstacleId { entity, .. }: ObstacleId, obstacle: &Obstacle) -> Placed {
        let mut cut = Pieces::new(self.frame.pose_to_grid(obstacle.pose), &self.layout);
        obstacle.outline.add_to(&mut cut);
        if cut.lacks_some {
            warn_once!(
                "obstacle {entity} has a size or place that is NaN or infinite: the part is left \
                 out of the navigation grid (said once, for the first such obstacle)"
            );
        }
        let grid = self.layout.rect();
        let area = cut.pieces.iter().fold(CellRect::EMPTY, |area, piece| {
            area.union(&touched_cells(piece, grid, self.cap))
        });
        Placed {
            pieces: cut.pieces.into(),
            area,
        }
    }
}

impl MapEntities for Baker {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let old = mem::take(&mut self.obstacles).into_iter();
        let mapped = |(mut id, placed): (ObstacleId, Placed)| {
            id.map_entities(mapper);
            (id, placed)
        };
        self.obstacles = old.map(mapped).collect();
        Arc::make_mut(&mut self.index).map_entities(mapper);
    }
}

/// Draws the distances in a rectangle anew.
fn draw_near(
    index: &ObstacleIndex,
    clearance: &mut Clearance,
    rect: CellRect,
    cancelled: &AtomicBool,
) {
    // Steps into the rectangle begin one cell outside of it.
    let reach = f64::from(clearance.cap()) + 1.0;
    let corners = [rect.min, rect.max].map(|corner| corner.center().as_dvec2());
    clearance.redraw(rect, |drawing| {
        let pieces = index.near((corners[0], corners[1]), reach);
        draw_nearest(drawing, pieces, || !cancelled.load(Ordering::Relaxed));
    });
}
