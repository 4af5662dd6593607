//! Labels of one tile: which of its free cells hang together inside it.
//!
//! ```text
//!  a word for each row, bit 0 left    runs, numbered row by row     labels
//!
//!   1 1 1 . 1 1 . .                    0 0 0 . 1 1 . .               0 0 0 . 0 0 . .
//!   . . 1 . 1 . . 1                    . . 2 . 3 . . 4               . . 0 . 0 . . 1
//!   . . 1 . 1 . . 1                    . . 2 . 3 . . 4               . . 0 . 0 . . 1
//!   1 . 1 1 1 . . 1                    5 . 6 6 6 . . 7               2 . 0 0 0 . . 1
//! ```
//!
//! Run 6 touches runs 2 and 3, so it joins them and what they had joined before: runs 0 and 1. The third
//! row is the same as the second one and shares its runs.
//! Stored are the label of each run, and for each row its first run: 0, 2, 2, 5. A cell finds its run by
//! counting those that start in its own word up to its bit.
//!
//! ```text
//!   last row    1 . 1 1 1 . . 1
//!   starts      1 . 1 . . . . 1     word & !(word << 1)
//!   bit 4: the first run is 5, 2 runs start up to the bit: run 5 + 2 - 1 = 6
//! ```

/// Number of columns, and of rows, of a tile.
pub(super) const TILE_SIDE: usize = 64;
/// Most runs, and most components, in a tile: those of a checkerboard.
const MAX_RUNS: usize = TILE_SIDE * TILE_SIDE / 2;
/// Number of rows whose first run is written at once.
const ROWS_AT_ONCE: usize = 4;

/// Bits at which a run of ones starts.
pub(super) fn run_starts(word: u64) -> u64 {
    word & !(word << 1)
}

/// How many runs start before or at a bit.
pub(super) fn runs_up_to(word: u64, bit: u32) -> usize {
    (run_starts(word) & (u64::MAX >> (63 - bit))).count_ones() as usize
}

/// The runs of a tile and what they are connected to, found by one scan over the rows and a union-find
/// over the runs that touch (Rosenfeld and Pfaltz, 1966, on runs in place of pixels).
pub(super) struct TileLabels {
    /// Columns of each run.
    runs: [Run; MAX_RUNS],
    count: usize,
    /// While runs are joined, a run of the same component that is no later; then the component.
    labels: [u16; MAX_RUNS],
    /// First run of each row.
    first_runs: [u16; TILE_SIDE + ROWS_AT_ONCE],
    /// Cells of each component.
    cells: [u16; MAX_RUNS],
    components: usize,
    /// The first and the last column, bit `y` for row `y`.
    columns: (u64, u64),
}

/// A run of free cells: columns `start..end` of some rows that are the same.
#[derive(Clone, Copy, Default)]
struct Run {
    start: u8,
    end: u8,
    rows: u8,
}

impl Default for TileLabels {
    fn default() -> Self {
        Self {
            runs: [Run::default(); MAX_RUNS],
            count: 0,
            labels: [0; MAX_RUNS],
            first_runs: [0; TILE_SIDE + ROWS_AT_ONCE],
            cells: [0; MAX_RUNS],
            components: 0,
            columns: (0, 0),
        }
    }
}

impl TileLabels {
    /// The first run of each row. Rows that are the same as the row above have the same runs.
    pub(super) fn first_runs(&self) -> &[u16] {
        &self.first_runs[..TILE_SIDE]
    }

    /// Component of each run. Components are numbered by their first runs.
    pub(super) fn labels(&self) -> &[u16] {
        &self.labels[..self.count]
    }

    /// Cells of each component.
    pub(super) fn cells(&self) -> &[u16] {
        &self.cells[..self.components]
    }

    /// The first and the last column, bit `y` for row `y`.
    pub(super) fn columns(&self) -> (u64, u64) {
        self.columns
    }

