//! Where things are on the screen: a camera per board, all of which look at the same place from the same side, and one for
//! the panels above them.

use std::f32::consts::FRAC_PI_2;

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{ClearColorConfig, Viewport};
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy::ui::IsDefaultUiCamera;
use bevy::window::PrimaryWindow;
use pursuit_examples::art::palette;
use pursuit_examples::grip::Grip;

use crate::level::Level;
use crate::race::{BOARDS, Race};
use crate::solve::Method;

/// Pixels along the lower edge of the window that are no board.
pub(crate) const BAR: f32 = 92.0;
/// Pixels along the upper edge that the signs take.
const SIGN: f32 = 62.0;
/// Pixels between two boards.
const GAP: f32 = 3.0;
/// The level is that much larger on the picture than the ball around it would be: its corners are cut off.
const TIGHT: f32 = 0.93;
/// How wide a camera sees, in radians: little, so that cubes far away are hardly smaller.
const ANGLE: f32 = 0.42;
/// Radians per pixel that the mouse is dragged.
const TURN: f32 = 0.006;
/// Share by which one notch of the wheel changes the distance.
const ZOOM_STEP: f32 = 0.12;
/// Seconds in which the camera closes about two thirds of what it is off.
const LAG: f32 = 0.07;
/// Keys with which the left button sets the start and the goal, and turns nothing.
pub(crate) const END_KEYS: [[KeyCode; 2]; 2] = [
    [KeyCode::ShiftLeft, KeyCode::ShiftRight],
    [KeyCode::ControlLeft, KeyCode::ControlRight],
];
/// From which side the level is looked at first, and how steeply, in radians.
const FRONT_LEFT: f32 = -0.62;
const STEEP: f32 = 0.66;

/// From where the boards are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
struct View {
    /// Radians from the front, toward the right.
    turn: f32,
    /// Radians above the ground.
    rise: f32,
    /// From the focus, in times the size of the level.
    distance: f32,
    /// In the middle of the picture, in the world.
    focus: Vec3,
}

/// The view that is wanted, and the one that is shown, which follows.
#[derive(Resource, Clone, Copy, Debug)]
pub(crate) struct Orbit {
    wanted: View,
    shown: View,
    first: View,
    /// Half of the longest diagonal of the level.
    size: f32,
}

impl Orbit {
    /// All of a level, from a side in degrees, or from the front and the left.
    pub(crate) fn new(level: &Level, turn: Option<f32>) -> Self {
        let [columns, rows, layers] = level.grid.size().map(|side| side as f32);
        let first = View {
            turn: turn.map_or(FRONT_LEFT, f32::to_radians),
            rise: STEEP,
            distance: 1.0,
            focus: Vec3::new(0.0, 0.30 * layers, 0.0),
        };
        Self {
            wanted: first,
            shown: first,
            first,
            size: Vec3::new(columns, rows, layers).length() / 2.0,
        }
    }

    /// Where a camera is whose picture has that size.
    fn transform(&self, picture: Vec2) -> Transform {
        let View {
            turn,
            rise,
            distance,
            focus,
        } = self.shown;
        let away = Vec3::new(turn.sin() * rise.cos(), rise.sin(), turn.cos() * rise.cos());
        // The level fits into the smaller side of the picture, below the sign.
        let part = SIGN / picture.y.max(2.0 * SIGN);
        let fit = TIGHT * self.size / (ANGLE / 2.0).sin() / (picture.x / picture.y).min(1.0 - part);
        let view = Transform::from_translation(focus + away * distance * fit);
        let mut view = view.looking_at(focus, Vec3::Y);
        view.translation += view.up() * part * distance * fit * (ANGLE / 2.0).tan();
        view
    }
}

/// On which layer the marks of a board are. The level itself is on the one that all cameras see.
pub(crate) fn layer(board: usize) -> RenderLayers {
    RenderLayers::layer(board + 1)
}

/// How smooth the edges of cubes are. All cameras draw on one window, so they must agree.
#[derive(Resource, Clone, Copy, Debug)]
pub(crate) struct Edges(pub(crate) Msaa);

/// The camera over a board.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct BoardCamera(pub(crate) Method);

pub(crate) fn spawn_cameras(mut commands: Commands, edges: Res<Edges>) {
    for (place, method) in Method::ALL.into_iter().enumerate() {
        commands.spawn((
            BoardCamera(method),
            Camera3d::default(),
            Camera {
                order: place as isize,
                ..default()
            },
            Projection::Perspective(PerspectiveProjection {
                fov: ANGLE,
                near: 1.0,
                far: 1000.0,
                ..default()
            }),
            // Colors as they are painted.
            (Tonemapping::None, DebandDither::Disabled, edges.0),
            layer(place).with(0),
        ));
    }
    commands.spawn((
        Camera2d,
        Camera {
            order: BOARDS as isize,
            clear_color: ClearColorConfig::None,
            ..default()
        },
        IsDefaultUiCamera,
        edges.0,
        RenderLayers::none(),
    ));
}

/// The rectangle of a board in the window, in logical pixels from the upper left corner, of so many that are shown.
fn board_rect(window: Vec2, place: usize, shown: usize) -> Rect {
    let room = (window - Vec2::new(0.0, BAR)).max(Vec2::splat(4.0));
    let width = (room.x - GAP * (shown as f32 - 1.0)) / shown as f32;
    let left = place as f32 * (width + GAP);
    Rect::new(left, 0.0, left + width, room.y)
}

