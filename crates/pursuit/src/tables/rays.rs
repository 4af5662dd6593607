//! Scans over the map, a few words each: how far a straight or diagonal run goes, and which corners
//! it meets.

use super::bits::BitRows;
use super::corners::{Corners, JumpRow, STRAIGHTS};
use crate::cell::Cell;
use crate::cost::{HALF_DIAGONAL, HALF_STRAIGHT, half_octile};
use crate::grid::Grid;
use crate::path::bend;
use crate::stride::Stride;

/// Like [`octile`](crate::cost::octile), in the tables' units: half of those outside, all for ground of
/// cost 1.
#[inline]
pub(super) fn octile_units(a: Cell, b: Cell) -> u32 {
    half_octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y)) as u32
}

/// The four diagonal directions; the first two run along one set of diagonals, the others along
/// the other.
const DIAGONALS: [(i32, i32); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Bit boards of a map in four layouts, in each of which a scan is a run of bits: rows, columns,
/// and both kinds of diagonals. A cell's position in its row is its `x`, in its column its `y`, on a
/// diagonal its `x`, each plus 1.
#[derive(Clone)]
pub(super) struct Rays {
    /// Where straight scans stop: at walls and at the jump points of the direction. In the order of
    /// [`STRAIGHTS`], rows for the first two, columns for the others.
    stops: [BitRows; 4],
    diagonals: [Diagonals; 2],
    period: Period,
}

/// The diagonals of one kind.
#[derive(Clone)]
struct Diagonals {
    /// Set where the step to the next column is not allowed.
    blocked: BitRows,
    /// Set where a straight scan from the cell meets a jump point before a wall.
    hits: [BitRows; 4],
}

/// Diagonals are kept modulo one more than the height. So two may share a row of bits; the column of
/// blocked steps between them keeps scans apart.
#[derive(Clone, Copy)]
struct Period {
    rows: Stride,
    /// A multiple of the period, at least the grid's width.
    shift: u32,
}

impl Period {
    fn new(width: u32, height: u32) -> Self {
        let length = height + 1;
        Self {
            rows: Stride::new(length),
            shift: width.next_multiple_of(length),
        }
    }

    /// The row of a cell on the diagonals of a kind. `y` may be -1 or the height.
    #[inline]
    fn row(self, kind: usize, x: i32, y: i32) -> u32 {
        let signed = if kind == 0 { y - x } else { y + x };
        self.rows.split((self.shift as i32 + signed) as u32).1
    }
}

impl Rays {
    pub(super) fn of(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let period = Period::new(width, height);
        let rows = || BitRows::new(height as usize, width as usize + 2, true);
        let columns = || BitRows::new(width as usize, height as usize + 2, true);
        let sheared = |bit| BitRows::new(period.rows.length() as usize, width as usize + 2, bit);
        let diagonals = || Diagonals {
            blocked: sheared(true),
            hits: std::array::from_fn(|_| sheared(false)),
        };
        let mut rays = Self {
            stops: [rows(), rows(), columns(), columns()],
            diagonals: [diagonals(), diagonals()],
            period,
        };
        rays.fill_stops(grid);
        rays.fill_diagonals(grid);
        for (direction, &(dx, dy)) in STRAIGHTS.iter().enumerate() {
            rays.fill_hits(grid, direction, dx, dy);
        }
        rays
    }

    fn fill_stops(&mut self, grid: &Grid) {
        for y in 0..grid.height() {
            let row = JumpRow::new(grid, y);
            for (w, &free) in grid.row(y).iter().enumerate() {
                let jumps = row.word(w);
                for (direction, stops) in self.stops.iter_mut().enumerate() {
                    let mut passed = free & !jumps[direction];
                    while passed != 0 {
                        let x = w as u32 * 64 + passed.trailing_zeros();
                        passed &= passed - 1;
                        if direction < 2 {
                            stops.clear(y, x + 1);
                        } else {
                            stops.clear(x, y + 1);
                        }
                    }
                }
            }
        }
    }

    fn fill_diagonals(&mut self, grid: &Grid) {
        let at = |row: &[u64], w: usize| {
            let next = row.get(w + 1).copied().unwrap_or(0);
            row[w] & (row[w] >> 1 | next << 63)
        };
        for y in 1..grid.height() {
            let (above, below) = (grid.row(y - 1), grid.row(y));
            for w in 0..below.len() {
                // All four cells of a block of two by two are free.
                let mut open = at(above, w) & at(below, w);
                while open != 0 {
                    let x = w as i32 * 64 + open.trailing_zeros() as i32;
                    open &= open - 1;
                    for (kind, from) in [(0, y as i32 - 1), (1, y as i32)] {
                        let row = self.period.row(kind, x, from);
                        self.diagonals[kind].blocked.clear(row, x as u32 + 1);
                    }
                }
            }
        }
    }

    /// Marks the cells from which a scan in a straight direction meets a jump point.
    fn fill_hits(&mut self, grid: &Grid, direction: usize, dx: i32, dy: i32) {
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let (lines, length) = if dx != 0 {
            (height, width)
        } else {
            (width, height)
        };
        for line in 0..lines {
            let mut meets = false;
            for step in 0..length {
                // Against the direction of the scan.
                let along = if dx + dy > 0 { length - 1 - step } else { step };
                let (x, y) = if dx != 0 {
                    (along, line)
                } else {
                    (line, along)
                };
                let stops = self.stops[direction].get(line as u32, along as u32 + 1);
                if !stops && !meets {
                    continue;
                }
                let free = !stops || grid.is_free(Cell::new(x, y));
                if free && meets {
                    for kind in 0..2 {
                        let row = self.period.row(kind, x, y);
                        self.diagonals[kind].hits[direction].set(row, x as u32 + 1);
                    }
                }
                if stops {
                    meets = free;
                }
            }
        }
    }

    /// Number of steps that a straight scan takes to its stop: a wall or a jump point.
    #[inline]
    fn straight(&self, direction: usize, x: i32, y: i32) -> u32 {
        let (line, position) = if direction < 2 { (y, x) } else { (x, y) };
        let (line, position) = (line as u32, position as u32 + 1);
        if direction.is_multiple_of(2) {
            self.stops[direction].at_or_after(line, position + 1) - position
        } else {
            position - self.stops[direction].at_or_before(line, position - 1)
        }
    }

    /// Number of diagonal steps that can be taken in a row.
    #[inline]
    pub(super) fn diagonal(&self, cell: Cell, dx: i32, dy: i32) -> u32 {
        let kind = usize::from(dx != dy);
        let row = self.period.row(kind, cell.x, cell.y);
        let position = cell.x as u32 + 1;
        let blocked = &self.diagonals[kind].blocked;
        if dx > 0 {
            blocked.at_or_after(row, position) - position
        } else {
            position - 1 - blocked.at_or_before(row, position - 1)
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
            self.meet(corners, direction, from, 0, &mut visit);
        }
        for (dx, dy) in DIAGONALS {
            let steps = self.diagonal(from, dx, dy);
            if steps == 0 {
                continue;
            }
            let kind = usize::from(dx != dy);
            let row = self.period.row(kind, from.x, from.y);
            let position = from.x as u32 + 1;
            let (first, last) = if dx > 0 {
                (position + 1, position + steps)
            } else {
                (position - steps, position - 1)
            };
            for direction in [usize::from(dx < 0), 2 + usize::from(dy < 0)] {
                self.diagonals[kind].hits[direction].for_each(row, first, last, |at| {
                    let taken = at.abs_diff(position);
                    let turn = from.offset(dx * taken as i32, dy * taken as i32);
                    self.meet(corners, direction, turn, taken, &mut visit);
                });
            }
        }
    }

    /// Visits the jump point in a straight direction, if it is there.
    #[inline]
    fn meet(
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

    /// Whether the way from `from` to `to` that is diagonal first and then straight is free.
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
        self.runs(corners, direction, turn, straight as u32)
    }

    /// Whether a straight run of that many steps is free.
    #[inline]
    fn runs(&self, corners: &Corners, direction: usize, from: Cell, steps: u32) -> bool {
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
            .flat_map(|kind| std::iter::once(&kind.blocked).chain(&kind.hits));
        self.stops
            .iter()
            .chain(diagonals)
            .map(BitRows::byte_size)
            .sum()
    }
}
