//! What is derived from a grid, and what is done to a path once it is found.

mod maps;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use pursuit::search::{PathOptions, SearchScratch};
use pursuit::smooth::{TautScratch, taut_path};
use pursuit::tables::SearchTables;
use pursuit::{Cell, CellRect, Clearance, DiagonalPolicy, Grid, Outcome, Regions};

/// Radius of the body whose path is pulled taut, in cells: as wide as a cell allows.
const RADIUS: f32 = 0.5;
/// How far from a wall distances are known, in cells.
const CAP: f32 = 2.0;

/// A crate of 3 × 3 cells that comes and goes in the middle of the map.
fn update(group: &mut BenchmarkGroup<'_, WallTime>, grid: &Grid, name: &str) {
    let middle = Cell::new(grid.width() as i32 / 2, grid.height() as i32 / 2);
    let rect = CellRect::new(middle, middle.offset(3, 3));
    let mut builder = grid.to_builder();
    builder.fill(rect, false);
    let with_crate = builder.build();
    assert!(&with_crate != grid, "{name}");
    let mut regions = Regions::of(grid, DiagonalPolicy::default());
    group.throughput(Throughput::Elements(2));
    group.bench_function(format!("{name}/update"), |bencher| {
        bencher.iter(|| {
            regions.update(black_box(&with_crate), rect);
            regions.update(black_box(grid), rect);
        });
    });
    assert_eq!(regions, Regions::of(grid, DiagonalPolicy::default()));
}

fn regions(criterion: &mut Criterion) {
    let policy = DiagonalPolicy::default();
    let mut group = criterion.benchmark_group("regions");
    for map in maps::all() {
        let cells = map.grid.cell_count() as u64;
        let regions = Regions::of(&map.grid, policy);
        assert_eq!(
            regions.sizes().iter().sum::<u32>() as usize,
            map.grid.free_count()
        );
        group.throughput(Throughput::Elements(cells));
        group.bench_function(format!("{}/of", map.name), |bencher| {
            bencher.iter(|| Regions::of(black_box(&map.grid), policy));
        });
        update(&mut group, &map.grid, map.name);
        assert!(map.queries.iter().all(|&(a, b)| regions.connected(a, b)));
        group.throughput(Throughput::Elements(map.queries.len() as u64));
        group.bench_function(format!("{}/connected", map.name), |bencher| {
            bencher.iter(|| {
                for &(a, b) in &map.queries {
                    black_box(regions.connected(black_box(a), black_box(b)));
                }
            });
        });
    }
    group.finish();
}

fn tables(criterion: &mut Criterion) {
    let policy = DiagonalPolicy::default();
    let mut group = criterion.benchmark_group("tables");
    group.sample_size(10);
    for map in maps::all() {
        let tables = SearchTables::build(&map.grid, policy);
        assert!(tables.is_ok(), "{}", map.name);
        group.throughput(Throughput::Elements(map.grid.cell_count() as u64));
        group.bench_function(map.name, |bencher| {
            bencher.iter(|| SearchTables::build(black_box(&map.grid), policy));
        });
    }
    group.finish();
}

fn taut_paths(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("taut_path");
    let mut scratch = SearchScratch::new();
    for map in maps::all() {
        let clearance = Clearance::from_grid(&map.grid, CAP);
        let options = PathOptions::default();
        let mut path = |(start, goal): (Cell, Cell)| {
            let found = map.layers.find_path(start, goal, &options, &mut scratch);
            let found = found.expect("both ends are free cells");
            assert_eq!(found.outcome, Outcome::Complete);
            found.path.turns
        };
        let paths: Vec<_> = map.queries.iter().map(|&query| path(query)).collect();
        let mut taut = TautScratch::new();
        let mut pull = |cells: &[Cell]| {
            let [start, goal] = [cells[0], cells[cells.len() - 1]].map(Cell::center);
            taut_path(&clearance, start, cells, Some(goal), RADIUS, &mut taut)
        };
        for cells in &paths {
            let points = pull(cells);
            let ends = (points.first().copied(), points.last().copied());
            let (start, goal) = (cells[0].center(), cells[cells.len() - 1].center());
            assert_eq!(ends, (Some(start), Some(goal)), "{}", map.name);
        }
        let cells: usize = paths.iter().map(Vec::len).sum();
        group.throughput(Throughput::Elements(cells as u64));
        group.bench_function(map.name, |bencher| {
            bencher.iter(|| {
                paths
                    .iter()
                    .map(|cells| pull(black_box(cells)).len())
                    .sum::<usize>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, regions, tables, taut_paths);
criterion_main!(benches);
