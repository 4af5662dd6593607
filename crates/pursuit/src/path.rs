//! A walk over cells.

use std::ops::Range;

use crate::cancel::{Cancelled, ITEMS, WORDS, Watch};
use crate::cell::Cell;
use crate::cost::STRAIGHT;

/// Cells that are written between two looks at a cancel flag, at most.
const MOST_CELLS: usize = WORDS / 2;

/// Cells from the start to the end and what the walk costs. Each is a neighbor of the one before,
/// unless only [turns](crate::PathCells::Turns) were asked for: then count steps by
/// [`length`](Self::length), not by cells.
///
/// Holds at least one cell when it comes from a search. A path of only the start is a walk of
/// length zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Path {
    /// The cells in walking order, both ends included.
    pub cells: Vec<Cell>,
    /// Sum of the costs of its steps, in units of [`STRAIGHT`] per straight step on cost 1.
    pub cost: u64,
}

impl Path {
    /// The cost in straight steps on terrain of cost 1: on a grid without terrain, the length in
    /// cells, where a diagonal step counts √2 with a relative error below 3e-7.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.cost as f64 / f64::from(STRAIGHT)
    }

    /// The first cell.
    #[must_use]
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// The last cell.
    #[must_use]
    pub fn end(&self) -> Option<Cell> {
        self.cells.last().copied()
    }

    /// Every cell of the walk, also where [`cells`](Self::cells) are its turns alone, as those of an
    /// [`IntegrationField`](crate::IntegrationField) are.
    ///
    /// ```
    /// use pursuit::{Cell, Path};
    ///
    /// let cells = [(0, 0), (2, 2), (2, 3)].map(Cell::from).to_vec();
    /// let every: Vec<Cell> = Path { cells, cost: 0 }.walk().collect();
    /// assert_eq!(every, [(0, 0), (1, 1), (2, 2), (2, 3)].map(Cell::from));
    /// ```
    pub fn walk(&self) -> impl Iterator<Item = Cell> + '_ {
        let legs = legs(self.cells.iter().copied());
        let all = legs.flat_map(|(from, to)| {
            std::iter::successors(Some(from), move |at| {
                let toward = |at: i32, to: i32| to.cmp(&at) as i32;
                (*at != to).then(|| at.offset(toward(at.x, to.x), toward(at.y, to.y)))
            })
            .skip(1)
        });
        self.start().into_iter().chain(all)
    }
}

/// All cells of a walk that goes from each of some cells to the next one diagonally first and then straight.
#[inline]
pub(crate) fn walk(
    corners: impl Iterator<Item = Cell> + Clone,
    watch: &mut Watch<'_>,
) -> Result<Vec<Cell>, Cancelled> {
    let mut others = corners;
    let Some(first) = others.next() else {
        return Ok(Vec::new());
    };
    let (mut count, mut from) = (1, first);
    for (place, to) in others.clone().enumerate() {
        if place % ITEMS == 0 {
            watch.pass(ITEMS)?;
        }
        count += steps(from, to) as usize;
        from = to;
    }
    let mut cells = Vec::with_capacity(count);
    cells.push(first);
    // A cell is a word. Most paths are short enough for one look.
    let is_short = count <= MOST_CELLS;
    if is_short {
        watch.pass_words(count)?;
    }
    let mut from = first;
    for to in others {
        let (bend, words) = (bend(from, to), steps(from, to) as usize);
        if words <= MOST_CELLS {
            if !is_short {
                watch.pass_words(words)?;
            }
            push_leg(&mut cells, from, bend);
            if bend != to {
                push_leg(&mut cells, bend, to);
            }
        } else {
            push_in_parts(&mut cells, from, bend, watch)?;
            push_in_parts(&mut cells, bend, to, watch)?;
        }
        from = to;
    }
    Ok(cells)
}

/// Adds the cells after `from` up to `to`, a part after the other, with a look before each.
fn push_in_parts(
    cells: &mut Vec<Cell>,
    mut from: Cell,
    to: Cell,
    watch: &mut Watch<'_>,
) -> Result<(), Cancelled> {
    while from != to {
        let most = steps(from, to).min(MOST_CELLS as u32);
        watch.pass_words(most as usize)?;
        let along = |from: i32, to: i32| from + (to - from).signum() * most as i32;
        let part = Cell::new(along(from.x, to.x), along(from.y, to.y));
        push_leg(cells, from, part);
        from = part;
    }
    Ok(())
}

/// Steps of the shortest walk between two cells.
#[inline]
fn steps(from: Cell, to: Cell) -> u32 {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
}

/// Each two that follow one another.
#[inline]
fn legs(mut corners: impl Iterator<Item = Cell>) -> impl Iterator<Item = (Cell, Cell)> {
    let mut last = corners.next();
    corners.filter_map(move |to| last.replace(to).map(|from| (from, to)))
}

/// The cells at which that walk begins, turns and ends.
#[inline]
pub(crate) fn turns(
    corners: impl ExactSizeIterator<Item = Cell> + Clone,
    watch: &mut Watch<'_>,
) -> Result<Vec<Cell>, Cancelled> {
    let mut turns = Vec::with_capacity(2 * corners.len());
    turns.extend(corners.clone().next());
    for (from, to) in legs(corners) {
        watch.pass(1)?;
        push_diagonal_first(&mut turns, from, to);
    }
    keep_turns(&mut turns, watch)?;
    Ok(turns)
}

