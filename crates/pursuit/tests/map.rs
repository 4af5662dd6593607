//! One map for bodies of every size: edits, and what is asked of it.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use glam::Vec2;
use proptest::prelude::*;
use pursuit::search::oracle;
use pursuit::{
    Cell, CellRect, Clearance, DiagonalPolicy, FindPathError, Grid, LiveMap, NavMap, NavScratch,
    Outcome, PathOptions, Regions, STRAIGHT, Step,
};

/// The largest radius of the maps in here.
const CAP: f32 = 2.0;

fn grid(rows: &[&str]) -> Grid {
    let free = |cell: Cell| rows[cell.y as usize].as_bytes()[cell.x as usize] != b'#';
    Grid::from_fn(rows[0].len() as u32, rows.len() as u32, free).unwrap()
}

fn map(rows: &[&str]) -> NavMap {
    NavMap::new(&grid(rows), CAP, DiagonalPolicy::NoCornerCut)
}

fn random_grid(width: u32, height: u32, seed: u64) -> Grid {
    let mut random = fastrand::Rng::with_seed(seed);
    let walls = random.f32() * 0.5;
    Grid::from_fn(width, height, |_| random.f32() >= walls).unwrap()
}

/// The cells of a rectangle blocked or freed, as `walls` has them.
fn with_patch(grid: &Grid, patch: CellRect, seed: u64) -> Grid {
    let mut random = fastrand::Rng::with_seed(seed);
    Grid::from_fn(grid.width(), grid.height(), |cell| {
        if patch.contains(cell) {
            random.bool()
        } else {
            grid.is_free(cell)
        }
    })
    .unwrap()
}

/// The distances of `walls` drawn into a rectangle, as a bake does.
fn redraw(map: &mut LiveMap, walls: &Grid, rect: CellRect) -> bool {
    let anew = Clearance::from_grid(walls, CAP);
    map.edit(&[rect], |clearance| {
        clearance.reset(rect);
        for cell in rect.grow(1).cells() {
            if rect.contains(cell) {
                clearance.lower_center(cell, anew.center(cell));
            }
            for step in Step::ALL {
                let end = step.end(cell);
                let distance = anew.step(cell, step);
                // What the ends say holds for the step already.
                let is_narrow = distance < anew.center(cell).min(anew.center(end));
                if is_narrow && (rect.contains(cell) || rect.contains(end)) {
                    clearance.lower_step(cell, step, distance);
                }
            }
        }
    })
}

#[test]
fn a_door_that_opens_lets_a_body_through_that_fits() {
    let (open, closed) = (
        [".......", ".......", "###.###", "...#...", "......."],
        [".......", ".......", "#######", "...#...", "......."],
    );
    let mut live = LiveMap::new(map(&closed));
    let before = live.map().clone();
    let (here, there) = (Cell::new(0, 0), Cell::new(6, 4));
    assert!(!before.is_reachable(here, there, 0.4));
    let door = CellRect::new(Cell::new(3, 2), Cell::new(4, 3));
    assert!(redraw(&mut live, &grid(&open), door.grow(CAP as u32 + 1)));
    let after = live.map();
    // The corner behind the door is as narrow as a diagonal between two walls.
    assert!(!after.is_reachable(here, there, 0.4));
    assert!(after.is_reachable(here, Cell::new(3, 2), 0.4));
    assert!(!after.is_reachable(here, Cell::new(3, 2), 0.6));
    assert!(
        !before.is_reachable(here, Cell::new(3, 2), 0.4),
        "who holds the old map sees it as it was"
    );
}

#[test]
fn the_widest_body_between_two_cells_is_told() {
    let map = map(&[".....", ".....", "##..#", ".....", "....."]);
    let widest = map.widest_radius(Cell::new(0, 0), Cell::new(4, 4));
    assert_eq!(widest, Some(0.5));
    assert_eq!(map.widest_radius(Cell::new(0, 0), Cell::new(0, 2)), None);
}

#[test]
fn a_taut_path_leads_to_the_goal_or_as_near_as_it_gets() {
    let map = map(&["......", ".####.", ".#..#.", ".####.", "......"]);
    let mut scratch = NavScratch::new();
    let mut way =
        |from: (f32, f32), to: (f32, f32)| map.taut_path(from.into(), to.into(), 0.4, &mut scratch);
    let around = way((0.2, 0.0), (5.0, 4.1)).unwrap();
    assert_eq!(around.first(), Some(&Vec2::new(0.2, 0.0)));
    assert_eq!(around.last(), Some(&Vec2::new(5.0, 4.1)));
    let into = way((0.0, 0.0), (2.0, 2.0)).unwrap();
    assert_eq!(into.last(), Some(&Vec2::new(2.0, 0.0)));
    let outside = Err(FindPathError::GoalOutside(Cell::new(9, 0)));
    assert_eq!(way((0.0, 0.0), (9.0, 0.0)), outside);
    assert!(way((f32::NAN, 0.0), (1.0, 0.0)).is_err());
}

