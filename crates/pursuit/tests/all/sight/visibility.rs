//! Lines of sight: no blocked line is reported as free, and few free lines are reported as blocked.

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use pursuit::sight::{clearance_at, line_of_sight, visible_fraction};
use pursuit::{Cell, Clearance, Grid, Step};

use super::exact::{Obstacle, distance, sample};
use super::worlds::{World, any_grid, any_world, grid, shares};

fn exact(world: &World, from: Vec2, to: Vec2) -> f32 {
    distance(&world.obstacles, from.as_dvec2(), to.as_dvec2()) as f32
}

fn field(board: &str) -> Clearance {
    Clearance::from_grid(&grid(board), 4.0)
}

#[test]
fn a_body_as_wide_as_the_corridor_sees_only_along_its_middle() {
    let field = field("#####\n.....\n#####\n");
    let (from, to) = (Vec2::new(0.0, 1.0), Vec2::new(4.0, 1.0));
    assert!(line_of_sight(&field, from, to, 0.5));
    assert!(line_of_sight(&field, to, from, 0.5));
    assert!(!line_of_sight(&field, from, to, 0.501));
    assert!(!line_of_sight(&field, from, to + Vec2::Y * 0.01, 0.5));
    assert!(line_of_sight(&field, from, to + Vec2::Y * 0.1, 0.39));
}

#[test]
fn a_body_passes_a_corner_that_it_just_touches_but_no_nearer_one() {
    // The corner of the wall is at (1.5, 0.5).
    let field = field("..#\n...\n...");
    let along = |away: f32| {
        let offset = Vec2::new(-1.0, 1.0).normalize() * away + Vec2::new(1.5, 0.5);
        [offset - 0.5, offset + 0.5]
    };
    let [from, to] = along(0.4);
    assert!(line_of_sight(&field, from, to, 0.4));
    assert!(!line_of_sight(&field, from, to, 0.41));
}

#[test]
fn a_point_does_not_see_through_walls_or_out_of_them() {
    let field = field("...\n.#.\n...");
    let center = Vec2::ONE;
    for radius in [0.0, -1.0] {
        assert!(line_of_sight(&field, Vec2::ZERO, Vec2::X * 2.0, radius));
        assert!(!line_of_sight(&field, Vec2::ZERO, Vec2::splat(2.0), radius));
        assert!(!line_of_sight(&field, center, center, radius));
        assert!(!line_of_sight(&field, Vec2::X, Vec2::new(1.0, 2.0), radius));
    }
}

#[test]
fn points_outside_the_grid_or_not_finite_see_nothing_and_are_not_seen() {
    let field = Clearance::open(4, 3, 4.0).unwrap();
    let inside = Vec2::ONE;
    for outside in [
        Vec2::new(-0.51, 1.0),
        Vec2::new(3.51, 1.0),
        Vec2::new(1.0, 2.51),
        Vec2::new(1.0, 1e30),
        Vec2::new(f32::NAN, 1.0),
        Vec2::new(1.0, f32::INFINITY),
    ] {
        assert!(!line_of_sight(&field, inside, outside, 0.1), "{outside}");
        assert!(!line_of_sight(&field, outside, inside, 0.1), "{outside}");
        assert!(!line_of_sight(&field, outside, outside, 0.1), "{outside}");
        assert_eq!(visible_fraction(&field, outside, inside, 0.1), 0.0);
        assert_eq!(clearance_at(&field, outside), 0.0);
    }
    for corner in [Vec2::new(-0.5, -0.5), Vec2::new(3.5, 2.5)] {
        assert!(line_of_sight(&field, inside, corner, 0.1), "{corner}");
    }
}

#[test]
fn a_line_that_leaves_the_grid_is_visible_up_to_the_border() {
    let field = Clearance::open(4, 3, 4.0).unwrap();
    let fraction = |to| visible_fraction(&field, Vec2::new(1.5, 1.0), to, 0.1);
    assert!((fraction(Vec2::new(5.5, 1.0)) - 0.5).abs() < 1e-6);
    assert!((fraction(Vec2::new(-2.5, 1.0)) - 0.5).abs() < 1e-6);
    assert!((fraction(Vec2::new(1.5, 7.0)) - 0.25).abs() < 1e-6);
    let nowhere = Vec2::new(1.0, f32::NAN);
    assert_eq!(fraction(nowhere), 0.0);
}

