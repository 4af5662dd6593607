//! The bar along the lower edge: how far the replays are, to be dragged.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit::replay::Replay;
use pursuit_examples::art::palette;

use crate::colors::{CURRENT, FAINT, PATH_GOAL, WORD};
use crate::lanes::{LANES, Lanes};
use crate::panel::text;
use crate::view::{BAR, PANEL};
use crate::words::Word;

/// Pixels between the bar and the borders of its strip.
const MARGIN: f32 = 18.0;
/// Pixels from the lower edge of the window to the bar, and how thick it is.
const BOTTOM: f32 = 14.0;
const HEIGHT: f32 = 12.0;

/// The part of the bar that is played.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Fill;

/// Where the replay of a lane ends.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct EndMark(usize);

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
    commands.spawn((
        strip,
        BackgroundColor(palette::SHADE),
        children![
            (text("", 13.0, WORD), Word::Pace),
            (text("", 13.0, FAINT), Word::Cursor),
        ],
    ));
    spawn_bar(&mut commands);
}

/// The bar, the marks of where the replays end, and the part that is played.
fn spawn_bar(commands: &mut Commands) {
    let bar = Node {
        position_type: PositionType::Absolute,
        left: px(MARGIN),
        right: px(PANEL + MARGIN),
        bottom: px(BOTTOM),
        height: px(HEIGHT),
        border_radius: BorderRadius::all(px(HEIGHT / 2.0)),
        ..default()
    };
    let bar = commands.spawn((bar, BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.13))));
    let bar = bar.id();
    for lane in 0..LANES {
        let mark = Node {
            position_type: PositionType::Absolute,
            width: px(3),
            top: px(-3),
            bottom: px(-3),
            border_radius: BorderRadius::all(px(1.5)),
            ..default()
        };
        commands.spawn((
            EndMark(lane),
            mark,
            BackgroundColor(PATH_GOAL),
            ChildOf(bar),
        ));
    }
    spawn_fill(commands, bar);
}

fn spawn_fill(commands: &mut Commands, bar: Entity) {
    let fill = Node {
        height: percent(100),
        border_radius: BorderRadius::all(px(HEIGHT / 2.0)),
        justify_content: JustifyContent::End,
        align_items: AlignItems::Center,
        ..default()
    };
    let knob = Node {
        width: px(18),
        height: px(18),
        margin: UiRect::right(px(-9)),
        border: UiRect::all(px(3)),
        border_radius: BorderRadius::all(px(9)),
        flex_shrink: 0.0,
        ..default()
    };
    commands.spawn((
        Fill,
        fill,
        BackgroundColor(CURRENT),
        ChildOf(bar),
        children![(
            knob,
            BackgroundColor(CURRENT),
            BorderColor::all(palette::LINEN)
        )],
    ));
}

/// The bar in the window, in logical pixels from the upper left corner.
fn bar_rect(window: Vec2) -> Rect {
    let right = (window.x - PANEL - MARGIN).max(MARGIN + 1.0);
    let bottom = window.y - BOTTOM;
    Rect::new(MARGIN, bottom - HEIGHT, right, bottom)
}

/// A press on the strip or beside the bar's ends holds it, until the button is let go.
pub(crate) fn scrub(
    window: Single<&Window, With<PrimaryWindow>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut is_held: Local<bool>,
    mut lanes: ResMut<Lanes>,
) {
    let Some(cursor) = window.cursor_position() else {
        return;
    };
    let bar = bar_rect(window.size());
    if buttons.just_pressed(MouseButton::Left) {
        *is_held = bar.inflate(10.0).contains(cursor);
    }
    *is_held &= buttons.pressed(MouseButton::Left);
    if *is_held {
        let part = ((cursor.x - bar.min.x) / bar.width()).clamp(0.0, 1.0);
        lanes.replays_mut().for_each(Replay::pause);
        lanes.seek(part);
    }
}

pub(crate) fn move_bar(
    lanes: Res<Lanes>,
    mut fill: Single<&mut Node, With<Fill>>,
    mut marks: Query<(&EndMark, &mut Node), Without<Fill>>,
) {
    if !lanes.is_changed() {
        return;
    }
    let part = |events: u32| percent(100.0 * events as f32 / lanes.len().max(1) as f32);
    fill.width = part(lanes.cursor());
    for (mark, mut node) in &mut marks {
        let replay = lanes.lanes[mark.0].replay.as_ref().ok();
        let end = replay.filter(|_| mark.0 < lanes.shown()).map(Replay::len);
        node.display = if end.is_some() {
            Display::Flex
        } else {
            Display::None
        };
        node.left = part(end.unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_lies_within_its_strip() {
        let window = Vec2::new(1280.0, 720.0);
        let bar = bar_rect(window);
        assert!(bar.min.y > window.y - BAR && bar.max.y < window.y);
        assert!(bar.max.x < window.x - PANEL);
    }
}
