//! The panel on the right: the trip, time beside full searches, memory, colors, keys.

use bevy::prelude::*;
use pursuit_examples::art::palette;
use pursuit_examples::hud::{FAINT, KEY, paragraph, section, text};

use crate::controls::Note;
use crate::draw::{LAID, PAVED, SEARCHED, STORED};
use crate::guide::{Campus, State, Tour};
use crate::measure::{METHODS, bytes_text, micros_text};

/// Width of the panel, in logical pixels.
pub(crate) const WIDTH: f32 = 288.0;

/// Colors of the bars, by method.
const BARS: [Color; 3] = [palette::PLAYER, palette::WATER_LIGHT, palette::HUNTER_LIGHT];

const KEYS: [(&str, &str); 6] = [
    ("0-9, click", "walk there"),
    ("T", "tour of all buildings"),
    ("WASD, drag", "pull the guide away"),
    ("right click", "put it there"),
    ("F5, F9", "save, load"),
    ("R, F1, P", "roads, overlay, pause"),
];

/// A text of the panel that changes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    State,
    Length,
    Stored,
    Excess,
    Time(usize),
    Expanded(usize),
    Back,
    Table,
    WrittenOut,
    Working,
    Full,
    Roads,
    Note,
}

/// The bar of a method, as long as its time.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Bar(usize);

/// Spawns it.
pub(crate) fn spawn_panel(mut commands: Commands) {
    let panel = Node {
        position_type: PositionType::Absolute,
        right: px(0),
        top: px(0),
        bottom: px(0),
        width: px(WIDTH),
        padding: UiRect::axes(px(12), px(10)),
        row_gap: px(6),
        flex_direction: FlexDirection::Column,
        ..default()
    };
    commands
        .spawn((panel, BackgroundColor(palette::VOID)))
        .with_children(|panel| {
            panel.spawn(text("campus", 21.0, palette::PLAYER));
            panel.spawn(text(
                "guided walks over stored routes",
                13.0,
                palette::LINEN,
            ));
            panel.spawn(section("this walk", "")).with_children(|list| {
                list.spawn((paragraph(15.0, palette::PLAYER_LIGHT), Word::State));
                list.spawn(line("length", Word::Length));
                list.spawn(line("of it stored", Word::Stored));
                list.spawn(line("longer than the shortest", Word::Excess));
            });
            let planning = section("time to plan it, cells expanded", "");
            panel.spawn(planning).with_children(|list| {
                for method in 0..METHODS.len() {
                    spawn_method(list, method);
                }
                list.spawn(line("way back in", Word::Back));
            });
            panel.spawn(section("memory", "")).with_children(|list| {
                list.spawn(line("places and roads", Word::Roads));
                list.spawn(line("route table, all of it", Word::Table));
                list.spawn(line("the same, written out", Word::WrittenOut));
                list.spawn(line("a trip works with", Word::Working));
                list.spawn(line("A* works with", Word::Full));
            });
            panel.spawn(section("lines", "")).with_children(spawn_lines);
            panel.spawn(section("keys", "")).with_children(|list| {
                for (name, meaning) in KEYS {
                    list.spawn(key(name, meaning));
                }
            });
            panel.spawn((paragraph(12.0, KEY), Word::Note));
        });
}

fn spawn_lines(list: &mut ChildSpawnerCommands) {
    let rows = [
        [(LAID, "laid by hand"), (PAVED, "paved")],
        [(STORED, "stored route"), (SEARCHED, "searched")],
    ];
    for row in rows {
        list.spawn(Node::default()).with_children(|list| {
            for (color, name) in row {
                spawn_swatch(list, color, name);
            }
        });
    }
}

fn spawn_method(list: &mut ChildSpawnerCommands, method: usize) {
    list.spawn(Node {
        justify_content: JustifyContent::SpaceBetween,
        ..default()
    })
    .with_children(|row| {
        row.spawn(text(METHODS[method], 13.0, palette::LINEN));
        row.spawn((text("", 13.0, palette::PLAYER_LIGHT), Word::Time(method)));
    });
    list.spawn(Node {
        align_items: AlignItems::Center,
        column_gap: px(7),
        height: px(12),
        margin: UiRect::bottom(px(3)),
        ..default()
    })
    .with_children(|row| {
        let bar = Node {
            width: px(2),
            height: px(8),
            border_radius: BorderRadius::all(px(3)),
            ..default()
        };
        row.spawn((bar, BackgroundColor(BARS[method]), Bar(method)));
        row.spawn((text("", 11.0, FAINT), Word::Expanded(method)));
    });
}

