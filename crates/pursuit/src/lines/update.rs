//! Boards after an edit: only what it touched is worked out anew.
//!
//! 1. Which cells changed; dead ends around them (`cells`).
//! 2. The words of lines around them, and how far along the lines walks meet something else (`straight`).
//! 3. Each such cell lies on two diagonals. Follow those back to the jump points affected (`diagonals`).
//! 4. These may be dominated now, or may not be any more (`stops`).
//!
//! The result is what [`Boards::build`] would make of the same free cells, bit for bit. Only dead ends may
//! be fewer: after many new ones an update stops filling them. And a region that is all dead ends may be
//! rooted at another cell. [`Boards::settle`] makes them those of boards made anew.

mod cells;
mod diagonals;
mod scratch;
mod stops;
mod straight;

pub(crate) use scratch::UpdateScratch;

use std::mem;

use crate::cancel::{Cancelled, Watch};
use crate::cell::{Cell, CellRect};
use crate::lines::boards::Boards;
use crate::lines::diagonal::Diagonals;
use crate::lines::journal::Layer;
use crate::lines::node::Node;
use crate::lines::straight::Lines;

/// How many cells one update makes dead ends at most. Each costs about as much as an edited cell.
const MOST_FILLS: u32 = 128;

/// An update that changes more than one cell in this many makes the boards anew.
const CELLS_PER_CHANGE: usize = 256;

impl Boards {
    /// Follows an edit of the grid that they were made of. `words` are its bit rows as they are now;
    /// cells outside of `rect` did not change.
    ///
    /// Dead ends that come to be may be missing afterwards, so that no edit takes long: a search looks at
    /// some cells in vain then. All else is as if made anew. The first update takes longer: it works out what
    /// only updates need to know.
    pub(crate) fn update(&mut self, words: &[u64], rect: CellRect, scratch: &mut UpdateScratch) {
        self.edition.edit();
        scratch.start(self.slot_count());
        self.collect_edits(words, rect, scratch);
        if self.are_too_many(scratch.edits.len()) {
            self.replace(words);
            return;
        }
        self.is_settled &= scratch.edits.is_empty();
        cells::apply(self, scratch, MOST_FILLS);
        self.follow_cells_or_replace(words, scratch);
    }

    fn follow_cells_or_replace(&mut self, words: &[u64], scratch: &mut UpdateScratch) {
        // A way out of a maze may be as long as the maze.
        if self.are_too_many(scratch.flips.len()) {
            self.replace(words);
        } else {
            self.prepare_updates();
            self.follow_cells(scratch);
        }
    }

    /// Whether to follow that many changed cells takes longer than to make the boards anew.
    fn are_too_many(&self, changed: usize) -> bool {
        let cells = self.u_side as usize * self.v_side as usize;
        changed > (cells / CELLS_PER_CHANGE).max(64)
    }

    /// Whether they are as if made anew, dead ends included.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Makes them so. Dead ends are found anew, which takes a fortieth of making boards on most maps; the rest
    /// follows those that differ.
    pub(crate) fn settle(&mut self, words: &[u64], scratch: &mut UpdateScratch) {
        if self.is_settled {
            return;
        }
        self.edition.edit();
        self.is_settled = true;
        scratch.start(self.slot_count());
        cells::fill_anew(self, scratch);
        self.follow_cells_or_replace(words, scratch);
    }

    /// Copies what changed in `newer` since it [forgot](Self::forget_changes). False, and nothing copied, if
    /// these boards are not as those were then.
    #[must_use]
    pub(crate) fn catch_up(&mut self, newer: &Self) -> bool {
        if !self.edition.can_follow(&newer.edition) {
            return false;
        }
        self.edition.follow(&newer.edition);
        self.is_settled = newer.is_settled;
        self.scattered = newer.scattered;
        self.dead_ends.catch_up(&newer.dead_ends);
        for (lines, newer) in self.lines.iter_mut().zip(&newer.lines) {
            lines.catch_up(newer);
        }
        for (diagonals, newer) in self.diagonals.iter_mut().zip(&newer.diagonals) {
            diagonals.catch_up(newer);
        }
        // Its own journals tell of another past, maybe of places that are gone.
        self.forget_changes();
        true
    }

    /// Empties the journals: they tell what is written from here on.
    pub(crate) fn forget_changes(&mut self) {
        self.edition.forget();
        self.for_each_layer(|layer| layer.forget());
    }

    fn for_each_layer(&mut self, mut visit: impl FnMut(&mut dyn Layer)) {
        self.dead_ends.layers().into_iter().for_each(&mut visit);
        let lines = self.lines.iter_mut();
        lines.flat_map(Lines::layers).for_each(&mut visit);
        let diagonals = self.diagonals.iter_mut();
        diagonals.flat_map(Diagonals::layers).for_each(&mut visit);
    }

    /// Works out what updates need to know and searches do not.
    fn prepare_updates(&mut self) {
        if self.diagonals[0].update_index.jump_points.is_empty() {
            // Without a flag, nothing cancels it.
            let _ = self.fill_update_index(&mut Watch::new(None));
        }
    }

