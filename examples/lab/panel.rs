//! The panel on the right: what is chosen and by which keys, the comparison, what colors mean. The signs over the lanes:
//! which algorithm it is, and its counts.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use crate::colors::{
    CARD, CHOICE, CLOSED, CURRENT, DISCOVERED, EXAMINED, FAINT, IMPROVED, KEY, NAME, PATH, SHADE,
    WORD,
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
    (CURRENT, "current   "),
    (EXAMINED, "examined   "),
    (DISCOVERED, "discovered\n"),
    (IMPROVED, "better way   "),
    (CLOSED, "expanded   "),
    (PATH[0], "pa"),
    (PATH[1], "t"),
    (PATH[2], "h"),
];

/// A part of a text.
type Span = (TextSpan, TextFont, TextColor, Word);

/// A part that does not change.
pub(crate) fn fixed(text: impl Into<String>, size: f32, color: Color) -> Span {
    let font = TextFont::from_font_size(size);
    (TextSpan::new(text), font, TextColor(color), Word::Fixed)
}

/// A part that does.
pub(crate) fn word(word: Word, size: f32, color: Color) -> Span {
    let (span, font, color, _) = fixed("", size, color);
    (span, font, color, word)
}

/// A text of several parts.
pub(crate) fn text(spans: Vec<Span>) -> impl Bundle {
    let spans = Children::spawn(SpawnIter(spans.into_iter()));
    (Text::default(), spans)
}

pub(crate) fn spawn_panel<P: Problem>(mut commands: Commands) {
    let panel = Node {
        position_type: PositionType::Absolute,
        right: px(0),
        top: px(0),
        bottom: px(0),
        width: px(PANEL),
        padding: UiRect::axes(px(14), px(4)),
        ..default()
    };
    let title = |title: &str| fixed(format!("\n\n{title}"), 11.0, FAINT);
    let line = |key: &str, name: &str, choice: Word| {
        [
            fixed(format!("\n{key:<5}"), 13.0, KEY),
            fixed(format!("{name:<19}"), 13.0, WORD),
            word(choice, 13.0, CHOICE),
        ]
    };
    let mut spans = vec![fixed("lab  ", 19.0, NAME), word(Word::Size, 12.0, FAINT)];
    spans.push(title("algorithm, Shift: on the right"));
    for (place, &method) in P::METHODS.iter().enumerate() {
        let key = (place + 1).to_string();
        spans.extend(line(&key, method.words()[0], Word::Lanes(method)));
    }
    spans.extend(line("Tab", "lanes", Word::Shown));
    spans.push(title("rules, Shift: back"));
    for &rule in P::RULES {
        let (_, key, name) = rule.key();
        spans.extend(line(key, name, Word::Rule(rule)));
    }
    spans.extend(line("E", "a step is", Word::Unit));
    spans.extend(line("M", "map", Word::Map));
    spans.push(title("comparison, C: save as CSV\n"));
    spans.push(word(Word::Table, 11.0, WORD));
    spans.push(word(Word::Note, 10.0, IMPROVED));
    spans.push(title("colors\n"));
    spans.extend(LEGEND.map(|(color, name)| fixed(name, 12.0, color)));
    spans.push(title("keys\n"));
    for (key, meaning) in KEYS.iter().chain(P::KEYS) {
        spans.push(fixed(format!("{key} "), 11.0, KEY));
        spans.push(fixed(format!("{meaning}   "), 11.0, FAINT));
    }
    let shade = BackgroundColor(SHADE.with_alpha(0.72));
    commands.spawn((panel, shade, children![text(spans)]));
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
            border_radius: BorderRadius::all(px(10)),
            overflow: Overflow::clip(),
            ..default()
        };
        let spans = vec![
            word(Word::Name(lane), 17.0, NAME),
            word(Word::Idea(lane), 11.0, FAINT),
            word(Word::Counts(lane), 12.0, WORD),
            fixed(
                "\nexpanded  pushed    relaxed   cost      bound     us",
                12.0,
                FAINT,
            ),
        ];
        let card = BackgroundColor(CARD.with_alpha(0.95));
        commands.spawn((Sign(lane), node, card, children![text(spans)]));
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
        let is_shown = sign.0 < lanes.shown();
        let display = if is_shown {
            Display::Flex
        } else {
            Display::None
        };
        if (node.left, node.width, node.display) != (left, width, display) {
            (node.left, node.width, node.display) = (left, width, display);
        }
    }
}
