//! The panel on the right: what is chosen and by which keys, the comparison, the legend. The signs over the lanes: which
//! algorithm it is, and its counts.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::colors::{
    CARD, CHOICE, CLOSED, CURRENT, DISCOVERED, EXAMINED, FAINT, IMPROVED, KEY, MUD, NAME, PATH,
    SHADE, WALL, WORD, path_color,
};
use crate::lanes::{LANES, Lanes};
use crate::problem::Problem;
use crate::screen::{PANEL, SIGN, lane_rect};
use crate::words::Word;

/// Keys that no line of the panel names.
const KEYS: [(&str, &str); 9] = [
    ("Space", "play"),
    ("Left Right", "step"),
    ("Up Down", "pace"),
    ("L", "slow motion"),
    ("W", "wait"),
    ("F", "fit"),
    ("R", "ends by lot"),
    ("S", "save replay"),
    ("drop", "map file"),
];

/// Colors and what they mean.
const LEGEND: [(Color, &str); 8] = [
    (CURRENT, "current"),
    (EXAMINED, "examined"),
    (DISCOVERED, "discovered"),
    (IMPROVED, "better way"),
    (CLOSED, "expanded"),
    (PATH[2], "path"),
    (WALL, "wall"),
    (MUD, "mud"),
];

/// A word in a size and a color.
pub(crate) fn text(text: &str, size: f32, color: Color) -> impl Bundle + use<> {
    let font = TextFont::from_font_size(size);
    (
        Text::new(text),
        font,
        TextColor(color),
        TextLayout::no_wrap(),
    )
}

pub(crate) fn spawn_panel<P: Problem>(mut commands: Commands) {
    let panel = Node {
        position_type: PositionType::Absolute,
        right: px(0),
        top: px(0),
        bottom: px(0),
        width: px(PANEL),
        padding: UiRect::axes(px(12), px(4)),
        row_gap: px(2),
        flex_direction: FlexDirection::Column,
        ..default()
    };
    let mut panel = commands.spawn((panel, BackgroundColor(SHADE.with_alpha(0.72))));
    panel.with_children(|panel| {
        panel.spawn(line(
            text("lab", 19.0, NAME),
            text("", 12.0, FAINT),
            Word::Size,
        ));
        section(
            panel,
            "algorithm                      Shift: right",
            |list| {
                for (place, &method) in P::METHODS.iter().enumerate() {
                    let key = (place + 1).to_string();
                    list.spawn(key_line(&key, method.words()[0], Word::Lanes(method)));
                }
                list.spawn(key_line("Tab", "lanes", Word::Shown));
            },
        );
        section(
            panel,
            "rules                           Shift: back",
            |list| {
                for &rule in P::RULES {
                    let (_, key, name) = rule.key();
                    list.spawn(key_line(key, name, Word::Rule(rule)));
                }
                list.spawn(key_line("E", "a step is", Word::Unit));
                list.spawn(key_line("M", "map", Word::Map));
            },
        );
        section(
            panel,
            "comparison                   C: save as CSV",
            |list| {
                list.spawn((text("", 11.0, WORD), Word::Table));
                let font = TextFont::from_font_size(10.0);
                list.spawn((Text::default(), font, TextColor(IMPROVED), Word::Note));
            },
        );
        section(panel, "colors", |list| {
            let wrap = Node {
                flex_wrap: FlexWrap::Wrap,
                ..default()
            };
            list.spawn(wrap).with_children(|list| {
                for (color, name) in LEGEND {
                    swatch(list, color, name);
                }
            });
        });
        panel.spawn(keys(KEYS.iter().chain(P::KEYS)));
    });
}

/// Which key does what, in one text of several lines.
fn keys<'a>(entries: impl Iterator<Item = &'a (&'a str, &'a str)>) -> impl Bundle {
    let font = TextFont::from_font_size(11.0);
    let words = entries
        .flat_map(|(key, meaning)| [(format!("{key} "), KEY), (format!("{meaning}   "), FAINT)]);
    let span = |(words, color)| (TextSpan::new(words), TextColor(color), font.clone());
    let spans: Vec<_> = words.map(span).collect();
    (
        Text::default(),
        font,
        Children::spawn(SpawnIter(spans.into_iter())),
    )
}

