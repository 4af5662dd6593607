//! The regions after an edit, from those before it.

use super::runs::{Forest, Run, collect_runs, join_rows};
use super::{RegionId, Regions, count_runs, reach, run_starts};
use crate::cell::{Cell, CellRect};
use crate::grid::Grid;

/// How far around an edit to look for a way around it, in cells.
const MARGIN: u32 = 8;

/// Where the surroundings of an edit take more than one in so many rows, a repair costs no less than
/// finding all regions anew.
const MOST_ROWS: u32 = 2;

const NONE: u32 = u32::MAX;

impl Regions {
    /// The regions of a grid that differs from the one that these are of inside `changed` only. The
    /// same as [`Regions::of`] with the policy of these, ids included.
    ///
    /// Looks at the surroundings of the edit. Where these do not tell, because cells that were
    /// connected inside them no longer are, all regions are found anew, as they are when much of the
    /// grid changed or the sizes differ.
    #[must_use]
    pub fn repaired(&self, grid: &Grid, changed: CellRect) -> Self {
        self.repair(grid, changed)
            .unwrap_or_else(|| Self::of(grid, self.diagonals))
    }

    fn repair(&self, grid: &Grid, changed: CellRect) -> Option<Self> {
        if self.rect != grid.rect() {
            return None;
        }
        let Some(changed) = self.differing(grid, changed.intersect(&self.rect)) else {
            return Some(Self {
                identity: grid.identity(),
                ..self.clone()
            });
        };
        let inner = changed.grow(MARGIN - 1).intersect(&self.rect);
        let window = inner.grow(1).intersect(&self.rect);
        if window.height() > self.rect.height() / MOST_ROWS {
            return None;
        }
        let words = &grid.words()[self.row_words..];
        let before = Local::of(&self.words, self.row_words, window, reach(self.diagonals));
        let after = Local::of(words, self.row_words, window, reach(self.diagonals));
        let classes = Classes::join(self, &before, &after, inner)?;
        self.with_rows(grid, &after, classes, inner)
    }

