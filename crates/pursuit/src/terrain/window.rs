//! The steps from a cell that a cheapest path may need, depending on the costs of the cells around it.

use crate::cost::{DIAGONAL, STRAIGHT};
use crate::pruning::IN_THE_OPEN;

/// The costs of a cell and of the eight cells around it; 0 for walls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    middle: u32,
    /// The costs of the cells around the middle, one byte each, in a circle that begins on the right.
    ///
    /// ```text
    /// 5 6 7
    /// 4 . 0
    /// 3 2 1
    /// ```
    around: u64,
}

/// The index in [`NEIGHBORS`](crate::NEIGHBORS) of each cell in the circle.
const CIRCLE_NEIGHBORS: [u8; 8] = [0, 4, 2, 5, 1, 7, 3, 6];

/// The position in the circle of each of the [`NEIGHBORS`](crate::NEIGHBORS).
const CIRCLE_PLACES: [u32; 8] = {
    let mut places = [0; 8];
    let mut place = 0;
    while place < 8 {
        places[CIRCLE_NEIGHBORS[place] as usize] = place as u32;
        place += 1;
    }
    places
};

/// Converts a set of cells whose bits are in the order of the circle to the order of [`NEIGHBORS`](crate::NEIGHBORS).
const NEIGHBOR_SETS: [u8; 256] = {
    let mut sets = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut place = 0;
        while place < 8 {
            sets[set] |= ((set >> place & 1) << CIRCLE_NEIGHBORS[place]) as u8;
            place += 1;
        }
        set += 1;
    }
    sets
};

/// Cost of a step that is not allowed: more than any path through the window costs.
const NO_PATH_COST: u32 = u32::MAX / 4;

impl Window {
    /// A window from three rows of three cells.
    #[inline(always)]
    pub(crate) fn new([above, row, below]: [[u8; 3]; 3]) -> Self {
        let around = [
            row[2], below[2], below[1], below[0], row[0], above[0], above[1], above[2],
        ];
        Self {
            middle: u32::from(row[1]),
            around: u64::from_le_bytes(around),
        }
    }

    /// Whether the middle is free, and all cells around it are free and cost as much.
    #[inline(always)]
    fn is_open_and_even(self) -> bool {
        self.around == u64::from(self.middle) * (u64::MAX / 255)
    }

    /// Whether all free cells of the window cost the same, and there are any.
    #[inline(always)]
    pub(crate) fn is_even(self) -> bool {
        let is_even = || {
            let around = self.around.to_le_bytes();
            let all = around.into_iter().chain([self.middle as u8]);
            let mut free = all.filter(|cost| *cost > 0);
            let first = free.next();
            first.is_some_and(|first| free.all(|cost| cost == first))
        };
        self.middle > 0 && self.is_open_and_even() || is_even()
    }

    /// The steps that a search has to check from the middle, if the step `arrival` led to it and no corner may be cut.
    /// One bit for each of the [`NEIGHBORS`](crate::NEIGHBORS).
    ///
    /// A neighbor is left out if there is a cheaper path to it than the single step from the middle: a path from the
    /// previous cell that avoids the middle, or a path from the middle over another neighbor. A path that costs the
    /// same is enough if it ends with a straight step while the step from the middle is diagonal. This is the pruning
    /// of jump-point search for different costs (Carlson, Moghadam, Harabor, Stuckey and Ebrahimi, 2023).
    ///
    /// Of the cheapest paths to a cell, the pruning always keeps at least one. Take the last steps of these paths, and
    /// choose a straight one if there is one. The chosen step is never left out, no matter by which step the cell that
    /// it leaves was reached. It would be left out only for a cheaper path, or for an equally cheap path that ends with
    /// a straight step while the chosen step is diagonal, and neither exists.
    #[inline(always)]
    pub(crate) fn needed(self, arrival: usize) -> u8 {
        let ahead = CIRCLE_PLACES[arrival % 8];
        let circle = self.around.rotate_right(8 * ahead);
        let at = |place: u32| (circle >> (8 * place) & 255) as u32;
        let sides = [[at(1), at(2), at(3)], [at(7), at(6), at(5)]];
        let set = if ahead.is_multiple_of(2) {
            after_straight(self.middle, at(4), at(0), sides)
        } else {
            after_diagonal(self.middle, at(4), at(0), sides)
        };
        NEIGHBOR_SETS[usize::from(set.rotate_left(ahead))]
    }

    /// The steps to the middle after which a run may continue, one bit for each of the [`NEIGHBORS`](crate::NEIGHBORS).
    /// A run may continue if the search needs no other steps than on even ground: the step straight on and, after a
    /// diagonal step, the two straight steps beside it. After a diagonal step, the search must also need the next
    /// diagonal step.
    pub(crate) fn passes(self) -> u8 {
        if self.is_open_and_even() {
            return u8::MAX;
        }
        let passes = |n: usize| {
            let needed = self.needed(n);
            needed & !IN_THE_OPEN[n] == 0 && (n < 4 || needed >> n & 1 != 0)
        };
        (0..8).fold(0, |set, n| set | u8::from(passes(n)) << n)
    }
}

