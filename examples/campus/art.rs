//! Pictures of what only a campus has: roofs, water, bridges, trees, benches, a sports field.

use std::f32::consts::TAU;

use bevy::prelude::*;
use pursuit_examples::art::{Paint, layer, palette};
use pursuit_examples::paint::Painter;
use pursuit_examples::stage::{Floor, Stage, TILE};

use crate::buildings::{Building, Buildings};
use crate::places::{DOME, tile_center};
use crate::scenery::{BENCH, BENCH_HALF, TRUNK, Tree, WATER, trees};

/// Height of a wall's front below a roof, in world units: as that of walls.
const FRONT: f32 = 13.0;
/// How far a roof stands back from the rim of its wall.
const RIM: f32 = 3.0;
/// How far water comes out of its tiles, and the bank out of the water.
const SHORE: f32 = 4.0;
const BANK: f32 = 5.0;
/// Where shadows fall.
const SHADOW: Vec2 = Vec2::new(6.0, -8.0);
/// The sports field: two corners, in columns and rows of the level's text.
const FIELD: [(f32, f32); 2] = [(27.6, 21.6), (31.2, 26.4)];

/// Colors of roofs, by the number of the building's place.
const ROOFS: [Color; 9] = [
    palette::POT,
    palette::TIRED_DARK,
    palette::CARPET,
    palette::QUILT,
    palette::TIMBER,
    palette::PLAYER_CAP,
    palette::HUNTER_DARK,
    palette::LEAF_DARK,
    palette::TIMBER_DARK,
];

/// Spawns all of it.
pub(crate) fn spawn_campus_art(
    mut commands: Commands,
    stage: Res<Stage>,
    buildings: Res<Buildings>,
    paint: Res<Paint>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let trees = trees(&stage);
    let pictures = [
        (paint_water(&stage), layer::TRIM + 0.2),
        (paint_field(&stage), layer::TRIM + 0.3),
        (paint_shadows(&stage, &trees), layer::SHADOW + 0.4),
        (paint_roofs(&stage, &buildings), layer::WALL + 0.5),
        (paint_benches(&stage), layer::PROP + 0.1),
        (paint_trees(&trees), layer::PLAYER + 5.0),
    ];
    for (painter, z) in pictures {
        if painter.triangles() > 0 {
            commands.spawn(paint.picture(meshes.add(painter.build()), z));
        }
    }
}

/// The stream and the pond, with a bank around, and planks where a path crosses.
fn paint_water(stage: &Stage) -> Painter {
    let mut painter = Painter::new();
    let wet = |at: Vec2| {
        let cell = stage.level.layout().cell_at(at);
        let marks = stage.level.marks();
        cell.is_some_and(|cell| marks.contains(&(WATER, cell)))
    };
    let tiles = stage.positions(WATER);
    let half = TILE / 2.0;
    let coats = [
        (SHORE + BANK, palette::WALL_EDGE),
        (SHORE + BANK - 2.0, palette::GRASS_LIGHT),
        (SHORE + 1.5, palette::WATER_LIGHT.mix(&palette::WATER, 0.35)),
        (SHORE, palette::WATER),
        (-5.0, palette::WATER.mix(&palette::QUILT, 0.22)),
    ];
    for (grown, color) in coats {
        for &tile in &tiles {
            for (dx, dy) in [(0.0, 0.0), (TILE, 0.0), (0.0, -TILE)] {
                let other = tile + Vec2::new(dx, dy);
                if wet(other) {
                    painter.capsule(tile, other, half + grown, color);
                }
            }
            let square = [(TILE, 0.0), (0.0, -TILE), (TILE, -TILE)];
            if square.iter().all(|&(dx, dy)| wet(tile + Vec2::new(dx, dy))) {
                let corner = tile + Vec2::new(TILE, -TILE);
                painter.rect(Rect::from_corners(tile, corner), color);
            }
        }
    }
    paint_ripples(&mut painter, &tiles);
    paint_bridges(&mut painter, stage, wet);
    painter
}

