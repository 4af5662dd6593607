//! The cells from which a body can go straight to a goal.
//!
//! Lines between centers divide the plane into unit squares. A line is clear if all squares that it crosses have four
//! free cells (see [`sight`](crate::sight)). Seen from the goal, each square with a wall casts a shadow over a range of
//! slopes. Row by row, these shadows narrow the ranges of slopes that are visible. This is recursive shadow casting
//! (Bergström, 2001), with exact slopes.
//!
//! ```text
//!   3  .   .   x   x   x      The square # hides the cells x from G: those between
//!   2  .   o---x   x   .      the slopes of 1/2 and 2 columns per row.
//!          | # |
//!   1  .   o---o   .   .
//!   0  G   .   .   .   .
//! ```

use std::borrow::Cow;

use super::table::{CostTable, WALL};
use crate::bits::masks;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::cost::STRAIGHT;

/// A slope: the number of columns that a line crosses in a given number of rows.
#[derive(Clone, Copy)]
struct Slope {
    columns: u64,
    rows: u64,
}

impl Slope {
    const fn new(columns: u64, rows: u64) -> Self {
        Self { columns, rows }
    }

    fn is_below(self, other: Self) -> bool {
        self.columns * other.rows < other.columns * self.rows
    }

    /// The column that the line reaches after some rows, once rounded down and once rounded up, but at most `last`.
    fn columns_after(self, rows: u64, last: u64) -> [u64; 2] {
        let Some(whole) = (self.columns * rows).checked_div(self.rows) else {
            return [last; 2];
        };
        let is_between = whole * self.rows < self.columns * rows;
        [whole.min(last), (whole + u64::from(is_between)).min(last)]
    }
}

/// One bit for each slot of the table: whether the line from the slot to `goal` is clear and costs at most the cost of
/// the slot. `ways_cost` is the cost of the goal's seed. `is_alone` is true if there is no other goal.
pub(super) fn find(
    table: &CostTable,
    goal: Cell,
    ways_cost: u32,
    is_alone: bool,
    cancel: Cancel<'_>,
) -> Result<Vec<u64>, Cancelled> {
    let mut seen = vec![0; table.costs.len().div_ceil(64)];
    let Some(slot) = table.slot(goal) else {
        return Ok(seen);
    };
    let ground = table.terrain.get(slot).copied();
    let each = ground.map_or(table.even[0], |cost| u32::from(cost) * STRAIGHT);
    let mut view = View {
        costs: &table.costs,
        open: ground.map_or(Cow::Borrowed(&table.costs), |max_cost| {
            Cow::Owned(with_walls_above(table, max_cost))
        }),
        stride: table.stride(),
        slot,
        price: (!is_alone || ground.is_some()).then_some((f64::from(each), ways_cost)),
        seen: &mut seen,
    };
    view.look_along_axes();
    for is_up in [false, true] {
        view.look(is_up, cancel)?;
    }
    Ok(seen)
}

/// The entries of the table, with walls where the terrain cost is above `max_cost`.
fn with_walls_above(table: &CostTable, max_cost: u8) -> Vec<u32> {
    let each = table.costs.iter().zip(&table.terrain);
    each.map(|(&cost, &ground)| if ground > max_cost { WALL } else { cost })
        .collect()
}

struct View<'a> {
    costs: &'a [u32],
    /// The entries of `costs`, with walls in cells that no line may cross.
    open: Cow<'a, [u32]>,
    stride: usize,
    /// The slot of the goal.
    slot: usize,
    /// The cost of a line per cell of its length, and the cost of the goal's seed. `None` if no path can be cheaper
    /// than a clear line.
    price: Option<(f64, u32)>,
    seen: &'a mut [u64],
}

