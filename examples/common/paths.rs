//! The way that agents have before them, drawn as dots on the floor.

use bevy::prelude::*;
use bevy_pursuit::{Locomotion, NavPath, PathCursor};

use crate::art::palette;
use crate::art::people::Costume;
use crate::sketch::Sketch;

/// Draws the way of every agent with a [`Costume`], in its color.
pub struct PathsPlugin;

impl Plugin for PathsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, draw_paths);
    }
}

fn draw_paths(
    mut sketch: ResMut<Sketch>,
    agents: Query<(&Transform, &Costume, &NavPath, &PathCursor, &Locomotion)>,
) {
    for (transform, costume, path, cursor, locomotion) in &agents {
        if matches!(locomotion, Locomotion::Moving | Locomotion::Straight) {
            let begin = transform.translation.truncate();
            let next = match locomotion {
                // Past all turns.
                Locomotion::Straight => path.waypoints().len().saturating_sub(1),
                _ => cursor.next(),
            };
            let ahead = path.waypoints().get(next..).unwrap_or_default();
            let way: Vec<Vec2> = std::iter::once(begin)
                .chain(ahead.iter().copied())
                .collect();
            draw_dots(&mut sketch, &way, costume.color());
        }
    }
}

/// Dots along a way. They lie still while somebody walks it: they are counted from its end.
pub fn draw_dots(sketch: &mut Sketch, way: &[Vec2], color: Color) {
    const GAP: f32 = 11.0;
    let mut to_next = GAP;
    if let Some(end) = way.last() {
        sketch.floor.disc(*end, 5.4, palette::INK.with_alpha(0.55));
        sketch.floor.disc(*end, 4.4, color.with_alpha(0.95));
        sketch.floor.disc(*end, 2.2, palette::INK.with_alpha(0.55));
    }
    for leg in way.windows(2).rev() {
        let (from, to) = (leg[0], leg[1]);
        let length = from.distance(to);
        while to_next < length {
            let dot = to.lerp(from, to_next / length);
            sketch.floor.disc(dot, 3.4, palette::INK.with_alpha(0.55));
            sketch.floor.disc(dot, 2.5, color.with_alpha(0.95));
            to_next += GAP;
        }
        to_next -= length;
    }
}
