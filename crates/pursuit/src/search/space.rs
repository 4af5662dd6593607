//! The seam between the search algorithms and what they search in.

/// A graph with dense node numbers, steps with costs, and a goal: all that a search needs to know.
///
/// Implemented for grids by [`GridSpace`](super::GridSpace). Searches
/// are compiled once per space, so a call costs nothing.
///
/// Any state space will do whose states can be numbered without large gaps: a permutation by its rank, a set by its place
/// among all sets of its size, several numbers as the digits of one. The examples `eight_puzzle` and `box_pushing` show
/// that. What has no such numbers, or more than 2³² of them, cannot be searched: 8 bytes are held for each, touched or
/// not, of which the system gives only what is touched.
pub trait SearchSpace {
    /// What the space wants to know about a node besides its number, such as its coordinates.
    /// Worked out once per expanded node and handed on to its neighbors.
    type Place: Copy;

    /// Number of nodes: they are `0..node_count`. The scratch holds 8 bytes for each.
    fn node_count(&self) -> u32;

    /// The place of a node.
    fn place(&self, node: u32) -> Self::Place;

    /// Whether the search ends here.
    fn is_goal(&self, node: u32) -> bool;

    /// Estimated cost from a node to the goal.
    fn heuristic(&self, place: Self::Place) -> u64;

    /// How far from the goal a node is, for the choice of the nearest one when the goal is not
    /// reached. Default: the heuristic.
    fn distance(&self, place: Self::Place) -> u64 {
        self.heuristic(place)
    }

    /// What can be relied on about the heuristic. Default: [`Guarantee::None`], always right.
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }

    /// Calls `visit(neighbor, its place, cost of the step)` for each node that one step leads to, in
    /// a fixed order. Costs are at least 1 (0 counts as 1); unknown neighbors are ignored.
    fn for_each_neighbor(
        &self,
        node: u32,
        place: Self::Place,
        visit: impl FnMut(u32, Self::Place, u32),
    );

    /// As [`for_each_neighbor`](Self::for_each_neighbor), for each node from which one step leads here:
    /// those through which a path can have come. Default: the neighbors, right when every step can be
    /// taken both ways at one cost.
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
    /// Nothing: nodes are opened again when a cheaper way to them turns up.
    None,
    /// Consistent: along each step it falls by at most the step's cost, and it is 0 at the goal.
    Consistent,
}
