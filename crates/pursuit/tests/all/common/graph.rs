//! Random directed graphs, and distances in them by Dijkstra's algorithm.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pursuit::{Guarantee, SearchSpace};

/// A cost above the cost of any path.
const FAR: u64 = 1 << 40;

/// A directed graph whose edges can be opened, closed and given other costs.
#[derive(Clone)]
pub(crate) struct Graph {
    /// Start, end and lowest cost of each edge.
    pub(crate) edges: Vec<(u32, u32, u32)>,
    /// Current cost of each edge. `None` if it is closed.
    pub(crate) costs: Vec<Option<u32>>,
    out: Vec<Vec<usize>>,
    into: Vec<Vec<usize>>,
    pub(crate) goal: u32,
    /// Estimated cost from each node to the goal.
    pub(crate) h: Vec<u64>,
    pub(crate) guarantee: Guarantee,
}

impl Graph {
    /// A graph with some nodes, and edges between random nodes. Each estimate is the same share of the shortest
    /// distance to the goal.
    pub(crate) fn random(random: &mut fastrand::Rng) -> Self {
        let count = random.u32(1..60);
        let edges: Vec<_> = (0..random.u32(0..count * 4))
            .map(|_| {
                let cost = if random.bool() { 1 } else { random.u32(0..40) };
                (random.u32(0..count), random.u32(0..count), cost)
            })
            .collect();
        let list = |end: fn(&(u32, u32, u32)) -> u32| {
            let mut lists = vec![Vec::new(); count as usize];
            for (index, edge) in edges.iter().enumerate() {
                lists[end(edge) as usize].push(index);
            }
            lists
        };
        let mut graph = Self {
            costs: edges.iter().map(|&(.., cost)| Some(cost)).collect(),
            out: list(|edge| edge.0),
            into: list(|edge| edge.1),
            edges,
            goal: random.u32(0..count),
            h: Vec::new(),
            guarantee: Guarantee::Consistent,
        };
        let share = random.u64(0..=8);
        let distances = graph.distances_to(graph.goal);
        let estimate =
            |distance: Option<u64>| distance.map_or(FAR, |distance| distance * share / 8);
        graph.h = distances.into_iter().map(estimate).collect();
        graph
    }

    pub(crate) fn count(&self) -> u32 {
        self.out.len() as u32
    }

    fn cost(&self, edge: usize) -> Option<u64> {
        // A search raises a cost of 0 to 1.
        self.costs[edge].map(|cost| u64::from(cost.max(1)))
    }

    pub(crate) fn distances_from(&self, start: u32) -> Vec<Option<u64>> {
        self.distances(start, &self.out, |edge| edge.1)
    }

    pub(crate) fn distances_to(&self, goal: u32) -> Vec<Option<u64>> {
        self.distances(goal, &self.into, |edge| edge.0)
    }

    fn distances(
        &self,
        from: u32,
        lists: &[Vec<usize>],
        end: fn(&(u32, u32, u32)) -> u32,
    ) -> Vec<Option<u64>> {
        let mut best = vec![None; lists.len()];
        let mut open = BinaryHeap::from([Reverse((0, from))]);
        while let Some(Reverse((distance, node))) = open.pop() {
            if best[node as usize].is_some() {
                continue;
            }
            best[node as usize] = Some(distance);
            for &edge in &lists[node as usize] {
                if let Some(cost) = self.cost(edge) {
                    open.push(Reverse((distance + cost, end(&self.edges[edge]))));
                }
            }
        }
        best
    }

    /// The node at which a search with these distances from its start must end: the goal, or the reachable node nearest
    /// to it.
    pub(crate) fn end(&self, distances: &[Option<u64>]) -> Option<u32> {
        let is_reached = |&node: &u32| distances[node as usize].is_some();
        let nearest = (0..self.count()).filter(is_reached);
        let nearest = nearest.min_by_key(|&node| (self.h[node as usize], node));
        Some(self.goal).filter(is_reached).or(nearest)
    }

    /// The lowest cost of a walk over the given nodes. `None` if an edge is missing.
    pub(crate) fn walk_cost(&self, nodes: &[u32]) -> Option<u64> {
        nodes
            .windows(2)
            .map(|step| {
                let edges = self.out[step[0] as usize].iter();
                let edges = edges.filter(|&&edge| self.edges[edge].1 == step[1]);
                edges.filter_map(|&edge| self.cost(edge)).min()
            })
            .sum()
    }
}

impl SearchSpace for Graph {
    type Place = u32;

    fn node_count(&self) -> u32 {
        self.count()
    }

    fn place(&self, node: u32) -> u32 {
        node
    }

    fn is_goal(&self, node: u32) -> bool {
        node == self.goal
    }

    fn heuristic(&self, node: u32) -> u64 {
        self.h[node as usize]
    }

    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    fn for_each_neighbor(&self, node: u32, _: u32, mut visit: impl FnMut(u32, u32, u32)) {
        for &edge in &self.out[node as usize] {
            if let Some(cost) = self.costs[edge] {
                let (_, to, _) = self.edges[edge];
                visit(to, to, cost);
            }
        }
    }

    fn for_each_predecessor(&self, node: u32, _: u32, mut visit: impl FnMut(u32, u32, u32)) {
        for &edge in &self.into[node as usize] {
            if let Some(cost) = self.costs[edge] {
                let (from, ..) = self.edges[edge];
                visit(from, from, cost);
            }
        }
    }
}
