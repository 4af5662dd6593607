//! Tests of grids of cubes: searches agree with a naive search, and texts are read or refused.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use proptest::prelude::*;
use pursuit::oracle::cases;
use pursuit::{FindPathError, Outcome, PartialReason, SearchLimits, SearchScratch, Weights, astar};
use pursuit_lab::voxels::{
    Movement, Voxel, VoxelBox, VoxelError, VoxelGrid, VoxelOptions, VoxelPathError, VoxelSpace,
    VoxelTextErrorKind, parse_voxels,
};

use crate::recording::worlds::{any_volume, any_voxel};

const SIDES: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// Whether a body can be in a cube.
fn holds(grid: &VoxelGrid, voxel: Voxel, movement: Movement) -> bool {
    !grid.is_solid(voxel) && (movement == Movement::Fly || grid.is_solid(voxel.offset(0, 0, -1)))
}

/// The steps from a cube and their costs, computed directly from the rules.
fn steps(grid: &VoxelGrid, from: Voxel, movement: Movement) -> Vec<(Voxel, u64)> {
    let climb = match movement {
        Movement::Walk { climb } => i32::from(climb),
        _ => 0,
    };
    let mut steps = Vec::new();
    for (dx, dy) in SIDES {
        for dz in -climb..=climb {
            let to = from.offset(dx, dy, dz);
            // The body goes up and then aside, or aside and then down.
            let (column, low) = if dz > 0 { (from, from.z) } else { (to, to.z) };
            let is_clear =
                (1..=dz.abs()).all(|up| !grid.is_solid(Voxel::new(column.x, column.y, low + up)));
            if is_clear && holds(grid, to, movement) {
                steps.push((to, 1 + u64::from(dz.unsigned_abs())));
            }
        }
    }
    if movement == Movement::Fly {
        let ends = [from.offset(0, 0, 1), from.offset(0, 0, -1)];
        let free = ends.into_iter().filter(|&to| !grid.is_solid(to));
        steps.extend(free.map(|to| (to, 1)));
    }
    steps
}

/// The costs of the cheapest paths from a cube.
fn costs(grid: &VoxelGrid, from: Voxel, movement: Movement) -> HashMap<Voxel, u64> {
    let mut known = HashMap::new();
    let mut open = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((cost, at))) = open.pop() {
        if known.contains_key(&at) {
            continue;
        }
        known.insert(at, cost);
        for (to, step) in steps(grid, at, movement) {
            open.push(Reverse((cost + step, to)));
        }
    }
    known
}

fn check(grid: &VoxelGrid, [start, goal]: [Voxel; 2], options: &VoxelOptions) -> bool {
    let movement = options.movement;
    let found = grid.find_path(start, goal, options, &mut SearchScratch::new(), &mut ());
    if !holds(grid, start, movement) {
        assert_eq!(found, Err(VoxelPathError::StartBlocked(start)));
        return false;
    }
    let found = found.unwrap();
    let costs = costs(grid, start, movement);
    let (first, end) = (found.voxels[0], found.voxels[found.voxels.len() - 1]);
    assert_eq!(first, start);
    let walked: u64 = found
        .voxels
        .windows(2)
        .map(|step| {
            let legal = steps(grid, step[0], movement);
            let step = legal.into_iter().find(|&(to, _)| to == step[1]);
            step.expect("a step is not legal").1
        })
        .sum();
    assert_eq!(found.cost, walked);
    assert_eq!(Some(&found.cost), costs.get(&end), "not the cheapest path");
    let (complete, unreachable) = (
        Outcome::Complete,
        Outcome::Partial(PartialReason::Unreachable),
    );
    if costs.contains_key(&goal) {
        assert_eq!((found.outcome, end), (complete, goal));
    } else {
        let nearest = costs.keys().map(|voxel| voxel.manhattan(goal)).min();
        assert_eq!(
            (found.outcome, Some(end.manhattan(goal))),
            (unreachable, nearest)
        );
    }
    found.outcome == complete
}

