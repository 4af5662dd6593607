//! Memory that updates share.

use crate::jump::node::Node;
use crate::jump::straight::LineWord;

/// Memory for updates of boards of any size. Nothing but its capacity is kept from one update to the next.
#[derive(Debug, Default)]
pub(crate) struct UpdateScratch {
    /// Slots that the grid freed, `true`, or blocked.
    pub(super) edits: Vec<(u32, bool)>,
    /// Rectangles in which some are.
    pub(super) places: usize,
    /// Slots whose bit in the free cells was flipped, in order. A slot that was flipped twice is here twice,
    /// and its bit is as it was.
    pub(super) flip_log: Vec<u32>,
    /// Slots that may have become dead ends.
    pub(super) candidates: Vec<u32>,
    /// Nodes whose bit in the free cells differs from what it was before the update.
    pub(super) flipped_cells: Vec<Node>,
    /// The numbers of the dirty words of the lines of one axis.
    pub(super) dirty_words: Vec<u32>,
    /// For each axis, the dirty words whose free cells or forced neighbors flipped, as they were, by rising
    /// index.
    pub(super) old_words: [Vec<OldLineWord>; 2],
    /// Nodes at which a forced neighbor flipped, for a walk along any axis, up or down.
    pub(super) flipped_forced: Vec<Node>,
    /// Nodes that became a branch, or are none any more, for walks along one axis, up or down.
    pub(super) flipped_branches: Vec<Node>,
    /// Jump points that may have become dominated, or may not be dominated any more.
    pub(super) recheck: NodeSet,
}

/// A word of lines as it was before the update, for walks up and for walks down.
#[derive(Clone, Copy, Debug)]
pub(super) struct OldLineWord {
    pub(super) index: u32,
    pub(super) words: [LineWord; 2],
}

impl UpdateScratch {
    /// Clears everything and makes room for boards with that many slots.
    pub(super) fn start(&mut self, slots: usize) {
        self.edits.clear();
        self.places = 0;
        self.flip_log.clear();
        self.candidates.clear();
        self.flipped_cells.clear();
        self.old_words.iter_mut().for_each(Vec::clear);
        self.flipped_forced.clear();
        self.recheck.clear();
        let more = slots.div_ceil(64).saturating_sub(self.recheck.is_in.len());
        let is_in = &mut self.recheck.is_in;
        is_in.resize(is_in.len() + more, 0);
    }
}

/// A set of nodes that keeps the order in which they were inserted.
#[derive(Debug, Default)]
pub(super) struct NodeSet {
    nodes: Vec<(u32, Node)>,
    /// One bit per slot.
    is_in: Vec<u64>,
}

impl NodeSet {
    /// Inserts a node, which has that slot. Ignores a slot that [`UpdateScratch::start`] made no room for.
    #[inline]
    pub(super) fn insert(&mut self, slot: u32, node: Node) {
        let bit = 1 << (slot % 64);
        if let Some(word) = self.is_in.get_mut(slot as usize / 64)
            && *word & bit == 0
        {
            *word |= bit;
            self.nodes.push((slot, node));
        }
    }

    /// In the order in which they were inserted, each with its slot.
    pub(super) fn nodes(&self) -> &[(u32, Node)] {
        &self.nodes
    }

    pub(super) fn clear(&mut self) {
        for (slot, _) in self.nodes.drain(..) {
            self.is_in[slot as usize / 64] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_of_nodes_keeps_each_node_once_in_order_until_it_is_cleared(
            steps in prop::collection::vec(prop::option::weighted(0.9, 0u32..200), 0..80),
        ) {
            let mut scratch = UpdateScratch::default();
            scratch.start(192);
            let set = &mut scratch.recheck;
            let node = |slot: u32| Node { u: slot, v: 0 };
            let mut naive: Vec<(u32, Node)> = Vec::new();
            for step in steps {
                match step {
                    Some(slot) => {
                        set.insert(slot, node(slot));
                        // There is room for 192 slots.
                        if slot < 192 && !naive.contains(&(slot, node(slot))) {
                            naive.push((slot, node(slot)));
                        }
                    }
                    None => {
                        set.clear();
                        naive.clear();
                        prop_assert!(set.is_in.iter().all(|&word| word == 0));
                    }
                }
                prop_assert_eq!(set.nodes(), &naive[..]);
            }
        }
    }
}
