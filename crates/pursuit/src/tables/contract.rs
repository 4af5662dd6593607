//! Contraction hierarchies (Geisberger, Sanders, Schultes and Delling, 2008) over the corner graph.

use super::error::{MAX_TABLE_COST, TablesError};
use crate::cancel::Cancel;
use crate::heap::MinHeap;

/// The number that stands for a missing node.
pub(super) const NO_NODE: u32 = u32::MAX;

/// One direction of an edge.
///
/// The picture shows an edge of the corner graph from A to B, and a shortcut from A to D for the path A, B, C, D.
/// B was contracted before C:
///
/// ```text
///                 to  first  last
/// A ── B          B   B      A        its end is the first corner, its start the last
/// A ─ B ─ C ─ D   D   B      C
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u32,
    /// The first corner on the path.
    pub(super) first: u32,
    /// The last corner on the path before `to`.
    pub(super) last: u32,
}

impl Arc {
    pub(super) fn edge(from: u32, to: u32, cost: u32) -> Self {
        Self {
            to,
            cost,
            first: to,
            last: from,
        }
    }
}

/// Corners in their order of contraction, from the least to the most important corner.
///
/// A contracted corner keeps the edges that it had when it was contracted. They lead to more important corners.
/// Corners that are not contracted form the core, and keep the edges among themselves:
///
/// ```text
/// core           D ── E         edges[D]: to E      edges[E]: to D
///               ╱ ╲  ╱
/// contracted   B   C            edges[B]: to D      edges[C]: to D and E
///              │
///              A                edges[A]: to B      order: A, B, C
/// ```
pub(super) struct Hierarchy {
    /// Corners in the order of contraction. All other corners are the core.
    pub(super) order: Vec<u32>,
    /// For each corner, whether it was contracted.
    pub(super) contracted: Vec<bool>,
    /// For a contracted corner, its edges to more important corners. For a corner of the core, its edges to other
    /// corners of the core.
    pub(super) edges: Vec<Vec<Arc>>,
}

/// Number of nodes that a search for witnesses settles before it gives up. Shortcuts for which it has found no
/// witness are then added.
const MAX_WITNESS_NODES: u32 = 20;

/// Number of nodes that a search for detours settles before it gives up. It then keeps the edges of the core for
/// which it has found no detour.
const MAX_DETOUR_NODES: u32 = 150;

/// A hierarchy under construction.
struct Contraction {
    /// For a contracted corner, the edges that it had when it was contracted. For any other corner, its edges to
    /// corners that are not contracted yet.
    edges: Vec<Vec<Arc>>,
    level: Vec<u32>,
    witness: WitnessSearch,
    /// The shortcuts that replace the node being contracted, each with its start and its arc.
    shortcuts: Vec<(u32, Arc)>,
}

/// Local searches for *witnesses*: paths that make a shortcut or an edge unnecessary. All arrays are indexed by
/// node. They are never cleared: an entry is valid only if its round is the number of the current search.
struct WitnessSearch {
    distance: Vec<u32>,
    /// The round in which the distance was written.
    stamp: Vec<u32>,
    /// The last round in which the node was a target.
    target: Vec<u32>,
    /// The number of the search.
    round: u32,
    heap: MinHeap<(u32, u32)>,
}

impl Hierarchy {
    /// Contracts all corners, except those that have more than `max_degree` edges when their turn comes.
    pub(super) fn of(
        edges: Vec<Vec<Arc>>,
        max_degree: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, TablesError> {
        let mut contraction = Contraction::new(edges);
        let count = contraction.edges.len();
        let mut contracted = vec![false; count];
        let mut order = Vec::with_capacity(count);
        let mut queue = Queue {
            heap: MinHeap::default(),
            is_queued: vec![false; count],
            max_degree,
        };
        for node in 0..count as u32 {
            queue.offer(&contraction, node);
        }
        while let Some(node) = queue.next(&contraction) {
            cancel.check()?;
            contraction.contract(node)?;
            contracted[node as usize] = true;
            order.push(node);
            for arc in &contraction.edges[node as usize] {
                queue.offer(&contraction, arc.to);
            }
        }
        for node in 0..count as u32 {
            cancel.check()?;
            if !contracted[node as usize] {
                contraction.reduce_edges(node);
            }
        }
        Ok(Self {
            order,
            contracted,
            edges: contraction.edges,
        })
    }
}

impl Contraction {
    fn new(edges: Vec<Vec<Arc>>) -> Self {
        let count = edges.len();
        Self {
            edges,
            level: vec![0; count],
            witness: WitnessSearch {
                distance: vec![0; count],
                stamp: vec![0; count],
                target: vec![0; count],
                round: 0,
                heap: MinHeap::default(),
            },
            shortcuts: Vec::new(),
        }
    }

