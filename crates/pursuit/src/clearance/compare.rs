//! Comparison of two fields.

use super::field::{Clearance, Step};
use super::steps::starts_beside;
use crate::cell::{Cell, CellRect};

impl Clearance {
    /// Whether `other` differs in the distance of a center in `rect`, or of a narrow step that starts or ends in
    /// `rect`. A step is narrow if it is closer to an obstacle than both of its ends. Any other step has the distance
    /// of its nearer end, so it differs only if the center there does. Centers outside `rect` are not compared. Parts
    /// of `rect` outside the grid are ignored. Fields of different sizes or caps differ everywhere.
    #[must_use]
    pub fn differs_in(&self, other: &Self, rect: CellRect) -> bool {
        let rect = rect.intersect(&self.rect());
        if self.rect() != other.rect() || self.cap != other.cap || rect.is_empty() {
            return !rect.is_empty();
        }
        for y in rect.min.y..rect.max.y {
            let row = self.row_of(y, rect);
            let [centers, other_centers] = [self, other].map(|it| &it.centers[row.clone()]);
            let [steps, other_steps] = [self, other].map(|it| &it.steps[row.clone()]);
            if centers != other_centers || steps != other_steps {
                return true;
            }
        }
        self.differs_in_steps_into(other, rect)
    }

    /// Whether the fields differ in a narrow step from a cell beside `rect` to a cell in `rect`. `rect` is inside the
    /// grid.
    fn differs_in_steps_into(&self, other: &Self, rect: CellRect) -> bool {
        for start in starts_beside(rect, self.rect()) {
            let i = self.slot(start);
            if self.steps[i] != other.steps[i] {
                let is_other = |step: Step| self.narrow(start, step) != other.narrow(start, step);
                let leads_in = |step: &Step| rect.contains(step.end(start));
                if Step::ALL.into_iter().filter(leads_in).any(is_other) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether both fields have equal distances at the centers around each of `rects`, in a ring that is one cell
    /// wide. Cells that lie in any of `rects` are ignored. Both fields must have the same size. Only the first 64
    /// rectangles are checked.
    pub(crate) fn is_same_beside(&self, other: &Self, rects: &[CellRect]) -> bool {
        /// Maximum number of rectangles that are checked.
        const MAX_RECTS: usize = 64;
        let all = self.rect();
        let is_same = |cell: Cell| {
            let i = self.slot(cell);
            self.centers[i] == other.centers[i] || rects.iter().any(|rect| rect.contains(cell))
        };
        rects.iter().take(MAX_RECTS).all(|rect| {
            let rect = rect.intersect(&all);
            let around = rect.grow(1).intersect(&all);
            let rows = (around.min.y..around.max.y)
                .flat_map(|y| [rect.min.x - 1, rect.max.x].map(|x| Cell::new(x, y)));
            let columns = (around.min.x..around.max.x)
                .flat_map(|x| [rect.min.y - 1, rect.max.y].map(|y| Cell::new(x, y)));
            let mut ring = rows.chain(columns).filter(|cell| all.contains(*cell));
            ring.all(is_same)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_different_sizes_or_caps_differ_everywhere() {
        let field = Clearance::open(5, 4, 4.0).unwrap();
        for other in [Clearance::open(5, 5, 4.0), Clearance::open(5, 4, 2.0)] {
            let other = other.unwrap();
            let [inside, beside] =
                [3, 5].map(|x| CellRect::new(Cell::new(x, 1), Cell::new(x + 2, 2)));
            assert!(field.differs_in(&other, inside));
            assert!(!field.differs_in(&other, beside), "beside the grid");
        }
    }
}
