//! What a search tells about itself while it runs.

use super::grid_space::GridSpace;
use crate::cell::Cell;

/// Is told what a search on a grid does, as it does it: for replays, overlays and tests. See
/// [`find_path_recorded`](super::find_path_recorded) and, to look at one step at a time,
/// [`Search::step_recorded`](super::Search::step_recorded).
///
/// Searches are compiled once per recorder: one that does nothing, such as `()`, costs nothing.
/// Jump-point search tells of jump points, A\* of every cell. Answers from tables tell of neither: to record
/// on a [`Ground`](crate::Ground) that has some, ask for another [`Algorithm`](super::Algorithm) than
/// `Auto`. Mistakes in the arguments are told before anything. The start is expanded without having been
/// opened.
pub trait SearchRecorder {
    /// A search begins, and what was told before is void: where jump points have shown a goal to be out
    /// of reach, A\* begins anew to find the nearest cell. It counts in [`SearchStats`](super::SearchStats) all
    /// the same. Default: nothing.
    fn started(&mut self) {}

    /// A way to `cell` that is cheaper than those before was put on the open list. `g` is its cost;
    /// `f` is `g` and the estimate of what remains, both in units of [`STRAIGHT`](super::STRAIGHT) per
    /// straight step. With weights, A\* gives the weighted sum.
    fn opened(&mut self, cell: Cell, g: u64, f: u64);

    /// `cell`, reached at cost `g`, was taken from the open list and is being expanded.
    fn expanded(&mut self, cell: Cell, g: u64);
}

impl SearchRecorder for () {
    #[inline(always)]
    fn opened(&mut self, _cell: Cell, _g: u64, _f: u64) {}

    #[inline(always)]
    fn expanded(&mut self, _cell: Cell, _g: u64) {}
}

/// Tells a recorder of searches that count in units of that many costs.
pub(super) struct InUnits<'a, R> {
    pub(super) unit: u64,
    pub(super) recorder: &'a mut R,
}

impl<R: SearchRecorder> SearchRecorder for InUnits<'_, R> {
    fn started(&mut self) {
        self.recorder.started();
    }

    #[inline(always)]
    fn opened(&mut self, cell: Cell, g: u64, f: u64) {
        self.recorder.opened(cell, self.unit * g, self.unit * f);
    }

    #[inline(always)]
    fn expanded(&mut self, cell: Cell, g: u64) {
        self.recorder.expanded(cell, self.unit * g);
    }
}

/// As [`SearchRecorder`], for searches that know nodes, not cells.
pub(super) trait NodeRecorder {
    fn opened(&mut self, node: u32, g: u64, f: u64);
    fn expanded(&mut self, node: u32, g: u64);
}

impl NodeRecorder for () {
    #[inline(always)]
    fn opened(&mut self, _node: u32, _g: u64, _f: u64) {}

    #[inline(always)]
    fn expanded(&mut self, _node: u32, _g: u64) {}
}

/// Tells a recorder the cells of a grid's nodes.
pub(super) struct CellRecorder<'a, R> {
    pub(super) space: &'a GridSpace<'a>,
    pub(super) recorder: &'a mut R,
}

impl<R: SearchRecorder> NodeRecorder for CellRecorder<'_, R> {
    #[inline(always)]
    fn opened(&mut self, node: u32, g: u64, f: u64) {
        self.recorder.opened(self.space.cell(node), g, f);
    }

    #[inline(always)]
    fn expanded(&mut self, node: u32, g: u64) {
        self.recorder.expanded(self.space.cell(node), g);
    }
}
