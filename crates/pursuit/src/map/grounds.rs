//! The grounds of one map, for the radii that are asked for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::ground::Ground;
use crate::cancel::{Cancelled, check};
use crate::lazy::Lazy;

/// A map keeps at most this many radii. A body whose radius changes all the time costs no more
/// memory than that.
pub(super) const MOST_GROUNDS: usize = 16;

/// A ground that nobody asked for since this many edits is not brought over to the next map: to follow an
/// edit costs about a hundredth of working it out.
const UNASKED: u32 = 64;

/// Radii that were not asked for since this many others were new are not brought over to the next map.
const LATELY: u64 = 4;

/// The place of one ground, which may still be computed.
pub(super) struct GroundSlot {
    pub(super) radius_bits: u32,
    pub(super) ground: Lazy<Arc<Ground>>,
    /// The [`Grounds::age`] when it was last asked for; zero if it never was, but prepared in
    /// advance.
    asked_at: AtomicU64,
    /// Edits before this map since which nobody asked for it.
    unasked: u32,
}

/// The grounds of a map. When there is no room for another one, that which nobody asked for the
/// longest goes.
#[derive(Default)]
pub(super) struct Grounds {
    slots: RwLock<Vec<Arc<GroundSlot>>>,
    /// Grows with each radius that was asked for and not there. Starts at zero.
    age: AtomicU64,
}

impl GroundSlot {
    fn asked(&self, age: u64) {
        // Many threads ask for the same one: most only read.
        if self.asked_at.load(Ordering::Relaxed) != age + 1 {
            self.asked_at.store(age + 1, Ordering::Relaxed);
        }
    }
}