fn spawn_swatch(list: &mut ChildSpawnerCommands, color: Color, name: &str) {
    let cell = Node {
        width: percent(50),
        align_items: AlignItems::Center,
        column_gap: px(8),
        ..default()
    };
    list.spawn(cell).with_children(|cell| {
        let stroke = |width: f32| Node {
            width: px(width),
            height: px(4),
            border_radius: BorderRadius::all(px(2)),
            ..default()
        };
        if name == "paved" {
            let gap = Node {
                column_gap: px(3),
                ..default()
            };
            cell.spawn(gap).with_children(|dashes| {
                for _ in 0..3 {
                    dashes.spawn((stroke(6.0), BackgroundColor(color)));
                }
            });
        } else {
            cell.spawn((stroke(24.0), BackgroundColor(color)));
        }
        cell.spawn(text(name, 12.0, palette::LINEN));
    });
}

fn key(key: &str, meaning: &str) -> impl Bundle {
    let left = Node {
        width: px(86),
        ..default()
    };
    (
        Node::default(),
        children![
            (left, children![text(key, 12.0, KEY)]),
            text(meaning, 12.0, FAINT)
        ],
    )
}

fn line(name: &str, word: Word) -> impl Bundle {
    (
        Node {
            justify_content: JustifyContent::SpaceBetween,
            ..default()
        },
        children![
            text(name, 13.0, palette::LINEN),
            (text("", 13.0, palette::PLAYER_LIGHT), word)
        ],
    )
}

/// Writes what changed.
pub(crate) fn write_words(
    campus: Res<Campus>,
    tour: Res<Tour>,
    note: Res<Note>,
    mut words: Query<(&Word, &mut Text)>,
) {
    for (word, mut text) in &mut words {
        let now = say(*word, &campus, &tour, &note);
        if text.0 != now {
            text.0 = now;
        }
    }
}

fn say(word: Word, campus: &Campus, tour: &Tour, note: &Note) -> String {
    let memory = &campus.memory;
    match word {
        Word::Roads => {
            let routes = &campus.routes;
            return format!("{}, {}", routes.places().len(), routes.roads().len());
        }
        Word::Table => return bytes_text(memory.table as u64),
        Word::WrittenOut => return bytes_text(memory.written_out as u64),
        Word::Working => return bytes_text(memory.trip),
        Word::Full => return bytes_text(memory.a_star),
        Word::Note => return note.0.clone(),
        Word::State => return say_state(campus, tour),
        _ => {}
    }
    let Some(trip) = &tour.trip else {
        return "-".to_owned();
    };
    let figures = &tour.figures;
    match word {
        Word::Length => format!("{:.0} cells", trip.length),
        Word::Stored => format!(
            "{:.0} %",
            100.0 * trip.stored_length / trip.length.max(1e-3)
        ),
        Word::Excess => format!("{:.1} %", figures.excess()),
        Word::Time(method) => micros_text(figures.took[method]),
        Word::Expanded(method) => figures.expanded[method].to_string(),
        Word::Back => tour
            .back
            .map_or("-".to_owned(), |(took, _)| micros_text(took)),
        _ => String::new(),
    }
}

fn say_state(campus: &Campus, tour: &Tour) -> String {
    let goal = tour
        .goal
        .and_then(|goal| campus.routes.places().get(goal.get()));
    let name = goal.map_or("", |goal| goal.name.as_str());
    match tour.state {
        State::Waiting => "where to?".to_owned(),
        State::Walking => format!("to the {name}"),
        State::Astray => format!("pulled off the way to the {name}"),
        State::Arrived => format!("at the {name}"),
    }
}

/// Makes the bars as long as the times they stand for.
pub(crate) fn stretch_bars(tour: Res<Tour>, mut bars: Query<(&Bar, &mut Node)>) {
    /// Pixels of the longest bar.
    const LONGEST: f32 = 190.0;
    let took = tour.figures.took.map(|took| took.as_secs_f32());
    let most = took.into_iter().fold(1e-9, f32::max);
    for (bar, mut node) in &mut bars {
        let width = px((LONGEST * took[bar.0] / most).max(2.0));
        if node.width != width {
            node.width = width;
        }
    }
}
