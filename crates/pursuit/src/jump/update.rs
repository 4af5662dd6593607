//! Updates of boards after an edit. Only the parts that the edit affects are computed again.
//!
//! 1. `cells` finds the flipped cells: edited cells, and dead ends that come or go around them.
//! 2. `straight` computes the dirty words again. Walks reach the cells of these words from afar, so it goes back
//!    along the lines to find the flipped branches.
//! 3. `diagonals` writes flipped branches and flipped open steps. From each of these, it goes back along the diagonal,
//!    and notes the jump points on the way for a recheck.
//! 4. `stops` rechecks these: some are dominated now, some are not any more.
//!
//! ```text
//! a wall comes at x          . . . . . . . . . .      the four cells diagonally beside x
//!                            . . . . J . J . . .      become jump points
//!                            . . . . . x . . . .
//! line 1                     . . . . J . J . . .
//!                            . . . . . . . . . .
//!
//! line 1, walks up           before                   after
//!   forced, next             . . . . . . . . . .      . . . . . . 1 . . .
//!   stops                    . . . . . . . . . .      . . . . . . 1 . . .
//!   reaching a jump point    . . . . . . . . . .      1 1 1 1 1 1 . . . .      flipped branches
//!
//! rising diagonal, from the third cell of the lowest line
//!   open                     1 1 1 1 .                1 1 . 1 .                x cuts the third step
//!   branches_up[0]           . . . . .                . 1 . 1 .                on line 1 and on line 3
//!   branches_up[1]           . . . . .                . . 1 . .                below a jump point
//! ```
//!
//! The result is what [`JumpPointBoards::build`] would make of the same free cells, bit for bit. Only the dead ends
//! may differ. An update stops filling them after a while. And if all cells of a region but one are dead ends, a
//! build may leave another one. [`JumpPointBoards::settle`] also makes the dead ends equal to the dead ends of a build.

mod cells;
mod diagonals;
mod scratch;
mod stops;
mod straight;

pub(crate) use scratch::UpdateScratch;

use std::mem;

use crate::bits::{is_set, masks, ones};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, CellRect};
use crate::jump::boards::{JumpPointBoards, Skips};
use crate::jump::diagonal::DiagonalLines;
use crate::jump::journal::Layer;
use crate::jump::node::Node;
use crate::jump::straight::Lines;

/// Maximum number of cells that one update fills as dead ends, or the number of edited cells if that is greater. A
/// filled cell takes about as much time as an edited one.
const MAX_FILLS: u32 = 128;

/// Number of cells of the boards that are built in at most the time in which one flipped cell is updated.
const CELLS_PER_FLIP: usize = 256;

/// Like [`CELLS_PER_FLIP`], for each place at which cells flip: the lines and diagonals through it are followed far.
const CELLS_PER_PLACE: usize = 8_000;

/// Minimum number of cells of a build for the comparison with an update. A smaller build counts as this large.
const MIN_BUILD_CELLS: usize = 64 * CELLS_PER_FLIP;

impl JumpPointBoards {
    /// Brings the boards in line with an edit of their grid. `words` are its bit rows as they are now. Cells
    /// outside of `rects` must be as they were.
    ///
    /// So that no edit takes long, new dead ends may be left unfilled. A search then looks at some cells in
    /// vain. All else is as a build would make it. The first update takes longer: it works out what only updates
    /// need.
    ///
    /// Once it is cancelled, boards and scratch are left half-way, and of no more use.
    pub(crate) fn update(
        &mut self,
        words: &[u64],
        rects: impl IntoIterator<Item = CellRect>,
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        self.version.bump();
        scratch.start(self.slot_count());
        for rect in rects {
            cancel.check()?;
            let before = scratch.edits.len();
            self.collect_edits(words, rect, scratch);
            scratch.places += usize::from(scratch.edits.len() > before);
        }
        if self.is_rebuild_faster(scratch.edits.len(), scratch) {
            return self.rebuild(words, cancel);
        }
        self.is_settled &= scratch.edits.is_empty();
        let max_fills = MAX_FILLS.max(scratch.edits.len() as u32);
        cells::apply(self, scratch, max_fills);
        self.update_layers_or_rebuild(words, scratch, cancel)
    }

