//! Pruned labeling of a graph (Akiba, Iwata and Yoshida, 2013), in an order that comes from sampled
//! shortest-path trees (Delling, Goldberg, Pajor and Werneck, 2014).

use std::cmp::Reverse;

use super::contract::NO_NODE;
use super::error::{MAX_TABLE_COST, TablesError};
use crate::cancel::{Cancel, Cancelled};
use crate::heap::MinHeap;

/// A graph as flat arrays (*compressed sparse rows*). It holds each edge twice.
///
/// ```text
/// edges       0-1 costs 5, 1-2 costs 7
///
/// node        0   1       2
/// starts      0   1       3   4
/// to          1   0   2   1
/// cost        5   5   7   7
/// ```
pub(super) struct Graph {
    pub(super) starts: Vec<u32>,
    pub(super) to: Vec<u32>,
    pub(super) cost: Vec<u32>,
}

impl Graph {
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    fn neighbors(&self, node: u32) -> impl Iterator<Item = (u32, u32)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        let costs = self.cost[range.clone()].iter().copied();
        self.to[range].iter().copied().zip(costs)
    }
}

/// One entry of a label under construction.
#[derive(Clone, Copy)]
pub(super) struct DraftEntry {
    pub(super) hub: u32,
    pub(super) distance: u32,
    pub(super) first: u32,
}

/// Labels of a graph, under construction. Nodes are chosen one by one, and each chosen node becomes the next hub.
pub(super) struct Cover<'a> {
    graph: &'a Graph,
    pub(super) labels: Vec<Vec<DraftEntry>>,
    /// The nodes that are hubs so far, from the most to the least important.
    order: Vec<u32>,
    is_hub: Vec<bool>,
    /// Number of entries in all labels.
    entries: usize,
    search: PrunedSearch,
    trees: Vec<Tree>,
    /// For each node, the trees that contain it, and the node's place in each such [`Tree`].
    occurrences: Vec<Vec<(u32, u32)>>,
    /// For each node, the sum of its subtree sizes in all trees. This is the number of sampled paths that the node
    /// would cover if it became a hub.
    scores: Vec<u32>,
    /// A queue of nodes with their scores, which may be out of date. The highest score comes first.
    queue: MinHeap<Reverse<(u32, u32)>>,
    /// Number of nodes in all trees that are not covered yet.
    uncovered: usize,
    /// Scores from the first trees, which rank the nodes of `remaining`.
    first_scores: Vec<u32>,
    /// When all trees are covered, the nodes that are not yet hubs are listed here, with their first scores. The most
    /// important node is last.
    remaining: Vec<(u32, u32)>,
}

/// Trees are added until they have at least this many uncovered nodes for each node of the graph.
const UNCOVERED_PER_NODE: usize = 8;
/// The number of sampled trees is at most 64, plus one for each group of this many nodes in the graph.
const TREES_PER_NODE: usize = 8;
/// Sampling ends when the most recent trees have fewer nodes than this on average.
const MIN_MEAN_TREE_NODES: u64 = 24;
/// Number of trees whose scores rank the nodes that remain when sampling has ended. They are the first trees.
const RANKING_TREES: usize = 8;

/// The choice of the trees to sample.
struct Sampler {
    state: u64,
    /// Number of trees that may still be sampled.
    remaining_trees: usize,
    /// Approximate number of nodes in the last eight trees: a running sum that loses an eighth with each tree.
    size: u64,
}

impl Sampler {
    fn random(&mut self, below: u32) -> u32 {
        // Steele, Lea and Flood, 2014: SplitMix64.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((((z ^ (z >> 31)) >> 32) * u64::from(below)) >> 32) as u32
    }
}

/// A sampled tree of cheapest paths. The *place* of a node is its index in the arrays, which are sorted by
/// distance from the root.
///
/// ```text
///   root 7           place            0    1    2    3
///    ╱  ╲            nodes            7    2    5    9
///   2    5           parents          -    0    0    1
///   │                subtree_size     4    2    1    1
///   9                first_child      1    3    -    -
///                    sibling          -    2    -    -
/// ```
///
/// A hub at node 2 covers places 1 and 3: their sizes become 0, and the size of the root becomes 2.
struct Tree {
    nodes: Vec<u32>,
    parents: Vec<u32>,
    /// For each place, the number of uncovered nodes in its subtree, including the subtree's root. It is 0 once
    /// that root is covered.
    subtree_size: Vec<u32>,
    first_child: Vec<u32>,
    sibling: Vec<u32>,
}

