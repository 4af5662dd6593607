//! The unit squares along a segment, column by column.

use glam::DVec2;

use crate::cell::Cell;
use crate::clearance::Clearance;

/// Bits after the point of a coordinate as a whole number. With those before it, for the longest
/// side of a grid, and the sign they fit in 64.
const FRACTION_BITS: u32 = 38;

/// Two to the power of [`FRACTION_BITS`].
const ONE: f64 = (1_u64 << FRACTION_BITS) as f64;

/// How far a segment has to reach into a square, across its columns, for the square to count: 2⁻²⁰
/// cells. What is nearer to the border is known from the square on the other side of it.
const TOUCH: i64 = 1 << (FRACTION_BITS - 20);

/// A segment, cut into columns by the lines through cell centers across the axis on which it is
/// longer, the main axis. In each column it meets one or two squares.
pub(super) struct Columns {
    start: DVec2,
    way: DVec2,
    /// Whether the main axis is y. A column is a row then.
    is_steep: bool,
    /// Of the first column, the smaller coordinate along the main axis.
    first: i32,
    count: i32,
    /// From column to column: 1 or -1.
    step: i32,
    /// Way along the main axis in the first column.
    lead: f64,
    /// Across the main axis, as whole numbers: at the start, where the second column is entered, at the
    /// end, and the change per column.
    across: i64,
    across_second: i64,
    across_end: i64,
    slope: i64,
    /// Time per column: it is 0 at the segment's start, 1 at its end.
    pace: f64,
    /// When the last column ends.
    limit: f64,
}

/// What a segment has in one square.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The corner with the smallest coordinates.
    pub(super) square: Cell,
    pub(super) from: f64,
    pub(super) until: f64,
}

impl Columns {
    /// Those from the segment's start up to the time `limit`.
    pub(super) fn new(start: DVec2, way: DVec2, limit: f64) -> Self {
        let is_steep = way.y.abs() > way.x.abs();
        let turned = |v: DVec2| if is_steep { (v.y, v.x) } else { (v.x, v.y) };
        let (along, across) = turned(start);
        let (along_end, across_end) = turned(start + way * limit);
        let (main, side) = turned(way);
        let pace = if main == 0.0 { 0.0 } else { main.abs().recip() };
        let is_backward = main < 0.0;
        let (first, last) = if is_backward {
            (ceil(along) - 1, floor(along_end))
        } else {
            (floor(along), ceil(along_end) - 1)
        };
        let (step, border) = if is_backward {
            (-1, first)
        } else {
            (1, first + 1)
        };
        let lead = (f64::from(border) - along).abs();
        let slope = side * pace;
        Self {
            start,
            way,
            is_steep,
            first,
            count: ((last - first) * step + 1).max(1),
            step,
            lead,
            across: fixed(across),
            across_second: fixed(across + slope * lead),
            across_end: fixed(across_end),
            slope: fixed(slope),
            pace,
            limit,
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> i32 {
        self.count
    }

    /// The point at a time.
    pub(super) fn at(&self, time: f64) -> DVec2 {
        self.start + self.way * time
    }

    /// Across the main axis, where a column is entered.
    fn entry(&self, column: i32) -> i64 {
        if column == 0 {
            self.across
        } else if column >= self.count {
            self.across_end
        } else {
            self.across_second + self.slope * i64::from(column - 1)
        }
    }

    /// The squares in which a column is entered and left.
    fn squares(&self, entry: i64, exit: i64) -> [i64; 2] {
        let touch = self.touch();
        [entry + touch, exit - touch].map(|side| side >> FRACTION_BITS)
    }

    /// [`TOUCH`] in the direction in which the segment goes across.
    fn touch(&self) -> i64 {
        if self.slope < 0 { -TOUCH } else { TOUCH }
    }

    /// The first column from `column` on with a square whose byte is below `least`; the count of
    /// columns if there is none.
    pub(super) fn skip_clear(&self, clearance: &Clearance, column: i32, least: Option<u8>) -> i32 {
        let Some(least) = least else {
            return column;
        };
        let squares = clearance.squares();
        let width = i64::from(clearance.width());
        let (along, across) = if self.is_steep {
            (width, 1)
        } else {
            (1, width)
        };
        // No square lies beside the grid: there it is a byte of 0 or none.
        let is_clear = |i: i64| squares.get(i as usize).is_some_and(|&byte| byte >= least);
        let slope = self.slope;
        let touch = self.touch();
        let crosses_clear = |base: i64, entry: i64, exit: i64| {
            let a = base + ((entry + touch) >> FRACTION_BITS) * across;
            let b = base + ((exit - touch) >> FRACTION_BITS) * across;
            // A line along a border is known from the square on either side.
            is_clear(a) && is_clear(b) || slope == 0 && (is_clear(a) || is_clear(b))
        };
        let stride = along * i64::from(self.step);
        let mut base = i64::from(self.first) * along + i64::from(column) * stride;
        let mut entry = self.entry(column);
        let mut column = column;
        if column == 0 && self.count > 1 {
            let exit = self.entry(1);
            if !crosses_clear(base, entry, exit) {
                return 0;
            }
            (column, base, entry) = (1, base + stride, exit);
        }
        while column + 1 < self.count {
            let exit = entry + slope;
            if !crosses_clear(base, entry, exit) {
                return column;
            }
            (column, base, entry) = (column + 1, base + stride, exit);
        }
        let is_last = column + 1 == self.count;
        column + i32::from(is_last && crosses_clear(base, entry, self.entry(self.count)))
    }

    /// What the segment has in the squares of a column; `None` after the last one.
    pub(super) fn parts(&self, column: i32) -> Option<[Option<Part>; 2]> {
        if column >= self.count {
            return None;
        }
        let (entry, exit) = (self.entry(column), self.entry(column + 1));
        let from = self.time(column);
        let until = self.time(column + 1).max(from);
        let along = self.first + column * self.step;
        let square = |across: i64| {
            let across = across as i32;
            if self.is_steep {
                Cell::new(across, along)
            } else {
                Cell::new(along, across)
            }
        };
        let [a, b] = self.squares(entry, exit);
        let part = |across, from, until| Part {
            square: square(across),
            from,
            until,
        };
        if a == b || entry == exit {
            return Some([Some(part(a, from, until)), None]);
        }
        let border = a.max(b) << FRACTION_BITS;
        let share = ((border - entry) as f64 / (exit - entry) as f64).clamp(0.0, 1.0);
        let between = from + (until - from) * share;
        Some([Some(part(a, from, between)), Some(part(b, between, until))])
    }

    /// When a column is entered.
    fn time(&self, column: i32) -> f64 {
        if column == 0 {
            0.0
        } else if column >= self.count {
            self.limit
        } else {
            (self.pace * (self.lead + f64::from(column - 1))).min(self.limit)
        }
    }
}

/// The largest whole number up to `x`, for coordinates from -1 up: what `f64::floor` gives, but without
/// a call.
fn floor(x: f64) -> i32 {
    (x + 1.0) as i32 - 1
}

/// The least whole number from `x` up, for coordinates from -1 up.
fn ceil(x: f64) -> i32 {
    let below = floor(x);
    below + i32::from(f64::from(below) < x)
}

/// A coordinate as a whole number.
fn fixed(x: f64) -> i64 {
    (x * ONE) as i64
}
