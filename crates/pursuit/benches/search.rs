//! Paths over generated maps: each figure is the time of 16 queries.

mod maps;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use pursuit::search::{Algorithm, Heuristic, PathOptions, SearchScratch};
use pursuit::tables::SearchTables;
use pursuit::{BodyLayers, Cell};

use maps::{Answer, Bench, QUERIES};

fn find_paths(
    group: &mut BenchmarkGroup<WallTime>,
    map: &Bench,
    name: &str,
    options: &PathOptions,
) {
    find_paths_by(group, map, name, |start, goal, scratch| {
        map.layers.find_path(start, goal, options, scratch)
    });
}

fn find_paths_by(
    group: &mut BenchmarkGroup<WallTime>,
    map: &Bench,
    name: &str,
    mut find: impl FnMut(Cell, Cell, &mut SearchScratch) -> Answer,
) {
    map.check(&mut find);
    let mut scratch = SearchScratch::new();
    group.throughput(Throughput::Elements(QUERIES as u64));
    group.bench_function(format!("{}/{name}", map.name), |bencher| {
        bencher.iter(|| {
            for &(start, goal) in &map.queries {
                let (start, goal) = (black_box(start), black_box(goal));
                let _ = black_box(find(start, goal, &mut scratch));
            }
        });
    });
}

fn uniform(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("find_path");
    for map in maps::all() {
        let auto = PathOptions::default();
        find_paths(&mut group, &map, "auto", &auto);
        let astar = PathOptions {
            algorithm: Algorithm::AStar,
            ..auto
        };
        find_paths(&mut group, &map, "astar", &astar);
        let tables = SearchTables::build(&map.grid, auto.diagonals);
        let layers = BodyLayers::from_grid(map.grid.clone(), auto.diagonals);
        assert!(
            tables.is_ok_and(|tables| layers.set_tables(tables)),
            "even ground"
        );
        find_paths_by(&mut group, &map, "tables", |start, goal, scratch| {
            layers.find_path(start, goal, &auto, scratch)
        });
    }
    group.finish();
}

fn weighted(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("find_path_on_terrain");
    for map in maps::weighted() {
        let octile = PathOptions::default();
        find_paths(&mut group, &map, "octile", &octile);
        let zero = PathOptions {
            heuristic: Heuristic::Zero,
            ..octile
        };
        find_paths(&mut group, &map, "zero", &zero);
    }
    group.finish();
}

criterion_group!(benches, uniform, weighted);
criterion_main!(benches);
