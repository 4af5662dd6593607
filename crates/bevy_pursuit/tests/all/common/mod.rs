//! A headless game for tests: Rapier and Pursuit in the fixed schedule, time by hand.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its own part"
)]

use std::fmt::Debug;
use std::ops::RangeBounds;

use bevy::app::PluginGroupBuilder;
use bevy::ecs::component::Mutable;

// What nearly every test needs.
pub use std::sync::Arc;
pub use std::time::Duration;

pub use bevy::ecs::entity_disabling::Disabled;
pub use bevy::ecs::system::RunSystemOnce;
pub use bevy::prelude::*;
pub use bevy::time::TimeUpdateStrategy;
pub use bevy_pursuit::grid::NavSnapshot;
pub use bevy_pursuit::prelude::*;
pub use bevy_pursuit::{BakedGrid, DesiredVelocity, GridBaked, InlineBakes, NavFrame, NoPath};
pub use bevy_pursuit::{FailReason::*, PathStatus::Failed, PathStatus::Partial};
pub use bevy_pursuit::{Outlook, PathCursor, PlanMode, PursuitStats, Wants};
pub use bevy_rapier2d::prelude::*;

/// What the agents of a test are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    Transform,
    Kinematic,
    Dynamic,
}

/// Frames at 60 Hz, walls and a grid as in the map, baked.
pub fn level(plan_mode: PlanMode, map: &str) -> App {
    let mut app = new_level(plan_mode, map);
    run(&mut app, 3);
    app
}

/// The same before its first frame: nothing is baked yet.
pub fn new_level(plan_mode: PlanMode, map: &str) -> App {
    let mut app = game(60.0, plan_mode);
    build_level(&mut app, map);
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

/// Two rooms with a door between them and one to the outside.
pub const HOUSE: &str = "
    ..............
    .####.#######.
    .#.....#....#.
    .#.....#....#.
    .#..........#.
    .#.....#....#.
    .############.
    ..............
";

pub const MODES: [PlanMode; 2] = [PlanMode::Inline, PlanMode::Async];
pub const BODIES: [Body; 3] = [Body::Transform, Body::Kinematic, Body::Dynamic];

/// Every mode with every body.
pub fn modes_and_bodies() -> impl Iterator<Item = (PlanMode, Body)> {
    MODES
        .into_iter()
        .flat_map(|mode| BODIES.map(|body| (mode, body)))
}

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
    pub entered: Vec<EnteredForbidden>,
}

/// A game that ticks `hz` times a second, once per update.
pub fn game(hz: f64, plan_mode: PlanMode) -> App {
    game_of(hz, plan_mode, true, |plugins| plugins)
}

/// The same without Rapier's plugin.
pub fn game_without_rapier() -> App {
    game_of(60.0, PlanMode::Inline, false, |plugins| plugins)
}

/// The same with these of Pursuit's plugins, and with Rapier or without.
pub fn game_of(
    hz: f64,
    plan_mode: PlanMode,
    with_rapier: bool,
    choose: impl FnOnce(PluginGroupBuilder) -> PluginGroupBuilder,
) -> App {
    let mut app = game_without_plugins(hz, plan_mode);
    let tick = Duration::from_secs_f64(1.0 / hz);
    if with_rapier {
        app.insert_resource(TimestepMode::Fixed {
            dt: tick.as_secs_f32(),
            substeps: 1,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule());
    }
    app.insert_resource(Time::<Fixed>::from_duration(tick))
        .add_plugins(choose(
            PursuitPlugins::default().in_fixed_schedule().build(),
        ));
    app.finish();
    app.cleanup();
    app
}

/// A game whose physics and Pursuit run in `PostUpdate`, as Rapier does by default, `hz` frames a second.
pub fn game_in_frames(hz: f64, plan_mode: PlanMode) -> App {
    let mut app = game_without_plugins(hz, plan_mode);
    app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default());
    app.finish();
    app.cleanup();
    app
}

