//! Pictures of the things in the level, each drawn to the size of its collider.

use std::f32::consts::{PI, TAU};

use crate::paint::Painter;
use bevy::prelude::*;

use super::palette;
use crate::props::{DESK_PARTS, Prop, PropKind, rock_outline, statue_outline};

/// Where shadows fall: away from the light in the north-west.
const SHADOW_OFFSET: Vec2 = Vec2::new(5.0, -7.0);

/// All things, each in its place.
pub fn paint_props(props: &[Prop]) -> Painter {
    let mut painter = Painter::new();
    for prop in props {
        painter.at(prop.position, prop.angle);
        match prop.kind {
            PropKind::Crate => paint_crate(&mut painter),
            PropKind::Pillar => paint_pillar(&mut painter),
            PropKind::Barrel => paint_barrel(&mut painter),
            PropKind::Plant => paint_plant(&mut painter),
            PropKind::Table => paint_table(&mut painter),
            PropKind::Desk => paint_desk(&mut painter),
            PropKind::Shelf => paint_shelf(&mut painter),
            PropKind::Bed => paint_bed(&mut painter),
            PropKind::Statue => paint_statue(&mut painter),
            PropKind::Rock => paint_rock(&mut painter),
            PropKind::Hedge => paint_hedge(&mut painter),
            PropKind::Fountain => paint_fountain(&mut painter),
            PropKind::Lamp => {}
        }
    }
    painter
}

/// Soft shadows under all things.
pub fn paint_shadows(props: &[Prop]) -> Painter {
    let mut painter = Painter::new();
    for prop in props {
        let half_size = match prop.kind {
            PropKind::Crate => Vec2::splat(20.0),
            PropKind::Pillar => Vec2::splat(18.0),
            PropKind::Barrel => Vec2::splat(16.0),
            PropKind::Plant => Vec2::splat(18.0),
            PropKind::Table => Vec2::new(50.0, 28.0),
            PropKind::Desk => Vec2::new(46.0, 36.0),
            PropKind::Shelf => Vec2::new(74.0, 20.0),
            PropKind::Bed => Vec2::new(29.0, 42.0),
            PropKind::Statue => Vec2::splat(34.0),
            PropKind::Rock => Vec2::splat(24.0),
            PropKind::Hedge => Vec2::new(42.0, 18.0),
            PropKind::Fountain => Vec2::splat(60.0),
            PropKind::Lamp => continue,
        };
        painter.at(prop.position + SHADOW_OFFSET, prop.angle);
        painter.shadow(Vec2::ZERO, half_size, palette::SHADE.with_alpha(0.42));
    }
    painter
}

/// The warm light under lamps.
pub fn paint_lights(props: &[Prop]) -> Painter {
    let mut painter = Painter::new();
    for prop in props.iter().filter(|prop| prop.kind == PropKind::Lamp) {
        painter.at(prop.position, 0.0);
        painter.glow(
            Vec2::ZERO,
            Vec2::splat(150.0),
            palette::LAMPLIGHT.with_alpha(0.2),
        );
        painter.glow(
            Vec2::ZERO,
            Vec2::splat(60.0),
            palette::LAMPLIGHT.with_alpha(0.16),
        );
        painter.disc(Vec2::ZERO, 4.5, palette::LAMPLIGHT.with_alpha(0.55));
        painter.disc(Vec2::ZERO, 2.4, Color::WHITE.with_alpha(0.85));
    }
    painter
}

fn boxed(half_x: f32, half_y: f32) -> Rect {
    Rect::from_center_half_size(Vec2::ZERO, Vec2::new(half_x, half_y))
}

