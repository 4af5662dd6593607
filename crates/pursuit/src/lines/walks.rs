//! Walks over [`Boards`], a word of cells at a time.

use crate::lines::boards::Boards;
use crate::lines::diagonal::DiagonalWord;
use crate::lines::node::Node;
use crate::lines::straight::{LineWord, Lines};

/// 64 cells of a walk. A walk never leaves the blocked border; a wall would end it.
#[inline(always)]
fn word<const UP: bool>(lines: &Lines, index: u32) -> LineWord {
    const WALL: LineWord = LineWord {
        stops: u64::MAX,
        forced_neighbors: [0; 2],
    };
    let words = &lines.walks[usize::from(!UP)];
    words.get(index as usize).copied().unwrap_or(WALL)
}

/// Steps from a bit to the jump point that a walk meets first, and the sides at which a wall ended there:
/// 1 for the next line, 2 for the line before, 3 for both; 0 if the walk meets a wall first.
///
/// Passes dominated ones but those for which `stop_at(steps)`; it is asked for those beside which a wall has
/// ended on the next line, `side` 0, or the line before, 1, or for none.
#[inline(always)]
pub(crate) fn to_jump_point<const UP: bool>(
    lines: &Lines,
    bit: u32,
    side: Option<usize>,
    mut stop_at: impl FnMut(u32) -> bool,
) -> (u32, u8) {
    let next = if UP { bit + 1 } else { bit.wrapping_sub(1) };
    let mut index = next / 64;
    let mut ahead = if UP {
        u64::MAX << (next % 64)
    } else {
        u64::MAX >> (63 - next % 64)
    };
    loop {
        let cells = word::<UP>(lines, index);
        let stops = cells.stops & ahead;
        let first = if UP {
            stops.trailing_zeros()
        } else {
            stops.leading_zeros()
        };
        if let Some(side) = side {
            let mut dominated = cells.forced_neighbors[side] & !cells.stops & ahead;
            while dominated != 0 {
                let (place, before) = if UP {
                    (dominated.trailing_zeros(), dominated.trailing_zeros())
                } else {
                    (63 - dominated.leading_zeros(), dominated.leading_zeros())
                };
                let steps = (index * 64 + place).abs_diff(bit);
                if before > first {
                    break;
                }
                if stop_at(steps) {
                    return (steps, forced_sides(cells, place));
                }
                dominated &= !(1 << place);
            }
        }
        if stops != 0 {
            let place = if UP { first } else { 63 - first };
            let steps = (index * 64 + place).abs_diff(bit);
            return (steps, forced_sides(cells, place));
        }
        index = if UP { index + 1 } else { index.wrapping_sub(1) };
        ahead = u64::MAX;
    }
}

#[inline(always)]
fn forced_sides(cells: LineWord, place: u32) -> u8 {
    let [next, before] = cells
        .forced_neighbors
        .map(|cells| (cells >> place & 1) as u8);
    next | before << 1
}

/// Calls `visit(axis, steps)` for each cell of a free diagonal walk from which a straight one along an
/// axis meets a jump point: word by word, in each one axis after the other, nearest first; for the cell
/// where it begins only along the axis `OWN`.
#[inline(always)]
pub(crate) fn for_each_turn<const RISING: bool, const UP: bool, const OWN: usize>(
    boards: &Boards,
    from: Node,
    mut visit: impl FnMut(usize, u32),
) {
    let diagonals = &boards.diagonals[usize::from(!RISING)];
    let (_, mut index) = boards.diagonal_word::<RISING>(from);
    // The `v` of the first bit in the word at hand.
    let mut first = from.v / 64 * 64;
    let word = |index: u32| diagonals.words.get(index as usize).copied();
    let mut reach = reach_from::<UP, OWN>(word(index).unwrap_or_default(), from.v % 64);
    loop {
        for (axis, mut turns) in reach.turns.into_iter().enumerate() {
            while turns != 0 {
                let place = if UP {
                    turns.trailing_zeros()
                } else {
                    63 - turns.leading_zeros()
                };
                visit(axis, (first + place).abs_diff(from.v));
                turns &= !(1 << place);
            }
        }
        if !reach.goes_on {
            return;
        }
        (index, first) = if UP {
            (index + diagonals.stride, first + 64)
        } else {
            (index.wrapping_sub(diagonals.stride), first.wrapping_sub(64))
        };
        reach = reach_on::<UP>(word(index).unwrap_or_default());
    }
}

