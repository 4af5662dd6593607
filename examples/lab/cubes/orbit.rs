//! The mouse among cubes: it moves the view that all lanes share, and a click sets the start or the goal.

use std::f32::consts::FRAC_PI_2;

use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pursuit_lab::voxels::Voxel;

use super::super::lanes::Lanes;
use super::super::problem::Problem;
use super::super::window::{LaneCamera, SIGN_HEIGHT, Stage, lane_at, lane_rect};
use super::from_world;
use super::level::Level;
use super::terrain::{Cut, first_hit, is_shown};

/// The camera is at this fraction of the distance at which the sphere around the level just fits into the picture.
/// Below 1, the level looks larger; that its corners may leave the picture does not matter.
const FIT_SCALE: f32 = 0.97;
/// Field of view of a camera, in radians. It is small, so that distant cubes look hardly smaller than near ones.
const FIELD_OF_VIEW: f32 = 0.42;
/// Angle by which the view turns for each pixel that the mouse is dragged, in radians.
const TURN_PER_PIXEL: f32 = 0.006;
/// Share by which one notch of the wheel changes the distance.
const ZOOM_STEP: f32 = 0.12;
/// Initial turn and rise of the camera, in radians.
const INITIAL_TURN: f32 = -0.62;
const INITIAL_RISE: f32 = 0.66;
/// Length of a ray from a camera, in cubes.
const RAY_LENGTH: f32 = 2000.0;
/// Keys to hold during a click: the first pair sets the start, the second pair the goal.
const END_KEYS: [[KeyCode; 2]; 2] = [
    [KeyCode::ShiftLeft, KeyCode::ShiftRight],
    [KeyCode::ControlLeft, KeyCode::ControlRight],
];

/// The position from which the cameras look at the level.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
struct Orbit {
    /// Radians from the front, toward the right.
    turn: f32,
    /// Radians above the ground.
    rise: f32,
    /// Distance from the focus; 1 shows the whole level.
    distance: f32,
    /// Offset from the middle of the level to the middle of the picture, in the world.
    focus: Vec3,
}

pub(crate) fn add(app: &mut App) {
    app.init_resource::<Orbit>()
        .add_systems(Update, (move_orbit, set_end).in_set(Stage::Edit))
        .add_systems(Update, move_cameras.in_set(Stage::Look));
}

/// The projection of the lanes.
pub(crate) fn projection() -> Projection {
    Projection::Perspective(PerspectiveProjection {
        fov: FIELD_OF_VIEW,
        near: 1.0,
        far: 1000.0,
        ..default()
    })
}

/// Half of the longest diagonal of a level.
fn radius(level: &Level) -> f32 {
    let [columns, rows, layers] = level.grid.size().map(|side| side as f32);
    Vec3::new(columns, rows, layers).length() / 2.0
}

impl Default for Orbit {
    fn default() -> Self {
        Self {
            turn: INITIAL_TURN,
            rise: INITIAL_RISE,
            distance: 1.0,
            focus: Vec3::ZERO,
        }
    }
}

impl Orbit {
    /// The transform of a camera whose picture has this size.
    fn transform(&self, level: &Level, picture: Vec2) -> Transform {
        let (turn, rise) = (self.turn, self.rise);
        let away = Vec3::new(turn.sin() * rise.cos(), rise.sin(), turn.cos() * rise.cos());
        let focus = self.focus + Vec3::Y * 0.3 * level.grid.size()[2] as f32;
        // The level fits into the smaller side of the picture, below the sign.
        let part = SIGN_HEIGHT / picture.y.max(2.0 * SIGN_HEIGHT);
        let room = (picture.x / picture.y).min(1.0 - part);
        let half_angle = FIELD_OF_VIEW / 2.0;
        let distance = self.distance * FIT_SCALE * radius(level) / half_angle.sin() / room;
        let view = Transform::from_translation(focus + away * distance);
        let mut view = view.looking_at(focus, Vec3::Y);
        view.translation += view.up() * part * distance * half_angle.tan();
        view
    }
}

