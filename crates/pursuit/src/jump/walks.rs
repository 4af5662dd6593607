//! Walks over [`JumpPointBoards`] for searches, a word of cells at a time.

use crate::cell::Cell;
use crate::jump::boards::JumpPointBoards;
use crate::jump::diagonal::DiagonalWord;
use crate::jump::node::Node;
use crate::jump::straight::{LineWord, Lines};
use crate::path::bend;

/// The stops and the jump points of a walk up, `UP`, or down on the 64 cells of a word. No walk reads a word past the
/// end, because a line ends with a wall. A word past the end has only walls.
#[inline(always)]
fn word<const UP: bool>(lines: &Lines, index: u32) -> LineWord {
    const WALL: LineWord = LineWord {
        stops: u64::MAX,
        forced_neighbors: [0; 2],
    };
    let words = &lines.words[usize::from(!UP)];
    words.get(index as usize).copied().unwrap_or(WALL)
}

/// The first stop of a walk from a line bit: the steps to it, and its forced sides. These are 0 for a wall. For a
/// jump point, they are 1 if its forced neighbor is on the next line, 2 if on the previous line, 3 for both.
///
/// The walk passes dominated jump points. But with `side`, it calls `stop_at(steps)` at each dominated jump point that
/// has a forced neighbor on that side, and stops there if the answer is true. A search uses `stop_at` to ask whether
/// the goal can be seen from there.
///
/// ```text
/// next line         # # # . . . # #     the highest line of the grid
/// cells             0 . . D . J . #     a walk to the right from bit 0
/// previous line     . . . # # . . .
///                   . . . . . . . .
///
/// forced, next      . . . 1 . . . .     nothing lies around the wall that ends at D: it is dominated
/// forced, previous  . . . . . 1 . .
/// stops             . . . . . 1 . 1     found: (5, 2), at J. With side 0 and `stop_at(3)`: (3, 1), at D
/// ```
#[inline(always)]
pub(crate) fn to_jump_point<const UP: bool>(
    lines: &Lines,
    from: u32,
    side: Option<usize>,
    mut stop_at: impl FnMut(u32) -> bool,
) -> (u32, u8) {
    let next = if UP { from + 1 } else { from.wrapping_sub(1) };
    let mut index = next / 64;
    let mut ahead = if UP {
        u64::MAX << (next % 64)
    } else {
        u64::MAX >> (63 - next % 64)
    };
    loop {
        let cells = word::<UP>(lines, index);
        let stops = cells.stops & ahead;
        // How far into the word the walk comes. Up, that is the number of the bit. Down, a walk comes in at
        // bit 63, so it is 63 less the number of the bit.
        let stop_distance = if UP {
            stops.trailing_zeros()
        } else {
            stops.leading_zeros()
        };
        if let Some(side) = side {
            let mut dominated = cells.forced_neighbors[side] & !cells.stops & ahead;
            while dominated != 0 {
                let (bit, distance) = if UP {
                    (dominated.trailing_zeros(), dominated.trailing_zeros())
                } else {
                    (63 - dominated.leading_zeros(), dominated.leading_zeros())
                };
                let steps = (index * 64 + bit).abs_diff(from);
                if distance > stop_distance {
                    break;
                }
                if stop_at(steps) {
                    return (steps, forced_sides(cells, bit));
                }
                dominated &= !(1 << bit);
            }
        }
        if stops != 0 {
            let bit = if UP {
                stop_distance
            } else {
                63 - stop_distance
            };
            let steps = (index * 64 + bit).abs_diff(from);
            return (steps, forced_sides(cells, bit));
        }
        index = if UP { index + 1 } else { index.wrapping_sub(1) };
        ahead = u64::MAX;
    }
}

/// The sides of a jump point on which it has forced neighbors, as [`to_jump_point`] returns them.
#[inline(always)]
fn forced_sides(cells: LineWord, bit: u32) -> u8 {
    let [next, previous] = cells.forced_neighbors.map(|cells| (cells >> bit & 1) as u8);
    next | previous << 1
}

