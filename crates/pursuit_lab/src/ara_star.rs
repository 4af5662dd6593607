//! ARA\*: an anytime search, which finds a path early and improves it while there is time (Likhachev, Gordon and Thrun,
//! 2003).
//!
//! Weighted A\* orders cells by `f = g + ε · h` and finds a path that costs at most ε times the cheapest. A large ε
//! gives a path early, and ε = 1 gives the cheapest path. ARA\* runs weighted A\* repeatedly, each time with a smaller
//! ε. All costs are kept between these passes, so a pass expands only cells whose cost fell since they were last
//! expanded.
//!
//! ```text
//! improve_path:
//!     while f(goal) > least f in OPEN
//!         move the cell with the least f from OPEN to CLOSED
//!         for each neighbor to which this is a cheaper way
//!             note its g and its parent
//!             put it into OPEN, or into INCONS if it is in CLOSED
//!
//! main:
//!     g(start) = 0; OPEN = {start}; improve_path
//!     while the bound of the path is above 1
//!         lower ε
//!         OPEN = OPEN + INCONS, ordered by the new f; CLOSED = INCONS = {}
//!         improve_path
//! ```
//!
//! A path that is cheaper than the found one leads through a cell of OPEN or INCONS. So it costs at least as much as
//! the least `g + h` of these cells. The *bound* of the found path is the lesser of `g(goal) / (that least g + h)` and
//! ε: the path costs at most the bound times the cheapest cost.
//!
//! The code is the textbook algorithm on plain lists, without optimizations.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pursuit::{
    Cell, DiagonalPolicy, Edge, FoundPath, Grid, GridSpace, Heuristic, Outcome, PartialReason,
    Path, SearchSpace, SearchStats, Weights,
};

use crate::recording::{Change, Event};

/// The integer weight that represents ε = 1. A `weight` gives `f = UNIT_WEIGHT · g + weight · h`.
const UNIT_WEIGHT: u16 = 10;
/// Weight of the first pass, for ε = 3: its path costs at most three times the cheapest cost.
const FIRST_WEIGHT: u16 = 3 * UNIT_WEIGHT;
/// Decrease of the weight from one pass to the next: ε falls by 0.5.
const WEIGHT_STEP: u16 = UNIT_WEIGHT / 2;

/// The state of a cell in the search.
#[derive(Clone, Debug)]
struct Node {
    /// Cost of the best known path from the start. `u64::MAX` while no path is known.
    g: u64,
    /// The previous node on the best known path, and the cost of the step from that node.
    parent: Option<(u32, u64)>,
    /// Whether the current pass has expanded the node.
    is_closed: bool,
}

/// A search by ARA\* on a grid: see the [module](self).
#[derive(Debug)]
pub struct AraStar<'g> {
    space: GridSpace<'g>,
    start: u32,
    goal: u32,
    /// The weight of the next pass, or of the pass in progress: `UNIT_WEIGHT · ε`.
    weight: u16,
    nodes: Vec<Node>,
    /// OPEN, ordered by f. A node whose cost falls is pushed again. Its older entries are void: they have another f
    /// than the node.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// INCONS: nodes whose cost fell after the current pass had expanded them.
    inconsistent: Vec<u32>,
    /// A lower bound for the cost of any path to the goal.
    lower_bound: u64,
    stats: SearchStats,
    is_done: bool,
}

impl<'g> AraStar<'g> {
    /// A search before its first pass. `None` if the start or the goal is outside the grid.
    #[must_use]
    pub fn new(
        grid: &'g Grid,
        (start, goal): (Cell, Cell),
        diagonals: DiagonalPolicy,
        heuristic: Heuristic,
    ) -> Option<Self> {
        let space = GridSpace::new(grid, diagonals, heuristic, goal)?;
        let unknown = Node {
            g: u64::MAX,
            parent: None,
            is_closed: false,
        };
        Some(Self {
            start: space.node(start)?,
            goal: space.node(goal)?,
            weight: FIRST_WEIGHT,
            nodes: vec![unknown; space.node_count() as usize],
            open: BinaryHeap::new(),
            inconsistent: Vec::new(),
            lower_bound: 0,
            stats: SearchStats::default(),
            is_done: false,
            space,
        })
    }

    /// Whether nothing can be improved: the last path was the cheapest, or no path leads to the goal.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Runs one pass with the next smaller ε, reports all its events to `trace`, and returns the path that it finds,
    /// with its [`FoundPath::bound`]. Occasionally the path costs slightly more than the path of the previous pass, but
    /// never more than the ε of this pass allows. If no path leads to the goal, the returned path contains only the
    /// start.
    pub fn improve(&mut self, trace: &mut impl FnMut(Event)) -> FoundPath {
        let is_first = self.nodes[self.start as usize].g == u64::MAX;
        if is_first {
            trace(Event::Started);
        }
        trace(Event::Passed(self.weights()));
        if is_first {
            self.reach(self.start, None, 0, trace);
        }
        self.improve_path(trace);
        let waiting = self.waiting();
        let answer = self.answer(&waiting, trace);
        self.begin_pass(waiting);
        answer
    }

