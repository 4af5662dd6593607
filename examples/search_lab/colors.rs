//! The classic colors of a search, in one place.

use bevy::prelude::*;
use pursuit::replay::Mark;

/// What is being expanded.
pub(crate) const CURRENT: Color = hex(0xff4fa3);
/// Neighbors that are looked at from there.
pub(crate) const EXAMINED: Color = hex(0x4aa8ff);
/// Discovered, and waiting.
pub(crate) const DISCOVERED: Color = hex(0xffd23f);
/// Waiting, by a better way than the first one.
pub(crate) const IMPROVED: Color = hex(0xffa92e);
/// Done with.
pub(crate) const CLOSED: Color = hex(0xb59d5c);
/// The path at its start.
pub(crate) const PATH_START: Color = hex(0xf0433a);
/// The path at its goal.
pub(crate) const PATH_GOAL: Color = hex(0x35c759);
/// The path halfway.
const PATH_MIDDLE: Color = hex(0xffb01f);

/// Cards of the panel.
pub(crate) const CARD: Color = Color::srgba(0.06, 0.07, 0.12, 0.78);
/// What is written on cards.
pub(crate) const WORD: Color = Color::srgba(0.93, 0.93, 1.0, 0.92);
/// What is written there and matters less.
pub(crate) const FAINT: Color = Color::srgba(0.86, 0.87, 1.0, 0.52);
/// Keys, as the help lines of all examples have them.
pub(crate) const KEY: Color = Color::srgb(1.0, 0.86, 0.45);
/// Numbers and arrows in cells.
pub(crate) const INK: Color = hex(0x1b1420);
/// Walls, in the legend.
pub(crate) const WALL: Color = hex(0x191a26);
/// Mud, in the legend.
pub(crate) const MUD: Color = hex(0x8a5a36);

const fn hex(rgb: u32) -> Color {
    Color::srgb(part(rgb, 16), part(rgb, 8), part(rgb, 0))
}

const fn part(rgb: u32, shift: u32) -> f32 {
    ((rgb >> shift) & 0xff) as f32 / 255.0
}

/// The color of a part of the path: 0 is its start, 1 its goal.
pub(crate) fn path_color(part: f32) -> Color {
    if part < 0.5 {
        PATH_START.mix(&PATH_MIDDLE, part * 2.0)
    } else {
        PATH_MIDDLE.mix(&PATH_GOAL, part * 2.0 - 1.0)
    }
}

/// The color of a cell that is so marked; `None` for one that nobody came to. `part` is its place on the
/// path, from 0 to 1.
pub(crate) fn mark_color(mark: Mark, part: f32) -> Option<Color> {
    Some(match mark {
        Mark::Undiscovered => return None,
        Mark::Discovered => DISCOVERED,
        Mark::Open => IMPROVED,
        Mark::Closed => CLOSED,
        Mark::Examined => EXAMINED,
        Mark::Current => CURRENT,
        Mark::Path => path_color(part),
        _ => return None,
    })
}

/// A pixel of a texture.
pub(crate) fn pixel(color: Option<Color>) -> [u8; 4] {
    color.map_or([0; 4], |color| color.to_srgba().to_u8_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_runs_from_red_to_green() {
        assert_eq!(pixel(Some(path_color(0.0))), pixel(Some(PATH_START)));
        assert_eq!(pixel(Some(path_color(1.0))), pixel(Some(PATH_GOAL)));
        let [red, green, ..] = pixel(Some(path_color(0.5)));
        assert!(red > 200 && green > 150, "yellow in between, no mud");
    }

    #[test]
    fn only_cells_that_a_search_came_to_have_a_color() {
        assert_eq!(pixel(mark_color(Mark::Undiscovered, 0.0)), [0; 4]);
        let marks = [
            Mark::Discovered,
            Mark::Open,
            Mark::Closed,
            Mark::Examined,
            Mark::Current,
        ];
        let mut pixels: Vec<_> = marks.map(|mark| pixel(mark_color(mark, 0.0))).into();
        assert!(pixels.iter().all(|pixel| pixel[3] == 255));
        pixels.sort_unstable();
        pixels.dedup();
        assert_eq!(pixels.len(), marks.len());
    }
}
