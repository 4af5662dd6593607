//! The signs over the boards, what is chosen, and what the colors mean.

use bevy::prelude::*;
use pursuit_examples::art::classic::{CLOSED, CURRENT, DISCOVERED, EXAMINED, IMPROVED, PATH_GOAL};
use pursuit_examples::art::palette;
use pursuit_examples::hud::{CARD, FAINT, fill_sign, key_cap, keys, sign_node, spawn_swatch, text};
use pursuit_examples::timeline::Timeline;

use crate::orbit::BAR;
use crate::race::BOARDS;
use crate::words::{Count, Word};

/// Pixels between a sign and the borders of its half of the window.
const MARGIN: f32 = 8.0;

/// The colors and what they mean.
const LEGEND: [(Color, &str); 6] = [
    (CURRENT, "current"),
    (EXAMINED, "examined"),
    (DISCOVERED, "discovered"),
    (IMPROVED, "better way"),
    (CLOSED, "expanded"),
    (PATH_GOAL, "path"),
];

/// What keys and the mouse do.
const KEYS: [(&str, &str); 12] = [
    ("Space", "play"),
    ("Left Right", "step"),
    ("Up Down", "pace"),
    ("L", "slow"),
    ("W", "wait"),
    ("M", "walk, climb, fly"),
    ("Tab", "boards"),
    ("Shift Ctrl click", "start, goal"),
    ("N", "by lot"),
    ("PageUp PageDown", "cut"),
    ("drag, wheel", "look"),
    ("F", "all"),
];

pub(crate) fn spawn_panel(mut commands: Commands) {
    for board in 0..BOARDS {
        spawn_sign(&mut commands, board);
    }
    commands
        .spawn(card(UiRect {
            left: px(MARGIN),
            ..corner()
        }))
        .with_children(|list| {
            list.spawn(text("voxels", 17.0, palette::PLAYER));
            list.spawn((text("", 12.0, FAINT), Word::Map));
            list.spawn(line("M", Word::Gait));
            list.spawn(line("E", Word::Unit));
            list.spawn(line("S", Word::Note));
        });
    commands
        .spawn(card(UiRect {
            right: px(MARGIN),
            ..corner()
        }))
        .with_children(spawn_legend);
}

/// The strip along the lower edge: how far the replays are, and the keys.
pub(crate) fn spawn_timeline(mut commands: Commands) {
    let timeline = Timeline {
        right: 0.0,
        height: BAR,
        bottom: 42.0,
        places: BOARDS,
    };
    timeline.spawn(&mut commands, [Word::Speed, Word::Cursor]);
    let line = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(0),
        bottom: px(10),
        justify_content: JustifyContent::Center,
        ..default()
    };
    commands.spawn((line, children![keys(&KEYS, 11.0, 3, FAINT)]));
}

/// The counts of a board, over its half of the window. They are there whether the board is shown or not.
fn spawn_sign(commands: &mut Commands, board: usize) {
    let half = Node {
        position_type: PositionType::Absolute,
        top: px(0),
        left: percent(50.0 * board as f32),
        width: percent(50),
        padding: UiRect::all(px(MARGIN)),
        ..default()
    };
    let sign = Node {
        width: percent(100),
        ..sign_node()
    };
    let words = [Word::Name(board), Word::Idea(board)];
    let counts = Count::ALL.map(|count| (count.name(), Word::Count(board, count)));
    commands.spawn(half).with_children(|half| {
        half.spawn((sign, BackgroundColor(CARD)))
            .with_children(|sign| fill_sign(sign, words, counts));
    });
}

/// Above the strip, neither left nor right.
fn corner() -> UiRect {
    UiRect {
        left: auto(),
        right: auto(),
        top: auto(),
        bottom: px(BAR + MARGIN),
    }
}

fn card(place: UiRect) -> impl Bundle {
    (
        Node {
            position_type: PositionType::Absolute,
            left: place.left,
            right: place.right,
            top: place.top,
            bottom: place.bottom,
            flex_direction: FlexDirection::Column,
            padding: UiRect::axes(px(12), px(8)),
            row_gap: px(3),
            border_radius: BorderRadius::all(px(10)),
            ..default()
        },
        BackgroundColor(CARD),
    )
}

/// A key and what is chosen by it.
fn line(key: &str, word: Word) -> impl Bundle {
    (
        Node {
            align_items: AlignItems::Center,
            column_gap: px(8),
            ..default()
        },
        children![key_cap(key), (text("", 13.0, palette::PLAYER_LIGHT), word)],
    )
}

fn spawn_legend(list: &mut ChildSpawnerCommands) {
    for (color, name) in LEGEND {
        spawn_swatch(list, auto(), color, name);
    }
}