#[test]
fn a_long_line_along_the_border_is_in_sight() {
    let field = Clearance::open(20, 3, 4.0).unwrap();
    for y in [-0.5, 2.5] {
        let (from, to) = (Vec2::new(0.0, y), Vec2::new(19.5, y));
        assert_eq!(visible_fraction(&field, from, to, 0.4), 1.0, "at {y}");
        assert!(line_of_sight(&field, from, to, 0.4), "at {y}");
        assert!(line_of_sight(&field, to, from, 0.4), "at {y}");
    }
}

/// Such an obstacle is known only by its distances from the centers on both sides. Because of rounding, the sum of
/// these distances may be more than one cell.
#[test]
fn no_line_passes_through_a_point_or_a_wall_without_thickness() {
    for i in 0..200 {
        let at = 2.0 + f64::from(i) / 199.0;
        let radius = 0.0;
        let center = DVec2::new(at, 2.5);
        let point = [Obstacle::Disc { center, radius }];
        let (low, high) = (DVec2::new(1.0, at), DVec2::new(4.0, at));
        let wall = [Obstacle::Rectangle { low, high }];
        let (from, to) = (Vec2::new(2.4, 0.6), Vec2::new(2.6, 4.4));
        for obstacles in [point, wall] {
            let least = distance(&obstacles, from.as_dvec2(), to.as_dvec2()) as f32;
            let field = sample(6, 6, 4.0, &obstacles);
            for radius in [0.0, 0.1, 0.3, 0.45] {
                let is_seen = line_of_sight(&field, from, to, radius);
                let is_clear = least > 0.0 && least >= radius - 2e-4;
                assert!(!is_seen || is_clear, "{radius} past {obstacles:?}: {least}");
            }
        }
    }
}

#[test]
fn a_radius_above_the_cap_sees_nothing() {
    let field = Clearance::open(9, 9, 2.0).unwrap();
    let (from, to) = (Vec2::splat(4.0), Vec2::splat(5.0));
    assert!(line_of_sight(&field, from, to, 2.0));
    for radius in [2.1, f32::INFINITY, f32::NAN] {
        assert!(!line_of_sight(&field, from, to, radius), "{radius}");
        assert_eq!(visible_fraction(&field, from, to, radius), 0.0);
    }
}

