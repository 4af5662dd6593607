//! Jump-point bitboards: words of bits that tell where a straight or a diagonal walk has to stop, and
//! what it can reach.
//!
//! They are for grids without terrain costs, 8 neighbors and no cut corners, and follow from a grid's
//! rows by a few operations per word.

use std::sync::atomic::AtomicBool;

use crate::bits::rows::BitRows;
use crate::bits::shear::Shear;
use crate::cancel::{Cancelled, Watch};
use crate::cell::Cell;
use crate::lines::dead_ends::DeadEnds;
use crate::lines::diagonal::{DiagonalSources, Diagonals, steps};
use crate::lines::journal::Edition;
use crate::lines::node::Node;
use crate::lines::scattered::Scattered;
use crate::lines::straight::{self, Lines};
use crate::stride::Stride;

/// Where walks over a grid stop.
///
/// Has coordinates of its own: `u` along the longer side of the grid, `v` along the shorter. So no
/// diagonal is longer than the short side, and the boards of a narrow grid stay small.
///
/// One layer follows from another:
///
/// ```text
/// walls ─▶ dead ends ─▶ free ─┬─▶ steps of diagonals ─────────────────────┐
///                             └─▶ jump points ─▶ which cells reach one    ├─▶ which cells can turn
///                                      │          along a line ───────────┘   off along a diagonal
///                                      ▼                  │                           │
///                                    stops ◀── dominated ◀┴───────────────────────────┘
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    pub(super) edition: Edition,
    /// Whether the dead ends are all that there are, and those that a build finds.
    pub(super) is_settled: bool,
    /// Whether `u` counts rows and `v` columns.
    pub(crate) swapped: bool,
    pub(crate) u_side: u32,
    pub(crate) v_side: u32,
    /// The lines of equal `v`, as slots number their bits.
    slots: Stride,
    pub(crate) scattered: Scattered,
    /// In the form of the lines of equal `v`. They count as walls in all that follows.
    pub(crate) dead_ends: DeadEnds,
    /// Lines of equal `v` with bits by `u`, then lines of equal `u` with bits by `v`.
    pub(crate) lines: [Lines; 2],
    /// Diagonals on which `u` grows with `v`, then those on which it falls.
    pub(crate) diagonals: [Diagonals; 2],
}

impl Boards {
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
        let (lines, diagonals) = walks(by_u, u_side, v_side, watch)?;
        Ok(Self {
            edition: Edition::new(),
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

    /// The same, which nobody cancels.
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

    /// Whether a straight walk over a cell inside of the grid passes a jump point there, dominated or not.
    pub(crate) fn is_jump_point(&self, cell: Cell) -> bool {
        let node = self.node(cell);
        let bits = [self.line_bit::<0>(node), self.line_bit::<1>(node)];
        self.lines.iter().zip(bits).any(|(lines, bit)| {
            let word = |walk: &[straight::LineWord]| walk[bit as usize / 64].jump_points();
            (word(&lines.walks[0]) | word(&lines.walks[1])) >> (bit % 64) & 1 != 0
        })
    }

    /// The number of the diagonal that a node is on, and the place of the word with its bit among those of
    /// all diagonals of one kind. The bit is the one of `v % 64`.
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

/// Both turned by 90 degrees.
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

/// What straight and diagonal walks meet, by lines of equal `v` without dead ends.
pub(super) fn walks(
    by_u: BitRows,
    u_side: u32,
    v_side: u32,
    watch: &mut Watch<'_>,
) -> Result<([Lines; 2], [Diagonals; 2]), Cancelled> {
    let by_v = by_u.transposed(u_side, v_side, watch)?;
    let mut walks_u = straight::walks(&by_u, watch)?;
    let mut walks_v = straight::walks(&by_v, watch)?;
    let reaching_u = straight::reaching(&walks_u, by_u.row_words, watch)?;
    let reaching_u = transposed(reaching_u, u_side, v_side, watch)?;
    let reaching_v = straight::reaching(&walks_v, by_v.row_words, watch)?;
    let mut shear = Shear::default();
    let mut around: Vec<[BitRows; 2]> = Vec::with_capacity(2);
    let mut collect = |rising: bool| {
        // The direction along u of walks toward higher bits.
        let up_u = usize::from(!rising);
        let sources = DiagonalSources {
            steps: &steps(&by_v, rising, watch)?,
            turns_up: [&reaching_u[up_u], &reaching_v[0]],
            turns_down: [&reaching_u[1 - up_u], &reaching_v[1]],
        };
        let diagonals = Diagonals::new(rising, v_side, &sources, watch)?;
        let count = diagonals.stride as usize;
        let [up, down] = diagonals.reaching(watch)?;
        around.push([
            shear.lines(&up, count, rising, (u_side, v_side), watch)?,
            shear.lines(&down, count, rising, (u_side, v_side), watch)?,
        ]);
        Ok(diagonals)
    };
    let diagonals = [collect(true)?, collect(false)?];
    // Directions: 0 if the coordinate grows, 1 if it falls. Two that are alike are on a diagonal that rises.
    let diagonally = |along_u: usize, along_v: usize| &around[along_u ^ along_v][along_v];
    for ahead in 0..2 {
        let useful = [
            diagonally(0, ahead).either(&reaching_u[0], watch)?,
            diagonally(1, ahead).either(&reaching_u[1], watch)?,
        ];
        straight::pass_dominated(&mut walks_v[ahead], &useful, watch)?;
        let useful = [
            diagonally(ahead, 0).either(&reaching_v[0], watch)?,
            diagonally(ahead, 1).either(&reaching_v[1], watch)?,
        ];
        let useful = transposed(useful, v_side, u_side, watch)?;
        straight::pass_dominated(&mut walks_u[ahead], &useful, watch)?;
    }
    let lines = [Lines::new(by_u, walks_u), Lines::new(by_v, walks_v)];
    Ok((lines, diagonals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::looks;
    use crate::lines::naive::random;

    /// Rows of bits with blocked ones around, as a grid has them.
    fn scattered(width: u32, height: u32) -> Vec<u64> {
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
        let words = scattered(width, height);
        let build = |up_at: usize| {
            looks::count(up_at, |flag| {
                Boards::build(&words, width, height, flag).is_ok()
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
                Boards::build(&words, width, height, flag).is_ok()
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
