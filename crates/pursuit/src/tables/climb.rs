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
use super::rays::octile_units;
use crate::cell::Cell;

/// The edges of a [`Hierarchy`] in flat arrays. Nodes are the corners, renumbered: those of the core
/// first.
#[derive(Clone)]
pub(super) struct Climb {
    node_of: Box<[u32]>,
    cells: Box<[Cell]>,
    /// Nodes below this are the core.
    core: u32,
    /// For each node, where its edges start; one more at the end.
    starts: Box<[u32]>,
    edges: Box<[Edge]>,
}

/// To a more important node, or from one of the core to another.
#[derive(Clone, Copy)]
struct Edge {
    to: u32,
    cost: u32,
    /// The node that a shortcut passes, or [`NONE`].
    middle: u32,
}

/// What searches write to and the next one uses again.
#[derive(Clone, Debug, Default)]
pub(super) struct ClimbScratch {
    forward: Vec<State>,
    backward: Vec<State>,
    now: u32,
    heap: BinaryHeap<Reverse<u64>>,
    trail: Vec<(u32, u32, u32)>,
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
        if self.now == u32::MAX {
            self.forward.fill(State::default());
            self.backward.fill(State::default());
            self.now = 0;
        }
        self.now += 1;
        self.heap.clear();
    }
}

/// One end's search.
struct Front<'a> {
    states: &'a mut [State],
    heap: &'a mut BinaryHeap<Reverse<u64>>,
    stamp: u32,
}

impl Front<'_> {
    /// Lowers a node's distance; whether it did.
    #[inline]
    fn improve(&mut self, node: u32, distance: u32, parent: u32, middle: u32) -> bool {
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

    fn push(&mut self, priority: u32, node: u32) {
        self.heap
            .push(Reverse(u64::from(priority) << 32 | u64::from(node)));
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        let Reverse(key) = self.heap.pop()?;
        Some(((key >> 32) as u32, key as u32))
    }
}

/// The work of a search.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    pub(super) expanded: u32,
    pub(super) pushed: u32,
}

impl Climb {
    pub(super) fn of(hierarchy: &Hierarchy, corners: &Corners) -> Self {
        let count = hierarchy.edges.len() as u32;
        let is_core = |corner: &u32| !hierarchy.contracted[*corner as usize];
        let mut order: Vec<u32> = (0..count).filter(is_core).collect();
        let core = order.len() as u32;
        order.extend((0..count).filter(|corner| !is_core(corner)));
        let mut node_of = vec![NONE; count as usize].into_boxed_slice();
        for (node, &corner) in order.iter().enumerate() {
            node_of[corner as usize] = node as u32;
        }
        let mut starts = Vec::with_capacity(order.len() + 1);
        let mut edges = Vec::new();
        for &corner in &order {
            starts.push(edges.len() as u32);
            edges.extend(hierarchy.edges[corner as usize].iter().map(|arc| Edge {
                to: node_of[arc.to as usize],
                cost: arc.cost,
                middle: match arc.middle {
                    NONE => NONE,
                    middle => node_of[middle as usize],
                },
            }));
        }
        starts.push(edges.len() as u32);
        Self {
            cells: order.iter().map(|&corner| corners.cell(corner)).collect(),
            node_of,
            core,
            starts: starts.into_boxed_slice(),
            edges: edges.into_boxed_slice(),
        }
    }

