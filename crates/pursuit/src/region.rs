//! Connected regions: whether one cell can be reached from another, without a search.

use crate::cell::{Cell, CellRect, DiagonalPolicy};
use crate::cost::octile;
use crate::grid::Grid;

/// Names a region of one [`Regions`]: `0..count`, by the index of the region's first cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionId(pub u32);

/// The connected regions of a grid: two free cells are in the same one exactly when a path joins
/// them under the diagonal policy.
///
/// Found by one scan over the runs of free cells in each row and a union-find over the runs that
/// touch (Rosenfeld and Pfaltz, 1966, on runs in place of pixels). Kept per run, not per cell: a
/// cell finds its run by counting the bits before it.
#[derive(Clone, Debug)]
pub struct Regions {
    rect: CellRect,
    diagonals: DiagonalPolicy,
    generation: u64,
    row_words: usize,
    /// The rows' words, without the padding rows; 1 = free.
    words: Box<[u64]>,
    /// For each word, how many runs start in the words before it.
    runs_before: Box<[u32]>,
    /// Region of each run, in the order of the runs' starts.
    run_region: Box<[RegionId]>,
    /// Cells of each region.
    sizes: Box<[u32]>,
}

/// Bits at which a run of ones starts. `before` is the word left of `word`; a row's last bit is
/// always blocked, so the last word of the row above serves as the word left of a row's first.
fn run_starts(word: u64, before: u64) -> u64 {
    word & !(word << 1 | before >> 63)
}

/// A run of free cells of one row: columns `start..end`.
#[derive(Clone, Copy)]
struct Run {
    start: u32,
    end: u32,
}

impl Regions {
    /// Labels the regions of a grid.
    ///
    /// [`DiagonalPolicy::Never`], [`NoCornerCut`](DiagonalPolicy::NoCornerCut) and
    /// [`OneFree`](DiagonalPolicy::OneFree) have the same regions, since each diagonal step they
    /// allow can be replaced by two straight ones.
    #[must_use]
    pub fn of(grid: &Grid, diagonals: DiagonalPolicy) -> Self {
        let row_words = grid.stride() as usize / 64;
        let words: Box<[u64]> = (0..grid.height())
            .flat_map(|y| grid.row(y))
            .copied()
            .collect();
        let mut forest = Forest::default();
        let mut lengths: Vec<u32> = Vec::new();
        // A diagonal neighbor counts as touching only where it can be stepped to past two walls.
        let reach = u32::from(diagonals == DiagonalPolicy::Always);
        let (mut above, mut here): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
        for row in words.chunks_exact(row_words) {
            std::mem::swap(&mut above, &mut here);
            collect_runs(row, &mut here);
            let first_above = (forest.parents.len() - above.len()) as u32;
            let first_here = forest.parents.len() as u32;
            for run in &here {
                forest.add();
                lengths.push(run.end - run.start);
            }
            join_rows(
                &mut forest,
                (&above, first_above),
                (&here, first_here),
                reach,
            );
        }
        let (run_region, sizes) = forest.label(&lengths);
        let mut count = 0;
        let mut before = 0;
        let runs_before = words.iter().map(|&word| {
            let runs = count;
            count += run_starts(word, before).count_ones();
            before = word;
            runs
        });
        Self {
            rect: grid.rect(),
            diagonals,
            generation: grid.generation(),
            row_words,
            runs_before: runs_before.collect(),
            words,
            run_region,
            sizes,
        }
    }

    /// Number of regions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Number of cells of a region; 0 for a region of other [`Regions`].
    #[must_use]
    pub fn size(&self, region: RegionId) -> usize {
        self.sizes
            .get(region.0 as usize)
            .map_or(0, |&size| size as usize)
    }

    /// Number of cells of each region, by [`RegionId`].
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The policy that the regions were found under.
    #[must_use]
    pub fn diagonals(&self) -> DiagonalPolicy {
        self.diagonals
    }

    /// Whether these are the regions of that grid, judged by its size and generation, under that
    /// policy or one with the same regions.
    #[must_use]
    pub fn answer_for(&self, grid: &Grid, diagonals: DiagonalPolicy) -> bool {
        let always = DiagonalPolicy::Always;
        self.rect == grid.rect()
            && self.generation == grid.generation()
            && (self.diagonals == always) == (diagonals == always)
    }

