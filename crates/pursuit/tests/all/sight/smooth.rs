//! Taut paths: they are safe, taut, and never longer than the cell paths from which they are pulled.

use glam::Vec2;
use proptest::prelude::*;
use pursuit::sight::line_of_sight;
use pursuit::steer::length;
use pursuit::{
    Cell, Clearance, DiagonalPolicy, Grid, Outcome, PathOptions, Room, SearchScratch, TautScratch,
    taut_path,
};

use super::exact::distance;
use super::worlds::{World, any_world, grid, shares};
use crate::common::bare::find_path;
use pursuit::oracle::cases;

fn cells(grid: &Grid, start: Cell, goal: Cell, diagonals: DiagonalPolicy) -> Option<Vec<Cell>> {
    let options = PathOptions {
        diagonals,
        ..PathOptions::default()
    };
    let found = find_path(grid, start, goal, &options, &mut SearchScratch::new()).ok()?;
    (found.outcome == Outcome::Complete).then(|| found.path.cells().collect())
}

fn centers(cells: &[Cell]) -> Vec<Vec2> {
    cells.iter().map(|cell| cell.center()).collect()
}

/// Pulls a path taut with fresh memory.
fn pulled(
    field: &Clearance,
    start: Vec2,
    cells: &[Cell],
    goal: Option<Vec2>,
    radius: f32,
) -> Vec<Vec2> {
    taut_path(field, start, cells, goal, radius, &mut TautScratch::new())
}

/// A board with a path from `S` to `G` over its cells.
struct Board {
    field: Clearance,
    start: Vec2,
    goal: Vec2,
    path: Vec<Cell>,
}

impl Board {
    fn of(text: &str, diagonals: DiagonalPolicy) -> Self {
        let map = pursuit::maps::parse_ascii(text).unwrap();
        let [start, goal] = ['S', 'G'].map(|mark| map.find(mark).unwrap());
        Self {
            field: Clearance::from_grid(&map.grid, 4.0),
            start: start.center(),
            goal: goal.center(),
            path: cells(&map.grid, start, goal, diagonals).unwrap(),
        }
    }

    /// The taut path for a body of radius 0.4.
    fn taut(text: &str) -> Vec<Vec2> {
        let board = Self::of(text, DiagonalPolicy::NoCornerCut);
        pulled(
            &board.field,
            board.start,
            &board.path,
            Some(board.goal),
            0.4,
        )
    }
}

#[track_caller]
fn check(text: &str, expected: &[(f32, f32)]) {
    let expected: Vec<Vec2> = expected.iter().map(|&point| point.into()).collect();
    assert_eq!(Board::taut(text), expected);
    let board = Board::of(text, DiagonalPolicy::NoCornerCut);
    let without_goal = pulled(&board.field, board.start, &board.path, None, 0.4);
    assert_eq!(
        without_goal, expected,
        "the last center is the goal, so the goal must not matter"
    );
}

#[test]
fn open_space_is_crossed_in_one_line() {
    check("S......\n.......\n....G..", &[(0.0, 0.0), (4.0, 2.0)]);
    check("SG", &[(0.0, 0.0), (1.0, 0.0)]);
}

#[test]
fn a_wall_is_rounded_at_its_corners() {
    check(
        ".......\nS..#..G\n...#...\n...#...",
        &[(0.0, 1.0), (2.5, 0.0), (4.0, 0.0), (6.0, 1.0)],
    );
    let board = "S.#G\n..#.\n....";
    let taut = pulled(
        &Clearance::from_grid(&grid(board), 4.0),
        Vec2::ZERO,
        &[(0, 0), (0, 1), (1, 2), (2, 2), (3, 2), (3, 1), (3, 0)].map(|(x, y)| Cell::new(x, y)),
        Some(Vec2::new(3.0, 0.0)),
        0.4,
    );
    assert_eq!(taut.len(), 4, "{taut:?}");
    let corners = [(1.3, 1.9), (2.9, 1.9)].map(Vec2::from);
    for (corner, about) in taut[1..].iter().zip(corners) {
        assert!(corner.distance(about) < 0.2, "{taut:?}");
    }
}

