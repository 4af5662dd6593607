//! Runs searches with scratch memory that each thread keeps.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use pursuit::{
    FindPathError, FoundPath, Outcome, Path, PathOptions, SearchRecorder, SearchScratch,
    TautScratch,
};

use super::ends::{Ends, Trip};
use super::priced::Discs;
use super::refuge::{Flight, RefugeFields};
use super::waypoints::{self, CellPath, Plan};
use crate::grid::{BodyLayers, NavSnapshot};

/// The cheapest path over the cells of a grid, with the prices of `discs` if there are any. The recorder gets the
/// events of the search.
pub(super) fn find_path(
    layers: &BodyLayers,
    discs: Option<&Discs>,
    ends: &Ends,
    options: &PathOptions,
    recorder: &mut impl SearchRecorder,
    cancel: &AtomicBool,
) -> Result<FoundPath, FindPathError> {
    with_memory(|Memory { search, .. }| match discs {
        Some(discs) => discs.find_path(layers, ends, options, search, recorder, cancel),
        None => {
            let search = layers.search(ends.from, ends.to, options, search)?;
            search.finish(recorder, cancel.into())
        }
    })
}

impl From<FoundPath> for CellPath {
    fn from(found: FoundPath) -> Self {
        Self {
            path: found.path,
            is_whole: found.outcome == Outcome::Complete,
            expanded: found.stats.expanded,
        }
    }
}

/// See [`RefugeFields::refuge`]. `None` if `cancel` was set meanwhile.
pub(super) fn find_refuge(
    [own, theirs]: [&BodyLayers; 2],
    (flight, is_known): (Flight, bool),
    cancel: &AtomicBool,
) -> Option<(Path, u64)> {
    with_memory(|Memory { refuge, .. }| {
        let grids = ([own.grid(), theirs.grid()], own.diagonals());
        let found = refuge.refuge(grids, flight, is_known, cancel);
        found.ok()
    })
}

/// See [`waypoints::smooth`].
pub(super) fn smooth(
    snapshot: &NavSnapshot,
    trip: &Trip,
    ends: &Ends,
    (cell_path, discs): (&CellPath, Option<&Discs>),
    cancel: &AtomicBool,
) -> Option<Plan> {
    with_memory(|Memory { taut, .. }| {
        waypoints::smooth(snapshot, trip, ends, (cell_path, discs), cancel, taut)
    })
}

/// Runs `work` with this thread's scratch memory, which is kept between requests.
fn with_memory<T>(work: impl FnOnce(&mut Memory) -> T) -> T {
    thread_local! {
        static MEMORY: RefCell<Memory> = RefCell::default();
    }
    MEMORY.with_borrow_mut(work)
}

/// Scratch memory of a thread.
#[derive(Default)]
struct Memory {
    search: SearchScratch,
    taut: TautScratch,
    refuge: RefugeFields,
}
