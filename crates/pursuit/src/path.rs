//! Paths over cells.

use crate::cell::Cell;
use crate::cost::STRAIGHT;

/// The cells at which a path begins, turns and ends, and the cost of the path.
///
/// A path from a search has at least one cell. A path with only one cell is a walk of length zero.
///
/// ```
/// use pursuit::{Cell, Path};
///
/// let turns = [(0, 0), (2, 2), (2, 3)].map(Cell::from).to_vec();
/// let every: Vec<Cell> = Path { turns, cost: 0 }.cells().collect();
/// assert_eq!(every, [(0, 0), (1, 1), (2, 2), (2, 3)].map(Cell::from));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Path {
    /// The start, the turns and the end, in walking order. Between two of them the path is straight or
    /// diagonal.
    pub turns: Vec<Cell>,
    /// Sum of the costs of all steps. A straight step on terrain of cost 1 costs [`STRAIGHT`].
    pub cost: u64,
}

impl Path {
    /// The path over `cells`. Each cell is a neighbor of the cell before it. `cost` is the cost of the whole
    /// path.
    ///
    /// If two successive cells are not neighbors, the path between them is the one that [`cells`](Self::cells)
    /// returns.
    #[must_use]
    pub fn from_cells(mut cells: Vec<Cell>, cost: u64) -> Self {
        cells.dedup();
        keep_turns(&mut cells);
        Self { turns: cells, cost }
    }

    /// The cost, in straight steps on terrain of cost 1. On a grid without terrain this is the length in cells,
    /// in which a diagonal step is √2 long, with a relative error below 3e-7.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.cost as f64 / f64::from(STRAIGHT)
    }

    /// The first cell.
    #[must_use]
    pub fn start(&self) -> Option<Cell> {
        self.turns.first().copied()
    }

    /// The last cell.
    #[must_use]
    pub fn end(&self) -> Option<Cell> {
        self.turns.last().copied()
    }

    /// Every cell of the path in order. Each cell is a neighbor of the one before it. To collect them costs nothing
    /// more: the iterator holds a list.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + Clone + '_ {
        let mut cells = Vec::from_iter(self.start());
        for (from, to) in pairs(self.turns.iter().copied()) {
            cells.extend((0..steps(from, to)).map(|step| on_the_way(from, to, step + 1)));
        }
        cells.into_iter()
    }
}

/// Number of steps between two cells, on a path of diagonal and straight steps.
pub(crate) fn steps(from: Cell, to: Cell) -> u32 {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
}

/// The cell that is `step` steps after `from`, on the path from `from` to `to` that goes diagonally first.
pub(crate) fn on_the_way(from: Cell, to: Cell, step: u32) -> Cell {
    let along = |from: i32, to: i32| {
        let cells = from.abs_diff(to).min(step);
        if from < to {
            from.wrapping_add_unsigned(cells)
        } else {
            from.wrapping_sub_unsigned(cells)
        }
    };
    Cell::new(along(from.x, to.x), along(from.y, to.y))
}

/// All pairs of adjacent cells.
#[inline]
fn pairs(mut corners: impl Iterator<Item = Cell>) -> impl Iterator<Item = (Cell, Cell)> {
    let mut last = corners.next();
    corners.filter_map(move |to| last.replace(to).map(|from| (from, to)))
}

/// The cells at which a path begins, turns and ends. The path leads over `corners`. From each corner to the next, it
/// goes diagonally first and then straight.
#[inline]
pub(crate) fn turns(corners: impl ExactSizeIterator<Item = Cell> + Clone) -> Vec<Cell> {
    let mut turns = Vec::with_capacity(2 * corners.len());
    turns.extend(corners.clone().next());
    for (from, to) in pairs(corners) {
        push_diagonal_first(&mut turns, from, to);
    }
    keep_turns(&mut turns);
    turns
}

/// The cell where a path between two cells turns, if it goes diagonally first and then straight.
#[inline]
pub(crate) fn bend(from: Cell, to: Cell) -> Cell {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let diagonal = dx.abs().min(dy.abs());
    from.offset(diagonal * dx.signum(), diagonal * dy.signum())
}

/// Adds the turn and the end of a path from `from` to `to` that goes diagonally first and then straight.
#[inline]
pub(crate) fn push_diagonal_first(turns: &mut Vec<Cell>, from: Cell, to: Cell) {
    push_turn(turns, bend(from, to));
    push_turn(turns, to);
}

/// Adds the turn and the end of a path from `from` to `to` that goes straight first and then diagonally.
#[cfg(any(test, feature = "tables"))]
#[inline]
pub(crate) fn push_straight_first(turns: &mut Vec<Cell>, from: Cell, to: Cell) {
    push_turn(turns, bend(to, from));
    push_turn(turns, to);
}

#[inline]
fn push_turn(turns: &mut Vec<Cell>, cell: Cell) {
    if turns.last() != Some(&cell) {
        turns.push(cell);
    }
}

/// The heading of a straight or diagonal path between any two cells. `None` if the path has to turn.
pub(crate) fn exact_heading(from: Cell, to: Cell) -> Option<(i32, i32)> {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let goes_straight = dx == 0 || dy == 0 || dx == dy;
    goes_straight.then(|| (to.x.cmp(&from.x) as i32, to.y.cmp(&from.y) as i32))
}

