//! A headless game for tests: Rapier and Pursuit in the fixed schedule, time by hand.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its own part"
)]

use std::fmt::Debug;
use std::time::Duration;

use bevy::app::PluginGroupBuilder;
use bevy::ecs::component::Mutable;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
pub use bevy_pursuit::{DesiredVelocity, InlineBakes, PathCursor, PlanMode, PursuitStats};
use bevy_rapier2d::prelude::*;

/// What the agents of a test are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    Transform,
    Kinematic,
    Dynamic,
}

/// Frames at 60 Hz and inside the frame: what most tests want.
pub fn level(plan_mode: PlanMode, map: &str) -> App {
    let mut app = game(60.0, plan_mode);
    build_level(&mut app, map);
    run(&mut app, 3);
    app
}

/// The map of a level without walls.
pub fn open(width: usize, height: usize) -> String {
    format!("{}\n", ".".repeat(width)).repeat(height)
}

pub const ROOM: &str = "
    ..........
    ..........
    .....#....
    .....#....
    .....#####
    .....#....
";

pub const MODES: [PlanMode; 2] = [PlanMode::Inline, PlanMode::Async];
pub const BODIES: [Body; 3] = [Body::Transform, Body::Kinematic, Body::Dynamic];
pub const WALLS: Group = Group::GROUP_1;
pub const AGENTS: Group = Group::GROUP_2;
pub const RADIUS: f32 = 0.4;

/// Every event that reached an observer, in order.
#[derive(Resource, Default, Debug)]
pub struct Heard {
    pub found: Vec<PathFound>,
    pub failed: Vec<PathFailed>,
    pub reached: Vec<GoalReached>,
    pub stuck: Vec<AgentStuck>,
    pub lost: Vec<TargetLost>,
}

/// A game that ticks `hz` times a second, once per update.
pub fn game(hz: f64, plan_mode: PlanMode) -> App {
    game_of(hz, plan_mode, true, |plugins| plugins)
}

/// The same with these of Pursuit's plugins, and with Rapier or without.
pub fn game_of(
    hz: f64,
    plan_mode: PlanMode,
    with_rapier: bool,
    choose: impl FnOnce(PluginGroupBuilder) -> PluginGroupBuilder,
) -> App {
    let mut app = App::new();
    let tick = Duration::from_secs_f64(1.0 / hz);
    app.add_plugins((MinimalPlugins, TransformPlugin));
    if with_rapier {
        app.insert_resource(TimestepMode::Fixed {
            dt: tick.as_secs_f32(),
            substeps: 1,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule());
    }
    app.insert_resource(Time::<Fixed>::from_duration(tick))
        .insert_resource(TimeUpdateStrategy::ManualDuration(tick))
        .insert_resource(PursuitSettings {
            plan_mode,
            ..default()
        })
        .init_resource::<Heard>()
        .add_plugins(choose(
            PursuitPlugins::default().in_fixed_schedule().build(),
        ))
        .add_observer(|event: On<PathFound>, mut heard: ResMut<Heard>| heard.found.push(*event))
        .add_observer(|event: On<PathFailed>, mut heard: ResMut<Heard>| heard.failed.push(*event))
        .add_observer(|event: On<GoalReached>, mut heard: ResMut<Heard>| heard.reached.push(*event))
        .add_observer(|event: On<AgentStuck>, mut heard: ResMut<Heard>| heard.stuck.push(*event))
        .add_observer(|event: On<TargetLost>, mut heard: ResMut<Heard>| heard.lost.push(*event));
    app.finish();
    app.cleanup();
    app
}

/// A grid of unit cells from the origin, and a wall for each `#` of `map`, whose first row is y 0.
pub fn build_level(app: &mut App, map: &str) -> Vec<Entity> {
    let rows: Vec<&str> = map
        .lines()
        .map(str::trim)
        .filter(|row| !row.is_empty())
        .collect();
    let size = Vec2::new(rows[0].len() as f32, rows.len() as f32);
    app.world_mut().spawn(
        NavGrid::covering(Rect::from_corners(Vec2::ZERO, size))
            .with_node_radius(0.5)
            .with_obstacles(WALLS),
    );
    let mut walls = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.match_indices('#') {
            walls.push(spawn_wall(app, cell(x, y), Vec2::splat(0.5)));
        }
    }
    walls
}

/// Center of a cell in the levels of [`build_level`].
pub fn cell(x: usize, y: usize) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}

pub fn spawn_wall(app: &mut App, center: Vec2, half_size: Vec2) -> Entity {
    let groups = CollisionGroups::new(WALLS, Group::ALL);
    let place = Transform::from_translation(center.extend(0.0));
    let shape = Collider::cuboid(half_size.x, half_size.y);
    spawn(app, (shape, groups, place))
}

pub fn spawn_target(app: &mut App, position: Vec2) -> Entity {
    spawn(app, Transform::from_translation(position.extend(0.0)))
}