/// Time by hand and [`Heard`], for plugins to be added.
pub fn game_without_plugins(hz: f64, plan_mode: PlanMode) -> App {
    let mut app = App::new();
    let frame = Duration::from_secs_f64(1.0 / hz);
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(PursuitSettings {
            plan_mode,
            ..default()
        })
        .init_resource::<Heard>()
        .add_observer(|event: On<PathFound>, mut heard: ResMut<Heard>| heard.found.push(*event))
        .add_observer(|event: On<PathFailed>, mut heard: ResMut<Heard>| heard.failed.push(*event))
        .add_observer(|event: On<GoalReached>, mut heard: ResMut<Heard>| heard.reached.push(*event))
        .add_observer(|event: On<AgentStuck>, mut heard: ResMut<Heard>| heard.stuck.push(*event))
        .add_observer(|event: On<TargetLost>, mut heard: ResMut<Heard>| heard.lost.push(*event))
        .add_observer(|event: On<EnteredForbidden>, mut heard: ResMut<Heard>| {
            heard.entered.push(*event)
        });
    app
}

/// Agents that are spawned from now on walk through one another: each is to come to the very place of its goal, or to go as if
/// it were alone.
pub fn walk_through(app: &mut App) {
    app.add_observer(let_through);
}

fn let_through(event: On<Add, NavAgent>, mut commands: Commands) {
    commands.entity(event.entity).insert(NavAvoidance::None);
}

/// A grid of unit cells from the origin, and a wall for each `#` of `map`, whose first row is y 0.
pub fn build_level(app: &mut App, map: &str) -> Vec<Entity> {
    build_level_at(app, Vec2::ZERO, map)
}

pub fn build_level_at(app: &mut App, origin: Vec2, map: &str) -> Vec<Entity> {
    let (size, walls) = size_and_walls(map);
    spawn_grid(app, Rect::from_corners(origin, origin + size), 0.5);
    let walls = walls.into_iter();
    walls
        .map(|center| spawn_wall(app, origin + center, Vec2::splat(0.5)))
        .collect()
}

/// Size of a map, and the center of each `#` in it.
pub fn size_and_walls(map: &str) -> (Vec2, Vec<Vec2>) {
    let rows = map.lines().map(str::trim).filter(|row| !row.is_empty());
    let (mut size, mut walls) = (Vec2::ZERO, Vec::new());
    for (y, row) in rows.enumerate() {
        size = Vec2::new(size.x.max(row.len() as f32), y as f32 + 1.0);
        walls.extend(row.match_indices('#').map(|(x, _)| cell(x, y)));
    }
    (size, walls)
}

/// A grid that takes the walls of [`spawn_wall`] for obstacles.
pub fn nav_grid(bounds: Rect, node_radius: f32) -> NavGrid {
    NavGrid::covering(bounds)
        .with_node_radius(node_radius)
        .with_obstacles(WALLS)
}

pub fn spawn_grid(app: &mut App, bounds: Rect, node_radius: f32) -> Entity {
    spawn(app, nav_grid(bounds, node_radius))
}

/// Center of a cell in the levels of [`build_level`].
pub fn cell(x: usize, y: usize) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}

pub fn spawn_wall(app: &mut App, center: Vec2, half_size: Vec2) -> Entity {
    let groups = CollisionGroups::new(WALLS, Group::ALL);
    let shape = Collider::cuboid(half_size.x, half_size.y);
    spawn(app, (shape, groups, transform_at(center)))
}

pub fn transform_at(place: Vec2) -> Transform {
    Transform::from_translation(place.extend(0.0))
}

pub fn spawn_target(app: &mut App, position: Vec2) -> Entity {
    spawn(app, transform_at(position))
}

