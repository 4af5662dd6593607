//! Handles the keys, and map files that are dropped on the window.

use std::path::{Path, PathBuf};

use bevy::input::keyboard::KeyboardInput;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;

use super::lanes::Lanes;
use super::panel::Note;
use super::problem::Problem;
use super::saved;
use super::settings::Settings;
use super::table::Table;

/// If the searches have more events than this, they are compared on request, not after every edit.
const MAX_COMPARED_EVENTS: u32 = 200_000;

const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];
const METHOD_KEYS: [KeyCode; 8] = {
    use KeyCode::{Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8};
    [
        Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8,
    ]
};

/// The file to which the comparison is saved, and the next built-in map.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Files {
    pub(crate) csv: PathBuf,
    pub(crate) level: usize,
}

/// Handles the keys that play, step, and change the pace. A held arrow key repeats its step.
pub(crate) fn handle_play_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut inputs: MessageReader<KeyboardInput>,
    mut lanes: ResMut<Lanes>,
) {
    let is_back = keys.any_pressed(SHIFT);
    for input in inputs.read().filter(|input| input.state.is_pressed()) {
        match input.key_code {
            KeyCode::ArrowLeft => lanes.step(false),
            KeyCode::ArrowRight => lanes.step(true),
            _ if input.repeat => continue,
            KeyCode::Space | KeyCode::KeyP => lanes.toggle(),
            KeyCode::Home => lanes.seek(0.0),
            KeyCode::End => {
                lanes.pause();
                lanes.seek(1.0);
            }
            KeyCode::ArrowUp => lanes.speed.change_pace(true),
            KeyCode::ArrowDown => lanes.speed.change_pace(false),
            KeyCode::KeyE => lanes.speed.change_unit(),
            KeyCode::KeyL => lanes.speed.change_slow_motion(is_back),
            KeyCode::KeyW => lanes.speed.change_pause(is_back),
            _ => continue,
        }
        lanes.set_speed();
    }
}

/// Handles the keys that choose algorithms, rules, ends and maps.
pub(crate) fn handle_choice_keys<P: Problem>(
    keys: Res<ButtonInput<KeyCode>>,
    mut files: ResMut<Files>,
    mut lanes: ResMut<Lanes>,
    mut settings: ResMut<Settings>,
    mut problem: ResMut<P>,
) {
    let is_shifted = keys.any_pressed(SHIFT);
    for (key, &method) in METHOD_KEYS.into_iter().zip(P::METHODS) {
        if keys.just_pressed(key) {
            lanes.choose(usize::from(is_shifted), method);
        }
    }
    for &rule in P::RULES {
        if keys.just_pressed(rule.key().0) {
            settings.change(rule, is_shifted);
        }
    }
    if keys.just_pressed(KeyCode::Tab) {
        lanes.alone = !lanes.alone;
    }
    if keys.just_pressed(KeyCode::KeyM) {
        *problem = P::built_in(files.level);
        files.level = (files.level + 1) % P::LEVELS;
    }
    if keys.just_pressed(KeyCode::KeyR) {
        let ends = fastrand::choose_multiple(problem.places(&settings), 2);
        if let [start, goal] = ends[..] {
            problem.set_ends([start, goal]);
        }
    }
}

/// Opens a map that is dropped on the window, or says why not.
pub(crate) fn open_dropped<P: Problem>(
    mut dropped: MessageReader<FileDragAndDrop>,
    mut problem: ResMut<P>,
    mut note: ResMut<Note>,
) {
    for message in dropped.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = message {
            note.0 = match saved::load_map(path_buf) {
                Ok(map) => {
                    *problem = map;
                    String::new()
                }
                Err(reason) => reason,
            };
        }
    }
}

/// Saves the search of the left algorithm or, with Shift, of the right one.
pub(crate) fn save_replay<P: Problem>(
    keys: Res<ButtonInput<KeyCode>>,
    problem: Res<P>,
    lanes: Res<Lanes>,
    mut note: ResMut<Note>,
) {
    if !keys.just_pressed(KeyCode::KeyS) {
        return;
    }
    let lane = &lanes.lanes[usize::from(keys.any_pressed(SHIFT))];
    let replay = lane.replay.as_ref().map_err(Clone::clone);
    let path = Path::new("lab.recording");
    let saved = replay.and_then(|replay| saved::save(path, replay.recording(), &*problem));
    note.0 = result_text(path, saved);
}

/// A message about the result of saving a file.
fn result_text(path: &Path, result: Result<(), String>) -> String {
    match result {
        Ok(()) => format!("saved {}", path.display()),
        Err(reason) => reason,
    }
}

/// Compares all algorithms when the map has changed and no mouse button is held any longer. On C, compares them
/// immediately, even on a large map, and saves the comparison.
pub(crate) fn compare_methods<P: Problem>(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    problem: Res<P>,
    settings: Res<Settings>,
    lanes: Res<Lanes>,
    files: Res<Files>,
    mut is_due: Local<bool>,
    mut table: ResMut<Table>,
    mut note: ResMut<Note>,
) {
    *is_due |= problem.is_changed() || settings.is_changed();
    let is_asked = keys.just_pressed(KeyCode::KeyC);
    let is_drawn = buttons.any_pressed([MouseButton::Left, MouseButton::Right]);
    if !is_asked && (!*is_due || is_drawn) {
        return;
    }
    *is_due = false;
    if lanes.events() > MAX_COMPARED_EVENTS && !is_asked {
        *table = Table::default();
        note.0 = "a large map: C compares".to_owned();
        return;
    }
    *table = Table::of(&*problem, &settings).with_tables(&*problem, &settings);
    if is_asked {
        note.0 = result_text(&files.csv, saved::write(&files.csv, table.csv().as_bytes()));
    }
}