    /// Whether all layers are equal, dead ends and ways out of them included.
    #[cfg(test)]
    pub(crate) fn is_equal(&self, other: &Self) -> bool {
        tests::check_equal(self, other).is_ok()
    }

    fn fill_update_index(&mut self, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        let along_u = self.lines[0].jump_points();
        let along_u = along_u.transposed(self.u_side, self.v_side, watch)?;
        let jump_points = along_u.either(&self.lines[1].jump_points(), watch)?;
        for (diagonals, rising) in self.diagonals.iter_mut().zip([true, false]) {
            diagonals.fill_update_index(rising, self.v_side, &jump_points, watch)?;
        }
        Ok(())
    }

    /// Notes which cells of a rectangle differ from the grid's.
    fn collect_edits(&self, words: &[u64], rect: CellRect, scratch: &mut UpdateScratch) {
        let [width, height] = self.size();
        let all = CellRect::new(Cell::new(0, 0), Cell::new(width as i32, height as i32));
        let rect = rect.intersect(&all);
        if rect.is_empty() {
            return;
        }
        // These lines have the form of the grid's rows.
        let lines = &self.lines[usize::from(self.swapped)];
        let (x0, x1) = (rect.min.x as u32, rect.max.x as u32);
        for y in rect.min.y as u32..rect.max.y as u32 {
            for w in x0 / 64..=(x1 - 1) / 64 {
                let low = u64::MAX << x0.saturating_sub(w * 64);
                let high = u64::MAX >> (64 - (x1 - w * 64).min(64));
                let index = ((y + 1) * (lines.stride / 64) + w) as usize;
                let word = words.get(index).copied().unwrap_or(0);
                // What is no wall and not in these lines may be a dead end. Those have the form of the lines
                // of equal `v`.
                let dead_ends = if self.swapped {
                    !lines.free[index]
                } else {
                    self.dead_ends.word(index)
                };
                let mut differing = (word ^ lines.free[index] | dead_ends & !word) & low & high;
                while differing != 0 {
                    let bit = differing.trailing_zeros();
                    differing &= differing - 1;
                    let cell = Cell::new((w * 64 + bit) as i32, y as i32);
                    let slot = self.slot(self.node(cell));
                    let is_free = word >> bit & 1 != 0;
                    if is_free != cells::is_free(self, slot) {
                        scratch.edits.push((slot, is_free));
                    }
                }
            }
        }
    }

    /// Columns and rows of the grid.
    fn size(&self) -> [u32; 2] {
        if self.swapped {
            [self.v_side, self.u_side]
        } else {
            [self.u_side, self.v_side]
        }
    }

    /// Makes the boards anew.
    fn replace(&mut self, words: &[u64]) {
        let [width, height] = self.size();
        // Without a flag, nothing cancels it.
        if let Ok(boards) = Self::build(words, width, height, None) {
            let old = mem::replace(self, boards);
            self.edition = old.edition;
        }
        self.for_each_layer(|layer| layer.note_all());
    }

    /// Brings all layers in line with the cells that flipped.
    fn follow_cells(&mut self, scratch: &mut UpdateScratch) {
        for &slot in &scratch.flips {
            let node = self.slot_node(slot);
            let is_free = |bit: u32, words: &[u64]| words[bit as usize / 64] >> (bit % 64) & 1;
            let bit = self.line_bit::<1>(node);
            // What flipped twice is as it was.
            if is_free(slot, &self.lines[0].free) != is_free(bit, &self.lines[1].free) {
                let free = &mut self.lines[1].free;
                let index = bit as usize / 64;
                free.set(index, free[index] ^ 1 << (bit % 64));
                scratch.changed.push(node);
            }
        }
        straight::rewrite::<0>(self, scratch);
        straight::rewrite::<1>(self, scratch);
        let UpdateScratch {
            changed,
            before,
            wall_ends,
            recheck,
            flipped_branches,
            ..
        } = scratch;
        for &node in &*wall_ends {
            diagonals::update_jump_point(self, recheck, node);
        }
        for &node in &*changed {
            diagonals::update_open_steps(self, recheck, node);
        }
        follow_branches::<0, true>(self, &before[0], flipped_branches, recheck);
        follow_branches::<0, false>(self, &before[0], flipped_branches, recheck);
        follow_branches::<1, true>(self, &before[1], flipped_branches, recheck);
        follow_branches::<1, false>(self, &before[1], flipped_branches, recheck);
        stops::update_stops(self, recheck.nodes());
        recheck.clear();
    }
}

/// Takes to the diagonals from which cells straight walks reach a jump point now and did not, or the
/// other way around.
fn follow_branches<const AXIS: usize, const UP: bool>(
    boards: &mut Boards,
    before: &[scratch::WordBefore],
    nodes: &mut Vec<Node>,
    recheck: &mut scratch::NodeSet,
) {
    nodes.clear();
    straight::for_each_flip::<AXIS, UP>(boards, before, |node| nodes.push(node));
    for &node in &*nodes {
        diagonals::flip_branch::<AXIS, UP>(boards, recheck, node);
    }
}

#[cfg(test)]
mod tests;