/// The strongest zigzag of a path, in degrees. A zigzag is a pair of corners that turn to opposite sides and are at
/// most `close` cells apart along the path. Its strength is the smaller of the two angles.
fn turns_back(taut: &[Vec2], close: f32) -> f32 {
    let turn = |i: usize| {
        let (into, onto) = (taut[i] - taut[i - 1], taut[i + 1] - taut[i]);
        into.angle_to(onto).to_degrees()
    };
    let inner = 1..taut.len() - 1;
    let pairs = inner
        .clone()
        .flat_map(|i| inner.clone().map(move |j| (i, j)));
    let near = pairs.filter(|&(i, j)| i < j && length(&taut[i..=j]) <= close);
    let back = near.filter(|&(i, j)| turn(i) * turn(j) < 0.0);
    back.map(|(i, j)| turn(i).abs().min(turn(j).abs()))
        .fold(0.0, f32::max)
}

#[test]
fn close_corners_to_both_sides_do_not_zigzag_over_cell_centers() {
    let board = "\
........####
.......S####
........####
#######.####
#######..###
########....
####........
####.......G
####........
";
    let taut = Board::taut(board);
    let most = turns_back(&taut, 2.4);
    assert!(
        most < 25.0,
        "the path turns by {most} degrees and back: {taut:?}"
    );
}

#[test]
fn a_path_replanned_on_the_way_continues_without_turning_back() {
    let board = "############\n............\n...#########\n...#########\n...#########\n";
    let map = pursuit::maps::parse_ascii(board).unwrap();
    let field = Clearance::from_grid(&map.grid, 4.0);
    let (goal, policy) = (Cell::new(11, 1), DiagonalPolicy::NoCornerCut);
    for left in 0..8 {
        let mut at = Vec2::new(0.25 * left as f32, 4.0);
        let mut headings: Vec<f32> = Vec::new();
        while at.x < 4.0 {
            // The path is planned again in each step, as when an agent chases a nearby target.
            let here = at.round().as_ivec2();
            let path = cells(&map.grid, Cell::new(here.x, here.y), goal, policy).unwrap();
            let taut = pulled(&field, at, &path, Some(goal.center()), 0.4);
            let heading = (taut[1] - at).normalize();
            headings.push(heading.to_angle().to_degrees());
            at += heading * 0.12;
        }
        // The path must bend to only one side.
        let mut most = f32::NEG_INFINITY;
        for heading in headings {
            most = most.max(heading);
            let back = most - heading;
            assert!(
                back < 15.0,
                "the path turns back by {back} degrees, from start {left}"
            );
        }
    }
}

#[test]
fn a_body_beside_a_wall_does_not_first_turn_to_the_center_of_its_cell() {
    let map = pursuit::maps::parse_ascii("...#........\n............\n").unwrap();
    let field = Clearance::from_grid(&map.grid, 4.0);
    let path: Vec<Cell> = (0..12).map(|x| Cell::new(x, 1)).collect();
    // The start is slightly too close to the row of the wall: a straight line past the wall would not keep enough
    // distance.
    let start = Vec2::new(0.0, 0.91);
    let taut = pulled(&field, start, &path, None, 0.45);
    assert_eq!(taut.len(), 3, "{taut:?}");
    let turn = (taut[1] - start).to_angle().to_degrees();
    assert!(
        turn < 14.0,
        "the path first turns by {turn} degrees: {taut:?}"
    );
}

/// The taut path over the cells between some turns, for a body of radius 0.4 with a margin of 0.2.
fn pulled_with_margin(board: &str, start: Vec2, turns: &[(i32, i32)], goal: Vec2) -> Vec<Vec2> {
    let field = Clearance::from_grid(&grid(board), 2.0);
    let cells: Vec<Cell> = turns.iter().map(|&(x, y)| Cell::new(x, y)).collect();
    let room = Room {
        radius: 0.4,
        margin: 0.2,
    };
    let mut scratch = TautScratch::new();
    taut_path(&field, start, &cells, Some(goal), room, &mut scratch)
}

