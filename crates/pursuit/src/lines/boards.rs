//! Jump-point bitboards: words of bits that tell where straight walks stop, and where diagonal walks branch
//! and end.
//!
//! They are for grids with 8 neighbors, without terrain costs, on which no corner may be cut. A build takes a
//! few operations per word of the grid's rows. The [words used here](super) are explained in one place.

use std::sync::atomic::AtomicBool;

use crate::bits::rows::BitRows;
use crate::bits::shear::Shear;
use crate::cancel::{Cancelled, Watch};
use crate::cell::Cell;
use crate::lines::dead_ends::DeadEnds;
use crate::lines::diagonal::{DiagonalSources, Diagonals, open_steps};
use crate::lines::journal::Version;
use crate::lines::node::Node;
use crate::lines::scattered::Scattered;
use crate::lines::straight::{self, Lines};
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
#[derive(Clone, Debug)]
pub(crate) struct JumpPointBoards {
    pub(super) version: Version,
    /// Whether the dead ends are those that a build would find. After an update some may be missing.
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
    pub(crate) diagonals: [Diagonals; 2],
}

impl JumpPointBoards {
    /// The boards of `width` columns and `height` rows of bits, `words` row by row, 1 = free, with a
    /// blocked row before the first and after the last and a blocked bit at the end of each.
    ///
    /// # Errors
    /// [`Cancelled`]. The flag is looked at once in 4,096 words.
    pub(crate) fn build(
        words: &[u64],
        width: u32,
        height: u32,
        cancel: Option<&AtomicBool>,
    ) -> Result<Self, Cancelled> {
        let watch = &mut Watch::new(cancel);
        let mut rows = BitRows {
            row_words: width as usize / 64 + 1,
            words: watch.copy(words)?,
        };
        let swapped = height > width;
        let (mut u_side, mut v_side) = (width, height);
        if swapped {
            rows = rows.transposed(width, height, watch)?;
            std::mem::swap(&mut u_side, &mut v_side);
        }
        let scattered = Scattered::count(&rows, u_side, v_side, watch)?;
        let (dead_ends, rest) = DeadEnds::fill(&rows.words, rows.row_words, watch)?;
        let by_u = BitRows {
            words: rest.into_vec(),
            ..rows
        };
        let (lines, diagonals) = lines_and_diagonals(by_u, u_side, v_side, watch)?;
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

    /// A clone, with a flag to give up.
    pub(crate) fn copied(&self, watch: &mut Watch<'_>) -> Result<Self, Cancelled> {
        let ([by_u, by_v], [rising, falling]) = (&self.lines, &self.diagonals);
        Ok(Self {
            version: self.version.clone(),
            is_settled: self.is_settled,
            swapped: self.swapped,
            u_side: self.u_side,
            v_side: self.v_side,
            slots: self.slots,
            scattered: self.scattered,
            dead_ends: self.dead_ends.copied(watch)?,
            lines: [by_u.copied(watch)?, by_v.copied(watch)?],
            diagonals: [rising.copied(watch)?, falling.copied(watch)?],
        })
    }

    /// As [`build`](Self::build), without a flag to cancel it.
    #[cfg(test)]
    pub(crate) fn new(words: &[u64], width: u32, height: u32) -> Self {
        Self::build(words, width, height, None).expect("nobody cancels it")
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

    /// Number of slots: the bits of the lines of equal `v`, with the border.
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
    pub(crate) fn is_jump_point(&self, cell: Cell) -> bool {
        let node = self.node(cell);
        let bits = [self.line_bit::<0>(node), self.line_bit::<1>(node)];
        self.lines.iter().zip(bits).any(|(lines, bit)| {
            let word = |walk: &[straight::LineWord]| walk[bit as usize / 64].jump_points();
            (word(&lines.words[0]) | word(&lines.words[1])) >> (bit % 64) & 1 != 0
        })
    }

    /// The diagonal of a node: its number, and the index of its word in [`Diagonals::words`]. The node's
    /// bit is that of `v % 64`.
    #[inline(always)]
    pub(crate) fn diagonal_word<const RISING: bool>(&self, node: Node) -> (u32, u32) {
        let diagonal = if RISING {
            node.u + self.v_side - node.v
        } else {
            node.u + node.v + 1
        };
        let stride = self.diagonals[usize::from(!RISING)].stride;
        (diagonal, node.v / 64 * stride + diagonal)
    }
}

/// Both, turned by 90 degrees.
fn transposed(
    [first, second]: [BitRows; 2],
    width: u32,
    height: u32,
    watch: &mut Watch<'_>,
) -> Result<[BitRows; 2], Cancelled> {
    Ok([
        first.transposed(width, height, watch)?,
        second.transposed(width, height, watch)?,
    ])
}

/// The layers of lines and of diagonals. `by_u` are the free cells without dead ends: lines of equal `v`, bits
/// by `u`.
pub(super) fn lines_and_diagonals(
    by_u: BitRows,
    u_side: u32,
    v_side: u32,
    watch: &mut Watch<'_>,
) -> Result<([Lines; 2], [Diagonals; 2]), Cancelled> {
    let by_v = by_u.transposed(u_side, v_side, watch)?;
    let mut along_u = straight::undominated_line_words(&by_u, watch)?;
    let mut along_v = straight::undominated_line_words(&by_v, watch)?;
    // The cells from which walks along u, up and down, reach a jump point.
    let reaching_u = straight::reaching(&along_u, by_u.row_words, watch)?;
    // Bits by v, as diagonals have them.
    let reaching_u_by_v = transposed(reaching_u, u_side, v_side, watch)?;
    let reaching_v = straight::reaching(&along_v, by_v.row_words, watch)?;
    let mut shear = Shear::default();
    // For rising and for falling diagonals: the cells from which walks up, and walks down, reach a branch.
    let mut reaching_branch: Vec<[BitRows; 2]> = Vec::with_capacity(2);
    let mut diagonals_of = |rising: bool| {
        // Whether u grows, 0, or falls, 1, on the way up a diagonal.
        let u_on_the_way_up = usize::from(!rising);
        let sources = DiagonalSources {
            open: &open_steps(&by_v, rising, watch)?,
            branches_up: [&reaching_u_by_v[u_on_the_way_up], &reaching_v[0]],
            branches_down: [&reaching_u_by_v[1 - u_on_the_way_up], &reaching_v[1]],
        };
        let diagonals = Diagonals::new(rising, v_side, &sources, watch)?;
        let count = diagonals.stride as usize;
        let [up, down] = diagonals.reaching_branch(watch)?;
        // The shear turns diagonals back into lines of equal u.
        reaching_branch.push([
            shear.lines(&up, count, rising, (u_side, v_side), watch)?,
            shear.lines(&down, count, rising, (u_side, v_side), watch)?,
        ]);
        Ok(diagonals)
    };
    let diagonals = [diagonals_of(true)?, diagonals_of(false)?];
    // Directions are 0 if the coordinate grows, 1 if it falls. If both are equal, the diagonal rises.
    let diagonally = |in_u: usize, in_v: usize| &reaching_branch[in_u ^ in_v][in_v];
    for ahead in 0..2 {
        // For each side: the cells that reach a branch diagonally ahead, or a jump point straight to the side.
        let by_side = [
            diagonally(0, ahead).either(&reaching_u_by_v[0], watch)?,
            diagonally(1, ahead).either(&reaching_u_by_v[1], watch)?,
        ];
        straight::drop_dominated_stops(&mut along_v[ahead], &by_side, watch)?;
        let by_side = [
            diagonally(ahead, 0).either(&reaching_v[0], watch)?,
            diagonally(ahead, 1).either(&reaching_v[1], watch)?,
        ];
        let by_side = transposed(by_side, v_side, u_side, watch)?;
        straight::drop_dominated_stops(&mut along_u[ahead], &by_side, watch)?;
    }
    let lines = [Lines::new(by_u, along_u), Lines::new(by_v, along_v)];
    Ok((lines, diagonals))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::looks;
    use crate::lines::naive::{Naive, any_grid, cells, node, random};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn each_node_has_a_cell_a_slot_and_bits_of_its_own(grid in any_grid()) {
            let boards = JumpPointBoards::new(grid.words(), grid.width(), grid.height());
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
        fn jump_points_are_those_of_looking_at_each_cell(grid in any_grid()) {
            let boards = JumpPointBoards::new(grid.words(), grid.width(), grid.height());
            let naive = Naive::of(&boards, &grid);
            for at in cells(&boards) {
                let cell = boards.cell(node(at));
                prop_assert_eq!(boards.is_jump_point(cell), naive.is_any_jump_point(at), "{}", at);
            }
        }
    }

    /// Rows of bits with blocked ones around, as a grid has them.
    fn random_rows(width: u32, height: u32) -> Vec<u64> {
        let row_words = width as usize / 64 + 1;
        let mut words = vec![0; row_words * (height as usize + 2)];
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let is_free = !random(5, x as i32, y as i32).is_multiple_of(4);
            words[(y as usize + 1) * row_words + x as usize / 64] |= u64::from(is_free) << (x % 64);
        }
        words
    }

    #[test]
    fn a_flag_ends_a_build_at_whichever_look_it_is_up() {
        let (width, height) = (500, 900);
        let words = random_rows(width, height);
        let build = |up_at: usize| {
            looks::count(up_at, |flag| {
                JumpPointBoards::build(&words, width, height, flag).is_ok()
            })
        };
        let (is_built, all) = build(usize::MAX);
        assert!(is_built);
        for up_at in 0..all {
            assert_eq!(build(up_at), (false, up_at + 1), "of {all} looks");
        }
    }

    /// The numbers are those of today. They fall when a layer is built without a look.
    #[test]
    fn a_build_looks_at_the_flag_in_every_layer() {
        let shapes = [
            (64 * 64 - 1, 64, 2327),
            (64, 64 * 64 - 1, 2343),
            (1023, 1024, 7209),
            (8, 16_384, 4364),
        ];
        for (width, height, least) in shapes {
            let words = vec![0; (width as usize / 64 + 1) * (height as usize + 2)];
            let (_, looks) = looks::count(usize::MAX, |flag| {
                JumpPointBoards::build(&words, width, height, flag).is_ok()
            });
            assert!(
                looks >= least,
                "{looks} looks for {width} x {height}, not {least}"
            );
        }
    }

    #[test]
    fn a_long_way_through_dead_ends_is_left_when_the_flag_goes_up() {
        // A corridor to and fro: all of it is one chain.
        let words: Vec<u64> = (0..402)
            .map(|line| match (line, line % 2, line % 4) {
                (0 | 401, ..) => 0,
                (_, 1, _) => u64::MAX >> 1,
                (.., 2) => 1 << 62,
                _ => 1,
            })
            .collect();
        let fill = |up_at: usize| {
            looks::count(up_at, |flag| {
                DeadEnds::fill(&words, 1, &mut Watch::new(flag)).is_ok()
            })
        };
        let (is_filled, looks) = fill(usize::MAX);
        let cells: u32 = words.iter().map(|word| word.count_ones()).sum();
        assert!(
            is_filled && looks >= cells as usize / 512,
            "{looks} looks at {cells} cells"
        );
        assert_eq!(fill(looks / 2), (false, looks / 2 + 1));
    }
}
