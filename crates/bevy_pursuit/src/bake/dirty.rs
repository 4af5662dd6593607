//! A short list of rectangles that covers all cells to bake anew.

use pursuit::CellRect;

/// More rectangles than this are merged: each one costs a walk over all obstacles.
const MOST_RECTS: usize = 16;

/// Rectangles that do not overlap.
#[derive(Debug, Default)]
pub(super) struct DirtyRects(Vec<CellRect>);

impl DirtyRects {
    /// Adds the cells of `rect`, and merges where one larger rectangle is no more work.
    pub(super) fn add(&mut self, mut rect: CellRect) {
        if rect.is_empty() {
            return;
        }
        let worth_merging = |a: &CellRect, b: &CellRect| {
            !a.intersect(b).is_empty() || a.union(b).cell_count() <= a.cell_count() + b.cell_count()
        };
        while let Some(other) = self.0.iter().position(|other| worth_merging(other, &rect)) {
            rect = rect.union(&self.0.swap_remove(other));
        }
        self.0.push(rect);
        if self.0.len() > MOST_RECTS {
            self.merge_cheapest_with_last();
        }
    }

    /// The rectangles.
    pub(super) fn rects(&self) -> &[CellRect] {
        &self.0
    }

    /// The smallest rectangle that holds all of them.
    pub(super) fn bounds(&self) -> CellRect {
        self.0
            .iter()
            .fold(CellRect::EMPTY, |all, rect| all.union(rect))
    }

    fn merge_cheapest_with_last(&mut self) {
        let Some(last) = self.0.pop() else { return };
        let growth = |rect: &CellRect| rect.union(&last).cell_count() - rect.cell_count();
        let cheapest = (0..self.0.len()).min_by_key(|index| growth(&self.0[*index]));
        match cheapest {
            Some(index) => {
                let merged = self.0.swap_remove(index).union(&last);
                self.add(merged);
            }
            None => self.0.push(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use pursuit::Cell;

    use super::*;

    fn rect(x: i32, y: i32, width: i32, height: i32) -> CellRect {
        CellRect::new(Cell::new(x, y), Cell::new(x + width, y + height))
    }

    #[test]
    fn two_far_changes_do_not_bake_what_lies_between() {
        let mut dirty = DirtyRects::default();
        dirty.add(rect(0, 0, 4, 4));
        dirty.add(rect(100, 100, 4, 4));
        assert_eq!(dirty.rects().len(), 2);
        assert_eq!(dirty.bounds(), rect(0, 0, 104, 104));
    }

    #[test]
    fn overlapping_changes_become_one() {
        let mut dirty = DirtyRects::default();
        dirty.add(rect(0, 0, 4, 4));
        dirty.add(rect(20, 0, 4, 4));
        dirty.add(rect(3, 1, 18, 2));
        assert_eq!(dirty.rects(), [rect(0, 0, 24, 4)]);
    }

    #[test]
    fn many_changes_stay_a_short_list_that_covers_all_and_never_overlaps() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..50 {
            let mut dirty = DirtyRects::default();
            let mut added = Vec::new();
            for _ in 0..60 {
                let (x, y) = (random.i32(0..200), random.i32(0..200));
                let one = rect(x, y, random.i32(0..9), random.i32(0..9));
                dirty.add(one);
                added.push(one);
            }
            let rects = dirty.rects();
            assert!(rects.len() <= MOST_RECTS);
            for cell in added.iter().flat_map(CellRect::cells) {
                let covers = rects.iter().filter(|rect| rect.contains(cell)).count();
                assert_eq!(covers, 1, "cell {cell} lies in {covers} rectangles");
            }
        }
    }
}
