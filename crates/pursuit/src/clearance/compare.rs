//! Where two fields differ.

use super::field::{Clearance, Step};
use super::steps::starts_beside;
use crate::cell::{Cell, CellRect};

impl Clearance {
    /// Whether `other` has another distance for a center in `rect`, or for a step that starts or ends there and is
    /// nearer to an obstacle than both of its ends. What a step has from an end outside of `rect` does not count,
    /// nor do parts of `rect` outside of the grid. Fields of another size or cap differ everywhere.
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

    /// The same of the steps that end in a rectangle of the grid and start beside it.
    fn differs_in_steps_into(&self, other: &Self, rect: CellRect) -> bool {
        for start in starts_beside(rect, self.rect()) {
            let i = self.slot(start);
            if self.steps[i] != other.steps[i] {
                let is_other = |step: Step| self.narrow(start, step) != other.narrow(start, step);
                let mut into = Step::ALL
                    .into_iter()
                    .filter(|step| rect.contains(step.end(start)));
                if into.any(is_other) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the centers in a ring of one cell around each of `rects` are those of a field of the same size,
    /// as far as they are in none of `rects`. Many rectangles are not looked at.
    pub(crate) fn is_same_beside(&self, other: &Self, rects: &[CellRect]) -> bool {
        const MOST: usize = 64;
        let all = self.rect();
        let is_same = |cell: Cell| {
            let i = self.slot(cell);
            self.centers[i] == other.centers[i] || rects.iter().any(|rect| rect.contains(cell))
        };
        rects.iter().take(MOST).all(|rect| {
            let rect = rect.intersect(&all);
            let around = rect.grow(1).intersect(&all);
            let rows = (around.min.y..around.max.y)
                .flat_map(|y| [rect.min.x - 1, rect.max.x].map(|x| Cell::new(x, y)));
            let columns = (around.min.x..around.max.x)
                .flat_map(|x| [rect.min.y - 1, rect.max.y].map(|y| Cell::new(x, y)));
            rows.chain(columns)
                .filter(|cell| all.contains(*cell))
                .all(is_same)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_field_of_another_size_or_cap_differs() {
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
