//! Where things are on the screen: a camera per lane, all of which look at the same place, and one for
//! the panels above them.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{ClearColorConfig, Viewport};
use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy::ui::IsDefaultUiCamera;
use bevy::window::PrimaryWindow;
use pursuit::{Cell, CellRect};
use pursuit_examples::art::palette;
use pursuit_examples::grip::Grip;

use crate::board::Board;
use crate::lanes::{LANES, Lanes};

/// Pixels of the window that are not lanes, to the right and along the lower edge.
pub(crate) const PANEL: f32 = 304.0;
pub(crate) const BAR: f32 = 62.0;
/// Pixels between two lanes.
const GAP: f32 = 4.0;
/// Pixels along the upper edge of a lane that its sign takes.
pub(crate) const SIGN: f32 = 76.0;
/// Pixels around the board, at least, when all of it is shown.
const MARGIN: f32 = 16.0;
/// Share by which one notch of the wheel changes the zoom.
const ZOOM_STEP: f32 = 0.14;
/// Keys with which the left button moves the view and draws nothing.
pub(crate) const GRIP: [KeyCode; 2] = [KeyCode::ControlLeft, KeyCode::ControlRight];
/// Most pixels per cell.
const CLOSEST: f32 = 160.0;

/// What all lanes look at. Cells are one world unit large; rows go down.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// In the middle of each lane.
    pub(crate) center: Vec2,
    /// Pixels per cell.
    pub(crate) zoom: f32,
    /// Pixels of a lane.
    pub(crate) size: Vec2,
    /// Whether the board is to be shown whole, whatever the size of the window.
    pub(crate) is_fitted: bool,
}

impl View {
    /// All of the board, or a zoom and a place of it.
    pub(crate) fn new(zoom: Option<f32>, center: Option<Vec2>) -> Self {
        Self {
            center: center.unwrap_or(Vec2::NAN),
            zoom: zoom.unwrap_or(0.0),
            size: Vec2::ONE,
            is_fitted: zoom.is_none(),
        }
    }

    /// The cells that can be seen, those at the rim included.
    pub(crate) fn cells(&self, board: &Board) -> CellRect {
        let half = self.size / self.zoom / 2.0;
        let min = self.center + Vec2::new(-half.x, half.y);
        let max = self.center + Vec2::new(half.x, -half.y);
        let (min, max) = (cell_at(min), cell_at(max).offset(1, 1));
        CellRect::new(min, max).intersect(&board.rect())
    }

    /// Looks at all of the board.
    fn fit(&mut self, board: &Board) {
        let board = Vec2::new(board.width() as f32, board.height() as f32);
        let room = self.size - Vec2::new(2.0 * MARGIN, 2.0 * MARGIN + SIGN);
        self.zoom = (room.max(Vec2::ONE) / board).min_element().min(CLOSEST);
        self.center = Vec2::new(board.x, -board.y) / 2.0;
        // The sign above takes its part.
        self.center.y += SIGN / 2.0 / self.zoom;
    }
}

/// The middle of a cell in the world.
pub(crate) fn middle(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32 + 0.5, -(cell.y as f32) - 0.5)
}

/// The cell at a place in the world, inside of the board or not.
pub(crate) fn cell_at(place: Vec2) -> Cell {
    Cell::new(place.x.floor() as i32, (-place.y).floor() as i32)
}

/// On which layer a lane is drawn.
pub(crate) fn layer(lane: usize) -> RenderLayers {
    RenderLayers::layer(lane + 1)
}

/// A camera over a lane, from the left on.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneCamera(pub(crate) usize);

/// Where the mouse points.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pointer {
    /// In the world; `None` outside of the lanes.
    pub(crate) place: Option<Vec2>,
}

pub(crate) fn spawn_cameras(mut commands: Commands) {
    for lane in 0..LANES {
        commands.spawn((
            LaneCamera(lane),
            Camera2d,
            Camera {
                order: lane as isize,
                ..default()
            },
            layer(lane),
        ));
    }
    commands.spawn((
        Camera2d,
        Camera {
            order: LANES as isize,
            clear_color: ClearColorConfig::None,
            ..default()
        },
        IsDefaultUiCamera,
        RenderLayers::none(),
    ));
}

/// The rectangle of a lane in the window, in logical pixels from the upper left corner.
pub(crate) fn lane_rect(window: Vec2, lane: usize, shown: usize) -> Rect {
    let room = (window - Vec2::new(PANEL, BAR)).max(Vec2::splat(2.0));
    let width = (room.x - GAP * (shown as f32 - 1.0)) / shown as f32;
    let left = lane as f32 * (width + GAP);
    Rect::new(left, 0.0, left + width.max(1.0), room.y)
}