/// A card with a small title, to which lines are added.
fn section(
    panel: &mut ChildSpawnerCommands,
    title: &str,
    fill: impl FnOnce(&mut ChildSpawnerCommands),
) {
    let card = Node {
        flex_direction: FlexDirection::Column,
        padding: UiRect::axes(px(10), px(6)),
        row_gap: px(1),
        border_radius: BorderRadius::all(px(9)),
        ..default()
    };
    panel
        .spawn((card, BackgroundColor(CARD)))
        .with_children(|card| {
            card.spawn(text(title, 10.0, FAINT));
            fill(card);
        });
}

/// Something on the left, and a word that changes on the right.
fn line(left: impl Bundle, right: impl Bundle, word: Word) -> impl Bundle {
    let spread = Node {
        justify_content: JustifyContent::SpaceBetween,
        align_items: AlignItems::Baseline,
        ..default()
    };
    (spread, children![left, (right, word)])
}

/// A key, what it chooses, and the word that says what is chosen.
fn key_line(key: &str, name: &str, word: Word) -> impl Bundle + use<> {
    let name = (
        TextSpan::new(format!("{:1$}{name}", "", 5 - key.len())),
        TextColor(WORD),
    );
    let left = (
        text(key, 13.0, KEY),
        children![(name, TextFont::from_font_size(13.0))],
    );
    line(left, text("", 13.0, CHOICE), word)
}

/// A color and what it means. That of a path at its goal stands for all colors of the path.
fn swatch(list: &mut ChildSpawnerCommands, color: Color, name: &str) {
    let row = Node {
        width: percent(50),
        align_items: AlignItems::Center,
        column_gap: px(8),
        ..default()
    };
    let swatch = Node {
        width: px(26),
        height: px(12),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    let parts = [0.0, 0.5, 1.0].map(|part| match color == PATH[2] {
        true => ColorStop::from(path_color(part)),
        false => ColorStop::from(color),
    });
    let fill = BackgroundGradient::from(LinearGradient::to_right(parts.to_vec()));
    list.spawn((row, children![(swatch, fill), text(name, 12.0, WORD)]));
}

/// The sign of a lane.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Sign(usize);

/// Pixels between a sign and the border of its lane.
const MARGIN: f32 = 8.0;

pub(crate) fn spawn_signs(mut commands: Commands) {
    for lane in 0..LANES {
        let node = Node {
            position_type: PositionType::Absolute,
            top: px(MARGIN),
            height: px(SIGN - MARGIN - 6.0),
            padding: UiRect::axes(px(12), px(6)),
            flex_direction: FlexDirection::Column,
            justify_content: JustifyContent::SpaceBetween,
            border_radius: BorderRadius::all(px(10)),
            overflow: Overflow::clip(),
            ..default()
        };
        let heading = Node {
            align_items: AlignItems::Baseline,
            column_gap: px(12),
            ..default()
        };
        let words = children![
            (text("", 17.0, NAME), Word::Name(lane)),
            (text("", 11.0, FAINT), Word::Idea(lane)),
        ];
        let counts = (text("", 12.0, WORD), Word::Counts(lane));
        let lines = children![(heading, words), counts];
        commands.spawn((
            Sign(lane),
            node,
            BackgroundColor(CARD.with_alpha(0.95)),
            lines,
        ));
    }
}

/// Keeps each sign over its lane.
pub(crate) fn place_signs(
    window: Single<&Window, With<PrimaryWindow>>,
    lanes: Res<Lanes>,
    mut signs: Query<(&Sign, &mut Node)>,
) {
    for (sign, mut node) in &mut signs {
        let rect = lane_rect(window.size(), sign.0, lanes.shown());
        let (left, width) = (px(rect.min.x + MARGIN), px(rect.width() - 2.0 * MARGIN));
        let display = match sign.0 < lanes.shown() {
            true => Display::Flex,
            false => Display::None,
        };
        if (node.left, node.width, node.display) != (left, width, display) {
            (node.left, node.width, node.display) = (left, width, display);
        }
    }
}