/// Calls `visit(axis, steps)` for each branch of a diagonal walk. The branch lies `steps` from where the walk
/// begins, and the straight walk along `axis` from there reaches a jump point. The walk ends at the first closed
/// step. A search makes each of these straight walks by [`to_jump_point`]. It looks for no goal on the way: it
/// tries [`single_turn_path_is_free`] before it expands a node.
///
/// The branches come word by word. In each word those along axis 0 come first, then those along axis 1, each
/// nearest first.
///
/// The cell where the walk begins may be a branch, too, but only its straight walk along `START_AXIS` is visited.
/// Two diagonal walks begin with the same straight walk between them, so a search gives that one to one of them:
///
/// ```text
/// from the start S                       from a jump point J, on a walk to the right,
/// of a search                            with a forced neighbor on the next line
///
///      b  ^  a    each of the four            ^  a    the walk up belongs to the diagonal a;
///       \ | /     straight walks              | /     the search makes the walk straight on
///    <--- S --->  belongs to one of      >--- J --->  by itself
///       / | \     a, b, c and d
///      c  v  d
/// ```
#[inline(always)]
pub(crate) fn for_each_branch<const RISING: bool, const UP: bool, const START_AXIS: usize>(
    boards: &JumpPointBoards,
    from: Node,
    mut visit: impl FnMut(usize, u32),
) {
    let diagonals = &boards.diagonals[usize::from(!RISING)];
    let (_, mut index) = boards.diagonal_word::<RISING>(from);
    // The `v` of bit 0 in the current word.
    let mut lowest_v = from.v / 64 * 64;
    let word = |index: u32| diagonals.words.get(index as usize).copied();
    let mut reach = reach_from::<UP, START_AXIS>(word(index).unwrap_or_default(), from.v % 64);
    loop {
        for (axis, mut branches) in reach.branches.into_iter().enumerate() {
            while branches != 0 {
                let bit = if UP {
                    branches.trailing_zeros()
                } else {
                    63 - branches.leading_zeros()
                };
                visit(axis, (lowest_v + bit).abs_diff(from.v));
                branches &= !(1 << bit);
            }
        }
        if !reach.goes_on {
            return;
        }
        (index, lowest_v) = if UP {
            (index + diagonals.stride, lowest_v + 64)
        } else {
            (
                index.wrapping_sub(diagonals.stride),
                lowest_v.wrapping_sub(64),
            )
        };
        // Past the last word, no step is open.
        reach = self::reach::<UP>(word(index).unwrap_or_default(), WHOLE_WORD);
    }
}

/// The branches that a diagonal walk reaches in one word.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Reach {
    /// The branches along either axis that are visited.
    pub(crate) branches: [u64; 2],
    /// Whether the walk leaves the word for the next one. A walk down may find its first step there closed.
    pub(crate) goes_on: bool,
}

/// The reach of a walk that begins at a bit of the word. At that bit, only the branch along `START_AXIS` counts.
///
/// ```text
/// bit               0 1 2 3 4 5 6 7
/// open              . 1 1 1 1 . 1 1     no step between 0 and 1, none between 5 and 6
/// branches, axis 0  1 . 1 . 1 . 1 .
/// branches, axis 1  . 1 . 1 . 1 . 1
///
/// walk up from 2
/// run               . . 1 1 1 . . .     the steps that it takes: 3
/// Reach, axis 0     . . 1 . 1 . . .     with bit 2, if START_AXIS is 0
/// Reach, axis 1     . . . 1 . 1 . .
///
/// walk down from 4
/// run               . 1 1 1 . . . .     the step from 4 to 3 is noted at 3
/// Reach, axis 0     . . 1 . 1 . . .     with bit 4, if START_AXIS is 0
/// Reach, axis 1     . 1 . 1 . . . .
/// ```
#[inline(always)]
fn reach_from<const UP: bool, const START_AXIS: usize>(cells: DiagonalWord, bit: u32) -> Reach {
    let mut reach = reach::<UP>(cells, beyond::<UP>(bit));
    reach.branches[START_AXIS] |= cells.branches_by_axis::<UP>()[START_AXIS] & 1 << bit;
    reach
}

/// The bits that a walk from the word before may meet: all of them. A walk up stands at bit 0 already. A walk down still
/// stands one step above bit 63, and bit 63 says whether that step is open.
pub(crate) const WHOLE_WORD: [u64; 2] = [u64::MAX; 2];

/// The bits that a walk from a bit may meet: those that describe its steps, and those that it reaches. The step down to a
/// bit is noted at that bit.
#[inline(always)]
pub(crate) fn beyond<const UP: bool>(bit: u32) -> [u64; 2] {
    if UP {
        [bits_from(bit), bits_above(bit)]
    } else {
        [!bits_from(bit); 2]
    }
}

