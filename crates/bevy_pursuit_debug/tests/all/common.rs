//! A headless app with a level, a camera, a pointer and the overlay, and helpers that read its gizmos and texts.

use std::any::TypeId;

use bevy::asset::AssetPlugin;
use bevy::camera::{ComputedCameraValues, RenderTargetInfo};
use bevy::color::LinearRgba;
use bevy::gizmos::GizmoHandles;
use bevy::window::{PrimaryWindow, WindowResolution};
use bevy_pursuit::PlanMode;
use bevy_rapier2d::prelude::*;

// Imports that all test files share.
pub(crate) use std::time::Duration;

pub(crate) use bevy::prelude::*;
pub(crate) use bevy::time::TimeUpdateStrategy;
pub(crate) use bevy_pursuit::prelude::*;
pub(crate) use bevy_pursuit_debug::*;

pub(crate) const RADIUS: f32 = 4.0;
pub(crate) const NODE_RADIUS: f32 = 5.0;
pub(crate) const VIEWPORT: UVec2 = UVec2::new(1280, 720);

/// An app without a level, a camera or a window.
pub(crate) fn bare_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .init_asset::<GizmoAsset>()
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            16,
        )))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        })
        .init_resource::<ButtonInput<KeyCode>>()
        .init_resource::<ButtonInput<MouseButton>>()
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default())
        .add_plugins(PursuitDebugPlugin);
    app.finish();
    app.cleanup();
    app
}

/// An app with a level: see [`spawn_level`]. There is no camera, and the overlay is off.
pub(crate) fn app(half_size: f32) -> App {
    let mut app = bare_app();
    spawn_level(&mut app, Vec2::ZERO, half_size);
    app
}

/// An app with a level, a camera that shows `width` world units, and the overlay on. Also returns the chaser.
pub(crate) fn seen(width: f32) -> (App, Entity) {
    let mut app = bare_app();
    let agent = spawn_level(&mut app, Vec2::ZERO, 100.0);
    look(&mut app, width);
    settings(&mut app).enabled = true;
    (app, agent)
}

/// Spawns a grid around `center`, a wall in its middle, a target to the right and a chaser to the left. Returns the
/// chaser.
pub(crate) fn spawn_level(app: &mut App, center: Vec2, half_size: f32) -> Entity {
    let bounds = Rect::from_center_half_size(center, Vec2::splat(half_size));
    let world = app.world_mut();
    world.spawn((
        Name::new("level"),
        NavGrid::covering(bounds)
            .with_node_radius(NODE_RADIUS)
            .with_obstacles(Group::GROUP_1),
    ));
    spawn_wall(app, "wall", center, Vec2::new(20.0, 60.0));
    let at = |x: f32, y: f32| Transform::from_translation((center + Vec2::new(x, y)).extend(0.0));
    let world = app.world_mut();
    let target = world.spawn((Name::new("target"), at(85.0, 3.0))).id();
    let agent = (
        Name::new("chaser"),
        NavAgent::from_radius(RADIUS),
        Chase::new(target),
        at(-85.0, 3.0),
    );
    world.spawn(agent).id()
}

/// Spawns a fixed collider on `GROUP_1`.
pub(crate) fn spawn_wall(app: &mut App, name: &str, center: Vec2, half: Vec2) -> Entity {
    let wall = (
        Name::new(name.to_owned()),
        RigidBody::Fixed,
        Collider::cuboid(half.x, half.y),
        CollisionGroups::new(Group::GROUP_1, Group::ALL),
        Transform::from_translation(center.extend(0.0)),
    );
    app.world_mut().spawn(wall).id()
}

/// Replaces all cameras with one that shows `width` world units around the origin.
pub(crate) fn look(app: &mut App, width: f32) {
    look_at(app, Vec2::ZERO, width);
}