#[test]
fn a_line_over_thousands_of_cells_is_followed_to_its_end() {
    let (from, to) = (Vec2::new(0.3, 0.2), Vec2::new(3998.7, 1.9));
    let open = Clearance::open(4000, 3, 4.0).unwrap();
    assert!(line_of_sight(&open, from, to, 0.5));
    let wall = Cell::new(3000, 1);
    let walled = Grid::from_fn(4000, 3, |cell| cell != wall).unwrap();
    let fraction = visible_fraction(&Clearance::from_grid(&walled, 4.0), from, to, 0.5);
    let until = from.lerp(to, fraction).x;
    assert!((2998.5..=2999.0).contains(&until), "{until}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pursuit::oracle::cases(4000)))]

    #[test]
    fn visible_parts_keep_the_radius_from_obstacles_and_shrink_as_it_grows(
        world in any_world(),
        ends in prop::collection::vec((shares(), shares(), 0.0..2.5_f32, 0.0..1.0_f32), 12),
    ) {
        for (from, to, radius, more) in ends {
            let (from, to) = (world.at(from), world.at(to));
            let fraction = visible_fraction(&world.field, from, to, radius);
            prop_assert!((0.0..=1.0).contains(&fraction));
            let is_seen = line_of_sight(&world.field, from, to, radius);
            prop_assert_eq!(is_seen, fraction >= 1.0, "in sight must mean a visible fraction of 1");
            if fraction > 0.0 {
                let least = exact(&world, from, from.lerp(to, fraction));
                prop_assert!(least >= radius - 1e-3, "{fraction} of {from} to {to}: {least}");
                prop_assert!(!is_seen || least > 0.0);
            }
            let larger = visible_fraction(&world.field, from, to, radius + more);
            prop_assert!(larger <= fraction, "{from} to {to}: {larger} > {fraction}");
        }
    }

    /// Lines from center to center, along the borders between squares, and close beside them.
    #[test]
    fn lines_along_the_lattice_are_never_proven_wrongly(
        world in any_world(),
        ends in prop::collection::vec((shares(), shares(), 0.0..1.5_f32, 0..4_u8), 24),
        aside in prop_oneof![Just(0.0), -2e-6..2e-6_f32, -0.5..0.5_f32],
    ) {
        let snapped = |ends| (2.0 * world.inside(ends)).round() / 2.0;
        for (from, to, radius, kind) in ends {
            let (from, mut to) = (snapped(from), snapped(to));
            match kind {
                0 => to.x = from.x + aside,
                1 => to.y = from.y + aside,
                2 => to.y = from.y + (to.x - from.x),
                _ => {}
            }
            let seen = line_of_sight(&world.field, from, to, radius);
            let fraction = visible_fraction(&world.field, from, to, radius);
            prop_assert_eq!(seen, fraction >= 1.0, "{} to {}", from, to);
            let least = exact(&world, from, from.lerp(to, fraction));
            prop_assert!(fraction == 0.0 || least >= radius - 2e-4, "{from} to {to}: {least}");
            prop_assert!(!seen || least > 0.0);
        }
    }

    #[test]
    fn a_clearance_is_never_above_the_exact_distance(
        world in any_world(),
        points in prop::collection::vec(shares(), 12),
    ) {
        for point in points {
            let point = world.at(point);
            let (bound, exact) = (clearance_at(&world.field, point), exact(&world, point, point));
            prop_assert!(bound <= exact + 1e-4, "{point}: {bound} > {exact}");
            prop_assert!((0.0..=4.0).contains(&bound));
            let sees_itself = |radius| line_of_sight(&world.field, point, point, radius);
            prop_assert!(bound <= 2e-4 || sees_itself(bound));
            prop_assert!(bound >= 3.9 || !sees_itself(bound + 2e-4));
        }
    }

    #[test]
    fn the_clearance_at_a_center_is_the_distance_of_the_field(world in any_world()) {
        for cell in world.field.rect().cells() {
            let (bound, center) = (clearance_at(&world.field, cell.center()), world.field.center(cell));
            // Rounding removes a small part of a center's distance. The distances of neighboring cells may prove that
            // part.
            let more = bound - center;
            let is_alike = more > -1e-5 && more < 1.0 / 16_384.0 + 1e-5;
            prop_assert!(is_alike, "{cell}: {bound}, not {center}");
        }
    }

    /// Here it matters most that no proof is missing: all steps that a search may take are in sight.
    #[test]
    fn every_step_is_in_sight_for_a_disc_of_its_own_distance(world in any_world()) {
        for cell in world.field.rect().cells() {
            for step in Step::ALL {
                let (from, to) = (cell.center(), step.end(cell).center());
                let radius = world.field.step(cell, step);
                let is_step = world.field.rect().contains(step.end(cell)) && radius > 1e-3;
                prop_assert!(!is_step || line_of_sight(&world.field, from, to, radius));
                prop_assert!(!is_step || line_of_sight(&world.field, to, from, radius));
            }
        }
    }

    #[test]
    fn among_whole_walls_a_line_with_room_to_spare_is_in_sight(
        grid in any_grid(),
        ends in prop::collection::vec((shares(), shares(), 0.0..=1.0_f32), 12),
    ) {
        let world = World::of_walls(&grid);
        for (from, to, reach) in ends {
            let from = world.inside(from);
            let to = from.lerp(world.inside(to), reach);
            let radius = (exact(&world, from, to) - 0.15).min(0.5);
            if radius >= 0.0 {
                prop_assert!(line_of_sight(&world.field, from, to, radius), "{from} {to} {radius}");
            }
        }
    }

}