#[test]
fn a_distance_is_along_the_cells_and_none_where_no_way_leads() {
    let map = map(&["...#.", ".#.#.", "...#."]);
    let mut scratch = NavScratch::new();
    let mut distance = |to| map.distance(Cell::new(0, 1), to, 0.4, &mut scratch);
    assert_eq!(distance(Cell::new(2, 1)), Ok(Some(4.0)));
    assert_eq!(distance(Cell::new(4, 1)), Ok(None));
    assert_eq!(distance(Cell::new(3, 1)), Ok(None));
    assert_eq!(
        distance(Cell::new(5, 1)),
        Err(FindPathError::GoalOutside(Cell::new(5, 1)))
    );
}

#[test]
fn a_ground_is_worked_out_once_for_each_radius() {
    let map = map(&["....", "...."]);
    assert!(map.ground_if_ready(0.3).is_none());
    let ground = map.ground(0.3);
    assert!(std::sync::Arc::ptr_eq(&ground, &map.ground(0.3)));
    assert!(map.ground_if_ready(0.3).is_some());
    let mut live = LiveMap::new(map);
    let touch = |live: &mut LiveMap, distance| {
        let cell = Cell::new(0, 0);
        let rect = CellRect::new(cell, cell.offset(1, 1));
        assert!(live.edit(&[rect], |clearance| clearance.lower_center(cell, distance)));
        live.map().clone()
    };
    assert!(touch(&mut live, 1.9).ground_if_ready(0.3).is_some());
    for edit in 0..200 {
        touch(&mut live, 1.8 - 1e-3 * edit as f32);
    }
    assert!(live.map().ground_if_ready(0.3).is_none(), "nobody asked");
}

#[test]
fn an_edit_that_changes_no_distance_leaves_the_map() {
    let mut live = LiveMap::new(map(&["...", "..."]));
    let before = live.map().clone();
    let all = before.rect();
    assert!(!live.edit(&[all], |clearance| clearance.reset(all)));
    assert!(std::sync::Arc::ptr_eq(&before, live.map()));
    assert!(!live.edit(&[CellRect::EMPTY], |_| {}));
    assert!(!live.edit(&[], |_| {}));
}

#[test]
fn a_radius_that_changes_every_frame_neither_grows_memory_nor_slows_edits() {
    let map = map(&["....", "...."]);
    let radius = |frame: i32| 0.5 + frame as f32 * 1e-4;
    for frame in 0..1_200 {
        let _ = (map.ground(0.3), map.ground(radius(frame)));
    }
    assert!(map.grounds_in_use().len() <= 5);
    let mut live = LiveMap::new(map);
    let rect = live.map().rect();
    live.edit(&[rect], |clearance| {
        clearance.lower_center(Cell::new(0, 0), 1.5)
    });
    let after = live.map();
    let ready = (0..1_200).filter(|&frame| after.ground_if_ready(radius(frame)).is_some());
    assert!(ready.count() <= 5, "the edit brings over radii of long ago");
    assert!(after.ground_if_ready(0.3).is_some());
}

