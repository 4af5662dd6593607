//! From which cells one goes straight to a goal.
//!
//! Lines between centers cut the plane into unit squares. A line through squares whose four cells are all free is clear
//! (see [`sight`](crate::sight)). Seen from the goal, each square that is not clear casts a shadow over a range of
//! slopes, and a row of squares after the other the ranges that are left are narrowed down: recursive shadow casting
//! (Bergström, 2001), with exact slopes.
//!
//! ```text
//!     3  . . . x x      G sees what lies between the slopes
//!     2  . . x x .      of its shadow: the square # throws it
//!     1  . o-o . .      from slope 1/2 to slope 2/1
//!        | |#| . .
//!     G  o-o-o . .
//! ```

use super::table::{CostTable, WALL};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::cost::STRAIGHT;

/// Columns that a line goes on by in so many rows.
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

    /// The column in which it is after some rows, rounded down and up, at most `last`.
    fn columns_after(self, rows: u64, last: u64) -> [u64; 2] {
        let Some(whole) = (self.columns * rows).checked_div(self.rows) else {
            return [last; 2];
        };
        let is_between = whole * self.rows < self.columns * rows;
        [whole.min(last), (whole + u64::from(is_between)).min(last)]
    }
}

/// A bit for each slot of the table from which the way to a goal is clear, and costs no more than what the table says.
/// `ways_cost` is what the ways of the goal cost already. `is_alone` if there is no other goal.
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
        table,
        slot,
        ground,
        price: (!is_alone || ground.is_some()).then_some((f64::from(each), ways_cost)),
        seen: &mut seen,
    };
    view.look_along_axes();
    for is_up in [false, true] {
        view.look(is_up, cancel)?;
    }
    Ok(seen)
}

struct View<'a> {
    table: &'a CostTable,
    /// Of the goal.
    slot: usize,
    /// What ground may cost at most, where it differs.
    ground: Option<u8>,
    /// What a cell of the way costs, and what the goal's ways cost already. `None` where no way is cheaper than a line.
    price: Option<(f64, u32)>,
    seen: &'a mut [u64],
}

impl View<'_> {
    /// Whether lines may lead over a cell.
    #[inline(always)]
    fn is_open(&self, slot: usize) -> bool {
        let is_cheap = self
            .ground
            .is_none_or(|most| self.table.terrain[slot] <= most);
        self.table.costs[slot] != WALL && is_cheap
    }

    /// The cell itself, and those in its row and column.
    fn look_along_axes(&mut self) {
        self.mark(0, 0, self.slot);
        let stride = self.table.stride() as isize;
        for step in [1, -1, stride, -stride] {
            let (mut slot, mut apart) = (self.slot, 0);
            loop {
                slot = slot.wrapping_add_signed(step);
                apart += 1;
                if !self.is_open(slot) {
                    break;
                }
                self.mark(apart, 0, slot);
            }
        }
    }

    fn look(&mut self, is_up: bool, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let stride = self.table.stride();
        let column = self.slot % stride;
        let whole = (Slope::new(0, 1), Slope::new(1, 0));
        let (mut left, mut right) = (vec![whole], vec![whole]);
        let (mut next, mut clear) = (Vec::new(), Vec::new());
        let mut row = self.slot - column;
        for rows in 0.. {
            cancel.begin_part()?;
            let beyond = if is_up { row + stride } else { row - stride };
            self.find_clear(row.min(beyond), &mut clear);
            for (is_left, ranges) in [(true, &mut left), (false, &mut right)] {
                let most = if is_left {
                    column - 1
                } else {
                    stride - 2 - column
                };
                let is_clear = |i: usize| clear[if is_left { column - 1 - i } else { column + i }];
                narrow(ranges, rows, most, is_clear, &mut next);
                std::mem::swap(ranges, &mut next);
                for &(low, high) in ranges.iter() {
                    let first = low.columns_after(rows + 1, most as u64)[1].max(1);
                    let last = high.columns_after(rows + 1, most as u64)[0];
                    for columns in first..=last {
                        let x = columns as usize;
                        let x = if is_left { column - x } else { column + x };
                        self.mark(columns, rows + 1, beyond + x);
                    }
                }
            }
            if left.is_empty() && right.is_empty() {
                break;
            }
            row = beyond;
        }
        Ok(())
    }

    /// Which squares between a row and the next one are clear, by their first column.
    fn find_clear(&self, row: usize, clear: &mut Vec<bool>) {
        clear.clear();
        let stride = self.table.stride();
        clear.extend((row..row + stride - 1).map(|slot| {
            let around = [slot, slot + 1, slot + stride, slot + stride + 1];
            around.into_iter().all(|slot| self.is_open(slot))
        }));
    }

    fn mark(&mut self, columns: u64, rows: u64, slot: usize) {
        let is_cheap = self.price.is_none_or(|(each, ways_cost)| {
            let line = (columns * columns + rows * rows) as f64 * each * each;
            let way = f64::from(self.table.costs[slot] - 1) - f64::from(ways_cost);
            way >= 0.0 && line <= way * way * (1.0 + 1e-6)
        });
        if is_cheap {
            self.seen[slot / 64] |= 1 << (slot % 64);
        }
    }
}

/// What is left of ranges of slopes beyond a row of squares, `rows` rows away. Beyond `most` squares none is clear.
fn narrow(
    ranges: &[(Slope, Slope)],
    rows: u64,
    most: usize,
    is_clear: impl Fn(usize) -> bool,
    left: &mut Vec<(Slope, Slope)>,
) {
    left.clear();
    for &(low, high) in ranges {
        let mut low = low;
        let mut square = low.columns_after(rows, most as u64)[0] as usize;
        let end = high.columns_after(rows + 1, most as u64)[1] as usize;
        let mut keep = |low: Slope, high: Slope| {
            // What has no width along an axis is none.
            if !high.is_below(low) && high.columns > 0 && low.rows > 0 {
                left.push((low, high));
            }
        };
        while square < end {
            if is_clear(square) {
                square += 1;
                continue;
            }
            let first = square;
            while square < end && !is_clear(square) {
                square += 1;
            }
            let shadow = [
                Slope::new(first as u64, rows + 1),
                Slope::new(square as u64, rows),
            ];
            keep(
                low,
                if shadow[0].is_below(high) {
                    shadow[0]
                } else {
                    high
                },
            );
            if low.is_below(shadow[1]) {
                low = shadow[1];
            }
        }
        let border = Slope::new(most as u64, rows + 1);
        keep(low, if border.is_below(high) { border } else { high });
    }
}
