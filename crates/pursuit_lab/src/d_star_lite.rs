//! D\* Lite: an incremental search. After each edit of the map and each move of the walker, it repairs the last search
//! to find the cheapest path again (Koenig and Likhachev, 2002).
//!
//! The search grows from the goal toward the start, so that its costs stay valid while the walker moves. Each cell has
//! two costs: `g`, the cost to the goal, which its neighbors use, and `rhs`, the cost computed from its neighbors: the
//! least `step + g(neighbor)`. A cell whose two costs agree is *consistent*. An edit makes only cells near the edited
//! ones inconsistent. All inconsistent cells wait in a queue, and the search makes them consistent in the order of
//! their keys, until the start is next.
//!
//! ```text
//! key(u) = [min(g(u), rhs(u)) + h(start, u) + km; min(g(u), rhs(u))]
//!
//! update(u):
//!     if u is not the goal: rhs(u) = least step + g(neighbor)
//!     keep u in the queue, by its key, if g(u) is not rhs(u)
//!
//! compute_shortest_path:
//!     while the first key < key(start), or rhs(start) is not g(start)
//!         take u with the first key
//!         if that key < key(u): put u back by key(u)
//!         else if g(u) > rhs(u): g(u) = rhs(u); update all neighbors of u
//!         else: g(u) = infinite; update u and all its neighbors
//! ```
//!
//! When the walker moves, `km` grows by the estimated cost of the move. The keys already in the queue are then too low,
//! by at most this amount, so `compute_shortest_path` checks each key again.
//!
//! The code is the first version in the paper, on plain lists, without optimizations.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pursuit::{
    Cell, DiagonalPolicy, Edge, FoundPath, Grid, GridSpace, Heuristic, NEIGHBORS, Outcome,
    PartialReason, Path, SearchSpace, SearchStats,
};

use crate::recording::{Change, Event};

/// The cost of a cell from which no path leads to the goal.
const INFINITE: u64 = u64::MAX;

/// The key that orders the queue.
type Key = (u64, u64);

/// The state of a cell in the search.
#[derive(Clone, Debug)]
struct Node {
    g: u64,
    rhs: u64,
    /// The neighbor that gives the least `rhs`: the next node on the path to the goal.
    parent: Option<u32>,
    /// The key of the cell while the cell is in the queue.
    key: Option<Key>,
}

impl Node {
    const UNKNOWN: Self = Self {
        g: INFINITE,
        rhs: INFINITE,
        parent: None,
        key: None,
    };
}

/// A D\* Lite search that can be repaired after edits of its map and moves of its start: see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct DStarLite {
    rules: (DiagonalPolicy, Heuristic),
    /// The costs of the cells of the last map, row by row. 0 for a wall.
    costs: Vec<u8>,
    width: u32,
    /// The estimated cost of one straight step. If the estimate changes, all keys are void and the search starts over.
    scale: u64,
    start: Cell,
    goal: Cell,
    nodes: Vec<Node>,
    /// The queue. An entry whose key differs from the key of its node is void.
    queue: BinaryHeap<Reverse<(Key, u32)>>,
    km: u64,
    stats: SearchStats,
}