pub fn spawn_agent(app: &mut App, body: Body, position: Vec2) -> Entity {
    let agent = NavAgent::from_radius(RADIUS);
    let entity = spawn(app, (agent, transform_at(position)));
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

/// Spawns an agent with what else it has.
pub fn spawn_with(app: &mut App, body: Body, position: Vec2, rest: impl Bundle) -> Entity {
    let agent = spawn_agent(app, body, position);
    give(app, agent, rest);
    agent
}

/// The same without a body of the physics.
pub fn spawn_bare(app: &mut App, position: Vec2, rest: impl Bundle) -> Entity {
    spawn_with(app, Body::Transform, position, rest)
}

pub fn spawn_chaser(app: &mut App, body: Body, position: Vec2, target: Entity) -> Entity {
    spawn_with(app, body, position, Chase::new(target))
}

/// Spawns an agent that is sent to `goal`.
pub fn spawn_walker(app: &mut App, body: Body, position: Vec2, goal: Vec2) -> Entity {
    spawn_with(app, body, position, PathRequest::to(goal))
}

/// Spawns a chaser and the target that it chases.
pub fn spawn_chase(app: &mut App, body: Body, from: Vec2, to: Vec2) -> (Entity, Entity) {
    let target = spawn_target(app, to);
    (spawn_chaser(app, body, from, target), target)
}

/// Spawns an agent that is sent to `goal` by a chase or by a request.
pub fn spawn_sent(app: &mut App, body: Body, from: Vec2, goal: Vec2, is_chase: bool) -> Entity {
    if is_chase {
        spawn_chase(app, body, from, goal).0
    } else {
        spawn_walker(app, body, from, goal)
    }
}

/// Agents of the usual size, each with one bad number: radius, speed, acceleration, reach.
pub fn bad_agents(bad: f32) -> [NavAgent; 4] {
    let good = NavAgent::from_radius(RADIUS);
    let mut agents = [good; 4];
    agents[0].radius = bad;
    agents[1].speed = bad;
    agents[2].acceleration = bad;
    agents[3].reach = Some(bad);
    agents
}

/// Makes an agent of the usual speed for its size, and its collider as large.
pub fn set_size(app: &mut App, agent: Entity, body: Body, radius: f32) {
    give(app, agent, NavAgent::from_radius(radius));
    if body != Body::Transform {
        give(app, agent, Collider::ball(radius));
    }
}

/// Gives a dynamic body of the usual size this much more velocity, at once.
pub fn hit(app: &mut App, body: Entity, by: Vec2) {
    let mass = std::f32::consts::PI * RADIUS * RADIUS;
    let impulse = ExternalImpulse {
        impulse: by * mass,
        ..default()
    };
    give(app, body, impulse);
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

pub fn entity_mut(app: &mut App, entity: Entity) -> EntityWorldMut<'_> {
    app.world_mut().entity_mut(entity)
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

/// What an agent was told that it reached: requests have no target.
pub fn reached_by(app: &App, agent: Entity) -> Vec<Option<Entity>> {
    let reached = heard(app).reached.iter();
    let mine = reached.filter(|event| event.entity == agent);
    mine.map(|event| event.target).collect()
}

/// How often an entity was told of a path.
pub fn times_found(app: &App, entity: Entity) -> usize {
    let found = heard(app).found.iter();
    found.filter(|event| event.entity == entity).count()
}

/// How often an entity was told of a failure.
pub fn times_failed(app: &App, entity: Entity) -> usize {
    let failed = heard(app).failed.iter();
    failed.filter(|event| event.entity == entity).count()
}

/// Updates until `done`, at most `ticks` times; how many it took.
#[track_caller]
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

/// Each wall's shape, place and angle.
fn walls(app: &mut App) -> Vec<(Collider, Vec2, f32)> {
    let mut walls = app
        .world_mut()
        .query::<(&Collider, &GlobalTransform, &CollisionGroups)>();
    let walls = walls.iter(app.world());
    walls
        .filter(|(.., groups)| groups.memberships.intersects(WALLS))
        .map(|(collider, pose, _)| {
            let (_, rotation, place) = pose.to_scale_rotation_translation();
            let angle = rotation.to_euler(EulerRot::XYZ).2;
            (collider.clone(), place.truncate(), angle)
        })
        .collect()
}

/// Distance from `point` to the nearest wall, by parry and not by Pursuit.
pub fn wall_distance(app: &mut App, point: Vec2) -> f32 {
    let walls = walls(app).into_iter();
    let distances =
        walls.map(|(wall, place, angle)| wall.distance_to_point(place, angle, point, true));
    distances.fold(f32::INFINITY, f32::min)
}

/// An agent's center must be `least` or more from every wall.
#[track_caller]
pub fn assert_off_walls(app: &mut App, agent: Entity, least: f32, what: impl Debug) {
    let here = position(app, agent);
    let away = wall_distance(app, here);
    let status = app.world().get::<PathStatus>(agent);
    assert!(
        away >= least,
        "{what:?}: {agent} at {here} is {away} from a wall, not {least}, {status:?}"
    );
}

/// Runs, and checks in each tick that no agent overlaps a wall by more than 2 % of its radius.
#[track_caller]
pub fn run_off_walls(app: &mut App, agents: impl Agents, ticks: usize, what: impl Debug) {
    for n in 0..ticks {
        tick(app);
        for agent in agents.all() {
            let radius = get::<NavAgent>(app, *agent).radius;
            assert_off_walls(app, *agent, 0.98 * radius, (&what, n));
        }
    }
}

/// An agent must be as far from a point as the range says.
#[track_caller]
pub fn assert_away(
    app: &App,
    agent: Entity,
    from: Vec2,
    range: impl RangeBounds<f32> + Debug,
    what: impl Debug,
) {
    let here = position(app, agent);
    let away = here.distance(from);
    let legs = app.world().get::<Locomotion>(agent);
    assert!(
        range.contains(&away),
        "{what:?}: {agent} at {here} is {away} away from {from}, not {range:?}, {legs:?}"
    );
}

/// What a system of a game is answered, between two frames.
pub fn ask<T: Send + Sync + 'static>(
    app: &mut App,
    question: impl Fn(Navigation) -> T + Send + Sync + 'static,
) -> T {
    let answer = app.world_mut().run_system_once(question);
    answer.expect("every app can be asked")
}

/// Whether a way of the usual size leads there, told without a search.
pub fn is_reachable(app: &mut App, from: Vec2, to: Vec2) -> Result<bool, FailReason> {
    ask(app, move |nav| nav.is_reachable(from, to, RADIUS))
}

pub fn what_blocks(app: &mut App, point: Vec2, radius: f32) -> Result<Vec<Entity>, FailReason> {
    ask(app, move |nav| nav.what_blocks(point, radius))
}

pub fn nearest_free(app: &mut App, point: Vec2) -> Result<Vec2, FailReason> {
    ask(app, move |nav| nav.nearest_free(point, RADIUS))
}

pub fn distance_left(app: &mut App, agent: Entity) -> Result<f32, NoPath> {
    ask(app, move |nav| nav.distance_left(agent))
}

/// Updates with time in between for tasks to run.
pub fn run_slowly(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        let_tasks_run();
        app.update();
    }
}

