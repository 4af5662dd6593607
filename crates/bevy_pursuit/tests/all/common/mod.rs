//! A headless game for tests: Rapier and Pursuit run in the fixed schedule, and the tests advance time by hand.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its own part"
)]

use std::fmt::Debug;
use std::ops::RangeBounds;

use bevy::app::PluginGroupBuilder;
use bevy::ecs::component::Mutable;
use bevy::ecs::schedule::SingleThreadedExecutor;

// Imports that nearly every test needs.
pub use std::sync::Arc;
pub use std::time::Duration;

pub use bevy::ecs::entity_disabling::Disabled;
pub use bevy::ecs::system::RunSystemOnce;
pub use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, block_on};
pub use bevy::time::TimeUpdateStrategy;
pub use bevy_pursuit::grid::NavSnapshot;
pub use bevy_pursuit::inspect::{NavReport, PathCursor, Wants};
pub use bevy_pursuit::plugins::InlineBakeSystems;
pub use bevy_pursuit::prelude::*;
pub use bevy_pursuit::{BakedGrid, DesiredVelocity, GridBaked, NavFrame, NoPath};
pub use bevy_pursuit::{FailReason::*, PathStatus::Failed, PathStatus::Partial};
pub use bevy_pursuit::{PlanMode, PursuitStats};
pub use bevy_rapier2d::prelude::*;

/// The kind of body that the agents of a test have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    Transform,
    Kinematic,
    Dynamic,
}

/// A game at 60 Hz with the walls of the map and a grid that is already baked.
pub fn level(plan_mode: PlanMode, map: &str) -> App {
    let mut app = unbaked_level(plan_mode, map);
    run(&mut app, 3);
    app
}

/// A level before its first frame, in which nothing is baked yet.
pub fn unbaked_level(plan_mode: PlanMode, map: &str) -> App {
    let mut app = game(60.0, plan_mode);
    build_level(&mut app, map);
    app
}

/// A map without walls.
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

/// Two rooms with a door between them, and one door to the outside.
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

/// Every plan mode with every kind of body.
pub fn modes_and_bodies() -> impl Iterator<Item = (PlanMode, Body)> {
    MODES
        .into_iter()
        .flat_map(|mode| BODIES.map(|body| (mode, body)))
}

pub const WALLS: Group = Group::GROUP_1;
pub const AGENTS: Group = Group::GROUP_2;
pub const RADIUS: f32 = 0.4;

/// Every event that an observer received, in order.
#[derive(Resource, Default, Debug)]
pub struct ObservedEvents {
    pub found: Vec<PathFound>,
    pub failed: Vec<PathFailed>,
    pub reached: Vec<GoalReached>,
    pub stuck: Vec<AgentStuck>,
    pub lost: Vec<TargetLost>,
    pub entered: Vec<EnteredForbidden>,
}

/// A game that ticks `hz` times per second, once per update.
pub fn game(hz: f64, plan_mode: PlanMode) -> App {
    game_with_plugins(hz, plan_mode, true, |plugins| plugins)
}

/// A game at 60 Hz without Rapier's plugin.
pub fn game_without_rapier() -> App {
    game_with_plugins(60.0, PlanMode::Inline, false, |plugins| plugins)
}

/// A game with the Pursuit plugins that `choose` keeps, with or without Rapier.
pub fn game_with_plugins(
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
    run_systems_serially(&mut app);
    app
}

/// Makes systems run one after another, which is six times as fast with few agents. [`game_in_frames`] runs them in
/// parallel.
fn run_systems_serially(app: &mut App) {
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// Raises the length unit of the physics, because no dynamic body moves faster than 400 times this unit.
pub fn lift_speed_cap(app: &mut App) {
    app.update();
    let mut physics = app.world_mut().query::<&mut RapierContextSimulation>();
    for mut one in physics.iter_mut(app.world_mut()) {
        one.integration_parameters.length_unit = 100.0;
    }
}

/// A game at `hz` frames per second whose physics and Pursuit run in `PostUpdate`, which is Rapier's default.
pub fn game_in_frames(hz: f64, plan_mode: PlanMode) -> App {
    let mut app = game_without_plugins(hz, plan_mode);
    app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default());
    app.finish();
    app.cleanup();
    app
}

