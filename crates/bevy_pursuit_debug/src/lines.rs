//! Shapes of few lines: as gizmos have them, for a tenth of the time.

use bevy::prelude::*;

use crate::gizmos::PursuitGizmos;

/// Most corners of a circle.
const CORNERS: usize = 32;
/// Pixels along a circle's side that is still round.
const SIDE_PIXELS: f32 = 5.0;
/// Half the width of an arrow's head, in lengths of it.
const HEAD_WIDTH: f32 = 0.6;

/// Corners of the unit circle.
#[derive(Debug)]
pub(crate) struct Circle([Vec2; CORNERS]);

impl Default for Circle {
    fn default() -> Self {
        let turn = std::f32::consts::TAU / CORNERS as f32;
        Self(std::array::from_fn(|corner| {
            Vec2::from_angle(turn * corner as f32)
        }))
    }
}

impl Circle {
    /// Draws a circle, with as many corners as can be seen.
    pub(crate) fn draw(
        &self,
        gizmos: &mut Gizmos<PursuitGizmos>,
        center: Vec2,
        radius: f32,
        pixels_per_unit: f32,
        color: LinearRgba,
    ) {
        let around = std::f32::consts::TAU * radius * pixels_per_unit;
        let wanted = (around / SIDE_PIXELS) as usize;
        let stride = match wanted {
            0..8 => CORNERS / 8,
            8..16 => CORNERS / 16,
            _ => 1,
        };
        let corners = self.0.iter().step_by(stride).chain([&self.0[0]]);
        gizmos.linestrip_2d(corners.map(|corner| center + radius * corner), color);
    }
}

/// Draws an arrow with a head of this length. Nothing if it has no length.
pub(crate) fn arrow(
    gizmos: &mut Gizmos<PursuitGizmos>,
    from: Vec2,
    to: Vec2,
    head: f32,
    color: LinearRgba,
) {
    let Some(along) = (to - from).try_normalize() else {
        return;
    };
    let back = to - head * along;
    let side = HEAD_WIDTH * head * along.perp();
    gizmos.line_2d(from, to, color);
    gizmos.line_2d(back + side, to, color);
    gizmos.line_2d(back - side, to, color);
}
