//! Contraction hierarchies (Geisberger, Sanders, Schultes and Delling, 2008) over the corner graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::error::{MAX_COST, TablesError};
use crate::cancel::{Cancelled, Watch};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// One direction of an edge.
///
/// An edge of the corner graph, and a shortcut from A to D that stands for A, B, C, D, where C was contracted
/// last and B before:
///
/// ```text
///                 to  first  last  middle
/// A ── B          B   B      A     NONE        its end is the first corner, its start the last
/// A ─ B ─ C ─ D   D   B      C     C           the arcs of C to A and to D say what lies on either side
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u32,
    /// The first corner on the path.
    pub(super) first: u32,
    /// The last corner on the path before `to`.
    pub(super) last: u32,
    /// The contracted corner that a shortcut passes, or [`NONE`].
    pub(super) middle: u32,
}

impl Arc {
    pub(super) fn edge(from: u32, to: u32, cost: u32) -> Self {
        Self {
            to,
            cost,
            first: to,
            last: from,
            middle: NONE,
        }
    }
}

/// Corners in their order of contraction, from the least to the most important one.
///
/// Every corner keeps the edges that it had when its turn came, to corners that are more important. Those of
/// the core, which are not contracted, keep the edges among themselves:
///
/// ```text
/// core           D ── E         edges[D]: to E      edges[E]: to D
///               ╱ ╲  ╱
/// contracted   B   C            edges[B]: to D      edges[C]: to D and E
///              │
///              A                edges[A]: to B      order: A, B, C
/// ```
pub(super) struct Hierarchy {
    /// Corners in the order of contraction. The others are the core.
    pub(super) order: Vec<u32>,
    /// Whether a corner was contracted.
    pub(super) contracted: Vec<bool>,
    /// For a contracted corner, its edges to more important ones; for one of the core, its edges to
    /// others of the core.
    pub(super) edges: Vec<Vec<Arc>>,
}

/// Words that are read or written for an edge that a search looks at: the edge, and what is known of its end.
const WORDS: usize = 4;

/// Settled nodes after which a witness search gives up. Then a shortcut is made.
const WITNESS_LIMIT: u32 = 20;

/// The same for searches for paths that make edges of the core needless.
const DETOUR_LIMIT: u32 = 150;

/// A hierarchy in the making.
struct Contraction {
    /// Edges among corners not contracted yet; of contracted ones, the edges they had.
    edges: Vec<Vec<Arc>>,
    level: Vec<u32>,
    witness: WitnessSearch,
    /// The shortcuts that the node needs which is contracted now: from where, and the arc.
    shortcuts: Vec<(u32, Arc)>,
}