    /// Removes each edge of a node if another path between the ends of the edge costs no more (*edge reduction*).
    fn reduce_edges(&mut self, node: u32) {
        self.witness.find_detours(&self.edges, node);
        let is_needed = |arc: &Arc| self.witness.target[arc.to as usize] == self.witness.round;
        let mut edges = std::mem::take(&mut self.edges[node as usize]);
        for arc in edges.iter().filter(|arc| !is_needed(arc)) {
            let back = &mut self.edges[arc.to as usize];
            back.retain(|back| back.to != node);
        }
        edges.retain(is_needed);
        self.edges[node as usize] = edges;
    }

    /// The importance of a node. The least important nodes are contracted first: nodes with few edges, and nodes whose
    /// neighbors were not contracted yet.
    ///
    /// The usual rule counts the shortcuts that a contraction would need. With that rule, labels are up to a fifth
    /// smaller, but contraction takes ten times as long.
    fn importance(&self, node: u32) -> u32 {
        self.level[node as usize] + self.edges[node as usize].len() as u32
    }

    fn find_shortcuts(&mut self, node: u32) {
        self.shortcuts.clear();
        let arcs = &self.edges[node as usize];
        for (i, a) in arcs.iter().enumerate() {
            let others = &arcs[i + 1..];
            if others.is_empty() {
                break;
            }
            self.witness.run(&self.edges, node, a, others);
            for b in others {
                let cost = a.cost.saturating_add(b.cost);
                if self.witness.distance(b.to) > cost {
                    let arc = Arc {
                        to: b.to,
                        cost,
                        first: a.last,
                        last: b.last,
                    };
                    self.shortcuts.push((a.to, arc));
                }
            }
        }
    }

    fn contract(&mut self, node: u32) -> Result<(), TablesError> {
        self.find_shortcuts(node);
        let level = self.level[node as usize] + 1;
        for i in 0..self.edges[node as usize].len() {
            let to = self.edges[node as usize][i].to as usize;
            self.level[to] = self.level[to].max(level);
            let edges = &mut self.edges[to];
            if let Some(back) = edges.iter().position(|arc| arc.to == node) {
                edges.swap_remove(back);
            }
        }
        for i in 0..self.shortcuts.len() {
            let (from, arc) = self.shortcuts[i];
            if arc.cost > MAX_TABLE_COST {
                return Err(TablesError::TooLarge);
            }
            insert_or_lower(&mut self.edges[from as usize], arc);
            let back = Arc {
                to: from,
                first: arc.last,
                last: arc.first,
                ..arc
            };
            insert_or_lower(&mut self.edges[arc.to as usize], back);
        }
        Ok(())
    }
}

/// Nodes that may be contracted, sorted by the importance that they had when they were queued.
struct Queue {
    heap: MinHeap<(u32, u32)>,
    is_queued: Vec<bool>,
    max_degree: usize,
}

impl Queue {
    fn offer(&mut self, contraction: &Contraction, node: u32) {
        let is_small = contraction.edges[node as usize].len() <= self.max_degree;
        if is_small && !self.is_queued[node as usize] {
            self.is_queued[node as usize] = true;
            self.heap.push((contraction.importance(node), node));
        }
    }

