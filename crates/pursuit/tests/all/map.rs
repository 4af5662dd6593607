//! Maps for bodies of every size: edits, searches and other queries.

use std::sync::Arc;

use fastrand::Rng;
use glam::Vec2;
use proptest::prelude::*;
use pursuit::maps::parse_ascii;
use pursuit::oracle::cases;
use pursuit::{
    BodyLayers, Cell, CellRect, Clearance, DiagonalPolicy, FindPathError, Grid, LiveMap, NavMap,
    NavScratch, PathOptions, Regions, STRAIGHT, Step,
};

use crate::common::judge::Judge;
use crate::common::random::{any_grid, any_walls, with_costs};

/// The largest radius of the maps in this file.
const CAP: f32 = 2.0;

fn grid(rows: &[&str]) -> Grid {
    parse_ascii(&rows.join("\n")).unwrap().grid
}

fn map(rows: &[&str]) -> NavMap {
    NavMap::new(&grid(rows), CAP, DiagonalPolicy::NoCornerCut)
}

/// The grid with the cells of a rectangle blocked or freed at random. Costs do not change.
fn with_patch(grid: &Grid, patch: CellRect, seed: u64) -> Grid {
    let mut random = Rng::with_seed(seed);
    let mut builder = grid.to_builder();
    for cell in patch.intersect(&grid.rect()).cells() {
        builder.set_free(cell, random.bool()).unwrap();
    }
    builder.build()
}

/// The cells that a body of `radius` can walk on according to `clearance`, with the costs of `costs`.
fn walkable(clearance: &Clearance, radius: f32, policy: DiagonalPolicy, costs: &Grid) -> Grid {
    with_costs(&clearance.walkable(radius, policy), |cell| costs.cost(cell))
}

/// Draws the distances of `walls` into a rectangle, as a bake does.
fn redraw(map: &mut LiveMap, walls: &Grid, rect: CellRect) -> bool {
    let anew = Clearance::from_grid(walls, map.map().clearance().cap());
    let edited = map.edit(&[rect], |clearance| {
        clearance.reset(rect);
        for cell in rect.grow(1).cells() {
            if rect.contains(cell) {
                clearance.limit_center(cell, anew.center(cell));
            }
            for step in Step::ALL {
                let end = step.end(cell);
                let distance = anew.step(cell, step);
                // The distance of a step is never above the distances of its two ends, so only a lower one needs to be
                // set.
                let is_narrow = distance < anew.center(cell).min(anew.center(end));
                if is_narrow && (rect.contains(cell) || rect.contains(end)) {
                    clearance.limit_step(cell, step, distance);
                }
            }
        }
    });
    edited.unwrap()
}

