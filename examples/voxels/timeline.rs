//! The strip along the lower edge: how far the replays are, to be dragged, and the keys.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit::replay::Replay;
use pursuit_examples::art::classic::{CURRENT, PATH_GOAL};
use pursuit_examples::art::palette;
use pursuit_examples::hud::{FAINT, KEY, WORD, text};

use crate::orbit::BAR;
use crate::race::{BOARDS, Race};
use crate::words::Word;

/// Pixels between the bar and the borders of the window.
const MARGIN: f32 = 18.0;
/// Pixels from the lower edge of the window to the bar, and how thick it is.
const BOTTOM: f32 = 42.0;
const HEIGHT: f32 = 12.0;

/// What keys and the mouse do.
const KEYS: [(&str, &str); 10] = [
    ("Space", "play"),
    ("Left Right", "step"),
    ("Up Down", "pace"),
    ("M", "walk, climb, fly"),
    ("Tab", "boards"),
    ("Shift Ctrl click", "start, goal"),
    ("N", "by lot"),
    ("PageUp PageDown", "cut"),
    ("drag, wheel", "look"),
    ("F", "all"),
];

/// The part of the bar that is played.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Fill;

/// Where the replay of a board ends.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct EndMark(usize);

pub(crate) fn spawn_timeline(mut commands: Commands) {
    let strip = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
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
    commands.spawn(keys());
}

fn keys() -> impl Bundle {
    let entries = KEYS.into_iter().enumerate();
    let spans = entries.flat_map(|(place, (key, meaning))| {
        let gap = if place == 0 { "" } else { "   " };
        let span = |text: String, color| {
            let font = TextFont::from_font_size(11.0);
            (TextSpan::new(text), TextColor(color), font)
        };
        [
            span(format!("{gap}{key}"), KEY),
            span(format!(" {meaning}"), FAINT),
        ]
    });
    let spans: Vec<_> = spans.collect();
    (
        Node {
            position_type: PositionType::Absolute,
            left: px(0),
            right: px(0),
            bottom: px(10),
            justify_content: JustifyContent::Center,
            ..default()
        },
        children![(
            Text::default(),
            TextFont::from_font_size(11.0),
            Children::spawn(SpawnIter(spans.into_iter()))
        )],
    )
}

/// The bar, the marks of where the replays end, and the part that is played.
fn spawn_bar(commands: &mut Commands) {
    let bar = Node {
        position_type: PositionType::Absolute,
        left: px(MARGIN),
        right: px(MARGIN),
        bottom: px(BOTTOM),
        height: px(HEIGHT),
        border_radius: BorderRadius::all(px(HEIGHT / 2.0)),
        ..default()
    };
    let bar = commands.spawn((bar, BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.13))));
    let bar = bar.id();
    for board in 0..BOARDS {
        let mark = Node {
            position_type: PositionType::Absolute,
            width: px(3),
            top: px(-3),
            bottom: px(-3),
            border_radius: BorderRadius::all(px(1.5)),
            ..default()
        };
        let color = BackgroundColor(PATH_GOAL);
        commands.spawn((EndMark(board), mark, color, ChildOf(bar)));
    }
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
    let rim = BorderColor::all(palette::LINEN);
    commands.spawn((
        Fill,
        fill,
        BackgroundColor(CURRENT),
        ChildOf(bar),
        children![(knob, BackgroundColor(CURRENT), rim)],
    ));
}

/// The bar in the window, in logical pixels from the upper left corner.
fn bar_rect(window: Vec2) -> Rect {
    let right = (window.x - MARGIN).max(MARGIN + 1.0);
    let bottom = window.y - BOTTOM;
    Rect::new(MARGIN, bottom - HEIGHT, right, bottom)
}

/// A press on the bar or beside its ends holds it, until the button is let go.
pub(crate) fn scrub(
    window: Single<&Window, With<PrimaryWindow>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut is_held: Local<bool>,
    mut race: ResMut<Race>,
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
        race.pause();
        race.seek(part);
    }
}

pub(crate) fn move_bar(
    race: Res<Race>,
    mut fill: Single<&mut Node, With<Fill>>,
    mut marks: Query<(&EndMark, &mut Node), Without<Fill>>,
) {
    if !race.is_changed() {
        return;
    }
    let part = |events: u32| percent(100.0 * events as f32 / race.len().max(1) as f32);
    fill.width = part(race.cursor());
    for (mark, mut node) in &mut marks {
        let end = race.boards().get(mark.0).map(|board| &board.replay);
        node.left = part(end.map_or(0, Replay::len));
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
        assert!(bar.max.x < window.x && bar.min.x > 0.0);
    }
}
