//! Working memory that searches reuse.

use std::cmp::Reverse;

use super::buckets::BucketQueue;
use super::known_paths;
use super::legs::Legs;
use crate::heap::MinHeap;
use crate::jump::search::JumpMemory;

/// Highest cost from the start that a node can have: 2⁴⁸ − 1. Every path on a grid costs less:
/// [`MAX_CELLS`](crate::MAX_CELLS) diagonal steps over terrain of cost 255 cost two thirds of this.
const MAX_COST: u64 = (1 << 48) - 1;

/// Number of stamps. Each stamp marks the states of one search. When all stamps are used up, the states are cleared.
const STAMP_COUNT: u64 = 1 << 15;

/// An entry of the open list: the f of a node, how many entries were pushed before, and the node. The entry with the
/// smallest f is popped first. If several have this f, it is the one that was pushed last.
///
/// A node whose cost improves is pushed again. Its older entry is popped later, when the node is closed, and is
/// dropped.
pub(crate) type Entry = (u64, Reverse<u32>, u32);

/// The working memory of a search. One scratch per thread serves grids and spaces of any size, in any order.
///
/// A scratch grows to the largest space that it has served: 8 bytes per node for A\*, 12 for searches over terrain, 4
/// for jump-point search, and a few more bytes for each node that is reached. After that, searches allocate only the
/// path that they return, and the data that the first jump-point search on a [`Grid`](crate::Grid) derives from it.
/// Nothing carries over from one search to the next, even if a search fails, panics or is dropped halfway.
#[derive(Debug, Default)]
pub struct SearchScratch {
    pub(crate) nodes: Nodes,
    pub(super) legs: Legs,
    pub(super) buckets: Option<BucketQueue>,
    pub(super) open: MinHeap<Entry>,
    pub(super) jump: JumpMemory,
    pub(super) known_paths: known_paths::Memory,
    /// Nodes of the path that was found, from its end to its start.
    pub(crate) trail: Vec<u32>,
}

impl SearchScratch {
    /// An empty scratch; allocates nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The state of each node in a search, as one number, so that one instruction compares two states.
///
/// From the highest bit to the lowest, a state consists of a stamp of the search that wrote it (15 bits), [`MAX_COST`]
/// − g (48 bits), and whether the node is closed (1 bit). A *larger* state is therefore a better one: any state of this
/// search beats zero and the states of earlier searches, a cheaper path beats a more expensive one, and a closed state
/// beats an equal open one.
///
/// ```text
/// bits               63 to 49     48 to 1          0
///                    stamp        MAX_COST - g     closed
///
/// search 7, g = 5    7            MAX_COST - 5     0
/// and closed         7            MAX_COST - 5     1
/// ```
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    states: Vec<u64>,
    /// State of a node that this search reached at cost 0: `stamp << 49 | MAX_COST << 1`.
    base: u64,
    stamp: u64,
}

/// The bit of a state that is set if the node is closed.
const CLOSED_BIT: u64 = 1;

impl Nodes {
    /// Forgets all nodes and makes room for `count` nodes.
    pub(crate) fn start(&mut self, count: u32) {
        let count = count as usize;
        if self.states.len() < count {
            // Fresh zeroed pages cost nothing until they are touched. Growing the old memory would copy it.
            self.states = vec![0; count];
            self.stamp = 0;
        }
        self.stamp += 1;
        if self.stamp == STAMP_COUNT {
            self.states.fill(0);
            self.stamp = 1;
        }
        self.base = self.stamp << 49 | MAX_COST << 1;
    }

    /// Records a path of cost `g` to `node` if it is the first or the cheapest so far, and returns whether it was
    /// recorded. With `reopen`, a cheaper path to a closed node is recorded and opens the node again. Without `reopen`,
    /// a closed node does not change.
    #[inline(always)]
    pub(crate) fn improve(&mut self, node: u32, g: u64, reopen: bool) -> bool {
        if g > MAX_COST {
            return false;
        }
        let new = self.base - (g << 1);
        match self.states.get_mut(node as usize) {
            Some(state) if new > *state => {
                let stays = !reopen && *state & CLOSED_BIT != 0 && *state >> 49 == self.stamp;
                if !stays {
                    *state = new;
                }
                !stays
            }
            _ => false,
        }
    }

    /// Records a path of cost `g` to `node` if it is the first or the cheapest so far, and returns whether it was
    /// recorded. `is_closed` is whether the node is closed afterwards.
    #[inline(always)]
    pub(crate) fn improve_as(&mut self, node: u32, g: u64, is_closed: bool) -> bool {
        let new = self.base - (g << 1);
        match self.states.get_mut(node as usize) {
            Some(state) if new > *state => {
                *state = new | u64::from(is_closed);
                true
            }
            _ => false,
        }
    }

