//! Paths from tables, checked against the oracle: costs, legal steps, reachability.

use fastrand::Rng;
use proptest::prelude::*;
use pursuit::maps::parse_ascii;
use pursuit::oracle::{self, cases};
use pursuit::tables::{SearchTables, TablesError};
use pursuit::{
    BodyLayers, Cancel, Cell, DiagonalPolicy, Edge, Grid, Outcome, PathOptions, Progress,
    Relaxation, SearchRecorder, SearchScratch,
};
use std::cell::RefCell;

use crate::common::random::{any_cell, any_size, any_walls};

const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;

thread_local! {
    /// All cases share one scratch, so that data left by one query would affect queries on tables of other sizes.
    static SCRATCH: RefCell<SearchScratch> = RefCell::default();
}

fn build(grid: &Grid) -> SearchTables {
    SearchTables::build(grid, POLICY, Cancel::NEVER).expect("a grid that tables can be built for")
}

/// A grid with its tables.
fn bake(grid: &Grid) -> BodyLayers {
    let layers = BodyLayers::from_grid(grid.clone(), POLICY);
    assert!(layers.set_tables(build(grid)));
    layers
}

/// A recorder that panics if a search reports an event. Paths from tables report none.
struct Silence;

impl SearchRecorder for Silence {
    fn relaxed(&mut self, way: Edge, _change: Relaxation) {
        panic!("a search ran instead of a query of the tables: {way:?}");
    }

    fn expanded(&mut self, way: Edge) {
        panic!("a search ran instead of a query of the tables: {way:?}");
    }

    fn reached(&mut self, way: Edge) {
        panic!("a search ran instead of a query of the tables: {way:?}");
    }
}

/// Finds a path in the tables, checks the path, and returns its cost.
#[track_caller]
fn cost(layers: &BodyLayers, start: Cell, goal: Cell) -> Option<u64> {
    SCRATCH.with_borrow_mut(|scratch| {
        let search = layers.search(start, goal, &PathOptions::default(), scratch);
        let found = search
            .ok()?
            .finish(&mut Silence, Cancel::NEVER)
            .expect("an answer");
        let path = found.path;
        let walked = oracle::path_cost(layers.grid(), &path, POLICY);
        assert_eq!(walked, Some(path.cost), "{start} to {goal} over {path:?}");
        if found.outcome != Outcome::Complete {
            return None;
        }
        assert_eq!((path.start(), path.end()), (Some(start), Some(goal)));
        Some(path.cost)
    })
}

/// A grid with walls of every kind, or with slanted buildings.
fn any_grid() -> impl Strategy<Value = Grid> {
    let walls = any::<u64>().prop_map(|seed| {
        let rng = &mut Rng::with_seed(seed);
        let (width, height) = any_size(rng);
        any_walls(rng, width, height)
    });
    prop_oneof![2 => walls, 1 => slanted()]
}

/// A grid with slanted buildings, which have many corners in sight of each other.
fn slanted() -> impl Strategy<Value = Grid> {
    any::<u64>().prop_map(|seed| {
        let rng = &mut Rng::with_seed(seed);
        let ((width, height), pitch) = (any_size(rng), rng.i32(4..20));
        let radii: Vec<i32> = (0..(width + 1) * (height + 1))
            .map(|_| rng.i32(0..pitch))
            .collect();
        Grid::from_fn(width, height, |cell| {
            let (bx, by) = (cell.x / pitch, cell.y / pitch);
            let radius = radii[(by * width as i32 + bx) as usize];
            let (x, y) = (cell.x % pitch - pitch / 2, cell.y % pitch - pitch / 2);
            x.abs() + y.abs() >= radius * 3 / 4
        })
        .expect("a good size")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(6000)))]

    #[test]
    fn paths_from_tables_have_the_oracles_cost(grid in any_grid(), seed: u64) {
        let (layers, rng) = (bake(&grid), &mut Rng::with_seed(seed));
        for _ in 0..4 {
            let start = any_cell(&grid, rng);
            let distances = oracle::distances(&grid, start, POLICY);
            for goal in (0..60).map(|_| any_cell(&grid, rng)).chain([start]) {
                let expected = grid.index(goal).and_then(|index| distances[index.get()]);
                for (from, to) in [(start, goal), (goal, start)] {
                    prop_assert_eq!(cost(&layers, from, to), expected, "{} to {}", from, to);
                }
            }
        }
    }
}

#[test]
fn there_are_no_paths_to_or_from_walls_and_cells_outside() {
    let grid = Grid::from_fn(5, 5, |cell| cell.x != 2).expect("a good size");
    let layers = bake(&grid);
    let start = Cell::new(0, 0);
    for goal in [
        (2, 0),
        (4, 4),
        (5, 0),
        (0, 5),
        (-1, 0),
        (0, -1),
        (i32::MIN, i32::MAX),
    ] {
        assert_eq!(cost(&layers, start, goal.into()), None, "to {goal:?}");
        assert_eq!(cost(&layers, goal.into(), start), None, "from {goal:?}");
    }
}

#[test]
fn only_grids_of_one_cost_without_corner_cutting_have_tables() {
    let mut builder = Grid::builder(3, 3).expect("a good size");
    let plain = builder.clone().build();
    builder.set_cost(Cell::new(1, 1), 2).expect("inside");
    let rough = builder.build();
    let error = |grid, diagonals| SearchTables::build(grid, diagonals, Cancel::NEVER).err();
    assert_eq!(error(&rough, POLICY), Some(TablesError::Terrain));
    assert_eq!(error(&plain, POLICY), None);
    let raised = parse_ascii("777\n7#7").expect("a board").grid;
    assert_eq!(
        error(&raised, POLICY),
        None,
        "a cost above 1 is allowed if all cells have it"
    );
    for other in DiagonalPolicy::ALL
        .into_iter()
        .filter(|&other| other != POLICY)
    {
        assert_eq!(error(&plain, other), Some(TablesError::Diagonals(other)));
    }
}

#[test]
fn layers_accept_only_tables_of_their_own_grid_and_policy() {
    let grid_of_tables = Grid::from_fn(3, 3, |cell| cell != Cell::new(1, 1)).expect("a good size");
    let equal = Grid::from_fn(3, 3, |cell| cell != Cell::new(1, 1)).expect("a good size");
    let takes = |grid: &Grid, policy| {
        let layers = BodyLayers::from_grid(grid.clone(), policy);
        let is_taken = layers.set_tables(build(&grid_of_tables));
        assert_eq!(layers.tables().is_some(), is_taken);
        is_taken
    };
    assert!(takes(&grid_of_tables, POLICY));
    assert!(!takes(&equal, POLICY));
    assert!(!takes(&grid_of_tables, DiagonalPolicy::Always));
}

#[test]
fn tables_answer_in_one_step_with_a_budget_of_zero() {
    let grid = Grid::from_fn(60, 60, |cell| cell.x % 7 != 3 || cell.y % 5 == 0).unwrap();
    let layers = bake(&grid);
    let (options, mut scratch) = (PathOptions::default(), SearchScratch::new());
    let (start, goal) = (Cell::new(0, 1), Cell::new(58, 33));
    let expected = layers.find_path(start, goal, &options, &mut scratch);
    let expected = expected.unwrap();
    assert!(expected.stats.expanded > 0);
    let search = layers.search(start, goal, &options, &mut scratch);
    let mut search = search.unwrap();
    assert_eq!(search.step(0, &mut ()), Ok(Progress::Done(expected)));
}
