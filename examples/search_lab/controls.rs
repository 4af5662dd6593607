//! The keys.

use std::fs;
use std::path::PathBuf;

use bevy::prelude::*;
use pursuit::DiagonalPolicy;

use crate::board::Board;
use crate::lanes::Lanes;
use crate::levels;
use crate::method::{Method, Settings};
use crate::saved;
use crate::table::Table;
use crate::view::View;
use crate::words::Note;

/// Maps of more cells than that are compared when asked for, not after every edit.
const LARGE: usize = 120_000;
/// Maps of more cells than that have tables baked when asked for, not after every edit: that may take as long as
/// all searches together.
const BAKED: usize = 20_000;

/// Where things are saved, and which built-in map is next.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Files {
    /// For key C.
    pub(crate) csv: PathBuf,
    /// For key S.
    pub(crate) recording: PathBuf,
    /// For key M.
    pub(crate) level: usize,
}

/// Which algorithms, and by which rules.
pub(crate) fn choose(
    keys: Res<ButtonInput<KeyCode>>,
    mut lanes: ResMut<Lanes>,
    mut settings: ResMut<Settings>,
) {
    let is_shifted = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let digits = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
        KeyCode::Digit8,
    ];
    for (key, method) in digits.into_iter().zip(Method::ALL) {
        if keys.just_pressed(key) {
            lanes.choose(usize::from(is_shifted), method);
        }
    }
    if keys.just_pressed(KeyCode::Tab) {
        lanes.alone = !lanes.alone;
    }
    let by = if is_shifted { -1 } else { 1 };
    if keys.just_pressed(KeyCode::KeyH) {
        settings.next_heuristic();
    }
    if keys.just_pressed(KeyCode::KeyN) {
        settings.next_neighbors();
    }
    if keys.just_pressed(KeyCode::KeyD) {
        settings.next_diagonals();
    }
    if keys.just_pressed(KeyCode::KeyT) {
        settings.next_ties();
    }
    if keys.just_pressed(KeyCode::KeyG) {
        settings.change_g(by);
    }
    if keys.just_pressed(KeyCode::KeyK) {
        settings.change_h(by);
    }
}

/// Another map, or none of its walls.
pub(crate) fn change_map(
    keys: Res<ButtonInput<KeyCode>>,
    mut files: ResMut<Files>,
    mut board: ResMut<Board>,
    mut view: ResMut<View>,
) {
    if keys.just_pressed(KeyCode::KeyM) {
        *board = levels::built_in(files.level);
        files.level = (files.level + 1) % levels::COUNT;
        view.is_fitted = true;
    }
    if keys.just_pressed(KeyCode::KeyX) {
        board.clear();
    }
}

/// Saves what the left algorithm did; with Shift, the right one.
pub(crate) fn save_replay(
    keys: Res<ButtonInput<KeyCode>>,
    board: Res<Board>,
    lanes: Res<Lanes>,
    files: Res<Files>,
    mut note: ResMut<Note>,
) {
    if !keys.just_pressed(KeyCode::KeyS) {
        return;
    }
    let is_shifted = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    note.0 = match &lanes.lanes[usize::from(is_shifted)].replay {
        Ok(replay) => match saved::save(&files.recording, replay.recording(), &board) {
            Ok(()) => format!("saved {}", files.recording.display()),
            Err(reason) => reason,
        },
        Err(error) => format!("nothing to save: {error}"),
    };
}

/// Whether tables can be baked of a map, by these rules.
fn can_bake(board: &Board, settings: &Settings) -> bool {
    board.is_even() && settings.policy() == DiagonalPolicy::NoCornerCut
}

/// Compares all algorithms when the map rests after a change; on C at once, with tables whatever they take, and saves
/// that.
pub(crate) fn compare(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    board: Res<Board>,
    settings: Res<Settings>,
    files: Res<Files>,
    mut is_due: Local<bool>,
    mut table: ResMut<Table>,
    mut note: ResMut<Note>,
) {
    *is_due |= board.is_changed() || settings.is_changed();
    let is_asked = keys.just_pressed(KeyCode::KeyC);
    let is_drawn = buttons.any_pressed([MouseButton::Left, MouseButton::Right]);
    let is_large = board.costs().len() > LARGE;
    if *is_due && is_large && !is_asked {
        if !table.0.is_empty() {
            *table = Table::default();
        }
        if note.0.is_empty() {
            note.0 = "a large map: C compares, with tables".to_owned();
        }
    } else if is_asked || *is_due && !is_drawn {
        *is_due = false;
        let searches = Table::of(&board, &settings);
        let is_baked = is_asked || board.costs().len() <= BAKED;
        *table = if is_baked {
            searches.with_tables(&board, &settings)
        } else {
            searches
        };
        note.0.clear();
        if !is_baked && can_bake(&board, &settings) {
            note.0.push_str("C adds a row: answers from tables");
        }
    }
    if is_asked {
        note.0 = match fs::write(&files.csv, table.csv()) {
            Ok(()) => format!("saved {}", files.csv.display()),
            Err(error) => format!("{}: {error}", files.csv.display()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the note says after a comparison of open floor with so many columns and rows, and how many rows that has.
    fn compared((columns, rows): (usize, usize), key: Option<KeyCode>) -> (String, usize) {
        let mut app = App::new();
        let row = |first: &str| format!("{first}{}\n", ".".repeat(columns - 1));
        let map = row("S") + &row(".").repeat(rows - 2) + &row("G");
        let csv = format!("pursuit-compared-{}-{columns}.csv", std::process::id());
        let mut keys = ButtonInput::<KeyCode>::default();
        keys.press(key.unwrap_or(KeyCode::ShiftLeft));
        let csv = std::env::temp_dir().join(csv);
        app.insert_resource(Board::parse("a", &map).expect("a map"))
            .init_resource::<Settings>()
            .init_resource::<ButtonInput<MouseButton>>()
            .insert_resource(keys)
            .insert_resource(Files {
                csv: csv.clone(),
                recording: PathBuf::new(),
                level: 0,
            })
            .init_resource::<Table>()
            .init_resource::<Note>()
            .add_systems(Update, compare);
        app.update();
        let _ = fs::remove_file(csv);
        let note = app.world().resource::<Note>().0.clone();
        (note, app.world().resource::<Table>().0.len())
    }

    #[test]
    fn a_map_too_large_to_be_baked_unasked_says_which_key_does_it() {
        let all = Method::ALL.len();
        assert_eq!(compared((20, 10), None), (String::new(), all + 1));
        let (note, rows) = compared((210, 100), None);
        assert_eq!(
            (note.as_str(), rows),
            ("C adds a row: answers from tables", all)
        );
        let (note, rows) = compared((210, 100), Some(KeyCode::KeyC));
        assert!(note.starts_with("saved ") && rows == all + 1, "{note}");
    }

    #[test]
    fn nothing_is_said_of_tables_where_none_can_be_baked() {
        let mut board = Board::parse("a", "S..\n..G\n").expect("a map");
        let mut settings = Settings::default();
        assert!(can_bake(&board, &settings));
        settings.next_diagonals();
        assert!(!can_bake(&board, &settings));
        board.draw(pursuit::Cell::new(1, 1), crate::board::Brush::Mud);
        assert!(!can_bake(&board, &Settings::default()));
        for (settings, board) in [(&settings, &board), (&Settings::default(), &board)] {
            assert_eq!(
                Table::default().with_tables(board, settings).0.len(),
                usize::from(can_bake(board, settings))
            );
        }
    }
}
