//! A search from both ends up to the core of the hierarchy and through it, for maps whose labels
//! would be too large.
//!
//! Every cheapest path between two corners has an equally cheap one that climbs to the core over
//! upward edges, goes on inside of it, and descends. The goal's side climbs first; then A\* runs from
//! the start until no open node can lead to a cheaper path.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::contract::{Hierarchy, NONE};
use super::corners::Corners;
use super::landmarks::Landmarks;
use super::rays::octile_units;
use super::upward::{Edge, Upward};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::search::SearchStats;

/// The edges of a [`Hierarchy`] in flat arrays. Nodes are the corners, renumbered: first those of the core, then
/// the others. In both parts they follow a curve on which near cells are mostly near ([`z_order`]).
///
/// ```text
/// corner                       0   1   2   3   4      corners 1, 2 and 4 are the core
/// node_of                      4   0   1   3   2
///
/// node                         0   1   2 | 3   4      core = 3
/// corner, whose cell is kept   1   2   4 | 3   0
/// ```
#[derive(Clone)]
pub(super) struct Climb {
    node_of: Box<[u32]>,
    cells: Box<[Cell]>,
    /// Nodes below this are the core.
    core: u32,
    graph: Upward,
    landmarks: Landmarks,
}

/// What searches write to and the next one uses again.
#[derive(Clone, Debug, Default)]
pub(super) struct ClimbScratch {
    forward: Vec<State>,
    backward: Vec<State>,
    stamp: u32,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    edge_stack: Vec<(u32, u32, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    stamp: u32,
    distance: u32,
    /// The node before, or [`NONE`], and the middle of the edge from there.
    parent: u32,
    middle: u32,
}

impl ClimbScratch {
    fn begin(&mut self, count: usize) {
        if self.forward.len() < count {
            self.forward.resize(count, State::default());
            self.backward.resize(count, State::default());
        }
        if self.stamp == u32::MAX {
            self.forward.fill(State::default());
            self.backward.fill(State::default());
            self.stamp = 0;
        }
        self.stamp += 1;
        self.heap.clear();
    }
}

/// One end's search.
struct Front<'a> {
    states: &'a mut [State],
    heap: &'a mut BinaryHeap<Reverse<(u64, u32)>>,
    stamp: u32,
}

impl Front<'_> {
    /// Lowers a node's distance; whether it did.
    #[inline]
    fn relax(&mut self, node: u32, distance: u32, parent: u32, middle: u32) -> bool {
        let old = &mut self.states[node as usize];
        let better = old.stamp != self.stamp || distance < old.distance;
        if better {
            *old = State {
                stamp: self.stamp,
                distance,
                parent,
                middle,
            };
        }
        better
    }

    /// Among nodes of equal priority, the one with the least remaining cost comes first.
    ///
    /// ```text
    /// bit   63      32 31       0
    /// key   [priority] [remaining]
    /// ```
    fn push(&mut self, priority: u32, remaining: u32, node: u32) {
        let key = u64::from(priority) << 32 | u64::from(remaining);
        self.heap.push(Reverse((key, node)));
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        let Reverse((key, node)) = self.heap.pop()?;
        Some(((key >> 32) as u32, node))
    }
}

impl Climb {
    pub(super) fn of(
        hierarchy: &Hierarchy,
        corners: &Corners,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let count = hierarchy.edges.len();
        let mut order: Vec<_> = (0..count)
            .map(|corner| {
                let is_contracted = hierarchy.contracted[corner];
                (is_contracted, z_order(corners.cell(corner as u32)), corner)
            })
            .collect();
        order.sort_unstable();
        let core = (count - hierarchy.order.len()) as u32;
        let mut node_of = vec![0; count].into_boxed_slice();
        for (node, &(.., corner)) in order.iter().enumerate() {
            node_of[corner] = node as u32;
        }
        let edges = order.iter().map(|&(.., corner)| {
            hierarchy.edges[corner].iter().map(|arc| Edge {
                to: node_of[arc.to as usize],
                cost: arc.cost,
                middle: match arc.middle {
                    NONE => NONE,
                    middle => node_of[middle as usize],
                },
            })
        });
        let graph = Upward::new(edges);
        let contracted = &hierarchy.order;
        let downward: Vec<u32> = contracted
            .iter()
            .rev()
            .map(|&corner| node_of[corner as usize])
            .collect();
        let cells = order
            .iter()
            .map(|&(.., corner)| corners.cell(corner as u32));
        Ok(Self {
            cells: cells.collect(),
            landmarks: Landmarks::of(&graph, &downward, cancel)?,
            node_of,
            core,
            graph,
        })
    }

