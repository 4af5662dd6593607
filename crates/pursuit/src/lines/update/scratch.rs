//! Memory that updates share.

use crate::lines::node::Node;
use crate::lines::straight::LineWord;

/// Memory for updates of boards of any size. Nothing carries over from one to the next but the room.
#[derive(Debug, Default)]
pub(crate) struct UpdateScratch {
    /// Slots that the grid freed, `true`, or blocked.
    pub(super) edits: Vec<(u32, bool)>,
    /// Slots that were freed or blocked by an edit, a new dead end or the end of one; some several times.
    pub(super) flips: Vec<u32>,
    /// Slots that may have become dead ends.
    pub(super) suspects: Vec<u32>,
    /// Nodes that are free and were not, or the other way around.
    pub(super) changed: Vec<Node>,
    /// Numbers of the words of lines to look at.
    pub(super) touched: Vec<u32>,
    /// The words of lines of either kind that changed, as they were, by rising number.
    pub(super) before: [Vec<WordBefore>; 2],
    /// Nodes at which walls end that did not, or the other way around.
    pub(super) wall_ends: Vec<Node>,
    /// Nodes from which walks in one direction reach a jump point now and did not, or the other way around.
    pub(super) flipped_branches: Vec<Node>,
    /// Jump points that may be dominated now, or are no more.
    pub(super) recheck: NodeSet,
}

/// A word of lines before an update, for walks toward higher bits and toward lower ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordBefore {
    pub(super) index: u32,
    pub(super) words: [LineWord; 2],
}

impl UpdateScratch {
    /// Forgets everything and makes room for boards with that many slots.
    pub(super) fn start(&mut self, slots: usize) {
        self.edits.clear();
        self.flips.clear();
        self.suspects.clear();
        self.changed.clear();
        self.before.iter_mut().for_each(Vec::clear);
        self.wall_ends.clear();
        self.recheck.clear();
        let words = slots.div_ceil(64);
        if self.recheck.is_in.len() < words {
            self.recheck.is_in.resize(words, 0);
        }
    }
}

/// Some nodes, each once.
#[derive(Debug, Default)]
pub(super) struct NodeSet {
    nodes: Vec<(u32, Node)>,
    /// One bit per slot.
    is_in: Vec<u64>,
}

impl NodeSet {
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

    pub(super) fn nodes(&self) -> &[(u32, Node)] {
        &self.nodes
    }

    pub(super) fn clear(&mut self) {
        for (slot, _) in self.nodes.drain(..) {
            self.is_in[slot as usize / 64] = 0;
        }
    }
}
