//! The game in a window: pictures, camera, keys and score on top of the rules.

use std::path::PathBuf;
use std::time::Duration;

use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy::window::WindowResolution;
use bevy::winit::WinitSettings;
use bevy_pursuit::PlanMode;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::{Corner, Margins, PursuitDebugPlugin, PursuitDebugSettings};
use bevy_rapier2d::prelude::*;

use crate::Options;
use crate::common::{
    DARK, Level, LooksPlugin, Mouse, PALE, RED, TILE, help, pause_or_go_on, walking_direction,
};
use crate::game::{GamePlugin, Hunter, Player, Restart, STEERED, Score, Tired, Tour, walk_to};

const SIZE: UVec2 = UVec2::new(1280, 720);
/// World units per pixel at the start, and the least that the wheel sets.
const ZOOM: f32 = 0.7;
const NEAREST: f32 = 0.3;
/// Speed of a player under command, in world units per second: a little above the hunters'.
const SPEED: f32 = 150.;
/// Seconds in which the camera closes two thirds of the distance to the player, and of its walk that it looks ahead.
const LAG: f32 = 0.22;
const LOOK_AHEAD: f32 = 0.35;
const HELP: &str =
    "WASD  walk     click  walk there     wheel  zoom     F1  overlay     P  pause     R  restart";

/// Opens the window and plays until it is closed.
pub(crate) fn run(options: &Options, level: Level) -> AppExit {
    let is_picture = options.screenshot.is_some();
    let mut window = Window {
        title: "Pursuit: chase".into(),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        ..default()
    };
    if is_picture {
        window.resolution.set_scale_factor_override(Some(1.));
    }
    let plugins = DefaultPlugins
        .set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        })
        .set(RenderPlugin {
            synchronous_pipeline_compilation: is_picture,
            ..default()
        });
    let mut app = App::new();
    app.add_plugins(plugins)
        .insert_resource(level)
        .insert_resource(options.clone())
        .insert_resource(PursuitDebugSettings {
            enabled: options.overlay,
            // Nobody points in a picture.
            hover: !is_picture,
            inspector: Some(Corner::TopRight),
            margins: Margins {
                bottom: 44.,
                ..default()
            },
            ..default()
        })
        .add_plugins(GamePlugin {
            plan_mode: [PlanMode::Async, PlanMode::Inline][usize::from(is_picture)],
            autoplay: options.demo || is_picture,
        })
        .add_plugins((LooksPlugin, PursuitDebugPlugin))
        .add_observer(stop_at_goal)
        .add_systems(Startup, spawn_view)
        .add_systems(PreUpdate, (pause_or_go_on, ask_for_restart))
        .add_systems(
            Update,
            (
                (walk_with_keys, walk_to_click).run_if(not(resource_exists::<Tour>)),
                (zoom, follow_player).chain(),
                (show_catches, write_score),
            ),
        );
    if let Some(path) = options.screenshot.clone() {
        let frame = TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60);
        app.insert_resource(Picture { path, shown: 0 })
            .insert_resource(frame)
            .insert_resource(WinitSettings::continuous())
            // From the start: a camera that was active and rests loses sight of what does not move.
            .add_systems(PostStartup, take_picture)
            .add_systems(Last, take_picture);
    }
    app.run()
}

/// The text with the score.
#[derive(Component)]
struct ScoreText;

fn spawn_view(mut commands: Commands) {
    let projection = OrthographicProjection {
        scale: ZOOM,
        ..OrthographicProjection::default_2d()
    };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
    commands.spawn(help(HELP));
    commands.spawn((
        ScoreText,
        Text::default(),
        (TextFont::from_font_size(15.), TextColor(PALE)),
        Node {
            position_type: PositionType::Absolute,
            top: px(14),
            left: px(14),
            padding: UiRect::axes(px(16), px(12)),
            border_radius: BorderRadius::all(px(12)),
            ..default()
        },
        BackgroundColor(DARK.with_alpha(0.8)),
    ));
}

fn write_score(
    score: Res<Score>,
    time: Res<Time<Virtual>>,
    hunters: Query<Has<Tired>, With<Hunter>>,
    mut text: Single<&mut Text, With<ScoreText>>,
) {
    let hunting = hunters.iter().filter(|tired| !tired).count();
    let all = hunters.iter().count();
    let Score {
        catches,
        free,
        best,
        ..
    } = &*score;
    let paused = if time.is_paused() { "\npaused" } else { "" };
    text.0 = format!(
        "caught  {catches}\nfree for  {free:.1} s\nbest  {best:.1} s\nhunting  {hunting} of {all}{paused}"
    );
}

