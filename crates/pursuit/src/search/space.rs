//! The interface between the search algorithms and the graphs that they search.

/// A graph that can be searched: dense node numbers, steps with costs, and a goal.
///
/// [`GridSpace`](super::GridSpace) implements it for grids. Searches are generic over the space, so the compiler can
/// inline its methods.
///
/// A state space is suitable if its states can be numbered without large gaps: a permutation by its rank, a set by its
/// rank among all sets of its size, several numbers as the digits of one number. The examples `eight_puzzle` and
/// `box_pushing` show this. A graph with more than 2³² nodes, or without such numbers, cannot be searched. A search
/// reserves 8 bytes for each node. The operating system provides only the memory that is touched.
pub trait SearchSpace {
    /// Data about a node in addition to its number, such as its coordinates. It is computed once per expanded node and
    /// passed on to the neighbors.
    type Place: Copy;

    /// Number of nodes. The nodes are `0..node_count`, and the scratch holds 8 bytes for each.
    fn node_count(&self) -> u32;

    /// The [`Place`](Self::Place) of a node.
    fn place(&self, node: u32) -> Self::Place;

    /// Whether the search ends at a node.
    fn is_goal(&self, node: u32) -> bool;

    /// Estimated cost from a node to the goal.
    fn heuristic(&self, place: Self::Place) -> u64;

    /// Distance from a node to the goal. If the goal is not reached, the path ends at the node with the smallest
    /// distance. Default: the heuristic.
    fn distance(&self, place: Self::Place) -> u64 {
        self.heuristic(place)
    }

    /// The property of the heuristic on which searches may rely. Default: [`Guarantee::None`], which is always valid.
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }

    /// Calls `visit(neighbor, place, cost)` for each node to which one step leads, in a fixed order. `place` is the
    /// place of the neighbor, and `cost` is the cost of the step; a cost of 0 is raised to 1. Neighbors that are not
    /// nodes of the space are ignored.
    fn for_each_neighbor(
        &self,
        node: u32,
        place: Self::Place,
        visit: impl FnMut(u32, Self::Place, u32),
    );

    /// Like [`for_each_neighbor`](Self::for_each_neighbor), but for each node from which one step leads to `node`. By
    /// default, these are the neighbors, which is correct if every step can be taken in both directions at the same
    /// cost.
    fn for_each_predecessor(
        &self,
        node: u32,
        place: Self::Place,
        visit: impl FnMut(u32, Self::Place, u32),
    ) {
        self.for_each_neighbor(node, place, visit);
    }
}

/// What a space promises about its heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Guarantee {
    /// No promise: a node is opened again when the search finds a cheaper path to it.
    None,
    /// The heuristic is consistent: along each step it falls by at most the cost of the step, and it is 0 at the goal.
    Consistent,
}
