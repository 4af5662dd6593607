//! Circles and arrows that consist of few lines. They look like the shapes of Bevy's gizmos, and take a tenth of the
//! time to draw.

use bevy::prelude::*;

use crate::gizmos::PursuitGizmos;

/// Maximum number of corners of a circle.
const MAX_CORNERS: usize = 32;
/// Target length of a circle's sides, in pixels. A circle with such short sides looks round.
const SIDE_PIXELS: f32 = 5.0;
/// Half the width of an arrow's head, as a multiple of the head's length.
const HEAD_WIDTH: f32 = 0.6;

/// Corners of the unit circle.
#[derive(Debug)]
pub(crate) struct Circle([Vec2; MAX_CORNERS]);

impl Default for Circle {
    fn default() -> Self {
        let turn = std::f32::consts::TAU / MAX_CORNERS as f32;
        Self(std::array::from_fn(|corner| {
            Vec2::from_angle(turn * corner as f32)
        }))
    }
}

impl Circle {
    /// Draws a circle with 8, 16 or 32 corners, depending on how large it appears on the screen.
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
            0..8 => MAX_CORNERS / 8,
            8..16 => MAX_CORNERS / 16,
            _ => 1,
        };
        let corners = self.0.iter().step_by(stride).chain([&self.0[0]]);
        gizmos.linestrip_2d(corners.map(|corner| center + radius * corner), color);
    }
}

/// Draws an arrow whose head is `head` world units long. Draws nothing if both ends are the same point.
pub(crate) fn draw_arrow(
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
