//! Pruned labeling of a graph (Akiba, Iwata and Yoshida, 2013), in an order that comes from sampled
//! shortest-path trees (Delling, Goldberg, Pajor and Werneck, 2014).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::contract::NONE;
use super::error::{MAX_COST, TablesError};
use crate::cancel::{Cancelled, Watch};

/// A graph as flat arrays (*compressed sparse rows*). Each edge is there twice.
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

    fn degree(&self, node: u32) -> usize {
        (self.starts[node as usize + 1] - self.starts[node as usize]) as usize
    }

    #[inline]
    fn neighbors(&self, node: u32) -> impl Iterator<Item = (u32, u32)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.to[range.clone()]
            .iter()
            .copied()
            .zip(self.cost[range].iter().copied())
    }
}

/// One entry of a label in the making.
#[derive(Clone, Copy)]
pub(super) struct DraftEntry {
    pub(super) hub: u32,
    pub(super) distance: u32,
    pub(super) first: u32,
}

/// The labels of a graph in the making: each node that is chosen becomes the next hub.
pub(super) struct Cover<'a> {
    graph: &'a Graph,
    pub(super) labels: Vec<Vec<DraftEntry>>,
    /// Nodes in the order of importance: the hubs.
    order: Vec<u32>,
    is_hub: Vec<bool>,
    /// Of all labels together.
    entries: usize,
    search: PrunedSearch,
    trees: Vec<Tree>,
    /// For each node, the trees that it is in, and its place there.
    occurrences: Vec<Vec<(u32, u32)>>,
    /// For each node, the sum of its subtree sizes: how many sampled paths it would cover as a hub.
    scores: Vec<u32>,
    /// Scores and nodes. A score may be out of date.
    queue: BinaryHeap<(u32, u32)>,
    /// Nodes of all trees that are not covered yet.
    uncovered: usize,
    /// Scores by the first trees, for the nodes of `remaining`.
    first_scores: Vec<u32>,
    /// Nodes that became no hub while trees told which, each after its score. The most important one is last.
    remaining: Vec<(u32, u32)>,
}

/// Trees are added while fewer nodes of trees than this, per node of the graph, are not covered yet.
const UNCOVERED_PER_NODE: usize = 8;
/// One tree is sampled for this many nodes of the graph, at most, and 64 more.
const TREES_PER_NODE: usize = 8;
/// Mean number of nodes of the last trees at which sampling ends.
const SMALL_TREE: u64 = 24;
/// How many of the first trees rank the nodes that remain when sampling has ended.
const FIRST_TREES: usize = 8;

/// Which trees to sample.
struct Sampler {
    state: u64,
    left: usize,
    /// Nodes of the last eight trees, about: a running sum that loses an eighth with each tree.
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

/// A sampled tree of cheapest paths. Places are numbered by distance from the root.
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
/// A hub at node 2 covers places 1 and 3: their sizes become 0, and that of the root 2.
struct Tree {
    nodes: Vec<u32>,
    parents: Vec<u32>,
    /// Nodes of the subtree that are not covered, its root included; 0 once that is covered.
    subtree_size: Vec<u32>,
    first_child: Vec<u32>,
    sibling: Vec<u32>,
}

/// Dijkstra's algorithm, pruned by the labels there are; its arrays are reused.
struct PrunedSearch {
    distance: Vec<u32>,
    parent: Vec<u32>,
    heap: BinaryHeap<Reverse<u64>>,
    touched: Vec<u32>,
    /// Distances of the root's hubs, by hub.
    hubs: Vec<u32>,
    settled: Vec<u32>,
    /// Whether some path was too long.
    too_far: bool,
}

impl PrunedSearch {
    fn new(count: usize, watch: &mut Watch<'_>) -> Result<Self, Cancelled> {
        Ok(Self {
            distance: watch.collect(count, |_| u32::MAX)?,
            parent: watch.collect(count, |_| NONE)?,
            heap: BinaryHeap::new(),
            touched: Vec::new(),
            hubs: watch.collect(count, |_| u32::MAX)?,
            settled: Vec::new(),
            too_far: false,
        })
    }