/// Gives each lane its part of the window, and the view to its camera.
pub(crate) fn place_cameras(
    window: Single<&Window, With<PrimaryWindow>>,
    board: Res<Board>,
    lanes: Res<Lanes>,
    mut view: ResMut<View>,
    mut cameras: Query<(&LaneCamera, &mut Camera, &mut Transform, &mut Projection)>,
) {
    let shown = lanes.shown();
    let size = lane_rect(window.size(), 0, shown).size();
    let mut wanted = View { size, ..*view };
    if wanted.is_fitted {
        wanted.fit(&board);
    } else if wanted.center.is_nan() {
        wanted.center = (middle(board.start) + middle(board.goal)) / 2.0;
    }
    view.set_if_neq(wanted);
    let factor = window.scale_factor();
    for (of, mut camera, mut transform, mut projection) in &mut cameras {
        let is_shown = of.0 < shown;
        // One that is not shown has no layer to draw; it must not be switched off, for pictures switch on all.
        let rect = lane_rect(window.size(), of.0.min(shown - 1), shown);
        camera.viewport = Some(Viewport {
            physical_position: (rect.min * factor).as_uvec2(),
            physical_size: (rect.size() * factor).as_uvec2().max(UVec2::ONE),
            ..default()
        });
        camera.order = if is_shown { of.0 as isize } else { -1 };
        // The first one that draws clears the window.
        let is_first = if shown == LANES { of.0 == 0 } else { !is_shown };
        camera.clear_color = if is_first {
            ClearColorConfig::Custom(palette::VOID)
        } else {
            ClearColorConfig::None
        };
        transform.translation = view.center.extend(transform.translation.z);
        if let Projection::Orthographic(projection) = &mut *projection {
            projection.scale = 1.0 / view.zoom;
        }
    }
}

/// Where the mouse points, in the lane that it is over.
pub(crate) fn point(
    window: Single<&Window, With<PrimaryWindow>>,
    lanes: Res<Lanes>,
    view: Res<View>,
    mut pointer: ResMut<Pointer>,
) {
    let place = window.cursor_position().and_then(|cursor| {
        let mut rects =
            (0..lanes.shown()).map(|lane| lane_rect(window.size(), lane, lanes.shown()));
        let rect = rects.find(|rect| rect.contains(cursor))?;
        let from_center = (cursor - rect.center()) / view.zoom;
        Some(view.center + Vec2::new(from_center.x, -from_center.y))
    });
    pointer.set_if_neq(Pointer { place });
}

/// Wheel: zooms about the mouse. Middle button, or a grip with the left one: moves the view. F: shows all.
pub(crate) fn move_view(
    window: Single<&Window, With<PrimaryWindow>>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Res<Pointer>,
    mut wheel: MessageReader<MouseWheel>,
    mut grip: Local<Grip>,
    mut view: ResMut<View>,
) {
    let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
    if let (Some(place), true) = (pointer.place, notches != 0.0) {
        let before = view.zoom;
        view.zoom = (before * (1.0 + ZOOM_STEP).powf(notches)).clamp(0.1, CLOSEST);
        let share = before / view.zoom;
        view.center = place + (view.center - place) * share;
        view.is_fitted = false;
    }
    let grips = [MouseButton::Middle, MouseButton::Left];
    let holds = buttons.pressed(MouseButton::Middle) || keys.any_pressed(GRIP);
    let cursor = window.cursor_position();
    let held = cursor.filter(|_| holds && pointer.place.is_some());
    grip.take(buttons.any_just_pressed(grips), held);
    let drag = grip.drag(cursor);
    if buttons.any_pressed(grips) && drag != Vec2::ZERO {
        let by = Vec2::new(-drag.x, drag.y) / view.zoom;
        view.center += by;
        view.is_fitted = false;
    }
    if keys.just_pressed(KeyCode::KeyF) {
        view.is_fitted = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_lie_side_by_side_left_of_the_panel() {
        let window = Vec2::new(1280.0, 720.0);
        let [left, right] = [0, 1].map(|lane| lane_rect(window, lane, 2));
        assert_eq!(left.size(), right.size());
        assert_eq!(right.min.x - left.max.x, GAP);
        assert_eq!((right.max.x, right.max.y), (1280.0 - PANEL, 720.0 - BAR));
        assert_eq!(lane_rect(window, 0, 1).max, right.max);
    }

    #[test]
    fn a_fitted_view_shows_all_cells() {
        let board = Board::parse("a", "S....G....\n").expect("a map");
        let mut view = View::new(None, None);
        view.size = Vec2::new(500.0, 600.0);
        view.fit(&board);
        assert_eq!(view.cells(&board), board.rect());
        assert_eq!(cell_at(middle(Cell::new(3, 7))), Cell::new(3, 7));
    }
}
