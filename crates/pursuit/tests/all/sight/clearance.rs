//! Distances to walls, and the cells that bodies of a given radius can walk on.

use glam::DVec2;
use proptest::prelude::*;
use pursuit::maps::write_ascii;
use pursuit::sight::line_of_sight;
use pursuit::{Cell, Clearance, DiagonalPolicy, FIT_TOLERANCE_CELLS, Grid, Step};

use super::exact::{Obstacle, distance, point, sample, walls};
use super::worlds::{any_grid, any_obstacles, grid};

/// Whether a distance is the exact distance, rounded down by less than `part` of a cell.
fn is_rounded_down(is: f32, exact: f32, part: f32) -> bool {
    is <= exact && exact - is < part
}

/// Every step that `policy` allows between two free cells, given by its start and its direction.
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
fn distances_are_measured_to_the_squares_of_walls_and_not_to_their_centers() {
    let field = Clearance::from_grid(&grid("....#\n.....\n....."), 8.0);
    assert_eq!(field.center(Cell::new(4, 0)), 0.0);
    assert_eq!(field.center(Cell::new(3, 0)), 0.5);
    assert_eq!(field.center(Cell::new(0, 0)), 3.5);
    let diagonally = field.center(Cell::new(3, 1));
    assert!(is_rounded_down(diagonally, 0.5_f32.sqrt(), 1.0 / 8192.0));
    assert_eq!(field.step(Cell::new(2, 0), Step::PlusX), 0.5);
}

#[test]
fn a_step_with_a_distance_just_above_the_cap_has_the_cap() {
    // The cap is slightly less than √2. It is not one of the values that can be stored for steps: the highest of these
    // is below the cap.
    let grid = grid("...\n...\n#..");
    let field = Clearance::from_grid(&grid, 1.414_115);
    let sampled = sample(3, 3, 1.414_115, &walls(&grid));
    for field in [field, sampled] {
        let step = field.step(Cell::new(1, 0), Step::PlusXPlusY);
        assert_eq!(step, field.cap());
    }
}

#[test]
fn a_thin_wall_between_two_rows_blocks_one_of_them() {
    let low = DVec2::new(-0.5, 0.45);
    let high = DVec2::new(2.5, 0.55);
    let field = sample(3, 2, 4.0, &[Obstacle::Rectangle { low, high }]);
    let walkable = field.walkable(0.3, DiagonalPolicy::NoCornerCut);
    assert_eq!(
        write_ascii(&walkable),
        "...\n###\n",
        "all blocked cells must be on one side of the wall"
    );
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
fn a_lenient_policy_blocks_a_cell_beside_a_corner() {
    let field = Clearance::from_grid(&grid(".#\n.."), 4.0);
    let walkable = |policy| write_ascii(&field.walkable(0.3, policy));
    assert_eq!(walkable(DiagonalPolicy::NoCornerCut), ".#\n..\n");
    assert_eq!(walkable(DiagonalPolicy::OneFree), ".#\n.#\n");
}

#[test]
fn a_radius_above_the_cap_fits_nowhere() {
    let open = Clearance::open(3, 3, 2.0).unwrap();
    for radius in [2.1, f32::INFINITY, f32::NAN] {
        assert_eq!(open.walkable(radius, DiagonalPolicy::Never).free_count(), 0);
    }
    assert_eq!(open.walkable(2.0, DiagonalPolicy::Never).free_count(), 9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pursuit::oracle::cases(1500)))]

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
    fn among_whole_walls_small_bodies_can_walk_on_all_free_cells(
        grid in any_grid(),
        radius in 0.0..=0.5_f32,
    ) {
        let field = Clearance::from_grid(&grid, 4.0);
        for policy in [DiagonalPolicy::Never, DiagonalPolicy::NoCornerCut] {
            prop_assert_eq!(&field.walkable(radius, policy), &grid);
        }
    }

    /// Rounding to 8 bytes per cell changes no result beyond the documented resolution. Whole and half cells are stored
    /// exactly. A body can stand at a center, move along a step or see along a step exactly if it can with exact
    /// distances. There is one exception: if the exact distance and the needed distance differ by at most the
    /// resolution, a body may be kept out of a cell or step where it fits. No body is ever let through where it does
    /// not fit.
    #[test]
    fn rounding_changes_answers_only_within_the_resolution(
        grid in any_grid(),
        obstacles in any_obstacles(),
        cap in prop::sample::select(&[4.0_f32, 1.75, 20.0][..]),
        odd in 0.05..1.7_f32,
    ) {
        let of_walls = (Clearance::from_grid(&grid, cap), walls(&grid));
        let of_obstacles = (sample(9, 8, cap, &obstacles), obstacles);
        for (field, obstacles) in [of_walls, of_obstacles] {
            check_halves(&field, &obstacles);
            for radius in [0.5, 0.7, 1.0, 1.5, odd] {
                check_rounding(&field, &obstacles, radius);
            }
        }
    }
}

