//! The events that a search reports while it runs.

use super::options::Weights;
use super::space::SearchSpace;
use crate::cell::Cell;

/// A listener that receives the events of a search as they happen, for replays, overlays and tests. See
/// [`BodyLayers::find_path_recorded`](crate::BodyLayers::find_path_recorded) and, to inspect one expansion at a time,
/// [`Search::step`](super::Search::step). The `Recording` of the crate `pursuit_lab` is a recorder that keeps all
/// events.
///
/// `N` is the type of a node: a [`Cell`] on grids, a number in other [spaces](super::SpaceSearch::step).
///
/// Searches are generic over the recorder, so a recorder that does [not listen](Self::LISTENS), such as `()`, costs
/// nothing. A listening recorder receives its events in this order:
///
/// 1. [`started`](Self::started), and then [`relaxed`](Self::relaxed) for the start, without a parent;
/// 2. [`expanded`](Self::expanded) for each node that is taken from the open list, followed by
///    [`relaxed`](Self::relaxed) for each neighbor that the search examines;
/// 3. [`reached`](Self::reached) for the goal.
///
/// A\* reports every cell that it examines. If all free neighbors of a cell have the cell's own terrain cost, A\* skips
/// each neighbor that another path reaches at the same cost or less, so it examines fewer than eight.
///
/// Jump-point search reports only jump points, and their parents are jump points. If the start is in a dead end, the
/// search begins at the exit of that dead end, with the start as the parent, and does not report the cells on the way
/// to the exit. If the goal is in plain sight, the search reports only the goal.
///
/// Over terrain, jump-point search also calls [`relaxed`](Self::relaxed) for each cell along a run, with the previous
/// cell of the run as the parent. If most cells cost the same as the cells around them, it jumps along straight lines,
/// and reports only the last cell of each jump. It calls [`expanded`](Self::expanded) only for the cells that it takes
/// from the open list.
///
/// An [integration field](crate::IntegrationField::start_recorded) begins at its goals and never calls
/// [`reached`](Self::reached).
///
/// A path that is read from tables needs no search, so nothing is recorded. To record on a
/// [`BodyLayers`](crate::BodyLayers) that has tables, choose an [`Algorithm`](super::Algorithm) other than `Auto`. A
/// search with invalid arguments fails before the first event.
pub trait SearchRecorder<N = Cell> {
    /// Whether the recorder receives events. If `false`, searches skip all work for events. Default: `true`.
    const LISTENS: bool = true;

    /// A search begins. The recorder may forget all earlier events. This also happens in the middle of a search: when
    /// the memory of jump-point search is full, at about 14 million jump points, A\* begins from scratch.
    /// [`SearchStats`](super::SearchStats) count the work of both searches. Default: does nothing.
    fn started(&mut self) {}

    /// The search examined a path to a node, with the result `change`.
    fn relaxed(&mut self, edge: Edge<N>, change: Relaxation);

    /// A node was taken from the open list and is being expanded.
    fn expanded(&mut self, edge: Edge<N>);

    /// A node was taken from the open list and dropped, because the search had already expanded it on a better path.
    /// Default: does nothing.
    fn dropped(&mut self, _node: N) {}

    /// The goal was taken from the open list, or is in plain sight of its parent. On terrain the search may continue
    /// for a while and reach the goal again by a cheaper path. Default: does nothing.
    fn reached(&mut self, _edge: Edge<N>) {}
}

/// An edge of a search: a node, its parent, and the cost of the path through the parent to the node. On grids, a
/// straight step over terrain of cost 1 costs [`STRAIGHT`](crate::STRAIGHT).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edge<N = Cell> {
    /// The node that the edge leads to.
    pub node: N,
    /// The previous node on the path. `None` for the start, and for a node that is taken from the open list, since
    /// searches store costs but no parents. The parent of such a node is in the last event that
    /// [discovered](Relaxation::Discovered) or [improved](Relaxation::Improved) the node.
    pub parent: Option<N>,
    /// Cost of the path from the start of the search, or from the goal of a field.
    pub g: u64,
    /// Estimate of the remaining cost.
    pub h: u64,
    /// The key that orders the open list, smallest first: `k_g · g + k_h · h`, with the [weights](Weights) of the
    /// search.
    pub f: u64,
}

impl<N> Edge<N> {
    /// The last edge of a path of cost `g`. `h` is the estimated cost from its end to the goal.
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

/// What the search did with a path to a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relaxation {
    /// The node was not known before. The path to it was recorded.
    Discovered,
    /// The path is better than the known one and replaces it. The node has a new parent.
    Improved,
    /// The node keeps its known path: that path is at least as good, or the search does not reopen the node.
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
    fn relaxed(&mut self, _edge: Edge<N>, _change: Relaxation) {}

    #[inline(always)]
    fn expanded(&mut self, _edge: Edge<N>) {}
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
    /// A recorder that passes events on to `recorder`, with `name(node)` in place of each node.
    #[inline(always)]
    pub fn new(name: F, recorder: &'a mut R) -> Self {
        Self::in_units(1, name, recorder)
    }

    /// Like [`new`](Self::new), for a search whose costs are in units of `unit`. `recorder` receives each cost times
    /// `unit`.
    #[inline(always)]
    pub(super) fn in_units(unit: u64, name: F, recorder: &'a mut R) -> Self {
        Self {
            name,
            unit,
            recorder,
        }
    }

    #[inline(always)]
    fn edge<N, M>(&self, edge: Edge<N>) -> Edge<M>
    where
        F: Fn(N) -> M,
    {
        Edge {
            node: (self.name)(edge.node),
            parent: edge.parent.map(&self.name),
            g: self.unit * edge.g,
            h: self.unit * edge.h,
            f: self.unit * edge.f,
        }
    }
}

impl<N, M, F: Fn(N) -> M, R: SearchRecorder<M>> SearchRecorder<N> for Mapped<'_, F, R> {
    const LISTENS: bool = R::LISTENS;

    fn started(&mut self) {
        self.recorder.started();
    }

    #[inline(always)]
    fn relaxed(&mut self, edge: Edge<N>, change: Relaxation) {
        self.recorder.relaxed(self.edge(edge), change);
    }

    #[inline(always)]
    fn expanded(&mut self, edge: Edge<N>) {
        self.recorder.expanded(self.edge(edge));
    }

    #[inline(always)]
    fn dropped(&mut self, node: N) {
        if R::LISTENS {
            self.recorder.dropped((self.name)(node));
        }
    }

    #[inline(always)]
    fn reached(&mut self, edge: Edge<N>) {
        self.recorder.reached(self.edge(edge));
    }
}

/// Reports the nodes of a space to a recorder. Computes the events only if the recorder listens.
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
    fn edge(&self, node: u32, parent: Option<u32>, g: u64) -> Edge<u32> {
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
            self.recorder.relaxed(self.edge(node, parent, g), change);
        }
    }

    #[inline(always)]
    pub(crate) fn expanded(&mut self, node: u32, g: u64) {
        if R::LISTENS {
            self.recorder.expanded(self.edge(node, None, g));
        }
    }

    #[inline(always)]
    pub(crate) fn dropped(&mut self, node: u32) {
        self.recorder.dropped(node);
    }

    #[inline(always)]
    pub(crate) fn reached(&mut self, node: u32, g: u64) {
        if R::LISTENS {
            self.recorder.reached(self.edge(node, None, g));
        }
    }
}