    /// Cheapest paths from `root`, each up to where a hub is known to lie on it.
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
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        watch.pass_words(4 * labels[root as usize].len())?;
        for entry in &labels[root as usize] {
            self.hubs[entry.hub as usize] = entry.distance;
        }
        watch.pieces(self.touched.len(), |piece| {
            let nodes = &self.touched[piece];
            nodes
                .iter()
                .for_each(|&node| self.distance[node as usize] = u32::MAX);
        })?;
        self.touched.clear();
        self.settled.clear();
        self.heap.clear();
        self.distance[root as usize] = 0;
        self.parent[root as usize] = NONE;
        self.touched.push(root);
        self.heap.push(Reverse(u64::from(root)));
        while let Some(Reverse(key)) = self.heap.pop() {
            let (distance, node) = ((key >> 32) as u32, key as u32);
            if distance > self.distance[node as usize] {
                continue;
            }
            watch.pass_words(2 * labels[node as usize].len() + 3 * graph.degree(node))?;
            let is_covered = labels[node as usize].iter().any(|entry| {
                self.hubs[entry.hub as usize].saturating_add(entry.distance) <= distance
            });
            if is_covered {
                continue;
            }
            self.settled.push(node);
            for (to, cost) in graph.neighbors(node) {
                let next = distance + cost;
                if next > MAX_COST {
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
                    self.heap
                        .push(Reverse(u64::from(next) << 32 | u64::from(to)));
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
    fn new(graph: &'a Graph, watch: &mut Watch<'_>) -> Result<Self, Cancelled> {
        let count = graph.count();
        Ok(Self {
            graph,
            labels: watch.collect(count, |_| Vec::new())?,
            order: Vec::with_capacity(count),
            is_hub: vec![false; count],
            entries: 0,
            search: PrunedSearch::new(count, watch)?,
            trees: Vec::new(),
            occurrences: watch.collect(count, |_| Vec::new())?,
            scores: vec![0; count],
            queue: BinaryHeap::new(),
            uncovered: 0,
            first_scores: vec![0; count],
            remaining: Vec::new(),
        })
    }

    pub(super) fn run(
        graph: &'a Graph,
        limit: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Self>, TablesError> {
        let count = graph.count();
        let mut cover = Self::new(graph, watch)?;
        let mut sampler = Sampler {
            state: 0,
            left: count / TREES_PER_NODE + 64,
            size: SMALL_TREE * 64,
        };
        while cover.order.len() < count {
            cover.sample_trees(&mut sampler, watch)?;
            let node = cover.most_covering(watch)?;
            cover.add_hub(node, watch)?;
            if cover.search.too_far {
                return Err(TablesError::TooLarge);
            }
            if cover.entries > limit {
                return Ok(None);
            }
        }
        Ok(Some(cover))
    }

    /// Samples trees until those there are leave enough nodes to cover.
    fn sample_trees(
        &mut self,
        sampler: &mut Sampler,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        let count = self.labels.len();
        for _ in 0..64 {
            if self.uncovered >= UNCOVERED_PER_NODE * count
                || sampler.left == 0
                || sampler.size < SMALL_TREE * 8
            {
                break;
            }
            sampler.left -= 1;
            let root = sampler.random(count as u32);
            if self.is_hub[root as usize] {
                continue;
            }
            self.sample_tree(root, watch)?;
            sampler.size = sampler.size * 7 / 8 + self.search.settled.len() as u64;
            if self.trees.len() <= FIRST_TREES {
                self.first_scores = watch.copy(&self.scores)?;
            }
        }
        Ok(())
    }

    /// Samples a tree.
    fn sample_tree(&mut self, root: u32, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        let search = &mut self.search;
        search.run(self.graph, &self.labels, root, watch)?;
        let nodes = watch.copy(&search.settled)?;
        let count = nodes.len();
        // The distances are not needed any more: now they hold places in the tree.
        watch.pieces(count, |piece| {
            piece.for_each(|at| search.distance[nodes[at] as usize] = at as u32);
        })?;
        let parents = watch.collect(count, |at| match search.parent[nodes[at] as usize] {
            NONE => NONE,
            parent => search.distance[parent as usize],
        })?;
        let mut subtree_size = watch.collect(count, |_| 1)?;
        let mut first_child = watch.collect(count, |_| NONE)?;
        let mut sibling = watch.collect(count, |_| NONE)?;
        for at in (1..count).rev() {
            watch.pass(1)?;
            let parent = parents[at] as usize;
            subtree_size[parent] += subtree_size[at];
            sibling[at] = first_child[parent];
            first_child[parent] = at as u32;
        }
        let tree = self.trees.len() as u32;
        for (at, &node) in nodes.iter().enumerate() {
            watch.pass(1)?;
            self.occurrences[node as usize].push((tree, at as u32));
            self.scores[node as usize] += subtree_size[at];
            self.queue.push((self.scores[node as usize], node));
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

    /// The node that covers most of the trees, as far as they tell.
    fn most_covering(&mut self, watch: &mut Watch<'_>) -> Result<u32, Cancelled> {
        while let Some((score, node)) = self.queue.pop() {
            watch.pass(1)?;
            if self.is_hub[node as usize] {
                continue;
            }
            let now = self.scores[node as usize];
            if score == now {
                return Ok(node);
            }
            if score > now && now > 0 {
                self.queue.push((now, node));
            }
        }
        if self.remaining.is_empty() {
            watch.pieces(self.is_hub.len(), |piece| {
                let left = piece.filter(|&node| !self.is_hub[node]);
                self.remaining
                    .extend(left.map(|node| (self.first_scores[node], node as u32)));
            })?;
            watch.sort(&mut self.remaining)?;
        }
        loop {
            watch.pass(1)?;
            match self.remaining.pop() {
                Some((_, node)) if self.is_hub[node as usize] => {}
                // There is one: this is called only while some node is no hub.
                last => return Ok(last.map_or(0, |(_, node)| node)),
            }
        }
    }

    /// Makes a node the next hub, and takes what it covers out of the trees.
    fn add_hub(&mut self, node: u32, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        let hub = self.order.len() as u32;
        self.order.push(node);
        self.is_hub[node as usize] = true;
        self.search.run(self.graph, &self.labels, node, watch)?;
        for &at in &self.search.settled {
            watch.pass(1)?;
            self.labels[at as usize].push(DraftEntry {
                hub,
                distance: self.search.distance[at as usize],
                first: self.search.parent[at as usize],
            });
        }
        self.entries += self.search.settled.len();
        let mut stack = Vec::new();
        for (tree, place) in std::mem::take(&mut self.occurrences[node as usize]) {
            watch.pass(1)?;
            let tree = &mut self.trees[tree as usize];
            let covered = tree.subtree_size[place as usize];
            if covered == 0 {
                continue;
            }
            let mut up = tree.parents[place as usize];
            while up != NONE {
                watch.pass(1)?;
                tree.subtree_size[up as usize] -= covered;
                self.scores[tree.nodes[up as usize] as usize] -= covered;
                up = tree.parents[up as usize];
            }
            stack.push(place);
            while let Some(at) = stack.pop() {
                watch.pass(1)?;
                let at = at as usize;
                if tree.subtree_size[at] == 0 {
                    continue;
                }
                self.scores[tree.nodes[at] as usize] -= tree.subtree_size[at];
                tree.subtree_size[at] = 0;
                self.uncovered -= 1;
                let mut child = tree.first_child[at];
                while child != NONE {
                    stack.push(child);
                    child = tree.sibling[child as usize];
                }
            }
        }
        Ok(())
    }
}
