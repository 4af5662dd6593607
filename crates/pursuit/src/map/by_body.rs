//! The layers of one map, for each body for which they were requested.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::body::Body;
use super::layers::BodyLayers;
use crate::cancel::{Cancel, Cancelled};
use crate::lazy::Lazy;

/// A map keeps at most the layers of this many bodies. A body whose radius changes all the time costs no more
/// memory than that.
const MAX_BODIES: usize = 16;

/// Maximum memory that the layers of a large map take, in bytes. The map keeps the layers of fewer bodies if they
/// would take more.
const MAX_BYTES: u64 = 256 << 20;
/// Minimum number of bodies whose layers a map keeps, however large it is. So layers in steady use are not computed
/// again and again.
const MIN_BODIES: u64 = 4;

/// Memory that the layers of one body take per cell, in bytes.
const BYTES_PER_CELL: u64 = 6;

/// Number of edits without a request for them after which layers are no longer carried over to the next map. To
/// carry them over costs about a hundredth of computing them.
const MAX_IDLE_EDITS: u64 = 64;

/// Number of requests for new bodies after which a body that was not requested since is no longer carried over to
/// the next map.
const MAX_NEWER_BODIES: u64 = 4;

/// Whether nothing else holds the value, so that it may be written to.
pub(super) fn is_held_once<T>(held: &Arc<T>) -> bool {
    Arc::strong_count(held) == 1
}

/// The place of the layers of one body, which may still be computed.
pub(super) struct Slot {
    pub(super) body: Body,
    pub(super) layers: Lazy<Arc<BodyLayers>>,
    /// The [time](LastUses::now) at which the layers were last requested. 0 if they were prepared in advance, or if the
    /// work on them was given up.
    asked_at: AtomicU64,
}

/// The layers of a map by body. If there is no room for another body, the body whose latest request is the oldest is
/// dropped.
pub(super) struct LayersByBody {
    /// Maximum number of bodies whose layers are kept.
    max_bodies: usize,
    slots: RwLock<Vec<Arc<Slot>>>,
    /// Number of edits that led to this map.
    edits: u64,
    asked: Arc<LastUses>,
}

/// When the layers of each body were last requested. A map shares this record with earlier and later maps: when edits
/// follow each other closely, the latest map has no requests yet.
#[derive(Default)]
struct LastUses {
    /// Number of requests for a body whose layers the map did not have.
    request_clock: AtomicU64,
    bodies: Mutex<Vec<LastUse>>,
}

#[derive(Clone, Copy)]
struct LastUse {
    body: Body,
    /// The time of the latest request.
    at: u64,
    /// Number of edits that led to the latest map with a request.
    edits: u64,
}

impl LastUses {
    /// The time of a request: 1 at first, and 1 more with each request for a new body.
    fn now(&self) -> u64 {
        self.request_clock.load(Ordering::Relaxed) + 1
    }

    fn note(&self, body: Body, edits: u64, max_bodies: usize) {
        let at = self.now();
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        let known = bodies.iter_mut().find(|it| it.body.is(body));
        if let Some(known) = known {
            (known.at, known.edits) = (at, known.edits.max(edits));
            return;
        }
        if bodies.len() >= max_bodies {
            let oldest = (0..bodies.len()).min_by_key(|index| bodies[*index].at);
            oldest.map(|index| bodies.swap_remove(index));
        }
        bodies.push(LastUse { body, at, edits });
    }

    /// The bodies in use, as a map sees them after `edits` edits.
    fn in_use(&self, edits: u64) -> Vec<Body> {
        let now = self.now();
        let bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        let in_use = bodies.iter().filter(|it| {
            now.saturating_sub(it.at) < MAX_NEWER_BODIES
                && edits.saturating_sub(it.edits) <= MAX_IDLE_EDITS
        });
        in_use.map(|it| it.body).collect()
    }
}

