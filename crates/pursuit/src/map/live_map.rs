//! A map that is edited while others read it.

use std::mem;
use std::sync::Arc;

use super::nav_map::NavMap;
use crate::cell::CellRect;
use crate::clearance::Clearance;
use crate::lines::update::UpdateScratch;

/// Copies beside the current one are at most this many.
const MOST_SPARES: usize = 2;

/// A copy that missed more than this share of all cells, or so many rectangles, is given up.
const MOST_MISSED: (f32, usize) = (0.25, 64);

/// A map that is edited while searches read it: a map that somebody holds never changes.
///
/// An edit costs what it touches, since there are two copies. The one that was current before catches up
/// with what it missed, takes the edit, and is current again:
///
/// ```text
///              copy A             copy B
///   edit 1     current            = A, then 1: current
///   edit 2     1, then 2: current
///   edit 3                        2, then 3: current
/// ```
///
/// A copy that somebody still holds cannot be written to. Then a third one is made, which takes as long as
/// copying the map; so does the first edit. The memory is that of two maps, or of three.
///
/// Walls change, terrain costs do not: a cell that is freed has the cost that it had, or that its wall had.
///
/// What is equal to a map made anew are distances, walkable cells and what they cost, and regions. Jump points count fewer cells as
/// dead ends after edits that make many: searches look at some in vain, and of paths that cost the same they may
/// find another one.
#[derive(Debug)]
pub struct LiveMap {
    current: Arc<NavMap>,
    spares: Vec<Spare>,
    scratch: UpdateScratch,
}

/// A map of before.
#[derive(Debug)]
struct Spare {
    map: Arc<NavMap>,
    /// Where it may differ from the current one.
    missed: Vec<CellRect>,
}

impl Spare {
    fn missed_cells(&self) -> u64 {
        self.missed.iter().map(CellRect::cell_count).sum()
    }
}

impl LiveMap {
    /// Starts with a map.
    #[must_use]
    pub fn new(map: impl Into<Arc<NavMap>>) -> Self {
        Self {
            current: map.into(),
            spares: Vec::new(),
            scratch: UpdateScratch::default(),
        }
    }

    /// The map as it is. Who holds it sees no later edit.
    #[must_use]
    pub fn map(&self) -> &Arc<NavMap> {
        &self.current
    }

    /// Makes a map with other distances. `draw` changes them: those of centers in `rects`, and those of
    /// steps that start or end there. Whether any of them differs; if not, the map stays. What `draw` changes
    /// elsewhere may or may not be in later maps. The size and the cap have to stay.
    ///
    /// The new map has a ground for each radius that was asked for lately: of this map or of one of the 64
    /// before it.
    pub fn edit(&mut self, rects: &[CellRect], draw: impl FnOnce(&mut Clearance)) -> bool {
        let mut next = self.take_copy();
        if !next.draw(rects, draw, &self.current) {
            self.keep(Arc::new(next), rects.to_vec());
            return false;
        }
        next.redraw_grounds(rects, &mut self.scratch);
        for spare in &mut self.spares {
            let is_new = |rect: &&CellRect| !spare.missed.contains(rect);
            let new: Vec<CellRect> = rects.iter().filter(is_new).copied().collect();
            spare.missed.extend(new);
        }
        let all = self.current.rect().cell_count() as f32;
        let (share, most) = MOST_MISSED;
        self.spares.retain(|spare| {
            spare.missed_cells() as f32 <= share * all && spare.missed.len() <= most
        });
        let old = mem::replace(&mut self.current, Arc::new(next));
        self.keep(old, rects.to_vec());
        true
    }

    /// A copy of the current map, to write to.
    fn take_copy(&mut self) -> NavMap {
        let spares = self.spares.iter_mut().enumerate();
        let free = spares
            .filter_map(|(index, spare)| {
                let is_free = Arc::get_mut(&mut spare.map).is_some();
                is_free.then(|| (spare.missed_cells(), index))
            })
            .min()
            .map(|(_, index)| index);
        let spare = free.map(|index| self.spares.swap_remove(index));
        let taken = spare.and_then(|Spare { map, missed }| Some((Arc::into_inner(map)?, missed)));
        let Some((mut map, missed)) = taken else {
            return self.current.duplicate();
        };
        map.catch_up(&self.current, &missed, &mut self.scratch);
        map
    }

    fn keep(&mut self, map: Arc<NavMap>, missed: Vec<CellRect>) {
        self.spares.push(Spare { map, missed });
        if self.spares.len() > MOST_SPARES {
            self.spares.remove(0);
        }
    }
}