/// The reach of a walk in a word, up to its first closed step.
///
/// ```text
/// bit               0 1 2 3 4 5 6
///
/// walk up from 1, which goes on as far as 4
/// open              1 1 1 1 . 1 1      closed: 4
/// branches          . 1 . . 1 . 1      reached: 4. At 1 it begins, and 6 is past the closed step
///
/// walk down from 5, which goes on as far as 2
/// open              1 . 1 1 1 1 1      closed: 1
/// branches          . 1 1 . . 1 .      reached: 2. At 5 it begins, and no step leads down to 1
/// ```
#[inline(always)]
pub(crate) fn reach<const UP: bool>(cells: DiagonalWord, [steps, ahead]: [u64; 2]) -> Reach {
    let closed = !cells.open & steps;
    let until = if UP {
        bits_up_to(closed.trailing_zeros())
    } else {
        bits_from(64 - closed.leading_zeros())
    };
    let branches = cells.branches_by_axis::<UP>();
    Reach {
        branches: branches.map(|all| all & ahead & until),
        goes_on: closed == 0,
    }
}

/// The bits from `n` on; none for 64.
#[inline(always)]
fn bits_from(n: u32) -> u64 {
    u64::MAX.checked_shl(n).unwrap_or(0)
}

/// The bits above bit `n`; none for 63 and 64.
#[inline(always)]
fn bits_above(n: u32) -> u64 {
    (u64::MAX << 1).checked_shl(n).unwrap_or(0)
}

