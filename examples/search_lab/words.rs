//! All that is written on the screen and changes.

use std::fmt::Write as _;

use bevy::prelude::*;
use pursuit::Outcome;
use pursuit_examples::replays::{Replays, cut_text};

use crate::board::Board;
use crate::lanes::{Lane, Lanes};
use crate::method::{Method, Settings, substitute};
use crate::table::{Table, bound_text, in_steps};

/// What a text tells.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word {
    /// On which lanes an algorithm is.
    Lanes(Method),
    /// How many lanes there are.
    Shown,
    Heuristic,
    Neighbors,
    Diagonals,
    Ties,
    WeightG,
    WeightH,
    Unit,
    Map,
    /// Columns and rows.
    Size,
    Table,
    /// What became of saving it.
    Note,
    /// Of a lane: its algorithm.
    Name(usize),
    /// Of a lane: what leads it, or what it does instead.
    Idea(usize),
    /// Of a lane: one of its counts.
    Count(usize, Count),
    /// Whether it plays, and how fast.
    Speed,
    /// How far it is.
    Cursor,
}

/// A number on the sign of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Expanded,
    Pushed,
    Relaxed,
    Cost,
    Bound,
    Micros,
}

impl Count {
    /// From the left on.
    pub(crate) const ALL: [Self; 6] = [
        Self::Expanded,
        Self::Pushed,
        Self::Relaxed,
        Self::Cost,
        Self::Bound,
        Self::Micros,
    ];

    /// What it counts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Expanded => "expanded",
            Self::Pushed => "pushed",
            Self::Relaxed => "relaxed",
            Self::Cost => "cost",
            Self::Bound => "bound",
            Self::Micros => "us",
        }
    }

    /// As the replay of a lane has it where it stands. Cost and bound are those of the last answer that was
    /// given by then.
    pub(crate) fn of(self, lane: &Lane) -> String {
        let Ok(replay) = &lane.replay else {
            return "-".to_owned();
        };
        let (counts, answer) = (replay.counts(), replay.answer());
        let end = replay.recording().end();
        match self {
            Self::Expanded => counts.expanded.to_string(),
            Self::Pushed => counts.pushed.to_string(),
            Self::Relaxed => counts.relaxed.to_string(),
            Self::Cost => answer.map_or("...".to_owned(), |answer| {
                decimals(in_steps(answer.cost), 2)
            }),
            Self::Bound => answer.map_or("...".to_owned(), |answer| bound_text(answer.bound)),
            Self::Micros => end
                .and_then(|end| end.took)
                .map_or("-".to_owned(), |took| decimals(took.as_secs_f64() * 1e6, 1)),
        }
    }
}

/// Most characters of a number with decimals, where it can do without these.
const LONGEST: usize = 7;

/// A number with at most so many decimals: none where that would be long.
pub(crate) fn decimals(number: f64, most: usize) -> String {
    let text = format!("{number:.most$}");
    if text.len() <= LONGEST {
        text
    } else {
        format!("{number:.0}")
    }
}

/// A count in a column of five characters: whole, or in thousands or millions.
fn rounded(count: f64) -> String {
    match count {
        ..99_999.5 => format!("{count:.0}"),
        ..9_999_500.0 => format!("{:.0}k", count / 1e3),
        _ => format!("{:.0}M", count / 1e6),
    }
}

/// What became of saving the comparison.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Note(pub(crate) String);

/// Writes all texts whose words changed.
pub(crate) fn write_words(
    board: Res<Board>,
    settings: Res<Settings>,
    lanes: Res<Lanes>,
    table: Res<Table>,
    note: Res<Note>,
    mut texts: Query<(&Word, &mut Text)>,
) {
    let is_changed = board.is_changed()
        || settings.is_changed()
        || lanes.is_changed()
        || table.is_changed()
        || note.is_changed();
    if !is_changed {
        return;
    }
    for (word, mut text) in &mut texts {
        let words = match *word {
            Word::Lanes(method) => which_lanes(&lanes, method),
            Word::Shown => if lanes.alone { "one" } else { "two" }.to_owned(),
            Word::Heuristic => settings.heuristic_name().to_owned(),
            Word::Neighbors => settings.neighbors_name().to_owned(),
            Word::Diagonals => settings.diagonals_name().to_owned(),
            Word::Ties => settings.ties_name().to_owned(),
            Word::WeightG => settings.weights.g.to_string(),
            Word::WeightH => settings.weights.h.to_string(),
            Word::Unit => lanes.speed().unit_text().to_owned(),
            Word::Map => board.name.clone(),
            Word::Size => format!("{} x {}", board.width(), board.height()),
            Word::Table => columns(&table),
            Word::Note => note.0.clone(),
            Word::Name(lane) => lanes.lanes[lane].name().to_owned(),
            Word::Idea(lane) => idea(&lanes.lanes[lane], &settings, &board),
            Word::Count(lane, count) => count.of(&lanes.lanes[lane]),
            Word::Speed => lanes.speed_text(),
            Word::Cursor => lanes.cursor_text(),
        };
        if text.0 != words {
            text.0 = words;
        }
    }
}

