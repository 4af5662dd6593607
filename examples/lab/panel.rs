//! All texts: the panel on the right with the choices and their keys, the comparison, and the legend of colors; the
//! signs over the lanes with their counts; and the strip along the lower edge with the bar that can be dragged.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use super::colors::{
    CARD_COLOR, CHOICE_COLOR, CLOSED, CURRENT, DISCOVERED, EXAMINED, FAINT_COLOR, IMPROVED,
    KEY_COLOR, NAME_COLOR, PANEL_COLOR, PATH, TEXT_COLOR,
};
use super::lanes::{LANES, Lane, Lanes};
use super::problem::Problem;
use super::settings::{Method, Settings};
use super::table::{Table, bound_text, in_steps};
use super::window::{PANEL_WIDTH, SIGN_HEIGHT, STRIP_HEIGHT, lane_rect};

/// Keys that appear in no other line of the panel.
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

/// Colors and their meanings.
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

/// Names of the counts of a lane.
const COUNT_NAMES: [&str; 6] = ["expanded", "pushed", "relaxed", "cost", "bound", "us"];

/// A part of a text: its words, size and color.
type Span = (String, f32, Color);

/// A text that is spawned again when it changes.
#[derive(Component, Clone, Copy, Debug)]
#[require(Text, Spans)]
pub(crate) enum LiveText {
    Panel,
    /// The algorithm of a lane, and its counts.
    Sign(usize),
    /// Whether the replays play, and their speed.
    Speed,
    /// The number of events played.
    Cursor,
}

/// The spans of a text.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub(crate) struct Spans(Vec<Span>);

/// The result of saving or opening a file, in words.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub(crate) struct Note(pub(crate) String);

pub(crate) fn spawn_panel(mut commands: Commands) {
    let panel = Node {
        position_type: PositionType::Absolute,
        right: px(0),
        top: px(0),
        bottom: px(0),
        width: px(PANEL_WIDTH),
        padding: UiRect::axes(px(14), px(4)),
        ..default()
    };
    let shade = BackgroundColor(PANEL_COLOR.with_alpha(0.72));
    commands.spawn((panel, shade, children![LiveText::Panel]));
    for lane in 0..LANES {
        let node = Node {
            position_type: PositionType::Absolute,
            top: px(SIGN_MARGIN),
            height: px(SIGN_HEIGHT - SIGN_MARGIN - 6.0),
            padding: UiRect::axes(px(12), px(6)),
            border_radius: BorderRadius::all(px(10)),
            overflow: Overflow::clip(),
            ..default()
        };
        let card = BackgroundColor(CARD_COLOR.with_alpha(0.95));
        commands.spawn((Sign(lane), node, card, children![LiveText::Sign(lane)]));
    }
}

/// Writes all texts that changed.
pub(crate) fn write_words<P: Problem>(
    (problem, settings): (Res<P>, Res<Settings>),
    lanes: Res<Lanes>,
    (table, note): (Res<Table>, Res<Note>),
    mut commands: Commands,
    mut texts: Query<(Entity, &LiveText, &mut Spans)>,
) {
    for (entity, words, mut spans) in &mut texts {
        let new = match *words {
            LiveText::Panel => panel(&*problem, &settings, &lanes, &table, &note),
            LiveText::Sign(lane) => {
                let lane = &lanes.lanes[lane];
                let counts = counts(lane, P::STRAIGHT).map(|count| format!("{count:<10}"));
                let names = COUNT_NAMES.map(|name| format!("{name:<10}"));
                let idea = lane.idea(&*problem, &settings);
                vec![
                    (lane.name().to_owned(), 17.0, NAME_COLOR),
                    (format!("  {idea}\n"), 11.0, FAINT_COLOR),
                    (format!("{}\n", counts.concat()), 12.0, TEXT_COLOR),
                    (names.concat(), 12.0, FAINT_COLOR),
                ]
            }
            LiveText::Speed => {
                let is_playing = lanes.is_playing();
                let state = if is_playing { "playing" } else { "paused" };
                let words = format!("{state}, {}", lanes.speed.text());
                vec![(words, 13.0, TEXT_COLOR)]
            }
            LiveText::Cursor => {
                let words = format!("{} of {} events", lanes.cursor(), lanes.events());
                vec![(words, 13.0, FAINT_COLOR)]
            }
        };
        if spans.0 != new {
            let mut text = commands.entity(entity);
            text.despawn_children();
            for (words, size, color) in &new {
                let span = TextSpan::new(words.clone());
                let font = TextFont::from_font_size(*size);
                text.with_child((span, font, TextColor(*color)));
            }
            spans.0 = new;
        }
    }
}

