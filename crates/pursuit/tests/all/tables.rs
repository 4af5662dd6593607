//! Answers from tables against the oracle: costs, legal steps, reachability.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use pursuit::oracle::{self, cases};
use pursuit::tables::{SearchTables, TablesError};
use pursuit::{
    BodyLayers, Cell, Change, DiagonalPolicy, Grid, Outcome, PathOptions, Progress, SearchRecorder,
    SearchScratch, Way,
};

const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;

thread_local! {
    /// One for all cases: whatever a query leaves behind meets tables of all other sizes.
    static SCRATCH: RefCell<SearchScratch> = RefCell::default();
}

fn build(grid: &Grid) -> SearchTables {
    SearchTables::build(grid, POLICY).expect("a grid that tables can be built for")
}

/// A grid with its tables.
fn bake(grid: &Grid) -> BodyLayers {
    let layers = BodyLayers::from_grid(grid.clone(), POLICY);
    assert!(layers.set_tables(build(grid)));
    layers
}

/// Fails when it hears of a search: tables tell nothing.
struct Silence;

impl SearchRecorder for Silence {
    fn relaxed(&mut self, way: Way, _change: Change) {
        panic!("a search in place of the tables: {way:?}");
    }

    fn expanded(&mut self, way: Way) {
        panic!("a search in place of the tables: {way:?}");
    }

    fn reached(&mut self, way: Way) {
        panic!("a search in place of the tables: {way:?}");
    }
}