/// The bits from 0 to `n`, both included; all for 63 and 64.
#[inline(always)]
fn bits_up_to(n: u32) -> u64 {
    !bits_above(n)
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

/// Whether a diagonal walk of some steps from a node is open all the way.
#[inline(always)]
fn diagonal_is_free<const RISING: bool>(
    boards: &JumpPointBoards,
    from: Node,
    up: bool,
    steps: u32,
) -> bool {
    let diagonals = &boards.diagonals[usize::from(!RISING)];
    let (diagonal, _) = boards.diagonal_word::<RISING>(from);
    let (low, high) = if up {
        (from.v, from.v + steps)
    } else {
        (from.v - steps, from.v)
    };
    let word_index = |index: usize| index * diagonals.stride as usize + diagonal as usize;
    let words = &diagonals.words;
    let word = |index| words.get(word_index(index)).map_or(0, |cells| cells.open);
    all_set(word, low, high)
}

/// Whether all cells of a line from one node to another are free, both included.
#[inline(always)]
fn line_is_free<const AXIS: usize>(boards: &JumpPointBoards, a: Node, b: Node) -> bool {
    let free = &boards.lines[AXIS].free;
    let (a, b) = (boards.line_bit::<AXIS>(a), boards.line_bit::<AXIS>(b));
    let word = |index: usize| free.get(index).copied().unwrap_or(0);
    all_set(word, a.min(b), a.max(b) + 1)
}

/// Whether the path from one node to another that goes diagonally first and then straight is free. Of all ways
/// between the two, none is shorter.
#[inline(always)]
pub(crate) fn single_turn_path_is_free(boards: &JumpPointBoards, from: Node, to: Node) -> bool {
    let cell = |node: Node| Cell::new(node.u as i32, node.v as i32);
    let turn = bend(cell(from), cell(to));
    let corner = Node {
        u: turn.x as u32,
        v: turn.y as u32,
    };
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
    use crate::jump::naive::{Direction, Naive, Table, any_grid, cells, node};
    use crate::jump::pictures;

    #[test]
    fn the_picture_of_a_straight_walk_matches_the_code() {
        let boards = pictures::boards(&[
            "# # # . . . # #",
            ". . . . . . . #",
            ". . . # # . . .",
            ". . . . . . . .",
        ]);
        let from = boards.line_bit::<0>(Node { u: 0, v: 2 });
        let word = boards.lines[0].words[0][from as usize / 64];
        assert_eq!(pictures::picture(word.stops, 8), ". . . . . 1 . 1");
        let forced = word.forced_neighbors.map(|word| pictures::picture(word, 8));
        assert_eq!(forced, [". . . 1 . . . .", ". . . . . 1 . ."]);
        let walk = |side, stops: bool| {
            let mut asked = Vec::new();
            let found = to_jump_point::<true>(&boards.lines[0], from, side, |steps| {
                asked.push(steps);
                stops
            });
            (found, asked)
        };
        assert_eq!(walk(None, true), ((5, 2), vec![]));
        assert_eq!(walk(Some(1), true), ((5, 2), vec![]));
        assert_eq!(walk(Some(0), false), ((5, 2), vec![3]));
        assert_eq!(walk(Some(0), true), ((3, 1), vec![3]));
    }

    #[test]
    fn the_picture_of_a_reach_matches_the_code() {
        let open = pictures::bits(". 1 1 1 1 . 1 1");
        let branches = ["1 . 1 . 1 . 1 .", ". 1 . 1 . 1 . 1"].map(pictures::bits);
        let word = DiagonalWord {
            open,
            branches_up: branches,
            branches_down: branches,
        };
        let reach = |axis_0, axis_1| Reach {
            branches: [axis_0, axis_1].map(pictures::bits),
            goes_on: false,
        };
        let up = reach(". . 1 . 1 . . .", ". . . 1 . 1 . .");
        assert_eq!(reach_from::<true, 0>(word, 2), up);
        let down = reach(". . 1 . 1 . . .", ". 1 . 1 . . . .");
        assert_eq!(reach_from::<false, 0>(word, 4), down);
        // With the other axis, the cell where the walk begins does not count.
        let up = reach(". . . . 1 . . .", ". . . 1 . 1 . .");
        assert_eq!(reach_from::<true, 1>(word, 2), up);
        let down = reach(". . 1 . . . . .", ". 1 . 1 . . . .");
        assert_eq!(reach_from::<false, 1>(word, 4), down);
    }

    #[test]
    fn masks_have_the_bits_that_their_names_say() {
        let naive =
            |is_in: &dyn Fn(u32) -> bool| (0..64).map(|bit| u64::from(is_in(bit)) << bit).sum();
        for n in 0..=64 {
            assert_eq!(bits_from(n), naive(&|bit| bit >= n), "{n}");
            assert_eq!(bits_above(n), naive(&|bit| bit > n), "{n}");
            assert_eq!(bits_up_to(n), naive(&|bit| bit <= n), "{n}");
        }
    }

    /// The direction along an axis, up or down.
    fn direction<const AXIS: usize, const UP: bool>() -> Direction {
        let by = if UP { 1 } else { -1 };
        if AXIS == 0 { (by, 0) } else { (0, by) }
    }

    /// What a straight walk meets on a free cell.
    struct Met {
        /// On which sides it has forced neighbors.
        forced: [bool; 2],
        is_stop: bool,
    }

    /// What straight walks in a direction meet; `None` on cells that are not free.
    fn met(
        boards: &JumpPointBoards,
        naive: &Naive<impl Fn(Cell) -> bool>,
        by: Direction,
    ) -> Table<Option<Met>> {
        Table::of(boards, |at| {
            naive.is_free(at).then(|| {
                // The next line is the one of the higher coordinate.
                let sides = Naive::<fn(Cell) -> bool>::sides(by);
                let forced = sides.map(|to| naive.is_forced(at, by, to));
                let is_stop = forced != [false; 2] && !naive.is_dominated(at, by);
                Met { forced, is_stop }
            })
        })
    }

    /// Where a straight walk ends, as [`to_jump_point`] tells it, and at which steps it asks `stop_at`.
    fn walk(
        met: &Table<Option<Met>>,
        (from, by): (Cell, Direction),
        side: Option<usize>,
        stop_at: fn(u32) -> bool,
    ) -> ((u32, u8), Vec<u32>) {
        let mut asked = Vec::new();
        let mut at = from.offset(by.0, by.1);
        let mut steps = 1;
        while let Some(&Some(Met { forced, is_stop })) = met.get(at) {
            let is_asked = !is_stop && side.is_some_and(|side| forced[side]);
            if is_asked {
                asked.push(steps);
            }
            if is_stop || is_asked && stop_at(steps) {
                let sides = u8::from(forced[0]) | u8::from(forced[1]) << 1;
                return ((steps, sides), asked);
            }
            at = at.offset(by.0, by.1);
            steps += 1;
        }
        ((steps, 0), asked)
    }

    fn check_straight<const AXIS: usize, const UP: bool>(
        boards: &JumpPointBoards,
        naive: &Naive<impl Fn(Cell) -> bool>,
    ) -> Result<(), TestCaseError> {
        let by = direction::<AXIS, UP>();
        let met = met(boards, naive, by);
        for from in cells(boards).filter(|&at| (naive.0)(at)) {
            let bit = boards.line_bit::<AXIS>(node(from));
            let sides = [None, Some(0), Some(1)];
            let rules: [fn(u32) -> bool; 2] = [|_| true, |steps| steps.is_multiple_of(4)];
            for (side, stop_at) in sides
                .into_iter()
                .flat_map(|side| rules.map(|rule| (side, rule)))
            {
                let mut asked = Vec::new();
                let found = to_jump_point::<UP>(&boards.lines[AXIS], bit, side, |steps| {
                    asked.push(steps);
                    stop_at(steps)
                });
                let expected = walk(&met, (from, by), side, stop_at);
                prop_assert_eq!((found, asked), expected, "{} by {:?}", from, by);
            }
        }
        Ok(())
    }

    /// Whether straight walks from each free cell reach a jump point: by axis, and down or up.
    type Reaches = [[Table<bool>; 2]; 2];

    fn check_diagonal<const RISING: bool, const UP: bool, const START_AXIS: usize>(
        boards: &JumpPointBoards,
        naive: &Naive<impl Fn(Cell) -> bool>,
        reaches: &Reaches,
    ) -> Result<(), TestCaseError> {
        let by_v = if UP { 1 } else { -1 };
        let by = (if RISING { by_v } else { -by_v }, by_v);
        for from in cells(boards).filter(|&at| (naive.0)(at)) {
            let mut found = Vec::new();
            for_each_branch::<RISING, UP, START_AXIS>(boards, node(from), |axis, steps| {
                found.push((axis, steps));
            });
            let mut expected = Vec::new();
            let (mut at, mut steps) = (from, 0);
            loop {
                for (axis, ahead) in [by.0, by.1].into_iter().enumerate() {
                    let reaches = reaches[axis][usize::from(ahead > 0)].get(at);
                    if (steps > 0 || axis == START_AXIS) && reaches == Some(&true) {
                        expected.push((axis, steps));
                    }
                }
                if !naive.can_step(at, by) {
                    break;
                }
                (at, steps) = (at.offset(by.0, by.1), steps + 1);
            }
            // Word by word, and in each word first one axis, then the other.
            expected.sort_by_key(|&(axis, steps)| {
                let v = from.y + by_v * steps as i32;
                ((v / 64).abs_diff(from.y / 64), axis, steps)
            });
            prop_assert_eq!(found, expected, "{} by {:?}", from, by);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(100)))]

        #[test]
        fn straight_walks_end_where_walks_cell_by_cell_end(grid in any_grid()) {
            let boards = JumpPointBoards::new(&grid);
            let naive = Naive::of(&boards, &grid);
            check_straight::<0, true>(&boards, &naive)?;
            check_straight::<0, false>(&boards, &naive)?;
            check_straight::<1, true>(&boards, &naive)?;
            check_straight::<1, false>(&boards, &naive)?;
        }

        #[test]
        fn diagonal_walks_branch_where_walks_cell_by_cell_branch(grid in any_grid()) {
            let boards = JumpPointBoards::new(&grid);
            let naive = Naive::of(&boards, &grid);
            let reach = |by| Table::of(&boards, |at| naive.is_free(at) && naive.reaches_jump_point(at, by));
            let reaches = [[(-1, 0), (1, 0)], [(0, -1), (0, 1)]].map(|axis| axis.map(reach));
            check_diagonal::<true, true, 0>(&boards, &naive, &reaches)?;
            check_diagonal::<true, true, 1>(&boards, &naive, &reaches)?;
            check_diagonal::<true, false, 0>(&boards, &naive, &reaches)?;
            check_diagonal::<true, false, 1>(&boards, &naive, &reaches)?;
            check_diagonal::<false, true, 0>(&boards, &naive, &reaches)?;
            check_diagonal::<false, true, 1>(&boards, &naive, &reaches)?;
            check_diagonal::<false, false, 0>(&boards, &naive, &reaches)?;
            check_diagonal::<false, false, 1>(&boards, &naive, &reaches)?;
        }

        #[test]
        fn all_set_agrees_with_a_check_of_each_bit(
            zeros in prop::collection::vec(0u32..256, 0..3), from in 0u32..256, to in 0u32..=256,
        ) {
            let word = |index: usize| {
                let zeros = zeros.iter().filter(|&&zero| zero as usize / 64 == index);
                zeros.fold(u64::MAX, |word, zero| word & !(1 << (zero % 64)))
            };
            let expected = (from..to).all(|bit| !zeros.contains(&bit));
            prop_assert_eq!(all_set(word, from, to), expected);
        }

        #[test]
        fn a_single_turn_path_is_free_exactly_if_all_its_steps_are(
            grid in any_grid(), ends in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 60),
        ) {
            let boards = JumpPointBoards::new(&grid);
            let naive = Naive::of(&boards, &grid);
            let free: Vec<_> = cells(&boards).filter(|&at| (naive.0)(at)).collect();
            prop_assume!(!free.is_empty());
            let pick = |share: f64| free[(share * free.len() as f64) as usize];
            for (from, to) in ends.into_iter().map(|(a, b)| (pick(a), pick(b))) {
                let mut at = from;
                let mut is_free = true;
                while at != to && is_free {
                    let by = ((to.x - at.x).signum(), (to.y - at.y).signum());
                    is_free = naive.can_step(at, by);
                    at = at.offset(by.0, by.1);
                }
                prop_assert_eq!(single_turn_path_is_free(&boards, node(from), node(to)), is_free);
            }
        }
    }
}