    /// Removes and returns the node that is least important now.
    fn next(&mut self, contraction: &Contraction) -> Option<u32> {
        while let Some((was, node)) = self.heap.pop() {
            self.is_queued[node as usize] = false;
            if contraction.importance(node) == was {
                return Some(node);
            }
            self.offer(contraction, node);
        }
        None
    }
}

/// Adds an edge, or replaces a more expensive edge to the same node.
fn insert_or_lower(edges: &mut Vec<Arc>, arc: Arc) {
    match edges.iter_mut().find(|old| old.to == arc.to) {
        Some(old) if old.cost <= arc.cost => {}
        Some(old) => *old = arc,
        None => edges.push(arc),
    }
}

impl WitnessSearch {
    /// Searches from the end of `a` for paths to the ends of `others` that do not pass `node`.
    fn run(&mut self, edges: &[Vec<Arc>], node: u32, a: &Arc, others: &[Arc]) {
        self.round += 1;
        self.heap.clear();
        let mut targets_left = others.len();
        let mut bound = 0;
        for arc in others {
            self.target[arc.to as usize] = self.round;
            bound = bound.max(arc.cost);
        }
        bound = bound.saturating_add(a.cost);
        self.reach(a.to, 0);
        let mut settled = 0;
        while let Some((distance, at)) = self.heap.pop() {
            if distance > self.distance[at as usize] {
                continue;
            }
            if self.target[at as usize] == self.round {
                targets_left -= 1;
                if targets_left == 0 {
                    break;
                }
            }
            settled += 1;
            if settled > MAX_WITNESS_NODES {
                break;
            }
            for arc in &edges[at as usize] {
                let next = distance.saturating_add(arc.cost);
                if arc.to == node || next > bound {
                    continue;
                }
                if next < self.distance(arc.to) {
                    self.reach(arc.to, next);
                }
            }
        }
    }

    /// Searches from a node for paths to its neighbors that cost no more than the edges to them. A neighbor without
    /// such a path stays marked as a target.
    fn find_detours(&mut self, edges: &[Vec<Arc>], node: u32) {
        self.round += 1;
        self.heap.clear();
        let mut bound = 0;
        for arc in &edges[node as usize] {
            bound = bound.max(arc.cost);
            self.target[arc.to as usize] = self.round;
            self.reach(arc.to, arc.cost);
        }
        let mut settled = 0;
        while let Some((distance, at)) = self.heap.pop() {
            if distance > self.distance[at as usize] {
                continue;
            }
            settled += 1;
            if settled > MAX_DETOUR_NODES {
                break;
            }
            for arc in &edges[at as usize] {
                let next = distance.saturating_add(arc.cost);
                if arc.to == node || next > bound {
                    continue;
                }
                let known = self.distance(arc.to);
                let target = &mut self.target[arc.to as usize];
                if next <= known && *target == self.round {
                    *target = 0;
                }
                if next < known {
                    self.reach(arc.to, next);
                }
            }
        }
    }

    /// Notes that the current search has reached a node at a distance.
    fn reach(&mut self, node: u32, distance: u32) {
        self.stamp[node as usize] = self.round;
        self.distance[node as usize] = distance;
        self.heap.push((distance, node));
    }

