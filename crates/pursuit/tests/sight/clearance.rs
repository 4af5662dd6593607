//! Distances to walls, and the grids that bodies of some radius can walk on.

use glam::DVec2;
use proptest::prelude::*;
use pursuit::clearance::{Clearance, Step, TOLERANCE};
use pursuit::maps::write_ascii;
use pursuit::{Cell, DiagonalPolicy, Grid, Regions};

use crate::exact::{Obstacle, distance, point, sample, walls};
use crate::worlds::{any_grid, any_obstacles, grid};

/// Whether a distance is the exact one, rounded down by less than `part` of a cell.
fn is_rounded_down(is: f32, exact: f32, part: f32) -> bool {
    is <= exact && exact - is < part
}

/// Every step that `policy` allows between two free cells, by its lower end.
fn allowed_steps(grid: &Grid, policy: DiagonalPolicy) -> Vec<(Cell, Step)> {
    let is_allowed = |&(cell, step): &(Cell, Step)| {
        let (dx, dy) = step.offset();
        let is_straight = dx == 0 || dy == 0;
        let between = [cell.offset(dx, 0), cell.offset(0, dy)].map(|cell| grid.is_free(cell));
        grid.is_free(cell)
            && grid.is_free(step.end(cell))
            && (is_straight || policy.allows(between[0], between[1]))
    };
    let steps = |cell: Cell| Step::ALL.map(|step| (cell, step));
    let all = grid.rect().cells().flat_map(steps);
    all.filter(is_allowed).collect()
}

fn check_walkable(field: &Clearance, radius: f32, policy: DiagonalPolicy) {
    let walkable = field.walkable(radius, policy);
    for cell in walkable.rect().cells() {
        let fits = field.center(cell) > 0.0 && field.center(cell) >= radius - 1e-4;
        assert!(!walkable.is_free(cell) || fits, "{cell} is too narrow");
    }
    if radius <= 0.0 {
        return;
    }
    for (cell, step) in allowed_steps(&walkable, policy) {
        let least = field.step(cell, step);
        assert!(
            least >= radius - 1.1e-4,
            "step {step:?} from {cell}: {least} < {radius}"
        );
    }
}

#[test]
fn distances_are_to_the_walls_squares_and_not_to_their_centers() {
    let field = Clearance::from_grid(&grid("....#\n.....\n....."), 8.0);
    assert_eq!(field.center(Cell::new(4, 0)), 0.0);
    assert_eq!(field.center(Cell::new(3, 0)), 0.5);
    assert_eq!(field.center(Cell::new(0, 0)), 3.5);
    let diagonally = field.center(Cell::new(3, 1));
    assert!(is_rounded_down(diagonally, 0.5_f32.sqrt(), 1.0 / 8192.0));
    assert_eq!(field.step(Cell::new(2, 0), Step::PlusX), 0.5);
}

#[test]
fn a_diagonal_step_may_be_nearer_to_a_wall_than_both_of_its_ends() {
    let field = Clearance::from_grid(&grid("...\n...\n#.."), 8.0);
    let (from, step) = (Cell::new(1, 0), Step::PlusXPlusY);
    for end in [from, step.end(from)] {
        assert!(is_rounded_down(
            field.center(end),
            2.5_f32.sqrt(),
            1.0 / 8192.0
        ));
    }
    assert!(is_rounded_down(
        field.step(from, step),
        2.0_f32.sqrt(),
        field.resolution()
    ));
    let past_the_corner = field.step(Cell::new(0, 1), Step::PlusXPlusY);
    assert_eq!(past_the_corner, 0.0);
}

#[test]
fn a_step_that_is_just_beyond_the_cap_is_at_the_cap() {
    // The cap is a little less than √2, and so no mark for steps: the last one is below it.
    let grid = grid("...\n...\n#..");
    let field = Clearance::from_grid(&grid, 1.414_115);
    let sampled = sample(3, 3, 1.414_115, &walls(&grid));
    for field in [field, sampled] {
        let step = field.step(Cell::new(1, 0), Step::PlusXPlusY);
        assert_eq!(step, field.cap());
    }
}

#[test]
fn outside_of_the_grid_is_no_wall() {
    let field = Clearance::from_grid(&grid(".."), 4.0);
    assert_eq!(field.center(Cell::new(0, 0)), 4.0);
    assert_eq!(field.step(Cell::new(0, 0), Step::PlusX), 4.0);
}

#[test]
fn a_thin_wall_between_two_centers_blocks_one_of_them() {
    let low = DVec2::new(-0.5, 0.45);
    let high = DVec2::new(2.5, 0.55);
    let field = sample(3, 2, 4.0, &[Obstacle::Rectangle { low, high }]);
    let walkable = field.walkable(0.3, DiagonalPolicy::NoCornerCut);
    assert_eq!(write_ascii(&walkable), "...\n###\n", "all on the same side");
}

#[test]
fn a_body_as_wide_as_the_corridor_fits() {
    let board = "#####\n.....\n#####\n";
    let field = Clearance::from_grid(&grid(board), 4.0);
    let policy = DiagonalPolicy::NoCornerCut;
    assert_eq!(write_ascii(&field.walkable(0.5, policy)), board);
    assert_eq!(field.walkable(0.501, policy).free_count(), 0);
}

#[test]
fn a_radius_of_zero_or_less_keeps_every_free_cell_and_no_wall() {
    let board = ".#\n#.\n";
    let field = Clearance::from_grid(&grid(board), 4.0);
    for policy in DiagonalPolicy::ALL {
        for radius in [0.0, -1.0] {
            assert_eq!(write_ascii(&field.walkable(radius, policy)), board);
        }
    }
}