fn paint_crate(painter: &mut Painter) {
    painter.rounded(boxed(13.0, 13.0), 2.0, palette::TIMBER_DARK);
    painter.rect(boxed(11.0, 11.0), palette::TIMBER);
    for x in [-5.5, 0.0, 5.5] {
        painter.line(
            Vec2::new(x, -11.0),
            Vec2::new(x, 11.0),
            0.8,
            palette::TIMBER_DARK,
        );
    }
    painter.line(
        Vec2::splat(-9.0),
        Vec2::splat(9.0),
        4.6,
        palette::TIMBER_DARK,
    );
    painter.line(
        Vec2::splat(-9.0),
        Vec2::splat(9.0),
        3.0,
        palette::TIMBER_LIGHT,
    );
    for y in [-10.4, 10.4] {
        painter.rect(
            Rect::new(-12.0, y - 1.6, 12.0, y + 1.6),
            palette::TIMBER_LIGHT,
        );
    }
    for x in [-10.4, 10.4] {
        painter.rect(
            Rect::new(x - 1.6, -8.8, x + 1.6, 8.8),
            palette::TIMBER_LIGHT,
        );
        painter.disc(Vec2::new(x, 10.4), 0.8, palette::TIMBER_DARK);
        painter.disc(Vec2::new(x, -10.4), 0.8, palette::TIMBER_DARK);
    }
}

fn paint_pillar(painter: &mut Painter) {
    painter.disc(Vec2::ZERO, 12.0, palette::STONE_DARK);
    painter.disc(Vec2::new(-0.4, 0.6), 10.8, palette::STONE);
    painter.disc(Vec2::new(-0.8, 1.2), 8.4, palette::STONE_DARK);
    painter.disc(Vec2::new(-1.0, 1.5), 7.6, palette::STONE_LIGHT);
    painter.glow(
        Vec2::new(-3.0, 3.6),
        Vec2::splat(5.0),
        Color::WHITE.with_alpha(0.7),
    );
}

fn paint_barrel(painter: &mut Painter) {
    painter.disc(Vec2::ZERO, 11.0, palette::INK);
    painter.disc(Vec2::ZERO, 10.2, palette::STONE_DARK);
    painter.disc(Vec2::ZERO, 8.6, palette::TIMBER);
    for x in [-4.6, -1.4, 1.8, 5.0] {
        let reach = (8.2_f32 * 8.2 - x * x).sqrt();
        painter.line(
            Vec2::new(x, -reach),
            Vec2::new(x, reach),
            0.8,
            palette::TIMBER_DARK,
        );
    }
    painter.disc(Vec2::new(3.0, -2.0), 1.8, palette::TIMBER_DARK);
}

fn paint_plant(painter: &mut Painter) {
    painter.disc(Vec2::ZERO, 9.0, palette::POT);
    painter.disc(Vec2::ZERO, 7.2, palette::INK);
    for (count, reach, color) in [
        (7, 13.0, palette::LEAF_DARK),
        (6, 10.5, palette::LEAF),
        (5, 7.0, palette::LEAF_LIGHT),
    ] {
        for leaf in 0..count {
            let turn = Vec2::from_angle(leaf as f32 * TAU / count as f32 + reach);
            let side = turn.perp();
            let middle = turn * reach * 0.55;
            let width = reach * 0.24;
            painter.polygon(
                &[
                    turn * 1.0,
                    middle - side * width,
                    turn * reach * 0.85 - side * width * 0.5,
                    turn * reach,
                    turn * reach * 0.85 + side * width * 0.5,
                    middle + side * width,
                ],
                color,
            );
        }
    }
}

fn paint_table(painter: &mut Painter) {
    painter.rounded(boxed(40.0, 18.0), 6.0, palette::TIMBER_DARK);
    painter.rounded(boxed(38.6, 16.6), 5.0, palette::TIMBER);
    for y in [-8.0, 0.0, 8.0] {
        painter.line(
            Vec2::new(-37.0, y),
            Vec2::new(37.0, y),
            0.7,
            palette::TIMBER_DARK,
        );
    }
    painter.rect(boxed(37.0, 4.4), palette::LINEN);
    painter.rect(boxed(37.0, 3.0), palette::QUILT.with_alpha(0.25));
    for x in [-22.0, 20.0] {
        painter.disc(Vec2::new(x, 10.5), 4.4, palette::STONE_LIGHT);
        painter.disc(Vec2::new(x, 10.5), 2.8, palette::LINEN);
        painter.disc(Vec2::new(x + 6.0, -10.5), 4.4, palette::STONE_LIGHT);
        painter.disc(Vec2::new(x + 6.0, -10.5), 2.8, palette::LINEN);
    }
    painter.disc(Vec2::ZERO, 3.6, palette::GOLD);
    painter.disc(Vec2::ZERO, 1.6, palette::LAMPLIGHT);
}

