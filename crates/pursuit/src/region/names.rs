//! The names of regions: which region each component is in, and how many cells a region has.

use std::iter::repeat_n;

use super::forest::Forest;
use super::tiles::trim;

/// Regions by component, and cells by region. A name whose region is gone is given to the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Region of the component in each slot; anything in slots that are not in use.
    pub(super) regions: Vec<u32>,
    /// Cells of each region; 0 for names that are not in use.
    pub(super) sizes: Vec<u32>,
    spare: Vec<u32>,
}

impl Names {
    #[inline]
    pub(super) fn region(&self, slot: usize) -> u32 {
        self.regions[slot]
    }

    /// Makes room for slots.
    pub(super) fn grow(&mut self, slots: usize) {
        let missing = slots.saturating_sub(self.regions.len());
        self.regions.extend(repeat_n(0, missing));
    }

    /// Gives back memory that lists have grown into, but for some room for edits.
    pub(super) fn trim(&mut self) {
        trim(&mut self.regions);
        trim(&mut self.sizes);
    }

    /// Sets the region of a component. All regions are written here.
    pub(super) fn set(&mut self, slot: usize, region: u32) {
        self.regions[slot] = region;
    }

    /// Counts cells in.
    pub(super) fn add(&mut self, region: u32, cells: u32) {
        self.sizes[region as usize] += cells;
    }

    /// Counts cells out. A region without cells loses its name.
    pub(super) fn remove(&mut self, region: u32, cells: u32) {
        let size = &mut self.sizes[region as usize];
        *size -= cells;
        if *size == 0 {
            self.spare.push(region);
        }
    }

    /// A name for a new region, which is to get cells at once.
    pub(super) fn take(&mut self) -> u32 {
        self.spare.pop().unwrap_or_else(|| {
            self.sizes.push(0);
            self.sizes.len() as u32 - 1
        })
    }

    /// Makes one region of each pair of regions.
    pub(super) fn merge(&mut self, pairs: &[(u32, u32)]) {
        if pairs.is_empty() {
            return;
        }
        let mut forest = Forest::default();
        forest.reset(self.sizes.len());
        for &(a, b) in pairs {
            forest.join(a, b);
        }
        for &(a, b) in pairs {
            for region in [a, b] {
                let (root, cells) = (forest.root(region), self.sizes[region as usize]);
                if root != region && cells != 0 {
                    self.add(root, cells);
                    self.remove(region, cells);
                }
            }
        }
        for slot in 0..self.regions.len() {
            self.set(slot, forest.root(self.regions[slot]));
        }
    }
}
