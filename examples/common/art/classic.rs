//! The classic colors of a search, in one place.

use bevy::prelude::*;

use super::palette::hex;

/// What is being expanded.
pub const CURRENT: Color = hex(0xff4fa3);
/// Neighbors that are looked at from there.
pub const EXAMINED: Color = hex(0x4aa8ff);
/// Discovered, and waiting.
pub const DISCOVERED: Color = hex(0xffd23f);
/// Waiting, by a better way than the first one.
pub const IMPROVED: Color = hex(0xffa92e);
/// Done with.
pub const CLOSED: Color = hex(0xb59d5c);
/// The path at its start.
pub const PATH_START: Color = hex(0xf0433a);
/// The path at its goal.
pub const PATH_GOAL: Color = hex(0x35c759);
/// The path halfway.
const PATH_MIDDLE: Color = hex(0xffb01f);

/// The color of a part of the path: 0 is its start, 1 its goal.
pub fn path_color(part: f32) -> Color {
    if part < 0.5 {
        PATH_START.mix(&PATH_MIDDLE, part * 2.0)
    } else {
        PATH_MIDDLE.mix(&PATH_GOAL, part * 2.0 - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_runs_from_red_to_green() {
        let bytes = |color: Color| color.to_srgba().to_u8_array();
        assert_eq!(bytes(path_color(0.0)), bytes(PATH_START));
        assert_eq!(bytes(path_color(1.0)), bytes(PATH_GOAL));
        let [red, green, ..] = bytes(path_color(0.5));
        assert!(red > 200 && green > 150, "yellow in between, no mud");
    }
}