fn paint_desk(painter: &mut Painter) {
    for (inset, color) in [(0.0, palette::TIMBER_DARK), (1.6, palette::TIMBER)] {
        for (center, half_size) in DESK_PARTS {
            painter.rect(
                Rect::from_center_half_size(center, half_size - inset),
                color,
            );
        }
        if inset > 0.0 {
            // The seam between the two boards.
            painter.rect(Rect::new(-34.4, 0.0, -17.6, 8.0), palette::TIMBER);
        }
    }
    let [(top, _), (side, _)] = DESK_PARTS;
    painter.rect(
        Rect::from_center_half_size(top + Vec2::new(6.0, 0.0), Vec2::new(8.0, 6.0)),
        palette::LINEN,
    );
    for y in [-3.0, 0.0, 3.0] {
        let from = top + Vec2::new(1.0, y);
        painter.line(from, from + Vec2::new(10.0, 0.0), 0.7, palette::QUILT);
    }
    painter.disc(top + Vec2::new(24.0, 1.0), 3.6, palette::PLAYER_CAP);
    painter.rect(
        Rect::from_center_half_size(side, Vec2::new(5.0, 7.0)),
        palette::CARPET,
    );
    painter.rect(
        Rect::from_center_half_size(side, Vec2::new(3.4, 5.4)),
        palette::CARPET_MOTIF,
    );
}

fn paint_shelf(painter: &mut Painter) {
    const SPINES: [Color; 6] = [
        palette::CARPET_MOTIF,
        palette::QUILT,
        palette::GOLD,
        palette::LEAF_DARK,
        palette::LINEN,
        palette::HUNTER_DARK,
    ];
    painter.rect(boxed(62.0, 10.0), palette::TIMBER_DARK);
    painter.rect(boxed(60.4, 8.4), palette::INK);
    for row in [-4.2, 4.2] {
        let mut x = -59.0;
        let mut book = if row < 0.0 { 3 } else { 0 };
        while x < 56.0 {
            let width = [3.4, 5.0, 4.2, 2.8, 4.6][book % 5];
            let tall = [3.6, 3.0, 3.4][book % 3];
            let color = SPINES[(book * 5 + book / 4) % SPINES.len()];
            painter.rect(Rect::new(x, row - tall, x + width - 0.6, row + tall), color);
            x += width;
            book += 1;
        }
    }
    painter.rect(Rect::new(-60.4, -0.6, 60.4, 0.6), palette::TIMBER);
}

fn paint_bed(painter: &mut Painter) {
    painter.rounded(boxed(20.0, 31.0), 3.0, palette::TIMBER_DARK);
    painter.rounded(boxed(18.2, 29.2), 3.0, palette::LINEN);
    painter.rounded(Rect::new(-18.2, -29.2, 18.2, 13.0), 3.0, palette::QUILT);
    painter.rect(Rect::new(-18.2, 8.0, 18.2, 13.0), palette::STONE_LIGHT);
    for y in [-22.0, -13.0, -4.0] {
        painter.line(
            Vec2::new(-18.0, y),
            Vec2::new(18.0, y),
            1.0,
            palette::INK.with_alpha(0.25),
        );
    }
    painter.line(
        Vec2::new(0.0, -29.0),
        Vec2::new(0.0, 8.0),
        1.0,
        palette::INK.with_alpha(0.25),
    );
    painter.rounded(Rect::new(-13.0, 16.0, 13.0, 27.0), 4.0, Color::WHITE);
    painter.rounded(Rect::new(-11.0, 17.0, 11.0, 22.0), 3.0, palette::LINEN);
}

fn paint_statue(painter: &mut Painter) {
    let outline = statue_outline();
    painter.polygon(&outline, palette::STONE_DARK);
    painter.polygon(&outline.map(|corner| corner * 0.92), palette::STONE);
    painter.polygon(&outline.map(|corner| corner * 0.7), palette::STONE_DARK);
    painter.polygon(&outline.map(|corner| corner * 0.66), palette::STONE_LIGHT);
    // A golden cup.
    painter.shadow(
        Vec2::new(3.0, -4.0),
        Vec2::splat(13.0),
        palette::SHADE.with_alpha(0.4),
    );
    for side in [-1.0, 1.0] {
        painter.ring(Vec2::new(side * 8.0, 1.0), 2.6, 4.4, palette::GOLD);
    }
    painter.disc(Vec2::ZERO, 9.0, palette::TIMBER_DARK);
    painter.disc(Vec2::ZERO, 8.4, palette::GOLD);
    painter.disc(Vec2::ZERO, 5.8, palette::TIMBER_DARK);
    painter.glow(
        Vec2::new(-3.6, 4.4),
        Vec2::splat(5.0),
        Color::WHITE.with_alpha(0.9),
    );
}