/// As [`run_until`], with time in between for tasks to run.
#[track_caller]
pub fn run_slowly_until(
    app: &mut App,
    ticks: usize,
    mut done: impl FnMut(&mut App) -> bool,
) -> usize {
    run_until(app, ticks, |app| {
        let_tasks_run();
        done(app)
    })
}

pub fn let_tasks_run() {
    std::thread::sleep(Duration::from_micros(200));
}

/// Spawns an entity that asks for a path and has no body.
pub fn spawn_request(app: &mut App, from: Vec2, request: impl Bundle) -> Entity {
    spawn(app, (request, transform_at(from)))
}

pub fn status(app: &App, entity: Entity) -> PathStatus {
    get::<PathStatus>(app, entity)
}

pub fn legs(app: &App, agent: Entity) -> Locomotion {
    get::<Locomotion>(app, agent)
}

/// The velocity that an agent wants.
pub fn desired(app: &App, agent: Entity) -> Vec2 {
    get::<DesiredVelocity>(app, agent).0.truncate()
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
    run_slowly_until(app, 5000, |app| is_settled(status(app, entity)));
    status(app, entity)
}

/// One agent or several.
pub trait Agents: Copy {
    fn all(&self) -> &[Entity];
}

impl Agents for Entity {
    fn all(&self) -> &[Entity] {
        std::slice::from_ref(self)
    }
}

impl<const N: usize> Agents for [Entity; N] {
    fn all(&self) -> &[Entity] {
        self
    }
}

impl Agents for &Vec<Entity> {
    fn all(&self) -> &[Entity] {
        self
    }
}

/// Updates once, with time for tasks to run where there are some.
pub fn tick(app: &mut App) {
    if app.world().resource::<PursuitSettings>().plan_mode == PlanMode::Async {
        let_tasks_run();
    }
    app.update();
}

/// Whether it is there, or stands behind others that came first.
pub fn has_come(app: &App, agent: Entity) -> bool {
    matches!(legs(app, agent), Locomotion::Arrived | Locomotion::Settled)
}

/// Updates until one agent after the other has arrived, each in as many ticks, with time for tasks to run.
#[track_caller]
pub fn arrive(app: &mut App, agents: impl Agents, ticks: usize, what: impl Debug) {
    until_all(app, agents, ticks, what, has_arrived);
}

/// The same of agents with one goal: who stands behind others has come.
#[track_caller]
pub fn come(app: &mut App, agents: impl Agents, ticks: usize, what: impl Debug) {
    until_all(app, agents, ticks, what, has_come);
}

