//! The player and the hunters, as pictures in parts: shadow, body, eyes, pupils.
//!
//! Bodies never turn; the eyes look where they go. That reads better than a turned figure, at any
//! size.

use std::collections::HashMap;
use std::f32::consts::PI;

use crate::paint::Painter;
use bevy::prelude::*;

use super::palette;
use crate::bodies::BODY_RADIUS as RADIUS;

/// What somebody looks like. The rest is done by [`FiguresPlugin`](crate::figures::FiguresPlugin).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[require(Transform, Visibility)]
pub enum Costume {
    /// Yellow, with a blue cap.
    Player,
    /// Red and horned.
    Hunter,
    /// A hunter that has had enough.
    Tired,
    /// Hooded, with a bow.
    Archer,
    /// White and woolly.
    Sheep,
    /// Pale, with a hem that blows in no wind.
    Ghost,
    /// Seen from above, facing up: the one who looks right when turned.
    Beetle,
    /// One of several of a kind, each number in a color of its own.
    Scout(usize),
}

impl Costume {
    /// Every look.
    const ALL: [Self; 12] = [
        Self::Player,
        Self::Hunter,
        Self::Tired,
        Self::Archer,
        Self::Sheep,
        Self::Ghost,
        Self::Beetle,
        Self::Scout(0),
        Self::Scout(1),
        Self::Scout(2),
        Self::Scout(3),
        Self::Scout(4),
    ];

    /// The color that one thinks of.
    pub fn color(self) -> Color {
        match self {
            Self::Player => palette::PLAYER,
            Self::Hunter | Self::Beetle => palette::HUNTER,
            Self::Ghost => palette::WATER_LIGHT,
            Self::Tired => palette::TIRED,
            Self::Archer => palette::ARCHER_LIGHT,
            Self::Sheep => palette::LINEN,
            Self::Scout(number) => palette::SCOUTS[number % palette::SCOUTS.len()],
        }
    }
}

/// The meshes of one look.
#[derive(Clone, Debug)]
pub struct Outfit {
    /// The body.
    pub body: Handle<Mesh>,
    /// Cap, brows, ears: what follows the eyes a little.
    pub crown: Handle<Mesh>,
    /// What is held in the hand, and pointed at what the figure looks at.
    pub bow: Option<Handle<Mesh>>,
}

/// The shared meshes of all people.
#[derive(Resource, Clone, Debug)]
pub struct PeopleArt {
    /// On the floor.
    pub shadow: Handle<Mesh>,
    /// The white of the eyes.
    pub eyes: Handle<Mesh>,
    /// The black of the eyes.
    pub pupils: Handle<Mesh>,
    outfits: HashMap<Costume, Outfit>,
}

impl PeopleArt {
    /// The meshes of a look.
    pub fn outfit(&self, costume: Costume) -> &Outfit {
        let costume = match costume {
            Costume::Scout(number) => Costume::Scout(number % palette::SCOUTS.len()),
            other => other,
        };
        &self.outfits[&costume]
    }
}

impl FromWorld for PeopleArt {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        let mut add = |paint: &dyn Fn(&mut Painter)| {
            let mut painter = Painter::new();
            paint(&mut painter);
            meshes.add(painter.build())
        };
        let outfits = Costume::ALL.map(|costume| {
            let outfit = Outfit {
                body: add(&|painter| paint_body(painter, costume)),
                crown: add(&|painter| paint_crown(painter, costume)),
                bow: (costume == Costume::Archer).then(|| add(&paint_bow)),
            };
            (costume, outfit)
        });
        Self {
            shadow: add(&paint_shadow),
            eyes: add(&paint_eyes),
            pupils: add(&paint_pupils),
            outfits: outfits.into(),
        }
    }
}

fn paint_body(painter: &mut Painter, costume: Costume) {
    match costume {
        Costume::Player => paint_round(painter, palette::PLAYER, palette::PLAYER_LIGHT),
        Costume::Hunter => {
            let colors = [palette::HUNTER, palette::HUNTER_LIGHT, palette::HUNTER_DARK];
            paint_hunter(painter, colors);
        }
        Costume::Tired => {
            let colors = [palette::TIRED, palette::TIRED_LIGHT, palette::TIRED_DARK];
            paint_hunter(painter, colors);
        }
        Costume::Archer => paint_archer(painter),
        Costume::Sheep => paint_sheep(painter),
        Costume::Ghost => paint_ghost(painter),
        Costume::Beetle => paint_beetle(painter),
        Costume::Scout(_) => {
            let color = costume.color();
            paint_round(painter, color, color.mix(&Color::WHITE, 0.55));
        }
    }
}

