//! Doors: whole cells of a map in use that close and open.

use proptest::prelude::*;
use pursuit::{
    Cell, CellRect, Clearance, DiagonalPolicy, Grid, GridBuilder, LiveMap, NavMap, Regions,
};

/// Walls at random, and costs where asked for.
fn random_walls(width: u32, height: u32, seed: u64, has_costs: bool) -> Grid {
    let mut random = fastrand::Rng::with_seed(seed);
    let share = random.f32() * 0.6;
    let walls = Grid::from_fn(width, height, |_| random.f32() >= share).unwrap();
    let mut builder = walls.to_builder();
    for cell in walls.rect().cells().filter(|_| has_costs) {
        builder.set_cost(cell, random.u8(1..9)).unwrap();
    }
    builder.build()
}

/// Fills a copy of some walls.
fn filled(walls: &Grid, rect: CellRect, is_free: bool) -> Grid {
    let mut builder: GridBuilder = walls.to_builder();
    builder.fill(rect, is_free);
    builder.build()
}

/// A map that is held, with what it said when it was taken.
struct Held {
    map: std::sync::Arc<NavMap>,
    walls: Grid,
}

fn check(map: &NavMap, walls: &Grid, radii: &[f32]) -> Result<(), TestCaseError> {
    let anew = NavMap::new(walls, map.clearance().cap(), map.diagonals());
    prop_assert_eq!(map.clearance(), anew.clearance());
    for &radius in radii {
        let (layers, anew) = (map.layers(radius), anew.layers(radius));
        prop_assert_eq!(layers.grid(), anew.grid(), "radius {}", radius);
        let regions = Regions::of(anew.grid(), map.diagonals());
        prop_assert_eq!(layers.regions(), &regions);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pursuit::oracle::cases(600)))]

    #[test]
    fn a_map_with_filled_cells_is_that_of_its_walls(
        (width, height) in (1..80_u32, 1..24_u32),
        seed: u64,
        cap in prop_oneof![Just(1.0), Just(2.0), Just(4.0), 1.0..6.5_f32, Just(40.0)],
        radii in prop::collection::vec(0.0..3.0_f32, 1..3),
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
        has_costs: bool,
        fills in prop::collection::vec(
            ((-3..80_i32, -3..24_i32), (0..7_i32, 0..7_i32), any::<bool>(), 0..4_u8), 1..12,
        ),
    ) {
        let mut walls = random_walls(width, height, seed, has_costs);
        let mut live = LiveMap::new(NavMap::new(&walls, cap, policy));
        let mut held: Vec<Held> = Vec::new();
        for ((x, y), (columns, rows), is_free, hold) in fills {
            match hold {
                0 => held.push(Held { map: live.map().clone(), walls: walls.clone() }),
                1 => held.clear(),
                _ => {}
            }
            radii.iter().for_each(|&radius| drop(live.map().layers(radius)));
            let rect = CellRect::new(Cell::new(x, y), Cell::new(x + columns, y + rows));
            let before = live.map().clone();
            let next = filled(&walls, rect, is_free);
            let has_changed = live.fill(rect, is_free);
            prop_assert_eq!(has_changed, next != walls);
            prop_assert_eq!(has_changed, !std::sync::Arc::ptr_eq(&before, live.map()));
            drop(before);
            walls = next;
            check(live.map(), &walls, &radii)?;
        }
        for Held { map, walls } in &held {
            check(map, walls, &radii)?;
        }
    }

    #[test]
    fn a_part_worked_out_alone_is_taken_over_at_its_place(
        (width, height) in (1..40_u32, 1..24_u32),
        seeds: [u64; 2],
        (x, y) in (-5..40_i32, -5..24_i32),
        (columns, rows) in (0..12_i32, 0..12_i32),
        cap in 1.0..5.0_f32,
    ) {
        let [mut field, other] =
            seeds.map(|seed| Clearance::from_grid(&random_walls(width, height, seed, false), cap));
        let before = field.clone();
        let rect = CellRect::new(Cell::new(x, y), Cell::new(x + columns, y + rows));
        field.take_over(&other, Cell::new(0, 0), rect);
        for cell in field.rect().cells() {
            let expected = if rect.contains(cell) { &other } else { &before };
            prop_assert_eq!(field.center(cell), expected.center(cell));
        }
        // All of a field of this size is a copy.
        field.take_over(&other, Cell::new(0, 0), field.rect());
        prop_assert_eq!(&field, &other);
        // Somewhere else: nothing.
        field.take_over(&before, Cell::new(i32::MAX, i32::MIN), field.rect());
        prop_assert_eq!(&field, &other);
    }
}

#[test]
fn a_rectangle_that_is_empty_or_outside_changes_nothing() {
    let walls = random_walls(20, 9, 3, false);
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
