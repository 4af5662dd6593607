//! The overlay in a headless app with real bakes and paths: what ends up in the gizmo buffers.

use std::any::TypeId;
use std::time::Duration;

use bevy::asset::AssetPlugin;
use bevy::camera::{ComputedCameraValues, RenderTargetInfo};
use bevy::color::LinearRgba;
use bevy::gizmos::{GizmoAsset, GizmoHandles};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::{
    CoarseGizmos, FineGizmos, PursuitDebugPlugin, PursuitDebugSettings, PursuitGizmos,
};
use bevy_rapier2d::prelude::*;

const RADIUS: f32 = 4.0;
const NODE_RADIUS: f32 = 5.0;
const VIEWPORT: UVec2 = UVec2::new(1280, 720);

/// An app with a wall, a target, a chaser on the other side, and the overlay if wanted.
fn app(half_size: f32, overlay: bool) -> App {
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
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default());
    if overlay {
        app.add_plugins(PursuitDebugPlugin);
    }
    app.finish();
    app.cleanup();
    let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(half_size));
    let world = app.world_mut();
    world.spawn(
        NavGrid::covering(bounds)
            .with_node_radius(NODE_RADIUS)
            .with_obstacles(Group::GROUP_1),
    );
    world.spawn((
        RigidBody::Fixed,
        Collider::cuboid(20.0, 60.0),
        CollisionGroups::new(Group::GROUP_1, Group::ALL),
        Transform::default(),
    ));
    let target = world.spawn(Transform::from_xyz(85.0, 3.0, 0.0)).id();
    world.spawn((
        NavAgent::from_radius(RADIUS),
        Chase::new(target),
        Transform::from_xyz(-85.0, 3.0, 0.0),
    ));
    app
}

/// A camera that shows `width` world units around the origin.
fn look(app: &mut App, width: f32) {
    let height = width * VIEWPORT.y as f32 / VIEWPORT.x as f32;
    let target_info = Some(RenderTargetInfo {
        physical_size: VIEWPORT,
        scale_factor: 1.0,
    });
    app.world_mut().spawn((
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
    ));
}

fn settings(app: &mut App) -> Mut<'_, PursuitDebugSettings> {
    app.world_mut().resource_mut()
}

fn run(app: &mut App, frames: usize) {
    for _ in 0..frames {
        app.update();
    }
}

/// Lines and strip points that a gizmo group holds for the latest frame.
fn drawn<G: GizmoConfigGroup>(app: &App) -> Option<&GizmoAsset> {
    let handles = app.world().resource::<GizmoHandles>();
    let handle = handles.handles().get(&TypeId::of::<G>())?.as_ref()?;
    app.world().resource::<Assets<GizmoAsset>>().get(handle)
}

fn line_count<G: GizmoConfigGroup>(app: &App) -> usize {
    drawn::<G>(app).map_or(0, |asset| asset.buffer().list_positions.len() / 2)
}

fn strip_points<G: GizmoConfigGroup>(app: &App) -> usize {
    drawn::<G>(app).map_or(0, |asset| asset.buffer().strip_positions.len())
}

/// How many cells long all strokes of a color are, together.
fn cells_of(app: &App, color: Color) -> usize {
    let Some(asset) = drawn::<FineGizmos>(app) else {
        return 0;
    };
    let (buffer, wanted) = (asset.buffer(), LinearRgba::from(color));
    let ends = buffer
        .list_positions
        .chunks(2)
        .zip(buffer.list_colors.chunks(2));
    let strokes = ends
        .filter(|(_, colors)| (colors[0].to_vec4() - wanted.to_vec4()).abs().max_element() < 1e-4);
    let length = |ends: &[Vec3]| (ends[1].x - ends[0].x) / (2.0 * NODE_RADIUS);
    // A stroke is short of its cells by one gap.
    strokes.map(|(ends, _)| length(ends).ceil() as usize).sum()
}

fn press(app: &mut App, key: KeyCode) {
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.clear();
    keys.release(key);
    keys.press(key);
    app.update();
    app.world_mut()
        .resource_mut::<ButtonInput<KeyCode>>()
        .clear();
}

#[test]
fn f1_switches_everything_on_and_off() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    run(&mut app, 10);
    assert_eq!(
        (
            line_count::<FineGizmos>(&app),
            strip_points::<PursuitGizmos>(&app)
        ),
        (0, 0)
    );
    press(&mut app, KeyCode::F1);
    assert!(line_count::<FineGizmos>(&app) > 0);
    assert!(strip_points::<PursuitGizmos>(&app) > 0);
    run(&mut app, 2);
    let panels = |app: &mut App| app.world_mut().query::<&Text>().iter(app.world()).count();
    assert_eq!(panels(&mut app), 1);
    press(&mut app, KeyCode::F1);
    run(&mut app, 2);
    assert_eq!(
        (
            line_count::<FineGizmos>(&app),
            strip_points::<PursuitGizmos>(&app)
        ),
        (0, 0)
    );
    assert_eq!(panels(&mut app), 0);
}

