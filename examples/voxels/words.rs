//! All that is written on the screen and changes.

use bevy::prelude::*;
use pursuit_examples::replays::{Replays, cut_text};

use crate::level::Level;
use crate::race::{Board, Race};
use crate::solve::Method;
use crate::terrain::Cut;

/// What a text tells.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word {
    /// Its name and size.
    Map,
    /// How the body moves.
    Gait,
    /// What is saved, and what became of it.
    Note,
    Unit,
    /// Of a board: which search it is.
    Name(usize),
    /// Of a board: what leads it, or what became of it.
    Idea(usize),
    /// Of a board: one of its counts.
    Count(usize, Count),
    /// Whether it plays, and how fast.
    Speed,
    /// How far it is.
    Cursor,
}

/// A number on the sign of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Expanded,
    Pushed,
    Relaxed,
    Cost,
    Micros,
}

impl Count {
    /// From the left on.
    pub(crate) const ALL: [Self; 5] = [
        Self::Expanded,
        Self::Pushed,
        Self::Relaxed,
        Self::Cost,
        Self::Micros,
    ];

    /// What it counts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Expanded => "expanded",
            Self::Pushed => "pushed",
            Self::Relaxed => "relaxed",
            Self::Cost => "cost",
            Self::Micros => "microseconds",
        }
    }

    /// As the replay of a board has it where it stands. The cost is known when it is over.
    pub(crate) fn of(self, board: &Board) -> String {
        let counts = board.replay.counts();
        match self {
            Self::Expanded => counts.expanded.to_string(),
            Self::Pushed => counts.pushed.to_string(),
            Self::Relaxed => counts.relaxed.to_string(),
            Self::Cost if board.replay.is_at_end() => board.cost.to_string(),
            Self::Cost => "...".to_owned(),
            Self::Micros => format!("{:.1}", board.took.as_secs_f64() * 1e6),
        }
    }
}

/// What became of saving a search.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Note(pub(crate) String);

/// Writes all texts whose words changed.
pub(crate) fn write_words(
    level: Res<Level>,
    race: Res<Race>,
    cut: Res<Cut>,
    note: Res<Note>,
    mut texts: Query<(&Word, &mut Text)>,
) {
    if !(level.is_changed() || race.is_changed() || cut.is_changed() || note.is_changed()) {
        return;
    }
    for (word, mut text) in &mut texts {
        let words = match *word {
            Word::Map => map(&level, cut.0),
            Word::Gait => format!("{}: {}", race.gait.name(), race.gait.idea()),
            Word::Note if note.0.is_empty() => "save A*, with Shift Dijkstra".to_owned(),
            Word::Note => note.0.clone(),
            Word::Unit => format!("a step is {}", race.speed().unit_text()),
            Word::Name(board) => Method::ALL[board].name().to_owned(),
            Word::Idea(board) => idea(&race, board),
            Word::Count(board, count) => {
                let board = race.boards().get(board);
                board.map_or("-".to_owned(), |board| count.of(board))
            }
            Word::Speed => race.speed_text(),
            Word::Cursor => race.cursor_text(),
        };
        if text.0 != words {
            text.0 = words;
        }
    }
}

fn map(level: &Level, cut: i32) -> String {
    let [columns, rows, layers] = level.grid.size();
    let size = format!("{}, {columns} x {rows} x {layers} cubes", level.name);
    if cut < layers as i32 {
        format!("{size}, {cut} shown")
    } else {
        size
    }
}

/// What leads a search, or why there is no path.
pub(crate) fn idea(race: &Race, board: usize) -> String {
    match &race.boards {
        Err(error) => error.to_string(),
        Ok(boards) => {
            let board = &boards[board];
            if board.replay.is_at_end() && !board.is_complete {
                return "no way to the goal".to_owned();
            }
            if board.is_loaded {
                return "as it was saved".to_owned();
            }
            let cut = cut_text(board.replay.recording());
            cut.unwrap_or_else(|| board.method.idea().to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hill::hill;
    use crate::race::Shown;
    use crate::solve::Gait;

    #[test]
    fn the_cost_is_told_when_the_search_is_over() {
        let level = hill().expect("a good size");
        let mut race = Race::new(&level, Gait::Fly, Shown::Both, 0.0);
        assert!(
            race.boards()
                .iter()
                .all(|board| Count::Cost.of(board) == "...")
        );
        race.seek(1.0);
        let costs: Vec<String> = race
            .boards()
            .iter()
            .map(|board| Count::Cost.of(board))
            .collect();
        assert_eq!(costs[0], costs[1]);
        assert_ne!(Count::Expanded.of(&race.boards()[0]), "0");
    }

    #[test]
    fn what_nobody_can_search_says_why() {
        let level = Level::parse("a", "S#G").expect("a level");
        let mut race = Race::new(&level, Gait::Walk, Shown::Both, 1.0);
        assert_eq!(idea(&race, 0), "no way to the goal");
        let level = Level::parse("a", "..\n\nS.\n\n.G").expect("a level");
        race.run_again(&level, Gait::Walk);
        assert!(idea(&race, 1).contains("blocked"), "{}", idea(&race, 1));
    }
}
