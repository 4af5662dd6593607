//! Labels of one tile: which of its free cells hang together inside it.
//!
//! ```text
//!  a word for each row, bit 0 left    runs, numbered row by row     labels
//!
//!   1 1 1 . 1 1 . .                    0 0 0 . 1 1 . .               0 0 0 . 0 0 . .
//!   . . 1 . 1 . . 1                    . . 2 . 3 . . 4               . . 0 . 0 . . 1
//!   1 . 1 1 1 . . 1                    5 . 6 6 6 . . 7               2 . 0 0 0 . . 1
//! ```
//!
//! Run 6 touches runs 2 and 3, so it joins them and what they had joined before: runs 0 and 1.
//! Only runs are stored, with the label of each. A cell finds its run by counting the runs in the rows
//! before, and those that start in its own word up to its bit.
//!
//! ```text
//!   third row   1 . 1 1 1 . . 1
//!   starts      1 . 1 . . . . 1     word & !(word << 1)
//!   bit 4: 5 runs in the rows before, 2 starts up to the bit: run 5 + 2 - 1 = 6
//! ```

/// Columns and rows of a tile.
pub(super) const SIDE: usize = 64;
/// Runs, and components, of a checkerboard.
const MOST_RUNS: usize = SIDE * SIDE / 2;

/// Bits at which a run of ones starts.
pub(super) fn run_starts(word: u64) -> u64 {
    word & !(word << 1)
}

/// How many runs start before or at a bit.
pub(super) fn runs_up_to(word: u64, bit: u32) -> usize {
    (run_starts(word) & (u64::MAX >> (63 - bit))).count_ones() as usize
}

/// The runs of a tile and what they are connected to, found by one scan over the rows and a union-find
/// over the runs that touch (Rosenfeld and Pfaltz, 1966, on runs in place of pixels). Rows that
/// are the same as the row above share its runs, so that walls and open ground cost little.
pub(super) struct TileLabels {
    /// First column of each run, the column after its last, and how many rows share it.
    starts: [u8; MOST_RUNS],
    ends: [u8; MOST_RUNS],
    rows: [u8; MOST_RUNS],
    /// While runs are joined, a run of the same component that is no later; then the component.
    joined: [u16; MOST_RUNS],
    runs: usize,
    /// For each row, how many runs are in the rows before it, none of them shared.
    runs_before: [u16; SIDE],
    /// Component of each run, none of them shared.
    labels: [u16; MOST_RUNS],
    label_count: usize,
    /// Cells of each component.
    cells: [u16; MOST_RUNS],
    components: usize,
    /// The first and the last column, bit `y` for row `y`.
    columns: (u64, u64),
}

impl Default for TileLabels {
    fn default() -> Self {
        Self {
            starts: [0; MOST_RUNS],
            ends: [0; MOST_RUNS],
            rows: [0; MOST_RUNS],
            joined: [0; MOST_RUNS],
            runs: 0,
            runs_before: [0; SIDE],
            labels: [0; MOST_RUNS],
            label_count: 0,
            cells: [0; MOST_RUNS],
            components: 0,
            columns: (0, 0),
        }
    }
}

impl TileLabels {
    /// For each row, how many runs are in the rows before it.
    pub(super) fn runs_before(&self) -> &[u16; SIDE] {
        &self.runs_before
    }

    /// Component of each run. Components are numbered by their first runs.
    pub(super) fn labels(&self) -> &[u16] {
        &self.labels[..self.label_count]
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
        let rows = &rows[..rows.len().min(SIDE)];
        self.runs = 0;
        self.columns = (0, 0);
        let (mut first_above, mut y) = (0, 0);
        for same in rows.chunk_by(|a, b| a == b) {
            let (row, first) = (same[0], self.runs);
            self.add_runs(row, same.len() as u8);
            self.join_rows(first_above, first, reach);
            first_above = first;
            // Ones for the rows of the chunk.
            let ones = u64::MAX >> (SIDE - same.len()) << y;
            self.columns.0 |= (row & 1).wrapping_neg() & ones;
            self.columns.1 |= (row >> 63).wrapping_neg() & ones;
            y += same.len();
        }
        self.number();
        self.write_labels(rows);
    }

    /// Appends the runs of a row that is repeated `rows` times.
    fn add_runs(&mut self, mut row: u64, rows: u8) {
        while row != 0 {
            let start = row.trailing_zeros();
            let end = start + (row >> start).trailing_ones();
            let run = self.runs;
            self.starts[run] = start as u8;
            self.ends[run] = end as u8;
            self.rows[run] = rows;
            self.joined[run] = run as u16;
            self.runs += 1;
            row &= u64::MAX.checked_shl(end).unwrap_or(0);
        }
    }