#[inline(always)]
fn straight(from: u32, to: u32) -> u32 {
    STRAIGHT / 2 * (from + to)
}

#[inline(always)]
fn diagonal(from: u32, to: u32) -> u32 {
    DIAGONAL / 2 * (from + to)
}

/// `cost` if all of `cells` are free, otherwise [`NO_PATH_COST`].
#[inline(always)]
fn through<const N: usize>(cells: [u32; N], cost: u32) -> u32 {
    if cells.contains(&0) {
        NO_PATH_COST
    } else {
        cost
    }
}

/// The steps that are needed after a step to the right, as a set of cells in the circle.
///
/// ```text
/// 3 2 1      the side above
/// b m a      previous cell, middle, cell ahead
/// ```
#[inline(always)]
fn after_straight(m: u32, b: u32, a: u32, sides: [[u32; 3]; 2]) -> u8 {
    let come = straight(b, m);
    let mut needed = 0;
    let mut is_ahead = a > 0;
    for (side, [c1, c2, c3]) in sides.into_iter().enumerate() {
        // The cost of a path from the previous cell to the cell beside the middle.
        let cost = diagonal(b, c2).min(straight(b, c3) + straight(c3, c2));
        let beside = through([c2, c3], cost);
        let around = through([a, c1], beside + diagonal(c2, a));
        is_ahead &= around >= come + straight(m, a);
        let is_beside = c2 > 0 && beside >= come + straight(m, c2);
        let turn = diagonal(m, c1);
        let is_turn = c1 > 0
            && c2 > 0
            && a > 0
            && beside + straight(c2, c1) > come + turn
            && straight(m, c2) + straight(c2, c1) > turn
            && straight(m, a) + straight(a, c1) > turn;
        let [at_1, at_2] = if side == 0 { [1, 2] } else { [7, 6] };
        needed |= u8::from(is_turn) << at_1 | u8::from(is_beside) << at_2;
    }
    needed | u8::from(is_ahead)
}