    /// Searches for a path that is cheaper than `best`. It begins with one of the corners of `from` and ends with
    /// one of `to`; each comes with the cost between it and that end. Gives the node at which both searches
    /// met, and the cost.
    pub(super) fn search(
        &self,
        (start, from): (Cell, impl Iterator<Item = (u32, u32)>),
        (goal, to): (Cell, impl Iterator<Item = (u32, u32)> + Clone),
        best: u32,
        scratch: &mut ClimbScratch,
        work: &mut SearchStats,
    ) -> Option<(u32, u32)> {
        scratch.begin(self.cells.len());
        let node_of = |(corner, cost): (u32, u32)| (self.node_of[corner as usize], cost);
        let mut from = from.map(node_of).peekable();
        let to = to.map(node_of);
        let (Some(&(first, _)), Some(_)) = (from.peek(), to.clone().next()) else {
            return None;
        };
        let bounds = self.landmarks.bounds(first, to.clone());
        self.climb_from_goal(start, to, best, scratch, work);
        scratch.heap.clear();
        let backward = &scratch.backward;
        let mut front = Front {
            states: &mut scratch.forward,
            heap: &mut scratch.heap,
            stamp: scratch.stamp,
        };
        let mut best = (best, NONE);
        let estimate = |node: u32| {
            let octile = octile_units(self.cells[node as usize], goal);
            octile.max(self.landmarks.estimate(node, &bounds))
        };
        for (node, distance) in from {
            if front.relax(node, distance, NONE, NONE) {
                let remaining = estimate(node);
                front.push(distance + remaining, remaining, node);
            }
        }
        while let Some((f, node)) = front.pop()
            && f < best.0
        {
            let distance = front.states[node as usize].distance;
            if distance + estimate(node) < f {
                continue;
            }
            work.expanded += 1;
            let back = &backward[node as usize];
            if back.stamp == front.stamp && distance + back.distance < best.0 {
                best = (distance + back.distance, node);
            }
            for edge in self.graph.edges_of(node) {
                let next = distance + edge.cost;
                if front.relax(edge.to, next, node, edge.middle) {
                    let remaining = estimate(edge.to);
                    if next + remaining < best.0 {
                        front.push(next + remaining, remaining, edge.to);
                        work.pushed += 1;
                    }
                }
            }
        }
        (best.1 != NONE).then_some((best.1, best.0))
    }

    /// Searches from the goal's corners up to the core, and leaves the distances to them in `backward`.
    fn climb_from_goal(
        &self,
        start: Cell,
        to: impl Iterator<Item = (u32, u32)>,
        best: u32,
        scratch: &mut ClimbScratch,
        work: &mut SearchStats,
    ) {
        let mut front = Front {
            states: &mut scratch.backward,
            heap: &mut scratch.heap,
            stamp: scratch.stamp,
        };
        for (node, distance) in to {
            if front.relax(node, distance, NONE, NONE) && node >= self.core {
                front.push(distance, 0, node);
            }
        }
        while let Some((distance, node)) = front.pop() {
            if front.states[node as usize].distance < distance {
                continue;
            }
            work.expanded += 1;
            for edge in self.graph.edges_of(node) {
                let next = distance + edge.cost;
                if front.relax(edge.to, next, node, edge.middle) && edge.to >= self.core {
                    let least = next + octile_units(self.cells[edge.to as usize], start);
                    if least < best {
                        front.push(next, 0, edge.to);
                        work.pushed += 1;
                    }
                }
            }
        }
    }

    /// Visits the cells of all corners on the path that the last search found, in order from the start.
    /// `meet` is the node that it gave.
    pub(super) fn walk(&self, meet: u32, scratch: &mut ClimbScratch, mut visit: impl FnMut(Cell)) {
        let ClimbScratch {
            forward,
            backward,
            edge_stack,
            ..
        } = scratch;
        // Edges still to walk, the next one last.
        edge_stack.clear();
        let mut node = meet;
        loop {
            let state = &forward[node as usize];
            if state.parent == NONE {
                break;
            }
            edge_stack.push((state.parent, node, state.middle));
            node = state.parent;
        }
        visit(self.cells[node as usize]);
        self.unpack(edge_stack, &mut visit);
        let mut node = meet;
        loop {
            let state = &backward[node as usize];
            if state.parent == NONE {
                break;
            }
            edge_stack.push((node, state.parent, state.middle));
            self.unpack(edge_stack, &mut visit);
            node = state.parent;
        }
    }