/// Local searches for *witnesses*: paths that make a shortcut or an edge needless. All arrays are by node, and
/// never cleared: what is in them counts only where a round is that of the search.
struct WitnessSearch {
    distance: Vec<u32>,
    /// The round in which the distance was written.
    stamp: Vec<u32>,
    /// The last round in which the node was a target.
    target: Vec<u32>,
    /// The number of the search.
    round: u32,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Hierarchy {
    /// Contracts all corners but those that have more than `max_degree` edges when it is their turn.
    pub(super) fn of(
        edges: Vec<Vec<Arc>>,
        max_degree: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Self, TablesError> {
        let count = edges.len();
        let contraction = Contraction {
            edges,
            level: vec![0; count],
            witness: WitnessSearch {
                distance: vec![0; count],
                stamp: vec![0; count],
                target: vec![0; count],
                round: 0,
                heap: BinaryHeap::new(),
            },
            shortcuts: Vec::new(),
        };
        contraction.run(max_degree, watch)
    }
}

impl Contraction {
    fn run(mut self, max_degree: usize, watch: &mut Watch<'_>) -> Result<Hierarchy, TablesError> {
        let count = self.edges.len();
        let mut contracted = vec![false; count];
        let mut order = Vec::with_capacity(count);
        let mut queue = Queue {
            heap: BinaryHeap::with_capacity(count),
            is_queued: vec![false; count],
            max_degree,
        };
        for node in 0..count as u32 {
            watch.pass(1)?;
            queue.offer(&self, node);
        }
        while let Some(node) = queue.next(&self, watch)? {
            self.contract(node, watch)?;
            contracted[node as usize] = true;
            order.push(node);
            for arc in &self.edges[node as usize] {
                queue.offer(&self, arc.to);
            }
        }
        for node in 0..count as u32 {
            watch.pass(1)?;
            if !contracted[node as usize] {
                self.reduce_edges(node, watch)?;
            }
        }
        Ok(Hierarchy {
            order,
            contracted,
            edges: self.edges,
        })
    }

    /// Removes those edges of a node for which another path is as cheap (*edge reduction*).
    fn reduce_edges(&mut self, node: u32, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        self.witness.find_detours(&self.edges, node, watch)?;
        let is_needed = |arc: &Arc| self.witness.target[arc.to as usize] == self.witness.round;
        let mut edges = std::mem::take(&mut self.edges[node as usize]);
        for arc in edges.iter().filter(|arc| !is_needed(arc)) {
            let back = &mut self.edges[arc.to as usize];
            watch.pass_words(WORDS * back.len())?;
            back.retain(|back| back.to != node);
        }
        edges.retain(is_needed);
        self.edges[node as usize] = edges;
        Ok(())
    }

    /// Nodes of small importance are contracted first: those with few edges, and those whose neighbors were
    /// not contracted before.
    ///
    /// It is usual to count the shortcuts that a contraction would need. That makes labels up to a fifth
    /// smaller, but takes ten times as long.
    fn importance(&self, node: u32) -> u32 {
        self.level[node as usize] + self.edges[node as usize].len() as u32
    }

    fn find_shortcuts(&mut self, node: u32, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        self.shortcuts.clear();
        let arcs = &self.edges[node as usize];
        for (i, a) in arcs.iter().enumerate() {
            let others = &arcs[i + 1..];
            if others.is_empty() {
                break;
            }
            self.witness.run(&self.edges, node, a, others, watch)?;
            for b in others {
                let cost = a.cost.saturating_add(b.cost);
                if self.witness.distance(b.to) > cost {
                    let arc = Arc {
                        to: b.to,
                        cost,
                        first: a.last,
                        last: b.last,
                        middle: node,
                    };
                    self.shortcuts.push((a.to, arc));
                }
            }
        }
        Ok(())
    }

    fn contract(&mut self, node: u32, watch: &mut Watch<'_>) -> Result<(), TablesError> {
        self.find_shortcuts(node, watch)?;
        let level = self.level[node as usize] + 1;
        for i in 0..self.edges[node as usize].len() {
            let to = self.edges[node as usize][i].to as usize;
            self.level[to] = self.level[to].max(level);
            let edges = &mut self.edges[to];
            watch.pass_words(WORDS * edges.len())?;
            if let Some(back) = edges.iter().position(|arc| arc.to == node) {
                edges.swap_remove(back);
            }
        }
        for i in 0..self.shortcuts.len() {
            let (from, arc) = self.shortcuts[i];
            if arc.cost > MAX_COST {
                return Err(TablesError::TooLarge);
            }
            let ends = [from, arc.to].map(|end| self.edges[end as usize].len());
            watch.pass_words(WORDS * (ends[0] + ends[1]))?;
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

/// Nodes that may be contracted, by the importance that they had when they were queued.
struct Queue {
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    is_queued: Vec<bool>,
    max_degree: usize,
}

impl Queue {
    fn offer(&mut self, contraction: &Contraction, node: u32) {
        let is_small = contraction.edges[node as usize].len() <= self.max_degree;
        if is_small && !self.is_queued[node as usize] {
            self.is_queued[node as usize] = true;
            self.heap
                .push(Reverse((contraction.importance(node), node)));
        }
    }

    /// The least important node as of now.
    fn next(
        &mut self,
        contraction: &Contraction,
        watch: &mut Watch<'_>,
    ) -> Result<Option<u32>, Cancelled> {
        while let Some(Reverse((was, node))) = self.heap.pop() {
            watch.pass(1)?;
            self.is_queued[node as usize] = false;
            if contraction.importance(node) == was {
                return Ok(Some(node));
            }
            self.offer(contraction, node);
        }
        Ok(None)
    }
}

/// Adds an edge, or makes the one that is there cheaper.
fn insert_or_lower(edges: &mut Vec<Arc>, arc: Arc) {
    match edges.iter_mut().find(|old| old.to == arc.to) {
        Some(old) if old.cost <= arc.cost => {}
        Some(old) => *old = arc,
        None => edges.push(arc),
    }
}

impl WitnessSearch {
    /// Searches from the end of `a` for paths to the ends of `others` that do not pass `node`.
    fn run(
        &mut self,
        edges: &[Vec<Arc>],
        node: u32,
        a: &Arc,
        others: &[Arc],
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        self.round += 1;
        self.heap.clear();
        let mut targets_left = others.len();
        let mut bound = 0;
        for arc in others {
            self.target[arc.to as usize] = self.round;
            bound = bound.max(arc.cost);
        }
        bound = bound.saturating_add(a.cost);
        self.stamp[a.to as usize] = self.round;
        self.distance[a.to as usize] = 0;
        self.heap.push(Reverse((0, a.to)));
        let mut settled = 0;
        while let Some(Reverse((distance, at))) = self.heap.pop() {
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
            if settled > WITNESS_LIMIT {
                break;
            }
            watch.pass_words(WORDS * edges[at as usize].len())?;
            for arc in &edges[at as usize] {
                let next = distance.saturating_add(arc.cost);
                if arc.to == node || next > bound {
                    continue;
                }
                let to = arc.to as usize;
                if self.stamp[to] != self.round || next < self.distance[to] {
                    self.stamp[to] = self.round;
                    self.distance[to] = next;
                    self.heap.push(Reverse((next, arc.to)));
                }
            }
        }
        Ok(())
    }

    /// Searches from a node for paths to its neighbors that cost no more than the edge does. Neighbors for which
    /// it found none stay marked as targets.
    fn find_detours(
        &mut self,
        edges: &[Vec<Arc>],
        node: u32,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        self.round += 1;
        self.heap.clear();
        let mut bound = 0;
        watch.pass_words(WORDS * edges[node as usize].len())?;
        self.stamp[node as usize] = self.round;
        self.distance[node as usize] = 0;
        for arc in &edges[node as usize] {
            bound = bound.max(arc.cost);
            self.stamp[arc.to as usize] = self.round;
            self.target[arc.to as usize] = self.round;
            self.distance[arc.to as usize] = arc.cost;
            self.heap.push(Reverse((arc.cost, arc.to)));
        }
        let mut settled = 0;
        while let Some(Reverse((distance, at))) = self.heap.pop() {
            if distance > self.distance[at as usize] {
                continue;
            }
            settled += 1;
            if settled > DETOUR_LIMIT {
                break;
            }
            watch.pass_words(WORDS * edges[at as usize].len())?;
            for arc in &edges[at as usize] {
                let next = distance.saturating_add(arc.cost);
                let to = arc.to as usize;
                if next > bound || to == node as usize {
                    continue;
                }
                let known = self.stamp[to] == self.round;
                if known && next <= self.distance[to] && self.target[to] == self.round {
                    self.target[to] = 0;
                }
                if !known || next < self.distance[to] {
                    self.stamp[to] = self.round;
                    self.distance[to] = next;
                    self.heap.push(Reverse((next, arc.to)));
                }
            }
        }
        Ok(())
    }

    fn distance(&self, node: u32) -> u32 {
        if self.stamp[node as usize] == self.round {
            self.distance[node as usize]
        } else {
            u32::MAX
        }
    }
}
