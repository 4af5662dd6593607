//! A game with physics and Pursuit but no window, for tests of the bake.

#![allow(dead_code, reason = "each test binary uses a part of it")]

#[path = "../../../src/physics/rapier/tests/random_shapes.rs"]
pub(crate) mod random_shapes;

use bevy_rapier2d::parry::shape::SharedShape;

use random_shapes::{random_pose, random_shape};

use crate::common::*;

/// Half of the width and of the height that [`grid`] covers, in world units.
pub(crate) const HALF_SIZE: f32 = 30.0;

/// A game that bakes inside the frame, at 60 frames per second.
pub(crate) fn app() -> App {
    app_with(PlanMode::Inline)
}

pub(crate) fn app_with(plan_mode: PlanMode) -> App {
    let mut app = game_in_frames(60.0, plan_mode);
    record_bakes(&mut app);
    app
}

/// Records every bake, for [`bakes`].
fn record_bakes(app: &mut App) {
    app.init_resource::<Bakes>()
        .add_observer(|event: On<GridBaked>, mut bakes: ResMut<Bakes>| bakes.0.push(*event));
}

/// A grid of 40 by 40 cells of 1.5 units around the origin. Distances are known up to 6 units.
pub(crate) fn grid() -> NavGrid {
    let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(HALF_SIZE));
    NavGrid::covering(bounds).with_node_radius(0.75)
}

/// Whether the cell at this point is inside an obstacle.
pub(crate) fn blocked(app: &App, grid: Entity, x: f32, y: f32) -> bool {
    let snapshot = snapshot(app, grid);
    let cell = snapshot
        .layout()
        .cell_at(Vec2::new(x, y))
        .expect("the point is in the grid");
    snapshot.clearance().center(cell) == 0.0
}

#[derive(Resource, Default)]
struct Bakes(Vec<GridBaked>);

/// The bakes that were installed since the last call. In a game that [`app`] did not build, recording begins with the
/// first call.
pub(crate) fn bakes(app: &mut App) -> Vec<GridBaked> {
    if !app.world().contains_resource::<Bakes>() {
        record_bakes(app);
    }
    std::mem::take(&mut app.world_mut().resource_mut::<Bakes>().0)
}

/// Runs until nothing is left to bake, and a few frames more. Returns the bakes that were installed in this time.
pub(crate) fn run_until_baked(app: &mut App) -> Vec<GridBaked> {
    let mut installed = bakes(app);
    let mut quiet = 0;
    for _ in 0..50_000 {
        app.update();
        let new = bakes(app);
        let mut grids = app.world_mut().query::<&BakedGrid>();
        let is_baking = grids.iter(app.world()).any(BakedGrid::is_baking);
        quiet = if new.is_empty() && !is_baking {
            quiet + 1
        } else {
            0
        };
        installed.extend(new);
        if quiet == 10 {
            return installed;
        }
        if is_baking {
            let_tasks_run();
        }
    }
    panic!("the grid is baked again and again although nothing changes");
}

/// Spawns a grid and bakes it.
pub(crate) fn bake(app: &mut App, grid: NavGrid) -> Entity {
    let grid = spawn(app, grid);
    run_until_baked(app);
    grid
}

/// Compares an edited grid with a new bake of the same scene.
#[track_caller]
pub(crate) fn assert_like_new(app: &mut App, grid: Entity) {
    let config = get::<NavGrid>(app, grid);
    let fresh = spawn(app, config);
    run_until_baked(app);
    let (edited, new) = (snapshot(app, grid), snapshot(app, fresh));
    assert!(
        edited.clearance() == new.clearance(),
        "the edited grid differs from a new bake"
    );
    despawn(app, fresh);
}

/// Spawns a collider of one kind at a random position: as it is, scaled, turned, or as the child of another entity.
pub(crate) fn spawn_random(app: &mut App, kind: usize, random: &mut fastrand::Rng) -> Entity {
    let shape = random_shape(kind, 2.0 + 5.0 * random.f32(), random);
    spawn_shape(app, shape, random)
}

fn spawn_shape(app: &mut App, shape: SharedShape, random: &mut fastrand::Rng) -> Entity {
    let stretch = |random: &mut fastrand::Rng| 0.5 + 1.5 * random.f32();
    let uniform = Vec3::splat(stretch(random));
    let scale = match random.u8(0..3) {
        0 => Vec3::ONE,
        1 => uniform,
        _ => Vec3::new(stretch(random), stretch(random), 1.0),
    };
    let transform = |reach: f32, scale: Vec3, random: &mut fastrand::Rng| {
        let pose = random_pose(reach, random);
        Transform::from_translation(pose.translation.extend(random.f32()))
            .with_rotation(Quat::from_rotation_z(pose.rotation.angle()))
            .with_scale(scale)
    };
    let groups = CollisionGroups::new(Group::GROUP_1, Group::ALL);
    let collider = Collider::from(shape);
    let world = app.world_mut();
    if random.bool() {
        return world
            .spawn((collider, groups, transform(HALF_SIZE, scale, random)))
            .id();
    }
    let parent = world.spawn(transform(HALF_SIZE, uniform, random)).id();
    if random.bool() {
        world.entity_mut(parent).insert(RigidBody::Fixed);
    }
    world
        .spawn((
            collider,
            groups,
            transform(5.0, scale, random),
            ChildOf(parent),
        ))
        .id()
}
