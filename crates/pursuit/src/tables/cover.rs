//! Pruned labeling of a graph (Akiba, Iwata and Yoshida, 2013), in an order that comes from sampled
//! shortest-path trees (Delling, Goldberg, Pajor and Werneck, 2014).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::AtomicBool;

use super::TablesError;
use super::contract::{NONE, check};

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

pub(super) struct Cover<'a> {
    graph: &'a Graph,
    pub(super) labels: Vec<Vec<Found>>,
    /// Nodes in the order of importance.
    pub(super) order: Vec<u32>,
    chosen: Vec<bool>,
    entries: usize,
    search: Search,
    trees: Vec<Tree>,
    /// For each node, where it is in the trees.
    places: Vec<Vec<(u32, u32)>>,
    /// For each node, the pairs of a tree's root and a node behind it.
    scores: Vec<u32>,
    queue: BinaryHeap<(u32, u32)>,
    live: usize,
    base: Vec<u32>,
    rest: Vec<u32>,
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

struct Search {
    distance: Vec<u32>,
    parent: Vec<u32>,
    heap: BinaryHeap<Reverse<u64>>,
    touched: Vec<u32>,
    /// Distances of the root's hubs, by hub.
    hubs: Vec<u32>,
    settled: Vec<u32>,
}

impl Search {
    /// Cheapest paths from `root` as far as no known hub lies on them.
    fn run(&mut self, graph: &Graph, labels: &[Vec<Found>], root: u32) {
        for entry in &labels[root as usize] {
            self.hubs[entry.hub as usize] = entry.distance;
        }
        for node in self.touched.drain(..) {
            self.distance[node as usize] = u32::MAX;
        }
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
            let known = labels[node as usize].iter().any(|entry| {
                self.hubs[entry.hub as usize].saturating_add(entry.distance) <= distance
            });
            if known {
                continue;
            }
            self.settled.push(node);
            for (to, cost) in graph.around(node) {
                let next = distance + cost;
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
    }
}

impl<'a> Cover<'a> {
    pub(super) fn run(
        graph: &'a Graph,
        limit: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<Self>, TablesError> {
        let count = graph.count();
        let mut cover = Self {
            graph,
            labels: vec![Vec::new(); count],
            order: Vec::with_capacity(count),
            chosen: vec![false; count],
            entries: 0,
            search: Search {
                distance: vec![u32::MAX; count],
                parent: vec![NONE; count],
                heap: BinaryHeap::new(),
                touched: Vec::new(),
                hubs: vec![u32::MAX; count],
                settled: Vec::new(),
            },
            trees: Vec::new(),
            places: vec![Vec::new(); count],
            scores: vec![0; count],
            queue: BinaryHeap::new(),
            live: 0,
            base: Vec::new(),
            rest: Vec::new(),
        };
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        let mut sampled = 0;
        let cap: usize = std::env::var("CAP")
            .ok()
            .and_then(|v| v.parse().ok())
            .unwrap_or(8);
        let cap = count / cap + 64;
        let mut useful = true;
        let mut size = 1e9;
        while cover.order.len() < count {
            check(cancel)?;
            let mut tries = 0;
            while useful && cover.live < 8 * count && sampled < cap && tries < 64 {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let root = ((random >> 33) % count as u64) as u32;
                tries += 1;
                if !cover.chosen[root as usize] {
                    cover.plant(root);
                    sampled += 1;
                    size = (7.0 * size + cover.search.settled.len() as f64) / 8.0;
                    useful = size > 24.0;
                    if sampled <= 8 {
                        cover.base = cover.scores.clone();
                    }
                }
            }
            let node = cover.best();
            cover.choose(node);
            if cover.entries > limit {
                return Ok(None);
            }
        }
        Ok(Some(cover))
    }

    /// Samples a tree.
    fn plant(&mut self, root: u32) {
        self.search.run(self.graph, &self.labels, root);
        let nodes = self.search.settled.clone();
        let count = nodes.len();
        // Positions in the tree, by way of the distances, which are not needed any more.
        for (at, &node) in nodes.iter().enumerate() {
            self.search.distance[node as usize] = at as u32;
        }
        let parents: Vec<u32> = nodes
            .iter()
            .map(|&node| match self.search.parent[node as usize] {
                NONE => NONE,
                parent => self.search.distance[parent as usize],
            })
            .collect();
        let mut behind = vec![1; count];
        let mut first_child = vec![NONE; count];
        let mut sibling = vec![NONE; count];
        for at in (1..count).rev() {
            let parent = parents[at] as usize;
            behind[parent] += behind[at];
            sibling[at] = first_child[parent];
            first_child[parent] = at as u32;
        }
        let tree = self.trees.len() as u32;
        for (at, &node) in nodes.iter().enumerate() {
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
    }

    /// The node that covers most.
    fn best(&mut self) -> u32 {
        while let Some((score, node)) = self.queue.pop() {
            if self.chosen[node as usize] {
                continue;
            }
            let now = self.scores[node as usize];
            if score == now {
                return node;
            }
            if score > now && now > 0 {
                self.queue.push((now, node));
            }
        }
        if self.rest.is_empty() {
            self.rest = (0..self.chosen.len() as u32)
                .filter(|&n| !self.chosen[n as usize])
                .collect();
            self.rest.sort_by_key(|&n| self.base[n as usize]);
        }
        loop {
            match self.rest.pop() {
                Some(n) if self.chosen[n as usize] => {}
                Some(n) => return n,
                None => return 0,
            }
        }
    }

    /// Makes a node the next hub.
    fn choose(&mut self, node: u32) {
        let hub = self.order.len() as u32;
        self.order.push(node);
        self.chosen[node as usize] = true;
        self.search.run(self.graph, &self.labels, node);
        for &at in &self.search.settled {
            self.labels[at as usize].push(Found {
                hub,
                distance: self.search.distance[at as usize],
                first: self.search.parent[at as usize],
            });
        }
        self.entries += self.search.settled.len();
        let mut stack = Vec::new();
        for (tree, place) in std::mem::take(&mut self.places[node as usize]) {
            let tree = &mut self.trees[tree as usize];
            let covered = tree.behind[place as usize];
            if covered == 0 {
                continue;
            }
            let mut up = tree.parents[place as usize];
            while up != NONE {
                tree.behind[up as usize] -= covered;
                self.scores[tree.nodes[up as usize] as usize] -= covered;
                up = tree.parents[up as usize];
            }
            stack.push(place);
            while let Some(at) = stack.pop() {
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
    }

    pub(super) fn entry_count(&self) -> usize {
        self.entries
    }
}
