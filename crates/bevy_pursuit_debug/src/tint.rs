//! What one square shows, in a number, and the color of it.

use bevy::prelude::*;

use crate::mip::TINTS;
use crate::settings::OverlayColors;

/// How many steps the heat map has.
pub(crate) const HEATS: u8 = 8;
/// How many hues regions have. Names that differ by less have hues of their own.
pub(crate) const HUES: u32 = 31;
/// Turns the hue by the golden angle: neighbors in number are far apart.
const GOLDEN: f32 = 137.508;
/// Numbers that a tint can be.
const COUNT: usize = 1 << 13;

/// What a square shows: the share of walkable cells in it, how far from obstacles it is, and its region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tint {
    /// Of walkable cells: 0 for none, [`TINTS`] for all.
    pub(crate) share: u8,
    /// 0 for unknown, else 1 beside an obstacle to [`HEATS`] far from each.
    pub(crate) heat: u8,
    /// 0 for unknown, else 1 to [`HUES`].
    pub(crate) hue: u8,
}

impl Tint {
    /// 4 bits of share, 4 of heat, 5 of hue.
    pub(crate) fn pack(self) -> u16 {
        u16::from(self.share) | u16::from(self.heat) << 4 | u16::from(self.hue) << 8
    }

    fn unpack(number: u16) -> Self {
        Self {
            share: (number & 15) as u8,
            heat: (number >> 4 & 15) as u8,
            hue: (number >> 8 & 31) as u8,
        }
    }

    /// The heat of a distance to the nearest obstacle, of which more than `most` is not told.
    pub(crate) fn heat_of(distance: f32, most: f32) -> u8 {
        let share = (distance / most).clamp(0.0, 1.0);
        // The top step is for what is as far as can be told.
        1 + (share * f32::from(HEATS - 1)) as u8
    }

    /// The hue of a region by its name.
    pub(crate) fn hue_of(region: u32) -> u8 {
        1 + (region % HUES) as u8
    }
}

/// The color of a region by its hue.
pub(crate) fn region_color(hue: u8) -> Color {
    Color::hsla((f32::from(hue) * GOLDEN).rem_euclid(360.0), 0.75, 0.58, 0.4)
}

/// The walkable cells of the grid of this number among those shown.
pub(crate) fn grid_color(number: usize, colors: &OverlayColors) -> Color {
    if number == 0 {
        return colors.walkable;
    }
    let hue = (90.0 + number as f32 * GOLDEN).rem_euclid(360.0);
    Color::hsla(hue, 0.55, 0.7, colors.walkable.alpha())
}

/// The colors of tints, worked out when they are first drawn.
#[derive(Debug, Default)]
pub(crate) struct Palette {
    of: Option<(OverlayColors, usize)>,
    colors: Vec<Option<LinearRgba>>,
}

impl Palette {
    /// Makes this the palette of a grid of a number, under some colors.
    pub(crate) fn update(&mut self, colors: &OverlayColors, number: usize) {
        let is_same = self
            .of
            .as_ref()
            .is_some_and(|(known, of)| known == colors && *of == number);
        if !is_same {
            self.of = Some((colors.clone(), number));
            self.colors = vec![None; COUNT];
        }
    }

    /// The color of a tint. Transparent before the first [`update`](Self::update).
    pub(crate) fn color(&mut self, tint: u16) -> LinearRgba {
        let Some((colors, number)) = &self.of else {
            return LinearRgba::NONE;
        };
        let known = &mut self.colors[usize::from(tint) % COUNT];
        *known.get_or_insert_with(|| color_of(Tint::unpack(tint), colors, *number).into())
    }
}

fn color_of(tint: Tint, colors: &OverlayColors, number: usize) -> Color {
    let heat = tint
        .heat
        .checked_sub(1)
        .map(|step| f32::from(step) / f32::from(HEATS - 1));
    let walkable = match (tint.hue, heat) {
        (0, None) => grid_color(number, colors),
        (0, Some(heat)) => colors.near.mix(&colors.far, heat),
        (hue, None) => region_color(hue),
        (hue, Some(heat)) => {
            let color = region_color(hue);
            color.with_alpha(color.alpha() * (0.35 + 0.9 * heat))
        }
    };
    let share = f32::from(tint.share) / f32::from(TINTS);
    colors.blocked.mix(&walkable, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tint_survives_its_number() {
        for share in 0..=TINTS {
            for heat in 0..=HEATS {
                for hue in 0..=HUES as u8 {
                    let tint = Tint { share, heat, hue };
                    assert_eq!(Tint::unpack(tint.pack()), tint);
                    assert!(usize::from(tint.pack()) < COUNT);
                }
            }
        }
    }

    #[test]
    fn heat_runs_from_one_beside_obstacles_to_the_top_where_none_is_near() {
        assert_eq!(Tint::heat_of(0.0, 4.0), 1);
        assert_eq!(Tint::heat_of(3.99, 4.0), HEATS - 1);
        assert_eq!(Tint::heat_of(4.0, 4.0), HEATS);
        assert_eq!(Tint::heat_of(f32::INFINITY, 4.0), HEATS);
    }

    #[test]
    fn blocked_squares_are_red_whatever_else_is_on() {
        let colors = OverlayColors::default();
        let mut palette = Palette::default();
        palette.update(&colors, 0);
        assert_eq!(palette.color(0), colors.blocked.into());
        let free = Tint {
            share: TINTS,
            heat: 0,
            hue: 0,
        };
        assert_eq!(palette.color(free.pack()), colors.walkable.into());
        palette.update(&colors, 1);
        assert_ne!(
            palette.color(free.pack()),
            colors.walkable.into(),
            "another grid"
        );
    }

    #[test]
    fn neighbors_in_number_have_hues_apart() {
        let hue = |region| Hsla::from(region_color(Tint::hue_of(region))).hue;
        for region in 0..HUES {
            let apart = (hue(region) - hue(region + 1)).abs();
            assert!(apart.min(360.0 - apart) > 60.0, "{region}: {apart}");
        }
    }
}