#[test]
fn nothing_fits_where_the_radius_is_above_the_cap_or_no_number() {
    let map = map(&["....", "...."]);
    for radius in [CAP + 0.1, f32::INFINITY, f32::NAN] {
        assert_eq!(map.nearest_free(Vec2::ZERO, radius), None, "{radius}");
        let path = map.taut_path(Vec2::ZERO, Vec2::X, radius, &mut NavScratch::new());
        assert_eq!(path, Err(FindPathError::StartBlocked(Cell::new(0, 0))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_map_after_edits_is_that_of_the_walls_as_they_are(
        (width, height) in (1..140_u32, 1..20_u32),
        seed: u64,
        patches in prop::collection::vec((0..140_i32, 0..20_i32, 1..5_i32, 1..5_i32), 1..12),
        radii in prop::collection::vec(0.0..2.2_f32, 1..4),
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
    ) {
        let mut walls = random_grid(width, height, seed);
        let mut live = LiveMap::new(NavMap::new(&walls, CAP, policy));
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut held, mut copies, mut maps) = (Vec::new(), Vec::new(), Vec::new());
        for (edit, (x, y, columns, rows)) in patches.into_iter().enumerate() {
            let map = live.map().clone();
            radii.iter().for_each(|&radius| drop(map.ground(radius)));
            let patch = CellRect::new(Cell::new(x, y), Cell::new(x + columns, y + rows));
            // Some hold a map or a ground for a while, and some let go.
            if random.u8(0..3) == 0 {
                held.clear();
                copies.clear();
                maps.clear();
            }
            if random.bool() {
                held.extend(radii.iter().map(|&radius| map.ground(radius)));
                copies = held.iter().map(|ground| ground.grid().clone()).collect();
            }
            if random.u8(0..3) == 0 {
                maps.push((map.clone(), map.clearance().clone()));
            }
            drop(map);
            walls = with_patch(&walls, patch, seed ^ edit as u64);
            redraw(&mut live, &walls, patch.grow(CAP as u32 + 1));
            let map = live.map();
            prop_assert_eq!(map.clearance(), &Clearance::from_grid(&walls, CAP));
            for &radius in &radii {
                let ground = map.ground_if_ready(radius).unwrap();
                let anew = map.clearance().walkable(radius, policy);
                prop_assert_eq!(ground.grid(), &anew, "radius {} after edit {}", radius, edit);
                let regions = Regions::of(&anew, policy);
                prop_assert_eq!(ground.regions(), &regions);
            }
            for (map, copy) in &maps {
                prop_assert_eq!(map.clearance(), copy, "a held map changed");
            }
            for (ground, copy) in held.iter().zip(&copies) {
                prop_assert_eq!(ground.grid(), copy, "a held ground changed");
            }
        }
    }

    #[test]
    fn paths_on_an_edited_map_cost_what_the_oracle_says(
        (width, height) in (2..90_u32, 2..20_u32),
        seed: u64,
        ends in prop::collection::vec((0..90_i32, 0..20_i32), 2),
        edits in 1..9_u64,
    ) {
        let walls = random_grid(width, height, seed);
        let mut live = LiveMap::new(NavMap::new(&walls, CAP, DiagonalPolicy::NoCornerCut));
        let (mut walls, mut held) = (walls, Vec::new());
        for edit in 0..edits {
            let _ = live.map().ground(0.4);
            // A map that is held for a while catches up with several edits at once.
            match (seed >> edit) % 3 {
                0 => held.push(live.map().clone()),
                1 => held.clear(),
                _ => {}
            }
            let at = Cell::new(edit as i32 * 3 % width as i32, (edit % 2) as i32);
            let patch = CellRect::new(at, at.offset(5, 3));
            walls = with_patch(&walls, patch, seed ^ edit);
            redraw(&mut live, &walls, patch.grow(3));
        }
        let map = live.map();
        let [start, goal] = [ends[0], ends[1]]
            .map(|(x, y)| Cell::new(x % width as i32, y % height as i32));
        let mut scratch = NavScratch::new();
        let found = map.find_path(start, goal, 0.4, &PathOptions::default(), &mut scratch);
        match found {
            Err(error) => {
                prop_assert_eq!(error, FindPathError::StartBlocked(start));
                prop_assert!(!walls.is_free(start));
            }
            Ok(found) => {
                let costs = oracle::distances(&walls, start, DiagonalPolicy::NoCornerCut);
                let index = walls.index(goal).unwrap().0 as usize;
                prop_assert_eq!(found.outcome == Outcome::Complete, costs[index].is_some());
                let distance = map.distance(start, goal, 0.4, &mut scratch).unwrap();
                let cells = costs[index].map(|cost| cost as f64 / f64::from(STRAIGHT));
                prop_assert_eq!(distance, cells);
            }
        }
    }

    #[test]
    fn the_nearest_free_cell_is_that_of_a_look_at_all(
        (width, height) in (1..20_u32, 1..20_u32),
        seed: u64,
        point in (-30.0..50.0_f32, -30.0..50.0_f32),
    ) {
        let mut random = fastrand::Rng::with_seed(seed);
        let share = random.u32(0..4);
        let walls = Grid::from_fn(width, height, |_| random.u32(0..40) < share).unwrap();
        let map = NavMap::new(&walls, 1.0, DiagonalPolicy::NoCornerCut);
        let point = Vec2::from(point);
        let free = walls.rect().cells().filter(|cell| walls.is_free(*cell));
        let nearest = free.min_by(|a, b| {
            let [a, b] = [a, b].map(|cell| point.distance(cell.center()));
            a.total_cmp(&b)
        });
        prop_assert_eq!(map.nearest_free(point, 0.3), nearest);
    }
}
