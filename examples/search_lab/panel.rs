//! The panel on the right: what is chosen and by which keys, the comparison, the legend.

use bevy::prelude::*;
use pursuit_examples::art::palette;
pub(crate) use pursuit_examples::hud::text;

use crate::colors::{
    CARD, CLOSED, CURRENT, DISCOVERED, EXAMINED, FAINT, IMPROVED, KEY, MUD, PATH_GOAL, PATH_START,
    WALL, WORD, path_color,
};
use crate::method::Method;
use crate::view::PANEL;
use crate::words::Word;

/// Pixels between the panel's border and what it holds.
const PADDING: f32 = 12.0;

/// Keys that no line of the panel names.
const KEYS: [(&str, &str); 11] = [
    ("Space", "play"),
    ("Left Right", "step"),
    ("Up Down", "pace"),
    ("drag", "walls, ends"),
    ("Shift", "mud"),
    ("right", "wipe"),
    ("wheel", "zoom"),
    ("Ctrl drag", "move"),
    ("F", "fit"),
    ("X", "clear"),
    ("S", "save replay"),
];

pub(crate) fn spawn_panel(mut commands: Commands) {
    let panel = Node {
        position_type: PositionType::Absolute,
        right: px(0),
        top: px(0),
        bottom: px(0),
        width: px(PANEL),
        padding: UiRect::axes(px(PADDING), px(8)),
        row_gap: px(6),
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
                        list.spawn(line(&key, method.name(), Word::Lanes(method)));
                    }
                    list.spawn(line("Tab", "lanes", Word::Shown));
                });
            parent
                .spawn(section("rules", "Shift: less"))
                .with_children(|list| {
                    list.spawn(line("H", "estimate", Word::Heuristic));
                    list.spawn(line("D", "diagonals", Word::Diagonals));
                    list.spawn(line("G", "k_g, weighted", Word::WeightG));
                    list.spawn(line("K", "k_h, weighted", Word::WeightH));
                    list.spawn(line("E", "a step is", Word::Unit));
                    list.spawn(line("M", "map", Word::Map));
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
            parent.spawn(keys());
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

/// A card with a small title, to which lines are added.
fn section(title: &str, hint: &str) -> impl Bundle {
    (
        Node {
            flex_direction: FlexDirection::Column,
            padding: UiRect::axes(px(10), px(6)),
            row_gap: px(1),
            border_radius: BorderRadius::all(px(9)),
            ..default()
        },
        BackgroundColor(CARD),
        children![(
            Node {
                justify_content: JustifyContent::SpaceBetween,
                margin: UiRect::bottom(px(2)),
                ..default()
            },
            children![text(title, 11.0, FAINT), text(hint, 11.0, FAINT)],
        )],
    )
}

/// A key, what it chooses, and what is chosen.
fn line(key: &str, name: &str, word: Word) -> impl Bundle {
    (
        Node {
            align_items: AlignItems::Center,
            column_gap: px(8),
            ..default()
        },
        children![
            (
                Node {
                    width: px(30),
                    justify_content: JustifyContent::Center,
                    border_radius: BorderRadius::all(px(4)),
                    ..default()
                },
                BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.06)),
                children![text(key, 12.0, KEY)],
            ),
            text(name, 13.0, WORD),
            (
                Node {
                    flex_grow: 1.0,
                    justify_content: JustifyContent::End,
                    ..default()
                },
                children![(text("", 13.0, palette::PLAYER_LIGHT), word)],
            ),
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
                let mut swatch = list.spawn(Node {
                    width: percent(50),
                    align_items: AlignItems::Center,
                    column_gap: px(8),
                    ..default()
                });
                swatch.with_children(|swatch| {
                    let mut square = swatch.spawn((
                        Node {
                            width: px(if name == "path" { 30 } else { 14 }),
                            height: px(14),
                            border_radius: BorderRadius::all(px(4)),
                            ..default()
                        },
                        BackgroundColor(color),
                    ));
                    if name == "path" {
                        let stops = [PATH_START, path_color(0.5), PATH_GOAL].map(ColorStop::from);
                        square.insert(BackgroundGradient::from(LinearGradient::to_right(
                            stops.to_vec(),
                        )));
                    }
                    swatch.spawn(text(name, 12.0, WORD));
                });
            }
        });
    }
}

fn keys() -> impl Bundle {
    let spans = KEYS
        .into_iter()
        .enumerate()
        .flat_map(|(number, (key, meaning))| {
            let gap = if number == 0 { "" } else { "   " };
            let span = |text: String, color| {
                (
                    TextSpan::new(text),
                    TextColor(color),
                    TextFont::from_font_size(11.0),
                )
            };
            [
                span(format!("{gap}{key}"), KEY),
                span(format!(" {meaning}"), FAINT),
            ]
        });
    let spans: Vec<_> = spans.collect();
    (
        Node {
            padding: UiRect::axes(px(4), px(0)),
            ..default()
        },
        children![(
            Text::default(),
            TextFont::from_font_size(11.0),
            Children::spawn(SpawnIter(spans.into_iter()))
        )],
    )
}
