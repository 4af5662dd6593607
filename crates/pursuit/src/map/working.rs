//! A map while it is written to.

use std::mem;
use std::sync::Arc;

use super::edit_error::EditError;
use super::layers::BodyLayers;
use super::nav_map::NavMap;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::CellRect;
use crate::clearance::Clearance;
use crate::jump::update::UpdateScratch;
use crate::terrain::Areas;

/// The parts of a map that an edit may change: see [`LiveMap::edit_all`](crate::LiveMap::edit_all).
#[derive(Debug)]
#[non_exhaustive]
pub struct EditTarget<'a> {
    /// Distances to obstacles.
    pub clearance: &'a mut Clearance,
    /// Distances to the obstacles that block sight, if the map [has its own](NavMap::with_sight_blockers).
    pub sight_blockers: Option<&'a mut Clearance>,
    /// The area of each cell, if the map [has areas](NavMap::with_areas).
    pub areas: Option<&'a mut Areas>,
}

/// A map that nothing reads yet and that becomes the next one. If the work is cancelled, the map and its scratch are
/// incomplete and cannot be used.
pub(super) struct WorkingMap<'c> {
    map: NavMap,
    scratch: UpdateScratch,
    cancel: Cancel<'c>,
}

impl<'c> WorkingMap<'c> {
    /// A copy of a map, with its own layers for the recently requested bodies.
    pub(super) fn copied(
        map: &NavMap,
        scratch: UpdateScratch,
        cancel: Cancel<'c>,
    ) -> Result<Self, Cancelled> {
        cancel.check()?;
        let by_body = map.by_body.after_edit();
        for (body, layers) in map.by_body.in_use() {
            by_body.bring(body, layers);
        }
        let map = NavMap {
            ground: map.ground.clone(),
            sight_blockers: map.sight_blockers().cloned().map(Arc::new),
            by_body,
            ..NavMap::from_clearance(map.clearance().clone(), map.diagonals)
        };
        let mut copy = Self::thawed(map, scratch, cancel);
        copy.prepare_updates()?;
        Ok(copy)
    }

    /// A working map made from an earlier map that nothing else holds.
    pub(super) fn thawed(map: NavMap, scratch: UpdateScratch, cancel: Cancel<'c>) -> Self {
        Self {
            map,
            scratch,
            cancel,
        }
    }

    /// The finished map, and the scratch for another one.
    pub(super) fn freeze(self) -> (Arc<NavMap>, UpdateScratch) {
        (Arc::new(self.map), self.scratch)
    }

    /// From here on, requests to this map are not recorded in earlier maps.
    pub(super) fn fork_usage(&mut self) {
        self.map.by_body.fork_usage();
    }

    /// Makes all layers ready to be edited. Layers that something else holds are copied.
    pub(super) fn prepare_updates(&mut self) -> Result<(), Cancelled> {
        self.map.by_body.for_each_mut(|_, layers| {
            if let Some(layers) = layers {
                self.cancel.check()?;
                Arc::make_mut(layers).prepare_updates();
            }
            Ok(())
        })
    }

    /// Makes this map equal to `newer`. Before the call, the two may differ only by edits in `rects`. Afterwards, this
    /// map has the layers that were recently requested from `newer`. Its own layers are updated if nothing else holds
    /// them. Otherwise, it shares the layers of `newer`.
    pub(super) fn catch_up(&mut self, newer: &NavMap, rects: &[CellRect]) -> Result<(), Cancelled> {
        let Self {
            map,
            scratch,
            cancel,
        } = self;
        for &rect in rects {
            cancel.check()?;
            Arc::make_mut(&mut map.clearance).copy_from(&newer.clearance, rect);
            if let (Some(sight_blockers), Some(newer)) =
                (&mut map.sight_blockers, &newer.sight_blockers)
            {
                Arc::make_mut(sight_blockers).copy_from(newer, rect);
            }
            if let (Some(areas), Some(newer)) = (map.ground.areas_mut(), newer.ground.areas()) {
                areas.catch_up(newer, rect);
            }
        }
        map.ground.take_extremes(&newer.ground);
        let mut own = mem::replace(&mut map.by_body, newer.by_body.after_edit());
        for (body, now) in newer.by_body.in_use() {
            let mut layers = now.clone();
            if let Some(now) = now
                && let Some(mut behind) = own.take(body).and_then(Arc::into_inner)
            {
                behind.catch_up(&now, &map.clearance, rects, scratch, *cancel)?;
                layers = Some(Arc::new(behind));
            }
            map.by_body.bring(body, layers);
        }
        Ok(())
    }

    /// Changes distances and areas in some rectangles. Returns whether any of them differs from `before`. The layers do
    /// not change. After an error, the map cannot be used.
    pub(super) fn draw(
        &mut self,
        rects: &[CellRect],
        draw: impl FnOnce(EditTarget<'_>),
        before: &NavMap,
    ) -> Result<bool, EditError> {
        draw(EditTarget {
            clearance: Arc::make_mut(&mut self.map.clearance),
            sight_blockers: self.map.sight_blockers.as_mut().map(Arc::make_mut),
            areas: self.map.ground.areas_mut(),
        });
        self.map.ground.find_extremes();
        self.cancel.check()?;
        let (old, new) = (before, &self.map);
        let sight_blockers = old.sight_blockers.iter().zip(&new.sight_blockers);
        for (old, new) in sight_blockers.chain([(&old.clearance, &new.clearance)]) {
            before.check_size(new.rect())?;
            check_drawn(old, new, rects)?;
        }
        for rect in rects {
            self.cancel.check()?;
            if self.map.differs_in(before, *rect) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Updates the layers to distances and areas that changed in some rectangles.
    pub(super) fn redraw_layers(&mut self, rects: &[CellRect]) -> Result<(), Cancelled> {
        let (map, cancel) = (&mut self.map, self.cancel);
        let (clearance, ground, diagonals) = (&map.clearance, &map.ground, map.diagonals);
        map.by_body.for_each_mut(|body, layers| {
            cancel.check()?;
            if let Some(layers) = layers {
                let scratch = &mut self.scratch;
                return Arc::make_mut(layers).redraw(clearance, ground, rects, scratch, cancel);
            }
            let anew = BodyLayers::of(clearance, ground, body, diagonals, cancel)?;
            *layers = Some(Arc::new(anew));
            Ok(())
        })
    }

    /// Settles all layers.
    pub(super) fn settle(&mut self) -> Result<(), Cancelled> {
        self.map.by_body.for_each_mut(|_, layers| {
            if let Some(layers) = layers.as_mut().filter(|layers| !layers.is_settled()) {
                self.cancel.check()?;
                Arc::make_mut(layers).settle(&mut self.scratch, self.cancel)?;
            }
            Ok(())
        })
    }
}

/// Checks that edited distances still have the cap of the map.
fn check_drawn(old: &Clearance, new: &Clearance, rects: &[CellRect]) -> Result<(), EditError> {
    if old.cap() != new.cap() {
        return Err(EditError::OtherCap {
            cap: old.cap(),
            other_cap: new.cap(),
        });
    }
    debug_assert!(
        new.is_same_beside(old, rects),
        "an edit changed distances beside its rectangles: grow them by the cap, rounded up"
    );
    Ok(())
}
