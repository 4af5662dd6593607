//! The view of the lanes: all lanes show the same part of the map, each in its own picture. The left mouse button draws
//! walls, or mud with Shift, and drags the start and the goal. The right button erases.

use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit::{Cell, CellRect};

use super::super::cli::Options;
use super::super::lanes::Lanes;
use super::super::problem::Problem;
use super::super::window::{LaneCamera, SIGN_HEIGHT, Stage, lane_at, lane_rect};
use super::board::{Board, FLOOR, MUD, WALL};
use super::{canvas, strokes};

/// Minimum number of pixels around the board when the whole board is shown.
const BOARD_MARGIN: f32 = 16.0;
/// Share by which a notch of the wheel changes the zoom.
const ZOOM_STEP: f32 = 0.14;
/// Maximum number of pixels per cell.
const MAX_ZOOM: f32 = 160.0;
/// Keys that make the left button move the view instead of drawing.
pub(crate) const MOVE_KEYS: [KeyCode; 2] = [KeyCode::ControlLeft, KeyCode::ControlRight];

/// The view of all lanes. Cells are one world unit large, and rows go down.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// The place in the middle of each lane, in the world.
    pub(crate) center: Vec2,
    /// Pixels per cell.
    pub(crate) zoom: f32,
    /// Size of a lane, in pixels.
    size: Vec2,
    /// Whether the whole board is shown, whatever the size of the window.
    is_fitted: bool,
    /// Columns and rows of the board.
    board: Vec2,
    /// Where the mouse points, in the world; `None` outside of the lanes.
    pub(crate) pointer: Option<Vec2>,
}

pub(crate) fn add(app: &mut App, options: &Options) {
    let center = match options.center[..] {
        [x, y] => middle(Cell::new(x, y)),
        _ => Vec2::NAN,
    };
    let edit = (move_view, edit_board, clear_board).chain();
    app.insert_resource(View {
        center,
        zoom: options.zoom.unwrap_or(0).into(),
        size: Vec2::ONE,
        is_fitted: options.zoom.is_none(),
        board: Vec2::ZERO,
        pointer: None,
    })
    .add_systems(Update, edit.in_set(Stage::Edit))
    .add_systems(Update, update_view.in_set(Stage::Look));
    canvas::add(app);
    strokes::add(app);
}

impl View {
    /// The cells that can be seen, even partly.
    pub(crate) fn cells(&self, board: &Board) -> CellRect {
        let half = self.size / self.zoom / 2.0;
        let min = self.center + Vec2::new(-half.x, half.y);
        let max = self.center + Vec2::new(half.x, -half.y);
        let (min, max) = (cell_at(min), cell_at(max).offset(1, 1));
        CellRect::new(min, max).intersect(&board.rect())
    }

    /// Pixels per cell when the whole board is shown.
    fn fitting_zoom(&self) -> f32 {
        let room = self.size - Vec2::new(2.0 * BOARD_MARGIN, 2.0 * BOARD_MARGIN + SIGN_HEIGHT);
        let zoom = room.max(Vec2::ONE) / self.board;
        zoom.min_element().min(MAX_ZOOM)
    }

    /// Shows the whole board.
    fn fit(&mut self) {
        self.zoom = self.fitting_zoom();
        self.center = self.board * Vec2::new(0.5, -0.5);
        // The sign above the lane takes a part of the height.
        self.center.y += SIGN_HEIGHT / 2.0 / self.zoom;
    }
}

/// The middle of a cell in the world.
pub(crate) fn middle(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32 + 0.5, -(cell.y as f32) - 0.5)
}

/// The cell at a point in the world, which may lie outside of the board.
pub(crate) fn cell_at(place: Vec2) -> Cell {
    Cell::new(place.x.floor() as i32, (-place.y).floor() as i32)
}

/// The offset of the picture of a lane, so far from other lanes that their cameras do not see it.
pub(crate) fn lane_origin(lane: usize, board: &Board) -> Vec2 {
    let side = board.width.max(board.height) as f32;
    Vec2::X * lane as f32 * 6.0 * (side + 64.0)
}