    /// Labels a tile of up to 64 rows. Runs of neighboring rows touch where they overlap when one of
    /// them is longer by `reach` at both ends: 1 joins at corners, 0 does not.
    pub(super) fn label(&mut self, rows: &[u64], reach: u8) {
        let rows = &rows[..rows.len().min(TILE_SIDE)];
        let changes = changes(rows);
        (self.count, self.columns) = (0, (0, 0));
        let (mut above, mut rest) = (0, changes);
        while rest != 0 {
            let y = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let same = (rest.trailing_zeros() as usize).min(rows.len()) - y;
            let first = self.count;
            self.set_first_run(y, same, first as u16);
            self.add_row(rows[y], same as u8, above..first, reach);
            above = first;
            // Ones for the rows that are the same.
            let ones = u64::MAX >> (TILE_SIDE - same) << y;
            self.columns.0 |= (rows[y] & 1).wrapping_neg() & ones;
            self.columns.1 |= (rows[y] >> 63).wrapping_neg() & ones;
        }
        self.number();
    }

    /// Notes the first run of rows that are the same. Most are few, so some are written at once; what is
    /// too many is overwritten when the rows below come.
    fn set_first_run(&mut self, y: usize, same: usize, first: u16) {
        self.first_runs[y..y + ROWS_AT_ONCE].fill(first);
        if same > ROWS_AT_ONCE {
            self.first_runs[y..y + same].fill(first);
        }
    }

    /// Appends the runs of a row, joined with those that they touch of the row above.
    fn add_row(&mut self, mut row: u64, rows: u8, above: std::ops::Range<usize>, reach: u8) {
        let (mut upper, mut count) = (above.start, self.count);
        while row != 0 {
            let bit = row.trailing_zeros();
            // Adding at the lowest one carries over its whole run.
            let rest = row & row.wrapping_add(1 << bit);
            let (start, end) = (bit as u8, 64 - (row ^ rest).leading_zeros() as u8);
            row = rest;
            while upper < above.end && self.runs[upper].end + reach <= start {
                upper += 1;
            }
            let mut label = count;
            while upper < above.end && self.runs[upper].start < end + reach {
                label = self.join(label, upper);
                if self.runs[upper].end >= end {
                    // It may touch the next run, too.
                    break;
                }
                upper += 1;
            }
            self.labels[count] = label as u16;
            self.runs[count] = Run { start, end, rows };
            count += 1;
        }
        self.count = count;
    }

    /// Joins `run` with a root, or with the run that is about to be added. Returns the root of both.
    fn join(&mut self, root: usize, run: usize) -> usize {
        let other = self.root(run);
        let (low, high) = (root.min(other), root.max(other));
        self.labels[high] = low as u16;
        low
    }

    fn root(&mut self, mut run: usize) -> usize {
        loop {
            let parent = usize::from(self.labels[run]);
            if parent == run {
                return run;
            }
            self.labels[run] = self.labels[parent];
            run = parent;
        }
    }

    /// Turns joined runs into components, and counts their cells.
    fn number(&mut self) {
        let mut components = 0;
        for run in 0..self.count {
            // Parents come first, so they are numbered already.
            let parent = usize::from(self.labels[run]);
            let label = if parent == run {
                self.cells[components] = 0;
                components += 1;
                components - 1
            } else {
                usize::from(self.labels[parent])
            };
            self.labels[run] = label as u16;
            let Run { start, end, rows } = self.runs[run];
            self.cells[label] += u16::from(end - start) * u16::from(rows);
        }
        self.components = components;
    }
}