/// Turns, moves and zooms with the mouse.
fn move_orbit(
    window: Single<&Window, With<PrimaryWindow>>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    (level, lanes): (Res<Level>, Res<Lanes>),
    mut wheel: MessageReader<MouseWheel>,
    mut held: Local<Option<Vec2>>,
    mut orbit: ResMut<Orbit>,
) {
    let mut next = *orbit;
    let grips = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];
    let pointer = window.cursor_position();
    let lane = |at: &Vec2| lane_at(&window, *at, lanes.shown()).is_some();
    if buttons.any_just_pressed(grips) {
        *held = pointer.filter(|at| lane(at) && !keys.any_pressed(END_KEYS.concat()));
    }
    *held = held.filter(|_| buttons.any_pressed(grips));
    let drag = held.zip(pointer).map_or(Vec2::ZERO, |(from, to)| to - from);
    *held = held.and(pointer);
    if buttons.pressed(MouseButton::Left) {
        next.turn -= drag.x * TURN_PER_PIXEL;
        next.rise = (next.rise + drag.y * TURN_PER_PIXEL).clamp(0.05, FRAC_PI_2 - 0.02);
    } else {
        let camera = next.transform(&level, Vec2::ONE);
        // This scale keeps the dragged place under the pointer.
        let per_pixel = 2.0 * radius(&level) * next.distance / window.height().max(1.0);
        let along = Vec3::new(camera.right().x, 0.0, camera.right().z).normalize_or_zero();
        next.focus += per_pixel * (camera.up() * drag.y - along * drag.x);
    }
    let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
    next.distance = (next.distance * (1.0 - ZOOM_STEP).powf(notches)).clamp(0.12, 4.0);
    if keys.just_pressed(KeyCode::KeyF) {
        next = Orbit::default();
    }
    orbit.set_if_neq(next);
}

/// Moves each camera to its place.
fn move_cameras(
    window: Single<&Window, With<PrimaryWindow>>,
    (level, lanes, orbit): (Res<Level>, Res<Lanes>, Res<Orbit>),
    mut cameras: Query<&mut Transform, With<LaneCamera>>,
) {
    let rect = lane_rect(window.size(), 0, lanes.shown());
    for mut transform in &mut cameras {
        transform.set_if_neq(orbit.transform(&level, rect.size()));
    }
}

/// A click with Shift sets the start, and a click with Ctrl the goal, in front of the face under the pointer.
fn set_end(
    window: Single<&Window, With<PrimaryWindow>>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    (lanes, cut): (Res<Lanes>, Res<Cut>),
    cameras: Query<(&LaneCamera, &Camera, &GlobalTransform)>,
    mut level: ResMut<Level>,
) {
    let [is_start, is_goal] = END_KEYS.map(|pair| keys.any_pressed(pair));
    if is_start == is_goal || !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let cursor = window.cursor_position().unwrap_or(Vec2::NAN);
    let lane = lane_at(&window, cursor, lanes.shown());
    let mut cameras = cameras.iter();
    let camera = cameras.find(|(of, ..)| Some(of.0) == lane.map(|(lane, _)| lane));
    let ray =
        camera.and_then(|(_, camera, transform)| camera.viewport_to_world(transform, cursor).ok());
    if let Some(place) = ray.and_then(|ray| picked_cube(&level, cut.0, ray)) {
        let mut ends = level.ends();
        ends[usize::from(is_goal)] = place;
        level.set_ends(ends);
    }
}

/// The free cube in front of the first face that a ray in the world meets.
fn picked_cube(level: &Level, cut: i32, ray: Ray3d) -> Option<Voxel> {
    let from = from_world(&level.grid, ray.origin);
    let toward = from_world(&level.grid, ray.origin + *ray.direction) - from;
    let is_shown = |voxel| is_shown(level, cut, voxel);
    let before = first_hit(from, toward, RAY_LENGTH, &is_shown)?;
    level.grid.node(before).is_some().then_some(before)
}