/// Replaces all cameras with one that shows `width` world units around `center`.
pub(crate) fn look_at(app: &mut App, center: Vec2, width: f32) {
    let height = width * VIEWPORT.y as f32 / VIEWPORT.x as f32;
    let target_info = Some(RenderTargetInfo {
        physical_size: VIEWPORT,
        scale_factor: 1.0,
    });
    let world = app.world_mut();
    let old: Vec<Entity> = world
        .query_filtered::<Entity, With<Camera>>()
        .iter(world)
        .collect();
    for camera in old {
        world.despawn(camera);
    }
    world.spawn((
        Camera {
            computed: ComputedCameraValues {
                target_info,
                ..default()
            },
            ..default()
        },
        Projection::Orthographic(OrthographicProjection {
            area: Rect::from_center_size(Vec2::ZERO, Vec2::new(width, height)),
            ..OrthographicProjection::default_2d()
        }),
        Transform::from_translation(center.extend(0.0)),
    ));
}

/// Puts the pointer on a point in the world, for a camera that shows `width` world units around `center`.
pub(crate) fn point_at(app: &mut App, place: Vec2, center: Vec2, width: f32) {
    let pixels = VIEWPORT.as_vec2() / 2.0
        + (place - center) * Vec2::new(1.0, -1.0) * VIEWPORT.x as f32 / width;
    point_at_pixel(app, pixels);
}

/// Puts the pointer on a pixel of the window.
pub(crate) fn point_at_pixel(app: &mut App, pixels: Vec2) {
    let world = app.world_mut();
    let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
    if windows.iter(world).next().is_none() {
        let window = Window {
            resolution: WindowResolution::new(VIEWPORT.x, VIEWPORT.y),
            ..default()
        };
        world.spawn((window, PrimaryWindow));
    }
    for mut window in windows.iter_mut(world) {
        window.set_physical_cursor_position(Some(pixels.as_dvec2()));
    }
}

pub(crate) fn settings(app: &mut App) -> Mut<'_, PursuitDebugSettings> {
    app.world_mut().resource_mut()
}

/// Switches the overlay on with only these categories.
pub(crate) fn show(app: &mut App, categories: &[OverlayCategory]) {
    let mut settings = settings(app);
    settings.enabled = true;
    settings.show = categories.iter().copied().collect();
}

/// Switches the overlay on with every category.
pub(crate) fn show_all(app: &mut App) {
    show(app, &OverlayCategory::ALL);
}

pub(crate) fn pick(app: &mut App, agent: Entity) {
    app.world_mut().resource_mut::<OverlayPick>().agent = Some(agent);
}

pub(crate) fn picked(app: &App) -> Option<Entity> {
    app.world().resource::<OverlayPick>().agent
}

/// The position of an entity in the world.
pub(crate) fn place_of(app: &App, entity: Entity) -> Vec2 {
    let place = app.world().get::<GlobalTransform>(entity);
    place
        .expect("the entity has a GlobalTransform")
        .translation()
        .truncate()
}

pub(crate) fn run(app: &mut App, frames: usize) {
    for _ in 0..frames {
        app.update();
    }
}

/// Runs frames until a condition holds, since tasks take an unknown number of frames. Panics after 4,000 frames.
#[track_caller]
pub(crate) fn run_until(app: &mut App, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
    for _ in 0..4000 {
        app.update();
        if holds(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("this never happened: {what}");
}

/// Shortens frames to a microsecond, so that almost nothing moves afterwards.
pub(crate) fn freeze(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(1)));
    run(app, 2);
}

/// The lines and strip points of a gizmo group in the latest frame.
pub(crate) fn drawn<G: GizmoConfigGroup>(app: &App) -> Option<&GizmoAsset> {
    let handles = app.world().resource::<GizmoHandles>();
    let handle = handles.handles().get(&TypeId::of::<G>())?.as_ref()?;
    app.world().resource::<Assets<GizmoAsset>>().get(handle)
}

pub(crate) fn line_count<G: GizmoConfigGroup>(app: &App) -> usize {
    drawn::<G>(app).map_or(0, |asset| asset.buffer().list_positions.len() / 2)
}

pub(crate) fn strip_points<G: GizmoConfigGroup>(app: &App) -> usize {
    drawn::<G>(app).map_or(0, |asset| asset.buffer().strip_positions.len())
}