/// Bit `y` tells whether row `y` differs from the row above it. The first row does.
fn changes(rows: &[u64]) -> u64 {
    let (mut changes, mut above) = (0, rows.first().map_or(0, |row| !row));
    for &row in rows {
        // Moves down to its place as further rows come in at the top.
        changes = changes >> 1 | u64::from(row != above) << 63;
        above = row;
    }
    u64::checked_shr(changes, (TILE_SIDE - rows.len()) as u32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Components by flooding cell by cell, numbered by their first cells.
    fn flood(rows: &[u64], reach: i32) -> Vec<[Option<u16>; TILE_SIDE]> {
        let mut labels = vec![[None; TILE_SIDE]; rows.len()];
        let is_free = |x: i32, y: i32| {
            (0..TILE_SIDE as i32).contains(&x)
                && rows.get(y as usize).is_some_and(|row| row >> x & 1 != 0)
        };
        let mut count = 0;
        for (y, x) in (0..rows.len()).flat_map(|y| (0..TILE_SIDE).map(move |x| (y, x))) {
            if !is_free(x as i32, y as i32) || labels[y][x].is_some() {
                continue;
            }
            let mut stack = vec![(x as i32, y as i32)];
            labels[y][x] = Some(count);
            while let Some((x, y)) = stack.pop() {
                for (dx, dy) in crate::NEIGHBORS {
                    let (x, y) = (x + dx, y + dy);
                    let is_next = (dx == 0 || dy == 0 || reach > 0) && is_free(x, y);
                    if is_next && labels[y as usize][x as usize].is_none() {
                        labels[y as usize][x as usize] = Some(count);
                        stack.push((x, y));
                    }
                }
            }
            count += 1;
        }
        labels
    }

    fn check(rows: &[u64], reach: u8) {
        let mut tile = TileLabels::default();
        // Something else first: nothing of it may be left.
        tile.label(&[0xF0F0_1234_5678_9ABC; TILE_SIDE], 1);
        tile.label(rows, reach);
        let expected = flood(rows, i32::from(reach));
        let mut cells = vec![0; tile.cells().len()];
        for (y, &row) in rows.iter().enumerate() {
            for bit in 0..64 {
                let label = (row >> bit & 1 != 0).then(|| {
                    let run = usize::from(tile.first_runs()[y]) + runs_up_to(row, bit) - 1;
                    tile.labels()[run]
                });
                assert_eq!(label, expected[y][bit as usize], "({bit}, {y})");
                if let Some(label) = label {
                    cells[usize::from(label)] += 1;
                }
            }
        }
        assert_eq!(tile.cells(), cells);
        let (mut left, mut right) = (0, 0);
        for (y, row) in rows.iter().enumerate() {
            left |= (row & 1) << y;
            right |= (row >> 63) << y;
        }
        assert_eq!(tile.columns(), (left, right));
    }

    #[test]
    fn a_checkerboard_without_diagonal_steps_has_one_component_per_cell() {
        let rows: [u64; TILE_SIDE] = std::array::from_fn(|y| 0x5555_5555_5555_5555 << (y % 2));
        check(&rows, 0);
        check(&rows, 1);
        let mut tile = TileLabels::default();
        tile.label(&rows, 0);
        assert_eq!(tile.cells(), [1; MAX_RUNS]);
        tile.label(&rows, 1);
        assert_eq!(tile.cells(), [2048]);
    }

    #[test]
    fn the_picture_of_labels_matches_the_code() {
        let rows = [0b0011_0111, 0b1001_0100, 0b1001_0100, 0b1001_1101];
        let mut tile = TileLabels::default();
        tile.label(&rows, 0);
        assert_eq!(tile.labels(), [0, 0, 0, 0, 1, 2, 0, 1]);
        assert_eq!(tile.first_runs()[..4], [0, 2, 2, 5]);
        check(&rows, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(2000)))]

        #[test]
        fn labels_agree_with_a_flood_fill(
            rows in prop::collection::vec((any::<u64>(), any::<u64>(), 0u8..4), 0..=64),
            reach in 0u8..2,
        ) {
            let mut last = 0;
            let rows: Vec<u64> = rows.into_iter().map(|(a, b, kind)| {
                last = match kind {
                    0 => a & b,
                    1 => a | b,
                    2 => a,
                    _ => last,
                };
                last
            }).collect();
            check(&rows, reach);
        }
    }
}