#[test]
fn lines_at_the_ends_use_all_available_room_and_other_lines_keep_the_margin() {
    let board = ".......\n.......\n...#...\n...#...\n...#...\n";
    let field = Clearance::from_grid(&grid(board), 2.0);
    // Both ends are 0.45 away from the wall, which extends from 2.5 to 3.5. Between the ends, the path keeps more
    // distance from the wall.
    let (start, goal) = (Vec2::new(2.05, 4.0), Vec2::new(3.95, 4.0));
    let left = [(2, 4), (1, 3), (1, 1), (2, 0)];
    let right = [(4, 0), (5, 1), (5, 3), (4, 4)];
    let taut = pulled_with_margin(board, start, &[left, right].concat(), goal);
    assert_eq!((taut[0], taut[taut.len() - 1]), (start, goal));
    assert!((4..=6).contains(&taut.len()), "{taut:?}");
    for (i, line) in taut.windows(2).enumerate() {
        let sees = |radius| line_of_sight(&field, line[0], line[1], radius);
        let is_at_end = i == 0 || i + 2 == taut.len();
        assert!(sees(0.4) && sees(0.6) != is_at_end, "{line:?} of {taut:?}");
    }
}

/// The number of points of a path between two ends that are `away` cells away from the row of a pillar. `sides` are the
/// cells half a cell behind the start and the goal.
fn points_past_pillar(sides: [char; 2], away: f32) -> usize {
    let [a, b] = sides;
    let open = "...........";
    let board = format!("{open}\n{open}\n{a}.........{b}\n.....#.....\n");
    let y = 2.5 - away;
    let (start, goal) = (Vec2::new(1.0, y), Vec2::new(9.0, y));
    let taut = pulled_with_margin(&board, start, &[(1, 2), (2, 1), (8, 1), (9, 2)], goal);
    assert_eq!((taut[0], taut[taut.len() - 1]), (start, goal));
    taut.len()
}

#[test]
fn the_first_line_keeps_a_part_of_the_margin() {
    assert_eq!(
        points_past_pillar(['.', '.'], 0.58),
        2,
        "four fifths of the margin are enough"
    );
    assert!(
        points_past_pillar(['.', '.'], 0.53) > 2,
        "half of the margin is too little"
    );
}

#[test]
fn a_line_to_an_end_beside_a_wall_keeps_the_distance_of_the_end() {
    for sides in [['#', '.'], ['.', '#'], ['#', '#']] {
        assert!(
            points_past_pillar(sides, 0.45) > 2,
            "an end 0.5 from a wall must keep the line away: {sides:?}"
        );
        assert_eq!(points_past_pillar(sides, 0.5), 2, "{sides:?}");
    }
}

#[test]
fn a_path_passes_a_narrow_corridor_near_its_ends_without_a_margin() {
    let (into, out) = (
        "..######\n........\n..######\n",
        "######..\n........\n######..\n",
    );
    for (board, start, turns, goal) in [
        (into, 0.6, [(2, 1), (7, 1)], 7.0),
        (out, 0.0, [(0, 1), (5, 1)], 6.4),
    ] {
        let [start, goal] = [start, goal].map(|x| Vec2::new(x, 1.0));
        let taut = pulled_with_margin(board, start, &turns, goal);
        assert_eq!(
            taut,
            [start, goal],
            "the path must not stop where the corridor begins or ends"
        );
    }
}