    fn update_layers_or_rebuild(
        &mut self,
        words: &[u64],
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        // A few edits may flip many cells: the way out of a dead end may be as long as a maze.
        if self.is_rebuild_faster(scratch.flip_log.len(), scratch) {
            self.rebuild(words, cancel)
        } else {
            self.prepare_updates();
            self.update_layers(scratch, cancel)
        }
    }

    /// Whether an update of the layers after this number of flips takes longer than a new build of the boards.
    fn is_rebuild_faster(&self, flips: usize, scratch: &UpdateScratch) -> bool {
        let cells = self.u_side as usize * self.v_side as usize;
        flips * CELLS_PER_FLIP + scratch.places * CELLS_PER_PLACE > cells.max(MIN_BUILD_CELLS)
    }

    /// Whether the boards are as a build would make them, dead ends included.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Makes the boards as a build would make them, dead ends included. Finds all dead ends again, which on most
    /// maps takes a fortieth of a build, and updates the other layers where dead ends came or went.
    ///
    /// Once it is cancelled, boards and scratch are left half-way, and of no more use.
    pub(crate) fn settle(
        &mut self,
        words: &[u64],
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        if self.is_settled {
            return Ok(());
        }
        self.version.bump();
        self.is_settled = true;
        scratch.start(self.slot_count());
        cells::fill_anew(self, scratch, cancel)?;
        self.update_layers_or_rebuild(words, scratch, cancel)
    }

    /// Makes these boards equal to `newer`, by copying what its journals name. Returns false, and copies nothing,
    /// if these boards are not in the state in which `newer` was when its [journals were
    /// cleared](Self::clear_journals).
    pub(crate) fn catch_up(&mut self, newer: &Self) -> bool {
        if !self.version.can_catch_up(&newer.version) {
            return false;
        }
        if self.version.is_same(&newer.version) {
            // The data for updates is kept, although the newer boards may not have it yet.
            self.clear_journals();
            return true;
        }
        self.version.catch_up(&newer.version);
        self.is_settled = newer.is_settled;
        self.scattered = newer.scattered;
        self.dead_ends.catch_up(&newer.dead_ends);
        for (lines, newer) in self.lines.iter_mut().zip(&newer.lines) {
            lines.catch_up(newer);
        }
        for (diagonals, newer) in self.diagonals.iter_mut().zip(&newer.diagonals) {
            diagonals.catch_up(newer);
        }
        // The journals of these boards list other changes, and may contain indices that no longer exist.
        self.clear_journals();
        true
    }

    /// Clears the journals, so that they list only later writes.
    pub(crate) fn clear_journals(&mut self) {
        self.version.clear_journal();
        self.for_each_layer(|layer| layer.clear_journal());
    }

    fn for_each_layer(&mut self, mut visit: impl FnMut(&mut dyn Layer)) {
        self.dead_ends.layers().into_iter().for_each(&mut visit);
        let lines = self.lines.iter_mut();
        lines.flat_map(Lines::layers).for_each(&mut visit);
        let diagonals = self.diagonals.iter_mut();
        let layers = diagonals.flat_map(DiagonalLines::layers);
        layers.for_each(&mut visit);
    }

    /// Whether these boards have the data for updates after they [caught up](Self::catch_up) with `newer`.
    pub(crate) fn is_ready(&self, newer: &Self) -> bool {
        let [own, newer_version] = [&self.version, &newer.version];
        let is_taken_over = !own.is_same(newer_version) && own.can_catch_up(newer_version);
        let boards = if is_taken_over { newer } else { self };
        boards.has_update_index()
    }

    /// Whether the boards have the data that only updates need.
    fn has_update_index(&self) -> bool {
        !self.diagonals[0].update_index.jump_points.is_empty()
    }

    /// Computes the data that only updates need, if it is missing.
    pub(crate) fn prepare_updates(&mut self) {
        if self.has_update_index() {
            return;
        }
        let along_u = self.lines[0].jump_points();
        let along_u = along_u.transposed(self.u_side, self.v_side);
        let along_v = self.lines[1].jump_points();
        let jump_points = along_u.either(&along_v);
        for (diagonals, rising) in self.diagonals.iter_mut().zip([true, false]) {
            diagonals.fill_update_index(rising, self.v_side, &jump_points);
        }
    }

    /// Whether all layers are equal, dead ends and ways out of them included.
    #[cfg(test)]
    pub(crate) fn is_equal(&self, other: &Self) -> bool {
        tests::check_equal(self, other).is_ok()
    }

