//! The colors of the laboratory: the classic ones of a search, and those of its panel.

use bevy::prelude::*;
pub(crate) use pursuit_examples::art::classic::{
    CLOSED, CURRENT, DISCOVERED, EXAMINED, IMPROVED, PATH_GOAL, PATH_START, path_color,
};
use pursuit_examples::art::palette::hex;
use pursuit_lab::replay::Mark;

/// Numbers and arrows in cells.
pub(crate) const INK: Color = hex(0x1b1420);
/// Walls, in the legend.
pub(crate) const WALL: Color = hex(0x191a26);
/// Mud, in the legend.
pub(crate) const MUD: Color = hex(0x8a5a36);

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
