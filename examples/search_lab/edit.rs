//! The mouse on the board: left draws walls, with shift mud, right wipes; start and goal are dragged.

use bevy::prelude::*;
use pursuit::Cell;

use crate::board::{Board, Brush};
use crate::view::{GRIP, Pointer, cell_at};

/// What the mouse does until its button is let go.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drag {
    task: Option<Task>,
    last: Option<Cell>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Task {
    Draw(Brush),
    MoveStart,
    MoveGoal,
}

/// Draws along the way of the mouse, so that fast strokes have no gaps.
pub(crate) fn edit(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<Pointer>,
    mut drag: ResMut<Drag>,
    mut board: ResMut<Board>,
) {
    let is_held = buttons.any_pressed([MouseButton::Left, MouseButton::Right]);
    if !is_held || keys.any_pressed(GRIP) {
        *drag = Drag::default();
        return;
    }
    let Some(cell) = pointer.place.map(cell_at) else {
        return;
    };
    let is_new = buttons.any_just_pressed([MouseButton::Left, MouseButton::Right]);
    if is_new {
        let is_left = buttons.just_pressed(MouseButton::Left);
        let is_mud = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        drag.task = Some(task(&board, cell, is_left, is_mud));
        drag.last = None;
    }
    let Some(task) = drag.task else {
        return;
    };
    let from = drag.last.replace(cell).unwrap_or(cell);
    // Told only where anything changed: each edit is searched anew.
    let edited = board.bypass_change_detection();
    let is_changed = match task {
        Task::Draw(brush) => {
            line(from, cell).fold(false, |any, cell| edited.draw(cell, brush) | any)
        }
        Task::MoveStart => move_end(edited, cell, |board| &mut board.start),
        Task::MoveGoal => move_end(edited, cell, |board| &mut board.goal),
    };
    if is_changed {
        board.set_changed();
    }
}

fn task(board: &Board, cell: Cell, is_left: bool, is_mud: bool) -> Task {
    match (is_left, is_mud) {
        (true, _) if cell == board.start => Task::MoveStart,
        (true, _) if cell == board.goal => Task::MoveGoal,
        (true, true) => Task::Draw(Brush::Mud),
        (true, false) => Task::Draw(Brush::Wall),
        (false, _) => Task::Draw(Brush::Floor),
    }
}

fn move_end(board: &mut Board, to: Cell, end: impl Fn(&mut Board) -> &mut Cell) -> bool {
    let is_taken = to == board.start || to == board.goal;
    if is_taken || !board.is_free(to) {
        return false;
    }
    *end(board) = to;
    true
}

/// The cells of a straight stroke, both ends included.
fn line(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.abs().max(dy.abs()).max(1);
    let along = move |by: i32, step: i32| (by as f32 * step as f32 / steps as f32).round() as i32;
    (0..=steps).map(move |step| from.offset(along(dx, step), along(dy, step)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_have_no_gaps() {
        let cells: Vec<_> = line(Cell::new(0, 0), Cell::new(7, -3)).collect();
        assert_eq!(cells.first(), Some(&Cell::new(0, 0)));
        assert_eq!(cells.last(), Some(&Cell::new(7, -3)));
        let is_near =
            |leg: &[Cell]| leg[0].x.abs_diff(leg[1].x) <= 1 && leg[0].y.abs_diff(leg[1].y) <= 1;
        assert!(cells.windows(2).all(is_near));
    }

    #[test]
    fn ends_are_moved_to_free_cells_alone() {
        let mut board = Board::parse("a", "S.#G\n").expect("a map");
        assert_eq!(task(&board, board.goal, true, false), Task::MoveGoal);
        assert!(!move_end(&mut board, Cell::new(2, 0), |board| &mut board.goal));
        assert!(!move_end(&mut board, Cell::new(0, 0), |board| &mut board.goal));
        assert!(move_end(&mut board, Cell::new(1, 0), |board| &mut board.goal));
        assert_eq!(board.goal, Cell::new(1, 0));
    }
}