#[test]
fn a_taut_path_leads_to_the_goal_or_to_the_nearest_cell() {
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
fn distance_is_the_length_over_cells_or_none_without_a_path() {
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
fn with_costs_replaces_earlier_costs_and_rejects_another_size() {
    let clearance = Clearance::open(4, 2, CAP).unwrap();
    let map = NavMap::from_clearance(clearance, DiagonalPolicy::NoCornerCut);
    let (start, goal) = (Cell::new(0, 0), Cell::new(3, 0));
    let distance = |map: &NavMap| map.distance(start, goal, 0.4, &mut NavScratch::new());
    assert_eq!(distance(&map), Ok(Some(3.0)));
    let map = map
        .with_costs(&parse_ascii("4444\n4444").unwrap().grid)
        .unwrap();
    assert_eq!(distance(&map), Ok(Some(12.0)));
    let map = map.with_costs(&grid(&["....", "...."])).unwrap();
    assert_eq!(distance(&map), Ok(Some(3.0)));
    let other = map.with_costs(&grid(&["....."])).unwrap_err();
    assert_eq!(other.to_string(), "expected 4 x 2 cells, got 5 x 1");
}

#[test]
fn layers_are_computed_once_for_each_radius() {
    let map = map(&["....", "...."]);
    assert!(map.layers_if_ready(0.3).is_none());
    let layers = map.layers(0.3);
    assert!(Arc::ptr_eq(&layers, &map.layers(0.3)));
    assert!(map.layers_if_ready(0.3).is_some());
    let mut live = LiveMap::new(map);
    let touch = |live: &mut LiveMap, distance| {
        let cell = Cell::new(0, 0);
        let rect = CellRect::new(cell, cell.offset(1, 1));
        let edited = live.edit(&[rect], |clearance| clearance.limit_center(cell, distance));
        assert_eq!(edited, Ok(true));
        live.map().clone()
    };
    assert!(touch(&mut live, 1.9).layers_if_ready(0.3).is_some());
    for edit in 0..200 {
        touch(&mut live, 1.8 - 1e-3 * edit as f32);
    }
    assert!(
        live.map().layers_if_ready(0.3).is_none(),
        "radii that are not used must not be kept"
    );
}

#[test]
fn an_edit_that_leaves_another_size_or_cap_is_rejected() {
    let mut live = LiveMap::new(map(&["...", "..."]));
    let (before, all) = (live.map().clone(), live.map().rect());
    let other = |clearance: &mut Clearance, height, cap| {
        *clearance = Clearance::open(3, height, cap).unwrap();
    };
    let size = live.edit(&[all], |clearance| other(clearance, 3, CAP));
    let size = size.unwrap_err().to_string();
    assert_eq!(size, "expected 3 x 2 cells, got 3 x 3");
    let cap = live.edit(&[all], |clearance| other(clearance, 2, CAP + 1.0));
    let cap = cap.unwrap_err().to_string();
    assert_eq!(
        cap,
        "the map's distances have a cap of 2 cells, an edit left one of 3"
    );
    assert!(Arc::ptr_eq(&before, live.map()));
    let wall = |clearance: &mut Clearance| clearance.limit_center(Cell::new(1, 1), 0.0);
    assert_eq!(live.edit(&[all], wall), Ok(true), "later edits must work");
    assert!(!live.map().layers(0.0).grid().is_free(Cell::new(1, 1)));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "grow them by the cap")]
fn changes_outside_the_rectangles_of_an_edit_panic() {
    let mut live = LiveMap::new(map(&["...", "..."]));
    let rect = CellRect::new(Cell::new(0, 0), Cell::new(1, 1));
    let _ = live.edit(&[rect], |clearance| {
        clearance.limit_center(Cell::new(1, 0), 0.5);
    });
}

#[test]
fn a_radius_above_the_cap_or_not_finite_fits_nowhere() {
    let map = map(&["....", "...."]);
    for radius in [CAP + 0.1, f32::INFINITY, f32::NAN] {
        assert_eq!(map.nearest_free(Vec2::ZERO, radius), None, "{radius}");
        let scratch = &mut NavScratch::new();
        let path = map.taut_path(Vec2::ZERO, Vec2::X, radius, scratch);
        assert_eq!(path, Err(FindPathError::BadRadius));
        let (start, goal) = (Cell::new(0, 0), Cell::new(1, 0));
        let distance = map.distance(start, goal, radius, scratch);
        assert_eq!(distance, Err(FindPathError::BadRadius));
        let path = map.find_path(start, goal, radius, &PathOptions::default(), scratch);
        assert_eq!(path, Err(FindPathError::BadRadius));
        assert!(!map.is_reachable(start, goal, radius));
    }
}

#[test]
fn a_position_that_is_not_finite_is_an_error() {
    let map = map(&["....", "...."]);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let bad = Vec2::new(1.0, bad);
        let way = |from, to| map.taut_path(from, to, 0.4, &mut NavScratch::new());
        assert_eq!(way(bad, Vec2::ONE), Err(FindPathError::StartNotFinite));
        assert_eq!(way(Vec2::ONE, bad), Err(FindPathError::GoalNotFinite));
        assert_eq!(map.nearest_free(bad, 0.4), None);
    }
}

#[test]
fn a_body_that_does_not_fit_at_its_start_does_not_cross_walls() {
    // A corridor of one cell between two halls.
    let map = map(&[
        "........", "........", "########", "........", "########", "........", "........",
    ]);
    let mut scratch = NavScratch::new();
    let mut way = |from: (f32, f32), to: (f32, f32), radius| {
        map.taut_path(from.into(), to.into(), radius, &mut scratch)
    };
    let blocked = Err(FindPathError::StartBlocked(Cell::new(3, 3)));
    assert_eq!(way((3.0, 3.0), (6.0, 6.0), 0.9), blocked);
    assert_eq!(way((3.0, 3.2), (6.0, 3.0), 0.9), blocked);
    let in_wall = Err(FindPathError::StartBlocked(Cell::new(3, 2)));
    assert_eq!(way((3.0, 2.2), (6.0, 6.0), 0.4), in_wall);
    // A body that is pressed against a wall walks away from the wall, or along it.
    let along = way((1.0, 3.3), (6.0, 3.0), 0.4).unwrap();
    assert_eq!(along.last(), Some(&Vec2::new(6.0, 3.0)));
    assert!(along.iter().all(|point| (2.5..3.5).contains(&point.y)));
    let off = way((3.0, 1.3), (6.0, 0.0), 0.9).unwrap();
    assert!(off.iter().all(|point| point.y < 1.5));
    assert_eq!(off.first(), Some(&Vec2::new(3.0, 1.3)));
}