/// Finds a path by the tables and checks it; its cost.
#[track_caller]
fn cost(layers: &BodyLayers, start: Cell, goal: Cell) -> Option<u64> {
    SCRATCH.with_borrow_mut(|scratch| {
        let search = layers.search(start, goal, &PathOptions::default(), scratch);
        let found = search.ok()?.finish(&mut Silence).expect("an answer");
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

fn any_size() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![
        12 => (1u32..12, 1u32..12),
        2 => (62u32..68, 1u32..30),
        2 => (1u32..30, 62u32..68),
        1 => (125u32..132, 1u32..40),
        1 => (1u32..40, 125u32..132),
        2 => (20u32..70, 20u32..70),
    ]
}

fn splitmix(mut state: u64) -> impl FnMut(u32) -> u32 {
    move |below| {
        // Steele, Lea and Flood, 2014: SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 33) as u32 % below
    }
}

/// Single walls of any density up to 60 %, and lines of walls with a few gaps.
fn scattered() -> impl Strategy<Value = Grid> {
    (any_size(), 0u32..60, 0usize..8, any::<u64>()).prop_map(
        |((width, height), percent, lines, seed)| {
            let mut random = splitmix(seed);
            let lines: Vec<(bool, i32)> = (0..lines)
                .map(|_| (random(2) == 0, random(width.max(height)) as i32))
                .collect();
            Grid::from_fn(width, height, |cell| {
                let on_line = lines
                    .iter()
                    .any(|&(upright, at)| at == if upright { cell.x } else { cell.y });
                random(100) >= if on_line { 90 } else { percent }
            })
            .expect("a good size")
        },
    )
}

/// A tree of corridors, some of whose walls are broken.
fn mazes() -> impl Strategy<Value = Grid> {
    (any_size(), 1i32..4, 0u32..20, any::<u64>()).prop_map(
        |((width, height), corridor, broken, seed)| {
            let mut random = splitmix(seed);
            let pitch = corridor + 1;
            let sides: Vec<bool> = (0..(width + 1) * (height + 1))
                .map(|_| random(2) == 0)
                .collect();
            Grid::from_fn(width, height, |cell| {
                let (wall_x, wall_y) = (cell.x % pitch == 0, cell.y % pitch == 0);
                let (room_x, room_y) = (cell.x / pitch, cell.y / pitch);
                // Each room is open to one of two sides (a binary tree maze).
                let to_left = sides[(room_y * width as i32 + room_x) as usize];
                let is_wall = if to_left { wall_y } else { wall_x } || (wall_x && wall_y);
                !is_wall || random(100) < broken
            })
            .expect("a good size")
        },
    )
}

/// Buildings with slanted walls, whose many corners see each other.
fn slanted() -> impl Strategy<Value = Grid> {
    (any_size(), 4i32..20, any::<u64>()).prop_map(|((width, height), pitch, seed)| {
        let mut random = splitmix(seed);
        let radii: Vec<i32> = (0..(width + 1) * (height + 1))
            .map(|_| random(pitch as u32) as i32)
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

fn check(grid: &Grid, seed: u64) -> Result<(), TestCaseError> {
    let layers = bake(grid);
    let mut random = splitmix(seed);
    let mut any = || Cell::new(random(grid.width()) as i32, random(grid.height()) as i32);
    for _ in 0..4 {
        let start = any();
        let distances = oracle::distances(grid, start, POLICY);
        for goal in (0..60).map(|_| any()).chain([start]) {
            let expected = grid.index(goal).and_then(|index| distances[index.get()]);
            prop_assert_eq!(
                cost(&layers, start, goal),
                expected,
                "{} to {}",
                start,
                goal
            );
            prop_assert_eq!(
                cost(&layers, goal, start),
                expected,
                "{} to {}",
                goal,
                start
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2000)))]

    #[test]
    fn scattered_walls_are_walked_around_at_the_least_cost(grid in scattered(), seed: u64) {
        check(&grid, seed)?;
    }

    #[test]
    fn mazes_are_crossed_at_the_least_cost(grid in mazes(), seed: u64) {
        check(&grid, seed)?;
    }

    #[test]
    fn slanted_buildings_are_walked_around_at_the_least_cost(grid in slanted(), seed: u64) {
        check(&grid, seed)?;
    }
}

#[test]
fn a_path_to_where_one_stands_is_free() {
    let grid = Grid::from_fn(1, 1, |_| true).expect("a good size");
    let layers = bake(&grid);
    let here = Cell::new(0, 0);
    assert_eq!(cost(&layers, here, here), Some(0));
}

#[test]
fn walls_and_cells_outside_have_no_path() {
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
fn only_plain_grids_without_corner_cutting_have_tables() {
    let mut builder = Grid::builder(3, 3).expect("a good size");
    let plain = builder.clone().build();
    builder.set_cost(Cell::new(1, 1), 2).expect("inside");
    let rough = builder.build();
    let error = |grid, diagonals| SearchTables::build(grid, diagonals).err();
    assert_eq!(error(&rough, POLICY), Some(TablesError::Terrain));
    assert_eq!(error(&plain, POLICY), None);
    for other in DiagonalPolicy::ALL
        .into_iter()
        .filter(|&other| other != POLICY)
    {
        assert_eq!(error(&plain, other), Some(TablesError::Diagonals(other)));
    }
}

#[test]
fn layers_take_tables_of_their_grid_and_its_clones_under_their_policy() {
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
fn a_raised_flag_ends_the_bake() {
    let pillars = Grid::from_fn(40, 40, |cell| cell.x % 3 != 0 || cell.y % 3 != 0);
    let grid = pillars.expect("a good size");
    let flag = AtomicBool::new(true);
    let result = SearchTables::build_until(&grid, POLICY, &flag);
    assert_eq!(result.err(), Some(TablesError::Cancelled));
}

#[test]
fn a_query_allocates_nothing_but_its_answer_once_its_scratch_has_grown() {
    let pillars = Grid::from_fn(61, 61, |cell| cell.x % 3 != 1 || cell.y % 4 != 1);
    let layers = bake(&pillars.expect("a good size"));
    let (options, mut scratch) = (PathOptions::default(), SearchScratch::new());
    let queries = [((0, 0), (60, 60)), ((0, 60), (59, 2)), ((0, 0), (1, 0))];
    let mut run = || {
        for (start, goal) in queries {
            let found = layers.find_path(start.into(), goal.into(), &options, &mut scratch);
            assert!(found.is_ok());
        }
    };
    run();
    assert_eq!(allocation_counter::measure(run).count_total, 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2000)))]

    #[test]
    fn find_path_answers_the_same_with_tables_of_its_grid_and_without(
        grid in prop_oneof![scattered(), mazes(), slanted()], seed: u64,
    ) {
        let (plain, baked) = (BodyLayers::from_grid(grid.clone(), POLICY), bake(&grid));
        let mut random = splitmix(seed);
        let mut any = || Cell::new(random(grid.width()) as i32, random(grid.height()) as i32);
        let mut scratch = SearchScratch::new();
        for _ in 0..20 {
            let (start, goal) = (any(), any());
            if !grid.is_free(start) {
                continue;
            }
            let options = PathOptions::default();
            let [expected, found] = [&plain, &baked].map(|layers| {
                let found = layers.find_path(start, goal, &options, &mut scratch);
                found.expect("a start")
            });
            let walked = oracle::path_cost(&grid, &found.path, POLICY);
            prop_assert_eq!(walked, Some(found.path.cost));
            prop_assert_eq!(found.path.cost, expected.path.cost);
            prop_assert_eq!(found.outcome, expected.outcome);
            prop_assert_eq!(found.path.end(), expected.path.end());
        }
    }
}

#[test]
fn tables_answer_in_one_step_without_a_budget() {
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