#[test]
fn a_margin_beyond_the_cap_counts_up_to_the_cap() {
    let mut rows = vec![".".repeat(80); 60];
    for row in &mut rows[..40] {
        row.replace_range(40..41, "#");
    }
    let field = Clearance::from_grid(&grid(&rows.join("\n")), 4.0);
    let policy = DiagonalPolicy::NoCornerCut;
    let (start, goal) = (Cell::new(5, 3), Cell::new(75, 3));
    let walk = cells(&field.walkable(3.9, policy), start, goal, policy).unwrap();
    let (radius, ends) = (3.9, [start, goal].map(Cell::center));
    let pull = |margin| {
        let (room, scratch) = (Room { radius, margin }, &mut TautScratch::new());
        taut_path(&field, ends[0], &walk, Some(ends[1]), room, scratch)
    };
    for margin in [0.1, 0.2, 1.0, f32::INFINITY] {
        let taut = pull(margin);
        assert_eq!(taut.len(), 4, "{margin}: {taut:?}");
        assert!(length(&taut) < length(&centers(&walk)) - 4.0, "{margin}");
    }
    assert_eq!(pull(f32::NAN), pull(0.0));
}

#[test]
fn without_cells_the_path_is_the_start_and_a_visible_goal() {
    let field = Clearance::from_grid(&grid("...#."), 4.0);
    let (start, near, far) = (Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(4.0, 0.0));
    assert_eq!(pulled(&field, start, &[], None, 0.4), [start]);
    assert_eq!(pulled(&field, start, &[], Some(near), 0.4), [start, near]);
    assert_eq!(pulled(&field, start, &[], Some(far), 0.4), [start]);
}

#[test]
fn a_path_from_an_off_center_start_does_not_lead_back_to_its_cell() {
    let field = Clearance::from_grid(&grid("......\n......"), 4.0);
    let path: Vec<Cell> = (0..6).map(|x| Cell::new(x, 0)).collect();
    let start = Vec2::new(0.4, 0.3);
    let taut = pulled(&field, start, &path, None, 0.4);
    assert_eq!(taut, [start, Vec2::new(5.0, 0.0)]);
}

#[test]
fn a_start_that_sees_nothing_leads_to_its_own_cell_first() {
    let field = Clearance::from_grid(&grid("....\n####"), 4.0);
    let path: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
    // The body, with a radius of 0.4, is pressed against the wall: its center is 0.2 away from the wall.
    let start = Vec2::new(0.1, 0.3);
    let taut = pulled(&field, start, &path, None, 0.4);
    assert_eq!(taut, [start, Vec2::ZERO, Vec2::new(3.0, 0.0)]);
}

#[test]
fn a_goal_beside_the_last_center_ends_the_path_and_one_out_of_sight_does_not() {
    let field = Clearance::from_grid(&grid("....\n...#"), 4.0);
    let path: Vec<Cell> = (0..3).map(|x| Cell::new(x, 0)).collect();
    let start = Vec2::ZERO;
    let pull = |x, y| pulled(&field, start, &path, Some(Vec2::new(x, y)), 0.4);
    assert_eq!(pull(2.0, 0.6), [start, Vec2::new(2.0, 0.6)]);
    assert_eq!(
        pull(1.4, 0.0),
        [start, Vec2::new(1.4, 0.0)],
        "the path must not go beyond the goal"
    );
    assert_eq!(
        pull(2.3, 0.9),
        [start, Vec2::new(2.0, 0.0)],
        "a goal too close to a wall must be ignored"
    );
    assert_eq!(pull(f32::NAN, 0.0), [start, Vec2::new(2.0, 0.0)]);
}

#[test]
fn pulling_joins_steps_out_of_sight_into_straight_runs() {
    let board = Board::of("S####\n#.###\n##.##\n##..G", DiagonalPolicy::Always);
    let taut = pulled(&board.field, board.start, &board.path, None, 0.3);
    assert_eq!(
        (taut.first(), taut.last()),
        (Some(&board.start), Some(&board.goal))
    );
    assert!(taut.len() <= 4, "{taut:?}");
    for ends in taut.windows(2) {
        let way = ends[1] - ends[0];
        let is_straight = way.x == 0.0 || way.y == 0.0 || way.x.abs() == way.y.abs();
        assert!(is_straight || line_of_sight(&board.field, ends[0], ends[1], 0.3));
    }
}