impl View<'_> {
    /// Marks the goal, and the cells in its row and column.
    fn look_along_axes(&mut self) {
        let stride = self.stride as isize;
        for step in [1, -1, stride, -stride] {
            let (mut slot, mut apart) = (self.slot, 0);
            while self.open[slot] != WALL {
                self.mark([apart, apart], 0, slot);
                slot = slot.wrapping_add_signed(step);
                apart += 1;
            }
        }
    }

    /// Marks the cells that are visible in the rows above or below, to the left and to the right.
    fn look(&mut self, is_up: bool, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let (stride, column) = (self.stride, self.slot % self.stride);
        let whole = (Slope::new(0, 1), Slope::new(1, 0));
        let mut sides = [vec![whole], vec![whole]];
        let mut left = Vec::new();
        let mut row = self.slot - column;
        for rows in 0.. {
            cancel.check()?;
            let beyond = if is_up { row + stride } else { row - stride };
            for (is_left, ranges) in [true, false].into_iter().zip(&mut sides) {
                let max_columns = if is_left {
                    column - 1
                } else {
                    stride - 2 - column
                } as u64;
                let squares = Squares {
                    rows: [row, beyond].map(|row| &self.open[row..row + stride]),
                    column,
                    is_left,
                };
                narrow(ranges, rows, max_columns, &squares, &mut left);
                std::mem::swap(ranges, &mut left);
                for &(low, high) in ranges.iter() {
                    let first = low.columns_after(rows + 1, max_columns)[1].max(1);
                    let last = high.columns_after(rows + 1, max_columns)[0];
                    let slot = beyond + column;
                    let start = if is_left {
                        slot.wrapping_sub(last as usize)
                    } else {
                        slot + first as usize
                    };
                    if first <= last && is_left {
                        self.mark([last, first], rows + 1, start);
                    } else if first <= last {
                        self.mark([first, last], rows + 1, start);
                    }
                }
            }
            if sides.iter().all(Vec::is_empty) {
                break;
            }
            row = beyond;
        }
        Ok(())
    }

    /// Marks the slots of a row, beginning with `slot`. Skips a slot if the line from it costs more than its path. The
    /// first slot is `first` columns away from the goal, the last slot is `last` columns away, and all slots are `rows`
    /// rows away.
    fn mark(&mut self, [first, last]: [u64; 2], rows: u64, slot: usize) {
        let count = first.abs_diff(last) as usize + 1;
        let Some((each, ways_cost)) = self.price else {
            masks(slot..slot + count).for_each(|(index, mask)| self.seen[index] |= mask);
            return;
        };
        for (i, slot) in (0..).zip(slot..slot + count) {
            let columns = if first < last { first + i } else { first - i };
            let line = (columns * columns + rows * rows) as f64 * each * each;
            let way = f64::from(self.costs[slot]) - 1.0 - f64::from(ways_cost);
            if way >= 0.0 && line <= way * way * (1.0 + 1e-6) {
                self.seen[slot / 64] |= 1 << (slot % 64);
            }
        }
    }
}

/// The squares between two rows, on one side of the goal's column. Columns are counted from the goal's column.
struct Squares<'a> {
    rows: [&'a [u32]; 2],
    column: usize,
    is_left: bool,
}

impl Squares<'_> {
    fn is_wall(&self, i: u64) -> bool {
        let i = i as usize;
        let column = if self.is_left {
            self.column - i
        } else {
            self.column + i
        };
        self.rows.iter().any(|row| row[column] == WALL)
    }

    /// The first column with a wall, from column `i` to column `last`. If there is none, a column after `last`.
    fn next_wall(&self, mut i: u64, last: u64) -> u64 {
        /// Number of columns that are checked together.
        const COLUMNS_AT_ONCE: u64 = 16;
        while i <= last {
            let end = last.min(i + COLUMNS_AT_ONCE - 1);
            let [a, b] = [i as usize, end as usize];
            let columns = if self.is_left {
                self.column - b..=self.column - a
            } else {
                self.column + a..=self.column + b
            };
            let [below, above] = self.rows.map(|row| &row[columns.clone()]);
            let both = below.iter().zip(above);
            if both.fold(false, |any, (a, b)| any | (*a == WALL) | (*b == WALL)) {
                return (i..=end).find(|&i| self.is_wall(i)).unwrap_or(end);
            }
            i = end + 1;
        }
        i
    }
}

/// Writes to `left` the parts of ranges of slopes that are visible beyond a row of squares, which is `rows` rows away.
/// Every square more than `max_columns` columns from the goal is blocked.
fn narrow(
    ranges: &[(Slope, Slope)],
    rows: u64,
    max_columns: u64,
    squares: &Squares<'_>,
    left: &mut Vec<(Slope, Slope)>,
) {
    left.clear();
    for &(mut low, high) in ranges {
        let mut square = low.columns_after(rows, max_columns)[0];
        let end = high.columns_after(rows + 1, max_columns)[1];
        let mut keep = |low: Slope, until: Slope| {
            let high = if until.is_below(high) { until } else { high };
            // A range is dropped if it contains only the slope of an axis.
            if !high.is_below(low) && high.columns > 0 && low.rows > 0 {
                left.push((low, high));
            }
        };
        while square < end {
            let wall = squares.next_wall(square, end);
            if wall > end {
                break;
            }
            let first = square.max(wall.saturating_sub(1));
            square = first;
            while square < end && (squares.is_wall(square) || squares.is_wall(square + 1)) {
                square += 1;
            }
            keep(low, Slope::new(first, rows + 1));
            let beside = Slope::new(square, rows);
            if low.is_below(beside) {
                low = beside;
            }
        }
        keep(low, Slope::new(max_columns, rows + 1));
    }
}