impl DStarLite {
    /// A search before its first plan.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the cheapest path on this map. Repairs the last search if the goal and the rules are unchanged.
    /// Otherwise starts a new one. Reports all events of the search to `trace`. A repair first reports the state of the
    /// last search, as [`Change::Known`] and [`Change::Settled`].
    ///
    /// If no path leads to the goal, the returned path contains only the start. `None` if the start or the goal is
    /// outside the grid.
    pub fn replan(
        &mut self,
        grid: &Grid,
        (start, goal): (Cell, Cell),
        rules: (DiagonalPolicy, Heuristic),
        trace: &mut impl FnMut(Event),
    ) -> Option<FoundPath> {
        // The search grows from the goal, so the heuristic estimates the cost to the start. Every step can be taken in
        // both directions.
        let space = &GridSpace::new(grid, rules.0, rules.1, start)?;
        let goal_node = space.node(goal)?;
        let start_node = space.node(start)?;
        let (costs, scale) = (costs(grid), space.heuristic((1, 0)));
        let edited = self.edited(&costs);
        let goes_on = self.nodes.len() == space.node_count() as usize
            && (self.width, self.goal, self.scale) == (grid.width(), goal, scale)
            && self.rules == rules;
        let last = space.node(self.start).filter(|_| goes_on);
        (self.costs, self.width, self.scale) = (costs, grid.width(), scale);
        (self.start, self.goal, self.rules) = (start, goal, rules);
        self.stats = SearchStats::default();
        trace(Event::Started);
        if let Some(last) = last {
            self.km += space.heuristic(space.place(last));
            self.report_known(space, trace);
            for cell in edited {
                // An edited cell also affects diagonal steps between its neighbors.
                let around = NEIGHBORS.map(|(dx, dy)| cell.offset(dx, dy));
                for cell in around.into_iter().chain([cell]) {
                    if let Some(node) = space.node(cell) {
                        self.update(space, node, goal_node, trace);
                    }
                }
            }
        } else {
            self.nodes = vec![Node::UNKNOWN; space.node_count() as usize];
            self.queue.clear();
            self.km = 0;
            self.nodes[goal_node as usize].rhs = 0;
            self.enqueue(space, goal_node);
            self.report(space, goal_node, Change::Discovered, trace);
        }
        self.compute_shortest_path(space, start_node, goal_node, trace);
        Some(self.answer(space, start_node))
    }

    fn compute_shortest_path(
        &mut self,
        space: &GridSpace<'_>,
        start: u32,
        goal: u32,
        trace: &mut impl FnMut(Event),
    ) {
        while let Some(&Reverse((key, node))) = self.queue.peek() {
            if self.nodes[node as usize].key != Some(key) {
                self.queue.pop();
                continue;
            }
            let Node { g, rhs, .. } = self.nodes[start as usize];
            if key >= self.key(space, start) && g == rhs {
                break;
            }
            self.queue.pop();
            if key < self.key(space, node) {
                self.enqueue(space, node);
                continue;
            }
            self.expand(space, node, goal, trace);
        }
        if self.nodes[start as usize].rhs != INFINITE {
            trace(Event::Reached(self.edge(space, start)));
        }
    }

    /// Makes a node consistent, or resets its cost if the cost has become too low. Then updates all its neighbors.
    fn expand(
        &mut self,
        space: &GridSpace<'_>,
        node: u32,
        goal: u32,
        trace: &mut impl FnMut(Event),
    ) {
        self.stats.expanded += 1;
        trace(Event::Expanded(Edge {
            parent: None,
            ..self.edge(space, node)
        }));
        let known = &mut self.nodes[node as usize];
        if known.g > known.rhs {
            known.g = known.rhs;
            known.key = None;
        } else {
            known.g = INFINITE;
            self.enqueue(space, node);
            self.report(space, node, Change::Worsened, trace);
        }
        space.for_each_neighbor(node, space.place(node), |next, _, _| {
            self.update(space, next, goal, trace);
        });
    }

    /// Computes the `rhs` of a node from its neighbors.
    fn update(
        &mut self,
        space: &GridSpace<'_>,
        node: u32,
        goal: u32,
        trace: &mut impl FnMut(Event),
    ) {
        let Node { rhs, parent, .. } = self.nodes[node as usize];
        if node == goal {
            self.report(space, node, Change::Kept, trace);
            return;
        }
        let mut best = (INFINITE, true, None);
        space.for_each_neighbor(node, space.place(node), |next, _, step| {
            let cost = self.nodes[next as usize].g.saturating_add(step.into());
            // Among neighbors that give the same cost, the current parent is preferred.
            let is_other = parent != Some(next);
            if cost < INFINITE && (cost, is_other) < (best.0, best.1) {
                best = (cost, is_other, Some(next));
            }
        });
        let known = &mut self.nodes[node as usize];
        (known.rhs, known.parent) = (best.0, best.2);
        self.enqueue(space, node);
        let change = match best.0.cmp(&rhs) {
            _ if rhs == INFINITE && best.0 == INFINITE => return,
            _ if rhs == INFINITE => Change::Discovered,
            std::cmp::Ordering::Greater => Change::Worsened,
            std::cmp::Ordering::Less => Change::Improved,
            _ if best.2 != parent => Change::Improved,
            _ => Change::Kept,
        };
        self.report(space, node, change, trace);
    }

