//! Connected regions: whether one cell can be reached from another, without a search.

mod repair;
mod runs;

use self::runs::{Forest, Run, collect_runs, join_rows};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    rect: CellRect,
    diagonals: DiagonalPolicy,
    identity: u64,
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

/// For each word, how many runs start in the words before it.
fn count_runs(words: &[u64]) -> Box<[u32]> {
    let (mut count, mut before) = (0, 0);
    let counts = words.iter().map(|&word| {
        let runs = count;
        count += run_starts(word, before).count_ones();
        before = word;
        runs
    });
    counts.collect()
}

/// How far beyond their ends runs of neighboring rows touch: a diagonal neighbor counts only where it
/// can be stepped to past two walls.
fn reach(diagonals: DiagonalPolicy) -> u32 {
    u32::from(diagonals == DiagonalPolicy::Always)
}

/// Bits at which a run of ones starts. `before` is the word left of `word`; a row's last bit is
/// always blocked, so the last word of the row above serves as the word left of a row's first.
fn run_starts(word: u64, before: u64) -> u64 {
    word & !(word << 1 | before >> 63)
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
        // Without the padding rows.
        let words = grid.words();
        let words: Box<[u64]> = words[row_words..words.len() - row_words].into();
        let mut forest = Forest::default();
        let mut lengths: Vec<u32> = Vec::new();
        let reach = reach(diagonals);
        let (mut above, mut here): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
        for row in words.chunks_exact(row_words) {
            std::mem::swap(&mut above, &mut here);
            here.clear();
            collect_runs(row, &mut here);
            let first_above = (forest.len() - above.len()) as u32;
            let first_here = forest.len() as u32;
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
        let (labels, sizes) = forest.label(&lengths);
        Self {
            rect: grid.rect(),
            diagonals,
            identity: grid.identity(),
            row_words,
            runs_before: count_runs(&words),
            words,
            run_region: labels.into_iter().map(RegionId).collect(),
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

    /// Whether these are the regions of that grid, or of a clone of it, under that
    /// policy or one with the same regions.
    #[must_use]
    pub fn answer_for(&self, grid: &Grid, diagonals: DiagonalPolicy) -> bool {
        let always = DiagonalPolicy::Always;
        self.rect == grid.rect()
            && self.identity == grid.identity()
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
        let height = prop_oneof![3 => 1u32..24, 1 => 60u32..90];
        (width, height, 1u32..10, any::<u64>()).prop_map(|(width, height, tenths, seed)| {
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

    #[test]
    fn an_edit_that_was_not_declared_does_not_panic() {
        let lone = Grid::from_fn(30, 60, |cell| cell == Cell::new(0, 0)).unwrap();
        let mut builder = lone.to_builder();
        builder.set_free(Cell::new(14, 23), true).unwrap();
        builder.set_free(Cell::new(5, 30), true).unwrap();
        let edited = builder.build();
        let declared = CellRect::new(Cell::new(5, 30), Cell::new(6, 31));
        let old = Regions::of(&lone, DiagonalPolicy::NoCornerCut);
        let repaired = old.repaired(&edited, declared);
        assert!(repaired.region(Cell::new(5, 30)).is_some());
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
        fn repaired_regions_are_those_found_anew(
            grid in any_grid(),
            edits in prop::collection::vec(
                (0.0f64..1.0, 0.0f64..1.0, 1u32..20, 1u32..20, 0u32..4, any::<u64>()), 1..6,
            ),
        ) {
            let mut grid = grid;
            let mut all = DiagonalPolicy::ALL.map(|policy| Regions::of(&grid, policy));
            for (fx, fy, width, height, kind, seed) in edits {
                let x = (fx * f64::from(grid.width())) as i32;
                let y = (fy * f64::from(grid.height())) as i32;
                let rect = CellRect::new(Cell::new(x, y), Cell::new(x, y).offset(width as i32, height as i32));
                let mut builder = grid.to_builder();
                builder.generation(seed);
                let mut state = seed | 1;
                for cell in rect.intersect(&grid.rect()).cells() {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                    let free = match kind {
                        0 => true,
                        1 => false,
                        _ => state >> 40 & 3 != 0,
                    };
                    builder.set_free(cell, free).unwrap();
                }
                grid = builder.build();
                for regions in &mut all {
                    *regions = regions.repaired(&grid, rect);
                    prop_assert_eq!(&*regions, &Regions::of(&grid, regions.diagonals()));
                }
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