impl LayersByBody {
    /// No layers yet, for a map with this number of cells.
    pub(super) fn of_cells(cells: u64) -> Self {
        let room = MAX_BYTES / BYTES_PER_CELL.saturating_mul(cells).max(1);
        Self {
            max_bodies: room.clamp(MIN_BODIES, MAX_BODIES as u64) as usize,
            slots: RwLock::default(),
            edits: 0,
            asked: Arc::default(),
        }
    }

    /// The layers of the map after an edit: none yet. Both maps share the record of requests.
    pub(super) fn after_edit(&self) -> Self {
        Self {
            max_bodies: self.max_bodies,
            slots: RwLock::default(),
            edits: self.edits + 1,
            asked: Arc::clone(&self.asked),
        }
    }

    /// Separates the record of requests from other maps, as a copy of the record so far.
    pub(super) fn fork_usage(&mut self) {
        let bodies = self.asked.bodies.lock();
        let bodies = bodies.unwrap_or_else(PoisonError::into_inner);
        let own = LastUses {
            request_clock: AtomicU64::new(self.asked.request_clock.load(Ordering::Relaxed)),
            bodies: Mutex::new(bodies.clone()),
        };
        drop(bodies);
        self.asked = Arc::new(own);
    }

    /// The layers of a body that somebody asks for, if they are there.
    pub(super) fn find_ready(&self, body: Body) -> Option<Arc<BodyLayers>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.iter().find(|slot| slot.body.is(body))?;
        let layers = slot.layers.get().cloned()?;
        // Many threads ask for the same one: most only read.
        let now = self.asked.now();
        if slot.asked_at.load(Ordering::Relaxed) != now {
            slot.asked_at.store(now, Ordering::Relaxed);
            self.asked.note(body, self.edits, self.max_bodies);
        }
        Some(layers)
    }

    /// The layers of a body that somebody asks for, worked out unless they are there.
    pub(super) fn find_or_work_out(
        &self,
        body: Body,
        work: impl FnOnce() -> Result<Arc<BodyLayers>, Cancelled>,
        cancel: Cancel<'_>,
    ) -> Result<Arc<BodyLayers>, Cancelled> {
        if let Some(layers) = self.find_ready(body) {
            return Ok(layers);
        }
        // Before another one has to make room.
        cancel.check()?;
        let slot = self.find_or_add(body);
        let layers = slot.layers.get_or_work_out(work, cancel).cloned();
        if layers.is_ok() {
            self.asked.note(body, self.edits, self.max_bodies);
        } else {
            // An empty slot makes room first. Others may wait for its layers.
            slot.asked_at.store(0, Ordering::Relaxed);
        }
        layers
    }

    /// The slot of a body that somebody asks for.
    fn find_or_add(&self, body: Body) -> Arc<Slot> {
        let known = self.find(body);
        known.unwrap_or_else(|| {
            self.asked.request_clock.fetch_add(1, Ordering::Relaxed);
            self.insert(body, self.asked.now())
        })
    }

    fn find(&self, body: Body) -> Option<Arc<Slot>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.iter().find(|slot| slot.body.is(body));
        slot.cloned()
    }

    /// Makes room for a body that nobody asked this map for yet, and for its layers, if they are there.
    pub(super) fn bring(&self, body: Body, layers: Option<Arc<BodyLayers>>) {
        let slot = self.insert(body, 0);
        if let Some(layers) = layers {
            slot.layers.set(layers);
        }
    }

    /// Whether the layers of a body are there, nobody else holds them, and they are as wanted.
    pub(super) fn is_own(&self, body: Body, is_wanted: impl Fn(&BodyLayers) -> bool) -> bool {
        let slot = self.find(body);
        let layers = slot.as_ref().and_then(|slot| slot.layers.get());
        layers.is_some_and(|layers| is_held_once(layers) && is_wanted(layers))
    }

    /// Takes the layers of a body out.
    pub(super) fn take(&mut self, body: Body) -> Option<Arc<BodyLayers>> {
        let slots = self.slots.get_mut().unwrap_or_else(PoisonError::into_inner);
        let index = slots.iter().position(|slot| slot.body.is(body))?;
        let slot = Arc::into_inner(slots.swap_remove(index))?;
        slot.layers.into_inner()
    }

    /// Shows all slots that nobody else holds, each with its body. After an error some are lost.
    pub(super) fn for_each_mut(
        &mut self,
        mut visit: impl FnMut(Body, &mut Option<Arc<BodyLayers>>) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        let slots = self.slots.get_mut().unwrap_or_else(PoisonError::into_inner);
        for slot in slots.iter_mut().filter_map(Arc::get_mut) {
            let mut layers = slot.layers.take();
            visit(slot.body, &mut layers)?;
            if let Some(layers) = layers {
                slot.layers.set(layers);
            }
        }
        Ok(())
    }

    fn insert(&self, body: Body, asked_at: u64) -> Arc<Slot> {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let known = slots.iter().find(|slot| slot.body.is(body));
        if let Some(slot) = known {
            return slot.clone();
        }
        if slots.len() >= self.max_bodies {
            let when = |slot: &Arc<Slot>| slot.asked_at.load(Ordering::Relaxed);
            let oldest = (0..slots.len()).min_by_key(|index| when(&slots[*index]));
            oldest.map(|index| slots.remove(index));
        }
        let slot = Arc::new(Slot {
            body,
            layers: Lazy::default(),
            asked_at: AtomicU64::new(asked_at),
        });
        slots.push(slot.clone());
        slot
    }

    /// The bodies that were asked for lately, of this map or of one before, with their layers where these are
    /// there.
    pub(super) fn in_use(&self) -> Vec<(Body, Option<Arc<BodyLayers>>)> {
        let layers = |body: Body| self.find(body)?.layers.get().cloned();
        let bodies = self.asked.in_use(self.edits).into_iter();
        bodies.map(|body| (body, layers(body))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::Body;
    use super::*;
    use crate::cell::DiagonalPolicy;
    use crate::grid::Grid;

    fn radii(known: &LayersByBody) -> Vec<f32> {
        let in_use = known.in_use();
        in_use.into_iter().map(|(body, _)| body.radius).collect()
    }

    fn layers() -> Arc<BodyLayers> {
        let grid = Grid::from_fn(2, 2, |_| true).unwrap();
        Arc::new(BodyLayers::from_grid(grid, DiagonalPolicy::NoCornerCut))
    }

    fn key(radius: u32) -> Body {
        Body::from(radius as f32)
    }

    fn ask(known: &LayersByBody, radius: u32) {
        let found = known.find_or_work_out(key(radius), || Ok(layers()), Cancel::NEVER);
        assert!(found.is_ok(), "nobody cancels");
    }

    /// Of the next map, with all that is brought over.
    fn next(known: &LayersByBody) -> LayersByBody {
        let next = known.after_edit();
        let in_use = known.in_use().into_iter();
        in_use.for_each(|(radius, layers)| next.bring(radius, layers));
        next
    }

    #[test]
    fn radii_that_are_used_once_do_not_evict_one_in_steady_use() {
        let mut known = LayersByBody::of_cells(4);
        ask(&known, 1);
        let steady = known.find(key(1)).unwrap();
        for frame in 0..1_200 {
            ask(&known, 1);
            ask(&known, 1_000 + frame);
            let count = known.slots.read().unwrap().len();
            assert!(count <= MAX_BODIES, "{count} radii are kept");
            assert!(Arc::ptr_eq(&steady, &known.find(key(1)).unwrap()));
        }
        for frame in 2_200..2_300 {
            ask(&known, 1);
            ask(&known, frame);
            let in_use = radii(&known);
            assert!(in_use.contains(&1.0) && in_use.len() <= 1 + MAX_NEWER_BODIES as usize);
            known = next(&known);
        }
    }

    #[test]
    fn a_cancelled_slot_is_not_carried_over_but_can_be_reused_and_is_evicted_first() {
        let known = LayersByBody::of_cells(4);
        let give_up = |radius: u32| {
            let cancelled = known.find_or_work_out(key(radius), || Err(Cancelled), Cancel::NEVER);
            assert!(cancelled.is_err() && !radii(&known).contains(&(radius as f32)));
        };
        give_up(1);
        ask(&known, 1);
        assert!(known.find_ready(key(1)).is_some());
        give_up(2);
        for radius in 3..=MAX_BODIES as u32 + 1 {
            ask(&known, radius);
        }
        assert!(known.find(key(1)).is_some() && known.find(key(2)).is_none());
    }

    #[test]
    fn the_next_map_keeps_all_radii_in_steady_use() {
        for cells in [4, 2048 * 2048, 16384 * 16384] {
            let known = LayersByBody::of_cells(cells);
            for _ in 0..3 {
                for radius in 0..known.max_bodies as u32 {
                    ask(&known, radius);
                }
            }
            assert_eq!(known.in_use().len(), known.max_bodies);
        }
    }

    #[test]
    fn larger_maps_keep_fewer_radii_but_at_least_four() {
        for (side, max_bodies) in [(1, 16), (1024, 16), (2048, 10), (3072, 4), (16384, 4)] {
            let mut known = LayersByBody::of_cells(side * side);
            for radius in 0..100 {
                ask(&known, radius);
                if radius % 7 == 0 {
                    known = next(&known);
                }
                assert!(known.slots.read().unwrap().len() <= max_bodies, "{side}");
                assert!(known.in_use().len() <= max_bodies, "{side}");
            }
            assert_eq!(known.max_bodies, max_bodies, "{side}");
        }
        assert_eq!(LayersByBody::of_cells(u64::MAX).max_bodies, 4);
    }

    #[test]
    fn an_unused_radius_is_carried_over_for_a_limited_number_of_edits() {
        let mut known = LayersByBody::of_cells(4);
        ask(&known, 1);
        for edit in 0..=MAX_IDLE_EDITS {
            assert_eq!(radii(&known), [1.0], "edit {edit}");
            known = next(&known);
        }
        assert!(known.in_use().is_empty());
    }

    #[test]
    fn a_radius_that_is_used_only_on_earlier_maps_is_carried_over_with_its_layers() {
        let mut maps = vec![LayersByBody::of_cells(4)];
        ask(&maps[0], 1);
        for edit in 0..3 * MAX_IDLE_EDITS as usize {
            let latest = next(&maps[edit]);
            // Who asks has the map of before.
            ask(&maps[edit], 1);
            assert_eq!(radii(&latest), [1.0], "edit {edit}");
            assert!(latest.in_use()[0].1.is_some(), "edit {edit}");
            maps.push(latest);
        }
    }

    #[test]
    fn maps_that_are_edited_separately_do_not_share_their_recent_radii() {
        let first = LayersByBody::of_cells(4);
        ask(&first, 1);
        let mut forks = [next(&first), next(&first)];
        forks.iter_mut().for_each(LayersByBody::fork_usage);
        ask(&forks[0], 2);
        let later = forks.map(|known| next(&next(&known)));
        assert_eq!(
            later.map(|known| radii(&known)),
            [vec![1.0, 2.0], vec![1.0]]
        );
    }

    #[test]
    fn unused_prepared_radii_are_evicted_first() {
        let known = LayersByBody::of_cells(4);
        ask(&known, 1);
        known.bring(key(2), None);
        for radius in 3..=MAX_BODIES as u32 + 1 {
            ask(&known, radius);
        }
        assert!(known.find(key(1)).is_some() && known.find(key(2)).is_none());
    }
}
