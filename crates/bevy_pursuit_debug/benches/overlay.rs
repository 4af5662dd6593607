//! What the overlay costs the main thread: a city of 1024 × 1024 cells, 1,000 agents, every category on, a
//! camera that pans and zooms, a pointer that moves, an agent that is picked, walls that come and go.
//!
//! Only the overlay's own systems are timed, those of `PursuitDebugSystems`, in one thread, with what they hand over
//! to the gizmo buffers. Bevy's text layout and rendering come on top. Each frame of the tour counts with its
//! least time of some rounds, so that what else the machine does stays out.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use bevy::asset::AssetPlugin;
use bevy::camera::{ComputedCameraValues, RenderTargetInfo};
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::gizmos::GizmoAsset;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{PrimaryWindow, WindowResolution};
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::{
    OverlayCategories, OverlayPick, PursuitDebugPlugin, PursuitDebugSettings, PursuitDebugSystems,
};
use bevy_rapier2d::prelude::*;

/// Side of a cell, cells along a side, and of all in world units.
const CELL: f32 = 10.0;
const CELLS: u32 = 1024;
const SIDE: f32 = CELL * CELLS as f32;
const AGENTS: u32 = 1000;
const HOUSES: u32 = 40;
const VIEWPORT: UVec2 = UVec2::new(1920, 1080);

/// How long the overlay's systems took in each frame.
#[derive(Resource, Default)]
struct Spent {
    since: Option<Instant>,
    frames: Vec<Duration>,
}

/// Frames since the tour began.
#[derive(Resource, Default)]
struct Tour(u32);