    /// Notes which cells of a rectangle were edited: they are free in the grid and not here, or the other way
    /// around.
    fn collect_edits(&self, words: &[u64], rect: CellRect, scratch: &mut UpdateScratch) {
        let [width, height] = self.size();
        let all = CellRect::new(Cell::new(0, 0), Cell::new(width as i32, height as i32));
        let rect = rect.intersect(&all);
        if rect.is_empty() {
            return;
        }
        // These lines have the form of the grid's rows.
        let lines = &self.lines[usize::from(self.swapped)];
        for y in rect.min.y as u32..rect.max.y as u32 {
            let row = (y as usize + 1) * (lines.stride as usize / 64);
            for (w, mask) in masks(rect.min.x as usize..rect.max.x as usize) {
                let index = row + w;
                let word = words.get(index).copied().unwrap_or(0);
                // A cell that is not free in these lines is a wall or a dead end. Dead ends are kept by lines of
                // equal `v` only. If these are lines of equal `u`, all such cells are looked at one by one.
                let dead_ends = if self.swapped {
                    !lines.free[index]
                } else {
                    self.dead_ends.word(index)
                };
                let differing = (word ^ lines.free[index] | dead_ends & !word) & mask;
                for bit in ones(differing) {
                    let cell = Cell::new(w as i32 * 64 + bit as i32, y as i32);
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

    /// Builds the boards again.
    fn rebuild(&mut self, words: &[u64], cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let [width, height] = self.size();
        let boards = Self::build(words, width, height, Skips::DeadEndsAndDominated, cancel)?;
        let old = mem::replace(self, boards);
        self.version = old.version;
        self.for_each_layer(|layer| layer.note_all());
        Ok(())
    }

    /// Updates the free cells of the lines of equal `u` to the lines of equal `v`, and notes which nodes flipped.
    fn flip_columns(&mut self, scratch: &mut UpdateScratch) {
        for &slot in &scratch.flip_log {
            let node = self.slot_node(slot);
            let bit = self.line_bit::<1>(node);
            // A cell that was flipped twice is as it was. The lines of equal `u` were not written yet, so they
            // tell how it was.
            if is_set(&self.lines[0].free, slot) != is_set(&self.lines[1].free, bit) {
                let free = &mut self.lines[1].free;
                let index = bit as usize / 64;
                free.set(index, free[index] ^ 1 << (bit % 64));
                scratch.flipped_cells.push(node);
            }
        }
    }

    /// Updates all layers to the flips of the free cells in the lines of equal `v`.
    fn update_layers(
        &mut self,
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        self.flip_columns(scratch);
        cancel.check()?;
        straight::rewrite::<0>(self, scratch);
        cancel.check()?;
        straight::rewrite::<1>(self, scratch);
        let UpdateScratch {
            flipped_cells,
            old_words,
            flipped_forced,
            recheck,
            flipped_branches,
            ..
        } = scratch;
        cancel.check()?;
        for &node in &*flipped_forced {
            diagonals::update_jump_point(self, recheck, node);
        }
        for &node in &*flipped_cells {
            diagonals::update_open_steps(self, recheck, node);
        }
        cancel.check()?;
        update_branches::<0, true>(self, &old_words[0], flipped_branches, recheck);
        update_branches::<0, false>(self, &old_words[0], flipped_branches, recheck);
        cancel.check()?;
        update_branches::<1, true>(self, &old_words[1], flipped_branches, recheck);
        update_branches::<1, false>(self, &old_words[1], flipped_branches, recheck);
        cancel.check()?;
        stops::update_stops(self, recheck.nodes());
        recheck.clear();
        Ok(())
    }
}

/// Writes the flipped branches of straight walks along an axis, up or down, to the diagonals. `nodes` is memory
/// for them.
fn update_branches<const AXIS: usize, const UP: bool>(
    boards: &mut JumpPointBoards,
    old_words: &[scratch::OldLineWord],
    nodes: &mut Vec<Node>,
    recheck: &mut scratch::NodeSet,
) {
    nodes.clear();
    let note = |node| nodes.push(node);
    straight::for_each_flipped_branch::<AXIS, UP>(boards, old_words, note);
    for &node in &*nodes {
        diagonals::flip_branch::<AXIS, UP>(boards, recheck, node);
    }
}

#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
#[path = "update/tests/words.rs"]
mod words;