/// The steps of the grid with their exact distances.
fn exact_steps(field: &Clearance, obstacles: &[Obstacle]) -> Vec<(Cell, Step, f64)> {
    let steps = |cell: Cell| Step::ALL.map(|step| (cell, step));
    let all = field.rect().cells().flat_map(steps);
    let inside = all.filter(|(cell, step)| field.rect().contains(step.end(*cell)));
    let along = |a: Cell, b: Cell| distance(obstacles, point(a), point(b));
    inside
        .map(|(cell, step)| (cell, step, along(cell, step.end(cell))))
        .collect()
}

fn is_half(exact: f64) -> bool {
    (2.0 * exact).fract() == 0.0
}

fn check_halves(field: &Clearance, obstacles: &[Obstacle]) {
    let cap = f64::from(field.cap());
    for cell in field.rect().cells() {
        let away = distance(obstacles, point(cell), point(cell)).min(cap);
        assert!(
            !is_half(away) || f64::from(field.center(cell)) == away,
            "{cell}"
        );
    }
    for (cell, step, along) in exact_steps(field, obstacles) {
        let (is, along) = (f64::from(field.step(cell, step)), along.min(cap));
        assert!(!is_half(along) || is == along, "{step:?} from {cell}");
    }
}

fn check_rounding(field: &Clearance, obstacles: &[Obstacle], radius: f32) {
    const ROUNDING: f64 = 1e-5;
    let needed = f64::from(radius) - f64::from(FIT_TOLERANCE_CELLS);
    // As documented: 1/65,536 of the cap rounded up to a power of two for centers, and the resolution for
    // steps.
    let of_centers = f64::from((field.cap().ceil() as u32).next_power_of_two()) / 65536.0;
    let of_steps = f64::from(field.resolution());
    // `Some(false)` means too narrow, `Some(true)` means wide enough, and `None` means that rounding decides.
    let fits = |exact: f64, resolution: f64| {
        let slack = if is_half(exact) { 0.0 } else { resolution };
        if exact < needed - ROUNDING {
            Some(false)
        } else {
            (exact > needed + slack + ROUNDING).then_some(true)
        }
    };
    let agrees = |is: bool, fits: Option<bool>| fits.is_none_or(|fits| is == fits);
    let walkable = field.walkable(radius, DiagonalPolicy::NoCornerCut);
    let steps = exact_steps(field, obstacles);
    for cell in field.rect().cells() {
        let away = fits(distance(obstacles, point(cell), point(cell)), of_centers);
        let is = f64::from(field.center(cell)) >= needed;
        assert!(agrees(is, away), "{cell} for {radius}");
        let at_cell = steps
            .iter()
            .filter(|(a, step, _)| [*a, step.end(*a)].contains(&cell));
        let mut along = at_cell.map(|(_, _, along)| fits(*along, of_steps));
        if away == Some(false) {
            assert!(!walkable.is_free(cell), "{cell} is too narrow for {radius}");
        } else if away == Some(true) && along.all(|fits| fits == Some(true)) {
            assert!(walkable.is_free(cell), "{cell} is wide enough for {radius}");
        }
    }
    for &(cell, step, along) in &steps {
        let along = fits(along, of_steps);
        let is = f64::from(field.step(cell, step)) >= needed;
        assert!(agrees(is, along), "{step:?} from {cell} for {radius}");
        let sees = line_of_sight(field, cell.center(), step.end(cell).center(), radius);
        assert!(
            agrees(sees, along),
            "sight along {step:?} from {cell} for {radius}"
        );
    }
    for (cell, step) in allowed_steps(&walkable, DiagonalPolicy::NoCornerCut) {
        let along = distance(obstacles, point(cell), point(step.end(cell)));
        let is_narrow = fits(along, of_steps) == Some(false);
        assert!(
            !is_narrow,
            "{step:?} from {cell} is too narrow for {radius}"
        );
    }
}
