//! The searches themselves, with the memory of their thread, and with a recording where one is wanted.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::entity::Entity;
use bevy::platform::time::Instant;
use pursuit::Grid;
use pursuit::planners::{AnytimeWeights, Improvement, IncrementalTree};
use pursuit::search::{
    Algorithm, FindPathError, FoundPath, Outcome, PathOptions, Progress, SearchScratch,
    find_path_recorded,
};
use pursuit::smooth::TautScratch;
use pursuit_lab::recording::RecordedSearch;
use pursuit_lab::recording::Recording;

use super::ends::{Ends, Trip, leads_to_shunned};
use super::trees::{KeptTrees, TreeKey};
use super::waypoints::{self, Plan, Route};
use crate::grid::{Ground, NavSnapshot};

/// What `find` finds with this thread's memory.
pub(super) fn search(
    find: impl FnOnce(&mut SearchScratch) -> Result<FoundPath, FindPathError>,
) -> Result<Route, FindPathError> {
    with_memory(|memory| find(&mut memory.search)).map(route)
}

fn route(found: FoundPath) -> Route {
    Route {
        path: found.path,
        is_whole: found.outcome == Outcome::Complete,
        expanded: found.stats.expanded,
    }
}

/// What a search finds, and what it does: on the ground, or on a grid in its place. Tables search no cells,
/// and so do not answer.
pub(super) fn record(
    ground: &Ground,
    grid: Option<&Grid>,
    ends: &Ends,
    mut options: PathOptions,
    cancel: &AtomicBool,
) -> Result<(Route, Recording), FindPathError> {
    if options.algorithm == Algorithm::Auto && grid.is_none() && ground.tables().is_some() {
        options.algorithm = Algorithm::JumpPoint;
    }
    let searched = grid.unwrap_or(ground.grid());
    let (from, to) = (ends.from, ends.to);
    let recording = Recording::new(RecordedSearch::new(searched, from, to, &options));
    record_into(recording, |recording| {
        with_memory(|Memory { search, .. }| {
            let search = match grid {
                Some(grid) => Search::start(grid, from, to, &options, search),
                None => ground.search(from, to, &options, search),
            };
            search?.finish_until(recording, cancel)
        })
    })
}

/// What `find` finds, and the recording that it is told to, with the time that it took.
fn record_into(
    mut recording: Recording,
    find: impl FnOnce(&mut Recording) -> Result<FoundPath, FindPathError>,
) -> Result<(Route, Recording), FindPathError> {
    let begun = Instant::now();
    let found = find(&mut recording)?;
    recording.finish(&found, Some(begun.elapsed()));
    Ok((route(found), recording))
}

/// What a kept tree finds, and what the search did where that is wanted. `None` where there is no room for the tree.
///
/// A recording has to make sense alone: it begins with what the tree holds from searches before.
pub(super) fn replan(
    ground: &Ground,
    trees: Option<(&KeptTrees, Entity)>,
    key: TreeKey,
    trip: &Trip,
    ends: &Ends,
    options: &PathOptions,
    cancel: &AtomicBool,
) -> Option<Result<(Route, Option<Recording>), FindPathError>> {
    let (trees, _) = trees?;
    let cells = ground.grid().cell_count() as u64;
    let mut tree = trees.take(key, cells)?;
    let (from, to) = (ends.from, ends.to);
    let found = if trip.recorded_by.is_some() {
        let recorded = record_tree(ground, ends, options, &mut tree, cancel);
        recorded.map(|(route, recording)| (route, Some(recording)))
    } else {
        let search = ground.incremental(from, to, options, &mut tree);
        let found = search.and_then(|mut search| finish(|| search.step(STEP), cancel));
        found.map(|found| (route(found), None))
    };
    trees.put(key, cells, tree);
    Some(found)
}

/// What [`Ground::replan`] finds, and what it does.
fn record_tree(
    ground: &Ground,
    ends: &Ends,
    options: &PathOptions,
    tree: &mut IncrementalTree,
    cancel: &AtomicBool,
) -> Result<(Route, Recording), FindPathError> {
    let search = RecordedSearch::incremental(ground.grid(), ends.from, ends.to, options);
    // What a tree holds may fill the usual log by itself.
    let recording = Recording::new(search).with_limit(2 * Recording::DEFAULT_LIMIT);
    record_into(recording, |recording| {
        let mut search = ground.incremental(ends.from, ends.to, options, tree)?;
        search.tell_known(recording)?;
        finish(|| search.step_recorded(STEP, recording), cancel)
    })
}

/// Expansions between two looks at a flag, of searches that are made in steps.
const STEP: u32 = 4096;

/// Steps until there is an answer, or the flag is up.
fn finish(
    mut step: impl FnMut() -> Result<Progress<FoundPath>, FindPathError>,
    cancel: &AtomicBool,
) -> Result<FoundPath, FindPathError> {
    while !cancel.load(Ordering::Relaxed) {
        if let Progress::Done(found) = step()? {
            return Ok(found);
        }
    }
    Err(FindPathError::Cancelled)
}

/// The cheapest path, and before it those that come sooner, for who cannot wait. With a recording if that is wanted.
pub(super) fn improve(
    snapshot: &NavSnapshot,
    ground: &Ground,
    trip: &Trip,
    ends: &Ends,
    options: &PathOptions,
    early: &mut dyn FnMut(Plan),
    cancel: &AtomicBool,
) -> Result<(Route, Option<Recording>), FindPathError> {
    let search = || RecordedSearch::anytime(ground.grid(), ends.from, ends.to, options);
    let mut recording = (trip.recorded_by.is_some()).then(|| Recording::new(search()));
    let begun = Instant::now();
    let found = with_memory(|Memory { search, taut }| {
        let weights = AnytimeWeights::default();
        let mut search = ground.anytime(ends.from, ends.to, weights, options, search)?;
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(FindPathError::Cancelled);
            }
            let step = match &mut recording {
                Some(recording) => search.step_recorded(STEP, recording),
                None => search.step(STEP),
            };
            match step? {
                Improvement::Running => {}
                Improvement::Better(found) => {
                    let found = route(found);
                    let plan = waypoints::smooth(snapshot, trip, ends, &found, false, cancel, taut);
                    let plan = plan.ok_or(FindPathError::Cancelled)?;
                    if !leads_to_shunned(snapshot, trip, &plan.waypoints) {
                        early(plan);
                    }
                }
                Improvement::Last(found) => return Ok::<_, FindPathError>(found),
            }
        }
    })?;
    if let Some(recording) = &mut recording {
        recording.finish(&found, Some(begun.elapsed()));
    }
    Ok((route(found), recording))
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
        waypoints::smooth(snapshot, trip, ends, route, is_detour, cancel, taut)
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
}
