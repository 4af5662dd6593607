//! What bodies of each radius can walk on, for the radii that are asked for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use pursuit::tables::SearchTables;
use pursuit::{Grid, Regions};

/// A snapshot keeps at most this many radii. A body whose radius changes all the time costs no more
/// memory than that.
pub(super) const MOST_CLASSES: usize = 16;

/// Radii that were not asked for since this many others were new are left out of the next bake.
const LATELY: u64 = 4;

/// What one radius can walk on, derived from a [`NavSnapshot`](crate::grid::NavSnapshot).
#[derive(Clone, Debug)]
pub struct RadiusClass {
    /// Free cells. A disc of the planning radius swept along any step between two of them that the
    /// grid's diagonal policy allows touches no obstacle.
    pub grid: Grid,
    /// Connected regions of [`grid`](Self::grid).
    pub regions: Regions,
    /// The planning radius, in cells.
    pub radius_cells: f32,
    pub(super) tables: OnceLock<Arc<SearchTables>>,
}

impl RadiusClass {
    /// What [`NavGrid::deep_bake`](crate::grid::NavGrid::deep_bake) made for searches on
    /// [`grid`](Self::grid); `None` until then.
    pub fn tables(&self) -> Option<&SearchTables> {
        self.tables.get().map(AsRef::as_ref)
    }

    /// Makes tables for this grid known. The first ones stay.
    pub(crate) fn set_tables(&self, tables: SearchTables) {
        self.tables.get_or_init(|| Arc::new(tables));
    }
}

/// The place of one class, which may still be computed.
pub(super) struct ClassSlot {
    pub(super) radius_bits: u32,
    pub(super) class: OnceLock<Arc<RadiusClass>>,
    /// The [`RadiusClasses::age`] when it was last asked for; zero if it never was, but prepared in
    /// advance.
    asked_at: AtomicU64,
}

/// The classes of a snapshot. When there is no room for another one, that which nobody asked for the
/// longest goes.
#[derive(Default)]
pub(super) struct RadiusClasses {
    slots: RwLock<Vec<Arc<ClassSlot>>>,
    /// Grows with each radius that was asked for and not there. Starts at zero.
    age: AtomicU64,
}

impl ClassSlot {
    fn asked(&self, age: u64) {
        // Many threads ask for the same one: most only read.
        if self.asked_at.load(Ordering::Relaxed) != age + 1 {
            self.asked_at.store(age + 1, Ordering::Relaxed);
        }
    }
}

impl RadiusClasses {
    /// The slot of a radius that somebody asks for, if there is one.
    pub(super) fn find(&self, radius_bits: u32) -> Option<Arc<ClassSlot>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.iter().find(|slot| slot.radius_bits == radius_bits)?;
        slot.asked(self.age.load(Ordering::Relaxed));
        Some(slot.clone())
    }

    /// The class of a radius that somebody asks for, if it is there.
    pub(super) fn find_ready(&self, radius_bits: u32) -> Option<Arc<RadiusClass>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.iter().find(|slot| slot.radius_bits == radius_bits)?;
        slot.asked(self.age.load(Ordering::Relaxed));
        slot.class.get().cloned()
    }

    /// The slot of a radius that somebody asks for.
    pub(super) fn find_or_add(&self, radius_bits: u32) -> Arc<ClassSlot> {
        self.find(radius_bits).unwrap_or_else(|| {
            let age = self.age.fetch_add(1, Ordering::Relaxed) + 1;
            let slot = self.insert(radius_bits, age + 1);
            slot.asked(age);
            slot
        })
    }

    /// The slot of a radius that nobody asked for yet.
    pub(super) fn add(&self, radius_bits: u32) -> Arc<ClassSlot> {
        self.insert(radius_bits, 0)
    }

    fn insert(&self, radius_bits: u32, asked_at: u64) -> Arc<ClassSlot> {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let known = slots.iter().find(|slot| slot.radius_bits == radius_bits);
        if let Some(slot) = known {
            return slot.clone();
        }
        if slots.len() >= MOST_CLASSES {
            let when = |slot: &Arc<ClassSlot>| slot.asked_at.load(Ordering::Relaxed);
            let oldest = (0..slots.len()).min_by_key(|index| when(&slots[*index]));
            oldest.map(|index| slots.remove(index));
        }
        let slot = Arc::new(ClassSlot {
            radius_bits,
            class: OnceLock::new(),
            asked_at: AtomicU64::new(asked_at),
        });
        slots.push(slot.clone());
        slot
    }

    /// The slots that were asked for lately.
    pub(super) fn in_use(&self) -> Vec<Arc<ClassSlot>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let age = self.age.load(Ordering::Relaxed) + 1;
        let in_use = slots.iter().filter(|slot| {
            let asked_at = slot.asked_at.load(Ordering::Relaxed);
            asked_at > 0 && age.saturating_sub(asked_at) < LATELY
        });
        in_use.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radii(slots: &[Arc<ClassSlot>]) -> Vec<u32> {
        slots.iter().map(|slot| slot.radius_bits).collect()
    }

    #[test]
    fn a_radius_that_changes_every_frame_pushes_out_only_its_own_past() {
        let classes = RadiusClasses::default();
        for frame in 0..1_200 {
            let steady = classes.find_or_add(1);
            classes.find_or_add(1_000 + frame);
            let count = classes.slots.read().unwrap().len();
            assert!(count <= MOST_CLASSES, "{count} radii are kept");
            assert!(Arc::ptr_eq(&steady, &classes.find(1).unwrap()));
        }
        let in_use = radii(&classes.in_use());
        assert!(in_use.contains(&1) && in_use.len() <= 1 + LATELY as usize);
    }

    #[test]
    fn radii_in_steady_use_are_all_kept_for_the_next_bake() {
        let classes = RadiusClasses::default();
        for _ in 0..3 {
            for radius in 0..MOST_CLASSES as u32 {
                classes.find_or_add(radius);
            }
        }
        assert_eq!(classes.in_use().len(), MOST_CLASSES);
    }

    #[test]
    fn radii_prepared_in_advance_and_never_asked_for_go_first() {
        let classes = RadiusClasses::default();
        classes.find_or_add(1);
        classes.add(2);
        assert_eq!(radii(&classes.in_use()), [1]);
        for radius in 3..=MOST_CLASSES as u32 + 1 {
            classes.find_or_add(radius);
        }
        assert!(classes.find(1).is_some() && classes.find(2).is_none());
    }
}