    /// Joins the runs from `here` on with those of the row above them, from `above` on.
    fn join_rows(&mut self, mut above: usize, mut here: usize, reach: u8) {
        let first_here = here;
        while above < first_here && here < self.runs {
            let (above_end, here_end) = (self.ends[above], self.ends[here]);
            if self.starts[above] < here_end + reach && self.starts[here] < above_end + reach {
                self.join(above, here);
            }
            // The run that ends first meets nothing further on.
            if above_end <= here_end {
                above += 1;
            } else {
                here += 1;
            }
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.joined[a.max(b)] = a.min(b) as u16;
    }

    fn root(&mut self, mut run: usize) -> usize {
        loop {
            let parent = usize::from(self.joined[run]);
            if parent == run {
                return run;
            }
            self.joined[run] = self.joined[parent];
            run = parent;
        }
    }

    /// Turns joined runs into components, and counts their cells.
    fn number(&mut self) {
        self.components = 0;
        for run in 0..self.runs {
            // Parents come first, so they are numbered already.
            let parent = usize::from(self.joined[run]);
            let label = if parent == run {
                self.cells[self.components] = 0;
                self.components += 1;
                self.components - 1
            } else {
                usize::from(self.joined[parent])
            };
            self.joined[run] = label as u16;
            let columns = u16::from(self.ends[run] - self.starts[run]);
            self.cells[label] += columns * u16::from(self.rows[run]);
        }
    }

    /// Writes the labels of all rows, those that share runs included.
    fn write_labels(&mut self, rows: &[u64]) {
        let (mut first, mut count, mut y) = (0, 0, 0);
        for same in rows.chunk_by(|a, b| a == b) {
            let runs = run_starts(same[0]).count_ones() as usize;
            let joined = &self.joined[first..first + runs];
            for before in &mut self.runs_before[y..y + same.len()] {
                *before = count as u16;
                let labels = &mut self.labels[count..count + runs];
                for (label, joined) in labels.iter_mut().zip(joined) {
                    *label = *joined;
                }
                count += runs;
            }
            y += same.len();
            first += runs;
        }
        self.label_count = count;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Components by flooding cell by cell, numbered by their first cells.
    fn flood(rows: &[u64], reach: i32) -> Vec<[Option<u16>; SIDE]> {
        let mut labels = vec![[None; SIDE]; rows.len()];
        let is_free = |x: i32, y: i32| {
            (0..SIDE as i32).contains(&x)
                && rows.get(y as usize).is_some_and(|row| row >> x & 1 != 0)
        };
        let mut count = 0;
        for (y, x) in (0..rows.len()).flat_map(|y| (0..SIDE).map(move |x| (y, x))) {
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
        tile.label(&[0xF0F0_1234_5678_9ABC; SIDE], 1);
        tile.label(rows, reach);
        let expected = flood(rows, i32::from(reach));
        let mut cells = vec![0; tile.cells().len()];
        for (y, &row) in rows.iter().enumerate() {
            for bit in 0..64 {
                let label = (row >> bit & 1 != 0).then(|| {
                    let run = usize::from(tile.runs_before()[y]) + runs_up_to(row, bit) - 1;
                    tile.labels()[run]
                });
                assert_eq!(label, expected[y][bit as usize], "({bit}, {y})");
                if let Some(label) = label {
                    cells[usize::from(label)] += 1;
                }
            }
        }
        assert_eq!(tile.cells(), cells);
    }

    #[test]
    fn a_checkerboard_has_a_component_for_each_cell() {
        let rows: [u64; SIDE] = std::array::from_fn(|y| 0x5555_5555_5555_5555 << (y % 2));
        check(&rows, 0);
        check(&rows, 1);
        let mut tile = TileLabels::default();
        tile.label(&rows, 0);
        assert_eq!(tile.cells(), [1; MOST_RUNS]);
        tile.label(&rows, 1);
        assert_eq!(tile.cells(), [2048]);
    }

    #[test]
    fn the_picture_is_right() {
        let rows = [0b0011_0111, 0b1001_0100, 0b1001_1101];
        let mut tile = TileLabels::default();
        tile.label(&rows, 0);
        assert_eq!(tile.labels(), [0, 0, 0, 0, 1, 2, 0, 1]);
        check(&rows, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn labels_are_what_a_flood_finds(
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