#[test]
fn the_last_cells_of_very_long_maps_are_inside_them() {
    // At the end of this map, consecutive `f32` numbers are a whole cell apart.
    let last = (1 << 23) + 3;
    let walls = Grid::from_fn(1, last as u32 + 1, |_| true).unwrap();
    let map = NavMap::new(&walls, 1.0, DiagonalPolicy::NoCornerCut);
    let ends = [last, last - 2].map(|y| Cell::new(0, y).center());
    let path = map.taut_path(ends[0], ends[1], 0.4, &mut NavScratch::new());
    assert_eq!(path, Ok(ends.to_vec()));
}

#[test]
fn nearest_free_on_a_long_strip_does_not_scan_a_square() {
    const LENGTH: u32 = 1 << 20;
    let ends = [Cell::new(0, 0), Cell::new(0, LENGTH as i32 - 1)];
    let strip = Grid::from_fn(1, LENGTH, |cell| cell == ends[0]).unwrap();
    let layers = BodyLayers::from_grid(strip, DiagonalPolicy::NoCornerCut);
    // This would take hours if each step along the strip checked all rows.
    assert_eq!(layers.nearest_free(ends[1].center()), Some(ends[0]));
}

#[test]
fn nearest_free_of_a_point_far_outside_is_exact() {
    let map = map(&[&".".repeat(39)[..]; 5]);
    let nearest = |x: f32, y: f32| map.nearest_free(Vec2::new(x, y), 0.4);
    assert_eq!(nearest(1e9, 1e9), Some(Cell::new(38, 4)));
    assert_eq!(nearest(-1e9, 1e9), Some(Cell::new(0, 4)));
    assert_eq!(nearest(1e4, 2.0), Some(Cell::new(38, 2)));
    assert_eq!(nearest(1e30, 2.0), Some(Cell::new(38, 2)));
    assert_eq!(nearest(f32::MAX, f32::MIN), Some(Cell::new(38, 0)));
}

