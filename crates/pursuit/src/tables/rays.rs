//! Scans over the map, a few words each: how far a straight or diagonal run goes, and which corners
//! it meets.
//!
//! The predicates of jump-point search tell where runs stop, word by word ([`jump`](crate::jump)). Unlike
//! the boards, rays treat dead ends as free cells: a query may begin or end there.

use super::corners::{Corners, STRAIGHTS};
use crate::bits::rows::BitRows;
use crate::bits::shear::Shear;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::cost::{HALF_DIAGONAL, HALF_STRAIGHT, half_octile};
use crate::jump::diagonal::open_steps;
use crate::jump::straight::{self, LineWords};
use crate::path::bend;
use crate::stride::Stride;
use crate::walls::Walls;

/// [`octile`](crate::cost::octile) in the units of the tables, which are half of those outside and fit into 32 bits.
#[inline]
pub(super) fn octile_units(a: Cell, b: Cell) -> u32 {
    half_octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y)) as u32
}

/// The four diagonal directions; the first two run along one set of diagonals, the others along
/// the other.
const DIAGONALS: [(i32, i32); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Rows of bits of a map in four layouts, in each of which a scan is a run of bits: rows, columns,
/// and both kinds of diagonals. A cell's bit in its row is its `x`, in its column and on its diagonals
/// its `y`.
#[derive(Clone)]
pub(super) struct Rays {
    /// Where straight scans stop: at walls and at the jump points of the direction. In the order of
    /// [`STRAIGHTS`], rows for the first two, columns for the others.
    stops: [BitRows; 4],
    diagonals: [Diagonals; 2],
    fold: Fold,
}

/// The diagonals of one kind.
#[derive(Clone)]
struct Diagonals {
    /// Set where the step to the next row is not allowed.
    blocked: BitRows,
    /// Set where a straight scan from the cell meets a jump point before a wall.
    reaches_jump_point: [BitRows; 4],
}

/// Diagonals are numbered modulo one more than the width. So two may share a line of bits; the column of
/// blocked steps between them keeps scans apart.
///
/// ```text
/// a map 3 wide     0 . 2       its cells on line 0, where x - y is 0 or -4, and on line 2
///                  . 0 .
///                  2 . 0
///                  . 2 .
///                  0 . 2
///                  . 0 .
///
/// bit              0 1 2 3 4 5
/// line 0           0 0 0 . 0 0       where one diagonal ends and the other begins, a bit is beside the map
/// line 2           2 . 2 2 2 .
/// ```
#[derive(Clone, Copy)]
struct Fold {
    lines: Stride,
    /// A multiple of the number of lines, above the grid's height, that makes numbers positive.
    shift: u32,
}

impl Fold {
    fn new(width: u32, height: u32) -> Self {
        let count = width + 1;
        Self {
            lines: Stride::new(count),
            shift: (height + 64).next_multiple_of(count),
        }
    }

    /// The line of a diagonal on which `x - y` is the number given, or `x + y` on those that fall.
    #[inline]
    fn line(self, number: i32) -> i32 {
        self.lines.split((self.shift as i32 + number) as u32).1 as i32
    }

    /// The line of a cell on the diagonals of a kind.
    #[inline]
    fn line_of(self, kind: usize, cell: Cell) -> i32 {
        self.line(if kind == 0 {
            cell.x - cell.y
        } else {
            cell.x + cell.y
        })
    }

    /// Bits by column, taken to the diagonals of a kind.
    fn diagonals(self, kind: usize, columns: &BitRows, shear: &mut Shear) -> BitRows {
        let (row_words, count) = (columns.row_words, self.lines.length() as usize);
        let mut words = vec![0; row_words * (count + 2)];
        for w in 0..row_words {
            let y = w as i32 * 64;
            let first = if kind == 0 { -64 - y } else { y - 1 };
            let mut line = self.line(first) as usize;
            let diagonals = shear.diagonals(columns.column(w), kind == 0);
            for &bits in diagonals {
                words[(line + 1) * row_words + w] |= bits;
                line = if line + 1 == count { 0 } else { line + 1 };
            }
        }
        BitRows { row_words, words }
    }
}

impl Rays {
    /// The rays of a grid, and its corners.
    pub(super) fn of(walls: &Walls, cancel: Cancel<'_>) -> Result<(Self, Corners), Cancelled> {
        let (width, height) = (walls.width(), walls.height());
        let rows = BitRows {
            row_words: walls.stride() as usize / 64,
            words: walls.words().to_vec(),
        };
        let columns = rows.transposed(width, height);
        let along_x = straight::undominated_line_words(&rows);
        let along_y = straight::undominated_line_words(&columns);
        let [east, west] = straight::reaching(&along_x, rows.row_words);
        let [south, north] = straight::reaching(&along_y, columns.row_words);
        let reaches_jump_point = [
            east.transposed(width, height),
            west.transposed(width, height),
            south,
            north,
        ];
        let fold = Fold::new(width, height);
        let mut shear = Shear::default();
        let mut diagonals = |kind: usize| {
            cancel.check()?;
            let open = open_steps(&columns, kind == 0);
            let mut turned = |columns| fold.diagonals(kind, columns, &mut shear);
            let open = turned(&open);
            let reaches_jump_point = [
                turned(&reaches_jump_point[0]),
                turned(&reaches_jump_point[1]),
                turned(&reaches_jump_point[2]),
                turned(&reaches_jump_point[3]),
            ];
            let blocked = open.inverted();
            Ok(Diagonals {
                blocked,
                reaches_jump_point,
            })
        };
        let diagonals = [diagonals(0)?, diagonals(1)?];
        let corners = jump_points(&along_y, columns.row_words);
        let corners = corners.transposed(height, width);
        let corners = corners.either(&jump_points(&along_x, rows.row_words));
        let rays = Self {
            stops: [
                stops(&along_x, 0, rows.row_words),
                stops(&along_x, 1, rows.row_words),
                stops(&along_y, 0, columns.row_words),
                stops(&along_y, 1, columns.row_words),
            ],
            diagonals,
            fold,
        };
        Ok((rays, Corners::of(&corners)))
    }

    /// Number of steps that a straight scan takes to its stop: a wall or a jump point.
    #[inline]
    fn straight(&self, direction: usize, x: i32, y: i32) -> u32 {
        let (line, bit) = if direction < 2 { (y, x) } else { (x, y) };
        let stops = &self.stops[direction];
        let place = stops.place(line, bit as u32);
        if direction.is_multiple_of(2) {
            stops.set_at_or_after(place + 1) - place
        } else {
            place - stops.set_at_or_before(place - 1)
        }
    }

    /// Number of diagonal steps that can be taken in a row.
    #[inline]
    pub(super) fn diagonal(&self, cell: Cell, dx: i32, dy: i32) -> u32 {
        let kind = usize::from(dx != dy);
        let blocked = &self.diagonals[kind].blocked;
        let place = blocked.place(self.fold.line_of(kind, cell), cell.y as u32);
        if dy > 0 {
            blocked.set_at_or_after(place) - place
        } else {
            place - 1 - blocked.set_at_or_before(place - 1)
        }
    }

    /// Visits the corners at which a cheapest path from `from` to any cell that it does not
    /// [see](Rays::sees) first turns, each with its cost.
    #[inline]
    pub(super) fn jump_points(
        &self,
        corners: &Corners,
        from: Cell,
        mut visit: impl FnMut(u32, u32),
    ) {
        for direction in 0..4 {
            self.visit_jump_point(corners, direction, from, 0, &mut visit);
        }
        for (dx, dy) in DIAGONALS {
            let steps = self.diagonal(from, dx, dy);
            if steps == 0 {
                continue;
            }
            let kind = usize::from(dx != dy);
            let Diagonals {
                blocked,
                reaches_jump_point,
            } = &self.diagonals[kind];
            let place = blocked.place(self.fold.line_of(kind, from), from.y as u32);
            let (first, last) = if dy > 0 {
                (place + 1, place + steps)
            } else {
                (place - steps, place - 1)
            };
            for direction in [usize::from(dx < 0), 2 + usize::from(dy < 0)] {
                reaches_jump_point[direction].for_each_set(first, last, |at| {
                    let taken = at.abs_diff(place);
                    let turn = from.offset(dx * taken as i32, dy * taken as i32);
                    self.visit_jump_point(corners, direction, turn, taken, &mut visit);
                });
            }
        }
    }

    /// Visits the jump point in a straight direction, if it is there.
    #[inline]
    fn visit_jump_point(
        &self,
        corners: &Corners,
        direction: usize,
        from: Cell,
        diagonal: u32,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let steps = self.straight(direction, from.x, from.y);
        let (dx, dy) = STRAIGHTS[direction];
        let (x, y) = (from.x + dx * steps as i32, from.y + dy * steps as i32);
        if let Some(corner) = corners.get(x, y) {
            visit(corner, diagonal * HALF_DIAGONAL + steps * HALF_STRAIGHT);
        }
    }

    /// Whether the path from `from` to `to` that goes diagonally first and then straight is free.
    #[inline]
    pub(super) fn sees(&self, corners: &Corners, from: Cell, to: Cell) -> bool {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let diagonal = dx.abs().min(dy.abs());
        if diagonal > 0 && self.diagonal(from, dx.signum(), dy.signum()) < diagonal as u32 {
            return false;
        }
        let turn = bend(from, to);
        let straight = dx.abs().max(dy.abs()) - diagonal;
        if straight == 0 {
            return true;
        }
        let direction = if dx.abs() > dy.abs() {
            usize::from(dx < 0)
        } else {
            2 + usize::from(dy < 0)
        };
        self.is_straight_free(corners, direction, turn, straight as u32)
    }

    /// Whether a straight run of that many steps is free.
    #[inline]
    fn is_straight_free(
        &self,
        corners: &Corners,
        direction: usize,
        from: Cell,
        steps: u32,
    ) -> bool {
        let (dx, dy) = STRAIGHTS[direction];
        let mut taken = 0;
        loop {
            let at = from.offset(dx * taken as i32, dy * taken as i32);
            taken += self.straight(direction, at.x, at.y);
            if taken > steps {
                return true;
            }
            let stop = from.offset(dx * taken as i32, dy * taken as i32);
            // A stop is a wall, or else a corner.
            if corners.get(stop.x, stop.y).is_none() {
                return false;
            }
            if taken == steps {
                return true;
            }
        }
    }

    pub(super) fn byte_size(&self) -> usize {
        let diagonals = self
            .diagonals
            .iter()
            .flat_map(|kind| std::iter::once(&kind.blocked).chain(&kind.reaches_jump_point));
        let all = self.stops.iter().chain(diagonals);
        all.map(|rows| size_of_val(&*rows.words)).sum()
    }
}

/// The jump points of walks in both directions.
fn jump_points([up, down]: &LineWords, row_words: usize) -> BitRows {
    let words = (0..up.len())
        .map(|index| up[index].jump_points() | down[index].jump_points())
        .collect();
    BitRows { row_words, words }
}

/// Where walks in one direction stop.
fn stops(walks: &LineWords, direction: usize, row_words: usize) -> BitRows {
    let walks = &walks[direction];
    let words = (0..walks.len()).map(|index| walks[index].stops).collect();
    BitRows { row_words, words }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::Grid;
    use crate::jump::naive::{Naive, any_large_grid};
    use crate::tables::naive::is_corner;

    fn steps_to_stop(grid: &Grid, from: Cell, (dx, dy): (i32, i32)) -> u32 {
        let cell = |steps: i32| from.offset(dx * steps, dy * steps);
        let walls = Naive(|cell| grid.is_free(cell));
        let is_stop = |cell: Cell| !walls.is_free(cell) || walls.is_jump_point(cell, (dx, dy));
        (1..).find(|&steps| is_stop(cell(steps))).unwrap_or(0) as u32
    }

    fn diagonal_steps(grid: &Grid, from: Cell, (dx, dy): (i32, i32)) -> u32 {
        let walls = Naive(|cell| grid.is_free(cell));
        let walk = (0..).map(|steps| from.offset(dx * steps, dy * steps));
        walk.take_while(|&at| walls.can_step(at, (dx, dy))).count() as u32
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(12)))]

        #[test]
        fn scans_stop_where_walks_by_single_steps_do(grid in any_large_grid()) {
            let (rays, corners) = Rays::of(grid.walls(), Cancel::NEVER).expect("nobody cancels it");
            let all: Vec<Cell> = grid.rect().cells().filter(|&cell| is_corner(&grid, cell)).collect();
            for cell in grid.rect().cells().filter(|&cell| grid.is_free(cell)) {
                for (direction, along) in STRAIGHTS.into_iter().enumerate() {
                    let steps = rays.straight(direction, cell.x, cell.y);
                    prop_assert_eq!(steps, steps_to_stop(&grid, cell, along), "{} {:?}", cell, along);
                }
                for (dx, dy) in DIAGONALS {
                    let steps = rays.diagonal(cell, dx, dy);
                    let expected = diagonal_steps(&grid, cell, (dx, dy));
                    prop_assert_eq!(steps, expected, "{} {:?}", cell, (dx, dy));
                }
                let mut found = Vec::new();
                rays.jump_points(&corners, cell, |corner, cost| found.push((corner, cost)));
                let mut expected = Vec::new();
                let mut meet = |from: Cell, (dx, dy): (i32, i32), diagonal: u32| {
                    let steps = steps_to_stop(&grid, from, (dx, dy));
                    let stop = from.offset(dx * steps as i32, dy * steps as i32);
                    if grid.is_free(stop) {
                        let cost = diagonal * HALF_DIAGONAL + steps * HALF_STRAIGHT;
                        let corner = all.binary_search_by_key(&(stop.y, stop.x), |corner| (corner.y, corner.x));
                        expected.push((corner.expect("a corner") as u32, cost));
                    }
                };
                STRAIGHTS.into_iter().for_each(|along| meet(cell, along, 0));
                for (dx, dy) in DIAGONALS {
                    for taken in 1..=diagonal_steps(&grid, cell, (dx, dy)) {
                        let turn = cell.offset(dx * taken as i32, dy * taken as i32);
                        meet(turn, (dx, 0), taken);
                        meet(turn, (0, dy), taken);
                    }
                }
                found.sort_unstable();
                expected.sort_unstable();
                prop_assert_eq!(found, expected, "{}", cell);
            }
        }
    }
}