#[test]
fn paths_are_the_cheapest_in_thousands_of_random_volumes() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut whole = [0; 4];
    for round in 0..cases(12_000) {
        let grid = any_volume(&mut rng, 9);
        let kind = round % 4;
        let mut options = VoxelOptions::default();
        options.has_estimate = rng.bool();
        if let Some(climb) = [None, Some(0), Some(1), Some(3)][kind] {
            options.movement = Movement::Walk { climb };
        }
        let starts: Vec<Voxel> = grid.bounds().voxels().collect();
        let good = starts
            .into_iter()
            .filter(|&at| holds(&grid, at, options.movement));
        let good: Vec<Voxel> = good.collect();
        let start = match good.get(rng.usize(0..good.len().max(1))) {
            Some(&start) if rng.u8(0..10) > 0 => start,
            _ => any_voxel(&grid, &mut rng),
        };
        let goal = match good.get(rng.usize(0..good.len().max(1))) {
            Some(&goal) if rng.bool() => goal,
            _ => any_voxel(&grid, &mut rng),
        };
        whole[kind] += usize::from(check(&grid, [start, goal], &options));
    }
    assert!(whole.into_iter().min() > Some(cases(400)), "{whole:?}");
}

#[test]
fn the_estimate_saves_expansions_and_changes_no_cost() {
    let mut rng = fastrand::Rng::with_seed(2);
    let grid = VoxelGrid::from_fn(30, 30, 30, |_| rng.u8(0..10) < 2).unwrap();
    let scratch = &mut SearchScratch::new();
    let ends = grid.bounds().voxels().filter(|&at| !grid.is_solid(at));
    let ends: Vec<Voxel> = ends.collect();
    let (start, goal) = (ends[0], ends[ends.len() - 1]);
    let mut options = VoxelOptions::default();
    let led = grid
        .find_path(start, goal, &options, scratch, &mut ())
        .unwrap();
    options.has_estimate = false;
    let dijkstra = grid
        .find_path(start, goal, &options, scratch, &mut ())
        .unwrap();
    assert_eq!(led.cost, dijkstra.cost);
    assert!(led.stats.expanded * 20 < dijkstra.stats.expanded, "{led:?}");
}

#[test]
fn a_grid_is_solid_where_its_function_says_and_outside() {
    let is_inside = |at: Voxel| at.x < 2 && (1..3).contains(&at.y);
    for columns in [1, 4, 70, 200] {
        let grid = VoxelGrid::from_fn(columns, 4, 5, is_inside).unwrap();
        let around = VoxelBox::new(Voxel::new(-1, -1, -1), Voxel::new(columns as i32 + 1, 5, 6));
        for voxel in around.voxels() {
            let is_solid = is_inside(voxel) || grid.node(voxel).is_none();
            assert_eq!(grid.is_solid(voxel), is_solid, "{voxel}");
            let node = grid.node(voxel);
            assert!(node.is_none_or(|node| grid.voxel(node) == voxel));
        }
    }
    let grid = VoxelGrid::from_fn(4, 4, 4, |_| false).unwrap();
    let walk = VoxelSpace::new(&grid, Movement::Walk { climb: 0 }, Voxel::default()).unwrap();
    assert!(
        walk.holds(Voxel::new(0, 0, 0)),
        "the lowest layer lies on solid ground"
    );
    assert!(!walk.holds(Voxel::new(0, 0, 1)));
}

#[test]
fn no_path_leads_into_or_out_of_a_cube_that_holds_no_body() {
    let map = parse_voxels("S.X.\n....\n\n..##\n...#").unwrap();
    let (start, goal) = (map.marks[0].1, map.marks[1].1);
    let is_solid = |at| at == goal || map.grid.is_solid(at);
    let [columns, rows, layers] = map.grid.size();
    let grid = VoxelGrid::from_fn(columns, rows, layers, is_solid).unwrap();
    let scratch = &mut SearchScratch::new();
    for movement in [Movement::Fly, Movement::Walk { climb: 2 }] {
        let space = VoxelSpace::new(&grid, movement, goal).unwrap();
        let [from, to] = [start, goal].map(|at| grid.node(at).unwrap());
        let found = astar(&space, from, &SearchLimits::default(), scratch);
        let found = found.unwrap().unwrap();
        let unreachable = Outcome::Partial(PartialReason::Unreachable);
        assert!(found.nodes != [to] && found.outcome == unreachable);
        let back = VoxelSpace::new(&grid, movement, start).unwrap();
        let found = astar(&back, to, &SearchLimits::default(), scratch);
        assert_eq!(found.unwrap().unwrap().nodes, [to]);
    }
}

