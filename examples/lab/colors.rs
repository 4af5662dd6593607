//! The classic colors of a search, and the colors of the window.

use bevy::prelude::*;
use pursuit_lab::replay::Mark;

/// The current cell.
pub(crate) const CURRENT: Color = hex(0xff4fa3);
/// Examined neighbors of the current cell.
pub(crate) const EXAMINED: Color = hex(0x4aa8ff);
/// Discovered cells, which wait to be expanded.
pub(crate) const DISCOVERED: Color = hex(0xffd23f);
/// Waiting cells to which the search has found a better path.
pub(crate) const IMPROVED: Color = hex(0xffa92e);
/// Expanded cells.
pub(crate) const CLOSED: Color = hex(0xb59d5c);
/// The path at its start, halfway, and at its goal.
pub(crate) const PATH: [Color; 3] = [hex(0xf0433a), hex(0xffb01f), hex(0x35c759)];

/// The background.
pub(crate) const BACKGROUND: Color = hex(0x1a1d29);
/// The background of the panel and the timeline.
pub(crate) const PANEL_COLOR: Color = hex(0x0c0b18);
/// Strokes and numbers in cells.
pub(crate) const INK: Color = hex(0x1b1420);
pub(crate) const PAPER: Color = hex(0xfffcf5);
/// Cards, text on cards, and less important text on cards.
pub(crate) const CARD_COLOR: Color = Color::srgba(0.06, 0.07, 0.12, 0.78);
pub(crate) const TEXT_COLOR: Color = Color::srgba(0.93, 0.93, 1.0, 0.92);
pub(crate) const FAINT_COLOR: Color = Color::srgba(0.86, 0.87, 1.0, 0.52);
/// Keys, names, and choices.
pub(crate) const KEY_COLOR: Color = Color::srgb(1.0, 0.86, 0.45);
pub(crate) const NAME_COLOR: Color = hex(0xffd24a);
pub(crate) const CHOICE_COLOR: Color = hex(0xfff0a8);

/// An opaque color from `0xrrggbb`.
pub(crate) const fn hex(rgb: u32) -> Color {
    const fn part(byte: u32) -> f32 {
        (byte & 0xff) as f32 / 255.0
    }
    Color::srgb(part(rgb >> 16), part(rgb >> 8), part(rgb))
}

/// The color of a point of the path. `part` is 0 at the start and 1 at the goal.
pub(crate) fn path_color(part: f32) -> Color {
    let [start, middle, goal] = PATH;
    if part < 0.5 {
        start.mix(&middle, part * 2.0)
    } else {
        middle.mix(&goal, part * 2.0 - 1.0)
    }
}

/// The color of a mark; `None` for a cell or cube that the search did not reach. `part` is the position along the path,
/// from 0 to 1.
pub(crate) fn mark_color(mark: Mark, part: f32) -> Option<Color> {
    Some(match mark {
        Mark::Discovered => DISCOVERED,
        Mark::Open => IMPROVED,
        Mark::Closed => CLOSED,
        Mark::Examined => EXAMINED,
        Mark::Current => CURRENT,
        Mark::Path => path_color(part),
        _ => return None,
    })
}
