//! An app with physics and Pursuit but no window, for the tests of the bake.

#![allow(dead_code, reason = "each test binary uses a part of it")]

#[path = "../../../src/physics/rapier/random_shapes.rs"]
pub(crate) mod random_shapes;

use bevy_rapier2d::parry::shape::SharedShape;

use random_shapes::{random_pose, random_shape};

use crate::common::*;

/// World size that [`grid`] covers: from minus to plus this much on both axes.
pub(crate) const REACH: f32 = 30.0;

/// An app that bakes inside the frame, at 60 frames a second.
pub(crate) fn app() -> App {
    app_with(PlanMode::Inline)
}

pub(crate) fn app_with(plan_mode: PlanMode) -> App {
    let mut app = game_in_frames(60.0, plan_mode);
    listen(&mut app);
    app
}

/// Takes down what is baked, for [`bakes`].
fn listen(app: &mut App) {
    app.init_resource::<Bakes>()
        .add_observer(|event: On<GridBaked>, mut bakes: ResMut<Bakes>| bakes.0.push(*event));
}

/// 40 × 40 cells of 1.5 units around the origin; distances are known up to 6 units.
pub(crate) fn grid() -> NavGrid {
    let bounds = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(REACH));
    NavGrid::covering(bounds).with_node_radius(0.75)
}

/// Whether the cell at this place is inside an obstacle.
pub(crate) fn blocked(app: &App, grid: Entity, x: f32, y: f32) -> bool {
    let snapshot = snapshot(app, grid);
    let cell = snapshot
        .layout()
        .cell_at(Vec2::new(x, y))
        .expect("a place in the grid");
    snapshot.clearance().center(cell) == 0.0
}

#[derive(Resource, Default)]
struct Bakes(Vec<GridBaked>);

/// The bakes installed since the last call. Of an app that was not made here: since the first one.
pub(crate) fn bakes(app: &mut App) -> Vec<GridBaked> {
    if !app.world().contains_resource::<Bakes>() {
        listen(app);
    }
    std::mem::take(&mut app.world_mut().resource_mut::<Bakes>().0)
}

/// Runs frames until nothing is left to bake, and a few more; gives the bakes installed on the way.
pub(crate) fn settle(app: &mut App) -> Vec<GridBaked> {
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
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    panic!("the grid is baked again and again though nothing changes");
}

/// Spawns a grid and bakes it.
pub(crate) fn bake(app: &mut App, grid: NavGrid) -> Entity {
    let grid = spawn(app, grid);
    settle(app);
    grid
}

/// Compares what edits made of `grid` with a bake of the same scene from nothing.
#[track_caller]
pub(crate) fn assert_like_new(app: &mut App, grid: Entity) {
    let config = get::<NavGrid>(app, grid);
    let fresh = spawn(app, config);
    settle(app);
    let (edited, new) = (snapshot(app, grid), snapshot(app, fresh));
    assert!(
        edited.clearance() == new.clearance(),
        "edits add up to another grid than a bake from nothing"
    );
    despawn(app, fresh);
}

/// Spawns a collider of one kind at a random place: by itself, scaled, turned, or below a fixed
/// body.
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
            .spawn((collider, groups, transform(REACH, scale, random)))
            .id();
    }
    let parent = world.spawn(transform(REACH, uniform, random)).id();
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