#[test]
fn sizes_out_of_bounds_and_ends_outside_are_refused() {
    let large = [[u32::MAX; 3], [1 << 17, 1, 1], [1 << 10, 1 << 10, 1 << 10]];
    for [x, y, z] in large.into_iter().chain([[0, 1, 1]]) {
        let grid = VoxelGrid::from_fn(x, y, z, |_| false);
        assert_eq!(grid, Err(VoxelError(x, y, z)));
    }
    let grid = VoxelGrid::from_fn(2, 2, 2, |_| false).unwrap();
    let far = Voxel::new(2, 0, 0);
    let options = VoxelOptions::default();
    let find = |a, b| grid.find_path(a, b, &options, &mut SearchScratch::new(), &mut ());
    let near = Voxel::default();
    assert_eq!(find(far, near), Err(VoxelPathError::StartOutside(far)));
    assert_eq!(find(near, far), Err(VoxelPathError::GoalOutside(far)));
}

#[test]
fn the_expansion_limit_ends_a_search_and_zero_weights_are_refused() {
    let grid = VoxelGrid::from_fn(9, 9, 9, |_| false).unwrap();
    let (start, goal) = (Voxel::default(), Voxel::new(8, 8, 8));
    let scratch = &mut SearchScratch::new();
    let mut options = VoxelOptions::default();
    options.limits.max_expanded = Some(5);
    let found = grid
        .find_path(start, goal, &options, scratch, &mut ())
        .unwrap();
    assert_eq!(found.outcome, Outcome::Partial(PartialReason::LimitReached));
    assert_eq!(found.stats.expanded, 5);
    options.limits.weights = Weights { g: 0, h: 0 };
    let refused = grid.find_path(start, goal, &options, scratch, &mut ());
    assert_eq!(
        refused,
        Err(VoxelPathError::Search(FindPathError::ZeroWeights))
    );
}

#[track_caller]
fn check_text(text: &str, line: usize, kind: VoxelTextErrorKind) {
    let error = parse_voxels(text).unwrap_err();
    assert_eq!((error.line, error.kind), (line, kind));
}

#[test]
fn a_bad_text_is_refused_with_the_line_of_its_mistake() {
    use VoxelTextErrorKind::{LayerRows, RowWidth, Size, UnknownCharacter};
    check_text("", 1, Size(VoxelError(0, 0, 0)));
    check_text("\n\r\n", 1, Size(VoxelError(0, 0, 0)));
    let unknown = |column, found| UnknownCharacter { column, found };
    check_text("..\n. ", 2, unknown(2, ' '));
    check_text(".\u{e9}", 1, unknown(2, '\u{e9}'));
    let width = |expected, found| RowWidth { expected, found };
    check_text("..\n..\n\n..\n.", 5, width(2, 1));
    check_text("..\n..\n\n...\n..", 4, width(2, 3));
    let rows = |expected, found| LayerRows { expected, found };
    check_text("..\n..\n\n..\n\n..\n..", 4, rows(2, 1));
    check_text("..\n\n..\n..", 3, rows(1, 2));
}

proptest! {
    #[test]
    fn a_written_grid_is_read_unchanged(seed: u64) {
        let grid = any_volume(&mut fastrand::Rng::with_seed(seed), 9);
        let mut text = String::new();
        for voxel in grid.bounds().voxels() {
            let begins = [(voxel.x, "\n"), (voxel.x + voxel.y, "\r\n")];
            begins.into_iter().filter(|(at, _)| *at == 0).for_each(|(_, end)| text += end);
            text.push(if grid.is_solid(voxel) { '#' } else { '.' });
        }
        prop_assert_eq!(parse_voxels(&text).unwrap().grid, grid);
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_line_number(text in "[.#SG é\r\n]{0,40}") {
        if let Err(error) = parse_voxels(&text) {
            let lines = text.split('\n').count();
            prop_assert!((1..=lines).contains(&error.line), "{}", error);
        }
    }
}