/// A game with manual time and [`ObservedEvents`], to which the caller adds plugins.
pub fn game_without_plugins(hz: f64, plan_mode: PlanMode) -> App {
    let mut app = App::new();
    let frame = Duration::from_secs_f64(1.0 / hz);
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(PursuitSettings {
            plan_mode,
            ..default()
        })
        .init_resource::<ObservedEvents>()
        .add_observer(|event: On<PathFound>, mut events: ResMut<ObservedEvents>| {
            events.found.push(*event)
        })
        .add_observer(
            |event: On<PathFailed>, mut events: ResMut<ObservedEvents>| events.failed.push(*event),
        )
        .add_observer(
            |event: On<GoalReached>, mut events: ResMut<ObservedEvents>| {
                events.reached.push(*event)
            },
        )
        .add_observer(
            |event: On<AgentStuck>, mut events: ResMut<ObservedEvents>| events.stuck.push(*event),
        )
        .add_observer(
            |event: On<TargetLost>, mut events: ResMut<ObservedEvents>| events.lost.push(*event),
        )
        .add_observer(
            |event: On<EnteredForbidden>, mut events: ResMut<ObservedEvents>| {
                events.entered.push(*event)
            },
        );
    app
}

/// Agents that are spawned from now on walk through one another, so each of them reaches its exact goal and moves as if
/// it were alone.
pub fn disable_avoidance(app: &mut App) {
    app.add_observer(insert_no_avoidance);
}

fn insert_no_avoidance(event: On<Add, NavAgent>, mut commands: Commands) {
    commands.entity(event.entity).insert(NavAvoidance::None);
}

/// Spawns a grid of unit cells at the origin and a wall for each `#` of `map`. The first row of the map is at y = 0.
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

/// The size of a map, and the center of each `#` in it.
pub fn size_and_walls(map: &str) -> (Vec2, Vec<Vec2>) {
    let rows = map.lines().map(str::trim).filter(|row| !row.is_empty());
    let (mut size, mut walls) = (Vec2::ZERO, Vec::new());
    for (y, row) in rows.enumerate() {
        size = Vec2::new(size.x.max(row.len() as f32), y as f32 + 1.0);
        walls.extend(row.match_indices('#').map(|(x, _)| cell(x, y)));
    }
    (size, walls)
}

/// A grid whose obstacles are the walls of [`spawn_wall`].
pub fn nav_grid(bounds: Rect, node_radius: f32) -> NavGrid {
    NavGrid::covering(bounds)
        .with_node_radius(node_radius)
        .with_obstacles(WALLS)
}

pub fn spawn_grid(app: &mut App, bounds: Rect, node_radius: f32) -> Entity {
    spawn(app, nav_grid(bounds, node_radius))
}

/// The center of a cell in the levels of [`build_level`].
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

/// Spawns an agent with the components of `rest`.
pub fn spawn_with(app: &mut App, body: Body, position: Vec2, rest: impl Bundle) -> Entity {
    let agent = spawn_agent(app, body, position);
    give(app, agent, rest);
    agent
}

/// Spawns an agent without a physics body.
pub fn spawn_bare(app: &mut App, position: Vec2, rest: impl Bundle) -> Entity {
    spawn_with(app, Body::Transform, position, rest)
}

pub fn spawn_chaser(app: &mut App, body: Body, position: Vec2, target: Entity) -> Entity {
    spawn_with(app, body, position, Chase::new(target))
}

/// Spawns an agent with a request to walk to `goal`.
pub fn spawn_walker(app: &mut App, body: Body, position: Vec2, goal: Vec2) -> Entity {
    spawn_with(app, body, position, PathRequest::to(goal))
}

/// Spawns a chaser and its target.
pub fn spawn_chase(app: &mut App, body: Body, from: Vec2, to: Vec2) -> (Entity, Entity) {
    let target = spawn_target(app, to);
    (spawn_chaser(app, body, from, target), target)
}

/// Spawns an agent that goes to `goal`, either as a chaser or by a request.
pub fn spawn_sent(app: &mut App, body: Body, from: Vec2, goal: Vec2, is_chase: bool) -> Entity {
    if is_chase {
        spawn_chase(app, body, from, goal).0
    } else {
        spawn_walker(app, body, from, goal)
    }
}

/// Agents of the usual size, each with one invalid number: radius, speed, acceleration, reach.
pub fn bad_agents(bad: f32) -> [NavAgent; 4] {
    let good = NavAgent::from_radius(RADIUS);
    let mut agents = [good; 4];
    agents[0].radius = bad;
    agents[1].speed = bad;
    agents[2].acceleration = bad;
    agents[3].reach = Some(bad);
    agents
}