impl Grounds {
    /// The slot of a radius that somebody asks for, if there is one.
    fn find(&self, radius_bits: u32) -> Option<Arc<GroundSlot>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.iter().find(|slot| slot.radius_bits == radius_bits)?;
        slot.asked(self.age.load(Ordering::Relaxed));
        Some(slot.clone())
    }

    /// The ground of a radius that somebody asks for, if it is there.
    pub(super) fn find_ready(&self, radius_bits: u32) -> Option<Arc<Ground>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.iter().find(|slot| slot.radius_bits == radius_bits)?;
        slot.asked(self.age.load(Ordering::Relaxed));
        slot.ground.get().cloned()
    }

    /// The ground of a radius that somebody asks for, worked out unless it is there.
    pub(super) fn find_or_work_out(
        &self,
        radius_bits: u32,
        cancel: Option<&AtomicBool>,
        work: impl FnOnce() -> Result<Arc<Ground>, Cancelled>,
    ) -> Result<Arc<Ground>, Cancelled> {
        if let Some(ground) = self.find_ready(radius_bits) {
            return Ok(ground);
        }
        // Before another one has to make room.
        check(cancel)?;
        let slot = self.find_or_add(radius_bits);
        let ground = slot.ground.get_or_work_out(cancel, work).cloned();
        if ground.is_err() {
            self.give_up(&slot);
        }
        ground
    }

    /// The slot of a radius that somebody asks for.
    fn find_or_add(&self, radius_bits: u32) -> Arc<GroundSlot> {
        self.find(radius_bits).unwrap_or_else(|| {
            let age = self.age.fetch_add(1, Ordering::Relaxed) + 1;
            let slot = self.insert(radius_bits, age + 1, 0);
            slot.asked(age);
            slot
        })
    }

    /// Takes a slot out that stayed empty, unless somebody else waits for its ground: an edit would work that out
    /// for nobody.
    fn give_up(&self, slot: &Arc<GroundSlot>) {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let is_empty = slot.ground.get().is_none();
        if let Some(index) = slots.iter().position(|other| Arc::ptr_eq(other, slot))
            // The list and the one who gives up.
            && Arc::strong_count(slot) == 2
            && is_empty
        {
            slots.remove(index);
        }
    }

    /// Brings a slot over to the map after an edit, without its ground. Nobody asked for it yet.
    pub(super) fn bring(&self, other: &GroundSlot) -> Arc<GroundSlot> {
        let was_asked = other.asked_at.load(Ordering::Relaxed) > 0;
        let unasked = if was_asked { 0 } else { other.unasked + 1 };
        self.insert(other.radius_bits, 0, unasked)
    }

    /// Takes a ground out.
    pub(super) fn take(&mut self, radius_bits: u32) -> Option<Arc<Ground>> {
        let slots = self.slots.get_mut().unwrap_or_else(PoisonError::into_inner);
        let index = slots
            .iter()
            .position(|slot| slot.radius_bits == radius_bits)?;
        Arc::into_inner(slots.swap_remove(index))?
            .ground
            .into_inner()
    }

    /// Shows all slots that nobody else holds, each with its radius.
    pub(super) fn for_each_mut(&mut self, mut visit: impl FnMut(u32, &mut Option<Arc<Ground>>)) {
        let slots = self.slots.get_mut().unwrap_or_else(PoisonError::into_inner);
        for slot in slots.iter_mut().filter_map(Arc::get_mut) {
            let mut ground = slot.ground.take();
            visit(slot.radius_bits, &mut ground);
            if let Some(ground) = ground {
                slot.ground.set(ground);
            }
        }
    }

    fn insert(&self, radius_bits: u32, asked_at: u64, unasked: u32) -> Arc<GroundSlot> {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let known = slots.iter().find(|slot| slot.radius_bits == radius_bits);
        if let Some(slot) = known {
            return slot.clone();
        }
        if slots.len() >= MOST_GROUNDS {
            let when = |slot: &Arc<GroundSlot>| slot.asked_at.load(Ordering::Relaxed);
            let oldest = (0..slots.len()).min_by_key(|index| when(&slots[*index]));
            oldest.map(|index| slots.remove(index));
        }
        let slot = Arc::new(GroundSlot {
            radius_bits,
            ground: Lazy::default(),
            asked_at: AtomicU64::new(asked_at),
            unasked,
        });
        slots.push(slot.clone());
        slot
    }

    /// The slots that were asked for lately, of this map or of one before.
    pub(super) fn in_use(&self) -> Vec<Arc<GroundSlot>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let age = self.age.load(Ordering::Relaxed) + 1;
        let in_use = slots.iter().filter(|slot| {
            let asked_at = slot.asked_at.load(Ordering::Relaxed);
            if asked_at > 0 {
                age.saturating_sub(asked_at) < LATELY
            } else {
                slot.unasked < UNASKED
            }
        });
        in_use.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::DiagonalPolicy;
    use crate::grid::Grid;

    fn radii(slots: &[Arc<GroundSlot>]) -> Vec<u32> {
        slots.iter().map(|slot| slot.radius_bits).collect()
    }

    #[test]
    fn a_radius_that_changes_every_frame_pushes_out_only_its_own_past() {
        let grounds = Grounds::default();
        for frame in 0..1_200 {
            let steady = grounds.find_or_add(1);
            grounds.find_or_add(1_000 + frame);
            let count = grounds.slots.read().unwrap().len();
            assert!(count <= MOST_GROUNDS, "{count} radii are kept");
            assert!(Arc::ptr_eq(&steady, &grounds.find(1).unwrap()));
        }
        let in_use = radii(&grounds.in_use());
        assert!(in_use.contains(&1) && in_use.len() <= 1 + LATELY as usize);
    }

    #[test]
    fn a_slot_that_one_gives_up_stays_while_others_wait_or_once_it_is_filled() {
        let grounds = Grounds::default();
        let (mine, other) = (grounds.find_or_add(1), grounds.find_or_add(1));
        grounds.give_up(&mine);
        assert!(grounds.find(1).is_some(), "another one waits");
        drop(other);
        grounds.give_up(&mine);
        assert!(grounds.find(1).is_none());
        grounds.give_up(&mine);

        let cancelled = grounds.find_or_work_out(2, None, || Err(Cancelled));
        assert!(cancelled.is_err() && grounds.in_use().is_empty());
        let grid = Grid::from_fn(2, 2, |_| true).unwrap();
        let ground = Ground::from_grid(grid, DiagonalPolicy::NoCornerCut);
        let found = grounds.find_or_work_out(2, None, || Ok(Arc::new(ground)));
        assert!(found.is_ok());
        grounds.give_up(&grounds.find(2).unwrap());
        assert!(grounds.find_ready(2).is_some());
    }

    #[test]
    fn radii_in_steady_use_are_all_kept_for_the_next_map() {
        let grounds = Grounds::default();
        for _ in 0..3 {
            for radius in 0..MOST_GROUNDS as u32 {
                grounds.find_or_add(radius);
            }
        }
        assert_eq!(grounds.in_use().len(), MOST_GROUNDS);
    }

    #[test]
    fn a_radius_that_nobody_asks_for_any_more_is_brought_over_some_edits_long() {
        let mut grounds = Grounds::default();
        grounds.find_or_add(1);
        for edit in 0..=UNASKED {
            assert_eq!(radii(&grounds.in_use()), [1], "edit {edit}");
            let next = Grounds::default();
            grounds
                .in_use()
                .iter()
                .for_each(|slot| drop(next.bring(slot)));
            grounds = next;
        }
        assert!(grounds.in_use().is_empty());
    }

    #[test]
    fn radii_prepared_in_advance_and_never_asked_for_go_first() {
        let grounds = Grounds::default();
        grounds.find_or_add(1);
        let prepared = Grounds::default().find_or_add(2);
        grounds.bring(&prepared);
        for radius in 3..=MOST_GROUNDS as u32 + 1 {
            grounds.find_or_add(radius);
        }
        assert!(grounds.find(1).is_some() && grounds.find(2).is_none());
    }
}
