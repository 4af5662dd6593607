//! Pruned labeling of a graph (Akiba, Iwata and Yoshida, 2013), in an order that comes from sampled
//! shortest-path trees (Delling, Goldberg, Pajor and Werneck, 2014).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::contract::NONE;
use super::error::{MAX_COST, TablesError};
use crate::cancel::{Cancelled, Watch};

/// A graph as flat arrays.
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
    fn around(&self, node: u32) -> impl Iterator<Item = (u32, u32)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.to[range.clone()]
            .iter()
            .copied()
            .zip(self.cost[range].iter().copied())
    }
}

/// One entry of a label in the making.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) hub: u32,
    pub(super) distance: u32,
    pub(super) first: u32,
}

/// The labels of a graph in the making: each node that is chosen becomes the next hub.
pub(super) struct Cover<'a> {
    graph: &'a Graph,
    pub(super) labels: Vec<Vec<Found>>,
    /// Nodes in the order of importance: the hubs.
    order: Vec<u32>,
    chosen: Vec<bool>,
    entries: usize,
    search: Search,
    trees: Vec<Tree>,
    /// For each node, where it is in the trees.
    places: Vec<Vec<(u32, u32)>>,
    /// For each node, the pairs of a tree's root and a node behind it.
    scores: Vec<u32>,
    queue: BinaryHeap<(u32, u32)>,
    /// Nodes of trees that are not covered yet.
    live: usize,
    /// Scores by the first trees.
    base: Vec<u32>,
    /// Nodes that no tree has, each after its score, the most important one last.
    rest: Vec<(u32, u32)>,
}

/// Trees are added while the parts of them that are not covered yet have fewer nodes per node of the
/// graph than this.
const LIVE_PER_NODE: usize = 8;
/// Nodes of the graph for each tree sampled, at most, but for the first few.
const TREES_PER_NODE: usize = 8;
/// Mean number of nodes of the last trees at which sampling ends.
const SMALL_TREE: u64 = 24;
/// Trees that rank the nodes which are left when sampling has ended.
const FIRST_TREES: usize = 8;

/// Which trees to sample.
struct Sample {
    state: u64,
    left: usize,
    /// Nodes of the last eight trees or so.
    size: u64,
}

impl Sample {
    fn random(&mut self, below: u32) -> u32 {
        // Steele, Lea and Flood, 2014: SplitMix64.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((((z ^ (z >> 31)) >> 32) * u64::from(below)) >> 32) as u32
    }
}

/// A sampled tree of cheapest paths: nodes by distance from the root.
struct Tree {
    nodes: Vec<u32>,
    parents: Vec<u32>,
    /// Nodes behind this one, itself included; 0 once it is covered.
    behind: Vec<u32>,
    first_child: Vec<u32>,
    sibling: Vec<u32>,
}

/// Dijkstra's algorithm, pruned by the labels there are; its arrays are reused.
struct Search {
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

impl Search {
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

    /// Cheapest paths from `root` as far as no known hub lies on them.
    fn run(
        &mut self,
        graph: &Graph,
        labels: &[Vec<Found>],
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
            let known = labels[node as usize].iter().any(|entry| {
                self.hubs[entry.hub as usize].saturating_add(entry.distance) <= distance
            });
            if known {
                continue;
            }
            self.settled.push(node);
            for (to, cost) in graph.around(node) {
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
            chosen: vec![false; count],
            entries: 0,
            search: Search::new(count, watch)?,
            trees: Vec::new(),
            places: watch.collect(count, |_| Vec::new())?,
            scores: vec![0; count],
            queue: BinaryHeap::new(),
            live: 0,
            base: vec![0; count],
            rest: Vec::new(),
        })
    }