    /// Region of a cell; `None` for blocked cells and outside of the grid.
    #[must_use]
    pub fn region(&self, cell: Cell) -> Option<RegionId> {
        if !self.rect.contains(cell) {
            return None;
        }
        let index = cell.y as usize * self.row_words + cell.x as usize / 64;
        let bit = cell.x as u32 % 64;
        let word = self.words[index];
        if word >> bit & 1 == 0 {
            return None;
        }
        Some(self.region_at(index, bit))
    }

    /// Region of the free cell at a bit of a word.
    fn region_at(&self, index: usize, bit: u32) -> RegionId {
        let before = if index == 0 { 0 } else { self.words[index - 1] };
        let starts = run_starts(self.words[index], before) & (u64::MAX >> (63 - bit));
        self.run_region[(self.runs_before[index] + starts.count_ones() - 1) as usize]
    }

    /// Whether a path joins the two cells. `false` when one is blocked or outside.
    #[must_use]
    pub fn connected(&self, a: Cell, b: Cell) -> bool {
        self.region(a)
            .is_some_and(|region| self.region(b) == Some(region))
    }

    /// The cell of `region` with the smallest octile distance to `goal`; among equals, the one with
    /// the smallest [`CellIndex`](crate::CellIndex). `goal` may be blocked or outside of the grid.
    /// `None` only for a region of other [`Regions`].
    #[must_use]
    pub fn nearest_in(&self, region: RegionId, goal: Cell) -> Option<Cell> {
        let mut best: Option<(u64, i32, i32)> = None;
        let last = self.rect.max.y - 1;
        let (mut up, mut down) = (goal.y.min(last), goal.y.max(-1).saturating_add(1));
        loop {
            // Rows by growing distance from the goal, so that the first one that is too far ends it.
            let y = match (up >= 0, down <= last) {
                (true, true) if goal.y.abs_diff(down) < goal.y.abs_diff(up) => down,
                (true, _) => up,
                (false, true) => down,
                (false, false) => break,
            };
            let least = octile(0, goal.y.abs_diff(y));
            if best.is_some_and(|(distance, ..)| least > distance) {
                break;
            }
            for x in self.nearest_in_row(region, y, goal.x).into_iter().flatten() {
                let distance = octile(goal.x.abs_diff(x), goal.y.abs_diff(y));
                if best.is_none_or(|found| (distance, y, x) < found) {
                    best = Some((distance, y, x));
                }
            }
            if y == up {
                up -= 1;
            } else {
                down += 1;
            }
        }
        best.map(|(_, y, x)| Cell::new(x, y))
    }

    /// The region's last column at or before `x` and its first column after `x`, in row `y`.
    fn nearest_in_row(&self, region: RegionId, y: i32, x: i32) -> [Option<i32>; 2] {
        let first_word = y as usize * self.row_words;
        let row = &self.words[first_word..first_word + self.row_words];
        let width = self.rect.max.x;
        let belongs = |w: usize, bit: u32| self.region_at(first_word + w, bit) == region;
        let mut left = None;
        if x >= 0 {
            let x = x.min(width - 1) as usize;
            let mut mask = u64::MAX >> (63 - x % 64);
            'left: for w in (0..=x / 64).rev() {
                let mut rest = row[w] & mask;
                mask = u64::MAX;
                while rest != 0 {
                    let bit = 63 - rest.leading_zeros();
                    if belongs(w, bit) {
                        left = Some((w * 64) as i32 + bit as i32);
                        break 'left;
                    }
                    // The whole run is of another region: go on left of it.
                    let gaps = !rest & (u64::MAX >> (63 - bit));
                    rest &= if gaps == 0 {
                        0
                    } else {
                        u64::MAX >> gaps.leading_zeros()
                    };
                }
            }
        }
        let mut right = None;
        if x < width - 1 {
            let x = (x + 1).max(0) as usize;
            let mut mask = u64::MAX << (x % 64);
            'right: for (w, &word) in row.iter().enumerate().skip(x / 64) {
                let mut rest = word & mask;
                mask = u64::MAX;
                while rest != 0 {
                    let bit = rest.trailing_zeros();
                    if belongs(w, bit) {
                        right = Some((w * 64) as i32 + bit as i32);
                        break 'right;
                    }
                    // Adding at the lowest one carries over its whole run.
                    rest &= rest.wrapping_add(1 << bit);
                }
            }
        }
        [left, right]
    }
}