/// Changes an agent's radius, its speed in proportion, and the radius of its collider.
pub fn set_size(app: &mut App, agent: Entity, body: Body, radius: f32) {
    give(app, agent, NavAgent::from_radius(radius));
    if body != Body::Transform {
        give(app, agent, Collider::ball(radius));
    }
}

/// Adds `by` to the velocity of a dynamic body of the usual size, by an impulse.
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

pub fn set_position(app: &mut App, entity: Entity, at: Vec2) {
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

pub fn events(app: &App) -> &ObservedEvents {
    app.world().resource::<ObservedEvents>()
}

/// The targets that `agent` was reported to reach, in order. A request has no target.
pub fn reached_by(app: &App, agent: Entity) -> Vec<Option<Entity>> {
    let reached = events(app).reached.iter();
    let mine = reached.filter(|event| event.entity == agent);
    mine.map(|event| event.target).collect()
}

/// The number of `PathFound` events for an entity.
pub fn times_found(app: &App, entity: Entity) -> usize {
    let found = events(app).found.iter();
    found.filter(|event| event.entity == entity).count()
}

/// The number of `PathFailed` events for an entity.
pub fn times_failed(app: &App, entity: Entity) -> usize {
    let failed = events(app).failed.iter();
    failed.filter(|event| event.entity == entity).count()
}

/// Updates until `done` returns true, at most `ticks` times. Returns the number of updates.
#[track_caller]
pub fn run_until(app: &mut App, ticks: usize, mut done: impl FnMut(&mut App) -> bool) -> usize {
    for tick in 0..ticks {
        if done(app) {
            return tick;
        }
        app.update();
    }
    panic!("not done after {ticks} ticks: {:?}", events(app));
}

pub fn run(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        app.update();
    }
}

/// The shape, position and angle of each wall.
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

/// Distance from `point` to the nearest wall, computed by parry, independently of Pursuit.
pub fn wall_distance(app: &mut App, point: Vec2) -> f32 {
    let walls = walls(app).into_iter();
    let distances =
        walls.map(|(wall, place, angle)| wall.distance_to_point(place, angle, point, true));
    distances.fold(f32::INFINITY, f32::min)
}

/// Asserts that an agent's center is at least `min_distance` away from every wall.
#[track_caller]
pub fn assert_off_walls(app: &mut App, agent: Entity, min_distance: f32, context: impl Debug) {
    let here = position(app, agent);
    let away = wall_distance(app, here);
    let status = app.world().get::<PathStatus>(agent);
    assert!(
        away >= min_distance,
        "{context:?}: {agent} at {here} is {away} from a wall, which is less than {min_distance}, {status:?}"
    );
}

/// Runs for `ticks` and asserts after each tick that no agent overlaps a wall by more than 2 % of its radius.
#[track_caller]
pub fn run_off_walls(app: &mut App, agents: impl Agents, ticks: usize, context: impl Debug) {
    for n in 0..ticks {
        tick(app);
        for agent in agents.all() {
            let radius = get::<NavAgent>(app, *agent).radius;
            assert_off_walls(app, *agent, 0.98 * radius, (&context, n));
        }
    }
}

/// Asserts that the distance between an agent and a point is in `range`.
#[track_caller]
pub fn assert_away(
    app: &App,
    agent: Entity,
    from: Vec2,
    range: impl RangeBounds<f32> + Debug,
    context: impl Debug,
) {
    let here = position(app, agent);
    let away = here.distance(from);
    let locomotion = app.world().get::<Locomotion>(agent);
    assert!(
        range.contains(&away),
        "{context:?}: {agent} at {here} is {away} away from {from}, which is outside {range:?}, {locomotion:?}"
    );
}

/// The answer of `Navigation` to a system that runs between two frames.
pub fn ask<T: Send + Sync + 'static>(
    app: &mut App,
    question: impl Fn(Navigation) -> T + Send + Sync + 'static,
) -> T {
    let answer = app.world_mut().run_system_once(question);
    answer.expect("the system runs")
}

/// Whether a path for the usual radius exists. The answer needs no search.
pub fn is_reachable(app: &mut App, from: Vec2, to: Vec2) -> Result<bool, FailReason> {
    ask(app, move |nav| nav.is_reachable(from, to, RADIUS))
}