    fn improve_path(&mut self, trace: &mut impl FnMut(Event)) {
        while let Some(&Reverse((f, node))) = self.open.peek() {
            if self.f(self.goal) <= f {
                break;
            }
            self.open.pop();
            if self.nodes[node as usize].is_closed || f != self.f(node) {
                continue;
            }
            self.nodes[node as usize].is_closed = true;
            self.stats.expanded += 1;
            trace(Event::Expanded(self.edge(node, None)));
            let (space, g) = (self.space, self.nodes[node as usize].g);
            space.for_each_neighbor(node, space.place(node), |next, _, step| {
                let step = u64::from(step);
                self.reach(next, Some((node, step)), g + step, trace);
            });
        }
        if self.nodes[self.goal as usize].g != u64::MAX {
            trace(Event::Reached(self.edge(self.goal, None)));
        }
    }

    /// Examines a path to a node, and keeps the path if it is the cheapest so far.
    fn reach(
        &mut self,
        node: u32,
        parent: Option<(u32, u64)>,
        g: u64,
        trace: &mut impl FnMut(Event),
    ) {
        let before = parent.map(|(parent, _)| parent);
        let known = &mut self.nodes[node as usize];
        if known.g <= g {
            let edge = self.edge(node, before);
            let f = self.weights().f(g, edge.h);
            trace(Event::Relaxed(Edge { g, f, ..edge }, Change::Kept));
            return;
        }
        let change = match known.g {
            u64::MAX => Change::Discovered,
            _ => Change::Improved,
        };
        (known.g, known.parent) = (g, parent);
        if known.is_closed {
            self.inconsistent.push(node);
        } else {
            self.open.push(Reverse((self.f(node), node)));
        }
        self.stats.pushed += 1;
        trace(Event::Relaxed(self.edge(node, before), change));
    }

    /// Empties OPEN and INCONS and returns their nodes, each node once.
    fn waiting(&mut self) -> Vec<u32> {
        let open = self.open.drain().map(|Reverse((_, node))| node);
        let open = open.filter(|&node| !self.nodes[node as usize].is_closed);
        let mut waiting: Vec<u32> = open.chain(self.inconsistent.drain(..)).collect();
        waiting.sort_unstable();
        waiting.dedup();
        waiting
    }

    /// Returns the path along the parents of the goal, and the bound of that path.
    fn answer(&mut self, waiting: &[u32], trace: &mut impl FnMut(Event)) -> FoundPath {
        let g = self.nodes[self.goal as usize].g;
        if g == u64::MAX {
            self.is_done = true;
            return FoundPath {
                path: Path {
                    turns: vec![self.space.cell(self.start)],
                    cost: 0,
                },
                outcome: Outcome::Partial(PartialReason::Unreachable),
                bound: 1.0,
                stats: self.stats,
            };
        }
        let sums = waiting.iter().map(|&node| {
            let Edge { g, h, .. } = self.edge(node, None);
            g + h
        });
        let by_weight = (g * u64::from(UNIT_WEIGHT)).div_ceil(u64::from(self.weight));
        // The g of the goal is too high if a previous node on the path has become cheaper since.
        let (mut turns, mut cost, mut node) = (vec![self.space.cell(self.goal)], 0, self.goal);
        while let Some((parent, step)) = self.nodes[node as usize].parent {
            turns.push(self.space.cell(parent));
            (cost, node) = (cost + step, parent);
        }
        turns.reverse();
        let lower_bound = sums.min().unwrap_or(cost).max(by_weight);
        let lower_bound = lower_bound.max(self.lower_bound).min(cost);
        self.lower_bound = lower_bound;
        trace(Event::Answered { cost, lower_bound });
        self.is_done = lower_bound == cost;
        FoundPath {
            path: Path { turns, cost },
            outcome: Outcome::Complete,
            bound: if self.is_done {
                1.0
            } else {
                cost as f64 / lower_bound as f64
            },
            stats: self.stats,
        }
    }

    /// Lowers ε. All `waiting` nodes move to OPEN, and CLOSED becomes empty.
    fn begin_pass(&mut self, waiting: Vec<u32>) {
        self.weight = (self.weight - WEIGHT_STEP).max(UNIT_WEIGHT);
        for node in &mut self.nodes {
            node.is_closed = false;
        }
        let open = waiting
            .into_iter()
            .map(|node| Reverse((self.f(node), node)));
        self.open = open.collect();
    }

    fn weights(&self) -> Weights {
        Weights {
            g: UNIT_WEIGHT,
            h: self.weight,
        }
    }

    fn f(&self, node: u32) -> u64 {
        self.edge(node, None).f
    }

    /// The best known path to a node.
    fn edge(&self, node: u32, parent: Option<u32>) -> Edge {
        let g = self.nodes[node as usize].g;
        let h = self.space.heuristic(self.space.place(node));
        Edge {
            node: self.space.cell(node),
            parent: parent.map(|parent| self.space.cell(parent)),
            g,
            h,
            f: self.weights().f(g, h),
        }
    }
}
