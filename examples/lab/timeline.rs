//! The strip along the lower edge: how far replays are, on a bar that can be dragged.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::colors::{CURRENT, FAINT, PATH, SHADE, WORD};
use crate::lanes::{LANES, Lanes};
use crate::panel::{text, word};
use crate::screen::{BAR, PANEL};
use crate::words::Word;

/// Pixels between the bar and the borders of its strip.
const MARGIN: f32 = 18.0;
/// How thick the bar is, in pixels, and how far it is from the lower edge of the window.
const HEIGHT: f32 = 12.0;
const BOTTOM: f32 = 14.0;
/// Pixels around the bar within which a press holds it.
const GRIP: f32 = 10.0;

/// A part of the bar that moves.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) enum Part {
    /// What is played.
    Fill,
    /// Where the replay of a lane ends.
    End(usize),
}

pub(crate) fn spawn_timeline(mut commands: Commands) {
    let strip = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(PANEL),
        bottom: px(0),
        height: px(BAR),
        padding: UiRect::axes(px(MARGIN), px(10)),
        justify_content: JustifyContent::SpaceBetween,
        ..default()
    };
    let speed = text(vec![word(Word::Speed, 13.0, WORD)]);
    let cursor = text(vec![word(Word::Cursor, 13.0, FAINT)]);
    commands.spawn((
        strip.clone(),
        BackgroundColor(SHADE),
        children![speed, cursor],
    ));
    let bar = Node {
        left: px(MARGIN),
        right: px(PANEL + MARGIN),
        bottom: px(BOTTOM),
        height: px(HEIGHT),
        padding: UiRect::ZERO,
        ..strip
    };
    let part = Node {
        position_type: PositionType::Absolute,
        height: percent(100),
        ..default()
    };
    let color = BackgroundColor(Color::WHITE.with_alpha(0.13));
    // Roots are drawn in no order that can be relied on.
    commands
        .spawn((bar, color, ZIndex(1)))
        .with_children(|bar| {
            bar.spawn((Part::Fill, part.clone(), BackgroundColor(CURRENT)));
            for lane in 0..LANES {
                let end = Node {
                    width: px(3),
                    ..part.clone()
                };
                bar.spawn((Part::End(lane), end, BackgroundColor(PATH[2])));
            }
        });
}

/// A press on the bar or beside it holds it, until the button is let go.
pub(crate) fn scrub(
    window: Single<&Window, With<PrimaryWindow>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut is_held: Local<bool>,
    mut lanes: ResMut<Lanes>,
) {
    let Some(cursor) = window.cursor_position() else {
        return;
    };
    let right = (window.width() - PANEL - MARGIN).max(MARGIN + 1.0);
    let bottom = window.height() - BOTTOM;
    let bar = Rect::new(MARGIN, bottom - HEIGHT, right, bottom);
    if buttons.just_pressed(MouseButton::Left) {
        *is_held = bar.inflate(GRIP).contains(cursor);
    }
    *is_held &= buttons.pressed(MouseButton::Left);
    if *is_held {
        lanes.pause();
        lanes.seek(((cursor.x - bar.min.x) / bar.width()).clamp(0.0, 1.0));
    }
}

/// Fills the bar, and puts the marks where the replays end.
pub(crate) fn move_bar(lanes: Res<Lanes>, mut parts: Query<(&Part, &mut Node)>) {
    if !lanes.is_changed() {
        return;
    }
    let part = |events: u32| percent(100.0 * events as f32 / lanes.events().max(1) as f32);
    for (of, mut node) in &mut parts {
        match of {
            Part::Fill => node.width = part(lanes.cursor()),
            Part::End(lane) => {
                let end = lanes.replay(*lane).map(|replay| replay.len());
                node.display = end.map_or(Display::None, |_| Display::Flex);
                node.left = part(end.unwrap_or(0));
            }
        }
    }
}
