//! The looks of the game: the night, hunters that turn, ghosts of hunters that were hit, and a graph of the tick time.

use std::collections::VecDeque;
use std::f32::consts::TAU;

use bevy::camera::ScalingMode;
use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{DesiredVelocity, PursuitStats};

use super::common::{AIR_Z, Figure, GOLD, PALE, PEOPLE_Z, RED, Steered, card};
use super::{Game, HUNTER_RADIUS};

/// Minimum size of the camera's view, in world units.
const MIN_VIEW: Vec2 = Vec2::new(1280., 720.);
const NIGHT_COLOR: Color = Color::srgba(0.02, 0.03, 0.12, 0.9);
/// Number of bars in the graph.
const BAR_COUNT: usize = 66;
/// Height of the graph, in pixels.
const GRAPH_HEIGHT: f32 = 60.;
/// Height of a bar for each millisecond, in pixels.
const PIXELS_PER_MS: f32 = 4.;
/// Minimum tick time that gets a red bar, in milliseconds. A frame at 60 hertz has 16.7 ms.
const SLOW_TICK_MS: f32 = 10.;

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.03, 0.03, 0.06)))
        .add_systems(Startup, spawn_graph)
        .add_systems(PostStartup, set_view)
        .add_observer(show_hunter)
        .add_observer(show_ghost)
        .add_systems(Update, (turn_hunters, fade_ghosts, move_camera))
        // In `Last`, the tick is over and its time is known.
        .add_systems(Last, write_figures);
}

/// A hunter, with its figure and its size as a multiple of the usual size.
#[derive(Component)]
pub(crate) struct Hunter(pub(crate) Figure, pub(crate) f32);

/// The ghost of a hunter that was hit, with the seconds until it vanishes.
#[derive(Component)]
pub(crate) struct Ghost(pub(crate) f32);

/// Marks the darkness around the player.
#[derive(Component)]
struct Dark;

/// Gives a hunter a single sprite without a child. Bevy draws all sprites of one image in one batch.
fn show_hunter(
    added: On<Add, Hunter>,
    mut commands: Commands,
    assets: Res<AssetServer>,
    hunters: Query<&Hunter>,
) -> Result {
    let Hunter(figure, size) = hunters.get(added.entity)?;
    let mut look = figure.sprite(&assets);
    look.custom_size = Some(Vec2::splat(4. * HUNTER_RADIUS * size));
    commands.entity(added.entity).insert(look);
    Ok(())
}

fn show_ghost(added: On<Add, Ghost>, mut commands: Commands, assets: Res<AssetServer>) {
    let mut look = Figure::GHOST.sprite(&assets);
    look.custom_size = Some(Vec2::splat(4. * HUNTER_RADIUS));
    commands.entity(added.entity).insert(look);
}

/// Turns hunters toward where they want to go. A hunter farther south is drawn in front.
fn turn_hunters(mut horde: Query<(&mut Transform, &DesiredVelocity, &Hunter, &mut Sprite)>) {
    for (mut place, wanted, hunter, mut sprite) in &mut horde {
        let z = PEOPLE_Z - place.translation.y / 10_000.;
        if (place.translation.z - z).abs() > 1e-3 {
            place.translation.z = z;
        }
        if wanted.0.length_squared() > 100. {
            let eighth = (wanted.0.truncate().to_angle() / TAU * 8.).round() as i32;
            let square = Some(hunter.0.square(eighth.rem_euclid(8) as usize));
            if sprite.rect != square {
                sprite.rect = square;
            }
        }
    }
}

/// Lets ghosts rise and fade.
fn fade_ghosts(
    mut commands: Commands,
    time: Res<Time>,
    mut ghosts: Query<(Entity, &mut Ghost, &mut Transform, &mut Sprite)>,
) {
    for (entity, mut ghost, mut place, mut sprite) in &mut ghosts {
        ghost.0 -= time.delta_secs();
        place.translation.y += 26. * time.delta_secs();
        sprite.color.set_alpha(0.8 * ghost.0.max(0.));
        if ghost.0 <= 0. {
            commands.entity(entity).despawn();
        }
    }
}

