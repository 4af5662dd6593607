//! The events that a search reports while it runs.

use super::options::Weights;
use super::space::SearchSpace;
use crate::cell::Cell;

/// A listener that gets an event for each step of a search as it happens, for replays, overlays and tests. See
/// [`BodyLayers::find_path_recorded`](crate::BodyLayers::find_path_recorded) and, to look at one step at a time,
/// [`Search::step`](super::Search::step). A `Recording` of the crate `pursuit_lab` is a recorder that keeps everything.
///
/// `N` is the type that names a node: a [`Cell`] on grids, a number in other [spaces](super::SpaceSearch::step).
///
/// Searches are compiled once per recorder: a recorder that does [not listen](Self::LISTENS), such as `()`, costs
/// nothing. A recorder that listens gets its events in this order:
///
/// 1. [`started`](Self::started), and the start as the first node that was [looked at](Self::relaxed), without
///    a parent;
/// 2. [`expanded`](Self::expanded) for a node that was taken from the open list, and then
///    [`relaxed`](Self::relaxed) for each of its neighbors that matters;
/// 3. [`reached`](Self::reached) for the goal.
///
/// A\* reports every cell. Where the ground is even, it looks only at neighbors to which no other path is known to be
/// as good, so these are fewer than eight.
///
/// Jump-point search reports jump points, and their parents are jump points. It leaves dead ends before it begins, and
/// does not report the cells on the way: if the start is in a dead end, the search begins at the exit of that dead end,
/// with the start as the parent. If the goal is in plain sight, it reports only the goal.
///
/// Over terrain jump-point search reports every cell that it passes as looked at, with the previous cell as the parent,
/// and reports as expanded only the cells taken from the open list.
///
/// An [integration field](crate::IntegrationField::start_recorded) begins at its goals, and never reports
/// [`reached`](Self::reached).
///
/// Answers from tables are not recorded, since they search no cells. To record on a [`BodyLayers`](crate::BodyLayers)
/// that has tables, choose an [`Algorithm`](super::Algorithm) other than `Auto`. A search with wrong arguments fails
/// before the first event.
pub trait SearchRecorder<N = Cell> {
    /// Whether the recorder gets events. Searches leave out all work for a recorder that does not listen. Default:
    /// `true`.
    const LISTENS: bool = true;

    /// A search begins, and all events before this one are void. This happens in the middle of a search if the memory
    /// of jump points, which holds some 14 million, is full: then A\* begins. [`SearchStats`](super::SearchStats) count
    /// both searches. Default: does nothing.
    fn started(&mut self) {}

    /// The search looked at a path to a node, with the result `change`.
    fn relaxed(&mut self, way: Edge<N>, change: Relaxation);

    /// A node was taken from the open list and is being expanded.
    fn expanded(&mut self, way: Edge<N>);

    /// A node was taken from the open list and dropped, because a better path to it came first. Default: does nothing.
    fn dropped(&mut self, _node: N) {}

    /// The goal was taken from the open list, or seen from the node that is its parent. On terrain the search may go on
    /// a little, and reach the goal again by a cheaper path. Default: does nothing.
    fn reached(&mut self, _way: Edge<N>) {}
}

/// An edge of a search: a node, the node before it, and the cost of the path to it. Costs are in units of
/// [`STRAIGHT`](crate::STRAIGHT) per straight step on grids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edge<N = Cell> {
    /// The node that the edge leads to.
    pub node: N,
    /// The previous node. `None` for the start, and for a node taken from the open list: searches keep costs, not
    /// parents. The parent of such a node is the parent in the last event that [discovered](Relaxation::Discovered) or
    /// [improved](Relaxation::Improved) it.
    pub parent: Option<N>,
    /// Cost of the path from the beginning of the search: its start, or the goal of a field.
    pub g: u64,
    /// Estimate of the remaining cost.
    pub h: u64,
    /// The order of the open list: `k_g · g + k_h · h`, by the [weights](Weights) of the search.
    pub f: u64,
}

impl<N> Edge<N> {
    /// The edge of a path that costs g and has an estimated h remaining.
    #[inline(always)]
    pub(crate) fn new(node: N, parent: Option<N>, [g, h]: [u64; 2], weights: Weights) -> Self {
        let f = weights.f(g, h);
        Self {
            node,
            parent,
            g,
            h,
            f,
        }
    }
}

/// The result of looking at a path to a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relaxation {
    /// The node was not known before, and was put on the open list.
    Discovered,
    /// This path is better than the known one: the node has a new parent, and was put on the open list again.
    Improved,
    /// The node stays as it was: a known path to it is as good, or the search does not go back to it.
    Kept,
}