#[test]
fn a_body_is_kept_from_the_corners_that_a_lenient_policy_lets_it_touch() {
    let field = Clearance::from_grid(&grid(".#\n.."), 4.0);
    let walkable = |policy| write_ascii(&field.walkable(0.3, policy));
    assert_eq!(walkable(DiagonalPolicy::NoCornerCut), ".#\n..\n");
    assert_eq!(walkable(DiagonalPolicy::OneFree), ".#\n.#\n");
}

#[test]
fn a_radius_that_the_field_cannot_tell_fits_nowhere() {
    let open = Clearance::open(3, 3, 2.0).unwrap();
    for radius in [2.1, f32::INFINITY, f32::NAN] {
        assert_eq!(open.walkable(radius, DiagonalPolicy::Never).free_count(), 0);
    }
    assert_eq!(open.walkable(2.0, DiagonalPolicy::Never).free_count(), 9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_field_from_a_grid_has_the_exact_distances(grid in any_grid(), cap in 1.0..9.0_f32) {
        let field = Clearance::from_grid(&grid, cap);
        let naive = sample(grid.width(), grid.height(), cap, &walls(&grid));
        for cell in grid.rect().cells() {
            let (is, should) = (field.center(cell), naive.center(cell));
            prop_assert!((is - should).abs() < 1e-5, "{cell}: {is}, not {should}");
            for step in Step::ALL {
                let (is, should) = (field.step(cell, step), naive.step(cell, step));
                prop_assert!((is - should).abs() < 1e-5, "{cell} {step:?}: {is}, not {should}");
                let end = step.end(cell);
                prop_assert!(is <= field.center(cell).min(field.center(end)));
            }
        }
    }

    #[test]
    fn no_walkable_step_is_unsafe(
        grid in any_grid(),
        obstacles in any_obstacles(),
        radius in 0.0..2.5_f32,
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
    ) {
        check_walkable(&Clearance::from_grid(&grid, 4.0), radius, policy);
        check_walkable(&sample(9, 8, 4.0, &obstacles), radius, policy);
    }

    #[test]
    fn a_cell_is_walkable_up_to_its_width(
        grid in any_grid(),
        obstacles in any_obstacles(),
        radius in 0.001..2.5_f32,
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
    ) {
        for field in [Clearance::from_grid(&grid, 4.0), sample(9, 8, 4.0, &obstacles)] {
            // Also at the very radius from which on a cell is given up.
            let cells = || field.rect().cells();
            let widths = cells().map(|cell| field.width_at(cell, policy)).filter(|width| *width > 0.0);
            for radius in widths.take(3).chain([radius]) {
                let walkable = field.walkable(radius, policy);
                for cell in cells() {
                    let is_wide = field.width_at(cell, policy) + TOLERANCE >= radius;
                    prop_assert_eq!(walkable.is_free(cell), is_wide, "{} at {}", cell, radius);
                }
            }
        }
    }

    #[test]
    fn what_a_larger_body_can_walk_a_smaller_one_can(
        obstacles in any_obstacles(),
        radii in prop::collection::vec(0.0..2.5_f32, 2..30),
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
    ) {
        let field = sample(9, 8, 4.0, &obstacles);
        let mut radii = radii;
        radii.sort_by(f32::total_cmp);
        let grids: Vec<Grid> = radii.iter().map(|&radius| field.walkable(radius, policy)).collect();
        for (pair, radii) in grids.windows(2).zip(radii.windows(2)) {
            for cell in field.rect().cells() {
                let is_wider = pair[1].is_free(cell) && !pair[0].is_free(cell);
                prop_assert!(!is_wider, "{} is free for {}, not for {}", cell, radii[1], radii[0]);
            }
        }
    }

    #[test]
    fn the_widest_body_gets_through_and_a_wider_one_does_not(
        grid in any_grid(),
        obstacles in any_obstacles(),
        ends in (0..9_i32, 0..8_i32, 0..9_i32, 0..8_i32),
        policy in prop::sample::select(&DiagonalPolicy::ALL[..]),
    ) {
        let (from, to) = (Cell::new(ends.0, ends.1), Cell::new(ends.2, ends.3));
        for field in [Clearance::from_grid(&grid, 4.0), sample(9, 8, 4.0, &obstacles)] {
            let gets_through = |radius: f32| {
                let walkable = field.walkable(radius, policy);
                Regions::of(&walkable, policy).connected(from, to)
            };
            match field.widest_radius(from, to, policy) {
                None => prop_assert!(!gets_through(0.0)),
                Some(widest) => {
                    prop_assert!(gets_through(widest), "{} is too wide", widest);
                    prop_assert!(!gets_through(widest + 2.1e-4), "{} is not the widest", widest);
                }
            }
        }
    }

    #[test]
    fn among_whole_walls_small_bodies_lose_nothing_but_the_walls(
        grid in any_grid(),
        radius in 0.0..=0.5_f32,
    ) {
        let field = Clearance::from_grid(&grid, 4.0);
        for policy in [DiagonalPolicy::Never, DiagonalPolicy::NoCornerCut] {
            prop_assert_eq!(&field.walkable(radius, policy), &grid);
        }
    }

    #[test]
    fn a_free_cell_has_room_for_the_body(obstacles in any_obstacles(), radius in 0.0..2.0_f32) {
        let walkable = sample(9, 8, 4.0, &obstacles).walkable(radius, DiagonalPolicy::Never);
        for cell in walkable.rect().cells().filter(|&cell| walkable.is_free(cell)) {
            let room = distance(&obstacles, point(cell), point(cell)) as f32;
            prop_assert!(room >= radius - 2e-4);
        }
    }
}