fn paint_rock(painter: &mut Painter) {
    let outline = rock_outline();
    painter.polygon(&outline, palette::INK);
    // Facets around a crest, each lit by how much it faces the light.
    let crest = Vec2::new(-2.0, 2.5);
    for (index, from) in outline.into_iter().enumerate() {
        let to = outline[(index + 1) % outline.len()];
        let lit = (from + to).normalize().dot(Vec2::new(-0.7, 0.7)) * 0.5 + 0.5;
        let color = palette::STONE_DARK.mix(&palette::STONE_LIGHT, lit);
        painter.polygon(&[crest, from * 0.93, to * 0.93], color);
    }
    painter.polygon(
        &outline.map(|corner| crest + corner * 0.34),
        palette::STONE_LIGHT,
    );
}

fn paint_hedge(painter: &mut Painter) {
    let end = Vec2::new(22.0, 0.0);
    painter.capsule(-end, end, 10.0, palette::LEAF_DARK);
    for step in 0..9 {
        let x = -24.0 + 6.0 * step as f32;
        let y = if step % 2 == 0 { 2.6 } else { -2.6 };
        painter.disc(Vec2::new(x, y), 6.2, palette::LEAF);
        painter.disc(Vec2::new(x - 1.0, y + 1.6), 3.6, palette::LEAF_LIGHT);
    }
    for (x, y) in [(-16.0, -3.0), (3.0, 4.0), (17.0, -2.0)] {
        painter.disc(Vec2::new(x, y), 2.0, palette::HUNTER_LIGHT);
        painter.disc(Vec2::new(x, y), 0.9, palette::PLAYER_LIGHT);
    }
}

fn paint_fountain(painter: &mut Painter) {
    painter.disc(Vec2::ZERO, 46.0, palette::STONE_DARK);
    painter.disc(Vec2::ZERO, 44.5, palette::STONE_LIGHT);
    painter.disc(Vec2::ZERO, 38.0, palette::STONE_DARK);
    for joint in 0..12 {
        let turn = Vec2::from_angle(joint as f32 * TAU / 12.0);
        painter.line(turn * 37.0, turn * 45.0, 1.0, palette::STONE_DARK);
    }
    painter.disc(Vec2::ZERO, 36.5, palette::WATER);
    for radius in [32.0, 25.0, 18.5] {
        painter.ring(
            Vec2::ZERO,
            radius - 0.7,
            radius + 0.7,
            palette::WATER_LIGHT.with_alpha(0.65),
        );
    }
    painter.segment(
        Vec2::ZERO,
        36.5,
        PI * 0.25,
        PI * 1.25,
        palette::SHADE.with_alpha(0.16),
    );
    painter.disc(Vec2::ZERO, 11.5, palette::STONE_DARK);
    painter.disc(Vec2::ZERO, 10.2, palette::STONE_LIGHT);
    painter.disc(Vec2::ZERO, 6.4, palette::WATER_LIGHT);
    painter.glow(Vec2::ZERO, Vec2::splat(6.0), Color::WHITE);
    for drop in 0..8 {
        let turn = Vec2::from_angle(drop as f32 * TAU / 8.0 + 0.2);
        painter.disc(turn * 14.5, 1.3, Color::WHITE.with_alpha(0.8));
        painter.disc(turn * 21.5, 0.9, Color::WHITE.with_alpha(0.6));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thing_has_a_picture() {
        for mark in "cobptdkBsrhF".chars() {
            let kind = PropKind::from_mark(mark).expect("a known mark");
            let prop = Prop {
                kind,
                position: Vec2::ZERO,
                angle: 0.0,
            };
            assert!(paint_props(&[prop]).triangles() > 0, "{kind:?}");
            assert!(paint_shadows(&[prop]).triangles() > 0, "{kind:?}");
        }
    }
}
