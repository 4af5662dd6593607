//! The signs over the boards, what is chosen, and what the colors mean.

use bevy::prelude::*;
use pursuit_examples::art::classic::{
    CLOSED, CURRENT, DISCOVERED, EXAMINED, IMPROVED, PATH_GOAL, PATH_START, path_color,
};
use pursuit_examples::art::palette;
use pursuit_examples::hud::{CARD, FAINT, KEY, WORD, text};

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
        });
    commands
        .spawn(card(UiRect {
            right: px(MARGIN),
            ..corner()
        }))
        .with_children(spawn_legend);
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
        height: px(46),
        padding: UiRect::axes(px(14), px(6)),
        justify_content: JustifyContent::SpaceBetween,
        align_items: AlignItems::Center,
        border_radius: BorderRadius::all(px(10)),
        overflow: Overflow::clip(),
        ..default()
    };
    let column = |align_items| Node {
        flex_direction: FlexDirection::Column,
        align_items,
        ..default()
    };
    commands.spawn(half).with_children(|half| {
        half.spawn((sign, BackgroundColor(CARD)))
            .with_children(|sign| {
                sign.spawn((
                    column(AlignItems::Start),
                    children![
                        (text("", 17.0, palette::PLAYER), Word::Name(board)),
                        (text("", 11.0, FAINT), Word::Idea(board)),
                    ],
                ));
                let counts = Node {
                    column_gap: px(18),
                    ..default()
                };
                sign.spawn(counts).with_children(|counts| {
                    for count in Count::ALL {
                        counts.spawn((
                            column(AlignItems::End),
                            children![
                                (text("", 14.0, WORD), Word::Count(board, count)),
                                text(count.name(), 10.0, FAINT),
                            ],
                        ));
                    }
                });
            });
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
        children![
            (
                Node {
                    width: px(22),
                    justify_content: JustifyContent::Center,
                    border_radius: BorderRadius::all(px(4)),
                    ..default()
                },
                BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.06)),
                children![text(key, 12.0, KEY)],
            ),
            (text("", 13.0, palette::PLAYER_LIGHT), word),
        ],
    )
}

fn spawn_legend(list: &mut ChildSpawnerCommands) {
    for (color, name) in LEGEND {
        let row = Node {
            align_items: AlignItems::Center,
            column_gap: px(8),
            ..default()
        };
        list.spawn(row).with_children(|row| {
            let swatch = Node {
                width: px(26),
                height: px(12),
                border_radius: BorderRadius::all(px(4)),
                ..default()
            };
            let mut swatch = row.spawn((swatch, BackgroundColor(color)));
            if color == PATH_GOAL {
                let stops = [PATH_START, path_color(0.5), PATH_GOAL].map(ColorStop::from);
                let gradient = LinearGradient::to_right(stops.to_vec());
                swatch.insert(BackgroundGradient::from(gradient));
            }
            row.spawn(text(name, 12.0, WORD));
        });
    }
}