    /// Puts a node into the queue by its key, or removes it if it is consistent.
    fn enqueue(&mut self, space: &GridSpace<'_>, node: u32) {
        let key = self.key(space, node);
        let known = &mut self.nodes[node as usize];
        known.key = (known.g != known.rhs).then_some(key);
        if known.key.is_some() {
            self.queue.push(Reverse((key, node)));
        }
    }

    fn key(&self, space: &GridSpace<'_>, node: u32) -> Key {
        let Node { g, rhs, .. } = self.nodes[node as usize];
        let (cost, h) = (g.min(rhs), space.heuristic(space.place(node)));
        (cost.saturating_add(h).saturating_add(self.km), cost)
    }

    /// The cells whose cost differs between `costs` and the last map. Both maps must have the same size.
    fn edited(&self, costs: &[u8]) -> Vec<Cell> {
        let pairs = (0..).zip(self.costs.iter().zip(costs));
        let edited = pairs.filter(|(_, (before, now))| before != now);
        let width = self.width as i32;
        let cells = edited.map(|(at, _): (i32, _)| Cell::new(at % width, at / width));
        cells.collect()
    }

    /// Follows the parents from the start to the goal.
    fn answer(&self, space: &GridSpace<'_>, start: u32) -> FoundPath {
        let cost = self.nodes[start as usize].rhs;
        let parent = |&node: &u32| self.nodes[node as usize].parent;
        let nodes = std::iter::successors(Some(start), parent);
        let turns = nodes.map(|node| space.cell(node)).collect();
        let (path, outcome) = match cost {
            INFINITE => {
                let turns = vec![self.start];
                let outcome = Outcome::Partial(PartialReason::Unreachable);
                (Path { turns, cost: 0 }, outcome)
            }
            _ => (Path { turns, cost }, Outcome::Complete),
        };
        FoundPath {
            path,
            outcome,
            bound: 1.0,
            stats: self.stats,
        }
    }

    /// Reports all nodes with a known cost, row by row.
    fn report_known(&self, space: &GridSpace<'_>, trace: &mut impl FnMut(Event)) {
        for (node, known) in (0..).zip(&self.nodes) {
            let change = match known.key {
                Some(_) => Change::Known,
                None => Change::Settled,
            };
            if known.rhs != INFINITE {
                trace(Event::Relaxed(self.edge(space, node), change));
            }
        }
    }

    fn report(
        &mut self,
        space: &GridSpace<'_>,
        node: u32,
        change: Change,
        trace: &mut impl FnMut(Event),
    ) {
        let is_pushed = matches!(change, Change::Discovered | Change::Improved);
        self.stats.pushed += u32::from(is_pushed);
        trace(Event::Relaxed(self.edge(space, node), change));
    }

    /// The edge from a node to its parent, with the node's `rhs` as `g`.
    fn edge(&self, space: &GridSpace<'_>, node: u32) -> Edge {
        let Node { rhs: g, parent, .. } = self.nodes[node as usize];
        let h = space.heuristic(space.place(node));
        Edge {
            node: space.cell(node),
            parent: parent.map(|parent| space.cell(parent)),
            g,
            h,
            f: g.saturating_add(h),
        }
    }
}

/// The costs of the cells of a grid, row by row. 0 for a wall.
fn costs(grid: &Grid) -> Vec<u8> {
    let cost = |cell| match grid.is_free(cell) {
        true => grid.cost(cell),
        false => 0,
    };
    grid.rect().cells().map(cost).collect()
}
