//! The game in a window: pictures, camera, keys and score on top of the rules.

use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::{Corner, Margins, PursuitDebugPlugin, PursuitDebugSettings};
use bevy_rapier2d::prelude::*;

use super::Options;
use super::common::{
    Level, LooksPlugin, Mouse, RED, Steered, TILE, card, help, just_pressed, shots, steer,
    toggle_pause, walking_direction,
};
use super::game::{self, Hunter, Player, Score, Tired, restart};

/// Initial scale of the view, in world units per pixel.
const INITIAL_SCALE: f32 = 0.7;
/// Minimum scale of the view, in world units per pixel.
const MIN_SCALE: f32 = 0.3;
/// Time in which the camera closes two thirds of its distance to the player, in seconds.
const CAMERA_LAG_SECONDS: f32 = 0.22;
/// The camera aims at the point where the player will be after this time, in seconds.
const LOOK_AHEAD_SECONDS: f32 = 0.35;
const KEYS: &str =
    "WASD  walk     click  walk there     wheel  zoom     F1  overlay     P  pause     R  restart";

/// Opens the window and plays until it is closed.
pub(crate) fn run(options: Options) -> AppExit {
    let window = Window {
        title: "Pursuit: chase".into(),
        ..default()
    };
    let plugins = DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    });
    App::new()
        .add_plugins((plugins, shots::plugin))
        .insert_resource(PursuitDebugSettings {
            enabled: options.overlay,
            inspector: Some(Corner::TopRight),
            margins: Margins {
                bottom: 44.,
                ..default()
            },
            ..default()
        })
        .insert_resource(options)
        .add_plugins((game::plugin, LooksPlugin, PursuitDebugPlugin))
        .add_systems(Startup, spawn_view)
        .add_systems(Update, (toggle_pause, steer, take_over, walk_to_click))
        .add_systems(Update, (move_camera, show_catches, write_score))
        // In `Last`, no other system has pending commands for the entities that a restart despawns.
        .add_systems(Last, restart.run_if(is_restart_wanted))
        .run()
}

/// Marks the text with the score.
#[derive(Component)]
struct ScoreText;

fn spawn_view(mut commands: Commands) {
    let mut projection = OrthographicProjection::default_2d();
    projection.scale = INITIAL_SCALE;
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
    commands.spawn(help(KEYS));
    let corner = Node {
        top: px(12),
        left: px(12),
        ..default()
    };
    commands.spawn((ScoreText, Text::default(), card(corner)));
}

fn write_score(
    score: Res<Score>,
    time: Res<Time<Virtual>>,
    hunters: Query<Has<Tired>, With<Hunter>>,
    mut text: Single<&mut Text, With<ScoreText>>,
) {
    let hunting = hunters.iter().filter(|tired| !tired).count();
    let all = hunters.iter().count();
    let (catches, free, best) = (score.catches, score.free, score.best);
    let paused = if time.is_paused() { "\npaused" } else { "" };
    text.0 = format!(
        "caught  {catches}\nfree for  {free:.1} s\nbest  {best:.1} s\nhunting  {hunting} of {all}{paused}"
    );
}

/// Gives the player a path request. Pursuit walks the player to its goal, and removes the request on arrival.
fn walk_to_click(mut commands: Commands, mouse: Mouse, player: Single<Entity, With<Steered>>) {
    if let Some(goal) = mouse.click() {
        let request = PathRequest::to(goal).once();
        commands.entity(*player).insert(request);
    }
}

/// Ends a walk to a click when a key is pressed. Pursuit does not move an agent that wants nothing.
fn take_over(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    player: Single<Entity, (With<Steered>, With<PathRequest>)>,
) {
    if walking_direction(&keys) != Vec2::ZERO {
        commands.entity(*player).remove::<PathRequest>();
    }
}

fn is_restart_wanted(keys: Res<ButtonInput<KeyCode>>) -> bool {
    just_pressed(&keys, KeyCode::KeyR)
}

/// Zooms with the wheel, and lets the camera glide after the player without leaving the level.
fn move_camera(
    mut wheel: MessageReader<MouseWheel>,
    time: Res<Time>,
    level: Res<Level>,
    window: Single<&Window>,
    player: Single<(Ref<Player>, &Transform, &Velocity), Without<Camera2d>>,
    camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>,
) {
    let (player, place, velocity) = player.into_inner();
    let (mut transform, mut projection) = camera.into_inner();
    let Projection::Orthographic(view) = &mut *projection else {
        return;
    };
    let all = level.bounds().size() / window.size();
    let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
    let scale = view.scale * 0.88f32.powf(notches);
    view.scale = scale.clamp(MIN_SCALE, all.max_element().max(1.));

    let bounds = level.bounds().inflate(TILE);
    let room = (bounds.half_size() - window.size() / 2. * view.scale).max(Vec2::ZERO);
    let share = 1. - (-time.delta_secs() / CAMERA_LAG_SECONDS).exp();
    let share = if player.is_added() { 1. } else { share };
    let wanted = place.translation.truncate() + velocity.linear * LOOK_AHEAD_SECONDS;
    let next = transform.translation.truncate().lerp(wanted, share);
    transform.translation = next.clamp(-room, room).extend(transform.translation.z);
}

/// Draws a ring around the player for each hunter that has just caught it.
fn show_catches(
    mut gizmos: Gizmos,
    player: Single<&Transform, With<Player>>,
    hunters: Query<&Tired>,
) {
    for tired in &hunters {
        let left = 1. - tired.0.elapsed_secs() / 0.7;
        let (radius, color) = (78. - 66. * left * left, RED.with_alpha(left.max(0.)));
        gizmos.circle_2d(player.translation.truncate(), radius, color);
    }
}