/// Short light strokes, and a few lily pads.
fn paint_ripples(painter: &mut Painter, tiles: &[Vec2]) {
    for (number, &tile) in tiles.iter().enumerate() {
        let chance = chance_of(tile);
        let at = tile + 8.0 * Vec2::from_angle(chance * TAU);
        let color = palette::WATER_LIGHT.with_alpha(0.45);
        if number % 3 != 0 {
            let long = Vec2::new(3.0 + 5.0 * chance, 0.0);
            painter.capsule(at - long, at + long, 0.8, color);
        }
        if number % 7 == 3 {
            for (x, y, radius) in [(-6.0, 5.0, 4.2), (2.0, 8.0, 3.2), (-1.0, -1.0, 2.6)] {
                let pad = tile + Vec2::new(x, y);
                painter.segment(pad, radius, 0.4, TAU - 0.3, palette::LEAF);
            }
            painter.disc(
                tile + Vec2::new(-6.0, 5.4),
                1.3,
                palette::SCOUTS[2].with_alpha(0.9),
            );
        }
    }
}

/// Planks and rails on the wooden tiles that lie in the stream.
fn paint_bridges(painter: &mut Painter, stage: &Stage, wet: impl Fn(Vec2) -> bool) {
    let level = &stage.level;
    for cell in level.layout().rect().cells() {
        if stage.floor(cell) != Some(Floor::Wood) {
            continue;
        }
        let tile = level.tile_rect(cell);
        painter.rect(tile, palette::TIMBER_DARK);
        for plank in 0..4 {
            let x = tile.min.x + 8.0 * plank as f32;
            let color = palette::TIMBER.mix(&palette::TIMBER_LIGHT, chance_of(tile.min + x));
            painter.rect(Rect::new(x + 0.5, tile.min.y, x + 7.5, tile.max.y), color);
        }
    }
    for cell in level.layout().rect().cells() {
        if stage.floor(cell) != Some(Floor::Wood) {
            continue;
        }
        let tile = level.tile_rect(cell);
        for (side, y) in [(TILE, tile.max.y), (-TILE, tile.min.y)] {
            if wet(tile.center() + Vec2::new(0.0, side)) {
                let (from, to) = (Vec2::new(tile.min.x, y), Vec2::new(tile.max.x, y));
                painter.capsule(from, to, 3.0, palette::TIMBER_DARK);
                painter.capsule(from, to, 1.7, palette::TIMBER_LIGHT);
                for x in [from, to] {
                    painter.disc(x, 3.6, palette::TIMBER_DARK);
                    painter.disc(x, 2.4, palette::TIMBER_LIGHT);
                }
            }
        }
    }
}

fn paint_field(stage: &Stage) -> Painter {
    let mut painter = Painter::new();
    let corners = FIELD.map(|corner| tile_center(stage, corner));
    let field = Rect::from_corners(corners[0], corners[1]);
    let chalk = palette::LINEN.with_alpha(0.75);
    for (grown, color) in [
        (12.0, palette::WALL_EDGE),
        (10.5, palette::POT.mix(&palette::GRASS, 0.25)),
        (1.5, palette::LINEN.with_alpha(0.8)),
        (0.0, palette::GRASS.mix(&palette::LEAF, 0.5)),
    ] {
        painter.rounded(field.inflate(grown), 8.0 + grown, color);
    }
    let middle = field.center();
    painter.rect(
        Rect::from_center_size(middle, Vec2::new(field.width(), 1.4)),
        chalk,
    );
    painter.ring(middle, 17.0, 18.4, chalk);
    painter.disc(middle, 2.0, chalk);
    for y in [field.min.y, field.max.y] {
        let inward = (middle.y - y).signum();
        let goal = Rect::from_corners(
            Vec2::new(middle.x - 22.0, y),
            Vec2::new(middle.x + 22.0, y + 18.0 * inward),
        );
        frame(&mut painter, goal, 1.4, chalk);
    }
    painter
}