impl Relaxation {
    #[inline(always)]
    pub(crate) fn of(is_known: bool, is_better: bool) -> Self {
        match (is_known, is_better) {
            (_, false) => Self::Kept,
            (false, true) => Self::Discovered,
            (true, true) => Self::Improved,
        }
    }
}

impl<N> SearchRecorder<N> for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn relaxed(&mut self, _way: Edge<N>, _change: Relaxation) {}

    #[inline(always)]
    fn expanded(&mut self, _way: Edge<N>) {}
}

/// A recorder that renames nodes and passes all events on to another recorder. It connects a search that numbers the
/// cells of a grid to a recorder of cells: `Mapped::new(|node| space.cell(node), &mut recording)`.
#[derive(Debug)]
pub struct Mapped<'a, F, R> {
    name: F,
    /// The factor by which costs are multiplied.
    unit: u64,
    recorder: &'a mut R,
}

impl<'a, F, R> Mapped<'a, F, R> {
    /// A recorder that passes events on to `recorder`, with each node named by `name`.
    #[inline(always)]
    pub fn new(name: F, recorder: &'a mut R) -> Self {
        Self::in_units(1, name, recorder)
    }

    /// Like [`new`](Self::new), for a search that counts costs in multiples of `unit`.
    #[inline(always)]
    pub(super) fn in_units(unit: u64, name: F, recorder: &'a mut R) -> Self {
        Self {
            name,
            unit,
            recorder,
        }
    }

    #[inline(always)]
    fn way<N, M>(&self, way: Edge<N>) -> Edge<M>
    where
        F: Fn(N) -> M,
    {
        Edge {
            node: (self.name)(way.node),
            parent: way.parent.map(&self.name),
            g: self.unit * way.g,
            h: self.unit * way.h,
            f: self.unit * way.f,
        }
    }
}

impl<N, M, F: Fn(N) -> M, R: SearchRecorder<M>> SearchRecorder<N> for Mapped<'_, F, R> {
    const LISTENS: bool = R::LISTENS;

    fn started(&mut self) {
        self.recorder.started();
    }

    #[inline(always)]
    fn relaxed(&mut self, way: Edge<N>, change: Relaxation) {
        self.recorder.relaxed(self.way(way), change);
    }

    #[inline(always)]
    fn expanded(&mut self, way: Edge<N>) {
        self.recorder.expanded(self.way(way));
    }

    #[inline(always)]
    fn dropped(&mut self, node: N) {
        if R::LISTENS {
            self.recorder.dropped((self.name)(node));
        }
    }

    #[inline(always)]
    fn reached(&mut self, way: Edge<N>) {
        self.recorder.reached(self.way(way));
    }
}

/// Reports the nodes of a space to a recorder, and computes the events only if the recorder listens.
pub(crate) struct Teller<'a, S, R> {
    space: &'a S,
    weights: Weights,
    recorder: &'a mut R,
}

impl<'a, S: SearchSpace, R: SearchRecorder<u32>> Teller<'a, S, R> {
    #[inline(always)]
    pub(crate) fn new(space: &'a S, weights: Weights, recorder: &'a mut R) -> Self {
        Self {
            space,
            weights,
            recorder,
        }
    }

    #[inline(always)]
    fn way(&self, node: u32, parent: Option<u32>, g: u64) -> Edge<u32> {
        let h = self.space.heuristic(self.space.place(node));
        Edge::new(node, parent, [g, h], self.weights)
    }

    /// Reports the node at which a search begins, after [`started`](SearchRecorder::started).
    #[inline(always)]
    pub(crate) fn start(&mut self, node: u32) {
        self.relaxed(node, None, 0, Relaxation::Discovered);
    }

    #[inline(always)]
    pub(crate) fn relaxed(&mut self, node: u32, parent: Option<u32>, g: u64, change: Relaxation) {
        if R::LISTENS && node < self.space.node_count() {
            self.recorder.relaxed(self.way(node, parent, g), change);
        }
    }

    #[inline(always)]
    pub(crate) fn expanded(&mut self, node: u32, g: u64) {
        if R::LISTENS {
            self.recorder.expanded(self.way(node, None, g));
        }
    }

    #[inline(always)]
    pub(crate) fn dropped(&mut self, node: u32) {
        self.recorder.dropped(node);
    }

    #[inline(always)]
    pub(crate) fn reached(&mut self, node: u32, g: u64) {
        if R::LISTENS {
            self.recorder.reached(self.way(node, None, g));
        }
    }
}
