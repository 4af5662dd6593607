//! How many expansions kept trees and stored routes spare, in counts that are the same on every machine.

use glam::Vec2;
use pursuit::routes::{RouteMap, TripOptions};
use pursuit::{
    Algorithm, Cell, CellRect, DiagonalPolicy, Grid, GridBuilder, Ground, IncrementalTree, NavMap,
    NavScratch, PathOptions, Root, SearchScratch,
};

use crate::grids::{any_cell, any_free};

/// Fields of ground that cost 1 to 5, with lakes, and walls with gaps.
fn terrain(side: i32, random: &mut fastrand::Rng) -> GridBuilder {
    let mut builder = Grid::builder(side as u32, side as u32).unwrap();
    for cell in builder.clone().build().rect().cells() {
        let field = (cell.x / 11 * 7 + cell.y / 9 * 5) % 5;
        builder.set_cost(cell, 1 + field as u8).unwrap();
    }
    for _ in 0..side / 3 {
        let corner = Cell::new(random.i32(0..side), random.i32(0..side));
        let (width, height) = match random.u8(0..3) {
            0 => (random.i32(10..30), 1),
            1 => (1, random.i32(10..30)),
            _ => (random.i32(3..9), random.i32(3..9)),
        };
        builder.fill(CellRect::new(corner, corner.offset(width, height)), false);
    }
    builder
}

/// The middle one.
fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

#[test]
fn after_an_edit_anywhere_on_terrain_a_tree_expands_a_fifth_of_what_a_new_search_does_at_most() {
    let options = PathOptions {
        algorithm: Algorithm::AStar,
        ..PathOptions::default()
    };
    let scratch = &mut SearchScratch::new();
    for seed in 0..3 {
        let random = &mut fastrand::Rng::with_seed(seed);
        let mut builder = terrain(160, random);
        let mut ground = Ground::from_grid(builder.clone().build(), DiagonalPolicy::NoCornerCut);
        let mut tree = IncrementalTree::new(Root::Goal);
        let [mut start, mut goal] = [(); 2].map(|()| any_free(ground.grid(), random));
        let mut ratios = Vec::new();
        while ratios.len() < 300 {
            let anew = ground.find_path(start, goal, &options, scratch).unwrap();
            let kept = ground.replan(start, goal, &options, &mut tree).unwrap();
            assert_eq!(kept.path.cost, anew.path.cost, "seed {seed}");
            assert_eq!(kept.outcome, anew.outcome, "seed {seed}");
            let [kept_work, new_work] = [&kept, &anew].map(|found| found.stats.expanded);
            ratios.push(f64::from(new_work) / f64::from(kept_work.max(1)));
            // A few steps on. At the goal another walk begins, with another tree.
            let ahead = anew.path.cells().nth(random.usize(1..4)).unwrap_or(goal);
            start = ahead;
            if start == goal || anew.path.cost == 0 {
                [start, goal] = [(); 2].map(|()| any_free(ground.grid(), random));
                tree.restart();
                ground.replan(start, goal, &options, &mut tree).unwrap();
            }
            let door = any_cell(ground.grid(), random);
            if door != start && door != goal {
                let is_free = ground.grid().is_free(door);
                let beside = door.offset(random.i32(1..4), 1);
                builder.fill(CellRect::new(door, beside), !is_free);
                for end in [start, goal] {
                    builder.set_free(end, true).unwrap();
                }
            }
            ground = Ground::from_grid(builder.clone().build(), DiagonalPolicy::NoCornerCut);
        }
        let middle = median(ratios);
        assert!(middle >= 5.0, "seed {seed}: {middle} times fewer");
    }
}

/// Blocks of houses with courts, streets between them, and a few squares. Courts cost what they are told to.
fn city(side: i32, court_cost: u8, random: &mut fastrand::Rng) -> Grid {
    const BLOCK: i32 = 16;
    let mut builder = Grid::builder(side as u32, side as u32).unwrap();
    for y in (0..side).step_by(BLOCK as usize) {
        for x in (0..side).step_by(BLOCK as usize) {
            let block = Cell::new(x, y);
            if random.u8(0..10) == 0 {
                continue;
            }
            let inner = CellRect::new(block.offset(2, 2), block.offset(BLOCK - 1, BLOCK - 1));
            builder.fill(inner, false);
            let (dx, dy) = (random.i32(4..8), random.i32(4..8));
            let court = CellRect::new(block.offset(dx, dy), block.offset(dx + 6, dy + 6));
            builder.fill(court, true);
            for cell in court.cells().filter(|cell| cell.x < side && cell.y < side) {
                builder.set_cost(cell, court_cost).unwrap();
            }
            // A gate to the street above.
            let gate = block.offset(dx + random.i32(0..6), 2);
            builder.fill(CellRect::new(gate, gate.offset(1, dy)), true);
        }
    }
    builder.build()
}

/// What 500 trips over so many places expand, as a part of what A* over all cells does.
fn part_of_trips(places: u32, court_cost: u8) -> f64 {
    const RADIUS: f32 = 0.45;
    let random = &mut fastrand::Rng::with_seed(5);
    let grid = city(384, court_cost, random);
    let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
    let map = map.with_costs(&grid).unwrap();
    let ground = map.ground(RADIUS);
    assert_eq!(ground.can_jump(), court_cost == 1);
    let regions = ground.regions();
    let largest = regions.ids().max_by_key(|&id| regions.size(id)).unwrap();
    let any_point = |random: &mut fastrand::Rng| loop {
        let cell = any_free(ground.grid(), random);
        if regions.region(cell) == Some(largest) {
            return cell.center();
        }
    };
    let scratch = &mut NavScratch::new();
    let mut builder = RouteMap::builder(RADIUS);
    for number in 0..places {
        let name = format!("place {number}");
        builder.place(&name, any_point(random)).unwrap();
    }
    builder.pave_all(&map, 1.2, scratch).unwrap();
    let routes = builder.build().unwrap();
    let searches = &mut SearchScratch::new();
    let options = PathOptions {
        algorithm: Algorithm::AStar,
        ..PathOptions::default()
    };
    let (mut by_trips, mut by_cells) = (0_u64, 0_u64);
    for _ in 0..500 {
        let [from, to]: [Vec2; 2] = [(); 2].map(|()| any_point(random));
        let trip = routes.trip(&map, from, to, &TripOptions::default(), scratch);
        let trip = trip.unwrap();
        assert!(trip.is_complete);
        by_trips += u64::from(trip.expanded);
        let [start, goal] = [from, to].map(|end| Cell::new(end.x as i32, end.y as i32));
        let found = ground.find_path(start, goal, &options, searches).unwrap();
        by_cells += u64::from(found.stats.expanded);
    }
    by_trips as f64 / by_cells as f64
}

#[test]
fn trips_over_a_city_expand_a_tenth_of_what_searches_over_all_cells_do_at_most() {
    for (places, court_cost) in [(40, 1), (80, 3)] {
        let part = part_of_trips(places, court_cost);
        assert!(part <= 0.1, "{places} places: {part} of the expansions");
    }
}
