//! Searches on small boards, on which a reader can see the expected path.

use pursuit::maps::{AsciiMap, parse_ascii};
use pursuit::{
    Algorithm, BodyLayers, Cell, DiagonalPolicy, FoundPath, Grid, Heuristic, Outcome,
    PartialReason, PathOptions, STRAIGHT, SearchScratch, Weights, oracle,
};

use crate::common::bare::find_path;
use crate::common::random::by;

fn board(map: &str) -> AsciiMap {
    parse_ascii(map).expect("a board")
}

fn cell(map: &AsciiMap, mark: char) -> Cell {
    map.find(mark).expect("the mark is on the board")
}

#[track_caller]
fn find(map: &str, options: &PathOptions) -> FoundPath {
    let map = board(map);
    let (start, goal) = (cell(&map, 'S'), cell(&map, 'G'));
    find_path(&map.grid, start, goal, options, &mut SearchScratch::new()).expect("a path")
}

/// The board with `*` in all cells of the path except its ends.
fn draw(map: &str, cells: &[Cell]) -> String {
    let mut rows: Vec<Vec<u8>> = map.lines().map(|row| row.as_bytes().to_vec()).collect();
    for cell in cells {
        let tile = &mut rows[cell.y as usize][cell.x as usize];
        if !b"SG".contains(tile) {
            *tile = b'*';
        }
    }
    let rows = rows
        .into_iter()
        .map(|row| String::from_utf8(row).expect("ASCII"));
    rows.collect::<Vec<_>>().join("\n")
}

/// Checks a path. `S` is the start, `G` the goal, `#` a wall, and digits are terrain costs; `expected` marks the path
/// with `*`. The path must be complete, and its length, in cells, must equal the length of the oracle's path.
#[track_caller]
fn check_with(map: &str, options: &PathOptions, length: f64, expected: &str) {
    let found = find(map, options);
    let AsciiMap { grid, .. } = board(map);
    assert_eq!(draw(map, &found.path.cells().collect::<Vec<_>>()), expected);
    assert_eq!(found.outcome, Outcome::Complete);
    let ends = found.path.start().zip(found.path.end());
    let (start, goal) = ends.expect("a path has two ends");
    let oracle = oracle::dijkstra(&grid, start, goal, options.diagonals);
    assert_eq!(
        Some(found.path.cost),
        oracle,
        "the oracle finds a different cost"
    );
    let walked = oracle::path_cost(&grid, &found.path, options.diagonals);
    assert_eq!(
        Some(found.path.cost),
        walked,
        "the steps add up to a different cost"
    );
    let error = (found.path.length() - length).abs();
    assert!(
        error < 1e-5 * length.max(1.0),
        "length {} is not {length}",
        found.path.length()
    );
    assert_eq!(found.bound, 1.0);
}

#[track_caller]
fn check(map: &str, length: f64, expected: &str) {
    check_with(map, &PathOptions::default(), length, expected);
}

fn under(diagonals: DiagonalPolicy) -> PathOptions {
    PathOptions {
        diagonals,
        ..PathOptions::default()
    }
}

const ROOT: f64 = std::f64::consts::SQRT_2;

#[test]
fn a_path_goes_around_a_wall_without_cutting_its_corners() {
    check(
        "......\n\
         S.#..G\n\
         ..#...\n\
         ..#...",
        3.0 + 2.0 * ROOT,
        ".***..\n\
         S.#.*G\n\
         ..#...\n\
         ..#...",
    );
}

#[test]
fn only_lenient_policies_cut_the_corner_of_a_wall() {
    check("S#\n.G", 2.0, "S#\n*G");
    check_with("S#\n.G", &under(DiagonalPolicy::Never), 2.0, "S#\n*G");
    check_with("S#\n.G", &under(DiagonalPolicy::OneFree), ROOT, "S#\n.G");
}

#[test]
fn only_the_policy_always_passes_between_walls_that_touch_at_a_corner() {
    let gap = "S#\n#G";
    check_with(gap, &under(DiagonalPolicy::Always), ROOT, gap);
    for policy in [
        DiagonalPolicy::Never,
        DiagonalPolicy::NoCornerCut,
        DiagonalPolicy::OneFree,
    ] {
        let found = find(gap, &under(policy));
        assert_eq!(
            found.outcome,
            Outcome::Partial(PartialReason::Unreachable),
            "{policy:?}"
        );
    }
}

#[test]
fn a_path_avoids_costly_terrain_if_the_way_around_is_cheaper() {
    check(
        "S.9.G\n\
         ..9..\n\
         .....",
        4.0 * ROOT,
        "S.9.G\n\
         .*9*.\n\
         ..*..",
    );
    check("S2G", 3.0, "S*G");
}

#[test]
fn of_equally_short_paths_one_with_few_turns_is_found() {
    let found = find("S.......\n........\n.......G", &PathOptions::default());
    assert_eq!(
        found.path.turns.len(),
        3,
        "the path must have one turn between its ends"
    );
}

// The next tests are about mistakes that tutorials make.