/// Drops the cells at which a path continues straight. Successive cells must be different. If no straight or diagonal
/// path joins two successive cells, both are turns.
pub(crate) fn keep_turns(turns: &mut Vec<Cell>) {
    let [first, second, ..] = turns[..] else {
        return;
    };
    let (mut kept, mut along) = (1, exact_heading(first, second));
    for place in 0..turns.len() - 2 {
        let (here, next) = (turns[place + 1], turns[place + 2]);
        let ahead = exact_heading(here, next);
        if ahead != along || ahead.is_none() {
            turns[kept] = here;
            kept += 1;
            along = ahead;
        }
    }
    if let Some(&last) = turns.last()
        && kept < turns.len()
    {
        turns[kept] = last;
        turns.truncate(kept + 1);
    }
}

/// The indices at which a path over numbered cells begins, turns or ends. A step is the difference of two
/// numbers, since cells are numbered by rows.
pub(crate) fn turning_places(numbers: &[u32]) -> impl DoubleEndedIterator<Item = usize> {
    let step = |place: usize| numbers[place].wrapping_sub(numbers[place - 1]);
    (0..numbers.len()).filter(move |&place| {
        let is_end = place == 0 || place + 1 == numbers.len();
        is_end || step(place) != step(place + 1)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::NEIGHBORS;
    use crate::random::each_case;

    fn all_cells(turns: &[Cell]) -> Vec<Cell> {
        let turns = turns.to_vec();
        Path { turns, cost: 0 }.cells().collect()
    }

    #[test]
    fn repeated_turns_add_no_cells() {
        assert_eq!(all_cells(&[]), []);
        let here = Cell::new(3, 4);
        assert_eq!(all_cells(&[here]), [here]);
        assert_eq!(all_cells(&[here, here]), [here]);
        let there = Cell::new(4, 6);
        let by_the_diagonal = [here, Cell::new(4, 5), there];
        assert_eq!(all_cells(&[here, here, there, there]), by_the_diagonal);
        assert_eq!(Path::from_cells(vec![here, here], 0).turns, [here]);
    }

    #[test]
    fn from_cells_joins_distant_cells_as_turns() {
        let far = [i32::MIN, i32::MIN + 1, -3, 0, 1, 2, i32::MAX - 1, i32::MAX];
        each_case(2000, |random| {
            let is_far = random.bool();
            let cells: Vec<Cell> = (0..random.usize(0..6))
                .map(|_| {
                    let mut any = || match is_far {
                        true => far[random.usize(0..far.len())],
                        false => random.i32(-4..5),
                    };
                    Cell::new(any(), any())
                })
                .collect();
            let path = Path::from_cells(cells.clone(), 0);
            assert_eq!(path.start(), cells.first().copied());
            assert_eq!(path.end(), cells.last().copied());
            if !is_far {
                assert_eq!(all_cells(&path.turns), all_cells(&cells), "{cells:?}");
            }
        });
    }

    proptest! {
        #[test]
        fn a_walk_turns_where_its_step_changes(
            steps in prop::collection::vec(0usize..8, 0..40), stride in 500u32..600,
        ) {
            let mut cells = vec![Cell::new(100, 100)];
            for &(dx, dy) in steps.iter().map(|&step| &NEIGHBORS[step]) {
                cells.push(cells[cells.len() - 1].offset(dx, dy));
            }
            let is_turn = |i: usize| i == 0 || i + 1 == cells.len() || steps[i - 1] != steps[i];
            let places: Vec<usize> = (0..cells.len()).filter(|&i| is_turn(i)).collect();
            let expected: Vec<Cell> = places.iter().map(|&i| cells[i]).collect();

            let mut turns = cells.clone();
            keep_turns(&mut turns);
            prop_assert_eq!(&turns, &expected);
            prop_assert_eq!(all_cells(&turns), cells.clone());
            let path = Path { turns: turns.clone(), cost: 0 };
            prop_assert_eq!(path.cells().len(), cells.len());
            prop_assert_eq!(Path::from_cells(cells.clone(), 0).turns, expected.clone());
            let turns = super::turns(cells.iter().copied());
            prop_assert_eq!(turns, expected.clone());

            let number = |cell: &Cell| cell.y as u32 * stride + cell.x as u32;
            let numbers: Vec<u32> = cells.iter().map(number).collect();
            prop_assert_eq!(turning_places(&numbers).collect::<Vec<_>>(), places);
        }

        #[test]
        fn a_path_with_one_bend_leads_to_its_end(to in (-9i32..9, -9i32..9)) {
            let (from, to) = (Cell::new(20, 20), Cell::new(20 + to.0, 20 + to.1));
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            for (push, diagonal) in [(push_diagonal_first as fn(&mut _, _, _), 0), (push_straight_first, 1)] {
                let mut turns = vec![from];
                push(&mut turns, from, to);
                prop_assert_eq!(turns.last(), Some(&to));
                if diagonal == 0 {
                    prop_assert_eq!(all_cells(&[from, to]), all_cells(&turns));
                }
                prop_assert_eq!(all_cells(&turns).len() as u32, dx.max(dy) + 1);
                if let [a, b, c] = turns[..] {
                    let leg = [(a, b), (b, c)][diagonal];
                    prop_assert_eq!(leg.0.x.abs_diff(leg.1.x), leg.0.y.abs_diff(leg.1.y));
                }
            }
        }
    }
}