fn panel<P: Problem>(
    problem: &P,
    settings: &Settings,
    lanes: &Lanes,
    table: &Table,
    note: &Note,
) -> Vec<Span> {
    let title = |title: &str| (format!("\n\n{title}"), 11.0, FAINT_COLOR);
    let line = |key: &str, name: &str, choice: String| {
        [
            (format!("\n{key:<5}"), 13.0, KEY_COLOR),
            (format!("{name:<14} "), 13.0, TEXT_COLOR),
            (choice, 13.0, CHOICE_COLOR),
        ]
    };
    let mut spans = vec![
        ("lab  ".to_owned(), 19.0, NAME_COLOR),
        (problem.size(), 12.0, FAINT_COLOR),
    ];
    spans.push(title("algorithm, Shift: on the right"));
    for (place, &method) in P::METHODS.iter().enumerate() {
        let (key, [name, _]) = ((place + 1).to_string(), method.name_and_idea());
        spans.extend(line(&key, name, which_lanes(lanes, method)));
    }
    let shown = if lanes.alone { "one" } else { "two" };
    spans.extend(line("Tab", "lanes", shown.to_owned()));
    spans.push(title("rules, Shift: back"));
    for &rule in P::RULES {
        let (_, key, name) = rule.key();
        spans.extend(line(key, name, settings.value(rule)));
    }
    spans.extend(line("E", "a step is", lanes.speed.unit_text().to_owned()));
    spans.extend(line("M", "map", problem.name().to_owned()));
    spans.push(title("comparison, C: save as CSV\n"));
    spans.push((table.panel_text(), 11.0, TEXT_COLOR));
    spans.push((format!("\n{}", note.0), 10.0, IMPROVED));
    spans.push(title("colors\n"));
    spans.extend(LEGEND.map(|(color, name)| (name.to_owned(), 12.0, color)));
    spans.push(title("keys\n"));
    for (key, meaning) in KEYS.iter().chain(P::KEYS) {
        spans.push((format!("{key} "), 11.0, KEY_COLOR));
        spans.push((format!("{meaning}   "), 11.0, FAINT_COLOR));
    }
    spans
}

/// The sign of a lane.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Sign(usize);

/// Pixels between a sign and the border of its lane.
const SIGN_MARGIN: f32 = 8.0;

/// Keeps each sign over its lane.
pub(crate) fn place_signs(
    window: Single<&Window, With<PrimaryWindow>>,
    lanes: Res<Lanes>,
    mut signs: Query<(&Sign, &mut Node)>,
) {
    for (sign, mut node) in &mut signs {
        let rect = lane_rect(window.size(), sign.0, lanes.shown());
        let left = px(rect.min.x + SIGN_MARGIN);
        let width = px(rect.width() - 2.0 * SIGN_MARGIN);
        let display = match sign.0 < lanes.shown() {
            true => Display::Flex,
            false => Display::None,
        };
        if (node.left, node.width, node.display) != (left, width, display) {
            (node.left, node.width, node.display) = (left, width, display);
        }
    }
}

/// The counts of a lane at the cursor of its replay. Cost and bound belong to the last answer before the cursor.
fn counts(lane: &Lane, straight: u32) -> [String; 6] {
    let replay = lane.replay.as_ref().ok();
    let counts = replay.map(|replay| replay.counts()).unwrap_or_default();
    let answer = replay.and_then(|replay| replay.answer());
    let cost = answer.map(|answer| short_number(in_steps(answer.cost, straight), 2));
    let bound = answer.map(|answer| bound_text(answer.bound));
    let end = replay.and_then(|replay| replay.recording().end());
    let took = end.and_then(|end| end.took);
    let took = took.map(|took| short_number(took.as_secs_f64() * 1e6, 1));
    let [cost, bound, took] = [cost, bound, took].map(|word| word.unwrap_or("...".to_owned()));
    let [expanded, pushed, relaxed] =
        [counts.expanded, counts.pushed, counts.relaxed].map(|count| count.to_string());
    [expanded, pushed, relaxed, cost, bound, took]
}