    /// The distance of a node that the current search has reached, otherwise `u32::MAX`.
    fn distance(&self, node: u32) -> u32 {
        if self.stamp[node as usize] == self.round {
            self.distance[node as usize]
        } else {
            u32::MAX
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::naive::{any_graph, chain, distances, edges, hierarchy, least, sum};

    /// The arcs of a node, as tuples of `to`, `cost`, `first` and `last`.
    fn arcs(edges: &[Vec<Arc>], node: usize) -> Vec<(u32, u32, u32, u32)> {
        let arcs = edges[node].iter();
        let mut all: Vec<_> = arcs.map(|a| (a.to, a.cost, a.first, a.last)).collect();
        all.sort_unstable();
        all
    }

    /// Contracts nodes in the given order.
    fn contracted(edges: Vec<Vec<Arc>>, nodes: &[u32]) -> Vec<Vec<Arc>> {
        let mut contraction = Contraction::new(edges);
        for &node in nodes {
            let done = contraction.contract(node);
            done.expect("no cost is too large");
        }
        contraction.edges
    }

    #[test]
    fn dead_ends_are_contracted_first_and_leave_no_shortcut() {
        let hierarchy = hierarchy(&chain(&[5, 7]), 16);
        assert_eq!(hierarchy.order, [0, 2, 1]);
        assert_eq!(arcs(&hierarchy.edges, 0), [(1, 5, 1, 0)]);
        assert_eq!(arcs(&hierarchy.edges, 1), []);
        assert_eq!(arcs(&hierarchy.edges, 2), [(1, 7, 1, 2)]);
    }

    #[test]
    fn a_witness_of_equal_cost_makes_a_shortcut_needless() {
        // The path from 0 over 1 to 2 costs 10, and the path over 3 costs `over_3`.
        for (over_3, shortcuts) in [(9, 0), (10, 0), (11, 1)] {
            let given = [(0, 1, 5), (1, 2, 5), (0, 3, 4), (3, 2, over_3 - 4)];
            let edges = contracted(edges(4, &given), &[1]);
            assert_eq!(edges[0].len(), 1 + shortcuts, "over 3 it costs {over_3}");
            assert_eq!(edges[2].len(), 1 + shortcuts, "over 3 it costs {over_3}");
        }
    }

    #[test]
    fn a_shortcut_replaces_an_edge_that_costs_more() {
        let given = [(0, 1, 5), (1, 2, 5), (0, 2, 30)];
        let edges = contracted(edges(3, &given), &[1]);
        assert_eq!(arcs(&edges, 0), [(2, 10, 1, 1)]);
        assert_eq!(arcs(&edges, 2), [(0, 10, 1, 1)]);
    }

    #[test]
    fn an_edge_that_is_needless_from_one_end_is_removed_at_both() {
        // The path over node 2 costs as much as the edge from 0 to 1, but a search from node 1 gives up among its
        // many leaves.
        let mut given = vec![(0, 1, 10), (0, 2, 5), (1, 2, 5)];
        given.extend((3..3 + MAX_DETOUR_NODES).map(|leaf| (1, leaf, 1)));
        let hierarchy = hierarchy(&edges(3 + MAX_DETOUR_NODES, &given), 0);
        assert!(hierarchy.edges[0].iter().all(|arc| arc.to != 1));
        assert!(hierarchy.edges[1].iter().all(|arc| arc.to != 0));
        assert_eq!(hierarchy.edges[1].len() as u32, 1 + MAX_DETOUR_NODES);
    }

    #[test]
    fn a_witness_search_gives_up_after_twenty_nodes() {
        // Two paths lead from 0 to 2: one over 1, and a chain of cheap edges over many nodes.
        for (nodes, shortcuts) in [(MAX_WITNESS_NODES - 1, 0), (MAX_WITNESS_NODES, 1)] {
            let mut given = vec![(0, 1, 50), (1, 2, 50), (0, 3, 1), (2 + nodes, 2, 1)];
            given.extend((3..2 + nodes).map(|at| (at, at + 1, 1)));
            let edges = contracted(edges(3 + nodes, &given), &[1]);
            assert_eq!(edges[0].len(), 1 + shortcuts, "{nodes} nodes");
        }
    }

    #[test]
    fn neighbors_of_contracted_corners_are_contracted_after_the_others() {
        let order = hierarchy(&ring(5), 16).order;
        assert_eq!(order[..3], [0, 2, 4]);
    }

    #[test]
    fn a_shortcut_over_the_largest_cost_is_refused() {
        let result = |cost| Hierarchy::of(ring(cost), 16, Cancel::NEVER).err();
        assert_eq!(result(MAX_TABLE_COST / 2), None);
        assert_eq!(result(MAX_TABLE_COST / 2 + 1), Some(TablesError::TooLarge));
    }

    /// Six nodes in a ring: the first contraction always needs a shortcut.
    fn ring(cost: u32) -> Vec<Vec<Arc>> {
        let given: Vec<_> = (0..6).map(|at| (at, (at + 1) % 6, cost)).collect();
        edges(6, &given)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn paths_that_climb_cross_the_core_and_descend_are_as_cheap_as_any(
            graph in any_graph(), max_degree in prop_oneof![0usize..6, Just(16)],
        ) {
            let hierarchy = graph.hierarchy(max_degree);
            let (all, climbs) = (distances(&graph.edges), distances(&hierarchy.edges));
            for (from, to) in pairs(all.len()) {
                let over = |node: usize| sum(climbs[from][node], climbs[to][node]);
                let met = (0..all.len()).map(over).fold(None, least);
                prop_assert_eq!(met, all[from][to], "{} to {}", from, to);
            }
        }

        #[test]
        fn edges_lead_upward_and_name_the_ends_of_their_paths(
            graph in any_graph(), max_degree in prop_oneof![0usize..6, Just(16)],
        ) {
            let hierarchy = graph.hierarchy(max_degree);
            let all = distances(&graph.edges);
            let place = |node: u32| hierarchy.order.iter().position(|&at| at == node);
            for (from, arcs) in (0..).zip(&hierarchy.edges) {
                prop_assert_eq!(hierarchy.contracted[from as usize], place(from).is_some());
                for arc in arcs {
                    // Nodes that are not in the order are the core, which is above all nodes in the order.
                    let is_upward = place(arc.to).is_none() || place(from) < place(arc.to);
                    prop_assert!(is_upward && (place(arc.to).is_none() || place(from).is_some()));
                    let cost = Some(u64::from(arc.cost));
                    prop_assert!(cost >= all[from as usize][arc.to as usize]);
                    let joined = |a: u32, b: u32| {
                        let found = graph.edges[a as usize].iter().find(|edge| edge.to == b);
                        found.map(|edge| u64::from(edge.cost))
                    };
                    let by_first = sum(joined(from, arc.first), all[arc.first as usize][arc.to as usize]);
                    let by_last = sum(joined(arc.to, arc.last), all[arc.last as usize][from as usize]);
                    prop_assert!(by_first.is_some_and(|by| Some(by) <= cost), "first of {:?}", arc);
                    prop_assert!(by_last.is_some_and(|by| Some(by) <= cost), "last of {:?}", arc);
                }
            }
        }

        #[test]
        fn every_edge_of_the_core_is_cheaper_than_any_other_path_through_the_core(graph in any_graph()) {
            let hierarchy = graph.hierarchy(3);
            let core: Vec<usize> = (0..graph.edges.len()).filter(|&at| !hierarchy.contracted[at]).collect();
            let mut edges = hierarchy.edges.clone();
            for (at, arcs) in edges.iter_mut().enumerate() {
                arcs.retain(|_| !hierarchy.contracted[at]);
            }
            // No search for detours gives up, because it may settle 150 nodes.
            prop_assert!(core.len() <= 60);
            for &from in &core {
                for arc in &hierarchy.edges[from] {
                    let back = edges[arc.to as usize].iter().find(|back| back.to as usize == from);
                    prop_assert_eq!(back.map(|back| back.cost), Some(arc.cost));
                    let around = edges[from].iter().filter(|other| other.to != arc.to);
                    let detour = around.map(|other| {
                        let rest = shortest_without(&edges, other.to as usize, arc.to as usize, from);
                        sum(Some(u64::from(other.cost)), rest)
                    });
                    let detour = detour.fold(None, least);
                    prop_assert!(detour.is_none_or(|detour| detour > u64::from(arc.cost)));
                }
            }
        }
    }

    fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..count).flat_map(move |a| (0..count).map(move |b| (a, b)))
    }

    /// Cost of the cheapest path between two nodes that avoids a third (Bellman, 1958).
    fn shortest_without(edges: &[Vec<Arc>], from: usize, to: usize, without: usize) -> Option<u64> {
        let mut distances = vec![None; edges.len()];
        distances[from] = Some(0);
        loop {
            let before = distances.clone();
            for at in (0..edges.len()).filter(|&at| at != without) {
                for arc in &edges[at] {
                    let over = sum(distances[at], Some(u64::from(arc.cost)));
                    let known = &mut distances[arc.to as usize];
                    *known = least(*known, over);
                }
            }
            if distances == before {
                return distances[to];
            }
        }
    }
}