/// The wheel zooms about the mouse. The middle button, or the left one with Ctrl, moves the view. F shows the whole
/// board.
fn move_view(
    window: Single<&Window, With<PrimaryWindow>>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    lanes: Res<Lanes>,
    mut wheel: MessageReader<MouseWheel>,
    mut held: Local<Option<Vec2>>,
    mut view: ResMut<View>,
) {
    let mut next = *view;
    let cursor = window.cursor_position();
    let point = |view: &View| {
        let cursor = cursor?;
        let (_, rect) = lane_at(&window, cursor, lanes.shown())?;
        Some(view.center + (cursor - rect.center()) / view.zoom * Vec2::new(1.0, -1.0))
    };
    let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
    if let (Some(place), true) = (point(&next), notches != 0.0) {
        let wanted = next.zoom * (1.0 + ZOOM_STEP).powf(notches);
        let share = next.zoom / wanted.clamp(next.fitting_zoom() / 2.0, MAX_ZOOM);
        next.zoom /= share;
        next.center = place + (next.center - place) * share;
        next.is_fitted = false;
    }
    let is_gripped = buttons.pressed(MouseButton::Left) && keys.any_pressed(MOVE_KEYS);
    let is_held = buttons.pressed(MouseButton::Middle) || is_gripped;
    let from = held.filter(|_| is_held);
    *held = cursor.filter(|_| is_held && (from.is_some() || point(&next).is_some()));
    if let (Some(from), Some(to)) = (from, *held)
        && from != to
    {
        next.center += (to - from) / next.zoom * Vec2::new(-1.0, 1.0);
        let [min, max] = [-next.board * Vec2::Y, next.board * Vec2::X];
        next.center = next.center.clamp(min, max);
        next.is_fitted = false;
    }
    next.is_fitted |= keys.just_pressed(KeyCode::KeyF);
    next.pointer = point(&next);
    view.set_if_neq(next);
}

/// Moves the cameras to the view. A board of another size is shown whole.
fn update_view(
    window: Single<&Window, With<PrimaryWindow>>,
    board: Res<Board>,
    lanes: Res<Lanes>,
    mut view: ResMut<View>,
    mut cameras: Query<(&LaneCamera, &mut Transform, &mut Projection)>,
) {
    let size = lane_rect(window.size(), 0, lanes.shown()).size();
    let sides = Vec2::new(board.width as f32, board.height as f32);
    let mut next = View {
        size,
        board: sides,
        ..*view
    };
    next.is_fitted |= view.board != Vec2::ZERO && view.board != sides;
    if next.is_fitted {
        next.fit();
    } else if next.center.is_nan() {
        next.center = (middle(board.start) + middle(board.goal)) / 2.0;
    }
    view.set_if_neq(next);
    for (of, mut transform, mut projection) in &mut cameras {
        let center = next.center + lane_origin(of.0, &board);
        transform.translation = center.extend(transform.translation.z);
        if let Projection::Orthographic(projection) = &mut *projection {
            projection.scale = 1.0 / next.zoom;
        }
    }
}

/// What the mouse does until its button is released.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Task {
    /// Draws cells of this cost.
    Draw(u8),
    /// Drags the start, 0, or the goal, 1.
    Move(usize),
}

fn clear_board(keys: Res<ButtonInput<KeyCode>>, mut board: ResMut<Board>) {
    if keys.just_pressed(KeyCode::KeyX) {
        board.clear();
    }
}

/// Draws along the path of the mouse, so that fast strokes have no gaps.
fn edit_board(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    view: Res<View>,
    mut drag: Local<Option<(Task, Cell)>>,
    mut board: ResMut<Board>,
) {
    let tools = [MouseButton::Left, MouseButton::Right];
    if !buttons.any_pressed(tools) || keys.any_pressed(MOVE_KEYS) {
        *drag = None;
        return;
    }
    let Some(cell) = view.pointer.map(cell_at) else {
        return;
    };
    if buttons.any_just_pressed(tools) {
        let is_mud = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        let end = board.ends().iter().position(|end| *end == cell);
        let task = match (buttons.just_pressed(MouseButton::Left), end) {
            (true, Some(end)) => Task::Move(end),
            (true, None) => Task::Draw(if is_mud { MUD } else { WALL }),
            (false, _) => Task::Draw(FLOOR),
        };
        *drag = Some((task, cell));
    }
    let Some((task, last)) = &mut *drag else {
        return;
    };
    let from = std::mem::replace(last, cell);
    // A change starts searches, so only a real change is marked.
    let edited = board.bypass_change_detection();
    let mut ends = edited.ends();
    let is_changed = match *task {
        Task::Draw(cost) => line(from, cell).fold(false, |any, at| edited.draw(at, cost) | any),
        Task::Move(end) if edited.cost(cell) != WALL && !ends.contains(&cell) => {
            ends[end] = cell;
            edited.set_ends(ends);
            true
        }
        Task::Move(_) => false,
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