pub fn what_blocks(app: &mut App, point: Vec2, radius: f32) -> Result<Vec<Entity>, FailReason> {
    ask(app, move |nav| nav.what_blocks(point, radius))
}

pub fn nearest_free(app: &mut App, point: Vec2) -> Result<Vec2, FailReason> {
    ask(app, move |nav| nav.nearest_free(point, RADIUS))
}

pub fn remaining_distance(app: &mut App, agent: Entity) -> Result<f32, NoPath> {
    ask(app, move |nav| nav.remaining_distance(agent))
}

/// Runs `ticks` updates, and gives tasks time to run before each.
pub fn run_slowly(app: &mut App, ticks: usize) {
    for _ in 0..ticks {
        let_tasks_run();
        app.update();
    }
}

/// Does the same as [`run_until`], and gives tasks time to run before each call of `done`.
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

/// Gives tasks some time, and waits until each one that has been spawned has had its turn, however busy the machine is.
pub fn let_tasks_run() {
    std::thread::sleep(Duration::from_micros(200));
    block_on(AsyncComputeTaskPool::get().spawn(async {}));
}

/// Spawns an entity that requests a path and has no body.
pub fn spawn_request(app: &mut App, from: Vec2, request: impl Bundle) -> Entity {
    spawn(app, (request, transform_at(from)))
}

pub fn status(app: &App, entity: Entity) -> PathStatus {
    get::<PathStatus>(app, entity)
}

pub fn locomotion(app: &App, agent: Entity) -> Locomotion {
    get::<Locomotion>(app, agent)
}

/// The velocity that an agent wants, in world units per second.
pub fn desired(app: &App, agent: Entity) -> Vec2 {
    get::<DesiredVelocity>(app, agent).0.truncate()
}

pub fn has_arrived(app: &App, agent: Entity) -> bool {
    locomotion(app, agent) == Locomotion::Arrived
}

pub fn is_answered(status: PathStatus) -> bool {
    !matches!(
        status,
        PathStatus::Idle | PathStatus::Queued | PathStatus::Searching
    )
}

/// Updates until the path status is final, with pauses for tasks. Returns the status.
pub fn wait_for_answer(app: &mut App, entity: Entity) -> PathStatus {
    run_slowly_until(app, 5000, |app| is_answered(status(app, entity)));
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

/// Updates once. In `PlanMode::Async`, tasks get time to run first.
pub fn tick(app: &mut App) {
    if app.world().resource::<PursuitSettings>().plan_mode == PlanMode::Async {
        let_tasks_run();
    }
    app.update();
}

/// Whether an agent reached its goal or settled behind others that came first.
pub fn has_arrived_or_settled(app: &App, agent: Entity) -> bool {
    matches!(
        locomotion(app, agent),
        Locomotion::Arrived | Locomotion::Settled
    )
}

/// Updates until every agent has arrived, at most `ticks` times for each, with pauses for tasks.
#[track_caller]
pub fn arrive(app: &mut App, agents: impl Agents, ticks: usize, context: impl Debug) {
    until_all(app, agents, ticks, context, has_arrived);
}

/// Updates until every agent has arrived or settled, at most `ticks` times for each. Agents that share a goal settle
/// behind others.
#[track_caller]
pub fn arrive_or_settle(app: &mut App, agents: impl Agents, ticks: usize, context: impl Debug) {
    until_all(app, agents, ticks, context, has_arrived_or_settled);
}

#[track_caller]
fn until_all(
    app: &mut App,
    agents: impl Agents,
    ticks: usize,
    context: impl Debug,
    is_done: fn(&App, Entity) -> bool,
) {
    for agent in agents.all().iter().copied() {
        let mut remaining_ticks = ticks;
        while remaining_ticks > 0 && !is_done(app, agent) {
            tick(app);
            remaining_ticks -= 1;
        }
        // An agent that is done only after the last tick is too late.
        let (locomotion, status) = (locomotion(app, agent), status(app, agent));
        let (here, desired) = (position(app, agent), desired(app, agent));
        assert!(
            remaining_ticks > 0,
            "{context:?}: {agent} is not done in {ticks} ticks, {locomotion:?}, {status:?} at {here}, wants {desired}"
        );
    }
}

/// Updates until every agent has arrived, and asserts in each tick that all of them keep off the walls.
#[track_caller]
pub fn arrive_off_walls(app: &mut App, agents: impl Agents, ticks: usize, context: impl Debug) {
    until_all_off_walls(app, agents, ticks, context, has_arrived);
}

#[track_caller]
pub fn arrive_or_settle_off_walls(
    app: &mut App,
    agents: impl Agents,
    ticks: usize,
    context: impl Debug,
) {
    until_all_off_walls(app, agents, ticks, context, has_arrived_or_settled);
}

#[track_caller]
fn until_all_off_walls(
    app: &mut App,
    agents: impl Agents,
    ticks: usize,
    context: impl Debug,
    is_done: fn(&App, Entity) -> bool,
) {
    for _ in 0..ticks {
        if agents.all().iter().all(|agent| is_done(app, *agent)) {
            break;
        }
        run_off_walls(app, agents, 1, &context);
    }
    until_all(app, agents, 1, context, is_done);
}

#[track_caller]
pub fn assert_status(app: &App, agents: impl Agents, expected: PathStatus, context: impl Debug) {
    for agent in agents.all() {
        assert_eq!(status(app, *agent), expected, "{context:?}: {agent}");
    }
}

pub fn settings(app: &mut App) -> Mut<'_, PursuitSettings> {
    app.world_mut().resource_mut::<PursuitSettings>()
}