#[test]
fn a_node_whose_cost_improves_is_moved_forward_in_the_open_list() {
    let map = "S9...\n\
               .9.9.\n\
               .9.9.\n\
               .9.9.\n\
               ...9G";
    let jumped = find(map, &PathOptions::default());
    let found = find(map, &by(Algorithm::AStar));
    let AsciiMap { grid, .. } = board(map);
    let (start, goal) = (Cell::new(0, 0), Cell::new(4, 4));
    let oracle = oracle::dijkstra(&grid, start, goal, DiagonalPolicy::NoCornerCut);
    assert_eq!(
        [&found, &jumped].map(|found| Some(found.path.cost)),
        [oracle; 2]
    );
    let improved = found.stats.pushed as usize > grid.free_count();
    assert!(
        improved,
        "the board must have nodes whose cost improves: {:?}",
        found.stats
    );
    assert!(
        found.stats.expanded as usize <= grid.free_count(),
        "a node was expanded twice"
    );
}

#[test]
fn a_target_inside_an_obstacle_leads_to_the_nearest_free_cell() {
    let map = board("S......\n.####..\n.####..\n.####..\n.......");
    let (start, goal) = (cell(&map, 'S'), Cell::new(3, 2));
    let mut scratch = SearchScratch::new();
    let plain = PathOptions::default();
    let layers = BodyLayers::from_grid(map.grid, plain.diagonals);
    let found = layers.find_path(start, goal, &plain, &mut scratch);
    let found = found.unwrap();
    assert_eq!(found.outcome, Outcome::Partial(PartialReason::GoalBlocked));
    assert_eq!(
        found.path.end(),
        Some(Cell::new(3, 0)),
        "of several cells at distance 2, the first one is expected"
    );
    assert_eq!(found.path.length(), 3.0);
    assert_eq!(
        found.stats.expanded, 0,
        "the goal is in sight, so no cell has to be expanded"
    );
}

// The next tests are about options and limits.

#[test]
fn more_weight_on_the_estimate_expands_less_and_states_its_bound() {
    let mut rows = vec![".".repeat(40); 30];
    rows[15] = format!("{}{}", "#".repeat(35), ".....");
    rows[2].replace_range(3..4, "S");
    rows[28].replace_range(3..4, "G");
    let map = rows.join("\n");
    let weighted = |g, h| {
        let options = PathOptions {
            weights: Weights { g, h },
            ..PathOptions::default()
        };
        find(&map, &options)
    };
    let optimal = find(&map, &by(Algorithm::AStar));
    let (hasty, greedy) = (weighted(2, 5), weighted(0, 1));
    assert_eq!(hasty.bound, 2.5);
    assert!(hasty.path.cost as f64 <= 2.5 * optimal.path.cost as f64);
    assert!(hasty.stats.expanded < optimal.stats.expanded);
    assert_eq!(
        (greedy.bound, greedy.outcome),
        (f64::INFINITY, Outcome::Complete)
    );
}

#[test]
fn the_limit_ends_the_search_at_the_nearest_cell_so_far() {
    let limited = Outcome::Partial(PartialReason::LimitReached);
    // The goal is not expanded, so it does not count toward the limit.
    for (limit, outcome, end) in [
        (0, limited, 0),
        (4, limited, 3),
        (10, Outcome::Complete, 10),
    ] {
        let options = PathOptions {
            algorithm: Algorithm::AStar,
            max_expanded: Some(limit),
            ..PathOptions::default()
        };
        let found = find("S.........G", &options);
        assert_eq!((found.outcome, found.stats.expanded), (outcome, limit));
        assert_eq!(found.path.end(), Some(Cell::new(end, 0)));
    }
}

#[test]
fn the_defaults_are_the_documented_ones() {
    let options = PathOptions::default();
    assert_eq!(options.diagonals, DiagonalPolicy::NoCornerCut);
    assert_eq!(options.heuristic, Heuristic::Octile);
    assert_eq!(options.weights, Weights { g: 1, h: 1 });
    assert!(options.max_expanded.is_none());
}

#[test]
fn the_cost_of_a_very_long_and_expensive_path_does_not_overflow() {
    // A snake through terrain of cost 255, with the highest weights.
    let mut builder = Grid::builder(201, 201).unwrap();
    for cell in builder.clone().build().rect().cells() {
        let bend = if cell.y % 4 == 1 { 200 } else { 0 };
        builder
            .set_free(cell, cell.y % 2 == 0 || cell.x == bend)
            .unwrap();
        builder.set_cost(cell, 255).unwrap();
    }
    let grid = builder.build();
    let weights = Weights {
        g: u16::MAX,
        h: u16::MAX,
    };
    let options = PathOptions {
        diagonals: DiagonalPolicy::Never,
        weights,
        ..PathOptions::default()
    };
    let (start, goal) = (Cell::new(200, 0), Cell::new(0, 200));
    let found = find_path(&grid, start, goal, &options, &mut SearchScratch::new()).unwrap();
    assert_eq!(found.outcome, Outcome::Complete);
    let steps = found.path.cells().count() as u64 - 1;
    assert_eq!(found.path.cost, steps * 255 * u64::from(STRAIGHT));
}
