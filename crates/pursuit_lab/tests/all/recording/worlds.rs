//! Random grids and searches on them, and random volumes of cubes.

use fastrand::Rng;
use pursuit::{
    Cell, DiagonalPolicy, Edge, Grid, PathOptions, Relaxation, SearchRecorder, SearchScratch,
    SearchStats,
};
use pursuit_lab::recording::{Counts, Event, RecordedSearch, Recording, voxel_recorder};
use pursuit_lab::voxels::{Voxel, VoxelGrid, VoxelOptions, VoxelPathError};

use crate::random;

/// A random grid with sides below `most`.
pub(crate) fn any_grid(rng: &mut Rng, most: u32) -> Grid {
    let (width, height) = (rng.u32(1..most), rng.u32(1..most));
    random::any_grid(rng, width, height)
}

/// A free cell as the start, and any cell as the goal.
pub(crate) fn any_ends(rng: &mut Rng, grid: &Grid) -> (Cell, Cell) {
    (random::any_free(grid, rng), random::any_cell(grid, rng))
}

pub(crate) fn any_options(rng: &mut Rng) -> PathOptions {
    let diagonals = DiagonalPolicy::ALL.get(rng.usize(0..7));
    let diagonals = *diagonals.unwrap_or(&DiagonalPolicy::NoCornerCut);
    random::any_options(rng, diagonals)
}

pub(crate) fn any_volume(rng: &mut Rng, most: u32) -> VoxelGrid {
    let [x, y, z] = [(); 3].map(|()| rng.u32(1..most));
    let solid = rng.u8(0..8);
    VoxelGrid::from_fn(x, y, z, |_| rng.u8(0..10) < solid).unwrap()
}

pub(crate) fn any_voxel(grid: &VoxelGrid, rng: &mut Rng) -> Voxel {
    let [x, y, z] = grid.size().map(|side| rng.i32(0..side as i32));
    Voxel::new(x, y, z)
}

/// Records a search among cubes in a log of at most `limit` bytes.
pub(crate) fn record(
    grid: &VoxelGrid,
    [start, goal]: [Voxel; 2],
    options: &VoxelOptions,
    limit: usize,
) -> Result<Recording, VoxelPathError> {
    let search = RecordedSearch::voxels(grid, start, goal, options).unwrap();
    let mut recording = Recording::new(search).with_limit(limit);
    let recorder = &mut voxel_recorder(grid, &mut recording);
    let scratch = &mut SearchScratch::new();
    let path = grid.find_path(start, goal, options, scratch, recorder)?;
    recording.finish_voxels(&path, None);
    Ok(recording)
}

/// Asserts that the counted events of a search agree with its stats.
#[track_caller]
pub(crate) fn check_work(told: Counts, done: SearchStats) {
    let done = (done.expanded.into(), done.pushed.into());
    assert_eq!((told.expanded, told.pushed), done);
}

/// A recorder that collects the events in a list.
#[derive(Default)]
pub(crate) struct Plain(pub(crate) Vec<Event>);

impl SearchRecorder for Plain {
    fn started(&mut self) {
        self.0.push(Event::Started);
    }

    fn relaxed(&mut self, way: Edge, change: Relaxation) {
        self.0.push(Event::Relaxed(way, change.into()));
    }

    fn expanded(&mut self, way: Edge) {
        self.0.push(Event::Expanded(way));
    }

    fn dropped(&mut self, cell: Cell) {
        self.0.push(Event::Dropped(cell));
    }

    fn reached(&mut self, way: Edge) {
        self.0.push(Event::Reached(way));
    }
}

/// Adds events to a recording.
pub(crate) fn tell(events: &[Event], recording: &mut Recording) {
    events.iter().for_each(|&event| recording.add(event));
}
