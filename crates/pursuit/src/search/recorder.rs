//! What a search tells about itself while it runs.

use super::options::Weights;
use super::space::SearchSpace;
use crate::cell::Cell;

/// Is told what a search does, as it does it: for replays, overlays and tests. See
/// [`BodyLayers::find_path_recorded`](crate::BodyLayers::find_path_recorded) and, to look at one step at a time,
/// [`Search::step`](super::Search::step). A `Recording` of the
/// crate `pursuit_lab` is a recorder that keeps everything.
///
/// `N` is what names a node: a [`Cell`] on grids, a number in other
/// [spaces](super::SpaceSearch::step).
///
/// Searches are compiled once per recorder: one that does [not listen](Self::LISTENS), such as `()`, costs
/// nothing. One that listens is told in this order:
///
/// 1. [`started`](Self::started), and the start as the first node that was [looked at](Self::relaxed), without
///    a parent;
/// 2. [`expanded`](Self::expanded) for a node that was taken from the open list, and then
///    [`relaxed`](Self::relaxed) for each of its neighbors that matters;
/// 3. [`reached`](Self::reached) for the goal.
///
/// A\* reports every cell. Where the ground is even, it looks only at neighbors to which no other way is known
/// to be as good, so these are fewer than eight.
///
/// Jump-point search reports jump points, and their parents are jump points. It looks for ways out of
/// dead ends before it begins, and does not report them: it starts where the way out of the start's ends, with the
/// start as the parent. Where the goal is in plain sight, it reports the goal alone.
///
/// Over terrain it reports every cell that it passes as looked at, with the cell before as the parent, and as expanded
/// only those taken from the open list.
///
/// An [integration field](crate::IntegrationField::start_recorded) begins at its goals, and reaches none.
///
/// Answers from tables are not recorded, since they search no cells. To record on a [`BodyLayers`](crate::BodyLayers) that
/// has some, ask for another [`Algorithm`](super::Algorithm) than `Auto`. Mistakes in the arguments are found
/// before anything is told.
pub trait SearchRecorder<N = Cell> {
    /// Whether anything is told at all. Searches leave out all work for a recorder that does not listen.
    /// Default: `true`.
    const LISTENS: bool = true;

    /// A search begins, and what was told before is void. That happens in the middle of a search if the memory of
    /// jump points is full, some 14 million of them: then A\* begins. [`SearchStats`](super::SearchStats) count both.
    /// Default: nothing.
    fn started(&mut self) {}

    /// A way to a node was looked at, and this came of it.
    fn relaxed(&mut self, way: Edge<N>, change: Change);

    /// A node was taken from the open list and is being expanded.
    fn expanded(&mut self, way: Edge<N>);

    /// A node was taken from the open list and dropped: a better way to it came first. Default: nothing.
    fn dropped(&mut self, _node: N) {}

    /// The goal was taken from the open list, or seen from the node that is its parent. On terrain the search
    /// may go on a little, and come to the goal again by a cheaper way. Default: nothing.
    fn reached(&mut self, _way: Edge<N>) {}
}

/// An edge of a search: a node, the node before it, and the cost of the way to it. Costs are in units of
/// [`STRAIGHT`](crate::STRAIGHT) per straight step on grids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edge<N = Cell> {
    /// Where it leads.
    pub node: N,
    /// The node before. `None` for the start, and for a node taken from the open list: searches keep costs,
    /// not parents. Its parent is the one of the way that was told last as better.
    pub parent: Option<N>,
    /// Cost from where the search began: its start, or the goal for a field.
    pub g: u64,
    /// Estimate of what remains.
    pub h: u64,
    /// What orders the open list: `k_g · g + k_h · h`, by the [weights](Weights) of the search.
    pub f: u64,
}

impl<N> Edge<N> {
    /// A way that costs g and leaves h.
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

/// What came of a look at a neighbor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// It was not known before, and was put on the open list.
    Discovered,
    /// This way is better than the one known: the node has a new parent, and was put on the open list again.
    Improved,
    /// It stays as it was: a way to it is known that is as good, or the search does not go back to it.
    Kept,
}

impl Change {
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
    fn relaxed(&mut self, _way: Edge<N>, _change: Change) {}

    #[inline(always)]
    fn expanded(&mut self, _way: Edge<N>) {}
}

/// A recorder that renames nodes and hands all events on. For a search that numbers the cells of a grid, and a recorder
/// of cells: `Mapped::new(|node| space.cell(node), &mut recording)`.
#[derive(Debug)]
pub struct Mapped<'a, F, R> {
    name: F,
    /// What costs are multiplied by.
    unit: u64,
    recorder: &'a mut R,
}

impl<'a, F, R> Mapped<'a, F, R> {
    /// A recorder of nodes that `recorder` knows by the names that `name` gives them.
    #[inline(always)]
    pub fn new(name: F, recorder: &'a mut R) -> Self {
        Self::in_units(1, name, recorder)
    }

    /// The same for a search that counts costs in units of that many.
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
    fn relaxed(&mut self, way: Edge<N>, change: Change) {
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

/// Tells a recorder of nodes of a space, and works out what to tell only if it listens.
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

    /// The node that a search begins at, after it has [`started`](SearchRecorder::started).
    #[inline(always)]
    pub(crate) fn start(&mut self, node: u32) {
        self.relaxed(node, None, 0, Change::Discovered);
    }

    #[inline(always)]
    pub(crate) fn relaxed(&mut self, node: u32, parent: Option<u32>, g: u64, change: Change) {
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