#[test]
fn with_a_scratch_only_the_result_is_allocated() {
    let board = Board::of("S.#....\n..#.#..\n....#.G", DiagonalPolicy::NoCornerCut);
    let mut scratch = TautScratch::new();
    let mut pull = || {
        let Board {
            field,
            start,
            goal,
            path,
        } = &board;
        taut_path(field, *start, path, Some(*goal), 0.4, &mut scratch)
    };
    let corners = pull().len();
    assert!(corners > 3);
    let allocated = allocation_counter::measure(|| drop(pull()));
    assert_eq!(allocated.count_total, 1, "{allocated:?}");
    assert_eq!(allocated.bytes_total as usize, corners * size_of::<Vec2>());
}

/// The first and the last cell of a walk, and the cells where it turns.
fn turns(cells: &[Cell]) -> Vec<Cell> {
    let way = |i: usize| cells[i].center() - cells[i - 1].center();
    let is_turn = |&i: &usize| i == 0 || i + 1 == cells.len() || way(i) != way(i + 1);
    (0..cells.len()).filter(is_turn).map(|i| cells[i]).collect()
}

/// Whether a segment lies on a part of the walk.
fn is_on_walk(walk: &[Vec2], a: Vec2, b: Vec2) -> bool {
    let is_on = |point: Vec2| {
        let mut steps = walk.windows(2);
        steps.any(|ends| {
            let around = ends[0].distance(point) + point.distance(ends[1]);
            around <= ends[0].distance(ends[1]) + 1e-4
        })
    };
    (0..=20).all(|i| is_on(a.lerp(b, i as f32 / 20.0)))
}

#[test]
fn cells_that_are_not_a_walk_do_not_panic() {
    let field = Clearance::from_grid(&grid("...#....\n...#...."), 4.0);
    let far = [
        Cell::new(0, 0),
        Cell::new(i32::MAX, i32::MIN),
        Cell::new(i32::MIN, 3),
        Cell::new(7, 1),
    ];
    for cells in [&far[..], &far[2..], &[far[0], far[0], far[3]], &[far[3]]] {
        for goal in [None, Some(Vec2::new(7.0, 1.0)), Some(Vec2::NAN)] {
            for start in [Vec2::ZERO, Vec2::NAN, Vec2::splat(1e30)] {
                let taut = pulled(&field, start, cells, goal, 0.4);
                assert!(taut[0] == start || start.is_nan());
                assert_eq!(taut.last(), Some(&Vec2::new(7.0, 1.0)));
            }
        }
    }
}

/// A taut path, and the data from which it was pulled.
struct Pulled<'w> {
    world: &'w World,
    radius: f32,
    start: Vec2,
    path: Vec<Cell>,
    goal: Vec2,
    taut: Vec<Vec2>,
}

/// Finds a walkable path between the cells of two points, and pulls it taut between the points.
fn pull(world: &World, start: Vec2, goal: Vec2, radius: f32) -> Option<Pulled<'_>> {
    let policy = DiagonalPolicy::NoCornerCut;
    let walkable = world.field.walkable(radius, policy);
    let cell = |point: Vec2| {
        let point = point.round().as_ivec2();
        Cell::new(point.x, point.y)
    };
    let path = cells(&walkable, cell(start), cell(goal), policy)?;
    let taut = pulled(&world.field, start, &path, Some(goal), radius);
    Some(Pulled {
        world,
        radius,
        start,
        path,
        goal,
        taut,
    })
}