/// Dijkstra's algorithm, pruned by the existing labels. Its arrays are reused.
struct PrunedSearch {
    distance: Vec<u32>,
    parent: Vec<u32>,
    heap: MinHeap<u64>,
    touched: Vec<u32>,
    /// For each hub in the label of the search's root, its distance from the root.
    hubs: Vec<u32>,
    settled: Vec<u32>,
    /// Whether the search met a path that costs more than [`MAX_TABLE_COST`]. Even a path that visits a node twice is taken
    /// into account.
    too_far: bool,
}

impl PrunedSearch {
    fn new(count: usize) -> Self {
        Self {
            distance: vec![u32::MAX; count],
            parent: vec![NO_NODE; count],
            heap: MinHeap::default(),
            touched: Vec::new(),
            hubs: vec![u32::MAX; count],
            settled: Vec::new(),
            too_far: false,
        }
    }

    /// Finds cheapest paths from `root`. The search goes no further from a node if a known hub lies on a cheapest
    /// path from `root` to this node.
    ///
    /// ```text
    /// bit   63      32 31       0
    /// key   [distance] [node    ]       of the heap
    /// ```
    fn run(
        &mut self,
        graph: &Graph,
        labels: &[Vec<DraftEntry>],
        root: u32,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        for entry in &labels[root as usize] {
            self.hubs[entry.hub as usize] = entry.distance;
        }
        for node in self.touched.drain(..) {
            self.distance[node as usize] = u32::MAX;
        }
        self.settled.clear();
        self.heap.clear();
        self.distance[root as usize] = 0;
        self.parent[root as usize] = NO_NODE;
        self.touched.push(root);
        self.heap.push(u64::from(root));
        while let Some(key) = self.heap.pop() {
            let (distance, node) = ((key >> 32) as u32, key as u32);
            if distance > self.distance[node as usize] {
                continue;
            }
            let is_covered = labels[node as usize].iter().any(|entry| {
                self.hubs[entry.hub as usize].saturating_add(entry.distance) <= distance
            });
            if is_covered {
                continue;
            }
            cancel.check_at(self.settled.len() as u32)?;
            self.settled.push(node);
            for (to, cost) in graph.neighbors(node) {
                let next = distance + cost;
                if next > MAX_TABLE_COST {
                    self.too_far = true;
                    continue;
                }
                let old = &mut self.distance[to as usize];
                if next < *old {
                    if *old == u32::MAX {
                        self.touched.push(to);
                    }
                    *old = next;
                    self.parent[to as usize] = node;
                    self.heap.push(u64::from(next) << 32 | u64::from(to));
                }
            }
        }
        for entry in &labels[root as usize] {
            self.hubs[entry.hub as usize] = u32::MAX;
        }
        Ok(())
    }
}

impl<'a> Cover<'a> {
    fn new(graph: &'a Graph) -> Self {
        let count = graph.count();
        Self {
            graph,
            labels: vec![Vec::new(); count],
            order: Vec::with_capacity(count),
            is_hub: vec![false; count],
            entries: 0,
            search: PrunedSearch::new(count),
            trees: Vec::new(),
            occurrences: vec![Vec::new(); count],
            scores: vec![0; count],
            queue: MinHeap::default(),
            uncovered: 0,
            first_scores: vec![0; count],
            remaining: Vec::new(),
        }
    }

