//! The keys.

use std::fs;
use std::path::PathBuf;

use bevy::prelude::*;

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
            note.0 = "a large map: C compares".to_owned();
        }
    } else if is_asked || *is_due && !is_drawn {
        *is_due = false;
        let searches = Table::of(&board, &settings);
        *table = if is_asked || board.costs().len() <= BAKED {
            searches.with_tables(&board, &settings)
        } else {
            searches
        };
        note.0.clear();
    }
    if is_asked {
        note.0 = match fs::write(&files.csv, table.csv()) {
            Ok(()) => format!("saved {}", files.csv.display()),
            Err(error) => format!("{}: {error}", files.csv.display()),
        };
    }
}
