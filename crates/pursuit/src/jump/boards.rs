//! Jump-point bitboards: words of bits that tell where straight walks stop, and where diagonal walks branch
//! and end.
//!
//! They are for grids with 8 neighbors, without terrain costs, on which no corner may be cut. A build takes a
//! few operations per word of the grid's rows. The [words used here](super) are explained in one place.

use std::fmt;

use crate::bits::rows::BitRows;
use crate::bits::shear::Shear;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::jump::dead_ends::DeadEnds;
use crate::jump::diagonal::{DiagonalLines, DiagonalSources, open_steps};
use crate::jump::journal::Version;
use crate::jump::node::Node;
use crate::jump::scattered::Scattered;
use crate::jump::straight::{self, Lines};
use crate::stride::Stride;

/// Where straight walks over a grid stop, and where diagonal walks branch and end.
///
/// The boards have coordinates of their own: `u` along the longer side of the grid, `v` along the shorter. So
/// no diagonal is longer than the short side, and the boards of a narrow grid stay small.
///
/// One layer is worked out from another. Those with a star are kept:
///
/// ```text
/// walls ─▶ dead ends* ─▶ free* ─┬─▶ open steps of diagonals* ────────────────┐
///                               └─▶ jump points* ─▶ branches*: cells that    ├─▶ cells that reach a
///                                        │          reach one along a line ──┤   branch diagonally
///                                        ▼                                   │           │
///                                      stops* ◀── dominated ◀────────────────┴───────────┘
/// ```
///
/// A strip has none, since they would take up to 230 bytes per cell: A\* searches strips. A strip is less than 8
/// cells wide and more than 4096 long, or less than 6 wide and more than 512 long.
#[derive(Clone)]
pub(crate) struct JumpPointBoards {
    pub(super) version: Version,
    /// Whether the dead ends are the ones that a build would find. After an update, some may be missing.
    pub(super) is_settled: bool,
    /// Whether `u` counts rows and `v` columns.
    pub(crate) swapped: bool,
    pub(crate) u_side: u32,
    pub(crate) v_side: u32,
    /// Splits a slot into its line of equal `v` and its bit in there.
    slots: Stride,
    pub(crate) scattered: Scattered,
    /// Lines of equal `v` with bits by `u`. In `lines` and `diagonals`, a dead end is a wall.
    pub(crate) dead_ends: DeadEnds,
    /// Lines of equal `v` with bits by `u`, then lines of equal `u` with bits by `v`.
    pub(crate) lines: [Lines; 2],
    /// Rising diagonals, then falling ones.
    pub(crate) diagonals: [DiagonalLines; 2],
}

/// The cells that walks over boards pass without stopping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Skips {
    /// Walks do not enter dead ends, and pass dominated jump points. For searches.
    DeadEndsAndDominated,
    /// Walks stop at every jump point. For search tables.
    Nothing,
}

/// Pairs of a width and a length, in cells. A grid that is narrower than the width and longer than the length of
/// one pair is a strip: boards would have 64 bits for each of its lines across.
const STRIP_LIMITS: [(u32, u32); 2] = [(6, 512), (8, 4096)];

/// Whether a grid of that size is a strip.
pub(crate) fn is_strip(width: u32, height: u32) -> bool {
    let (short, long) = (width.min(height), width.max(height));
    let mut strips = STRIP_LIMITS.iter();
    strips.any(|&(width, length)| short < width && long > length)
}

impl fmt::Debug for JumpPointBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JumpPointBoards").finish_non_exhaustive()
    }
}

impl JumpPointBoards {
    /// The boards of `width` columns and `height` rows of bits, `words` row by row, 1 = free, with a
    /// blocked row before the first and after the last and a blocked bit at the end of each.
    ///
    /// # Errors
    /// [`Cancelled`] if `cancel` ends the work. It is checked before each layer.
    pub(crate) fn build(
        words: &[u64],
        width: u32,
        height: u32,
        skips: Skips,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let mut rows = BitRows {
            row_words: width as usize / 64 + 1,
            words: words.to_vec(),
        };
        let swapped = height > width;
        let (mut u_side, mut v_side) = (width, height);
        if swapped {
            rows = rows.transposed(width, height);
            std::mem::swap(&mut u_side, &mut v_side);
        }
        cancel.check()?;
        let scattered = Scattered::count(&rows, u_side, v_side);
        let dead_ends = if skips == Skips::Nothing {
            DeadEnds::none(rows.row_words)
        } else {
            let (dead_ends, rest) = DeadEnds::fill(&rows.words, rows.row_words, cancel)?;
            rows.words = rest.into_vec();
            dead_ends
        };
        let (lines, diagonals) = lines_and_diagonals(rows, (u_side, v_side), skips, cancel)?;
        Ok(Self {
            version: Version::new(),
            is_settled: true,
            swapped,
            u_side,
            v_side,
            slots: Stride::new(lines[0].stride),
            scattered,
            dead_ends,
            lines,
            diagonals,
        })
    }