fn frame(painter: &mut Painter, rect: Rect, width: f32, color: Color) {
    let Rect { min, max } = rect;
    let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
    for (index, from) in corners.into_iter().enumerate() {
        painter.line(from, corners[(index + 1) % 4], width, color);
    }
}

/// A hip roof over each part of each building, a flat one where parts meet.
fn paint_roofs(stage: &Stage, buildings: &Buildings) -> Painter {
    let mut painter = Painter::new();
    for building in &buildings.0 {
        let color = ROOFS[building.tile % ROOFS.len()];
        for &cell in &building.tiles {
            let is_own = |dx, dy| building.tiles.contains(&cell.offset(dx, dy));
            let mut tile = stage.level.tile_rect(cell);
            let inset = |open: bool, by: f32| if open { 0.0 } else { by };
            tile.min.x += inset(is_own(-1, 0), RIM);
            tile.max.x -= inset(is_own(1, 0), RIM);
            tile.min.y += inset(is_own(0, -1), FRONT + RIM);
            tile.max.y -= inset(is_own(0, 1), RIM);
            painter.rect(tile, shaded(color, 0.0));
        }
        for &part in &building.rects {
            paint_hip_roof(&mut painter, part, color);
        }
        if building.tile == DOME {
            paint_dome(&mut painter, building);
        }
    }
    painter
}

/// Four slopes, lit from the north-west, with courses of tiles, a ridge and a chimney.
fn paint_hip_roof(painter: &mut Painter, part: Rect, color: Color) {
    let (min, max) = (
        part.min + Vec2::new(RIM, FRONT + RIM),
        part.max - Vec2::splat(RIM),
    );
    let size = max - min;
    let hip = size.min_element() / 2.0;
    let middle = (min + max) / 2.0;
    let ridge = (size / 2.0 - hip).max(Vec2::ZERO);
    let (low, high) = (middle - ridge, middle + ridge);
    let [sw, se, ne, nw] = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
    let [a, b, c, d] = [
        low,
        Vec2::new(high.x, low.y),
        high,
        Vec2::new(low.x, high.y),
    ];
    painter.polygon(&[nw, d, c, ne], shaded(color, 0.16));
    painter.polygon(&[nw, sw, a, d], shaded(color, 0.07));
    painter.polygon(&[sw, se, b, a], shaded(color, -0.1));
    painter.polygon(&[se, ne, c, b], shaded(color, -0.2));
    let seam = palette::INK.with_alpha(0.16);
    let mut down = 7.0;
    while down < hip {
        let share = down / hip;
        let ring = [(sw, a), (se, b), (ne, c), (nw, d)].map(|(from, to)| from.lerp(to, share));
        for (index, from) in ring.into_iter().enumerate() {
            painter.line(from, ring[(index + 1) % 4], 0.9, seam);
        }
        down += 7.0;
    }
    let light = shaded(color, 0.3);
    for (from, to) in [(sw, a), (se, b), (ne, c), (nw, d), (a, c)] {
        painter.capsule(from, to, 1.1, light);
    }
    if size.min_element() > 40.0 {
        let chimney = middle + Vec2::new(0.3 * size.x, 0.3 * hip);
        let rect = Rect::from_center_half_size(chimney, Vec2::new(5.0, 4.0));
        let shade = Rect::from_corners(rect.min + SHADOW, rect.max + SHADOW);
        painter.rect(shade, palette::INK.with_alpha(0.25));
        painter.rect(rect, palette::WALL_FACE);
        painter.rect(rect.inflate(-1.6), palette::INK);
    }
}

/// The dome of the observatory, open for its telescope.
fn paint_dome(painter: &mut Painter, building: &Building) {
    let at = building.middle() + Vec2::new(0.0, 20.0);
    let steel = palette::STONE_LIGHT;
    painter.disc(at + 0.6 * SHADOW, 24.0, palette::INK.with_alpha(0.35));
    painter.disc(at, 24.0, palette::STONE_DARK);
    painter.disc(at, 22.5, palette::STONE);
    painter.glow(at + Vec2::new(-8.0, 9.0), Vec2::splat(22.0), steel);
    let aim = Vec2::from_angle(0.9);
    painter.line(at, at + 22.0 * aim, 8.0, palette::INK);
    painter.capsule(at + 4.0 * aim, at + 20.0 * aim, 2.6, palette::GOLD);
}