fn main() -> io::Result<()> {
    // Without `--bench`, as under `cargo test`, it only has to run.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let (rounds, frames) = if is_bench { (5, 600) } else { (1, 3) };
    let mut out = io::stdout();
    writeln!(
        out,
        "{CELLS} x {CELLS} cells, {AGENTS} agents, {frames} frames, least of {rounds} rounds"
    )?;
    for (name, show, enabled) in [
        ("off", OverlayCategories::ALL, false),
        ("as it comes", OverlayCategories::default(), true),
        ("every category", OverlayCategories::ALL, true),
    ] {
        let mut least = vec![Duration::MAX; frames];
        let mut lines = 0;
        for _ in 0..rounds {
            let spent = play(show, enabled, frames, &mut lines);
            for (least, now) in least.iter_mut().zip(spent) {
                *least = now.min(*least);
            }
        }
        least.sort();
        let at = |share: f64| least[((frames - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        let (median, p99, most) = (at(0.5), at(0.99), at(1.0));
        writeln!(
            out,
            "{name:>14}: median {median:.3} ms, p99 {p99:.3} ms, most {most:.3} ms; {lines} lines and points"
        )?;
    }
    Ok(())
}

/// Lines in the gizmo buffers, and points of strips.
fn drawn(app: &App) -> usize {
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let buffers = assets.iter().map(|(_, asset)| asset.buffer());
    let counts = buffers.map(|all| all.list_positions.len() / 2 + all.strip_positions.len());
    counts.sum()
}

/// The time of each frame of the tour, and how much is drawn on average.
fn play(
    show: OverlayCategories,
    enabled: bool,
    frames: usize,
    average: &mut usize,
) -> Vec<Duration> {
    let mut app = city();
    app.world_mut().insert_resource(PursuitDebugSettings {
        enabled,
        show,
        ..default()
    });
    // The first bake, and paths for nearly everybody.
    let is_ready = |app: &mut App| {
        let world = app.world_mut();
        let mut agents = world.query::<&NavPath>();
        agents.iter(world).filter(|path| !path.is_empty()).count() > AGENTS as usize * 9 / 10
    };
    for _ in 0..20_000 {
        app.update();
        if is_ready(&mut app) {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(is_ready(&mut app), "nobody finds a path in this city");
    let mut spent = app.world_mut().resource_mut::<Spent>();
    spent.frames.clear();
    app.world_mut().resource_mut::<Tour>().0 = 0;
    let mut lines = 0;
    for _ in 0..frames {
        app.update();
        lines += drawn(&app);
    }
    assert_eq!(lines > 0, enabled, "it draws while it is on");
    *average = lines / frames;
    std::mem::take(&mut app.world_mut().resource_mut::<Spent>().frames)
}

fn city() -> App {
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .init_asset::<GizmoAsset>()
        .insert_resource(frame)
        .init_resource::<ButtonInput<KeyCode>>()
        .init_resource::<ButtonInput<MouseButton>>()
        .init_resource::<Spent>()
        .init_resource::<Tour>()
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default())
        .add_plugins(PursuitDebugPlugin)
        .add_systems(Startup, (spawn_city, spawn_crowd, spawn_camera))
        .add_systems(Update, (travel, build_and_tear_down))
        .add_systems(
            PostUpdate,
            (
                start_clock
                    .before(PursuitDebugSystems::Plan)
                    .after(PursuitSystems::Bake),
                stop_clock.after(PursuitDebugSystems::Draw),
            ),
        );
    app.edit_schedule(PostUpdate, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    app.finish();
    app.cleanup();
    app
}

fn start_clock(mut spent: ResMut<Spent>) {
    spent.since = Some(Instant::now());
}

fn stop_clock(mut spent: ResMut<Spent>) {
    if let Some(since) = spent.since.take() {
        spent.frames.push(since.elapsed());
    }
}

/// A number from 0 to 1 for a thing: the same in every run.
fn random(seed: u32) -> f32 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9) ^ 0x85eb_ca6b;
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2c1b_3c6d);
    bits ^= bits >> 12;
    (bits % 10_000) as f32 / 10_000.0
}

/// Houses of many sizes in a grid of streets.
fn spawn_city(mut commands: Commands) {
    let bounds = Rect::from_center_size(Vec2::ZERO, Vec2::splat(SIDE));
    let grid = NavGrid::covering(bounds).with_node_radius(CELL / 2.0);
    commands.spawn((Name::new("city"), grid));
    let lot = SIDE / HOUSES as f32;
    for number in 0..HOUSES * HOUSES {
        let (x, y) = (number % HOUSES, number / HOUSES);
        let center = (Vec2::new(x as f32, y as f32) + 0.5) * lot - SIDE / 2.0;
        let half = |seed: u32| lot * (0.12 + 0.25 * random(seed));
        commands.spawn((
            RigidBody::Fixed,
            Collider::cuboid(half(2 * number), half(2 * number + 1)),
            Transform::from_translation(center.extend(0.0))
                .with_rotation(Quat::from_rotation_z(random(number + 77))),
        ));
    }
}

fn spawn_crowd(mut commands: Commands, mut pick: ResMut<OverlayPick>) {
    let lot = SIDE / HOUSES as f32;
    let target = commands
        .spawn((Name::new("player"), Transform::default()))
        .id();
    for number in 0..AGENTS {
        // On crossings of streets.
        let at =
            |seed: u32| ((random(seed) * (HOUSES - 2) as f32).floor() + 1.0) * lot - SIDE / 2.0;
        let place = Vec3::new(at(3 * number), at(3 * number + 1), 0.0);
        let agent = (
            NavAgent::from_radius(4.0),
            Chase::new(target),
            Transform::from_translation(place),
        );
        pick.agent = Some(commands.spawn(agent).id());
    }
}

fn spawn_camera(mut commands: Commands) {
    let target_info = Some(RenderTargetInfo {
        physical_size: VIEWPORT,
        scale_factor: 1.0,
    });
    let camera = Camera {
        computed: ComputedCameraValues {
            target_info,
            ..default()
        },
        ..default()
    };
    let projection = Projection::Orthographic(OrthographicProjection::default_2d());
    commands.spawn((camera, projection, Transform::default()));
    let window = Window {
        resolution: WindowResolution::new(VIEWPORT.x, VIEWPORT.y),
        ..default()
    };
    commands.spawn((window, PrimaryWindow));
}

/// Moves camera, pointer and player: pans all the time, and zooms from streets to the whole city and back.
fn travel(
    mut tour: ResMut<Tour>,
    mut cameras: Query<(&mut Projection, &mut Transform), With<Camera>>,
    mut players: Query<&mut Transform, (With<Name>, Without<NavGrid>, Without<Camera>)>,
    mut windows: Query<&mut Window>,
) {
    tour.0 += 1;
    let turn = tour.0 as f32 / 600.0 * std::f32::consts::TAU;
    let way = Vec2::from_angle(3.0 * turn) * SIDE * 0.3;
    let width = 800.0 * (SIDE * 1.8 / 800.0).powf(0.5 - 0.5 * turn.cos());
    for (mut projection, mut transform) in &mut cameras {
        if let Projection::Orthographic(projection) = &mut *projection {
            let size = Vec2::new(width, width * VIEWPORT.y as f32 / VIEWPORT.x as f32);
            projection.area = Rect::from_center_size(Vec2::ZERO, size);
        }
        transform.translation = way.extend(0.0);
    }
    for mut player in &mut players {
        player.translation = (Vec2::from_angle(turn) * SIDE * 0.25).extend(0.0);
    }
    for mut window in &mut windows {
        let pixel = VIEWPORT.as_vec2() * (0.5 + 0.3 * Vec2::from_angle(20.0 * turn));
        window.set_physical_cursor_position(Some(pixel.as_dvec2()));
    }
}

/// A wall that comes and goes ten times a second, where the camera is.
fn build_and_tear_down(
    tour: Res<Tour>,
    mut commands: Commands,
    cameras: Query<&Transform, With<Camera>>,
    mut wall: Local<Option<Entity>>,
) {
    if !tour.0.is_multiple_of(6) {
        return;
    }
    if let Some(wall) = wall.take() {
        commands.entity(wall).despawn();
        return;
    }
    for camera in &cameras {
        let place = Transform::from_translation(camera.translation);
        *wall = Some(commands.spawn((Collider::cuboid(40.0, 8.0), place)).id());
    }
}