fn set_view(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut camera: Single<&mut Projection, With<Camera2d>>,
) {
    if let Projection::Orthographic(view) = &mut **camera {
        let (min_width, min_height) = MIN_VIEW.into();
        view.scaling_mode = ScalingMode::AutoMin {
            min_width,
            min_height,
        };
    }
    let mut dark = Sprite::from_image(assets.load("sprites/night.png"));
    dark.custom_size = Some(Vec2::splat(2. * MIN_VIEW.x));
    dark.color = NIGHT_COLOR;
    // The darkness lies over people and under the light of lamps.
    commands.spawn((Dark, dark, Transform::from_xyz(0., 0., AIR_Z - 1.)));
}

/// Moves the camera and the lantern with the player, and zooms with the wheel.
fn move_camera(
    mut wheel: MessageReader<MouseWheel>,
    player: Single<&Transform, With<Steered>>,
    camera: Single<(&mut Transform, &mut Projection), (With<Camera2d>, Without<Steered>)>,
    mut dark: Single<&mut Transform, (With<Dark>, Without<Camera2d>, Without<Steered>)>,
) {
    let (mut place, mut projection) = camera.into_inner();
    let at = player.translation.truncate();
    place.translation = at.extend(place.translation.z);
    dark.translation = at.extend(dark.translation.z);
    if let Projection::Orthographic(view) = &mut *projection {
        let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
        view.scale = (view.scale * 0.88f32.powf(notches)).clamp(0.4, 4.);
        dark.scale = Vec3::splat(view.scale);
    }
}

/// Marks the text with the numbers.
#[derive(Component)]
struct Numbers;

/// A bar of the graph, with its position from the left.
#[derive(Component)]
struct Bar(usize);

fn spawn_graph(mut commands: Commands) {
    let corner = Node {
        top: px(12),
        left: px(12),
        ..default()
    };
    commands.spawn((Numbers, Text::default(), card(corner)));
    let row = Node {
        position_type: PositionType::Absolute,
        top: px(160),
        left: px(14),
        height: px(GRAPH_HEIGHT),
        align_items: AlignItems::End,
        ..default()
    };
    let mut row = commands.spawn(row);
    for bar in 0..BAR_COUNT {
        let node = Node {
            width: px(2),
            margin: UiRect::right(px(1)),
            ..default()
        };
        row.with_child((Bar(bar), node, BackgroundColor(PALE)));
    }
}

/// Writes the numbers, and draws the time that the plugin took for the latest ticks.
fn write_figures(
    game: Res<Game>,
    stats: Res<PursuitStats>,
    horde: Query<&Locomotion, With<Hunter>>,
    mut latest: Local<VecDeque<f32>>,
    mut text: Single<&mut Text, With<Numbers>>,
    mut bars: Query<(&Bar, &mut Node, &mut BackgroundColor)>,
) {
    let count = |test: fn(&Locomotion) -> bool| horde.iter().filter(|it| test(it)).count();
    let queue = count(|it| *it == Locomotion::Queued);
    let stand = count(|it| matches!(it, Locomotion::Settled | Locomotion::Arrived));
    let (all, Game { bites, slain, .. }) = (horde.iter().count(), &*game);
    let tick = stats.frame_time.as_secs_f32() * 1e3;
    text.0 = format!(
        "hunters     {all}\nin queues   {queue}\naround you  {stand}\nslain       {slain}\nbites       {bites}\n\ntick  {tick:.1} ms"
    );
    latest.push_back(tick);
    if latest.len() > BAR_COUNT {
        latest.pop_front();
    }
    for (bar, mut node, mut color) in &mut bars {
        let ms = latest.get(bar.0).copied().unwrap_or(0.);
        node.height = px((PIXELS_PER_MS * ms).min(GRAPH_HEIGHT));
        color.0 = if ms < SLOW_TICK_MS { GOLD } else { RED };
    }
}
