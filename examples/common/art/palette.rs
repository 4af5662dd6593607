//! Every color of the level and its people, in one place.
//!
//! Floors are dark and muted, walls light and warm, people the only saturated things in sight.

#![allow(missing_docs, reason = "each color is named after what it is for")]

use bevy::prelude::*;

pub const VOID: Color = hex(0x1a1d29);
pub const INK: Color = hex(0x1d1a26);
pub const SHADE: Color = hex(0x0c0b18);

pub const WALL_TOP: Color = hex(0xd3c8b2);
pub const WALL_RIM: Color = hex(0xf3ead6);
pub const WALL_EDGE: Color = hex(0xa4967f);
pub const WALL_FACE: Color = hex(0x8b7a67);
pub const WALL_FOOT: Color = hex(0x574a45);

pub const SLATE: Color = hex(0x4c566a);
pub const WOOD: Color = hex(0x7d5c44);
pub const CARPET: Color = hex(0x6e3a50);
pub const CARPET_MOTIF: Color = hex(0x874d61);
pub const GRASS: Color = hex(0x4d7355);
pub const GRASS_LIGHT: Color = hex(0x6b9163);
pub const GOLD: Color = hex(0xd9a95b);

pub const STONE: Color = hex(0xb9b4aa);
pub const STONE_LIGHT: Color = hex(0xdcd7cb);
pub const STONE_DARK: Color = hex(0x7f7b78);
pub const TIMBER: Color = hex(0xb98752);
pub const TIMBER_LIGHT: Color = hex(0xd6a770);
pub const TIMBER_DARK: Color = hex(0x7c5534);
pub const LEAF: Color = hex(0x4f9a5c);
pub const LEAF_LIGHT: Color = hex(0x7cc476);
pub const LEAF_DARK: Color = hex(0x2f6644);
pub const POT: Color = hex(0xc0714d);
pub const LINEN: Color = hex(0xe6e2ef);
pub const QUILT: Color = hex(0x5f78a8);
pub const WATER: Color = hex(0x4fa3c7);
pub const WATER_LIGHT: Color = hex(0x9bdcec);
pub const LAMPLIGHT: Color = hex(0xffcf87);

pub const PLAYER: Color = hex(0xffd24a);
pub const PLAYER_LIGHT: Color = hex(0xfff0a8);
pub const PLAYER_CAP: Color = hex(0x2f8fb8);
pub const PLAYER_CAP_LIGHT: Color = hex(0x63bfe0);
pub const HUNTER: Color = hex(0xe5484d);
pub const HUNTER_LIGHT: Color = hex(0xff8a7e);
pub const HUNTER_DARK: Color = hex(0x8f2436);
pub const TIRED: Color = hex(0x8d78b8);
pub const TIRED_LIGHT: Color = hex(0xb5a3d6);
pub const TIRED_DARK: Color = hex(0x54457a);

pub const ARCHER: Color = hex(0x5b8f5a);
pub const ARCHER_LIGHT: Color = hex(0x9ccc7f);
pub const ARCHER_DARK: Color = hex(0x2f5340);
pub const SKIN: Color = hex(0xe9b98c);
pub const FLEECE_SHADE: Color = hex(0xb8b0c6);
pub const SHEEP_FACE: Color = hex(0x4a4154);
pub const SCOUTS: [Color; 5] = [
    hex(0x58c4dd),
    hex(0xff9d5c),
    hex(0xf27fb2),
    hex(0x9ad05b),
    hex(0xb392f0),
];

/// An opaque color from `0xrrggbb`.
pub const fn hex(rgb: u32) -> Color {
    Color::srgb(part(rgb, 16), part(rgb, 8), part(rgb, 0))
}

const fn part(rgb: u32, shift: u32) -> f32 {
    ((rgb >> shift) & 0xff) as f32 / 255.0
}
