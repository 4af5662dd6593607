//! Collects the cells to bake again, as rectangles that do not overlap.

use std::mem;
use std::ops::Range;

use pursuit::{Cell, CellRect};

/// If more rectangles than this remain, cells are marked in rows of bits, because comparing all rectangles with each
/// other would take longer.
const MAX_RECTS: usize = 32;

/// Rectangles of `grid` that do not overlap and cover the cells of `added`. Merged rectangles may cover more cells.
///
/// ```text
///   few rectangles are merged     for many, the rows are cut into runs,
///   where that is no more work    and identical runs in adjacent rows form a rectangle
///
///   aaaaaa                        aaaa..
///   aaaaaa                        bbbbbb
///   aaaaaa                        ..cccc
/// ```
pub(super) fn disjoint(mut added: Vec<CellRect>, grid: CellRect) -> Vec<CellRect> {
    added.retain(|rect| !rect.is_empty());
    merged(&added).unwrap_or_else(|| rects_of(&marked_rows(&added, grid)))
}

/// Merges rectangles. Two rectangles are merged if they overlap, or if the number of cells of the smallest rectangle
/// around both is at most the sum of their numbers of cells. `None` if more than [`MAX_RECTS`] remain.
fn merged(added: &[CellRect]) -> Option<Vec<CellRect>> {
    let worth_merging = |a: &CellRect, b: &CellRect| {
        !a.intersect(b).is_empty() || a.union(b).cell_count() <= a.cell_count() + b.cell_count()
    };
    let mut few: Vec<CellRect> = Vec::new();
    for rect in added {
        let mut rect = *rect;
        while let Some(other) = few.iter().position(|other| worth_merging(other, &rect)) {
            rect = rect.union(&few.swap_remove(other));
        }
        few.push(rect);
        if few.len() > MAX_RECTS {
            return None;
        }
    }
    Some(few)
}

/// The cells of `rects` in the rows of a grid, one bit per cell. A row consists of whole words and has at least one bit
/// that stays 0. It is empty if none of its cells is marked.
fn marked_rows(rects: &[CellRect], grid: CellRect) -> Vec<Vec<u64>> {
    let words = grid.width() as usize / 64 + 1;
    let mut rows = vec![Vec::new(); grid.height() as usize];
    for rect in rects {
        let columns = rect.min.x as usize..rect.max.x as usize;
        let touched = columns.start / 64..columns.end.div_ceil(64);
        for row in &mut rows[rect.min.y as usize..rect.max.y as usize] {
            row.resize(words, 0);
            for (word, bits) in touched.clone().zip(&mut row[touched.clone()]) {
                let from = u64::MAX << columns.start.saturating_sub(word * 64);
                let to = u64::MAX >> (word * 64 + 64).saturating_sub(columns.end);
                *bits |= from & to;
            }
        }
    }
    rows
}

/// All marked cells as rectangles.
fn rects_of(rows: &[Vec<u64>]) -> Vec<CellRect> {
    let mut done: Vec<CellRect> = Vec::new();
    // `open`: the rectangles that end at the present row, from left to right.
    let (mut open, mut still_open): (Vec<CellRect>, Vec<CellRect>) = Default::default();
    for (y, bits) in (0..).zip(rows) {
        let mut above = open.drain(..).peekable();
        for run in (Runs { bits, from: 0 }) {
            let min = Cell::new(run.start as i32, y);
            let max = Cell::new(run.end as i32, y + 1);
            done.extend(std::iter::from_fn(|| {
                above.next_if(|rect| rect.min.x < min.x)
            }));
            let is_alike = |rect: &CellRect| (rect.min.x, rect.max.x) == (min.x, max.x);
            let first = above.next_if(is_alike).map_or(min, |rect| rect.min);
            still_open.push(CellRect::new(first, max));
        }
        done.extend(above);
        mem::swap(&mut open, &mut still_open);
    }
    done.extend(open);
    done
}

/// The runs of ones in a row of bits that ends with a 0.
struct Runs<'a> {
    bits: &'a [u64],
    from: usize,
}

impl Runs<'_> {
    /// Index of the first bit at or after `self.from` that equals `kind`.
    fn next_bit(&self, kind: bool) -> Option<usize> {
        let flip = if kind { 0 } else { !0 };
        let first = self.from / 64;
        let mut hidden = !0 << (self.from % 64);
        let words = self.bits.get(first..)?.iter().enumerate();
        words.into_iter().find_map(|(i, word)| {
            let seen = (word ^ flip) & mem::replace(&mut hidden, !0);
            (seen != 0).then(|| (first + i) * 64 + seen.trailing_zeros() as usize)
        })
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next_bit(true)?;
        self.from = start;
        self.from = self.next_bit(false)?;
        Some(start..self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: CellRect = CellRect {
        min: Cell { x: 0, y: 0 },
        max: Cell { x: 210, y: 205 },
    };

    fn rect(x: i32, y: i32, width: i32, height: i32) -> CellRect {
        CellRect::new(Cell::new(x, y), Cell::new(x + width, y + height))
    }

    #[test]
    fn two_far_changes_do_not_bake_what_lies_between() {
        let added = vec![rect(0, 0, 4, 4), rect(100, 100, 4, 4)];
        assert_eq!(disjoint(added.clone(), GRID), added);
    }

    #[test]
    fn overlapping_changes_become_one() {
        let added = vec![rect(0, 0, 4, 4), rect(20, 0, 4, 4), rect(3, 1, 18, 2)];
        assert_eq!(disjoint(added, GRID), [rect(0, 0, 24, 4)]);
    }

    #[test]
    fn changes_are_covered_once_and_many_changes_exactly() {
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..50 {
            let mut added = Vec::new();
            let count = [20, 200][round % 2];
            for _ in 0..count {
                let (x, y) = (random.i32(0..200), random.i32(0..200));
                let one = rect(x, y, random.i32(0..9), random.i32(0..9)).intersect(&GRID);
                added.push(one);
            }
            let rects = disjoint(added.clone(), GRID);
            assert!(rects.iter().all(|rect| rect.intersect(&GRID) == *rect));
            let is_added = |cell| added.iter().any(|one: &CellRect| one.contains(cell));
            let is_exact = rects.iter().flat_map(CellRect::cells).all(is_added);
            assert!(is_exact || count == 20);
            for cell in added.iter().flat_map(CellRect::cells) {
                let covers = rects.iter().filter(|rect| rect.contains(cell)).count();
                assert_eq!(covers, 1, "cell {cell} lies in {covers} rectangles");
            }
        }
    }

    #[test]
    fn equal_rows_merge_into_one_rectangle() {
        let added = [
            rect(8, 8, 12, 12),
            rect(204, 0, 6, 5),
            rect(60, 9, 70, 2),
            rect(10, 12, 10, 20),
        ];
        let mut rects = rects_of(&marked_rows(&added, GRID));
        rects.sort_by_key(|rect| (rect.min.y, rect.min.x));
        let all = [
            rect(204, 0, 6, 5),
            rect(8, 8, 12, 12),
            rect(60, 9, 70, 2),
            rect(10, 20, 10, 12),
        ];
        assert_eq!(rects, all);
    }

    #[test]
    fn runs_continue_across_words() {
        let bits = [!0 << 60 | 0b1011, !0, 0b11, 0];
        let runs: Vec<_> = Runs {
            bits: &bits,
            from: 0,
        }
        .collect();
        assert_eq!(runs, [0..2, 3..4, 60..130]);
    }
}
