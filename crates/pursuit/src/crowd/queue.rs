//! Nobody presses on one who is ahead.

use glam::Vec2;

/// Velocities v with v · normal at least `least`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HalfPlane {
    pub(super) normal: Vec2,
    pub(super) least: f32,
}

/// At most so many neighbors hold one back.
pub(super) const MOST: usize = 12;

/// How often all half-planes are gone through.
const SWEEPS: usize = 8;

/// The velocity near to `wanted` that keeps to half-planes, softly: where not all can be kept, each gives way. Hildreth's
/// method (1957), coordinate by coordinate of the dual, with a compliance: there is always an answer, and it changes
/// continuously.
pub(super) fn soften(planes: &[HalfPlane], wanted: Vec2, most: f32, compliance: f32) -> Vec2 {
    let mut velocity = wanted;
    let mut forces = [0.0_f32; MOST];
    let share = 1.0 / (1.0 + compliance);
    for _ in 0..SWEEPS {
        let mut moved = 0.0;
        for (plane, force) in planes.iter().zip(&mut forces) {
            let along = plane.normal.x * velocity.x + plane.normal.y * velocity.y;
            let next = (*force + (plane.least - along - compliance * *force) * share).max(0.0);
            velocity += plane.normal * (next - *force);
            moved += (next - *force).abs();
            *force = next;
        }
        if moved < 1e-3 * most {
            break;
        }
    }
    velocity.clamp_length_max(most)
}