#[track_caller]
fn until_all(
    app: &mut App,
    agents: impl Agents,
    ticks: usize,
    what: impl Debug,
    is_done: fn(&App, Entity) -> bool,
) {
    for agent in agents.all().iter().copied() {
        let mut left = ticks;
        while left > 0 && !is_done(app, agent) {
            tick(app);
            left -= 1;
        }
        // Who comes there in the last tick is late.
        let (legs, status) = (legs(app, agent), status(app, agent));
        let (here, desired) = (position(app, agent), desired(app, agent));
        assert!(
            left > 0,
            "{what:?}: {agent} is not there after {ticks} ticks, {legs:?}, {status:?} at {here}, wants {desired}"
        );
    }
}

/// The same tick by tick; off walls in each.
#[track_caller]
pub fn arrive_off_walls(app: &mut App, agents: impl Agents, ticks: usize, what: impl Debug) {
    until_all_off_walls(app, agents, ticks, what, has_arrived);
}

#[track_caller]
pub fn come_off_walls(app: &mut App, agents: impl Agents, ticks: usize, what: impl Debug) {
    until_all_off_walls(app, agents, ticks, what, has_come);
}

#[track_caller]
fn until_all_off_walls(
    app: &mut App,
    agents: impl Agents,
    ticks: usize,
    what: impl Debug,
    is_done: fn(&App, Entity) -> bool,
) {
    for _ in 0..ticks {
        if agents.all().iter().all(|agent| is_done(app, *agent)) {
            break;
        }
        run_off_walls(app, agents, 1, &what);
    }
    until_all(app, agents, 1, what, is_done);
}

#[track_caller]
pub fn assert_status(app: &App, agents: impl Agents, expected: PathStatus, what: impl Debug) {
    for agent in agents.all() {
        assert_eq!(status(app, *agent), expected, "{what:?}: {agent}");
    }
}

pub fn settings(app: &mut App) -> Mut<'_, PursuitSettings> {
    app.world_mut().resource_mut::<PursuitSettings>()
}

pub fn stats(app: &App) -> &PursuitStats {
    app.world().resource::<PursuitStats>()
}

/// Turns the physics on and off as a game does that pauses it.
pub fn set_physics(app: &mut App, is_active: bool) {
    let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
    for mut config in configs.iter_mut(app.world_mut()) {
        config.physics_pipeline_active = is_active;
    }
}

pub fn virtual_time(app: &mut App) -> Mut<'_, Time<Virtual>> {
    app.world_mut().resource_mut::<Time<Virtual>>()
}

/// Searches answered since the start, whatever the answer.
pub fn searches(app: &App) -> u64 {
    let stats = stats(app);
    stats.paths_found + stats.paths_failed.iter().sum::<u64>()
}

pub fn grid_entity(app: &mut App) -> Entity {
    let mut grids = app.world_mut().query_filtered::<Entity, With<NavGrid>>();
    let grid = grids.iter(app.world()).next();
    grid.expect("the level has a grid")
}

pub fn snapshot(app: &App, grid: Entity) -> Arc<NavSnapshot> {
    let baked = get::<BakedGrid>(app, grid);
    baked.snapshot().expect("the grid was baked").clone()
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

/// Gates that are shut where a bit is set, the lowest for the first of [`STAGES`].
pub fn gates_of(shut: u32) -> [bool; 6] {
    std::array::from_fn(|stage| shut >> stage & 1 == 0)
}

/// Whether the straight line between two points meets no wall, by parry and not by Pursuit.
pub fn is_line_clear(app: &mut App, from: Vec2, to: Vec2) -> bool {
    let mut walls = walls(app).into_iter();
    !walls.any(|(wall, place, angle)| {
        let hit = wall.cast_ray(place, angle, from, to - from, 1.0, true);
        hit.is_some()
    })
}

/// The waypoints of a path in the plane of X and Y.
pub fn waypoints(path: &NavPath) -> Vec<Vec2> {
    path.waypoints().map(Vec3::truncate).collect()
}

/// Where a path in the plane of X and Y ends.
pub fn end(path: &NavPath) -> Option<Vec2> {
    path.end().map(Vec3::truncate)
}

/// The way that is left along an agent's path, in world units.
pub fn way_left(app: &App, agent: Entity) -> f32 {
    let path = get::<NavPath>(app, agent);
    let mut here = position(app, agent);
    let mut left = 0.0;
    let next = get::<PathCursor>(app, agent).next();
    for point in waypoints(&path).into_iter().skip(next) {
        left += here.distance(point);
        here = point;
    }
    left
}
