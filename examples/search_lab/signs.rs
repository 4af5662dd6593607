//! The signs over the lanes: which algorithm it is, and its counts.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit_examples::art::palette;

use crate::colors::{FAINT, WORD};
use crate::lanes::{LANES, Lanes};
use crate::panel::text;
use crate::view::lane_rect;
use crate::words::{Count, Word};

/// Pixels between a sign and the border of its lane.
const MARGIN: f32 = 8.0;

/// The sign of a lane.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Sign(usize);

pub(crate) fn spawn_signs(mut commands: Commands) {
    for lane in 0..LANES {
        let node = Node {
            position_type: PositionType::Absolute,
            top: px(MARGIN),
            height: px(46),
            padding: UiRect::axes(px(14), px(6)),
            justify_content: JustifyContent::SpaceBetween,
            align_items: AlignItems::Center,
            border_radius: BorderRadius::all(px(10)),
            overflow: Overflow::clip(),
            ..default()
        };
        let card = BackgroundColor(Color::srgba(0.06, 0.07, 0.12, 0.88));
        commands
            .spawn((Sign(lane), node, card))
            .with_children(|sign| {
                sign.spawn((
                    Node {
                        flex_direction: FlexDirection::Column,
                        ..default()
                    },
                    children![
                        (text("", 17.0, palette::PLAYER), Word::Name(lane)),
                        (text("", 11.0, FAINT), Word::Idea(lane)),
                    ],
                ));
                let counts = Node {
                    column_gap: px(14),
                    ..default()
                };
                sign.spawn(counts).with_children(|counts| {
                    for count in Count::ALL {
                        counts.spawn((
                            Node {
                                flex_direction: FlexDirection::Column,
                                align_items: AlignItems::End,
                                ..default()
                            },
                            children![
                                (text("", 14.0, WORD), Word::Count(lane, count)),
                                text(count.name(), 10.0, FAINT),
                            ],
                        ));
                    }
                });
            });
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
