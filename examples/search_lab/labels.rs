//! Numbers in cells that are large enough: f at the top left, g at the bottom left, h at the bottom right.

use std::f32::consts::FRAC_PI_2;

use bevy::ecs::query::QueryItem;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use pursuit::replay::Costs;
use pursuit::{Cell, CellRect, STRAIGHT};

use crate::board::Board;
use crate::colors::INK;
use crate::lanes::{LANES, Lanes};
use crate::view::{View, layer, middle};

/// Pixels per cell from which on there are numbers.
pub(crate) const LEAST_ZOOM: f32 = 34.0;
/// Pixels per cell above which they do not grow any more.
const MOST_ZOOM: f32 = 96.0;
/// Numbers of a cell.
const NUMBERS: usize = 3;
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

/// The three numbers with the corner each stands in: -1 left or down, 1 right or up.
fn numbers(costs: Costs) -> [(Option<u64>, Vec2); NUMBERS] {
    [
        (in_tenths(costs.f), Vec2::new(-1.0, 1.0)),
        (in_tenths(costs.g), Vec2::new(-1.0, -1.0)),
        (in_tenths(costs.h), Vec2::new(1.0, -1.0)),
    ]
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
            let numbers = costs.map(numbers);
            (0..NUMBERS).map(move |place| (cell, place, numbers.map(|numbers| numbers[place])))
        });
        let mut slots = pool.iter();
        for ((cell, place, number), slot) in places.zip(slots.by_ref()) {
            if let Ok(label) = texts.get_mut(*slot) {
                write_number(label, view.zoom, cell, place, number);
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
    place: usize,
    number: Option<(Option<u64>, Vec2)>,
) {
    let Some((number, corner)) = number else {
        shown.set_if_neq(Visibility::Hidden);
        return;
    };
    let words = number.map_or(ENDLESS.to_owned(), |number| number.to_string());
    if text.0 != words {
        text.0 = words;
    }
    let share = if place == 0 { 0.28 } else { 0.205 };
    let pixels = (zoom.min(MOST_ZOOM) * share).round();
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

    #[test]
    fn numbers_are_those_of_the_textbooks() {
        let costs = Costs {
            g: u64::from(STRAIGHT),
            h: u64::from(DIAGONAL),
            f: u64::from(STRAIGHT + DIAGONAL),
        };
        assert_eq!(
            numbers(costs).map(|(number, _)| number),
            [24, 10, 14].map(Some)
        );
    }

    #[test]
    fn a_way_that_is_gone_has_no_number() {
        let costs = Costs {
            g: u64::MAX,
            h: 0,
            f: u64::MAX,
        };
        assert_eq!(
            numbers(costs).map(|(number, _)| number),
            [None, None, Some(0)]
        );
        assert_eq!(
            in_tenths(u64::MAX - 1).map(|number| number > 1 << 50),
            Some(true)
        );
    }
}