#[test]
fn every_cell_in_view_is_drawn_in_its_color() {
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    settings(&mut app).enabled = true;
    run(&mut app, 10);
    let baked = app
        .world_mut()
        .query::<&BakedGrid>()
        .single(app.world())
        .expect("one grid");
    let ground = baked.snapshot().expect("baked by now").ground(RADIUS);
    let (free, all) = (ground.grid().free_count(), ground.grid().cell_count());
    assert!(free > 0 && free < all);
    let colors = settings(&mut app).colors.clone();
    assert_eq!(cells_of(&app, colors.walkable), free);
    assert_eq!(cells_of(&app, colors.blocked), all - free);
    assert_eq!(cells_of(&app, colors.target), 1);
}

#[test]
fn each_layer_can_be_switched_off() {
    type Switch = fn(&mut PursuitDebugSettings) -> &mut bool;
    let switches: [(&str, Switch); 8] = [
        ("outline", |settings| &mut settings.outline),
        ("walkable", |settings| &mut settings.walkable),
        ("blocked", |settings| &mut settings.blocked),
        ("targets", |settings| &mut settings.targets),
        ("paths", |settings| &mut settings.paths),
        ("waypoints", |settings| &mut settings.waypoints),
        ("radii", |settings| &mut settings.radii),
        ("velocities", |settings| &mut settings.velocities),
    ];
    let mut app = app(100.0, true);
    look(&mut app, 400.0);
    settings(&mut app).enabled = true;
    run(&mut app, 20);
    // From now on next to nothing moves, so that only the switch makes a difference.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(1)));
    run(&mut app, 2);
    let amount = |app: &App| {
        line_count::<FineGizmos>(app)
            + line_count::<PursuitGizmos>(app)
            + strip_points::<PursuitGizmos>(app)
    };
    let before = amount(&app);
    for (name, switch) in switches {
        *switch(&mut settings(&mut app)) = false;
        run(&mut app, 1);
        assert!(amount(&app) < before, "{name} is still drawn");
        *switch(&mut settings(&mut app)) = true;
        run(&mut app, 1);
        assert_eq!(amount(&app), before, "{name} came back changed");
    }
}

#[test]
fn chunks_and_the_panel_can_be_switched_off_too() {
    let mut app = app(1000.0, true);
    look(&mut app, 12_000.0);
    settings(&mut app).enabled = true;
    run(&mut app, 20);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(1)));
    run(&mut app, 2);
    let lines = |app: &App| {
        line_count::<CoarseGizmos>(app)
            + line_count::<PursuitGizmos>(app)
            + strip_points::<PursuitGizmos>(app)
    };
    let texts = |app: &mut App| {
        let world = app.world_mut();
        world.query::<&Text>().iter(world).count()
    };
    let (lines_before, texts_before) = (lines(&app), texts(&mut app));
    assert!(texts_before > 0, "no panel to switch off");
    settings(&mut app).chunks = false;
    settings(&mut app).panel = false;
    run(&mut app, 1);
    assert!(lines(&app) < lines_before, "chunks are still drawn");
    assert_eq!(texts(&mut app), 0, "the panel is still there");
}

#[test]
fn a_grid_of_a_million_cells_stays_within_the_bound_at_every_zoom() {
    let mut app = app(NODE_RADIUS * 1024.0, true);
    settings(&mut app).enabled = true;
    look(&mut app, 100.0);
    run(&mut app, 3);
    for width in [100.0, 1000.0, 3000.0, 6000.0, 12_000.0, 40_000.0] {
        let height = width * VIEWPORT.y as f32 / VIEWPORT.x as f32;
        let world = app.world_mut();
        for mut projection in world.query::<&mut Projection>().iter_mut(world) {
            if let Projection::Orthographic(projection) = &mut *projection {
                projection.area = Rect::from_center_size(Vec2::ZERO, Vec2::new(width, height));
            }
        }
        run(&mut app, 1);
        let most = settings(&mut app).max_squares as usize;
        let squares = line_count::<FineGizmos>(&app) + line_count::<CoarseGizmos>(&app);
        assert!(
            squares > 0 && squares <= 2 * most,
            "{squares} strokes at width {width}"
        );
        // Seven points per chunk outline, and some for the one agent.
        assert!(
            strip_points::<PursuitGizmos>(&app) <= 7 * 4096 + 200,
            "at width {width}"
        );
    }
}

#[test]
fn agents_walk_alike_with_and_without_the_overlay() {
    // The plugin is there both times: an agent looks around at ticks that its entity's index decides,
    // and resources are entities in some versions of Bevy.
    let walk = |overlay: bool| {
        let mut app = app(100.0, true);
        look(&mut app, 400.0);
        settings(&mut app).enabled = overlay;
        let mut positions = Vec::new();
        for _ in 0..120 {
            app.update();
            let mut agents = app
                .world_mut()
                .query_filtered::<&Transform, With<NavAgent>>();
            positions.extend(agents.iter(app.world()).map(|agent| agent.translation));
        }
        positions
    };
    let plain = walk(false);
    assert_ne!(plain.first(), plain.last(), "the agent walks");
    assert_eq!(plain, walk(true));
}
