//! What a search tells about itself while it runs.

use crate::cell::Cell;

/// Is told what a search on a grid does, as it does it: for replays, overlays and tests. See
/// [`find_path_recorded`](super::find_path_recorded).
///
/// Searches are compiled once per recorder: one that does nothing, such as `()`, costs nothing.
/// Jump-point search tells of jump points, A\* of every cell.
pub trait SearchRecorder {
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