/// Adds the cells of a leg that is straight or diagonal, its last included and its first not. Both are
/// inside of a grid.
///
/// Takes a step with one addition, and writes a cell as one word:
///
/// ```text
/// bit      63 .. 32   31 .. 0
/// cell     y          x           none is below 0, so the halves never borrow from one another
/// step     dy         dx          as dy · 2³² + dx
/// ```
#[inline(always)]
fn push_leg(cells: &mut Vec<Cell>, from: Cell, to: Cell) {
    let word = |x: i32, y: i32| (i64::from(y) << 32) + i64::from(x);
    let step = word((to.x - from.x).signum(), (to.y - from.y).signum());
    let mut at = word(from.x, from.y);
    cells.extend((0..steps(from, to)).map(|_| {
        at += step;
        Cell::new(at as i32, (at >> 32) as i32)
    }));
}

/// Where a way between two cells turns that is diagonal first and then straight.
#[inline]
pub(crate) fn bend(from: Cell, to: Cell) -> Cell {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let diagonal = dx.abs().min(dy.abs());
    from.offset(diagonal * dx.signum(), diagonal * dy.signum())
}

/// Adds the end of a way that is diagonal first and then straight, after the cell where it turns.
#[inline]
pub(crate) fn push_diagonal_first(turns: &mut Vec<Cell>, from: Cell, to: Cell) {
    push_turn(turns, bend(from, to));
    push_turn(turns, to);
}

/// The same of a way that is straight first and then diagonal.
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

/// Drops the cells at which a walk goes straight on. Between those given it is straight or diagonal, and
/// no two that follow one another are equal.
pub(crate) fn keep_turns(turns: &mut Vec<Cell>, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
    let heading = |from: Cell, to: Cell| ((to.x - from.x).signum(), (to.y - from.y).signum());
    let [first, second, ..] = turns[..] else {
        return Ok(());
    };
    let (mut kept, mut along) = (1, heading(first, second));
    watch.pieces(turns.len() - 2, |places| {
        for place in places {
            let (here, next) = (turns[place + 1], turns[place + 2]);
            let ahead = heading(here, next);
            if ahead != along {
                turns[kept] = here;
                kept += 1;
                along = ahead;
            }
        }
    })?;
    if let Some(&last) = turns.last()
        && kept < turns.len()
    {
        turns[kept] = last;
        turns.truncate(kept + 1);
    }
    Ok(())
}

/// Places in a walk over numbered cells at which it begins, turns or ends. In rows of cells, a step is a
/// difference of numbers.
pub(crate) fn turning_places(numbers: &[u32]) -> impl DoubleEndedIterator<Item = usize> {
    turning_places_in(numbers, 0..numbers.len())
}

/// Those of some places.
pub(crate) fn turning_places_in(
    numbers: &[u32],
    places: Range<usize>,
) -> impl DoubleEndedIterator<Item = usize> {
    let step = |place: usize| numbers[place].wrapping_sub(numbers[place - 1]);
    places.filter(move |&place| {
        let is_end = place == 0 || place + 1 == numbers.len();
        is_end || step(place) != step(place + 1)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::looks;
    use crate::cell::NEIGHBORS;

    fn all_cells(corners: &[Cell]) -> Vec<Cell> {
        walk(corners.iter().copied(), &mut Watch::new(None)).expect("no flag")
    }

    #[test]
    fn the_flag_is_looked_at_while_the_cells_of_a_path_are_written() {
        // Along a row, and to and fro.
        let far = Cell::new(100_000, 0);
        let zigzag: Vec<Cell> = (0..100_000).map(|x| Cell::new(x, x % 2)).collect();
        for corners in [vec![Cell::new(0, 0), far], zigzag] {
            let write = |up_at: usize| {
                looks::count(up_at, |flag| {
                    walk(corners.iter().copied(), &mut Watch::new(flag)).is_ok()
                })
            };
            let (is_written, all) = write(usize::MAX);
            assert!(is_written && all >= 100_000 / WORDS, "{all} looks");
            for up_at in 0..all {
                assert_eq!(write(up_at), (false, up_at + 1), "of {all} looks");
            }
            let turns = |up_at: usize| {
                looks::count(up_at, |flag| {
                    turns(corners.iter().copied(), &mut Watch::new(flag)).is_ok()
                })
            };
            let (is_written, all) = turns(usize::MAX);
            assert!(is_written && all > 0);
            assert_eq!(turns(all - 1), (false, all));
        }
    }

    proptest! {
        #[test]
        fn a_leg_is_walked_cell_by_cell(
            (x, y) in (0i32..300, 0i32..300), (dx, dy) in (-1i32..2, -1i32..2), most in 0i32..200,
        ) {
            let from = Cell::new(x, y);
            let cell = |k: i32| from.offset(k * dx, k * dy);
            let is_inside = |cell: Cell| cell.x >= 0 && cell.y >= 0;
            let steps = if (dx, dy) == (0, 0) { 0 } else { most };
            let expected: Vec<_> = (0..=steps).map(cell).take_while(|&cell| is_inside(cell)).collect();
            let mut found = vec![from];
            push_leg(&mut found, from, expected[expected.len() - 1]);
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn the_turns_of_a_walk_are_those_where_its_step_changes(
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
            let watch = &mut Watch::new(None);
            keep_turns(&mut turns, watch).expect("no flag");
            prop_assert_eq!(&turns, &expected);
            prop_assert_eq!(all_cells(&turns), cells.clone());
            let turns = super::turns(cells.iter().copied(), watch).expect("no flag");
            prop_assert_eq!(turns, expected.clone());

            let number = |cell: &Cell| cell.y as u32 * stride + cell.x as u32;
            let numbers: Vec<u32> = cells.iter().map(number).collect();
            prop_assert_eq!(turning_places(&numbers).collect::<Vec<_>>(), places);
        }

        #[test]
        fn a_way_with_one_bend_leads_to_its_end(to in (-9i32..9, -9i32..9)) {
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
