//! The panel on the right: what is chosen and by which keys, the comparison, the legend.

use bevy::prelude::*;
use pursuit_examples::art::palette;
use pursuit_examples::hud::{FAINT, WORD, key_line, keys, section, spawn_swatch, text};

use crate::colors::{CLOSED, CURRENT, DISCOVERED, EXAMINED, IMPROVED, MUD, PATH_GOAL, WALL};
use crate::method::Method;
use crate::view::PANEL;
use crate::words::Word;

/// Pixels between the panel's border and what it holds.
const PADDING: f32 = 12.0;

/// Keys that no line of the panel names.
const KEYS: [(&str, &str); 14] = [
    ("Space", "play"),
    ("Left Right", "step"),
    ("Up Down", "pace"),
    ("L", "slow motion"),
    ("W", "wait"),
    ("drag", "walls, ends"),
    ("Shift", "mud"),
    ("right", "wipe"),
    ("wheel", "zoom"),
    ("Ctrl drag", "move"),
    ("F", "fit"),
    ("X", "clear"),
    ("S", "save replay"),
    ("drop", "map file"),
];

pub(crate) fn spawn_panel(mut commands: Commands) {
    let panel = Node {
        position_type: PositionType::Absolute,
        right: px(0),
        top: px(0),
        bottom: px(0),
        width: px(PANEL),
        padding: UiRect::axes(px(PADDING), px(4)),
        row_gap: px(2),
        flex_direction: FlexDirection::Column,
        ..default()
    };
    commands
        .spawn((panel, BackgroundColor(palette::SHADE.with_alpha(0.72))))
        .with_children(|parent| {
            parent.spawn(heading());
            parent
                .spawn(section("algorithm", "Shift: right"))
                .with_children(|list| {
                    for (number, method) in Method::ALL.into_iter().enumerate() {
                        let key = (number + 1).to_string();
                        list.spawn(key_line(&key, method.name(), Word::Lanes(method)));
                    }
                    list.spawn(key_line("Tab", "lanes", Word::Shown));
                });
            parent
                .spawn(section("rules", "Shift: less"))
                .with_children(|list| {
                    list.spawn(key_line("H", "estimate", Word::Heuristic));
                    list.spawn(key_line("N", "neighbors", Word::Neighbors));
                    list.spawn(key_line("D", "diagonals", Word::Diagonals));
                    list.spawn(key_line("T", "same f: first", Word::Ties));
                    list.spawn(key_line("G", "k_g, weighted", Word::WeightG));
                    list.spawn(key_line("K", "k_h, weighted", Word::WeightH));
                    list.spawn(key_line("E", "a step is", Word::Unit));
                    list.spawn(key_line("M", "map", Word::Map));
                });
            parent
                .spawn(section("comparison", "C: save as CSV"))
                .with_children(|list| {
                    list.spawn((text("", 11.0, WORD), Word::Table));
                    list.spawn((text("", 10.0, FAINT), Word::Note));
                });
            parent.spawn(section("colors", "")).with_children(|list| {
                spawn_legend(list);
            });
            let room = Node {
                padding: UiRect::axes(px(4), px(0)),
                ..default()
            };
            parent.spawn((room, children![keys(&KEYS, 11.0, 3, FAINT)]));
        });
}

fn heading() -> impl Bundle {
    (
        Node {
            justify_content: JustifyContent::SpaceBetween,
            align_items: AlignItems::Baseline,
            padding: UiRect::axes(px(4), px(0)),
            ..default()
        },
        children![
            text("search_lab", 19.0, palette::PLAYER),
            (text("", 12.0, FAINT), Word::Size),
        ],
    )
}

fn spawn_legend(list: &mut ChildSpawnerCommands) {
    let rows = [
        [(CURRENT, "current"), (EXAMINED, "examined")],
        [(DISCOVERED, "discovered"), (IMPROVED, "better way")],
        [(CLOSED, "expanded"), (PATH_GOAL, "path")],
        [(WALL, "wall"), (MUD, "mud")],
    ];
    for row in rows {
        list.spawn(Node::default()).with_children(|list| {
            for (color, name) in row {
                spawn_swatch(list, percent(50), color, name);
            }
        });
    }
}