fn paint_crown(painter: &mut Painter, costume: Costume) {
    match costume {
        Costume::Player => paint_cap(painter),
        Costume::Sheep => paint_ears(painter),
        Costume::Scout(_) => paint_feather(painter, costume.color()),
        Costume::Ghost => paint_mouth(painter),
        Costume::Hunter | Costume::Tired | Costume::Archer | Costume::Beetle => {
            paint_brows(painter)
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

fn paint_round(painter: &mut Painter, color: Color, light: Color) {
    feet(painter, palette::INK);
    painter.disc(Vec2::ZERO, RADIUS + 1.2, palette::INK);
    painter.disc(Vec2::ZERO, RADIUS, color);
    painter.glow(Vec2::new(-3.5, 4.0), Vec2::splat(8.0), light);
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

/// A feather on top: tells a scout from the player at a glance.
fn paint_feather(painter: &mut Painter, color: Color) {
    let (root, tip) = (Vec2::new(1.0, 8.5), Vec2::new(5.5, 18.0));
    painter.capsule(root, tip, 2.9, palette::INK);
    painter.capsule(root, tip, 1.8, color.mix(&Color::WHITE, 0.35));
    painter.capsule(root, tip, 0.5, palette::INK.with_alpha(0.5));
    painter.capsule(Vec2::new(-7.4, 7.2), Vec2::new(7.4, 7.2), 2.4, palette::INK);
    painter.capsule(
        Vec2::new(-7.4, 7.2),
        Vec2::new(7.4, 7.2),
        1.4,
        palette::LINEN,
    );
}

/// A pointed hood around a shaded face.
fn paint_archer(painter: &mut Painter) {
    feet(painter, palette::INK);
    for grown in [1.2, 0.0] {
        let fill = |color| if grown > 0.0 { palette::INK } else { color };
        let peak = [
            Vec2::new(-8.6 - grown, 6.0),
            Vec2::new(8.6 + grown, 6.0),
            Vec2::new(3.0 + grown, 17.0 + 1.6 * grown),
        ];
        painter.polygon(&peak, fill(palette::ARCHER_DARK));
        painter.disc(Vec2::ZERO, RADIUS + grown, fill(palette::ARCHER));
    }
    painter.glow(
        Vec2::new(-4.0, 5.0),
        Vec2::splat(8.0),
        palette::ARCHER_LIGHT,
    );
    painter.ellipse(
        Vec2::new(0.0, -0.4),
        Vec2::new(8.4, 7.4),
        palette::ARCHER_DARK,
    );
    painter.ellipse(Vec2::new(0.0, -1.0), Vec2::new(7.6, 6.4), palette::SKIN);
}

/// A bow with an arrow on its string; the arrow points to the right.
fn paint_bow(painter: &mut Painter) {
    let ends = [Vec2::new(-1.0, -10.5), Vec2::new(-1.0, 10.5)];
    for (width, color) in [(1.9, palette::INK), (1.0, palette::TIMBER_LIGHT)] {
        let mut from = ends[0];
        for step in 1..=12 {
            let turn = Vec2::from_angle(PI * (step as f32 / 12.0 - 0.5));
            let to = Vec2::new(-1.0 + 5.5 * turn.x, 10.5 * turn.y);
            painter.capsule(from, to, width, color);
            from = to;
        }
    }
    painter.line(ends[0], ends[1], 0.8, palette::LINEN);
}

/// Curls of wool, a dark face.
fn paint_sheep(painter: &mut Painter) {
    feet(painter, palette::INK);
    let curls: [Vec2; 9] = std::array::from_fn(|curl| {
        let turn = Vec2::from_angle(curl as f32 * 2.0 * PI / 9.0 + 0.5);
        turn * Vec2::new(8.6, 7.8) + Vec2::Y
    });
    for (grown, color) in [(1.3, palette::INK), (0.0, palette::LINEN)] {
        for curl in curls {
            painter.disc(curl, 4.6 + grown, color);
        }
        painter.disc(Vec2::Y, 9.0, color);
    }
    for curl in &curls[1..5] {
        painter.glow(*curl + Vec2::new(-1.0, 1.2), Vec2::splat(4.4), Color::WHITE);
    }
    painter.ellipse(
        Vec2::new(0.0, 0.4),
        Vec2::new(7.0, 6.4),
        palette::FLEECE_SHADE,
    );
    painter.ellipse(
        Vec2::new(0.0, 0.0),
        Vec2::new(6.6, 6.0),
        palette::SHEEP_FACE,
    );
}

fn paint_ears(painter: &mut Painter) {
    for side in [-1.0, 1.0] {
        let ear = (Vec2::new(side * 6.8, 3.4), Vec2::new(side * 10.6, 2.0));
        painter.capsule(ear.0, ear.1, 2.5, palette::INK);
        painter.capsule(ear.0, ear.1, 1.6, palette::SHEEP_FACE);
    }
    for curl in [-3.4, 0.0, 3.4] {
        painter.disc(Vec2::new(curl, 6.4), 3.0, palette::LINEN);
    }
}

/// A bell with a wavy hem.
fn paint_ghost(painter: &mut Painter) {
    let bodies = [
        (1.3, palette::INK),
        (0.0, palette::WATER_LIGHT.mix(&Color::WHITE, 0.45)),
    ];
    for (grown, color) in bodies {
        painter.disc(Vec2::Y, RADIUS - 0.6 + grown, color);
        for wave in [-7.4, -2.5, 2.5, 7.4] {
            let low = Vec2::new(wave, -10.0);
            painter.capsule(Vec2::new(wave, 0.0), low, 3.0 + grown, color);
        }
    }
    painter.glow(Vec2::new(-3.5, 5.0), Vec2::splat(7.0), Color::WHITE);
}

fn paint_mouth(painter: &mut Painter) {
    painter.ellipse(Vec2::new(0.0, -5.6), Vec2::new(1.9, 2.4), palette::INK);
}

/// A shell in two halves, a head with feelers, six legs; the shadow turns with it.
fn paint_beetle(painter: &mut Painter) {
    painter.shadow(
        Vec2::ZERO,
        Vec2::splat(16.0),
        palette::SHADE.with_alpha(0.6),
    );
    for side in [-1.0, 1.0] {
        let at = |x: f32, y: f32| Vec2::new(side * x, y);
        for (y, out) in [(5.0, 4.0), (-1.0, 0.5), (-6.5, -3.5)] {
            let knee = at(11.5, y + out * 0.5);
            painter.capsule(at(6.0, y), knee, 1.3, palette::INK);
            painter.capsule(knee, at(14.0, y + out), 1.1, palette::INK);
        }
        painter.capsule(at(2.0, 10.0), at(6.5, 16.0), 0.9, palette::INK);
        painter.disc(at(6.5, 16.0), 1.5, palette::INK);
    }
    painter.disc(Vec2::new(0.0, 8.2), 6.4, palette::INK);
    painter.disc(Vec2::new(0.0, 8.2), 5.2, palette::HUNTER_DARK);
    painter.ellipse(Vec2::new(0.0, -1.6), Vec2::new(10.6, 11.2), palette::INK);
    painter.ellipse(Vec2::new(0.0, -1.6), Vec2::new(9.4, 10.0), palette::HUNTER);
    painter.glow(
        Vec2::new(-3.0, 1.6),
        Vec2::splat(6.0),
        palette::HUNTER_LIGHT,
    );
    painter.capsule(
        Vec2::new(0.0, 7.0),
        Vec2::new(0.0, -11.0),
        0.6,
        palette::INK,
    );
    for side in [-1.0, 1.0] {
        for (x, y) in [(4.6, 2.0), (5.2, -4.0), (3.2, -8.0)] {
            painter.disc(Vec2::new(side * x, y), 1.5, palette::HUNTER_DARK);
        }
        painter.disc(Vec2::new(side * 3.0, 10.4), 1.9, Color::WHITE);
        painter.disc(Vec2::new(side * 3.0, 11.0), 1.0, palette::INK);
    }
}

fn feet(painter: &mut Painter, color: Color) {
    for x in [-4.5, 4.5] {
        painter.ellipse(Vec2::new(x, -10.4), Vec2::new(3.6, 2.6), color);
    }
}
