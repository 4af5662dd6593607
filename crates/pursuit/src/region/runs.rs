//! Runs of free cells and the union-find that joins them.

/// A run of free cells of one row: columns `start..end`.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Appends the runs of a row of words, in order.
pub(super) fn collect_runs(row: &[u64], runs: &mut Vec<Run>) {
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
pub(super) fn join_rows(
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
pub(super) struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn add(&mut self) {
        self.parents.push(self.parents.len() as u32);
    }

    pub(super) fn root(&mut self, mut run: u32) -> u32 {
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

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Numbers the trees by their roots and adds up the runs' lengths.
    pub(super) fn label(mut self, lengths: &[u32]) -> (Vec<u32>, Box<[u32]>) {
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
        (self.parents, sizes.into_boxed_slice())
    }
}
