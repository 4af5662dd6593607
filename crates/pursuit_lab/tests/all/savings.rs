//! How many expansions stored routes spare, in counts that are the same on every machine.

use crate::random::by;
use crate::routes::{RADIUS, cell_of, largest, paved};
use pursuit::{
    Algorithm, Cell, CellRect, DiagonalPolicy, Grid, NavMap, NavScratch, PathOptions, SearchScratch,
};
use pursuit_lab::routes::TripOptions;

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
fn part_of_trips(places: usize, court_cost: u8) -> f64 {
    let random = &mut fastrand::Rng::with_seed(5);
    let grid = city(384, court_cost, random);
    let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
    let map = map.with_costs(&grid).unwrap();
    let layers = map.layers(RADIUS);
    let can_jump = PathOptions::default().can_jump(layers.grid());
    assert_eq!(can_jump, court_cost == 1);
    let region = largest(&map);
    let routes = paved(&map, places, 1.2, random);
    let (scratch, searches) = (&mut NavScratch::new(), &mut SearchScratch::new());
    let options = by(Algorithm::AStar);
    let (mut by_trips, mut by_cells) = (0_u64, 0_u64);
    for _ in 0..500 {
        let [start, goal] = [(); 2].map(|()| cell_of(&map, region, random));
        let (from, to) = (start.center(), goal.center());
        let trip = routes.trip(&map, from, to, &TripOptions::default(), scratch);
        let trip = trip.unwrap();
        assert!(trip.is_complete);
        by_trips += u64::from(trip.expanded);
        let found = layers.find_path(start, goal, &options, searches).unwrap();
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