    pub(super) fn run(
        graph: &'a Graph,
        limit: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, TablesError> {
        let count = graph.count();
        let mut cover = Self::new(graph);
        let mut sampler = Sampler {
            state: 0,
            remaining_trees: count / TREES_PER_NODE + 64,
            size: MIN_MEAN_TREE_NODES * 64,
        };
        while cover.order.len() < count {
            cancel.check()?;
            cover.sample_trees(&mut sampler, cancel)?;
            let node = cover.most_covering();
            cover.add_hub(node, cancel)?;
            if cover.search.too_far {
                return Err(TablesError::TooLarge);
            }
            if cover.entries > limit {
                return Err(TablesError::Scattered);
            }
        }
        Ok(cover)
    }

    /// Samples trees until they have enough uncovered nodes.
    fn sample_trees(&mut self, sampler: &mut Sampler, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let count = self.labels.len();
        for _ in 0..64 {
            if self.uncovered >= UNCOVERED_PER_NODE * count
                || sampler.remaining_trees == 0
                || sampler.size < MIN_MEAN_TREE_NODES * 8
            {
                break;
            }
            sampler.remaining_trees -= 1;
            let root = sampler.random(count as u32);
            if self.is_hub[root as usize] {
                continue;
            }
            self.sample_tree(root, cancel)?;
            sampler.size = sampler.size * 7 / 8 + self.search.settled.len() as u64;
            if self.trees.len() <= RANKING_TREES {
                self.first_scores = self.scores.to_vec();
            }
        }
        Ok(())
    }

    /// Samples the tree of cheapest paths from `root`.
    fn sample_tree(&mut self, root: u32, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let search = &mut self.search;
        search.run(self.graph, &self.labels, root, cancel)?;
        let nodes = search.settled.to_vec();
        let count = nodes.len();
        // The distances are no longer needed, so their array now holds places in the tree.
        for (at, &node) in nodes.iter().enumerate() {
            search.distance[node as usize] = at as u32;
        }
        let parents: Vec<u32> = (0..count)
            .map(|at| match search.parent[nodes[at] as usize] {
                NO_NODE => NO_NODE,
                parent => search.distance[parent as usize],
            })
            .collect();
        let mut subtree_size = vec![1; count];
        let mut first_child = vec![NO_NODE; count];
        let mut sibling = vec![NO_NODE; count];
        for at in (1..count).rev() {
            let parent = parents[at] as usize;
            subtree_size[parent] += subtree_size[at];
            sibling[at] = first_child[parent];
            first_child[parent] = at as u32;
        }
        let tree = self.trees.len() as u32;
        for (at, &node) in nodes.iter().enumerate() {
            self.occurrences[node as usize].push((tree, at as u32));
            self.scores[node as usize] += subtree_size[at];
            self.queue.push(Reverse((self.scores[node as usize], node)));
        }
        self.uncovered += count;
        self.trees.push(Tree {
            nodes,
            parents,
            subtree_size,
            first_child,
            sibling,
        });
        Ok(())
    }

    /// The node that covers the most paths of the sampled trees. Once all trees are covered, it is the node that
    /// covered the most paths of the first trees.
    fn most_covering(&mut self) -> u32 {
        while let Some(Reverse((score, node))) = self.queue.pop() {
            if self.is_hub[node as usize] {
                continue;
            }
            let now = self.scores[node as usize];
            if score == now {
                return node;
            }
            if score > now && now > 0 {
                self.queue.push(Reverse((now, node)));
            }
        }
        if self.remaining.is_empty() {
            let remaining = (0..self.is_hub.len()).filter(|&node| !self.is_hub[node]);
            self.remaining
                .extend(remaining.map(|node| (self.first_scores[node], node as u32)));
            self.remaining.sort_unstable();
        }
        loop {
            match self.remaining.pop() {
                Some((_, node)) if self.is_hub[node as usize] => {}
                last => return last.expect("invariant: some node is no hub yet").1,
            }
        }
    }

    /// Makes a node the next hub, and removes the nodes that it covers from the trees.
    fn add_hub(&mut self, node: u32, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let hub = self.order.len() as u32;
        self.order.push(node);
        self.is_hub[node as usize] = true;
        self.search.run(self.graph, &self.labels, node, cancel)?;
        for &at in &self.search.settled {
            self.labels[at as usize].push(DraftEntry {
                hub,
                distance: self.search.distance[at as usize],
                first: self.search.parent[at as usize],
            });
        }
        self.entries += self.search.settled.len();
        let mut stack = Vec::new();
        for (tree, place) in std::mem::take(&mut self.occurrences[node as usize]) {
            let tree = &mut self.trees[tree as usize];
            let covered = tree.subtree_size[place as usize];
            if covered == 0 {
                continue;
            }
            let mut up = tree.parents[place as usize];
            while up != NO_NODE {
                tree.subtree_size[up as usize] -= covered;
                self.scores[tree.nodes[up as usize] as usize] -= covered;
                up = tree.parents[up as usize];
            }
            stack.push(place);
            while let Some(at) = stack.pop() {
                let at = at as usize;
                if tree.subtree_size[at] == 0 {
                    continue;
                }
                self.scores[tree.nodes[at] as usize] -= tree.subtree_size[at];
                tree.subtree_size[at] = 0;
                self.uncovered -= 1;
                let mut child = tree.first_child[at];
                while child != NO_NODE {
                    stack.push(child);
                    child = tree.sibling[child as usize];
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::contract::Arc;
    use crate::tables::naive::{self, any_graph, chain, distances, edges};

    /// A graph from the arcs of each node.
    fn flat(edges: &[Vec<Arc>]) -> Graph {
        let mut graph = Graph {
            starts: vec![0],
            to: Vec::new(),
            cost: Vec::new(),
        };
        for arcs in edges {
            graph.to.extend(arcs.iter().map(|arc| arc.to));
            graph.cost.extend(arcs.iter().map(|arc| arc.cost));
            graph.starts.push(graph.to.len() as u32);
        }
        graph
    }

    fn run(graph: &Graph, limit: usize) -> Result<Cover<'_>, TablesError> {
        Cover::run(graph, limit, Cancel::NEVER)
    }

    /// Node 3, joined to six other nodes.
    fn star() -> Graph {
        let given: Vec<_> = [0, 1, 2, 4, 5, 6].map(|leaf| (3, leaf, 10 + leaf)).into();
        flat(&edges(7, &given))
    }

    #[test]
    fn the_picture_of_a_graph_is_right() {
        let graph = flat(&chain(&[5, 7]));
        assert_eq!(graph.starts, [0, 1, 3, 4]);
        let neighbors = |node| graph.neighbors(node).collect::<Vec<_>>();
        assert_eq!([neighbors(0), neighbors(2)], [[(1, 5)], [(1, 7)]]);
        assert_eq!(neighbors(1), [(0, 5), (2, 7)]);
    }

    #[test]
    fn labels_with_too_many_entries_are_rejected() {
        let graph = star();
        let is_given_up = |limit| run(&graph, limit).err() == Some(TablesError::Scattered);
        // The node in the middle has one entry, and each leaf has two.
        assert!(!is_given_up(13));
        assert!(is_given_up(12));
    }

    #[test]
    fn paths_over_the_largest_cost_are_refused() {
        let result = |cost| run(&flat(&chain(&[cost, cost])), usize::MAX).err();
        // The search also looks at the path from end to end and back to the middle.
        assert_eq!(result(MAX_TABLE_COST / 3), None);
        assert_eq!(result(MAX_TABLE_COST / 2 + 1), Some(TablesError::TooLarge));
    }

    #[test]
    fn the_picture_of_a_sampled_tree_is_right() {
        let graph = flat(&edges(10, &[(7, 2, 1), (7, 5, 1), (2, 9, 5)]));
        let cancel = Cancel::NEVER;
        let mut cover = Cover::new(&graph);
        cover.sample_tree(7, cancel).expect("nobody cancels it");
        let tree = &cover.trees[0];
        assert_eq!(tree.nodes, [7, 2, 5, 9]);
        assert_eq!(tree.parents, [NO_NODE, 0, 0, 1]);
        assert_eq!(tree.subtree_size, [4, 2, 1, 1]);
        assert_eq!(tree.first_child, [1, 3, NO_NODE, NO_NODE]);
        assert_eq!(tree.sibling, [NO_NODE, 2, NO_NODE, NO_NODE]);
        cover.add_hub(2, cancel).expect("nobody cancels it");
        assert_eq!(cover.trees[0].subtree_size, [2, 0, 1, 0]);
        assert_eq!(
            (cover.uncovered, cover.scores[7], cover.scores[9]),
            (2, 2, 0)
        );
    }

    #[test]
    fn the_first_random_numbers_equal_splitmix64() {
        let mut sampler = Sampler {
            state: 0,
            remaining_trees: 0,
            size: 0,
        };
        // The first two numbers from seed 0 are E220A8397B1DCDAF and 6E789E6AA1B965F4 (Vigna, 2015).
        assert_eq!(sampler.random(1 << 16), 0xE220);
        assert_eq!(sampler.random(1 << 8), 0x6E);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn a_label_has_the_hubs_to_which_no_cheapest_path_passes_an_earlier_hub(graph in any_graph()) {
            let flat = flat(&graph.edges);
            let cover = run(&flat, usize::MAX).expect("no cost is too large");
            let all = distances(&graph.edges);
            let (count, mut entries) = (all.len(), 0);
            let mut order = cover.order.clone();
            order.sort_unstable();
            prop_assert_eq!(order, (0..graph.count()).collect::<Vec<_>>());
            for node in 0..count {
                let label = &cover.labels[node];
                let found: Vec<_> = label.iter().map(|entry| (entry.hub, entry.distance)).collect();
                prop_assert_eq!(found, naive::label(&all, &cover.order, node), "label of {}", node);
                for entry in label {
                    let hub_node = cover.order[entry.hub as usize] as usize;
                    if entry.first == NO_NODE {
                        prop_assert_eq!(hub_node, node);
                    } else {
                        let first = graph.edges[node].iter().find(|arc| arc.to == entry.first);
                        let cost = u64::from(first.expect("a neighbor").cost);
                        let rest = all[entry.first as usize][hub_node].expect("a path");
                        prop_assert_eq!(cost + rest, u64::from(entry.distance));
                    }
                }
                entries += label.len();
            }
            prop_assert_eq!(cover.entries, entries);
        }

        #[test]
        fn scores_count_the_uncovered_tree_nodes_below_each_node(graph in any_graph(), seed: u64) {
            let flat = flat(&graph.edges);
            let cancel = Cancel::NEVER;
            let mut random = fastrand::Rng::with_seed(seed);
            let mut cover = Cover::new(&flat);
            cover.first_scores = (0..graph.count()).map(|_| random.u32(0..5)).collect();
            while cover.order.len() < graph.edges.len() {
                while random.bool() {
                    let root = random.u32(0..graph.count());
                    if !cover.is_hub[root as usize] {
                        cover.sample_tree(root, cancel).expect("nobody cancels it");
                    }
                }
                check_trees(&cover)?;
                let free = || (0..graph.count()).filter(|&node| !cover.is_hub[node as usize]);
                let best = |scores: &[u32]| free().map(|node| (scores[node as usize], node)).max();
                let expected = best(&cover.scores).filter(|&(score, _)| score > 0);
                let expected = expected.or(best(&cover.first_scores)).map(|(_, node)| node);
                let node = cover.most_covering();
                prop_assert_eq!(Some(node), expected);
                cover.add_hub(node, cancel).expect("nobody cancels it");
            }
            check_trees(&cover)?;
        }
    }

    /// Checks the counts of all trees, by climbing from each node to the root.
    fn check_trees(cover: &Cover<'_>) -> Result<(), TestCaseError> {
        let mut scores = vec![0; cover.labels.len()];
        let mut uncovered = 0;
        for tree in &cover.trees {
            let mut sizes = vec![0; tree.nodes.len()];
            for place in 0..tree.nodes.len() {
                let up = |&at: &usize| {
                    Some(tree.parents[at] as usize).filter(|_| tree.parents[at] != NO_NODE)
                };
                let line: Vec<usize> = std::iter::successors(Some(place), up).collect();
                if line
                    .iter()
                    .all(|&at| !cover.is_hub[tree.nodes[at] as usize])
                {
                    uncovered += 1;
                    line.iter().for_each(|&at| sizes[at] += 1);
                }
            }
            prop_assert_eq!(&tree.subtree_size, &sizes);
            for (&node, size) in tree.nodes.iter().zip(sizes) {
                scores[node as usize] += size;
            }
        }
        prop_assert_eq!(&cover.scores, &scores);
        prop_assert_eq!(cover.uncovered, uncovered);
        Ok(())
    }
}