impl Pulled<'_> {
    fn sees(&self, a: Vec2, b: Vec2) -> bool {
        line_of_sight(&self.world.field, a, b, self.radius)
    }

    fn check_ends(&self) {
        let last_center = self.path[self.path.len() - 1].center();
        let last = self.taut[self.taut.len() - 1];
        assert_eq!(self.taut[0], self.start);
        if self.sees(last_center, self.goal) {
            assert_eq!(last, self.goal);
        } else {
            assert!(last == last_center || last == self.goal);
        }
    }

    fn check_safe(&self) {
        for (i, ends) in self.taut.windows(2).enumerate() {
            let (a, b) = (ends[0].as_dvec2(), ends[1].as_dvec2());
            let is_leg_from_start = i == 0 && ends[1] == self.path[0].center();
            let least = distance(&self.world.obstacles, a, b) as f32;
            assert!(
                is_leg_from_start || least >= self.radius - 1e-3,
                "{} to {}: {least} < {}",
                ends[0],
                ends[1],
                self.radius
            );
        }
    }

    fn check_not_longer(&self) {
        let mut long = vec![self.start];
        long.extend(centers(&self.path));
        if self.taut.last() == Some(&self.goal) {
            long.push(self.goal);
        }
        assert!(length(&self.taut) <= length(&long) + 1e-3);
    }

    /// The body must fit along each line, or the line must be part of the walk. Only the line from the start to the
    /// first center may break this rule.
    fn check_in_sight(&self) {
        let walk = centers(&self.path);
        for (i, ends) in self.taut.windows(2).enumerate() {
            let is_leg_from_start = i == 0 && ends[1] == walk[0];
            assert!(
                is_leg_from_start
                    || self.sees(ends[0], ends[1])
                    || is_on_walk(&walk, ends[0], ends[1]),
                "{} to {}",
                ends[0],
                ends[1]
            );
        }
    }

    fn check_taut(&self) {
        for corner in self.taut.windows(3) {
            assert!(
                !self.sees(corner[0], corner[2]),
                "the corner {} is needless",
                corner[1]
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(3000)))]

    #[test]
    fn a_taut_path_keeps_its_ends_and_is_safe_taut_and_not_longer(
        world in any_world(),
        start in shares(),
        goal in shares(),
        radius in prop_oneof![4 => 0.05..=0.5_f32, 1 => 0.5..1.5_f32],
    ) {
        if let Some(pulled) = pull(&world, world.at(start), world.at(goal), radius) {
            pulled.check_ends();
            pulled.check_safe();
            pulled.check_in_sight();
            pulled.check_not_longer();
            pulled.check_taut();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500)))]

    /// The body may be too large for the walk, as a body is when a margin is added to its radius.
    #[test]
    fn the_turns_of_a_walk_give_the_taut_path_of_all_its_cells(
        world in any_world(),
        start in shares(),
        goal in shares(),
        radius in 0.05..1.5_f32,
        more in prop_oneof![Just(0.0), 0.0..0.3_f32],
    ) {
        let (start, goal) = (world.at(start), world.at(goal));
        if let Some(pulled) = pull(&world, start, goal, radius) {
            let mut scratch = TautScratch::new();
            let room = Room { radius, margin: more };
            let mut again = |cells: &[Cell]| {
                taut_path(&world.field, start, cells, Some(goal), room, &mut scratch)
            };
            let taut = again(&turns(&pulled.path));
            prop_assert_eq!(&again(&pulled.path), &taut);
            prop_assert_eq!(&again(&turns(&pulled.path)), &taut, "earlier paths in the scratch must not matter");
            let pulled = Pulled { taut, radius: pulled.radius, ..pulled };
            pulled.check_safe();
            pulled.check_not_longer();
            pulled.check_in_sight();
            let pulled = Pulled { radius: radius + more, ..pulled };
            pulled.check_taut();
            let lines = pulled.taut.len() - 1;
            let between = pulled.taut.get(1..lines).unwrap_or_default();
            let pulled = Pulled { taut: between.to_vec(), ..pulled };
            pulled.check_in_sight();
        }
    }
}

#[test]
fn random_worlds_have_paths_with_many_corners() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut corners = 0;
    for _ in 0..cases(300) {
        let tree = (any_world(), shares(), shares())
            .new_tree(&mut runner)
            .unwrap();
        let (world, start, goal) = proptest::strategy::ValueTree::current(&tree);
        let pulled = pull(&world, world.at(start), world.at(goal), 0.4);
        corners += pulled.map_or(0, |pulled| pulled.taut.len() - 1);
    }
    assert!(
        corners > cases(100),
        "the random worlds test too little: {corners} lines"
    );
}
