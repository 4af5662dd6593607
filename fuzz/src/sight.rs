//! Checks lines of sight against exact distances.

use arbitrary::Arbitrary;
use pursuit::glam::Vec2;
use pursuit::sight::{clearance_at, line_of_sight, visible_fraction};

use crate::exact::distance;
use crate::worlds::{AnyPoint, AnyRadius, AnyWorld};

/// Error allowed for rounding and for the documented tolerance, in cells.
const TOLERANCE_CELLS: f64 = 1e-3;

/// The two ends of a line of sight, and the body that looks.
#[derive(Arbitrary, Debug)]
pub struct AnyLook {
    from: AnyPoint,
    to: AnyPoint,
    radius: AnyRadius,
    more: u8,
}

impl AnyLook {
    /// Queries the line of sight, and compares every answer with the exact distance.
    ///
    /// # Panics
    ///
    /// If an answer is wrong, or two answers contradict each other.
    pub fn check(&self, world: &AnyWorld) {
        let field = &world.field;
        let (from, to) = (self.from.on(field), self.to.on(field));
        let radius = self.radius.cells();
        let seen = line_of_sight(field, from, to, radius);
        let fraction = visible_fraction(field, from, to, radius);
        assert!((0.0..=1.0).contains(&fraction), "{fraction}");
        assert_eq!(seen, fraction >= 1.0, "{from} to {to}: {fraction}");
        if fraction > 0.0 {
            assert!(from.is_finite() && to.is_finite() && radius <= field.cap());
            let (start, offset) = (from.as_dvec2(), to.as_dvec2() - from.as_dvec2());
            let end = start + offset * f64::from(fraction);
            let nearest = distance(&world.obstacles, start, end);
            let required = f64::from(radius) - TOLERANCE_CELLS;
            assert!(
                nearest >= required,
                "{fraction} of {from} to {to}: {nearest}"
            );
            assert!(!seen || nearest > 0.0, "{from} to {to} goes through a wall");
        }
        let larger = radius + f32::from(self.more) / 100.0;
        let further = visible_fraction(field, from, to, larger);
        assert!(
            further <= fraction,
            "{larger} gets to {further}, {radius} to {fraction}"
        );
        check_clearance(world, from);
    }
}

fn check_clearance(world: &AnyWorld, point: Vec2) {
    let field = &world.field;
    let bound = clearance_at(field, point);
    assert!((0.0..=field.cap()).contains(&bound), "{bound} at {point}");
    if !point.is_finite() {
        assert_eq!(bound, 0.0, "a point that is not finite has a distance");
        return;
    }
    let exact = distance(&world.obstacles, point.as_dvec2(), point.as_dvec2());
    assert!(
        f64::from(bound) <= exact + 1e-4,
        "{bound} at {point}, not {exact}"
    );
    let sees_itself = bound <= 2e-4 || line_of_sight(field, point, point, bound);
    assert!(sees_itself, "{point} has {bound} around it");
}