    #[inline]
    fn around(&self, node: u32) -> &[Edge] {
        let at = node as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Searches a path that starts over one of the corners of `from` and ends over one of `to`, each
    /// with the cost to get there, and that is cheaper than `best`. The node at which the search from
    /// the start met that from the goal, and the cost.
    pub(super) fn search(
        &self,
        (start, from): (Cell, impl Iterator<Item = (u32, u32)>),
        (goal, to): (Cell, impl Iterator<Item = (u32, u32)>),
        best: u32,
        scratch: &mut ClimbScratch,
        work: &mut Work,
    ) -> Option<(u32, u32)> {
        scratch.begin(self.cells.len());
        self.descend(start, to, best, scratch, work);
        scratch.heap.clear();
        let backward = &scratch.backward;
        let mut front = Front {
            states: &mut scratch.forward,
            heap: &mut scratch.heap,
            stamp: scratch.now,
        };
        let mut best = (best, NONE);
        let estimate = |node: u32| octile_units(self.cells[node as usize], goal);
        for (corner, distance) in from {
            let node = self.node_of[corner as usize];
            if front.improve(node, distance, NONE, NONE) {
                front.push(distance + estimate(node), node);
            }
        }
        while let Some((f, node)) = front.pop() {
            if f >= best.0 {
                break;
            }
            let distance = front.states[node as usize].distance;
            if distance + estimate(node) < f {
                continue;
            }
            work.expanded += 1;
            let back = &backward[node as usize];
            if back.stamp == front.stamp && distance + back.distance < best.0 {
                best = (distance + back.distance, node);
            }
            for edge in self.around(node) {
                let next = distance + edge.cost;
                if front.improve(edge.to, next, node, edge.middle) {
                    let f = next + estimate(edge.to);
                    if f < best.0 {
                        front.push(f, edge.to);
                        work.pushed += 1;
                    }
                }
            }
        }
        (best.1 != NONE).then_some((best.1, best.0))
    }

    /// Climbs from the goal up to the core.
    fn descend(
        &self,
        start: Cell,
        to: impl Iterator<Item = (u32, u32)>,
        best: u32,
        scratch: &mut ClimbScratch,
        work: &mut Work,
    ) {
        let mut front = Front {
            states: &mut scratch.backward,
            heap: &mut scratch.heap,
            stamp: scratch.now,
        };
        for (corner, distance) in to {
            let node = self.node_of[corner as usize];
            if front.improve(node, distance, NONE, NONE) && node >= self.core {
                front.push(distance, node);
            }
        }
        while let Some((distance, node)) = front.pop() {
            if front.states[node as usize].distance < distance {
                continue;
            }
            work.expanded += 1;
            for edge in self.around(node) {
                let next = distance + edge.cost;
                if front.improve(edge.to, next, node, edge.middle) && edge.to >= self.core {
                    let least = next + octile_units(self.cells[edge.to as usize], start);
                    if least < best {
                        front.push(next, edge.to);
                        work.pushed += 1;
                    }
                }
            }
        }
    }

    /// Visits the cells of the corners on the path over the node where the last search met, in order
    /// from the start.
    pub(super) fn walk(&self, meet: u32, scratch: &mut ClimbScratch, mut visit: impl FnMut(Cell)) {
        let ClimbScratch {
            forward,
            backward,
            trail,
            ..
        } = scratch;
        // Edges still to walk, the next one last.
        trail.clear();
        let mut node = meet;
        loop {
            let state = &forward[node as usize];
            if state.parent == NONE {
                break;
            }
            trail.push((state.parent, node, state.middle));
            node = state.parent;
        }
        visit(self.cells[node as usize]);
        self.unpack(trail, &mut visit);
        let mut node = meet;
        loop {
            let state = &backward[node as usize];
            if state.parent == NONE {
                break;
            }
            trail.push((node, state.parent, state.middle));
            self.unpack(trail, &mut visit);
            node = state.parent;
        }
    }

    /// Visits the ends of the edges on the trail and of all that their shortcuts stand for.
    fn unpack(&self, trail: &mut Vec<(u32, u32, u32)>, visit: &mut impl FnMut(Cell)) {
        while let Some((from, to, middle)) = trail.pop() {
            if middle == NONE {
                visit(self.cells[to as usize]);
                continue;
            }
            let part = |end: u32| self.around(middle).iter().find(|edge| edge.to == end);
            if let (Some(first), Some(second)) = (part(from), part(to)) {
                trail.push((middle, to, second.middle));
                trail.push((from, middle, first.middle));
            }
        }
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.node_of)
            + size_of_val(&*self.cells)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.edges)
    }
}
