//! All that is written on the screen and changes.

use bevy::prelude::*;

use crate::lanes::{Lane, Lanes};
use crate::problem::Problem;
use crate::settings::{Method, Rule, Settings};
use crate::table::{Table, bound_text, in_steps};

/// What a text tells.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word {
    /// Nothing that changes.
    Fixed,
    /// On which lanes an algorithm is.
    Lanes(Method),
    /// How many lanes there are.
    Shown,
    Rule(Rule),
    /// What a step is.
    Unit,
    Map,
    Size,
    Table,
    Note,
    /// Of a lane: its algorithm.
    Name(usize),
    /// Of a lane: what leads it, or what it does instead.
    Idea(usize),
    /// Of a lane: its counts.
    Counts(usize),
    /// Whether it plays, and how fast.
    Speed,
    /// How far it is.
    Cursor,
}

/// What a lane counts, where its replay stands: expanded, pushed, relaxed, cost, bound, microseconds. Cost and bound are
/// the ones of the last answer that was given by then.
pub(crate) fn counts(lane: &Lane, straight: u32) -> [String; 6] {
    let replay = lane.replay.as_ref().ok();
    let counts = replay.map(|replay| replay.counts()).unwrap_or_default();
    let answer = replay.and_then(|replay| replay.answer());
    let cost = answer.map(|answer| short(in_steps(answer.cost, straight), 2));
    let bound = answer.map(|answer| bound_text(answer.bound));
    let end = replay.and_then(|replay| replay.recording().end());
    let took = end.and_then(|end| end.took);
    let took = took.map(|took| short(took.as_secs_f64() * 1e6, 1));
    let [cost, bound, took] = [cost, bound, took].map(|word| word.unwrap_or("...".to_owned()));
    let [expanded, pushed, relaxed] =
        [counts.expanded, counts.pushed, counts.relaxed].map(|count| count.to_string());
    [expanded, pushed, relaxed, cost, bound, took]
}

/// A number with at most so many decimals: none where that would be longer than 7 characters.
fn short(number: f64, most: usize) -> String {
    let text = format!("{number:.most$}");
    if text.len() <= 7 {
        text
    } else {
        format!("{number:.0}")
    }
}

/// What became of saving or opening something.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub(crate) struct Note(pub(crate) String);

/// Writes all texts whose words changed.
pub(crate) fn write_words<P: Problem>(
    problem: Res<P>,
    settings: Res<Settings>,
    lanes: Res<Lanes>,
    (table, note): (Res<Table>, Res<Note>),
    mut texts: Query<(&Word, &mut TextSpan)>,
) {
    let is_asked = problem.is_changed() || settings.is_changed() || lanes.is_changed();
    if !(is_asked || table.is_changed() || note.is_changed()) {
        return;
    }
    for (word, mut text) in &mut texts {
        let words = match *word {
            Word::Fixed => continue,
            Word::Lanes(method) => which_lanes(&lanes, method),
            Word::Shown => if lanes.alone { "one" } else { "two" }.to_owned(),
            Word::Rule(rule) => settings.value(rule),
            Word::Unit => lanes.speed.unit_text().to_owned(),
            Word::Map => problem.name().to_owned(),
            Word::Size => problem.size(),
            Word::Table => table.narrow(),
            Word::Note => format!("\n{}", note.0),
            Word::Name(lane) => lanes.lanes[lane].name().to_owned(),
            Word::Idea(lane) => format!("  {}", lanes.lanes[lane].idea(&*problem, &settings)),
            Word::Counts(lane) => {
                let counts = counts(&lanes.lanes[lane], P::STRAIGHT);
                format!("\n{}", counts.map(|count| format!("{count:<10}")).concat())
            }
            Word::Speed => {
                let state = if lanes.is_playing() {
                    "playing"
                } else {
                    "paused"
                };
                format!("{state}, {}", lanes.speed.text())
            }
            Word::Cursor => format!("{} of {} events", lanes.cursor(), lanes.events()),
        };
        if text.0 != words {
            text.0 = words;
        }
    }
}

fn which_lanes(lanes: &Lanes, method: Method) -> String {
    let shown = lanes
        .lanes
        .iter()
        .zip(["left", "right"])
        .take(lanes.shown());
    let names = shown.filter(|(lane, _)| lane.method == method && !lane.is_loaded);
    let names: Vec<_> = names.map(|(_, name)| name).collect();
    names.join(", ")
}
