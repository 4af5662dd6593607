//! The mouse on the board: left draws walls, with Shift mud, right wipes; start and goal are dragged.

use bevy::prelude::*;
use pursuit::Cell;

use super::board::{Board, FLOOR, MUD, WALL};
use super::view::{GRIP, View, cell_at};
use crate::window::Stage;

/// What the mouse does until its button is let go.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Task {
    /// Draws cells of that cost.
    Draw(u8),
    MoveStart,
    MoveGoal,
}

pub(crate) fn add(app: &mut App) {
    app.add_systems(Update, (edit, clear).in_set(Stage::Edit));
}

fn clear(keys: Res<ButtonInput<KeyCode>>, mut board: ResMut<Board>) {
    if keys.just_pressed(KeyCode::KeyX) {
        board.clear();
    }
}

/// Draws along the way of the mouse, so that fast strokes have no gaps.
fn edit(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    view: Res<View>,
    mut drag: Local<Option<(Task, Cell)>>,
    mut board: ResMut<Board>,
) {
    let tools = [MouseButton::Left, MouseButton::Right];
    if !buttons.any_pressed(tools) || keys.any_pressed(GRIP) {
        *drag = None;
        return;
    }
    let Some(cell) = view.pointer.map(cell_at) else {
        return;
    };
    if buttons.any_just_pressed(tools) {
        let is_mud = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        let task = match buttons.just_pressed(MouseButton::Left) {
            true if cell == board.start => Task::MoveStart,
            true if cell == board.goal => Task::MoveGoal,
            true => Task::Draw(if is_mud { MUD } else { WALL }),
            false => Task::Draw(FLOOR),
        };
        *drag = Some((task, cell));
    }
    let Some((task, last)) = &mut *drag else {
        return;
    };
    let from = std::mem::replace(last, cell);
    // A change starts searches, so only a real one is noted.
    let edited = board.bypass_change_detection();
    let is_free = edited.cost(cell) != WALL && cell != edited.start && cell != edited.goal;
    let is_changed = match task {
        Task::Draw(cost) => {
            line(from, cell).fold(false, |any, cell| edited.draw(cell, *cost) | any)
        }
        Task::MoveStart if is_free => {
            edited.start = cell;
            true
        }
        Task::MoveGoal if is_free => {
            edited.goal = cell;
            true
        }
        _ => false,
    };
    if is_changed {
        board.set_changed();
    }
}

/// The cells of a straight stroke, both ends included.
fn line(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.abs().max(dy.abs()).max(1);
    let along = move |by: i32, step: i32| (by as f32 * step as f32 / steps as f32).round() as i32;
    (0..=steps).map(move |step| from.offset(along(dx, step), along(dy, step)))
}