/// Lists the runs of a row of words, in order.
fn collect_runs(row: &[u64], runs: &mut Vec<Run>) {
    runs.clear();
    let mut open: Option<u32> = None;
    for (w, &word) in row.iter().enumerate() {
        let first = w as u32 * 64;
        let mut rest = word;
        if let Some(start) = open {
            let end = word.trailing_ones();
            if end == 64 {
                continue;
            }
            runs.push(Run {
                start,
                end: first + end,
            });
            rest &= u64::MAX << end;
            open = None;
        }
        while rest != 0 {
            let start = rest.trailing_zeros();
            let length = (rest >> start).trailing_ones();
            if start + length == 64 {
                open = Some(first + start);
                break;
            }
            runs.push(Run {
                start: first + start,
                end: first + start + length,
            });
            rest &= u64::MAX << (start + length);
        }
    }
    // No run is open here: a row's last bit is blocked.
}

/// Joins the runs of two neighboring rows that overlap, or, with `reach` 1, touch at a corner.
fn join_rows(
    forest: &mut Forest,
    (above, first_above): (&[Run], u32),
    (here, first_here): (&[Run], u32),
    reach: u32,
) {
    let (mut a, mut h) = (0, 0);
    while a < above.len() && h < here.len() {
        if above[a].start < here[h].end + reach && here[h].start < above[a].end + reach {
            forest.join(first_above + a as u32, first_here + h as u32);
        }
        // The run that ends first meets nothing further on.
        if above[a].end <= here[h].end {
            a += 1;
        } else {
            h += 1;
        }
    }
}

