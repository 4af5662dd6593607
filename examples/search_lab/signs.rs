//! The signs over the lanes: which algorithm it is, and its counts.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit_examples::hud::{CARD, fill_sign, sign_node};

use crate::lanes::{LANES, Lanes};
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
            ..sign_node()
        };
        let words = [Word::Name(lane), Word::Idea(lane)];
        let counts = Count::ALL.map(|count| (count.name(), Word::Count(lane, count)));
        commands
            .spawn((Sign(lane), node, BackgroundColor(CARD.with_alpha(0.95))))
            .with_children(|sign| fill_sign(sign, words, counts));
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