pub fn stats(app: &App) -> &PursuitStats {
    app.world().resource::<PursuitStats>()
}

/// Pauses or resumes the physics as a game does.
pub fn set_physics(app: &mut App, is_active: bool) {
    let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
    for mut config in configs.iter_mut(app.world_mut()) {
        config.physics_pipeline_active = is_active;
    }
}

pub fn virtual_time(app: &mut App) -> Mut<'_, Time<Virtual>> {
    app.world_mut().resource_mut::<Time<Virtual>>()
}

/// The number of searches that were answered since the start, with any result.
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

/// Clones an entity, like a game that spawns many enemies from one prototype.
pub fn clone_entity(app: &mut App, entity: Entity) -> Entity {
    app.world_mut().entity_mut(entity).clone_and_spawn()
}

/// A reflected copy. Bevy 0.19 returns it or panics; Bevy 0.20 returns a `Result`.
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

/// Copies the reflected components of an entity, as a scene does.
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

/// The stages, in order.
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

/// Makes each stage of a [`game`] run only while its gate in [`Gates`] is open. All gates are open at first.
pub fn add_gates(app: &mut App) {
    app.insert_resource(Gates([true; 6]));
    for (n, stage) in STAGES.into_iter().enumerate() {
        let is_open = move |gates: Res<Gates>| gates.0[n];
        let inline = match stage {
            PursuitSystems::Observe => InlineBakeSystems::Observe,
            PursuitSystems::Bake => InlineBakeSystems::Bake,
            _ => {
                app.configure_sets(FixedUpdate, stage.run_if(is_open));
                continue;
            }
        };
        app.configure_sets(PostUpdate, stage.run_if(is_open))
            .configure_sets(FixedUpdate, inline.run_if(is_open));
    }
}

pub fn set_gates(app: &mut App, gates: [bool; 6]) {
    app.insert_resource(Gates(gates));
}

/// Gates from a bit mask: a set bit shuts a gate. The lowest bit is for the first of [`STAGES`].
pub fn gates_of(shut: u32) -> [bool; 6] {
    std::array::from_fn(|stage| shut >> stage & 1 == 0)
}

/// Whether the straight line between two points crosses no wall, computed by parry, independently of Pursuit.
pub fn is_line_clear(app: &mut App, from: Vec2, to: Vec2) -> bool {
    let mut walls = walls(app).into_iter();
    !walls.any(|(wall, place, angle)| {
        let hit = wall.cast_ray(place, angle, from, to - from, 1.0, true);
        hit.is_some()
    })
}

/// The waypoints of a path, in the XY plane.
pub fn waypoints(path: &NavPath) -> Vec<Vec2> {
    path.waypoints().map(Vec3::truncate).collect()
}

/// The end of a path, in the XY plane.
pub fn path_end(path: &NavPath) -> Option<Vec2> {
    path.end().map(Vec3::truncate)
}

/// The length of the rest of an agent's path, in world units.
pub fn remaining_path_length(app: &App, agent: Entity) -> f32 {
    let path = get::<NavPath>(app, agent);
    let mut here = position(app, agent);
    let mut length = 0.0;
    let next = get::<PathCursor>(app, agent).next();
    for point in waypoints(&path).into_iter().skip(next) {
        length += here.distance(point);
        here = point;
    }
    length
}