/// Union-find over runs; the root of a tree is its smallest run.
#[derive(Default)]
struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    fn add(&mut self) {
        self.parents.push(self.parents.len() as u32);
    }

    fn root(&mut self, mut run: u32) -> u32 {
        loop {
            let parent = self.parents[run as usize];
            if parent == run {
                return run;
            }
            let grandparent = self.parents[parent as usize];
            self.parents[run as usize] = grandparent;
            run = grandparent;
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Numbers the trees by their roots and adds up the runs' lengths.
    fn label(mut self, lengths: &[u32]) -> (Box<[RegionId]>, Box<[u32]>) {
        let mut sizes: Vec<u32> = Vec::new();
        for (run, length) in lengths.iter().enumerate() {
            // Parents are smaller, so they are labeled already.
            let parent = self.parents[run] as usize;
            let label = if parent == run {
                sizes.push(0);
                sizes.len() as u32 - 1
            } else {
                self.parents[parent]
            };
            self.parents[run] = label;
            sizes[label as usize] += length;
        }
        let labels = self.parents.into_iter().map(RegionId).collect();
        (labels, sizes.into_boxed_slice())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grid(rows: &[&str]) -> Grid {
        let free = |c: Cell| rows[c.y as usize].as_bytes()[c.x as usize] != b'#';
        Grid::from_fn(rows[0].len() as u32, rows.len() as u32, free).unwrap()
    }

    #[test]
    fn rooms_without_a_door_are_two_regions() {
        let regions = Regions::of(
            &grid(&["..#..", "..#..", "..#.."]),
            DiagonalPolicy::NoCornerCut,
        );
        assert_eq!((regions.count(), regions.sizes()), (2, &[6, 6][..]));
        assert!(regions.connected(Cell::new(0, 0), Cell::new(1, 2)));
        assert!(!regions.connected(Cell::new(0, 0), Cell::new(3, 0)));
        assert_eq!(regions.region(Cell::new(2, 1)), None);
        assert_eq!(regions.region(Cell::new(5, 0)), None);
    }

    #[test]
    fn only_always_joins_cells_that_touch_at_a_corner() {
        let diagonal = grid(&[".#", "#."]);
        for policy in DiagonalPolicy::ALL {
            let expected = if policy == DiagonalPolicy::Always {
                1
            } else {
                2
            };
            assert_eq!(
                Regions::of(&diagonal, policy).count(),
                expected,
                "{policy:?}"
            );
        }
    }

    #[test]
    fn arms_that_meet_far_below_are_one_region() {
        let regions = Regions::of(
            &grid(&[".#.#.", ".#.#.", ".#...", "....#"]),
            DiagonalPolicy::NoCornerCut,
        );
        assert_eq!(regions.count(), 1);
        assert_eq!(regions.size(RegionId(0)), 14);
        assert_eq!(regions.size(RegionId(1)), 0);
    }

    #[test]
    fn the_nearest_cell_is_found_for_goals_in_walls_and_outside() {
        let regions = Regions::of(
            &grid(&["..###", "..###", "....."]),
            DiagonalPolicy::NoCornerCut,
        );
        let nearest = |x, y| regions.nearest_in(RegionId(0), Cell::new(x, y));
        assert_eq!(nearest(0, 0), Some(Cell::new(0, 0)));
        assert_eq!(nearest(3, 0), Some(Cell::new(1, 0)));
        assert_eq!(nearest(4, 1), Some(Cell::new(4, 2)));
        assert_eq!(
            nearest(2, 1),
            Some(Cell::new(1, 1)),
            "equally near: the smaller index"
        );
        assert_eq!(nearest(-7, 1), Some(Cell::new(0, 1)));
        assert_eq!(nearest(i32::MAX, i32::MAX), Some(Cell::new(4, 2)));
        assert_eq!(nearest(i32::MIN, i32::MIN), Some(Cell::new(0, 0)));
        assert_eq!(regions.nearest_in(RegionId(7), Cell::new(0, 0)), None);
    }

    /// Labels by flooding cell by cell.
    fn flood(grid: &Grid, always: bool) -> Vec<Option<RegionId>> {
        let mut labels = vec![None; grid.cell_count()];
        let mut count = 0;
        for first in grid.rect().cells() {
            let index = |cell: Cell| grid.index(cell).unwrap().get();
            if !grid.is_free(first) || labels[index(first)].is_some() {
                continue;
            }
            let mut stack = vec![first];
            labels[index(first)] = Some(RegionId(count));
            while let Some(cell) = stack.pop() {
                for &(dx, dy) in &crate::NEIGHBORS[..if always { 8 } else { 4 }] {
                    let next = cell.offset(dx, dy);
                    if grid.is_free(next) && labels[index(next)].is_none() {
                        labels[index(next)] = Some(RegionId(count));
                        stack.push(next);
                    }
                }
            }
            count += 1;
        }
        labels
    }

    fn any_grid() -> impl Strategy<Value = Grid> {
        let width = prop_oneof![1u32..20, 60u32..68, 125u32..131];
        (width, 1u32..24, 1u32..10, any::<u64>()).prop_map(|(width, height, tenths, seed)| {
            let mut state = seed | 1;
            Grid::from_fn(width, height, |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                (state >> 33) % 10 < u64::from(tenths)
            })
            .unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn regions_are_what_a_flood_finds(grid in any_grid()) {
            for policy in DiagonalPolicy::ALL {
                let regions = Regions::of(&grid, policy);
                let labels = flood(&grid, policy == DiagonalPolicy::Always);
                let mut sizes = vec![0; regions.count()];
                for (cell, label) in grid.rect().cells().zip(labels) {
                    prop_assert_eq!(regions.region(cell), label, "{} under {:?}", cell, policy);
                    if let Some(label) = label {
                        sizes[label.0 as usize] += 1;
                    }
                }
                prop_assert_eq!(regions.sizes(), sizes);
            }
        }

        #[test]
        fn no_cell_of_the_region_is_nearer(grid in any_grid(), x in -30i32..160, y in -30i32..60) {
            let goal = Cell::new(x, y);
            let regions = Regions::of(&grid, DiagonalPolicy::NoCornerCut);
            for region in (0..regions.count() as u32).map(RegionId).take(8) {
                let expected = grid
                    .rect()
                    .cells()
                    .filter(|&cell| regions.region(cell) == Some(region))
                    .min_by_key(|cell| octile(goal.x.abs_diff(cell.x), goal.y.abs_diff(cell.y)));
                prop_assert_eq!(regions.nearest_in(region, goal), expected);
            }
        }
    }
}
