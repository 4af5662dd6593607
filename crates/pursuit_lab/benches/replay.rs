//! Scrubbing: a replay of a search of 10,000 expansions is moved to random places, as by a hand on a timeline.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fastrand::Rng;
use pursuit::search::{Algorithm, Heuristic, PathOptions, SearchScratch};
use pursuit::{BodyLayers, Cell, CellRect, DiagonalPolicy, Grid};
use pursuit_lab::recording::RecordedSearch;
use pursuit_lab::recording::Recording;
use pursuit_lab::replay::Changes;
use pursuit_lab::replay::Replay;

/// Side of the map, in cells.
const SIDE: u32 = 160;
/// What the search expands.
const EXPANSIONS: u32 = 10_000;
/// Cells in view along both sides, where all of them are looked at.
const VIEW: i32 = 90;

/// A search by A\* among scattered blocks, from corner to corner, until it has expanded enough.
fn recording() -> Recording {
    let mut random = Rng::with_seed(10);
    let last = SIDE as i32 - 2;
    let (start, goal) = (Cell::new(1, 1), Cell::new(last, last));
    let grid = Grid::from_fn(SIDE, SIDE, |cell| {
        cell == start || cell == goal || random.u8(..) > 50
    });
    let grid = grid.expect("a good size");
    let options = PathOptions {
        algorithm: Algorithm::AStar,
        heuristic: Heuristic::Zero,
        diagonals: DiagonalPolicy::NoCornerCut,
        max_expanded: Some(EXPANSIONS),
        ..PathOptions::default()
    };
    let mut recording = Recording::new(RecordedSearch::new(&grid, start, goal, &options));
    let scratch = &mut SearchScratch::new();
    let layers = BodyLayers::from_grid(grid, options.diagonals);
    let found = layers.find_path_recorded(start, goal, &options, scratch, &mut recording);
    recording.finish(&found.expect("free ends"), None);
    assert_eq!(recording.counts().expanded, u64::from(EXPANSIONS));
    assert!(!recording.is_cut());
    recording
}

fn scrub(criterion: &mut Criterion) {
    let recording = recording();
    let mut replay = Replay::new(recording.clone());
    let mut random = Rng::with_seed(11);
    let mut group = criterion.benchmark_group("replay");
    group.bench_function("open", |bencher| {
        bencher.iter(|| Replay::new(black_box(recording.clone())));
    });
    let events = replay.len();
    group.throughput(Throughput::Elements(1));
    group.bench_function("jump", |bencher| {
        bencher.iter(|| {
            replay.seek(random.u32(..=events));
            black_box(replay.current())
        });
    });
    group.bench_function("jump, list of what changed", |bencher| {
        bencher.iter(|| {
            replay.seek(random.u32(..=events));
            match replay.take_changes() {
                Changes::All => black_box(0),
                Changes::Cells(cells) => black_box(cells.len()),
            }
        });
    });
    let view = CellRect::new(Cell::new(30, 30), Cell::new(30 + VIEW, 30 + VIEW));
    group.bench_function("jump, every cell in view", |bencher| {
        bencher.iter(|| {
            replay.seek(random.u32(..=events));
            let marks = view.cells().map(|cell| replay.mark(cell) as u32);
            black_box(marks.sum::<u32>())
        });
    });
    group.finish();
}

criterion_group!(benches, scrub);
criterion_main!(benches);