    /// Like [`build`](Self::build), but without cancellation.
    #[cfg(test)]
    pub(crate) fn new(grid: &crate::grid::Grid) -> Self {
        let (words, width, height) = (grid.walls().words(), grid.width(), grid.height());
        crate::cancel::uncancelled(|cancel| {
            Self::build(words, width, height, Skips::DeadEndsAndDominated, cancel)
        })
    }

    /// Memory of the lines and diagonals, in bytes.
    #[cfg(feature = "tables")]
    pub(crate) fn byte_size(&self) -> usize {
        let lines = self.lines.iter().map(|lines| {
            let [up, down] = &lines.words;
            size_of_val(&**up) + size_of_val(&**down) + size_of_val(&*lines.free)
        });
        let diagonals = self.diagonals.iter().map(|it| size_of_val(&*it.words));
        lines.chain(diagonals).sum()
    }

    /// The node of a cell inside of the grid.
    pub(crate) fn node(&self, cell: Cell) -> Node {
        let (x, y) = (cell.x as u32, cell.y as u32);
        if self.swapped {
            Node { u: y, v: x }
        } else {
            Node { u: x, v: y }
        }
    }

    /// The cell of a node.
    pub(crate) fn cell(&self, node: Node) -> Cell {
        let Node { u, v } = node;
        let (x, y) = if self.swapped { (v, u) } else { (u, v) };
        Cell::new(x as i32, y as i32)
    }

    /// Number of slots. There is one for each bit in the lines of equal `v`, border included.
    pub(crate) fn slot_count(&self) -> usize {
        self.lines[0].free.len() * 64
    }

    /// A number for each node: its bit among the lines of equal `v`.
    #[inline(always)]
    pub(crate) fn slot(&self, node: Node) -> u32 {
        self.line_bit::<0>(node)
    }

    /// The node of a slot.
    #[inline(always)]
    pub(crate) fn slot_node(&self, slot: u32) -> Node {
        let (line, u) = self.slots.split(slot);
        Node { u, v: line - 1 }
    }

    /// The place of a node's bit among the lines along `AXIS`: 0 for those of equal `v`.
    #[inline(always)]
    pub(crate) fn line_bit<const AXIS: usize>(&self, node: Node) -> u32 {
        let (line, bit) = if AXIS == 0 {
            (node.v, node.u)
        } else {
            (node.u, node.v)
        };
        (line + 1) * self.lines[AXIS].stride + bit
    }

    /// Whether a cell inside of the grid is a jump point of any straight walk, dominated or not.
    #[cfg(test)]
    pub(crate) fn is_jump_point(&self, cell: Cell) -> bool {
        let node = self.node(cell);
        let bits = [self.line_bit::<0>(node), self.line_bit::<1>(node)];
        self.lines.iter().zip(bits).any(|(lines, bit)| {
            let word = |walk: &[straight::LineWord]| walk[bit as usize / 64].jump_points();
            (word(&lines.words[0]) | word(&lines.words[1])) >> (bit % 64) & 1 != 0
        })
    }

    /// The diagonal of a node: its number, and the index of its word in [`DiagonalLines::words`]. The node's
    /// bit is that of `v % 64`.
    #[inline(always)]
    pub(crate) fn diagonal_word<const RISING: bool>(&self, node: Node) -> (u32, u32) {
        let diagonal = node.diagonal::<RISING>(self.v_side);
        let stride = self.diagonals[usize::from(!RISING)].stride;
        (diagonal, node.v / 64 * stride + diagonal)
    }
}

