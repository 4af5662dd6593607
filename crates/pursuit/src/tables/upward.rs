//! The edges of a hierarchy in flat arrays.

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
    pub(super) fn new<E: ExactSizeIterator<Item = Edge>>(nodes: impl Iterator<Item = E>) -> Self {
        let mut starts = vec![0];
        let mut edges = Vec::new();
        for node in nodes {
            edges.extend(node);
            starts.push(edges.len() as u32);
        }
        Self {
            starts: starts.into_boxed_slice(),
            edges: edges.into_boxed_slice(),
        }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::contract::NONE;

    fn upward(rows: &[Vec<(u32, u32, u32)>]) -> Upward {
        let edges = rows.iter().map(|row| {
            row.iter()
                .map(|&(to, cost, middle)| Edge { to, cost, middle })
        });
        Upward::new(edges)
    }

    fn edges_of(upward: &Upward, node: u32) -> Vec<(u32, u32, u32)> {
        let edges = upward.edges_of(node).iter();
        edges
            .map(|edge| (edge.to, edge.cost, edge.middle))
            .collect()
    }

    #[test]
    fn the_picture_of_the_rows_is_right() {
        let to = |to| (to, 1, NONE);
        let upward = upward(&[vec![to(2), to(3)], vec![], vec![to(3)], vec![to(2)]]);
        assert_eq!(*upward.starts, [0, 2, 2, 3, 4]);
        let ends: Vec<u32> = upward.edges.iter().map(|edge| edge.to).collect();
        assert_eq!(ends, [2, 3, 3, 2]);
    }

    #[test]
    fn each_node_costs_four_bytes_and_each_edge_twelve() {
        let rows = [vec![(1, 5, NONE), (2, 7, 1)], vec![], vec![(0, 7, 1)]];
        assert_eq!(upward(&rows).byte_size(), 4 * (3 + 1) + 12 * 3);
        assert_eq!(upward(&[]).byte_size(), 4, "no nodes have one start");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(1000)))]

        #[test]
        fn each_node_gets_back_its_own_edges_in_order(
            rows in prop::collection::vec(prop::collection::vec(any::<(u32, u32, u32)>(), 0..6), 0..20),
        ) {
            let upward = upward(&rows);
            prop_assert_eq!(upward.node_count(), rows.len());
            for (node, row) in (0..).zip(&rows) {
                prop_assert_eq!(&edges_of(&upward, node), row);
            }
        }
    }
}
