//! Floor textures, computed pixel by pixel: slate flags, planks, carpet, lawn.
//!
//! Each repeats after [`PERIOD`] world units.

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

use super::palette;
use crate::stage::Floor;

/// World units after which a texture repeats: sixteen tiles.
pub const PERIOD: f32 = 512.0;
/// Pixels along a texture's side: two per world unit.
const SIDE: u32 = 1024;
/// Length of a floor board: six to a row.
const BOARD: f32 = PERIOD / 6.0;

/// The texture of a floor.
pub fn floor_texture(floor: Floor) -> Image {
    let paint = match floor {
        Floor::Slate => slate,
        Floor::Wood => wood,
        Floor::Carpet => carpet,
        Floor::Lawn => lawn,
    };
    let mut pixels = Vec::with_capacity((SIDE * SIDE * 4) as usize);
    let unit = PERIOD / SIDE as f32;
    for y in 0..SIDE {
        for x in 0..SIDE {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * unit;
            pixels.extend(paint(at).to_srgba().to_u8_array());
        }
    }
    let size = Extent3d {
        width: SIDE,
        height: SIDE,
        depth_or_array_layers: 1,
    };
    let mut image = Image::new(
        size,
        TextureDimension::D2,
        pixels,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

/// Square flags of one tile, each of its own gray, with a lit and a shaded edge.
fn slate(at: Vec2) -> Color {
    let flag = (at / 32.0).floor();
    let inside = at - flag * 32.0;
    let mut light =
        0.05 * (random(flag, 1) - 0.5) + 0.05 * (cloud(at, Vec2::splat(21.333), 2) - 0.5);
    light += 0.02 * (random((at * 2.0).floor(), 3) - 0.5);
    let edge = inside.min(32.0 - inside);
    if edge.min_element() < 0.9 {
        light -= 0.075;
    } else if inside.x < 2.0 || inside.y < 2.0 {
        light += 0.03;
    } else if inside.x > 30.0 || inside.y > 30.0 {
        light -= 0.02;
    }
    // A few flags are cracked.
    if random(flag, 4) < 0.06 {
        let bend = 4.0 * (cloud(at, Vec2::splat(6.4), 5) - 0.5);
        let slope = random(flag, 6) - 0.5;
        if (inside.x - 16.0 + bend + slope * (inside.y - 16.0)).abs() < 0.7 {
            light -= 0.05;
        }
    }
    shade(palette::SLATE, light)
}

/// Boards half a tile wide, each row shifted.
fn wood(at: Vec2) -> Color {
    let row = (at.y / 16.0).floor();
    let shift = (random(Vec2::new(row, 0.0), 7) * 16.0).floor() * 8.0;
    let along = (at.x + shift).rem_euclid(PERIOD);
    let board = Vec2::new((along / BOARD).floor(), row);
    let inside = Vec2::new(along - board.x * BOARD, at.y - row * 16.0);
    let mut light = 0.075 * (random(board, 8) - 0.5);
    // Grain: noise stretched along the board.
    light += 0.06 * (cloud(at, Vec2::new(32.0, 2.0), 9) - 0.5);
    light += 0.03 * (cloud(at, Vec2::new(16.0, 4.0), 10) - 0.5);
    if inside.y < 0.8 || inside.x < 0.8 {
        light -= 0.1;
    } else if inside.y < 1.8 {
        light += 0.025;
    }
    let nail = Vec2::new(4.0, 4.0);
    if inside.distance(nail) < 0.8 || inside.distance(Vec2::new(4.0, 12.0)) < 0.8 {
        light -= 0.09;
    }
    shade(palette::WOOD, light)
}

/// A woven lattice with a lozenge in every second field.
fn carpet(at: Vec2) -> Color {
    let weave = 0.02 * (random((at * 1.0).floor(), 11) - 0.5);
    let cloudy = 0.02 * (cloud(at, Vec2::splat(32.0), 12) - 0.5);
    let cell = (at / 32.0).floor();
    let middle = (at - cell * 32.0 - 16.0).abs();
    let lozenge = middle.x + middle.y;
    let even = (cell.x + cell.y).rem_euclid(2.0) == 0.0;
    let motif = (lozenge < 3.2)
        || (even && (lozenge - 9.0).abs() < 1.1)
        || (!even && (lozenge - 14.6).abs() < 0.9);
    let base = if motif {
        palette::CARPET_MOTIF
    } else {
        palette::CARPET
    };
    shade(base, weave + cloudy)
}

/// Mown grass: broad stripes, soft patches, blades, and a few flowers.
fn lawn(at: Vec2) -> Color {
    let stripe = if (at.x / 32.0).floor().rem_euclid(2.0) == 0.0 {
        0.012
    } else {
        -0.012
    };
    let patch = 0.07 * (cloud(at, Vec2::splat(32.0), 13) - 0.5)
        + 0.05 * (cloud(at, Vec2::splat(8.0), 14) - 0.5);
    let blade = (at * Vec2::new(1.0, 0.4)).floor();
    let spike = if random(blade, 15) < 0.09 { 0.05 } else { 0.0 };
    let mut color = palette::GRASS.mix(&palette::GRASS_LIGHT, (patch * 4.0).clamp(0.0, 0.6));
    // A flower in one of thirty fields of half a tile.
    let field = (at / 16.0).floor();
    let place = 3.0 + 10.0 * Vec2::new(random(field, 16), random(field, 17));
    let distance = (at - field * 16.0).distance(place);
    if random(field, 18) < 0.035 {
        if distance < 0.8 {
            color = palette::GOLD;
        } else if distance < 2.0 {
            color = palette::LINEN;
        }
    }
    shade(color, stripe + patch + spike)
}

/// The color, lighter or darker by a share of full lightness.
fn shade(color: Color, by: f32) -> Color {
    let color = color.to_srgba();
    let scale = 1.0 + 2.2 * by;
    Color::srgb(color.red * scale, color.green * scale, color.blue * scale)
}

/// Smooth noise, 0 to 1, in spots of `size` units, which must divide [`PERIOD`]; it repeats.
fn cloud(at: Vec2, size: Vec2, seed: u32) -> f32 {
    let count = (PERIOD / size).round();
    let place = at / size;
    let corner = place.floor();
    let t = place - corner;
    let t = t * t * (3.0 - 2.0 * t);
    let value = |dx: f32, dy: f32| random((corner + Vec2::new(dx, dy)).rem_euclid(count), seed);
    let low = value(0.0, 0.0) * (1.0 - t.x) + value(1.0, 0.0) * t.x;
    let high = value(0.0, 1.0) * (1.0 - t.x) + value(1.0, 1.0) * t.x;
    low * (1.0 - t.y) + high * t.y
}

/// White noise, 0 to 1, the same for the same whole coordinates.
fn random(cell: Vec2, seed: u32) -> f32 {
    let mut hash = (cell.x as i32 as u32).wrapping_mul(0x9e37_79b1)
        ^ (cell.y as i32 as u32).wrapping_mul(0x85eb_ca77)
        ^ seed.wrapping_mul(0xc2b2_ae3d);
    hash ^= hash >> 15;
    hash = hash.wrapping_mul(0x2c1b_3c6d);
    hash ^= hash >> 12;
    hash = hash.wrapping_mul(0x297a_2d39);
    hash ^= hash >> 15;
    hash as f32 / u32::MAX as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clouds_repeat_exactly() {
        for step in 0..100 {
            let at = Vec2::new(step as f32 * 2.57, step as f32 * 1.31);
            let spots = Vec2::new(32.0, 2.0);
            let near = cloud(at, spots, 3);
            let far = cloud(at + Vec2::new(PERIOD, -PERIOD), spots, 3);
            assert!((near - far).abs() < 1e-3);
        }
    }
}