/// The layers of lines and of diagonals. `by_u` are the free cells without dead ends: lines of equal `v`, bits
/// by `u`.
pub(super) fn lines_and_diagonals(
    by_u: BitRows,
    (u_side, v_side): (u32, u32),
    skips: Skips,
    cancel: Cancel<'_>,
) -> Result<([Lines; 2], [DiagonalLines; 2]), Cancelled> {
    cancel.check()?;
    let by_v = by_u.transposed(u_side, v_side);
    cancel.check()?;
    let mut along_u = straight::undominated_line_words(&by_u);
    let mut along_v = straight::undominated_line_words(&by_v);
    cancel.check()?;
    // The cells from which walks along u, up and down, reach a jump point.
    let reaching_u = straight::reaching(&along_u, by_u.row_words);
    // Bits by v, as diagonals have them.
    let reaching_u_by_v = reaching_u.map(|rows| rows.transposed(u_side, v_side));
    cancel.check()?;
    let reaching_v = straight::reaching(&along_v, by_v.row_words);
    let mut shear = Shear::default();
    // For rising and for falling diagonals: the cells from which walks up, and walks down, reach a branch.
    let mut reaching_branch: Vec<[BitRows; 2]> = Vec::with_capacity(2);
    let mut diagonals_of = |rising: bool| {
        cancel.check()?;
        // Whether u grows, 0, or falls, 1, on the way up a diagonal.
        let u_on_the_way_up = usize::from(!rising);
        let sources = DiagonalSources {
            open: &open_steps(&by_v, rising),
            branches_up: [&reaching_u_by_v[u_on_the_way_up], &reaching_v[0]],
            branches_down: [&reaching_u_by_v[1 - u_on_the_way_up], &reaching_v[1]],
        };
        let diagonals = DiagonalLines::new(rising, v_side, &sources, cancel)?;
        let count = diagonals.stride as usize;
        cancel.check()?;
        let [up, down] = diagonals.reaching_branch();
        cancel.check()?;
        // The shear turns diagonals back into lines of equal u.
        reaching_branch.push([
            shear.lines(&up, count, rising, (u_side, v_side)),
            shear.lines(&down, count, rising, (u_side, v_side)),
        ]);
        Ok(diagonals)
    };
    let diagonals = [diagonals_of(true)?, diagonals_of(false)?];
    if skips == Skips::Nothing {
        let lines = [Lines::new(by_u, along_u), Lines::new(by_v, along_v)];
        return Ok((lines, diagonals));
    }
    // Directions are 0 if the coordinate grows, 1 if it falls. If both are equal, the diagonal rises.
    let diagonally = |in_u: usize, in_v: usize| &reaching_branch[in_u ^ in_v][in_v];
    for ahead in 0..2 {
        cancel.check()?;
        // For each side: the cells that reach a branch diagonally ahead, or a jump point straight to the side.
        let by_side = [
            diagonally(0, ahead).either(&reaching_u_by_v[0]),
            diagonally(1, ahead).either(&reaching_u_by_v[1]),
        ];
        straight::drop_dominated_stops(&mut along_v[ahead], &by_side);
        cancel.check()?;
        let by_side = [
            diagonally(ahead, 0).either(&reaching_v[0]),
            diagonally(ahead, 1).either(&reaching_v[1]),
        ];
        let by_side = by_side.map(|rows| rows.transposed(v_side, u_side));
        straight::drop_dominated_stops(&mut along_u[ahead], &by_side);
    }
    let lines = [Lines::new(by_u, along_u), Lines::new(by_v, along_v)];
    Ok((lines, diagonals))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::jump::naive::{Naive, any_grid, cells, node};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(60)))]

        #[test]
        fn each_node_has_its_own_cell_slot_and_bits(grid in any_grid()) {
            let boards = JumpPointBoards::new(&grid);
            let naive = Naive::of(&boards, &grid);
            prop_assert_eq!(boards.u_side, grid.width().max(grid.height()));
            let mut slots = vec![false; boards.slot_count()];
            let mut diagonals = [0, 1].map(|kind| {
                let count = boards.diagonals[kind].stride;
                (vec![0u64; boards.diagonals[kind].words.len()], count)
            });
            for at in cells(&boards) {
                let node = node(at);
                prop_assert_eq!(boards.node(boards.cell(node)), node);
                let slot = boards.slot(node);
                prop_assert_eq!(boards.slot_node(slot), node);
                prop_assert!(!std::mem::replace(&mut slots[slot as usize], true));
                for (lines, bit) in boards.lines.iter().zip([slot, boards.line_bit::<1>(node)]) {
                    let is_free = lines.free[bit as usize / 64] >> (bit % 64) & 1 != 0;
                    prop_assert_eq!(is_free, naive.is_free(at), "{}", at);
                }
                let places = [boards.diagonal_word::<true>(node), boards.diagonal_word::<false>(node)];
                for ((words, count), (number, index)) in diagonals.iter_mut().zip(places) {
                    prop_assert_eq!(index, node.v / 64 * *count + number);
                    let word = &mut words[index as usize];
                    prop_assert_eq!(*word >> (node.v % 64) & 1, 0, "two cells, one bit");
                    *word |= 1 << (node.v % 64);
                }
            }
        }

        #[test]
        fn jump_points_agree_with_a_check_of_each_cell(grid in any_grid()) {
            let boards = JumpPointBoards::new(&grid);
            let naive = Naive::of(&boards, &grid);
            for at in cells(&boards) {
                let cell = boards.cell(node(at));
                prop_assert_eq!(boards.is_jump_point(cell), naive.is_any_jump_point(at), "{}", at);
            }
        }
    }
}
