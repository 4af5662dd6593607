//! What an incremental search knows of each node.

use crate::grid::Grid;
use crate::stride::Stride;

/// A cost that no path has: there is none, or none is known.
pub(super) const INFINITE: u64 = u64::MAX;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// What is known of a node. Distances are those from the root of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// Its distance when it was last expanded.
    pub(super) g: u64,
    /// The least distance that follows from the g of those around it.
    pub(super) rhs: u64,
    /// The key of its entry in the queue that counts; [`INFINITE`] for none. Never above its own key.
    pub(super) queued: u64,
    /// The node that `rhs` comes from; [`NONE`] for the root and where there is no way.
    pub(super) parent: u32,
}

impl Known {
    pub(super) const NOTHING: Self = Self {
        g: INFINITE,
        rhs: INFINITE,
        queued: INFINITE,
        parent: NONE,
    };

    pub(super) fn is_consistent(&self) -> bool {
        self.g == self.rhs
    }
}

/// The nodes of a grid of which many are padding, numbered without it:
///
/// ```text
///     nodes of a grid 3 wide   ####   places   ...
///                              012#            012
///                              345#            345
///                              ####
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Unpadded {
    /// Rows of nodes. The first one is padding.
    nodes: Stride,
    width: u32,
    cells: u32,
}

/// Padding of less than a mebibyte is not worth the division.
const LEAST_PADDING: u64 = (1 << 20) / size_of::<Words>() as u64;

impl Unpadded {
    /// `None` for a grid with little padding, or less than a third of its cells.
    pub(super) fn of(grid: &Grid) -> Option<Self> {
        let cells = grid.cell_count() as u64;
        let padding = u64::from(grid.walls().node_count()) - cells;
        let has_much = padding >= LEAST_PADDING.max(cells / 3);
        has_much.then(|| Self {
            nodes: grid.walls().node_rows(),
            width: grid.width(),
            cells: cells as u32,
        })
    }

    /// The place of a node that is no padding.
    fn place(&self, node: u32) -> usize {
        let (row, place) = self.nodes.split(node);
        row.wrapping_sub(1) as usize * self.width as usize + place as usize
    }
}

/// What is known of all nodes, in 32 bytes for each.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// By their numbers; none where nodes have places.
    words: Vec<Words>,
    /// By their places.
    placed: Vec<Words>,
    stamp: u32,
    count: u32,
    /// `None` where the place of a node is its number.
    unpadded: Option<Unpadded>,
}

/// g, rhs, queued, and the parent above the stamp of the search that wrote it. Plain numbers: fresh pages of zeros
/// cost nothing until they are touched.
type Words = [u64; 4];

impl Nodes {
    /// From the next start on the nodes are those of a grid.
    pub(super) fn set_grid(&mut self, grid: &Grid) {
        self.unpadded = Unpadded::of(grid);
    }

    /// Forgets all nodes and makes room for `count`.
    pub(super) fn start(&mut self, count: u32) {
        let (used, unused, most) = match self.unpadded {
            Some(unpadded) => (&mut self.placed, &mut self.words, unpadded.cells),
            None => (&mut self.words, &mut self.placed, count),
        };
        *unused = Vec::new();
        if used.len() < most as usize || self.stamp == u32::MAX {
            // Before there are others, or both would be held.
            *used = Vec::new();
            *used = vec![[0; 4]; most as usize];
            self.stamp = 0;
        }
        self.stamp += 1;
        self.count = count;
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    #[inline(always)]
    pub(super) fn get(&self, node: u32) -> Known {
        match self.words_of(node) {
            Some(&[g, rhs, queued, last]) if last as u32 == self.stamp => Known {
                g,
                rhs,
                queued,
                parent: (last >> 32) as u32,
            },
            _ => Known::NOTHING,
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, node: u32, known: Known) {
        let last = u64::from(known.parent) << 32 | u64::from(self.stamp);
        let now = [known.g, known.rhs, known.queued, last];
        match self.words.get_mut(node as usize) {
            Some(words) => *words = now,
            None => self.set_placed(node, now),
        }
    }

    /// The least distance of a node that is known, and [`INFINITE`] for others.
    #[inline(always)]
    pub(super) fn g(&self, node: u32) -> u64 {
        match self.words_of(node) {
            Some(&[g, _, _, last]) if last as u32 == self.stamp => g,
            _ => INFINITE,
        }
    }

    /// Nodes with places are beyond the end of an empty list: where there are none, nothing is asked for them.
    #[inline(always)]
    fn words_of(&self, node: u32) -> Option<&Words> {
        match self.words.get(node as usize) {
            None => self.placed_words(node),
            words => words,
        }
    }

    #[cold]
    #[inline(never)]
    fn placed_words(&self, node: u32) -> Option<&Words> {
        self.placed.get(self.unpadded?.place(node))
    }

    #[cold]
    #[inline(never)]
    fn set_placed(&mut self, node: u32, now: Words) {
        let place = self.unpadded.map(|unpadded| unpadded.place(node));
        if let Some(words) = place.and_then(|place| self.placed.get_mut(place)) {
            *words = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_any_grid_has_a_place_of_its_own() {
        let mut nodes = Nodes::default();
        let mut unpadded = 0;
        let sides = [1, 2, 3, 31, 32, 33, 63, 64, 65, 128, 200];
        let wide = sides.map(|side| (side, (1 << 16) / side));
        let low = [(1 << 15, 1), (1 << 15, 2), (1 << 15, 9)];
        for (width, height) in wide.into_iter().chain(low) {
            let grid = Grid::from_fn(width, height, |_| true).unwrap();
            unpadded += usize::from(Unpadded::of(&grid).is_some());
            let all = || {
                grid.rect()
                    .cells()
                    .filter_map(|cell| grid.walls().node(cell))
            };
            nodes.set_grid(&grid);
            nodes.start(grid.walls().node_count());
            let known = |node: u32| Known {
                g: u64::from(node),
                ..Known::NOTHING
            };
            for node in all() {
                assert_eq!(
                    nodes.get(node),
                    Known::NOTHING,
                    "{width} x {height}: {node}"
                );
                nodes.set(node, known(node));
            }
            for node in all() {
                assert_eq!(nodes.get(node), known(node), "{width} x {height}: {node}");
            }
        }
        assert!((4..10).contains(&unpadded), "{unpadded} grids are unpadded");
    }

    #[test]
    fn what_was_written_is_read_until_the_next_start() {
        let mut nodes = Nodes::default();
        nodes.start(3);
        let known = Known {
            g: 7,
            rhs: 9,
            queued: INFINITE,
            parent: 2,
        };
        nodes.set(1, known);
        nodes.set(3, known);
        assert_eq!(nodes.get(1), known);
        assert_eq!(
            (nodes.g(1), nodes.g(0), nodes.g(3)),
            (7, INFINITE, INFINITE)
        );
        nodes.start(2);
        assert_eq!(nodes.get(1), Known::NOTHING);
        assert_eq!(nodes.count(), 2);
        nodes.set(1, known);
        nodes.stamp = u32::MAX;
        nodes.start(2);
        assert_eq!(nodes.get(1), Known::NOTHING, "stamps that wrap around");
    }
}