fn which_lanes(lanes: &Lanes, method: Method) -> String {
    let names = ["left", "right"];
    let shown = lanes.lanes.iter().zip(names).take(lanes.shown());
    let names: Vec<_> = shown
        .filter(|(lane, _)| lane.method == method && !lane.is_loaded)
        .map(|(_, name)| name)
        .collect();
    names.join(", ")
}

/// What leads a search, or why it is not what it seems.
fn idea(lane: &Lane, settings: &Settings, board: &Board) -> String {
    let replay = match &lane.replay {
        Ok(replay) => replay,
        Err(error) => return error.to_string(),
    };
    let end = replay.recording().end();
    if replay.is_at_end() && end.is_some_and(|end| end.outcome != Outcome::Complete) {
        return "no way to the goal".to_owned();
    }
    if let Some(cut) = cut_text(replay.recording()) {
        return cut;
    }
    if lane.is_loaded {
        return "as it was saved".to_owned();
    }
    if let Some(substitute) = substitute(lane.method, settings, board.is_even()) {
        return substitute.to_owned();
    }
    match lane.method {
        Method::Anytime => format!("f = g + w h, pass {}", replay.pass()),
        Method::Weighted => {
            let weights = settings.weights;
            format!("f = {} g + {} h", weights.g, weights.h)
        }
        Method::Incremental if replay.cursor() < lane.known => "what it knew".to_owned(),
        Method::Incremental if lane.known > 0 => "repairs what it knew".to_owned(),
        method => method.idea().to_owned(),
    }
}

/// The comparison in columns that fit the panel.
fn columns(table: &Table) -> String {
    let mut text = format!(
        "{:<8}{:>6}{:>6}{:>6}{:>6}{:>6}",
        "", "us", "seen", "open", "cost", "bound"
    );
    for row in &table.0 {
        let name = row.name.split_once(' ').filter(|_| row.name.len() > 8);
        let name = name.map_or(row.name, |(first, _)| first);
        let cost = if row.figures.is_complete() {
            rounded(row.cost())
        } else {
            "none".to_owned()
        };
        let counts = [row.figures.visited, row.figures.open];
        let [visited, open] = counts.map(|count| rounded(count as f64));
        let micros = rounded(row.micros());
        let bound = row.bound();
        let bound = bound.get(..4).unwrap_or(&bound);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n{name:<8}{micros:>6}{visited:>6}{open:>6}{cost:>6}{bound:>6}",
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{PathOptions, SearchScratch, find_path_recorded};
    use pursuit_lab::recording::RecordedSearch;
    use pursuit_lab::recording::Recording;
    use pursuit_lab::replay::Replay;

    #[test]
    fn every_row_of_the_comparison_is_as_wide_as_its_heading() {
        let board = Board::parse("a", "S......\n.......\n......G\n").expect("a map");
        let settings = Settings::default();
        let table = Table::of(&board, &settings).with_tables(&board, &settings);
        let columns = columns(&table);
        let mut lines = columns.lines().map(|line| line.chars().count());
        let heading = lines.next().expect("a heading");
        assert_eq!(lines.clone().count(), Method::ALL.len() + 1);
        assert!(lines.all(|width| width == heading), "{columns}");
    }

    #[test]
    fn a_recording_that_was_cut_says_so() {
        let board = Board::parse("a", "S......\n.......\n......G\n").expect("a map");
        let grid = board.grid().expect("a grid");
        let (start, goal) = (board.start, board.goal);
        let options = PathOptions::default();
        let settings = Settings::default();
        let lane = |limit| {
            let search = RecordedSearch::new(&grid, start, goal, &options);
            let mut recording = Recording::new(search).with_limit(limit);
            let scratch = &mut SearchScratch::new();
            find_path_recorded(&grid, start, goal, &options, scratch, &mut recording)
                .expect("an answer");
            Lane {
                method: Method::AStar,
                replay: Ok(Replay::new(recording)),
                known: 0,
                is_loaded: false,
            }
        };
        assert_eq!(idea(&lane(1 << 20), &settings, &board), "f = g + h");
        let cut = idea(&lane(0), &settings, &board);
        assert!(
            cut.starts_with("cut: ") && cut.ends_with(" events are missing"),
            "{cut}"
        );
    }

    #[test]
    fn large_numbers_are_short() {
        let cost = |steps| decimals(steps, 2);
        assert_eq!([41.142, 9999.99].map(cost), ["41.14", "9999.99"]);
        assert_eq!([12_345.67, 1_234_567.8].map(cost), ["12346", "1234568"]);
        let cases = [
            (0.4, "0"),
            (99_999.4, "99999"),
            (123_456.0, "123k"),
            (1_234_567.0, "1235k"),
            (50_000_000.0, "50M"),
        ];
        for (count, told) in cases {
            assert_eq!(rounded(count), told);
            assert!(told.len() <= 5, "columns run together");
        }
    }
}
