//! The edges of a hierarchy in flat arrays.

use crate::cancel::{Cancelled, Watch};

/// To a more important node, or from one of the core to another.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) cost: u32,
    /// The node that a shortcut passes, or [`NONE`](super::contract::NONE).
    pub(super) middle: u32,
}

/// Nodes and their edges, one row after the other (*compressed sparse rows*).
///
/// ```text
/// node        0       1   2   3
/// starts      0       2   2   3       4         node 1 has no edges: its row ends where it starts
/// edges       0→2 0→3     2→3 3→2
/// ```
#[derive(Clone)]
pub(super) struct Upward {
    /// For each node, where its edges start; one more at the end.
    starts: Box<[u32]>,
    edges: Box<[Edge]>,
}

impl Upward {
    /// The edges of one node after the other.
    pub(super) fn new<E: ExactSizeIterator<Item = Edge>>(
        nodes: impl Iterator<Item = E>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let mut starts = vec![0];
        let mut edges = Vec::new();
        for node in nodes {
            watch.pass_words(4 * node.len())?;
            edges.extend(node);
            starts.push(edges.len() as u32);
        }
        Ok(Self {
            starts: starts.into_boxed_slice(),
            edges: edges.into_boxed_slice(),
        })
    }

    pub(super) fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(super) fn edges_of(&self, node: u32) -> &[Edge] {
        let at = node as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.edges)
    }
}