/// A number with at most `max_decimals` decimals, or without decimals if it would have more than 7 characters.
fn short_number(number: f64, max_decimals: usize) -> String {
    let text = format!("{number:.max_decimals$}");
    if text.len() <= 7 {
        text
    } else {
        format!("{number:.0}")
    }
}

fn which_lanes(lanes: &Lanes, method: Method) -> String {
    let shown = lanes.lanes.iter().take(lanes.shown());
    let names = shown.zip(["left", "right"]);
    let names = names.filter(|(lane, _)| lane.method == method && !lane.is_loaded);
    let names: Vec<_> = names.map(|(_, name)| name).collect();
    names.join(", ")
}

/// Pixels between the bar and the borders of its strip.
const BAR_MARGIN: f32 = 18.0;
/// Height of the bar, and its distance from the lower edge of the window, in pixels.
const BAR_HEIGHT: f32 = 12.0;
const BAR_BOTTOM: f32 = 14.0;
/// Pixels around the bar within which a press grabs it.
const GRAB_MARGIN: f32 = 10.0;

/// A part of the bar that moves.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The part that was played.
    Fill,
    /// The end of the replay of a lane.
    End(usize),
}

pub(crate) fn spawn_timeline(mut commands: Commands) {
    let strip = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(PANEL_WIDTH),
        bottom: px(0),
        height: px(STRIP_HEIGHT),
        padding: UiRect::axes(px(BAR_MARGIN), px(10)),
        justify_content: JustifyContent::SpaceBetween,
        ..default()
    };
    let words = children![LiveText::Speed, LiveText::Cursor];
    commands.spawn((strip.clone(), BackgroundColor(PANEL_COLOR), words));
    let bar = Node {
        left: px(BAR_MARGIN),
        right: px(PANEL_WIDTH + BAR_MARGIN),
        bottom: px(BAR_BOTTOM),
        height: px(BAR_HEIGHT),
        padding: UiRect::ZERO,
        ..strip
    };
    let part = Node {
        position_type: PositionType::Absolute,
        height: percent(100),
        ..default()
    };
    let color = BackgroundColor(Color::WHITE.with_alpha(0.13));
    // Bevy draws root nodes in no reliable order.
    let mut bar = commands.spawn((bar, color, ZIndex(1)));
    bar.with_child((Part::Fill, part.clone(), BackgroundColor(CURRENT)));
    for lane in 0..LANES {
        let mut end = part.clone();
        end.width = px(3);
        bar.with_child((Part::End(lane), end, BackgroundColor(PATH[2])));
    }
}

/// Scrubs the replays: a press on the bar or near it grabs the bar until the button is released.
pub(crate) fn scrub(
    window: Single<&Window, With<PrimaryWindow>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut is_held: Local<bool>,
    mut lanes: ResMut<Lanes>,
) {
    let Some(cursor) = window.cursor_position() else {
        return;
    };
    let right = (window.width() - PANEL_WIDTH - BAR_MARGIN).max(BAR_MARGIN + 1.0);
    let bottom = window.height() - BAR_BOTTOM;
    let bar = Rect::new(BAR_MARGIN, bottom - BAR_HEIGHT, right, bottom);
    if buttons.just_pressed(MouseButton::Left) {
        *is_held = bar.inflate(GRAB_MARGIN).contains(cursor);
    }
    *is_held &= buttons.pressed(MouseButton::Left);
    if *is_held {
        lanes.pause();
        lanes.seek(((cursor.x - bar.min.x) / bar.width()).clamp(0.0, 1.0));
    }
}

/// Fills the bar, and moves the marks to the ends of the replays.
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