pub fn spawn_agent(app: &mut App, body: Body, position: Vec2) -> Entity {
    let agent = NavAgent::from_radius(RADIUS);
    let place = Transform::from_translation(position.extend(0.0));
    let entity = spawn(app, (agent, place));
    give_body(app, entity, body);
    entity
}

pub fn give_body(app: &mut App, agent: Entity, body: Body) {
    let solid = (Collider::ball(RADIUS), CollisionGroups::new(AGENTS, WALLS));
    match body {
        Body::Transform => {}
        Body::Kinematic => give(app, agent, (RigidBody::KinematicPositionBased, solid)),
        Body::Dynamic => give(app, agent, (RigidBody::Dynamic, solid)),
    }
}

pub fn spawn_chaser(app: &mut App, body: Body, position: Vec2, target: Entity) -> Entity {
    let agent = spawn_agent(app, body, position);
    give(app, agent, Chase::new(target));
    agent
}

pub fn position(app: &App, entity: Entity) -> Vec2 {
    get::<Transform>(app, entity).translation.truncate()
}

pub fn place(app: &mut App, entity: Entity, at: Vec2) {
    get_mut::<Transform>(app, entity).translation = at.extend(0.0);
}

pub fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn(bundle).id()
}

pub fn give(app: &mut App, entity: Entity, bundle: impl Bundle) {
    app.world_mut().entity_mut(entity).insert(bundle);
}

pub fn remove<B: Bundle>(app: &mut App, entity: Entity) {
    app.world_mut().entity_mut(entity).remove::<B>();
}

pub fn despawn(app: &mut App, entity: Entity) {
    app.world_mut().despawn(entity);
}

pub fn get_mut<C: Component<Mutability = Mutable>>(app: &mut App, entity: Entity) -> Mut<'_, C> {
    let component = app.world_mut().get_mut::<C>(entity);
    component.expect("the entity has the component")
}

pub fn get<C: Component + Clone>(app: &App, entity: Entity) -> C {
    let component = app.world().get::<C>(entity);
    component.expect("the entity has the component").clone()
}

pub fn heard(app: &App) -> &Heard {
    app.world().resource::<Heard>()
}

/// Updates until `done`, at most `ticks` times; how many it took.
pub fn run_until(app: &mut App, ticks: usize, mut done: impl FnMut(&mut App) -> bool) -> usize {
    for tick in 0..ticks {
        if done(app) {
            return tick;
        }
        app.update();
    }
    panic!("not done after {ticks} ticks: {:?}", heard(app));
}

pub fn run(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        app.update();
    }
}

/// Distance from `point` to the nearest wall, by parry and not by Pursuit.
pub fn wall_distance(app: &mut App, point: Vec2) -> f32 {
    let nearest = move |walls: Query<(&Collider, &GlobalTransform, &CollisionGroups)>| {
        let distances = walls
            .iter()
            .filter(|(_, _, groups)| groups.memberships.intersects(WALLS))
            .map(|(collider, pose, _)| {
                let (_, rotation, translation) = pose.to_scale_rotation_translation();
                let angle = rotation.to_euler(EulerRot::XYZ).2;
                collider.distance_to_point(translation.truncate(), angle, point, true)
            });
        distances.fold(f32::INFINITY, f32::min)
    };
    let distance = app.world_mut().run_system_once(nearest);
    distance.expect("every app can be asked for its walls")
}

/// What a system of a game is answered, between two frames.
pub fn ask<T: Send + Sync + 'static>(
    app: &mut App,
    question: impl Fn(Navigation) -> T + Send + Sync + 'static,
) -> T {
    let answer = app.world_mut().run_system_once(question);
    answer.expect("every app can be asked")
}

/// Updates with time in between for tasks to run.
pub fn run_slowly(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        let_tasks_run();
        app.update();
    }
}

pub fn let_tasks_run() {
    std::thread::sleep(Duration::from_micros(200));
}

/// Spawns an entity that asks for a path and has no body.
pub fn spawn_request(app: &mut App, from: Vec2, request: PathRequest) -> Entity {
    let place = Transform::from_translation(from.extend(0.0));
    spawn(app, (request, place))
}

pub fn status(app: &App, entity: Entity) -> PathStatus {
    get::<PathStatus>(app, entity)
}

pub fn legs(app: &App, agent: Entity) -> Locomotion {
    get::<Locomotion>(app, agent)
}

pub fn has_arrived(app: &App, agent: Entity) -> bool {
    legs(app, agent) == Locomotion::Arrived
}

pub fn is_settled(status: PathStatus) -> bool {
    !matches!(
        status,
        PathStatus::Idle | PathStatus::Queued | PathStatus::Searching
    )
}

/// Updates until the status is an answer, with time for tasks to run.
pub fn answered(app: &mut App, entity: Entity) -> PathStatus {
    run_until(app, 5000, |app| {
        let_tasks_run();
        is_settled(status(app, entity))
    });
    status(app, entity)
}

