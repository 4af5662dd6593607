//! Numbers in cells that are large enough for them: f at the top left, g at the bottom left, h at the bottom right.

use std::f32::consts::FRAC_PI_2;

use bevy::ecs::query::QueryItem;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use pursuit::{Cell, CellRect, STRAIGHT};
use pursuit_lab::replay::Costs;

use crate::board::Board;
use crate::colors::INK;
use crate::lanes::{LANES, Lanes};
use crate::view::{View, layer, middle};

/// Pixels per cell from which on there are numbers, if they are short. Long ones need more.
pub(crate) const LEAST_ZOOM: f32 = 34.0;
/// Pixels per cell above which they do not grow any more.
const MOST_ZOOM: f32 = 96.0;
/// Numbers of a cell.
const NUMBERS: usize = 3;
/// Smallest font that can be read, in pixels.
const LEAST_FONT: f32 = 7.0;
/// From one digit to the next, in sizes of the font.
const ADVANCE: f32 = 0.6;
/// What a straight step counts in the numbers, as in textbooks: a diagonal one is 14.
const STEP: u64 = 10;

/// Texts that are there already, by lane: made when first needed, then used again.
#[derive(Resource, Debug, Default)]
pub(crate) struct Pool([Vec<Entity>; LANES]);

/// One number of a cell.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Number;

/// What stands for a cost without end, which a way has that is no longer there. Lying down it is the sign for
/// that, which the font lacks.
const ENDLESS: &str = "8";

/// A cost of the core as the numbers tell it; `None` for one without end.
fn in_tenths(cost: u64) -> Option<u64> {
    let straight = u64::from(STRAIGHT);
    (cost != u64::MAX).then(|| cost.saturating_mul(STEP).saturating_add(straight / 2) / straight)
}

/// A line of numbers in a cell.
#[derive(Clone, Copy, Debug)]
enum Row {
    /// The upper one, which f has for itself.
    F,
    /// The lower one, which two numbers share.
    GAndH,
}

impl Row {
    /// The size of its font where there is room, and the most that a number is wide, in cells.
    fn limits(self) -> (f32, f32) {
        match self {
            Self::F => (0.28, 0.85),
            Self::GAndH => (0.205, 0.4),
        }
    }

    /// The size of the font for so many digits in cells of so many pixels, in pixels. `None` if nobody could
    /// read it.
    fn font_size(self, digits: u32, zoom: f32) -> Option<f32> {
        let (size, width) = self.limits();
        let wanted = (zoom.min(MOST_ZOOM) * size).round();
        let fits = (zoom * width / (digits as f32 * ADVANCE)).floor();
        Some(wanted.min(fits)).filter(|pixels| *pixels >= LEAST_FONT)
    }
}

/// A number as it stands in its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Written {
    /// `None` for a cost without end.
    number: Option<u64>,
    /// The corner: -1 left or down, 1 right or up.
    corner: Vec2,
    /// The size of its font, in pixels.
    pixels: f32,
}

/// The three numbers, in cells of so many pixels, but for those that nobody could read. Those that share a line
/// have one size.
fn numbers(costs: Costs, zoom: f32) -> [Option<Written>; NUMBERS] {
    let [f, g, h] = [costs.f, costs.g, costs.h].map(in_tenths);
    let upper = Row::F.font_size(digits(f), zoom);
    let lower = Row::GAndH.font_size(digits(g).max(digits(h)), zoom);
    let places = [
        (f, upper, Vec2::new(-1.0, 1.0)),
        (g, lower, Vec2::new(-1.0, -1.0)),
        (h, lower, Vec2::new(1.0, -1.0)),
    ];
    places.map(|(number, pixels, corner)| {
        Some(Written {
            number,
            corner,
            pixels: pixels?,
        })
    })
}

/// How many digits a number has.
fn digits(number: Option<u64>) -> u32 {
    let more = number.and_then(u64::checked_ilog10);
    1 + more.unwrap_or(0)
}

/// Makes as many texts as cells can be seen.
pub(crate) fn grow_pool(
    mut commands: Commands,
    view: Res<View>,
    board: Res<Board>,
    lanes: Res<Lanes>,
    mut pool: ResMut<Pool>,
) {
    if view.zoom < LEAST_ZOOM {
        return;
    }
    let wanted = view.cells(&board).cell_count() as usize * NUMBERS;
    for (lane, texts) in pool.0.iter_mut().enumerate().take(lanes.shown()) {
        while texts.len() < wanted {
            let text = commands.spawn((
                Number,
                Text2d::default(),
                TextColor(INK),
                Visibility::Hidden,
                layer(lane),
            ));
            texts.push(text.id());
        }
    }
}

type Label = (
    &'static mut Text2d,
    &'static mut TextFont,
    &'static mut Transform,
    &'static mut Anchor,
    &'static mut Visibility,
);

