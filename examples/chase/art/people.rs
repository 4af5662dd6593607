//! The player and the hunters, as pictures in parts: shadow, body, eyes, pupils.
//!
//! Bodies never turn; the eyes look where they go. That reads better than a turned figure, at any
//! size.

use std::f32::consts::PI;

use bevy::prelude::*;
use pursuit_examples::paint::Painter;

use super::palette;
use crate::bodies::BODY_RADIUS as RADIUS;

/// The shared meshes of all people.
#[derive(Resource, Clone, Debug)]
pub(crate) struct PeopleArt {
    pub(crate) shadow: Handle<Mesh>,
    pub(crate) player: Handle<Mesh>,
    pub(crate) cap: Handle<Mesh>,
    pub(crate) hunter: Handle<Mesh>,
    pub(crate) tired: Handle<Mesh>,
    pub(crate) eyes: Handle<Mesh>,
    pub(crate) pupils: Handle<Mesh>,
    pub(crate) brows: Handle<Mesh>,
}

impl FromWorld for PeopleArt {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        let mut add = |paint: fn(&mut Painter)| {
            let mut painter = Painter::new();
            paint(&mut painter);
            meshes.add(painter.build())
        };
        Self {
            shadow: add(paint_shadow),
            player: add(paint_player),
            cap: add(paint_cap),
            hunter: add(|painter| {
                let colors = [palette::HUNTER, palette::HUNTER_LIGHT, palette::HUNTER_DARK];
                paint_hunter(painter, colors);
            }),
            tired: add(|painter| {
                let colors = [palette::TIRED, palette::TIRED_LIGHT, palette::TIRED_DARK];
                paint_hunter(painter, colors);
            }),
            eyes: add(paint_eyes),
            pupils: add(paint_pupils),
            brows: add(paint_brows),
        }
    }
}

fn paint_shadow(painter: &mut Painter) {
    painter.shadow(
        Vec2::new(2.5, -8.0),
        Vec2::new(15.0, 10.0),
        palette::SHADE.with_alpha(0.55),
    );
}

fn paint_player(painter: &mut Painter) {
    feet(painter, palette::INK);
    painter.disc(Vec2::ZERO, RADIUS + 1.2, palette::INK);
    painter.disc(Vec2::ZERO, RADIUS, palette::PLAYER);
    painter.glow(
        Vec2::new(-3.5, 4.0),
        Vec2::splat(8.0),
        palette::PLAYER_LIGHT,
    );
    painter.segment(
        Vec2::ZERO,
        RADIUS,
        PI * 1.12,
        PI * 1.88,
        palette::INK.with_alpha(0.12),
    );
    // Cheeks.
    for x in [-7.0, 7.0] {
        painter.ellipse(
            Vec2::new(x, -3.4),
            Vec2::new(2.0, 1.3),
            palette::HUNTER_LIGHT.with_alpha(0.8),
        );
    }
}

/// The cap sits on the crown; its peak follows the eyes.
fn paint_cap(painter: &mut Painter) {
    painter.segment(Vec2::new(0.0, 3.6), 9.8, 0.0, PI, palette::INK);
    painter.segment(Vec2::new(0.0, 4.2), 8.6, 0.0, PI, palette::PLAYER_CAP);
    painter.segment(
        Vec2::new(-1.0, 6.0),
        5.0,
        PI * 0.25,
        PI * 0.95,
        palette::PLAYER_CAP_LIGHT,
    );
    painter.capsule(Vec2::new(-8.6, 4.2), Vec2::new(8.6, 4.2), 1.9, palette::INK);
    painter.capsule(
        Vec2::new(-8.6, 4.4),
        Vec2::new(8.6, 4.4),
        1.0,
        palette::PLAYER_CAP_LIGHT,
    );
    painter.disc(Vec2::new(0.0, 12.6), 2.0, palette::INK);
    painter.disc(Vec2::new(0.0, 12.6), 1.2, palette::LINEN);
}

/// A horned head with a jagged hem: nothing else in the house looks like it.
fn paint_hunter(painter: &mut Painter, [color, light, dark]: [Color; 3]) {
    for grown in [1.2, 0.0] {
        let ink = grown > 0.0;
        let fill = |color| if ink { palette::INK } else { color };
        for side in [-1.0, 1.0] {
            let at = |x: f32, y: f32| Vec2::new(side * x, y);
            let tip = at(9.8 + grown * 0.7, 15.2 + grown * 1.8);
            let (inner, outer) = (at(2.6 - grown, 8.0), at(10.4 + grown, 3.0));
            let horn = if side > 0.0 {
                [inner, outer, tip]
            } else {
                [outer, inner, tip]
            };
            painter.polygon(&horn, fill(palette::LINEN));
        }
        for spike in 0..5 {
            let x = -8.8 + 4.4 * spike as f32;
            let hem = -RADIUS - 1.0 - grown * 1.4 + x.abs() * 0.32;
            painter.polygon(
                &[
                    Vec2::new(x, hem),
                    Vec2::new(x + 2.9 + grown, -4.0),
                    Vec2::new(x - 2.9 - grown, -4.0),
                ],
                fill(dark),
            );
        }
        painter.disc(Vec2::new(0.0, 0.6), RADIUS - 0.4 + grown, fill(color));
    }
    painter.glow(Vec2::new(-3.5, 4.5), Vec2::splat(7.5), light);
    painter.segment(
        Vec2::new(0.0, 0.6),
        RADIUS - 0.4,
        PI * 1.1,
        PI * 1.9,
        dark.with_alpha(0.55),
    );
}

fn paint_eyes(painter: &mut Painter) {
    for x in [-3.7, 3.7] {
        painter.ellipse(Vec2::new(x, 0.0), Vec2::new(3.3, 4.1), palette::INK);
        painter.ellipse(Vec2::new(x, 0.0), Vec2::new(2.8, 3.6), Color::WHITE);
    }
}

fn paint_pupils(painter: &mut Painter) {
    for x in [-3.7, 3.7] {
        painter.ellipse(Vec2::new(x, 0.0), Vec2::new(1.6, 2.0), palette::INK);
        painter.disc(Vec2::new(x - 0.5, 0.8), 0.6, Color::WHITE);
    }
}

fn paint_brows(painter: &mut Painter) {
    for side in [-1.0, 1.0] {
        let (low, high) = (Vec2::new(side * 1.2, 2.6), Vec2::new(side * 7.2, 5.8));
        painter.capsule(low, high, 1.2, palette::INK);
    }
}

fn feet(painter: &mut Painter, color: Color) {
    for x in [-4.5, 4.5] {
        painter.ellipse(Vec2::new(x, -10.4), Vec2::new(3.6, 2.6), color);
    }
}
