//! The signs over the lanes: which algorithm it is, and its counts.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit_examples::art::palette;
use pursuit_examples::hud::{CARD, FAINT, WORD, text};

use crate::lanes::{LANES, Lanes};
use crate::view::{SIGN, lane_rect};
use crate::words::{Count, Word};

/// Pixels between a sign and the border of its lane.
const MARGIN: f32 = 8.0;
/// Pixels of a sign from its upper edge to its lower one.
const HEIGHT: f32 = SIGN - MARGIN - 6.0;
/// Pixels between the border of a sign and what it holds, to the left and to the right.
const PADDING: f32 = 12.0;
/// Most pixels from one count to the next.
const COLUMN: f32 = 92.0;
/// Sizes of the fonts of counts and of their names.
const FONTS: [f32; 2] = [14.0, 10.0];

/// The sign of a lane.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Sign(usize);

pub(crate) fn spawn_signs(mut commands: Commands) {
    for lane in 0..LANES {
        let node = Node {
            position_type: PositionType::Absolute,
            top: px(MARGIN),
            height: px(HEIGHT),
            padding: UiRect::axes(px(PADDING), px(6)),
            flex_direction: FlexDirection::Column,
            justify_content: JustifyContent::SpaceBetween,
            border_radius: BorderRadius::all(px(10)),
            overflow: Overflow::clip(),
            ..default()
        };
        commands
            .spawn((Sign(lane), node, BackgroundColor(CARD.with_alpha(0.95))))
            .with_children(|sign| {
                sign.spawn(heading(lane));
                sign.spawn(Node::default())
                    .with_children(|row| spawn_counts(row, lane));
            });
    }
}

/// A line for the name, with what leads the search behind it: beside the counts there is no room for both.
fn heading(lane: usize) -> impl Bundle {
    (
        Node {
            align_items: AlignItems::Baseline,
            column_gap: px(12),
            ..default()
        },
        children![
            (text("", 17.0, palette::PLAYER), Word::Name(lane)),
            (text("", 11.0, FAINT), Word::Idea(lane)),
        ],
    )
}

/// Columns of one width, so that a count that grows moves no other.
fn spawn_counts(row: &mut ChildSpawnerCommands, lane: usize) {
    let column = Node {
        flex_direction: FlexDirection::Column,
        flex_grow: 1.0,
        flex_basis: px(0),
        max_width: px(COLUMN),
        ..default()
    };
    let [large, small] = FONTS;
    for count in Count::ALL {
        let number = (text("", large, WORD), Word::Count(lane, count));
        let name = text(count.name(), small, FAINT);
        row.spawn((column.clone(), children![number, name]));
    }
}

/// Keeps each sign over its lane.
pub(crate) fn place_signs(
    window: Single<&Window, With<PrimaryWindow>>,
    lanes: Res<Lanes>,
    mut signs: Query<(&Sign, &mut Node)>,
) {
    let shown = lanes.shown();
    for (sign, mut node) in &mut signs {
        let rect = lane_rect(window.size(), sign.0, shown);
        let (left, width) = (px(rect.min.x + MARGIN), px(rect.width() - 2.0 * MARGIN));
        let display = if sign.0 < shown {
            Display::Flex
        } else {
            Display::None
        };
        if (node.left, node.width, node.display) != (left, width, display) {
            (node.left, node.width, node.display) = (left, width, display);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::decimals;

    /// From one character to the next, in sizes of the font.
    const ADVANCE: f32 = 0.6;

    #[test]
    fn counts_of_millions_stand_apart_beside_another_lane() {
        let lane = lane_rect(Vec2::new(1280.0, 720.0), 0, LANES);
        let room = lane.width() - 2.0 * (MARGIN + PADDING);
        let column = (room / Count::ALL.len() as f32).min(COLUMN);
        let gap = 0.5 * FONTS[0];
        let counts = [9_999_999.0, 123_456.78, 7_654_321.9].map(|most| decimals(most, 2));
        for count in counts.iter().map(String::as_str).chain(["9999999"]) {
            let width = count.len() as f32 * ADVANCE * FONTS[0];
            assert!(width + gap <= column, "{count} of {width} in {column}");
        }
        for count in Count::ALL {
            let width = count.name().len() as f32 * ADVANCE * FONTS[1];
            assert!(width + gap <= column, "{count:?} of {width} in {column}");
        }
    }
}
