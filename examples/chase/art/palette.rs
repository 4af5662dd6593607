//! Every color of the level and its people, in one place.
//!
//! Floors are dark and muted, walls light and warm, people the only saturated things in sight.

use bevy::prelude::*;

pub(crate) const VOID: Color = hex(0x1a1d29);
pub(crate) const INK: Color = hex(0x1d1a26);
pub(crate) const SHADE: Color = hex(0x0c0b18);

pub(crate) const WALL_TOP: Color = hex(0xd3c8b2);
pub(crate) const WALL_RIM: Color = hex(0xf3ead6);
pub(crate) const WALL_EDGE: Color = hex(0xa4967f);
pub(crate) const WALL_FACE: Color = hex(0x8b7a67);
pub(crate) const WALL_FOOT: Color = hex(0x574a45);

pub(crate) const SLATE: Color = hex(0x4c566a);
pub(crate) const WOOD: Color = hex(0x7d5c44);
pub(crate) const CARPET: Color = hex(0x6e3a50);
pub(crate) const CARPET_MOTIF: Color = hex(0x874d61);
pub(crate) const GRASS: Color = hex(0x4d7355);
pub(crate) const GRASS_LIGHT: Color = hex(0x6b9163);
pub(crate) const GOLD: Color = hex(0xd9a95b);

pub(crate) const STONE: Color = hex(0xb9b4aa);
pub(crate) const STONE_LIGHT: Color = hex(0xdcd7cb);
pub(crate) const STONE_DARK: Color = hex(0x7f7b78);
pub(crate) const TIMBER: Color = hex(0xb98752);
pub(crate) const TIMBER_LIGHT: Color = hex(0xd6a770);
pub(crate) const TIMBER_DARK: Color = hex(0x7c5534);
pub(crate) const LEAF: Color = hex(0x4f9a5c);
pub(crate) const LEAF_LIGHT: Color = hex(0x7cc476);
pub(crate) const LEAF_DARK: Color = hex(0x2f6644);
pub(crate) const POT: Color = hex(0xc0714d);
pub(crate) const LINEN: Color = hex(0xe6e2ef);
pub(crate) const QUILT: Color = hex(0x5f78a8);
pub(crate) const WATER: Color = hex(0x4fa3c7);
pub(crate) const WATER_LIGHT: Color = hex(0x9bdcec);
pub(crate) const LAMPLIGHT: Color = hex(0xffcf87);

pub(crate) const PLAYER: Color = hex(0xffd24a);
pub(crate) const PLAYER_LIGHT: Color = hex(0xfff0a8);
pub(crate) const PLAYER_CAP: Color = hex(0x2f8fb8);
pub(crate) const PLAYER_CAP_LIGHT: Color = hex(0x63bfe0);
pub(crate) const HUNTER: Color = hex(0xe5484d);
pub(crate) const HUNTER_LIGHT: Color = hex(0xff8a7e);
pub(crate) const HUNTER_DARK: Color = hex(0x8f2436);
pub(crate) const TIRED: Color = hex(0x8d78b8);
pub(crate) const TIRED_LIGHT: Color = hex(0xb5a3d6);
pub(crate) const TIRED_DARK: Color = hex(0x54457a);

const fn hex(rgb: u32) -> Color {
    Color::srgb(part(rgb, 16), part(rgb, 8), part(rgb, 0))
}

const fn part(rgb: u32, shift: u32) -> f32 {
    ((rgb >> shift) & 0xff) as f32 / 255.0
}