/// What a diagonal walk comes to in a word.
struct Reach {
    /// Where it branches along either axis.
    turns: [u64; 2],
    /// Whether it goes on to the next word.
    goes_on: bool,
}

/// The reach of a walk from a bit; the bit itself belongs to it along the axis `OWN`.
#[inline(always)]
fn reach_from<const UP: bool, const OWN: usize>(cells: DiagonalWord, place: u32) -> Reach {
    if UP {
        let run = (!(cells.steps >> place)).trailing_zeros();
        let beyond = (u64::MAX << 1).checked_shl(place + run).unwrap_or(0);
        let mut turns = cells
            .turns_up
            .map(|turns| turns & (u64::MAX << place << 1) & !beyond);
        turns[OWN] |= cells.turns_up[OWN] & 1 << place;
        Reach {
            turns,
            goes_on: place + run == 64,
        }
    } else {
        // The bits below, moved to the top.
        let below = cells.steps.checked_shl(64 - place).unwrap_or(0);
        let run = (!below).leading_zeros().min(place);
        let reached = u64::MAX << (place - run) & !(u64::MAX << place);
        let mut turns = cells.turns_down.map(|turns| turns & reached);
        turns[OWN] |= cells.turns_down[OWN] & 1 << place;
        Reach {
            turns,
            goes_on: run == place,
        }
    }
}

/// The reach of a walk that comes in from the word before.
#[inline(always)]
fn reach_on<const UP: bool>(cells: DiagonalWord) -> Reach {
    if UP {
        let run = (!cells.steps).trailing_zeros();
        let reached = !(u64::MAX << 1).checked_shl(run).unwrap_or(0);
        Reach {
            turns: cells.turns_up.map(|turns| turns & reached),
            goes_on: run == 64,
        }
    } else {
        let run = (!cells.steps).leading_zeros();
        let reached = u64::MAX.checked_shl(64 - run).unwrap_or(0);
        Reach {
            turns: cells.turns_down.map(|turns| turns & reached),
            goes_on: run == 64,
        }
    }
}

/// Whether the bits `from..to` are all set.
#[inline(always)]
fn all_set(word: impl Fn(usize) -> u64, from: u32, to: u32) -> bool {
    if from >= to {
        return true;
    }
    let last = to - 1;
    let (first_word, last_word) = (from / 64, last / 64);
    let low = u64::MAX << (from % 64);
    let high = u64::MAX >> (63 - last % 64);
    if first_word == last_word {
        let mask = low & high;
        return word(first_word as usize) & mask == mask;
    }
    word(first_word as usize) & low == low
        && word(last_word as usize) & high == high
        && (first_word + 1..last_word).all(|index| word(index as usize) == u64::MAX)
}

/// Whether the diagonal from one cell to another is free to walk; they are `steps` apart.
#[inline(always)]
fn diagonal_is_free<const RISING: bool>(boards: &Boards, from: Node, up: bool, steps: u32) -> bool {
    let diagonals = &boards.diagonals[usize::from(!RISING)];
    let (diagonal, _) = boards.diagonal_word::<RISING>(from);
    let (low, high) = if up {
        (from.v, from.v + steps)
    } else {
        (from.v - steps, from.v)
    };
    let place = |index: usize| index * diagonals.stride as usize + diagonal as usize;
    let word = |index| {
        diagonals
            .words
            .get(place(index))
            .map_or(0, |cells| cells.steps)
    };
    all_set(word, low, high)
}