/// The steps that are needed after a step up and to the right, as a set of cells in the circle.
///
/// ```text
/// 2 1 a
/// 3 m .      previous cell, middle, cell ahead; the other side is below the diagonal
/// b . .
/// ```
#[inline(always)]
fn after_diagonal(m: u32, b: u32, a: u32, sides: [[u32; 3]; 2]) -> u8 {
    let come = diagonal(b, m);
    let mut needed = 0;
    let mut is_ahead = a > 0;
    for (side, [c1, c2, c3]) in sides.into_iter().enumerate() {
        let ahead = diagonal(m, a);
        is_ahead &= c1 > 0 && straight(m, c1) + straight(c1, a) > ahead;
        // The costs of a path from the previous cell to the corner, and of a path to the cell beside the corner.
        let corner = through([c3, c2], straight(b, c3) + straight(c3, c2));
        let around = through([c3, c2], straight(b, c3) + diagonal(c3, c1));
        let is_beside = c1 > 0
            && around >= come + straight(m, c1)
            && corner + straight(c2, c1) >= come + straight(m, c1);
        let turn = diagonal(m, c2);
        let is_turn = c1 > 0
            && c2 > 0
            && c3 > 0
            && corner > come + turn
            && straight(m, c1) + straight(c1, c2) > turn
            && straight(m, c3) + straight(c3, c2) > turn;
        let [at_1, at_2] = if side == 0 { [1, 2] } else { [7, 6] };
        needed |= u8::from(is_beside) << at_1 | u8::from(is_turn) << at_2;
    }
    needed | u8::from(is_ahead)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::cell::{Cell, DiagonalPolicy, NEIGHBORS};
    use crate::grid::Grid;
    use crate::pruning::successors;
    use crate::random::{any_walls, each_case, with_costs};
    use crate::search::oracle::{self, cases};

    const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;
    const MIDDLE: Cell = Cell::new(1, 1);

    fn any_grid(rng: &mut Rng) -> Grid {
        let dearest = [1, 2, 2, 4, 11, 255][rng.usize(0..6)];
        let walls = any_walls(rng, 3, 3, 0..8);
        let grid = with_costs(&walls, |_| rng.u8(1..=dearest));
        let mut builder = grid.to_builder();
        builder.set_free(MIDDLE, true).expect("inside");
        builder.build()
    }

    fn window(grid: &Grid) -> Window {
        let cost = |x, y| {
            let cell = Cell::new(x, y);
            if grid.is_free(cell) {
                grid.cost(cell)
            } else {
                0
            }
        };
        Window::new([0, 1, 2].map(|y| [0, 1, 2].map(|x| cost(x, y))))
    }

    fn neighbor(n: usize) -> Cell {
        let (x, y) = NEIGHBORS[n];
        MIDDLE.offset(x, y)
    }

    fn step(grid: &Grid, from: Cell, to: Cell) -> Option<u64> {
        oracle::step_cost(grid, from, to, POLICY)
    }

    /// Whether the step to a neighbor may be left out. It may if another path from the previous cell to the neighbor is
    /// cheaper, or if that path costs the same and ends with a straight step while the step from the middle is
    /// diagonal.
    fn can_do_without(grid: &Grid, before: Cell, come: u64, n: usize) -> bool {
        let to = neighbor(n);
        let way = come + step(grid, MIDDLE, to).expect("legal");
        let costs = oracle::distances(grid, before, POLICY);
        let cost = |cell: Cell| costs[grid.index(cell).expect("inside").get()];
        let is_by_straight = (0..4).any(|last| {
            let (x, y) = NEIGHBORS[last];
            let previous = to.offset(x, y);
            let last = step(grid, previous, to);
            last.is_some_and(|last| cost(previous).map(|cost| cost + last) == Some(way))
        });
        cost(to).is_some_and(|cost| cost < way) || n > 3 && is_by_straight
    }

    #[test]
    fn steps_that_are_left_out_lose_no_cheapest_path() {
        let (mut left_out, mut needed, mut in_vain) = (0, 0, 0);
        each_case(20_000, |rng| {
            let grid = any_grid(rng);
            let window = window(&grid);
            for (arrival, (x, y)) in NEIGHBORS.into_iter().enumerate() {
                let before = MIDDLE.offset(-x, -y);
                let Some(come) = step(&grid, before, MIDDLE) else {
                    continue;
                };
                let set = window.needed(arrival);
                for n in 0..8 {
                    let is_needed = set >> n & 1 != 0;
                    if step(&grid, MIDDLE, neighbor(n)).is_none() {
                        assert!(!is_needed, "{n} after {arrival}: {window:?}");
                    } else if is_needed {
                        needed += 1;
                    } else {
                        let can = can_do_without(&grid, before, come, n);
                        assert!(can, "{n} after {arrival}: {window:?}");
                        left_out += 1;
                    }
                }
                let more = (0..8).filter(|n| set >> n & 1 != 0);
                let more = more.filter(|&n| can_do_without(&grid, before, come, n));
                in_vain += more.count() as u64;
            }
        });
        let found = [left_out, needed, in_vain];
        assert!(left_out > needed && needed > cases(20_000), "{found:?}");
        assert!(
            in_vain * 10 < needed,
            "too many steps are needed in vain: {found:?}"
        );
    }

    /// The module `pruning` has the rule for even ground.
    #[test]
    fn on_even_ground_the_needed_steps_equal_the_table() {
        let needed = |arrival: usize, cells: usize| successors(POLICY)[arrival + 1][cells];
        for cells in 0..512_usize {
            let cost = |bit: usize| 5 * (cells >> bit & 1) as u8;
            let rows = [0, 1, 2].map(|y| [0, 1, 2].map(|x| cost(3 * y + x)));
            let window = Window::new(rows);
            for (arrival, (dx, dy)) in NEIGHBORS.into_iter().enumerate() {
                let before = 4 - 3 * dy - dx;
                let beside = [4 - dx, 4 - 3 * dy];
                let is_free = |bit: i32| cells >> bit & 1 != 0;
                // A search reaches the middle only by a step that is allowed.
                let is_legal = is_free(4) && is_free(before) && beside.into_iter().all(is_free);
                if is_legal {
                    let expected = needed(arrival, cells);
                    assert_eq!(window.needed(arrival), expected, "{rows:?} after {arrival}");
                }
            }
        }
    }

    #[test]
    fn a_cell_is_passed_if_only_the_steps_straight_on_are_needed() {
        let mut passed = [0; 8];
        each_case(2000, |rng| {
            let window = window(&any_grid(rng));
            for n in 0..8 {
                let on = (0..8).filter(|&to| {
                    let [(x, y), (dx, dy)] = [NEIGHBORS[to], NEIGHBORS[n]];
                    to == n || n > 3 && to < 4 && (x == dx || y == dy)
                });
                let on = on.fold(0, |set, to| set | 1 << to);
                let needed = window.needed(n);
                let goes_on = needed & !on == 0 && (n < 4 || needed >> n & 1 != 0);
                assert_eq!(window.passes() >> n & 1 != 0, goes_on, "{n}: {window:?}");
                passed[n] += u64::from(goes_on);
            }
        });
        assert!(passed.into_iter().min() > Some(cases(200)), "{passed:?}");
    }

    #[test]
    fn on_even_ground_a_straight_step_needs_one_next_step_and_a_diagonal_one_three() {
        let open = Window::new([[7; 3]; 3]);
        assert_eq!(open.passes(), u8::MAX);
        assert_eq!([0, 4].map(|n| open.needed(n)), [1, 0b1_0101]);
        // Along expensive ground, the step into it is needed.
        let along = Window::new([[9; 3], [1; 3], [1; 3]]);
        assert_eq!(along.needed(0), 0b1001);
        assert_eq!(along.passes() & 1, 0);
    }
}