/// The strokes of all grids: their ends and colors. Neighboring squares of the same color are one stroke.
pub(crate) fn squares(app: &mut App) -> Vec<([Vec3; 2], LinearRgba)> {
    let world = app.world_mut();
    let handles: Vec<_> = world
        .query::<&Gizmo>()
        .iter(world)
        .map(|it| it.handle.clone())
        .collect();
    let assets = world.resource::<Assets<GizmoAsset>>();
    let mut found = Vec::new();
    for asset in handles.iter().filter_map(|handle| assets.get(handle)) {
        let ends = asset
            .list_positions
            .chunks(2)
            .zip(asset.list_colors.chunks(2));
        found.extend(ends.map(|(ends, colors)| ([ends[0], ends[1]], colors[0])));
    }
    found
}

/// The number of lines, strip points and strokes that are drawn.
pub(crate) fn amount(app: &mut App) -> usize {
    let lines = line_count::<PursuitGizmos>(app) + strip_points::<PursuitGizmos>(app);
    #[cfg(feature = "recorder")]
    let lines = lines + line_count::<bevy_pursuit_debug::SearchGizmos>(app);
    lines + squares(app).len()
}

/// The number of cells that a stroke spans. The stroke is one gap shorter than its cells, so the number is rounded up.
pub(crate) fn span(ends: &[Vec3; 2]) -> usize {
    ((ends[1].x - ends[0].x) / (2.0 * NODE_RADIUS)).ceil() as usize
}

/// The number of cells that all strokes of a color span together.
pub(crate) fn cells_of(app: &mut App, color: Color) -> usize {
    let strokes = squares(app).into_iter();
    let strokes = strokes.filter(|(_, other)| is_like(*other, color));
    strokes.map(|(ends, _)| span(&ends)).sum()
}

fn is_like(one: LinearRgba, other: Color) -> bool {
    let off = one.to_vec4() - LinearRgba::from(other).to_vec4();
    off.abs().max_element() < 1e-4
}

/// The number of circles and other strips of a color.
pub(crate) fn strips_of(app: &App, color: Color) -> usize {
    let colors = drawn::<PursuitGizmos>(app).map(|asset| &asset.buffer().strip_colors);
    // A strip ends with a color that is not a number.
    let strips = colors
        .into_iter()
        .flat_map(|all| all.split(|it| it.red.is_nan()));
    let firsts = strips.filter_map(|strip| strip.first());
    firsts.filter(|first| is_like(**first, color)).count()
}

/// Presses keys or buttons together for one frame.
pub(crate) fn press<T>(app: &mut App, all: &[T])
where
    T: Copy + Eq + std::hash::Hash + Send + Sync + 'static,
{
    let mut input = app.world_mut().resource_mut::<ButtonInput<T>>();
    input.reset_all();
    all.iter().for_each(|one| input.press(*one));
    app.update();
    let mut input = app.world_mut().resource_mut::<ButtonInput<T>>();
    input.reset_all();
}

/// All texts on the screen.
pub(crate) fn texts(app: &mut App) -> Vec<String> {
    let world = app.world_mut();
    let mut texts = world.query::<&Text>();
    texts.iter(world).map(|text| text.0.clone()).collect()
}

/// Whether a text on the screen contains `part`.
pub(crate) fn says(app: &mut App, part: &str) -> bool {
    texts(app).iter().any(|text| text.contains(part))
}

#[track_caller]
pub(crate) fn assert_says(app: &mut App, part: &str) {
    assert!(says(app, part), "no {part:?} in {:#?}", texts(app));
}

/// Turns all ground into mud, and waits for the bake.
pub(crate) fn spread_mud(app: &mut App) {
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    let mud = areas.add("mud", 2.5, Color::BLACK);
    let all = NavObstacle::rectangle(Vec2::splat(1e3));
    app.world_mut()
        .spawn((all, NavArea::new(mud), Transform::default()));
    run_until(app, "mud", |app| {
        let mut grids = app.world_mut().query::<&bevy_pursuit::BakedGrid>();
        let mut snapshots = (grids.iter(app.world())).filter_map(bevy_pursuit::BakedGrid::snapshot);
        snapshots.any(|snapshot| snapshot.map().areas().is_some())
    });
}