/// Whether all cells between two on one line are free, both included.
#[inline(always)]
fn line_is_free<const AXIS: usize>(boards: &Boards, a: Node, b: Node) -> bool {
    let free = &boards.lines[AXIS].free;
    let (a, b) = (boards.line_bit::<AXIS>(a), boards.line_bit::<AXIS>(b));
    let word = |index: usize| free.get(index).copied().unwrap_or(0);
    all_set(word, a.min(b), a.max(b) + 1)
}

/// The cell where a walk from one cell to another turns if it goes diagonally first.
#[inline(always)]
pub(crate) fn bend(from: Node, to: Node) -> Node {
    let (du, dv) = (from.u.abs_diff(to.u), from.v.abs_diff(to.v));
    let steps = du.min(dv);
    let toward = |from: u32, to: u32| {
        if to > from {
            from + steps
        } else {
            from - steps
        }
    };
    Node {
        u: if du == steps {
            to.u
        } else {
            toward(from.u, to.u)
        },
        v: if dv == steps {
            to.v
        } else {
            toward(from.v, to.v)
        },
    }
}

/// Whether one can go from one cell to another diagonally first and then straight on.
#[inline(always)]
pub(crate) fn leg_is_free(boards: &Boards, from: Node, to: Node) -> bool {
    let corner = bend(from, to);
    let steps = from.u.abs_diff(corner.u);
    let (right, up) = (to.u > from.u, to.v > from.v);
    let diagonal = steps == 0
        || if right == up {
            diagonal_is_free::<true>(boards, from, up, steps)
        } else {
            diagonal_is_free::<false>(boards, from, up, steps)
        };
    diagonal
        && if corner.v == to.v {
            line_is_free::<0>(boards, corner, to)
        } else {
            line_is_free::<1>(boards, corner, to)
        }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::Cell;
    use crate::grid::Grid;
    use crate::lines::naive::{Naive, Step, any_grid};

    /// Nodes as cells: what is told about them cell by cell.
    fn naive(boards: &Boards, grid: &Grid) -> Naive<impl Fn(Cell) -> bool> {
        let (u_side, v_side) = (boards.u_side as i32, boards.v_side as i32);
        Naive(move |at: Cell| {
            (0..u_side).contains(&at.x) && (0..v_side).contains(&at.y) && {
                let node = node(at);
                let is_dead_end = boards.dead_ends.way_out(boards.slot(node)).is_some();
                grid.is_free(boards.cell(node)) && !is_dead_end
            }
        })
    }

    fn node(at: Cell) -> Node {
        Node {
            u: at.x as u32,
            v: at.y as u32,
        }
    }

    fn nodes(boards: &Boards) -> impl Iterator<Item = Cell> + use<> {
        let (u_side, v_side) = (boards.u_side as i32, boards.v_side as i32);
        (0..u_side).flat_map(move |u| (0..v_side).map(move |v| Cell::new(u, v)))
    }

    /// A straight step and whether it leads to higher bits, by axis.
    fn step<const AXIS: usize, const UP: bool>() -> Step {
        let by = if UP { 1 } else { -1 };
        if AXIS == 0 { (by, 0) } else { (0, by) }
    }

    /// Where a straight walk ends: steps and sides. With `side`, at dominated jump points there, too.
    fn walk(
        naive: &Naive<impl Fn(Cell) -> bool>,
        from: Cell,
        by: Step,
        side: Option<usize>,
    ) -> (u32, u8) {
        let mut at = from.offset(by.0, by.1);
        let mut steps = 1;
        while (naive.0)(at) {
            // The next line is the one of the higher coordinate.
            let sides = Naive::<fn(Cell) -> bool>::sides(by);
            let forced = sides.map(|to| naive.is_forced(at, by, to));
            let is_asked = side.is_some_and(|side| forced[side]);
            if forced != [false; 2] && (is_asked || !naive.is_dominated(at, by)) {
                return (steps, u8::from(forced[0]) | u8::from(forced[1]) << 1);
            }
            at = at.offset(by.0, by.1);
            steps += 1;
        }
        (steps, 0)
    }

    fn check_straight<const AXIS: usize, const UP: bool>(
        boards: &Boards,
        naive: &Naive<impl Fn(Cell) -> bool>,
    ) -> Result<(), TestCaseError> {
        let by = step::<AXIS, UP>();
        for from in nodes(boards).filter(|&at| (naive.0)(at)) {
            let bit = boards.line_bit::<AXIS>(node(from));
            for side in [None, Some(0), Some(1)] {
                let found = to_jump_point::<UP>(&boards.lines[AXIS], bit, side, |_| true);
                prop_assert_eq!(found, walk(naive, from, by, side), "{} by {:?}", from, by);
            }
            let (_, index) = boards.diagonal_word::<true>(node(from));
            let word = boards.diagonals[0].words[index as usize];
            let turns = if UP { word.turns_up } else { word.turns_down }[AXIS];
            let reaches = naive.reaches_jump_point(from, by);
            prop_assert_eq!(
                turns >> (from.y % 64) & 1 != 0,
                reaches,
                "{} by {:?}",
                from,
                by
            );
        }
        Ok(())
    }

    fn check_diagonal<const RISING: bool, const UP: bool, const OWN: usize>(
        boards: &Boards,
        naive: &Naive<impl Fn(Cell) -> bool>,
    ) -> Result<(), TestCaseError> {
        let by_v = if UP { 1 } else { -1 };
        let by = (if RISING { by_v } else { -by_v }, by_v);
        for from in nodes(boards).filter(|&at| (naive.0)(at)) {
            let mut found = Vec::new();
            for_each_turn::<RISING, UP, OWN>(boards, node(from), |axis, steps| {
                found.push((axis, steps));
            });
            found.sort_unstable();
            let mut expected = Vec::new();
            let (mut at, mut steps) = (from, 0);
            loop {
                for (axis, ahead) in [(by.0, 0), (0, by.1)].into_iter().enumerate() {
                    if (steps > 0 || axis == OWN) && naive.reaches_jump_point(at, ahead) {
                        expected.push((axis, steps));
                    }
                }
                if !naive.is_step(at, by) {
                    break;
                }
                (at, steps) = (at.offset(by.0, by.1), steps + 1);
            }
            expected.sort_unstable();
            prop_assert_eq!(found, expected, "{} by {:?}", from, by);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn straight_walks_end_where_those_cell_by_cell_do(grid in any_grid()) {
            let boards = Boards::new(grid.words(), grid.width(), grid.height());
            let naive = naive(&boards, &grid);
            check_straight::<0, true>(&boards, &naive)?;
            check_straight::<0, false>(&boards, &naive)?;
            check_straight::<1, true>(&boards, &naive)?;
            check_straight::<1, false>(&boards, &naive)?;
        }

        #[test]
        fn diagonal_walks_turn_off_where_those_cell_by_cell_do(grid in any_grid()) {
            let boards = Boards::new(grid.words(), grid.width(), grid.height());
            let naive = naive(&boards, &grid);
            check_diagonal::<true, true, 0>(&boards, &naive)?;
            check_diagonal::<true, false, 1>(&boards, &naive)?;
            check_diagonal::<false, true, 1>(&boards, &naive)?;
            check_diagonal::<false, false, 0>(&boards, &naive)?;
        }

        #[test]
        fn a_leg_is_free_if_all_its_steps_are(
            grid in any_grid(), ends in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 60),
        ) {
            let boards = Boards::new(grid.words(), grid.width(), grid.height());
            let naive = naive(&boards, &grid);
            let free: Vec<_> = nodes(&boards).filter(|&at| (naive.0)(at)).collect();
            prop_assume!(!free.is_empty());
            let pick = |share: f64| free[(share * free.len() as f64) as usize];
            for (from, to) in ends.into_iter().map(|(a, b)| (pick(a), pick(b))) {
                let mut at = from;
                let mut is_free = true;
                while at != to && is_free {
                    let by = ((to.x - at.x).signum(), (to.y - at.y).signum());
                    is_free = naive.is_step(at, by);
                    at = at.offset(by.0, by.1);
                }
                prop_assert_eq!(leg_is_free(&boards, node(from), node(to)), is_free);
            }
        }
    }
}
