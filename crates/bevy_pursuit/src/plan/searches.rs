//! The searches themselves, with the memory of their thread, and with a recording where one is wanted.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use bevy::platform::time::Instant;
use pursuit::recording::RecordedSearch;
use pursuit::search::{
    Algorithm, FindPathError, FoundPath, Outcome, PathOptions, SearchScratch, find_path_recorded,
};
use pursuit::smooth::TautScratch;
use pursuit::{Path, Recording};

use super::detour::Jam;
use super::ends::{Ends, Trip};
use super::refuge::{Flight, RefugeFields};
use super::waypoints::{self, Plan, Route};
use crate::grid::{Ground, NavSnapshot};

/// What `find` finds with this thread's memory.
pub(super) fn search(
    find: impl FnOnce(&mut SearchScratch) -> Result<Route, FindPathError>,
) -> Result<Route, FindPathError> {
    with_memory(|memory| find(&mut memory.search))
}

impl From<FoundPath> for Route {
    fn from(found: FoundPath) -> Self {
        Self {
            path: found.path,
            is_whole: found.outcome == Outcome::Complete,
            expanded: found.stats.expanded,
        }
    }
}

/// What a search finds, and what it does: on the ground, or around a place on a copy of its grid, which the recording
/// needs for itself. Tables search no cells, and so do not answer.
pub(super) fn record(
    ground: &Ground,
    jam: Option<Jam>,
    ends: &Ends,
    mut options: PathOptions<'_>,
) -> Result<(Route, Recording), FindPathError> {
    let grid = jam.map(|jam| jam.copied(ground.grid()));
    let grid = grid.as_ref();
    if options.algorithm == Algorithm::Auto && grid.is_none() && ground.tables().is_some() {
        options.algorithm = Algorithm::JumpPoint;
    }
    let searched = grid.unwrap_or(ground.grid());
    let (from, to) = (ends.from, ends.to);
    let mut recording = Recording::new(RecordedSearch::new(searched, from, to, &options));
    let begun = Instant::now();
    let found = with_memory(|Memory { search, .. }| match grid {
        Some(grid) => find_path_recorded(grid, from, to, &options, search, &mut recording),
        None => ground.find_path_recorded(from, to, &options, search, &mut recording),
    })?;
    recording.finish(&found, Some(begun.elapsed()));
    Ok((found.into(), recording))
}

/// See [`RefugeFields::refuge`]. `None` if `cancel` was set meanwhile.
pub(super) fn find_refuge(
    ground: &Ground,
    flight: Flight,
    cancel: &AtomicBool,
) -> Option<(Path, u64)> {
    with_memory(|Memory { refuge, .. }| {
        let found = refuge.refuge(ground.grid(), ground.diagonals(), flight, cancel);
        found.ok()
    })
}

/// See [`waypoints::smooth`].
pub(super) fn smooth(
    snapshot: &NavSnapshot,
    trip: &Trip,
    ends: &Ends,
    route: &Route,
    is_detour: bool,
    cancel: &AtomicBool,
) -> Option<Plan> {
    with_memory(|Memory { taut, .. }| {
        waypoints::smooth(snapshot, trip, ends, route, is_detour, Some(cancel), taut)
    })
}

/// Runs `work` with this thread's memory, which is kept from request to request.
fn with_memory<T>(work: impl FnOnce(&mut Memory) -> T) -> T {
    thread_local! {
        static MEMORY: RefCell<Memory> = RefCell::default();
    }
    MEMORY.with_borrow_mut(work)
}

#[derive(Default)]
struct Memory {
    search: SearchScratch,
    taut: TautScratch,
    refuge: RefugeFields,
}