    /// A small rectangle that holds all differences to the grid in the rows of `rect`; `None` without
    /// any.
    fn differing(&self, grid: &Grid, rect: CellRect) -> Option<CellRect> {
        if rect.is_empty() {
            return None;
        }
        let (w0, w1) = (rect.min.x as usize / 64, (rect.max.x as usize - 1) / 64);
        let mut found = CellRect::EMPTY;
        for y in rect.min.y..rect.max.y {
            let first = y as usize * self.row_words;
            let old = &self.words[first + w0..=first + w1];
            let new = &grid.row(y as u32)[w0..=w1];
            for (w, (old, new)) in old.iter().zip(new).enumerate() {
                let differ = old ^ new;
                if differ != 0 {
                    let x = ((w0 + w) * 64) as i32;
                    let (low, high) = (differ.trailing_zeros(), 64 - differ.leading_zeros());
                    found = found.union(&CellRect::new(
                        Cell::new(x + low as i32, y),
                        Cell::new(x + high as i32, y + 1),
                    ));
                }
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// These regions with the rows of `inner` as they are now; `None` if more than those has changed.
    fn with_rows(
        &self,
        grid: &Grid,
        after: &Local,
        mut classes: Classes,
        inner: CellRect,
    ) -> Option<Self> {
        let rows = inner.min.y as usize..inner.max.y as usize;
        let (first, last) = (rows.start * self.row_words, rows.end * self.row_words);
        let mut words = self.words.clone();
        words[first..last].copy_from_slice(&grid.words()[self.row_words..][first..last]);

        let mut runs: Vec<Run> = Vec::new();
        let mut run_classes: Vec<u32> = Vec::new();
        for y in rows {
            let row = y * self.row_words..(y + 1) * self.row_words;
            let old_run = self.runs_before[row.start] as usize;
            runs.clear();
            collect_runs(&self.words[row.clone()], &mut runs);
            for (i, run) in runs.iter().enumerate() {
                let class = self.run_region[old_run + i].0;
                classes.sizes[class as usize] -= run.end - run.start;
            }
            runs.clear();
            collect_runs(&words[row], &mut runs);
            for run in &runs {
                let class = self.class_of_run(*run, y as i32, after, &mut classes, inner)?;
                classes.sizes[class as usize] += run.end - run.start;
                run_classes.push(class);
            }
        }
        let old_runs = |word: usize| match self.runs_before.get(word) {
            Some(&runs) => runs as usize,
            None => self.run_region.len(),
        };
        let (head, tail) = (old_runs(first), old_runs(last));
        let (run_region, sizes) = classes.number(
            &self.run_region[..head],
            &run_classes,
            &self.run_region[tail..],
        );
        let runs_before = self.shifted_counts(&words, (first, last));
        Some(Self {
            rect: self.rect,
            diagonals: self.diagonals,
            identity: grid.identity(),
            row_words: self.row_words,
            words,
            runs_before,
            run_region,
            sizes,
        })
    }

    /// The class of a run of the new grid in a row of `inner`.
    fn class_of_run(
        &self,
        run: Run,
        y: i32,
        after: &Local,
        classes: &mut Classes,
        inner: CellRect,
    ) -> Option<u32> {
        // What reaches beyond the changed columns was in a region before.
        let (start, last) = (run.start as i32, run.end as i32 - 1);
        for x in [start, last] {
            if (x < inner.min.x || x >= inner.max.x)
                && let Some(region) = self.region(Cell::new(x, y))
            {
                return Some(classes.class(region));
            }
        }
        classes.class_of_component(after.component(y, run.start))
    }

    /// The runs before each word, of which those from `first` to before `last` have changed.
    fn shifted_counts(&self, words: &[u64], (first, last): (usize, usize)) -> Box<[u32]> {
        let mut counts = self.runs_before.clone();
        let mut count = counts.get(first).copied().unwrap_or(0);
        for index in first..last {
            counts[index] = count;
            let before = if index == 0 { 0 } else { words[index - 1] };
            count += run_starts(words[index], before).count_ones();
        }
        if let Some(&old) = self.runs_before.get(last) {
            let shift = count.wrapping_sub(old);
            for count in &mut counts[last..] {
                *count = count.wrapping_add(shift);
            }
        }
        debug_assert_eq!(counts, count_runs(words));
        counts
    }
}

/// What is connected within a window of a grid.
struct Local {
    window: CellRect,
    /// Of all rows, by columns of the grid.
    runs: Vec<Run>,
    /// Where the runs of each row start, and where those of the last end.
    rows: Vec<u32>,
    /// Component of each run: the first run of the component.
    components: Vec<u32>,
}

impl Local {
    fn of(words: &[u64], row_words: usize, window: CellRect, reach: u32) -> Self {
        let (min, max) = (window.min, window.max);
        let (w0, w1) = (min.x as usize / 64, (max.x as usize - 1) / 64);
        let mut runs: Vec<Run> = Vec::new();
        let mut rows = vec![0];
        let mut forest = Forest::default();
        // One word more, so that the last run ends.
        let mut row = vec![0; w1 - w0 + 2];
        for y in min.y as usize..max.y as usize {
            let first = y * row_words;
            row[..=w1 - w0].copy_from_slice(&words[first + w0..=first + w1]);
            row[0] &= u64::MAX << (min.x % 64);
            row[w1 - w0] &= u64::MAX >> (63 - (max.x - 1) % 64);
            let start = runs.len();
            collect_runs(&row, &mut runs);
            for run in &mut runs[start..] {
                run.start += (w0 * 64) as u32;
                run.end += (w0 * 64) as u32;
                forest.add();
            }
            let above = rows.len().checked_sub(2).map_or(0, |row| rows[row]);
            join_rows(
                &mut forest,
                (&runs[above as usize..start], above),
                (&runs[start..], start as u32),
                reach,
            );
            rows.push(runs.len() as u32);
        }
        let components = (0..runs.len() as u32).map(|run| forest.root(run)).collect();
        Self {
            window,
            runs,
            rows,
            components,
        }
    }

    /// The runs of a row with their components.
    fn row(&self, y: i32) -> impl Iterator<Item = (Run, u32)> {
        let row = (y - self.window.min.y) as usize;
        let runs = self.rows[row] as usize..self.rows[row + 1] as usize;
        runs.map(|run| (self.runs[run], self.components[run]))
    }

    /// The component of the free cell in a column of row `y`.
    fn component(&self, y: i32, x: u32) -> u32 {
        let run = self.row(y).find(|(run, _)| run.end > x);
        run.map_or(NONE, |(_, component)| component)
    }
}

/// Regions in the making: the old ones, of which some have joined, and new ones.
struct Classes {
    /// The class that each has become part of, itself if none.
    joined: Forest,
    /// Class of each component of the window.
    of_component: Vec<u32>,
    sizes: Vec<u32>,
}

impl Classes {
    /// Joins the regions that meet in the window now. `None` if cells at its border that were
    /// connected inside it no longer are.
    fn join(old: &Regions, before: &Local, after: &Local, inner: CellRect) -> Option<Self> {
        let mut classes = Self {
            joined: Forest::default(),
            of_component: vec![NONE; after.runs.len()],
            sizes: old.sizes.to_vec(),
        };
        for _ in 0..old.count() {
            classes.joined.add();
        }
        let mut became = vec![NONE; before.runs.len()];
        let window = after.window;
        let mut meet = |x: i32, y: i32, was: u32, is: u32| {
            let known = std::mem::replace(&mut became[was as usize], is);
            let region = old.region(Cell::new(x, y))?;
            let class = classes.of_component.get_mut(is as usize)?;
            if *class == NONE {
                *class = region.0;
            } else {
                classes.joined.join(*class, region.0);
            }
            (known == NONE || known == is).then_some(())
        };
        for y in window.min.y..window.max.y {
            let is_beside = y < inner.min.y || y >= inner.max.y;
            if is_beside {
                // Nothing has changed here.
                for ((run, was), (_, is)) in before.row(y).zip(after.row(y)) {
                    meet(run.start as i32, y, was, is)?;
                }
                continue;
            }
            for x in [window.min.x, window.max.x - 1] {
                let is_border = x < inner.min.x || x >= inner.max.x;
                if is_border && old.region(Cell::new(x, y)).is_some() {
                    let x = x as u32;
                    meet(x as i32, y, before.component(y, x), after.component(y, x))?;
                }
            }
        }
        Some(classes)
    }

    fn class(&mut self, region: RegionId) -> u32 {
        self.joined.root(region.0)
    }

    /// The class of a component of the window: a new one if it has none.
    ///
    /// `None` if there is no such component: the window was not all that changed.
    fn class_of_component(&mut self, component: u32) -> Option<u32> {
        let class = self.of_component.get_mut(component as usize)?;
        if *class == NONE {
            *class = self.sizes.len() as u32;
            self.sizes.push(0);
            self.joined.add();
        }
        Some(self.joined.root(*class))
    }

    /// Ids in the order of the classes' first runs, for the runs before the changed rows, in them and
    /// after them; and the sizes by id.
    fn number(
        mut self,
        head: &[RegionId],
        changed: &[u32],
        tail: &[RegionId],
    ) -> (Box<[RegionId]>, Box<[u32]>) {
        let roots: Vec<u32> = (0..self.sizes.len() as u32)
            .map(|class| self.joined.root(class))
            .collect();
        let mut ids = vec![NONE; roots.len()];
        let mut count = 0;
        let mut labels = Vec::with_capacity(head.len() + changed.len() + tail.len());
        let runs = head
            .iter()
            .map(|region| region.0)
            .chain(changed.iter().copied());
        for class in runs.chain(tail.iter().map(|region| region.0)) {
            let id = &mut ids[roots[class as usize] as usize];
            if *id == NONE {
                *id = count;
                count += 1;
            }
            labels.push(RegionId(*id));
        }
        let mut sizes = vec![0; count as usize];
        for (class, &size) in self.sizes.iter().enumerate() {
            if let Some(total) = sizes.get_mut(ids[roots[class] as usize] as usize) {
                *total += size;
            }
        }
        (labels.into_boxed_slice(), sizes.into_boxed_slice())
    }
}