fn paint_benches(stage: &Stage) -> Painter {
    let mut painter = Painter::new();
    for at in stage.positions(BENCH) {
        let seat = Rect::from_center_half_size(at, BENCH_HALF);
        painter.rounded(seat, 2.0, palette::TIMBER_DARK);
        for y in [-2.4, 0.4, 3.0] {
            let slat = Rect::from_center_half_size(
                at + Vec2::new(0.0, y - 0.3),
                Vec2::new(BENCH_HALF.x - 1.0, 0.9),
            );
            painter.rect(slat, palette::TIMBER_LIGHT);
        }
    }
    painter
}

fn paint_shadows(stage: &Stage, trees: &[Tree]) -> Painter {
    let mut painter = Painter::new();
    let shade = palette::SHADE.with_alpha(0.42);
    for tree in trees {
        let reach = Vec2::splat(1.15 * tree.reach);
        painter.shadow(tree.at + 1.6 * SHADOW, reach, shade);
    }
    for bench in stage.positions(BENCH) {
        painter.shadow(bench + 0.4 * SHADOW, BENCH_HALF * 1.4, shade);
    }
    painter
}

/// Trunks and crowns. One sees through a crown, a little, who walks below it.
fn paint_trees(trees: &[Tree]) -> Painter {
    let mut painter = Painter::new();
    for tree in trees {
        painter.at(tree.at, tree.chance * TAU);
        let [dark, leaf, light] = if tree.chance < 0.14 {
            [palette::HUNTER_DARK, palette::POT, palette::SCOUTS[1]]
        } else if tree.chance < 0.3 {
            [palette::ARCHER_DARK, palette::ARCHER, palette::ARCHER_LIGHT]
        } else {
            [palette::LEAF_DARK, palette::LEAF, palette::LEAF_LIGHT]
        };
        painter.disc(Vec2::ZERO, TRUNK, palette::TIMBER_DARK);
        let reach = tree.reach;
        let crown = |painter: &mut Painter, count: usize, out: f32, radius: f32, color: Color| {
            for leaf in 0..count {
                let turn = Vec2::from_angle(leaf as f32 * TAU / count as f32 + out);
                painter.disc(turn * out * reach, radius * reach, color);
            }
        };
        crown(&mut painter, 8, 0.66, 0.36, dark.with_alpha(0.95));
        painter.disc(Vec2::ZERO, 0.75 * reach, dark);
        // The light comes from the north-west, however the tree is turned.
        let lit = Vec2::from_angle(-tree.chance * TAU).rotate(Vec2::new(-0.12, 0.14)) * reach;
        painter.at(tree.at + Vec2::new(-0.1, 0.12) * reach, tree.chance * TAU);
        crown(&mut painter, 6, 0.46, 0.34, leaf);
        painter.disc(Vec2::ZERO, 0.5 * reach, leaf);
        painter.disc(lit, 0.3 * reach, light.with_alpha(0.75));
        for blob in 0..5 {
            let turn = Vec2::from_angle(blob as f32 * TAU / 5.0 + tree.chance);
            painter.disc(
                lit + turn * 0.34 * reach,
                0.13 * reach,
                light.with_alpha(0.75),
            );
        }
    }
    painter
}

/// The color, lighter or darker.
fn shaded(color: Color, by: f32) -> Color {
    if by > 0.0 {
        color.mix(&palette::STONE_LIGHT, by)
    } else {
        color.mix(&palette::SHADE, -by)
    }
}

/// From 0 to 1: the same for the same place.
fn chance_of(at: Vec2) -> f32 {
    ((at.x * 12.9898 + at.y * 78.233).sin() * 4375.85)
        .fract()
        .abs()
}