/// Updates until the agent has arrived, with time for tasks to run.
#[track_caller]
pub fn arrive(app: &mut App, agent: Entity, ticks: usize, what: &str) {
    for _ in 0..ticks {
        if has_arrived(app, agent) {
            return;
        }
        if app.world().resource::<PursuitSettings>().plan_mode == PlanMode::Async {
            let_tasks_run();
        }
        app.update();
    }
    let (legs, status) = (legs(app, agent), status(app, agent));
    let here = position(app, agent);
    let desired = get::<DesiredVelocity>(app, agent).0;
    panic!(
        "{what}: not there after {ticks} ticks, {legs:?}, {status:?} at {here}, wants {desired}"
    );
}

/// Searches answered since the start, whatever the answer.
pub fn searches(app: &App) -> u64 {
    let stats = app.world().resource::<PursuitStats>();
    stats.paths_found + stats.paths_failed.iter().sum::<u64>()
}

pub fn grid_entity(app: &mut App) -> Entity {
    let mut grids = app.world_mut().query_filtered::<Entity, With<NavGrid>>();
    let grid = grids.iter(app.world()).next();
    grid.expect("the level has a grid")
}

pub fn set_disabled(app: &mut App, entity: Entity, disabled: bool) {
    if disabled {
        give(app, entity, Disabled);
    } else {
        remove::<Disabled>(app, entity);
    }
}

/// Clones an entity as a game does that spawns one enemy after another from a first one.
pub fn clone_entity(app: &mut App, entity: Entity) -> Entity {
    app.world_mut().entity_mut(entity).clone_and_spawn()
}

/// A reflected copy: Bevy 0.19 gives one, or panics; Bevy 0.20 gives it or an error.
trait ReflectedCopy {
    fn expect_copy(self) -> Box<dyn PartialReflect>;
}

impl ReflectedCopy for Box<dyn PartialReflect> {
    fn expect_copy(self) -> Box<dyn PartialReflect> {
        self
    }
}

impl<E: Debug> ReflectedCopy for Result<Box<dyn PartialReflect>, E> {
    fn expect_copy(self) -> Box<dyn PartialReflect> {
        self.expect("every registered component can be copied")
    }
}

/// Copies an entity as a scene does: whatever is reflected, and nothing else.
pub fn copy_by_reflection(app: &mut App, entity: Entity) -> Entity {
    app.register_type::<Transform>();
    let world = app.world_mut();
    let registry = world.resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let copied = world.spawn_empty().id();
    for registration in registry.iter() {
        let Some(component) = registration.data::<ReflectComponent>() else {
            continue;
        };
        let value = component
            .reflect(world.entity(entity))
            .map(|value| value.to_dynamic().expect_copy());
        if let Some(value) = value {
            let mut copied = world.entity_mut(copied);
            component.insert(&mut copied, value.as_partial_reflect(), &registry);
        }
    }
    copied
}

/// The stages in order, with a switch for each.
pub const STAGES: [PursuitSystems; 6] = [
    PursuitSystems::Observe,
    PursuitSystems::Bake,
    PursuitSystems::Decide,
    PursuitSystems::Plan,
    PursuitSystems::Follow,
    PursuitSystems::Drive,
];

/// Which of [`STAGES`] run.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates(pub [bool; 6]);

/// Makes the stages of a [`game`] run only where [`Gates`] say so. All run at first.
pub fn add_gates(app: &mut App) {
    app.insert_resource(Gates([true; 6]));
    for (n, stage) in STAGES.into_iter().enumerate() {
        let gated = || stage.run_if(move |gates: Res<Gates>| gates.0[n]);
        if n < 2 {
            app.configure_sets(PostUpdate, gated())
                .configure_sets(InlineBakes, gated());
        } else {
            app.configure_sets(FixedUpdate, gated());
        }
    }
}

pub fn set_gates(app: &mut App, gates: [bool; 6]) {
    app.insert_resource(Gates(gates));
}

/// Whether the straight line between two points meets no wall, by parry and not by Pursuit.
pub fn is_line_clear(app: &mut App, from: Vec2, to: Vec2) -> bool {
    let ray = move |walls: Query<(&Collider, &GlobalTransform, &CollisionGroups)>| {
        let hits = |(collider, pose, groups): (&Collider, &GlobalTransform, &CollisionGroups)| {
            let (_, rotation, translation) = pose.to_scale_rotation_translation();
            let angle = rotation.to_euler(EulerRot::XYZ).2;
            let way = to - from;
            groups.memberships.intersects(WALLS)
                && collider
                    .cast_ray(translation.truncate(), angle, from, way, 1.0, true)
                    .is_some()
        };
        !walls.iter().any(hits)
    };
    let clear = app.world_mut().run_system_once(ray);
    clear.expect("every app can be asked for its walls")
}

/// The way that is left along an agent's path, in world units.
pub fn way_left(app: &App, agent: Entity) -> f32 {
    let path = get::<NavPath>(app, agent);
    let mut here = position(app, agent);
    let mut left = 0.0;
    for point in path
        .waypoints()
        .iter()
        .skip(get::<PathCursor>(app, agent).next())
    {
        left += here.distance(*point);
        here = *point;
    }
    left
}