    /// Visits the far ends of the edges on the stack, and those of all edges that shortcuts stand for.
    ///
    /// ```text
    /// stack, next edge last      visits
    /// A-D                                   a shortcut over C
    /// C-D A-C                               A-C is one over B
    /// C-D B-C A-B                B, C, D
    /// ```
    fn unpack(&self, edge_stack: &mut Vec<(u32, u32, u32)>, visit: &mut impl FnMut(Cell)) {
        while let Some((from, to, middle)) = edge_stack.pop() {
            if middle == NONE {
                visit(self.cells[to as usize]);
                continue;
            }
            let edge_to = |end: u32| {
                self.graph
                    .edges_of(middle)
                    .iter()
                    .find(|edge| edge.to == end)
            };
            if let (Some(first), Some(second)) = (edge_to(from), edge_to(to)) {
                edge_stack.push((middle, to, second.middle));
                edge_stack.push((from, middle, first.middle));
            }
        }
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.node_of)
            + size_of_val(&*self.cells)
            + self.graph.byte_size()
            + self.landmarks.byte_size()
    }
}

/// A cell's place on a curve on which near cells are near, mostly: the bits of `x` and `y` in turns
/// (Morton, 1966).
fn z_order(cell: Cell) -> u64 {
    let spread = |value: i32| {
        let mut bits = u64::from(value as u32);
        for (shift, mask) in [
            (16, 0x0000_FFFF_0000_FFFF),
            (8, 0x00FF_00FF_00FF_00FF),
            (4, 0x0F0F_0F0F_0F0F_0F0F),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(cell.x) | spread(cell.y) << 1
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use proptest::prelude::*;

    use super::*;
    use crate::tables::naive::{TestGraph, any_graph, chain, distances, edges, least, walk_cost};

    thread_local! {
        /// One for all cases: what a search leaves behind meets graphs of all other sizes.
        static SCRATCH: RefCell<ClimbScratch> = RefCell::default();
    }

    fn climb(graph: &TestGraph, max_degree: usize) -> Climb {
        let hierarchy = graph.hierarchy(max_degree);
        Climb::of(&hierarchy, &graph.corners(), Cancel::NEVER).expect("nobody cancels it")
    }

    /// One end of a query: a cell, and some corners with the costs to get there.
    type End = (Cell, Vec<(u32, u32)>);

    /// The cost of the path, and its corners.
    fn search(
        graph: &TestGraph,
        climb: &Climb,
        (from, to): (&End, &End),
        best: u32,
        scratch: &mut ClimbScratch,
    ) -> Option<(u32, Vec<u32>)> {
        let (start, goal) = (
            (from.0, from.1.iter().copied()),
            (to.0, to.1.iter().copied()),
        );
        let found = climb.search(start, goal, best, scratch, &mut SearchStats::default());
        let (meet, cost) = found?;
        let mut visited = Vec::new();
        climb.walk(meet, scratch, |cell| {
            let corner = graph.cells.iter().position(|&at| at == cell);
            visited.push(corner.expect("the cell of a corner") as u32);
        });
        Some((cost, visited))
    }

    /// Corners in a row, a cell apart, each joined to the next.
    fn row(count: u32) -> TestGraph {
        TestGraph {
            cells: (0..count as i32).map(|x| Cell::new(x, 0)).collect(),
            edges: chain(&vec![1000; count as usize - 1]),
        }
    }

    fn at(graph: &TestGraph, corner: u32) -> End {
        (graph.cells[corner as usize], vec![(corner, 0)])
    }

    #[test]
    fn stamps_start_anew_when_they_run_out() {
        let graph = row(6);
        let climb = climb(&graph, 16);
        let ends = (&at(&graph, 0), &at(&graph, 5));
        // As if the very first search had been at all nodes.
        let old = State {
            stamp: 1,
            parent: NONE,
            middle: NONE,
            ..State::default()
        };
        let mut scratch = ClimbScratch {
            forward: vec![old; 6],
            backward: vec![old; 6],
            stamp: u32::MAX - 1,
            ..ClimbScratch::default()
        };
        for stamp in [u32::MAX, 1, 2] {
            let found = search(&graph, &climb, ends, u32::MAX, &mut scratch);
            assert_eq!(found, Some((5000, vec![0, 1, 2, 3, 4, 5])));
            assert_eq!(scratch.stamp, stamp);
        }
    }

    #[test]
    fn the_picture_of_the_numbers_is_right() {
        let cells = [(7, 0), (0, 1), (3, 1), (0, 2), (3, 3)].map(Cell::from);
        let given = [
            (0, 1, 9000),
            (1, 2, 4000),
            (2, 4, 4000),
            (1, 4, 7000),
            (3, 2, 9000),
        ];
        let graph = TestGraph {
            cells: cells.to_vec(),
            edges: edges(5, &given),
        };
        let climb = climb(&graph, 1);
        assert_eq!((climb.core, &*climb.node_of), (3, &[4, 0, 1, 3, 2][..]));
        assert_eq!(
            *climb.cells,
            [1, 2, 4, 3, 0].map(|corner: usize| cells[corner])
        );
    }

    proptest! {
        #[test]
        fn bits_of_both_coordinates_take_turns(x in 0..=i32::MAX, y in 0..=i32::MAX) {
            let number = z_order(Cell::new(x, y));
            for bit in 0..32 {
                prop_assert_eq!(number >> (2 * bit) & 1, x as u64 >> bit & 1);
                prop_assert_eq!(number >> (2 * bit + 1) & 1, y as u64 >> bit & 1);
            }
        }
    }

    /// A cell, and for some corners by how much more than the octile distance it costs to get there.
    fn any_end() -> impl Strategy<Value = ((i32, i32), Vec<(prop::sample::Index, u32)>)> {
        let extra = prop_oneof![Just(0u32), 0u32..10_000];
        let links = prop::collection::vec((any::<prop::sample::Index>(), extra), 0..5);
        ((0i32..70, 0i32..12), links)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(1500)))]

        #[test]
        fn the_cheapest_path_between_any_of_the_corners_is_found_and_walked(
            graph in any_graph(),
            max_degree in prop_oneof![0usize..6, Just(16)],
            ends in (any_end(), any_end()),
            // By how much more the best known path costs than the cheapest, if there is one.
            above in prop_oneof![2 => Just(None), 1 => (-2i64..=2).prop_map(Some)],
        ) {
            prop_assume!(!graph.cells.is_empty());
            let end = |(cell, links): ((i32, i32), Vec<(prop::sample::Index, u32)>)| -> End {
                let cell = Cell::from(cell);
                let link = |(corner, extra): (prop::sample::Index, u32)| {
                    let corner = corner.index(graph.cells.len());
                    (corner as u32, octile_units(cell, graph.cells[corner]) + extra)
                };
                (cell, links.into_iter().map(link).collect())
            };
            let (from, to) = (end(ends.0), end(ends.1));
            let all = distances(&graph.edges);
            let mut expected = None;
            for &(a, before) in &from.1 {
                for &(b, after) in &to.1 {
                    let between = all[a as usize][b as usize];
                    let cost = between.map(|between| u64::from(before) + between + u64::from(after));
                    expected = least(expected, cost);
                }
            }
            let best = match expected.zip(above) {
                Some((cost, above)) => u32::try_from(cost as i64 + above).unwrap_or(0),
                None => u32::MAX,
            };
            let expected = expected.filter(|&cost| cost < u64::from(best));
            let climb = climb(&graph, max_degree);
            let found = SCRATCH.with_borrow_mut(|scratch| search(&graph, &climb, (&from, &to), best, scratch));
            prop_assert_eq!(found.as_ref().map(|&(cost, _)| u64::from(cost)), expected);
            if let Some((cost, corners)) = found {
                let link = |links: &[(u32, u32)], corner: u32| {
                    let costs = links.iter().filter(|link| link.0 == corner).map(|link| link.1);
                    u64::from(costs.min().expect("one of the corners of this end"))
                };
                let before = link(&from.1, corners[0]);
                let after = link(&to.1, corners[corners.len() - 1]);
                let walked = walk_cost(&graph.edges, &corners);
                prop_assert_eq!(walked.map(|between| before + between + after), Some(u64::from(cost)));
            }
        }
    }
}