    /// Closes an open node and returns the cost of the path to it; `None` if it is closed already.
    #[inline(always)]
    pub(crate) fn close(&mut self, node: u32) -> Option<u64> {
        let state = self.states.get_mut(node as usize)?;
        if *state & CLOSED_BIT != 0 {
            return None;
        }
        let g = (self.base - *state) >> 1;
        *state |= CLOSED_BIT;
        Some(g)
    }

    /// Opens a node again, to undo [`close`](Self::close).
    pub(crate) fn open(&mut self, node: u32) {
        if let Some(state) = self.states.get_mut(node as usize) {
            *state &= !CLOSED_BIT;
        }
    }

    /// Cost of the best known path to a node. `None` if this search has not closed the node.
    pub(crate) fn closed_cost(&self, node: u32) -> Option<u64> {
        let is_closed = self.states.get(node as usize)? & CLOSED_BIT != 0;
        self.cost(node).filter(|_| is_closed)
    }

    /// Cost of the best known path to a node. `None` if this search has not reached the node.
    pub(crate) fn cost(&self, node: u32) -> Option<u64> {
        let state = *self.states.get(node as usize)?;
        (state >> 49 == self.stamp).then(|| (self.base - (state & !CLOSED_BIT)) >> 1)
    }
}

/// The items before, at and after the index `middle`. If one of the three does not exist, the result is three defaults.
#[inline(always)]
pub(crate) fn three<T: Copy + Default>(items: &[T], middle: u32) -> [T; 3] {
    let first = (middle as usize).wrapping_sub(1);
    let from = items.get(first..).and_then(|items| items.first_chunk());
    from.copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_new_search_sees_no_costs_of_earlier_searches_even_when_stamps_wrap_around() {
        let mut nodes = Nodes::default();
        for search in 0..2 * STAMP_COUNT + 5 {
            nodes.start(3);
            let node = (search % 3) as u32;
            assert_eq!(nodes.cost(node), None, "search {search}");
            assert!(nodes.improve(node, search, false));
            assert_eq!(nodes.close(node), Some(search));
            assert_eq!(nodes.cost(node), Some(search));
        }
    }

    #[test]
    fn the_picture_of_a_state_is_right() {
        let mut nodes = Nodes::default();
        (0..7).for_each(|_| nodes.start(1));
        assert!(nodes.improve(0, 5, false));
        let parts = |state: u64| (state >> 49, state >> 1 & MAX_COST, state & 1);
        assert_eq!(parts(nodes.states[0]), (7, MAX_COST - 5, 0));
        nodes.close(0);
        assert_eq!(parts(nodes.states[0]), (7, MAX_COST - 5, 1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(1000)))]

        #[test]
        fn states_agree_with_a_plain_list_of_costs(
            steps in prop::collection::vec((0u8..8, 0u32..5, 0u64..20), 0..80),
        ) {
            let mut nodes = Nodes::default();
            nodes.start(5);
            // The cost of the best known path to each node, and whether the node is closed.
            let mut naive = [None::<(u64, bool)>; 5];
            for (what, node, g) in steps {
                let known = &mut naive[node as usize];
                let is_cheaper = known.is_none_or(|(known, _)| g < known);
                let is_closed = known.is_some_and(|(_, is_closed)| is_closed);
                match what {
                    0 => {
                        nodes.start(5);
                        naive = [None; 5];
                    }
                    2 | 3 => {
                        let is_taken = is_cheaper && (what == 3 || !is_closed);
                        prop_assert_eq!(nodes.improve(node, g, what == 3), is_taken);
                        if is_taken {
                            *known = Some((g, false));
                        }
                    }
                    5 if known.is_some() => {
                        nodes.open(node);
                        known.iter_mut().for_each(|known| known.1 = false);
                    }
                    6.. if known.is_some() => {
                        let open = known.filter(|(_, is_closed)| !is_closed);
                        prop_assert_eq!(nodes.close(node), open.map(|(g, _)| g));
                        known.iter_mut().for_each(|known| known.1 = true);
                    }
                    _ => {}
                }
                for (node, known) in (0..).zip(&naive) {
                    prop_assert_eq!(nodes.cost(node), known.map(|(g, _)| g));
                    let closed = known.filter(|(_, closed)| *closed).map(|(g, _)| g);
                    prop_assert_eq!(nodes.closed_cost(node), closed);
                }
            }
        }
    }

    #[test]
    fn costs_up_to_the_highest_are_recorded_and_higher_costs_are_refused() {
        let mut nodes = Nodes::default();
        nodes.start(1);
        assert!(!nodes.improve(0, MAX_COST + 1, true));
        assert!(nodes.improve(0, MAX_COST, true));
        assert_eq!(nodes.close(0), Some(MAX_COST));
        assert!(MAX_COST > crate::MAX_CELLS * 255 * u64::from(crate::cost::DIAGONAL));
    }
}