/// Turns, moves and zooms with the mouse.
pub(crate) fn orbit(
    time: Res<Time>,
    window: Single<&Window, With<PrimaryWindow>>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut wheel: MessageReader<MouseWheel>,
    mut grip: Local<Grip>,
    mut orbit: ResMut<Orbit>,
) {
    let before = *orbit;
    let mut wanted = before.wanted;
    let grips = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];
    let pointer = window.cursor_position();
    let is_held = |at: &Vec2| at.y < window.height() - BAR && !keys.any_pressed(END_KEYS.concat());
    grip.take(buttons.any_just_pressed(grips), pointer.filter(is_held));
    let drag = grip.drag(pointer);
    if buttons.pressed(MouseButton::Left) {
        wanted.turn -= drag.x * TURN;
        wanted.rise = (wanted.rise + drag.y * TURN).clamp(0.05, FRAC_PI_2 - 0.02);
    } else if buttons.any_pressed(grips) {
        let camera = before.transform(Vec2::ONE);
        // So that what is dragged stays under the pointer.
        let per_pixel = 2.0 * before.size * wanted.distance / window.height().max(1.0);
        let along = Vec3::new(camera.right().x, 0.0, camera.right().z).normalize_or_zero();
        let up = camera.up().as_vec3();
        wanted.focus += per_pixel * (up * drag.y - along * drag.x);
    }
    let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
    wanted.distance = (wanted.distance * (1.0 - ZOOM_STEP).powf(notches)).clamp(0.12, 4.0);
    if keys.just_pressed(KeyCode::KeyF) {
        wanted = before.first;
    }
    let share = 1.0 - (-time.delta_secs() / LAG).exp();
    let shown = follow(before.shown, wanted, share);
    if (wanted, shown) != (before.wanted, before.shown) {
        (orbit.wanted, orbit.shown) = (wanted, shown);
    }
}

/// A view that is that share of the way nearer to another one; that one itself once nobody can tell.
fn follow(from: View, to: View, share: f32) -> View {
    let next = View {
        turn: from.turn + (to.turn - from.turn) * share,
        rise: from.rise + (to.rise - from.rise) * share,
        distance: from.distance + (to.distance - from.distance) * share,
        focus: from.focus.lerp(to.focus, share),
    };
    let rest = [
        next.turn - to.turn,
        next.rise - to.rise,
        next.distance - to.distance,
        next.focus.distance(to.focus) / 10.0,
    ];
    if rest.iter().all(|rest| rest.abs() < 1e-4) {
        to
    } else {
        next
    }
}

/// Gives each camera its part of the window, and its place.
pub(crate) fn place_cameras(
    window: Single<&Window, With<PrimaryWindow>>,
    race: Res<Race>,
    orbit: Res<Orbit>,
    mut cameras: Query<(&BoardCamera, &mut Camera, &mut Transform, &mut RenderLayers)>,
) {
    let methods = Method::ALL.into_iter();
    let shown: Vec<Method> = methods.filter(|&of| race.shown.has(of)).collect();
    let scale = window.scale_factor();
    for (of, mut camera, mut transform, mut layers) in &mut cameras {
        let place = shown.iter().position(|&method| method == of.0);
        let rect = board_rect(window.size(), place.unwrap_or(0), shown.len());
        camera.viewport = Some(Viewport {
            physical_position: (rect.min * scale).as_uvec2(),
            physical_size: (rect.size() * scale).as_uvec2().max(UVec2::ONE),
            ..default()
        });
        // One that is not shown sees nothing; it must not be switched off, for pictures switch on all. It draws first,
        // and who draws first clears the window.
        camera.order = place.map_or(-1, |place| place as isize);
        let is_first = if shown.len() == BOARDS {
            place == Some(0)
        } else {
            place.is_none()
        };
        camera.clear_color = if is_first {
            ClearColorConfig::Custom(palette::VOID)
        } else {
            ClearColorConfig::None
        };
        let seen = match place {
            Some(_) => layer(of.0 as usize).with(0),
            None => RenderLayers::none(),
        };
        layers.set_if_neq(seen);
        transform.set_if_neq(orbit.transform(rect.size()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hill::hill;

    #[test]
    fn boards_lie_side_by_side_above_the_bar() {
        let window = Vec2::new(1280.0, 720.0);
        let [left, right] = [0, 1].map(|place| board_rect(window, place, 2));
        assert_eq!(left.size(), right.size());
        assert_eq!(right.min.x - left.max.x, GAP);
        assert_eq!(right.max, Vec2::new(1280.0, 720.0 - BAR));
        assert_eq!(board_rect(window, 0, 1).max, right.max);
    }

    #[test]
    fn the_whole_level_is_seen_from_all_sides() {
        let level = hill().expect("a good size");
        let corners = [-12.0, 12.0].into_iter().flat_map(|x| {
            [0.0, 13.0]
                .into_iter()
                .flat_map(move |y| [-12.0, 12.0].map(|z| Vec3::new(x, y, z)))
        });
        for turn in 0..12 {
            let orbit = Orbit::new(&level, Some(30.0 * turn as f32));
            for size in [Vec2::new(640.0, 628.0), Vec2::new(1280.0, 628.0)] {
                let view = orbit.transform(size);
                for corner in corners.clone() {
                    let seen = view.compute_affine().inverse().transform_point3(corner);
                    let high = (ANGLE / 2.0).tan() * -seen.z;
                    assert!(seen.y.abs() < high && seen.x.abs() < high * size.x / size.y);
                }
            }
        }
    }

    #[test]
    fn a_view_arrives_at_the_one_that_is_wanted() {
        let level = hill().expect("a good size");
        let mut orbit = Orbit::new(&level, None);
        orbit.wanted.turn += 1.0;
        orbit.wanted.focus += Vec3::ONE;
        for _ in 0..120 {
            orbit.shown = follow(orbit.shown, orbit.wanted, 0.2);
        }
        assert_eq!(orbit.shown, orbit.wanted);
    }
}
