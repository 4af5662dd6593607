//! A space whose nodes and steps a test lists.

use pursuit::SearchSpace;

/// Nodes from 0 on, and for each those that it has steps to, with costs.
pub(super) struct Nodes<S> {
    pub(super) count: u32,
    pub(super) goal: Option<u32>,
    pub(super) heuristic: fn(u32) -> u64,
    pub(super) steps: S,
}

impl<S: Fn(u32) -> Vec<(u32, u32)>> SearchSpace for Nodes<S> {
    type Place = u32;

    fn node_count(&self) -> u32 {
        self.count
    }

    fn place(&self, node: u32) -> u32 {
        node
    }

    fn is_goal(&self, node: u32) -> bool {
        self.goal == Some(node)
    }

    fn heuristic(&self, node: u32) -> u64 {
        (self.heuristic)(node)
    }

    fn for_each_neighbor(&self, node: u32, _: u32, mut visit: impl FnMut(u32, u32, u32)) {
        (self.steps)(node)
            .into_iter()
            .for_each(|(to, cost)| visit(to, to, cost));
    }
}