    pub(super) fn run(
        graph: &'a Graph,
        limit: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Self>, TablesError> {
        let count = graph.count();
        let mut cover = Self::new(graph, watch)?;
        let mut sample = Sample {
            state: 0,
            left: count / TREES_PER_NODE + 64,
            size: SMALL_TREE * 64,
        };
        while cover.order.len() < count {
            cover.plant_some(&mut sample, watch)?;
            let node = cover.best(watch)?;
            cover.choose(node, watch)?;
            if cover.search.too_far {
                return Err(TablesError::TooLarge);
            }
            if cover.entries > limit {
                return Ok(None);
            }
        }
        Ok(Some(cover))
    }

    /// Samples trees as long as the ones there are have become small.
    fn plant_some(&mut self, sample: &mut Sample, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        let count = self.labels.len();
        for _ in 0..64 {
            if self.live >= LIVE_PER_NODE * count
                || sample.left == 0
                || sample.size < SMALL_TREE * 8
            {
                break;
            }
            sample.left -= 1;
            let root = sample.random(count as u32);
            if self.chosen[root as usize] {
                continue;
            }
            self.plant(root, watch)?;
            sample.size = sample.size * 7 / 8 + self.search.settled.len() as u64;
            if self.trees.len() <= FIRST_TREES {
                self.base = watch.copy(&self.scores)?;
            }
        }
        Ok(())
    }

    /// Samples a tree.
    fn plant(&mut self, root: u32, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        let search = &mut self.search;
        search.run(self.graph, &self.labels, root, watch)?;
        let nodes = watch.copy(&search.settled)?;
        let count = nodes.len();
        // Positions in the tree, by way of the distances, which are not needed any more.
        watch.pieces(count, |piece| {
            piece.for_each(|at| search.distance[nodes[at] as usize] = at as u32);
        })?;
        let parents = watch.collect(count, |at| match search.parent[nodes[at] as usize] {
            NONE => NONE,
            parent => search.distance[parent as usize],
        })?;
        let mut behind = watch.collect(count, |_| 1)?;
        let mut first_child = watch.collect(count, |_| NONE)?;
        let mut sibling = watch.collect(count, |_| NONE)?;
        for at in (1..count).rev() {
            watch.pass(1)?;
            let parent = parents[at] as usize;
            behind[parent] += behind[at];
            sibling[at] = first_child[parent];
            first_child[parent] = at as u32;
        }
        let tree = self.trees.len() as u32;
        for (at, &node) in nodes.iter().enumerate() {
            watch.pass(1)?;
            self.places[node as usize].push((tree, at as u32));
            self.scores[node as usize] += behind[at];
            self.queue.push((self.scores[node as usize], node));
        }
        self.live += count;
        self.trees.push(Tree {
            nodes,
            parents,
            behind,
            first_child,
            sibling,
        });
        Ok(())
    }

    /// The node that covers most.
    fn best(&mut self, watch: &mut Watch<'_>) -> Result<u32, Cancelled> {
        while let Some((score, node)) = self.queue.pop() {
            watch.pass(1)?;
            if self.chosen[node as usize] {
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
        if self.rest.is_empty() {
            watch.pieces(self.chosen.len(), |piece| {
                let left = piece.filter(|&node| !self.chosen[node]);
                self.rest
                    .extend(left.map(|node| (self.base[node], node as u32)));
            })?;
            watch.sort(&mut self.rest)?;
        }
        loop {
            watch.pass(1)?;
            match self.rest.pop() {
                Some((_, node)) if self.chosen[node as usize] => {}
                // There is one: this is called only while some are not chosen.
                last => return Ok(last.map_or(0, |(_, node)| node)),
            }
        }
    }

    /// Makes a node the next hub.
    fn choose(&mut self, node: u32, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        let hub = self.order.len() as u32;
        self.order.push(node);
        self.chosen[node as usize] = true;
        self.search.run(self.graph, &self.labels, node, watch)?;
        for &at in &self.search.settled {
            watch.pass(1)?;
            self.labels[at as usize].push(Found {
                hub,
                distance: self.search.distance[at as usize],
                first: self.search.parent[at as usize],
            });
        }
        self.entries += self.search.settled.len();
        let mut stack = Vec::new();
        for (tree, place) in std::mem::take(&mut self.places[node as usize]) {
            watch.pass(1)?;
            let tree = &mut self.trees[tree as usize];
            let covered = tree.behind[place as usize];
            if covered == 0 {
                continue;
            }
            let mut up = tree.parents[place as usize];
            while up != NONE {
                watch.pass(1)?;
                tree.behind[up as usize] -= covered;
                self.scores[tree.nodes[up as usize] as usize] -= covered;
                up = tree.parents[up as usize];
            }
            stack.push(place);
            while let Some(at) = stack.pop() {
                watch.pass(1)?;
                let at = at as usize;
                if tree.behind[at] == 0 {
                    continue;
                }
                self.scores[tree.nodes[at] as usize] -= tree.behind[at];
                tree.behind[at] = 0;
                self.live -= 1;
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