/// Checks a search, a distance and a field on a map against the oracle's results for its walls.
fn check_answers(
    map: &NavMap,
    walls: &Grid,
    radius: f32,
    [start, goal]: [Cell; 2],
) -> Result<(), TestCaseError> {
    let policy = map.diagonals();
    let mut scratch = NavScratch::new();
    let anew = walkable(&Clearance::from_grid(walls, CAP), radius, policy, walls);
    if radius == 0.4 && policy == DiagonalPolicy::NoCornerCut {
        prop_assert_eq!(
            &anew,
            walls,
            "a body of radius 0.4 must fit in every free cell"
        );
    }
    let found = map.find_path(start, goal, radius, &PathOptions::default(), &mut scratch);
    match found {
        Err(error) => {
            prop_assert_eq!(error, FindPathError::StartBlocked(start));
            prop_assert!(!anew.is_free(start));
        }
        Ok(found) => {
            let judge = Judge::new(&anew, start, policy);
            prop_assert_eq!(found.path.cost, judge.check(goal, &found));
            let cheapest = judge.cost_to(goal);
            prop_assert_eq!(map.is_reachable(start, goal, radius), cheapest.is_some());
            let distance = map.distance(start, goal, radius, &mut scratch).unwrap();
            let cells = cheapest.map(|cost| cost as f64 / f64::from(STRAIGHT));
            prop_assert_eq!(distance, cells);
            prop_assert_eq!(map.field_to(&[goal], radius).cost(start), Ok(cheapest));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1000)))]

    #[test]
    fn a_map_after_edits_equals_the_map_of_the_current_walls(
        (width, height) in (1..140_u32, 1..24_u32),
        seed: u64,
        cap in prop_oneof![Just(1.0), Just(CAP), Just(4.0), 1.0..6.5_f32, Just(40.0)],
        edits in prop::collection::vec(
            ((-3..140_i32, -3..24_i32), (0..7_i32, 0..7_i32), any::<Option<bool>>()), 1..12,
        ),
        radii in prop::collection::vec(0.0..3.0_f32, 1..4),
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
    ) {
        let mut walls = any_grid(&mut Rng::with_seed(seed), width, height);
        let mut live = LiveMap::new(NavMap::new(&walls, cap, policy));
        let mut random = Rng::with_seed(seed);
        let (mut held, mut copies, mut maps) = (Vec::new(), Vec::new(), Vec::new());
        for (edit, ((x, y), (columns, rows), fill)) in edits.into_iter().enumerate() {
            let map = live.map().clone();
            radii.iter().for_each(|&radius| drop(map.layers(radius)));
            let patch = CellRect::new(Cell::new(x, y), Cell::new(x + columns, y + rows));
            // Some maps and layers are held during several edits.
            if random.u8(0..3) == 0 {
                held.clear();
                copies.clear();
                maps.clear();
            }
            if random.bool() {
                held.extend(radii.iter().map(|&radius| map.layers(radius)));
                copies = held.iter().map(|layers| layers.grid().clone()).collect();
            }
            if random.u8(0..3) == 0 {
                maps.push((map.clone(), map.clearance().clone()));
            }
            drop(map);
            let (before, was) = (Arc::as_ptr(live.map()), walls.clone());
            let has_changed = match fill {
                Some(is_free) => {
                    let mut builder = walls.to_builder();
                    builder.fill(patch, is_free);
                    walls = builder.build();
                    live.fill(patch, is_free)
                }
                None => {
                    walls = with_patch(&walls, patch, seed ^ edit as u64);
                    redraw(&mut live, &walls, patch.grow(cap as u32 + 1))
                }
            };
            prop_assert_eq!(has_changed, walls != was);
            prop_assert_eq!(has_changed, before != Arc::as_ptr(live.map()));
            let map = live.map();
            prop_assert_eq!(map.clearance(), &Clearance::from_grid(&walls, cap));
            for &radius in &radii {
                let layers = map.layers_if_ready(radius).unwrap();
                let anew = walkable(map.clearance(), radius, policy, &walls);
                prop_assert_eq!(layers.grid(), &anew, "radius {} after edit {}", radius, edit);
                if anew.free_count() > 0 {
                    prop_assert_eq!(layers.grid().uniform_cost(), anew.uniform_cost());
                }
                let regions = Regions::of(&anew, policy);
                prop_assert_eq!(layers.regions(), &regions);
            }
            for (map, copy) in &maps {
                prop_assert_eq!(map.clearance(), copy, "a held map changed");
            }
            for (layers, copy) in held.iter().zip(&copies) {
                prop_assert_eq!(layers.grid(), copy, "held layers changed");
            }
        }
    }

    #[test]
    fn paste_copies_exactly_the_cells_of_its_rectangle(
        (width, height) in (1..40_u32, 1..24_u32),
        seeds: [u64; 2],
        (x, y) in (-5..40_i32, -5..24_i32),
        (columns, rows) in (0..12_i32, 0..12_i32),
        cap in 1.0..5.0_f32,
    ) {
        let [mut field, other] =
            seeds.map(|seed| any_walls(&mut Rng::with_seed(seed), width, height)).map(|walls| Clearance::from_grid(&walls, cap));
        let before = field.clone();
        let rect = CellRect::new(Cell::new(x, y), Cell::new(x + columns, y + rows));
        field.paste(&other, Cell::new(0, 0), rect);
        for cell in field.rect().cells() {
            let expected = if rect.contains(cell) { &other } else { &before };
            prop_assert_eq!(field.center(cell), expected.center(cell));
        }
        // Pasting a whole field of the same size copies the field.
        field.paste(&other, Cell::new(0, 0), field.rect());
        prop_assert_eq!(&field, &other);
        // Pasting a field outside the map changes nothing.
        field.paste(&before, Cell::new(i32::MAX, i32::MIN), field.rect());
        prop_assert_eq!(&field, &other);
    }

    #[test]
    fn answers_on_an_edited_map_agree_with_the_oracle(
        (width, height) in (2..90_u32, 2..20_u32),
        seed: u64,
        ends in prop::collection::vec((0..90_i32, 0..20_i32), 2),
        edits in 0..9_u64,
        radius in prop_oneof![Just(0.4), Just(0.0), 0.0..2.0_f32],
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
    ) {
        let walls = any_grid(&mut Rng::with_seed(seed), width, height);
        let mut live = LiveMap::new(NavMap::new(&walls, CAP, policy));
        let (mut walls, mut held) = (walls, Vec::new());
        let ends = [ends[0], ends[1]]
            .map(|(x, y)| Cell::new(x % width as i32, y % height as i32));
        check_answers(live.map(), &walls, radius, ends)?;
        for edit in 0..edits {
            let _ = live.map().layers(radius);
            // While snapshots are held, a copy may miss several edits. It later catches up with all of them together.
            match (seed >> edit) % 3 {
                0 => held.push(live.map().clone()),
                1 => held.clear(),
                _ => {}
            }
            let at = Cell::new(edit as i32 * 3 % width as i32, (edit % 2) as i32);
            let patch = CellRect::new(at, at.offset(5, 3));
            walls = with_patch(&walls, patch, seed ^ edit);
            redraw(&mut live, &walls, patch.grow(3));
            check_answers(live.map(), &walls, radius, ends)?;
        }
    }

    #[test]
    fn no_line_of_a_taut_path_crosses_a_wall(
        (width, height) in (1..24_u32, 1..16_u32),
        seed: u64,
        ends in prop::array::uniform2((0.0..1.0_f32, 0.0..1.0_f32)),
        radius in 0.0..2.0_f32,
    ) {
        let walls = any_walls(&mut Rng::with_seed(seed), width, height);
        let map = NavMap::new(&walls, CAP, DiagonalPolicy::NoCornerCut);
        let size = Vec2::new(width as f32, height as f32);
        let [start, goal] = ends.map(|end| (Vec2::from(end) * size - 0.5).min(size - 0.501));
        let path = map.taut_path(start, goal, radius, &mut NavScratch::new());
        for line in path.iter().flat_map(|path| path.windows(2)) {
            for part in 0..=100 {
                let point = line[0].lerp(line[1], part as f32 / 100.0);
                let cell = Cell::new(point.x.round() as i32, point.y.round() as i32);
                let depth = 0.5 - (point - cell.center()).abs().max_element();
                prop_assert!(walls.is_free(cell) || depth < 1e-3, "{} of {:?}", point, path);
            }
        }
    }

    #[test]
    fn nearest_free_agrees_with_a_search_of_all_cells(
        (width, height) in (1..20_u32, 1..20_u32),
        seed: u64,
        point in (-30.0..50.0_f32, -30.0..50.0_f32),
    ) {
        let mut random = Rng::with_seed(seed);
        let share = random.u32(0..4);
        let walls = Grid::from_fn(width, height, |_| random.u32(0..40) < share).unwrap();
        let map = NavMap::new(&walls, 1.0, DiagonalPolicy::NoCornerCut);
        let point = Vec2::from(point) * if random.bool() { 1.0 } else { 1e3 };
        let free = walls.rect().cells().filter(|cell| walls.is_free(*cell));
        let nearest = free.min_by(|a, b| {
            let far = |cell: &Cell| point.as_dvec2().distance_squared(cell.center().as_dvec2());
            far(a).total_cmp(&far(b))
        });
        prop_assert_eq!(map.nearest_free(point, 0.3), nearest);
    }
}

#[test]
fn filling_an_empty_or_outside_rectangle_changes_nothing() {
    let walls = Grid::from_fn(20, 9, |cell| cell.x % 5 != 2 || cell.y == 0).unwrap();
    let mut live = LiveMap::new(NavMap::new(&walls, 4.0, DiagonalPolicy::NoCornerCut));
    let far = Cell::new(i32::MIN, i32::MIN);
    let beyond = CellRect::new(Cell::new(20, 0), Cell::new(i32::MAX, i32::MAX));
    for rect in [CellRect::EMPTY, CellRect::new(far, Cell::new(0, 0)), beyond] {
        assert!(!live.fill(rect, true) && !live.fill(rect, false));
    }
    let all = CellRect::new(far, Cell::new(i32::MAX, i32::MAX));
    assert!(live.fill(all, true));
    let open = Clearance::open(20, 9, 4.0).unwrap();
    assert_eq!(live.map().clearance(), &open);
}