/// Walks where the keys point; a key takes over from a path.
fn walk_with_keys(
    mut commands: Commands,
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    player: Single<(Entity, &mut Velocity, Has<PathRequest>), With<Player>>,
) {
    let (player, mut velocity, walks_by_itself) = player.into_inner();
    let direction = walking_direction(&keys);
    if !walks_by_itself {
        let share = 1. - (-time.delta_secs() / 0.06).exp();
        velocity.linear = velocity.linear.lerp(SPEED * direction, share);
    } else if direction != Vec2::ZERO {
        let mut player = commands.entity(player);
        player.remove::<PathRequest>().insert(STEERED);
    }
}

/// Gives the player a request, and its body to Pursuit: that does the rest.
fn walk_to_click(mut commands: Commands, mouse: Mouse, player: Single<Entity, With<Player>>) {
    if let Some(goal) = mouse.click() {
        commands.entity(*player).insert(walk_to(goal, SPEED));
    }
}

/// Hands the body back to the keys when the player has come to where it was sent.
fn stop_at_goal(
    reached: On<GoalReached>,
    mut commands: Commands,
    players: Query<(), (With<Player>, With<PathRequest>)>,
    tour: Option<Res<Tour>>,
) {
    if players.contains(reached.entity) && tour.is_none() {
        let mut player = commands.entity(reached.entity);
        player.remove::<PathRequest>().insert(STEERED);
    }
}

fn ask_for_restart(keys: Res<ButtonInput<KeyCode>>, mut restarts: MessageWriter<Restart>) {
    let is_for_overlay = keys.any_pressed([KeyCode::AltLeft, KeyCode::AltRight]);
    if keys.just_pressed(KeyCode::KeyR) && !is_for_overlay {
        restarts.write_default();
    }
}

fn zoom(
    mut wheel: MessageReader<MouseWheel>,
    level: Res<Level>,
    mut projection: Single<&mut Projection, With<Camera2d>>,
) {
    let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
    if let Projection::Orthographic(view) = &mut **projection {
        let all = (level.bounds().size() / SIZE.as_vec2())
            .max_element()
            .max(1.);
        view.scale = (view.scale * 0.88f32.powf(notches)).clamp(NEAREST, all);
    }
}

/// Lets the camera glide after the player, over the level.
fn follow_player(
    time: Res<Time>,
    level: Res<Level>,
    window: Single<&Window>,
    player: Single<(Ref<Player>, &Transform, &Velocity), Without<Camera2d>>,
    camera: Single<(&mut Transform, &Projection), With<Camera2d>>,
) {
    let (is_new, place, velocity) = (player.0.is_added(), player.1, player.2);
    let (mut transform, projection) = camera.into_inner();
    let Projection::Orthographic(view) = projection else {
        return;
    };
    let bounds = level.bounds().inflate(TILE);
    let room = (bounds.half_size() - window.size() / 2. * view.scale).max(Vec2::ZERO);
    let share = 1. - (-time.delta_secs() / LAG).exp();
    let wanted = place.translation.truncate() + velocity.linear * LOOK_AHEAD;
    let now = transform.translation.truncate();
    let next = now.lerp(wanted, if is_new { 1. } else { share });
    transform.translation = next.clamp(-room, room).extend(transform.translation.z);
}

/// A ring around the player for each hunter that just caught it.
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

/// Where to save a picture, and how many frames were shown before it.
#[derive(Resource)]
struct Picture {
    path: PathBuf,
    shown: u32,
}

/// Plays blindly until it is nearly time. The first frames that are drawn lack what is still on its way to the
/// graphics card.
fn take_picture(
    mut commands: Commands,
    time: Res<Time>,
    options: Res<Options>,
    mut picture: ResMut<Picture>,
    mut camera: Single<&mut Camera>,
) {
    const FRAMES: u32 = 12;
    camera.is_active = time.elapsed_secs() + FRAMES as f32 / 60. >= options.seconds;
    picture.shown += u32::from(camera.is_active);
    if picture.shown == FRAMES {
        commands
            .spawn(Screenshot::primary_window())
            .observe(save_to_disk(picture.path.clone()))
            .observe(
                |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                    exit.write(AppExit::Success);
                },
            );
    }
}