/// Writes the numbers of the cells in view. Each place in view has texts of its own, so that few change.
pub(crate) fn write_numbers(
    view: Res<View>,
    board: Res<Board>,
    lanes: Res<Lanes>,
    pool: Res<Pool>,
    mut texts: Query<Label, With<Number>>,
) {
    if !(view.is_changed() || lanes.is_changed() || pool.is_changed()) {
        return;
    }
    let is_near = view.zoom >= LEAST_ZOOM;
    let rect = if is_near {
        view.cells(&board)
    } else {
        CellRect::default()
    };
    for (lane, pool) in pool.0.iter().enumerate() {
        let replay = lanes.lanes[lane].replay.as_ref().ok();
        let replay = replay.filter(|_| lane < lanes.shown());
        let places = rect.cells().flat_map(|cell| {
            let costs = replay.and_then(|replay| replay.cell(cell).costs);
            let numbers = costs.map_or([None; NUMBERS], |costs| numbers(costs, view.zoom));
            numbers.map(|number| (cell, number))
        });
        let mut slots = pool.iter();
        for ((cell, number), slot) in places.zip(slots.by_ref()) {
            if let Ok(label) = texts.get_mut(*slot) {
                write_number(label, view.zoom, cell, number);
            }
        }
        for text in slots {
            if let Ok((.., mut shown)) = texts.get_mut(*text) {
                shown.set_if_neq(Visibility::Hidden);
            }
        }
    }
}

/// Writes one number of a cell, or hides its text where there is none.
fn write_number(
    (mut text, mut font, mut transform, mut anchor, mut shown): QueryItem<'_, '_, Label>,
    zoom: f32,
    cell: Cell,
    written: Option<Written>,
) {
    let Some(Written {
        number,
        corner,
        pixels,
    }) = written
    else {
        shown.set_if_neq(Visibility::Hidden);
        return;
    };
    let words = number.map_or(ENDLESS.to_owned(), |number| number.to_string());
    if text.0 != words {
        text.0 = words;
    }
    if font.font_size != pixels.into() {
        *font = TextFont::from_font_size(pixels);
    }
    let at = middle(cell) + corner * Vec2::new(0.425, 0.415);
    let scale = Vec2::splat(1.0 / zoom).extend(1.0);
    let mut place = Transform::from_translation(at.extend(5.0)).with_scale(scale);
    let mut hold = corner / 2.0;
    if number.is_none() {
        place.rotate_z(FRAC_PI_2);
        // The same corner of the text, before it was turned.
        hold = Vec2::new(hold.y, -hold.x);
    }
    transform.set_if_neq(place);
    anchor.set_if_neq(Anchor(hold));
    shown.set_if_neq(Visibility::Visible);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::DIAGONAL;

    fn told(costs: Costs) -> [Option<u64>; NUMBERS] {
        let numbers = numbers(costs, MOST_ZOOM);
        numbers.map(|written| written.expect("a font that can be read").number)
    }

    #[test]
    fn numbers_are_those_of_the_textbooks() {
        let costs = Costs {
            g: u64::from(STRAIGHT),
            h: u64::from(DIAGONAL),
            f: u64::from(STRAIGHT + DIAGONAL),
        };
        assert_eq!(told(costs), [24, 10, 14].map(Some));
    }

    #[test]
    fn a_way_that_is_gone_has_no_number() {
        let costs = Costs {
            g: u64::MAX,
            h: 0,
            f: u64::MAX,
        };
        assert_eq!(told(costs), [None, None, Some(0)]);
        assert_eq!(
            in_tenths(u64::MAX - 1).map(|number| number > 1 << 50),
            Some(true)
        );
    }

    /// In steps of half a pixel, from the least zoom to beyond the largest font.
    fn zooms() -> impl Iterator<Item = f32> {
        (68..400).map(|half| half as f32 / 2.0)
    }

    #[test]
    fn numbers_of_a_line_never_meet_however_long_they_are() {
        for (row, in_line) in [(Row::F, 1.0), (Row::GAndH, 2.0)] {
            for (zoom, digits) in zooms().flat_map(|zoom| (1..=20).map(move |by| (zoom, by))) {
                let Some(pixels) = row.font_size(digits, zoom) else {
                    continue;
                };
                let width = in_line * pixels * ADVANCE * digits as f32;
                assert!(pixels >= LEAST_FONT, "{row:?}: {digits} digits at {zoom}");
                assert!(width <= 0.851 * zoom, "{row:?}: {digits} digits at {zoom}");
            }
        }
    }

    #[test]
    fn longer_numbers_need_larger_cells() {
        let least = |digits| zooms().find(|&zoom| Row::GAndH.font_size(digits, zoom).is_some());
        assert_eq!(least(3), Some(LEAST_ZOOM));
        // What fits exactly may be rounded to a pixel less: then half a pixel more will do.
        for (digits, exact) in [(4, 42.0), (5, 52.5), (6, 63.0), (7, 73.5)] {
            let least = least(digits).expect("large cells have room");
            assert!(
                (exact..=exact + 0.5).contains(&least),
                "{digits} digits at {least}"
            );
        }
        assert_eq!(least(20), None, "none where nobody could read it");
        for digits in 1..20 {
            let sizes = [digits, digits + 1].map(|digits| Row::F.font_size(digits, 90.0));
            assert!(sizes[0] >= sizes[1], "{digits}: {sizes:?}");
        }
    }

    #[test]
    fn g_and_h_have_one_size_and_are_left_out_together() {
        let step = u64::from(STRAIGHT);
        let costs = Costs {
            g: 120 * step,
            h: 3 * step,
            f: 123 * step,
        };
        let [f, g, h] = numbers(costs, LEAST_ZOOM);
        assert_eq!(f.and_then(|f| f.number), Some(1230));
        assert_eq!((g, h), (None, None));
        let [_, g, h] = numbers(costs, 60.0).map(|number| number.map(|number| number.pixels));
        assert!(g.is_some() && g == h);
    }
}
