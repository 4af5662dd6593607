//! Runs that are rolled back and played again, and runs at several frame rates. All of them give the same result in
//! each tick.

use std::any::type_name;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use bevy::ecs::component::{Component, Mutable};
use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::inspect::PathCursor;
use bevy_pursuit::plugins::DecideInEachTick;
use bevy_pursuit::prelude::*;
use bevy_pursuit::rollback::{StateVisitor, visit_state};
use bevy_pursuit::{NavFrame, PlanMode, PursuitStats};
use fastrand::Rng;

const SIDE: f32 = 48.0;
const TICKS_PER_SECOND: f32 = 60.0;
const MUD: AreaId = AreaId(1);
const WATER: AreaId = AreaId(2);

/// A permanent name for an entity, whose `Entity` changes when it is restored.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Id(u32);

/// The role of an entity in the game.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
enum Role {
    Agent,
    Prey,
    Block,
    Cart,
}

/// The state of the game itself.
#[derive(Resource, Clone)]
struct Game {
    random: Rng,
    latest: u32,
    /// Whether only the targets move and nothing else happens.
    is_quiet: bool,
}

/// A description of all entities at the end of each tick.
#[derive(Resource, Default)]
struct Log(Vec<Vec<String>>);

/// The agents that entered forbidden ground in this tick.
#[derive(Resource, Default)]
struct ForbiddenEntries(Vec<Id>);

fn game(seed: u64, frames_per_second: f64) -> App {
    let mut app = App::new();
    let tick = Duration::from_secs_f32(1.0 / TICKS_PER_SECOND);
    let frame = Duration::from_secs_f64(1.0 / frames_per_second);
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(Time::<Fixed>::from_duration(tick))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            // The budget is too small to plan for all agents in one tick, so the order of agents matters.
            search_budget: 60,
            ..default()
        })
        .insert_resource(Game {
            random: Rng::with_seed(seed),
            latest: 0,
            is_quiet: false,
        })
        .init_resource::<Log>()
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_observer(
            |event: On<EnteredForbidden>,
             mut entries: ResMut<ForbiddenEntries>,
             ids: Query<&Id>| {
                entries.0.extend(ids.get(event.entity));
            },
        )
        .init_resource::<ForbiddenEntries>()
        .add_systems(FixedPreUpdate, play)
        .add_systems(FixedLast, record_tick);
    app.finish();
    app.cleanup();
    let world = app.world_mut();
    let mud = world
        .resource_mut::<NavAreas>()
        .add("mud", 3.0, Color::BLACK);
    let water = world
        .resource_mut::<NavAreas>()
        .add("water", f32::INFINITY, Color::BLACK);
    assert_eq!((mud, water), (MUD, WATER));
    let mud_class = AgentClass::default().with_cost(mud, 0.5);
    let added = world.resource_mut::<AgentClasses>().add(mud_class);
    assert_eq!(added, Ok(ClassId(1)));
    let bounds = Rect::from_corners(Vec2::ZERO, Vec2::splat(SIDE));
    world.spawn((NavGrid::covering(bounds).with_node_radius(0.5), Id(0)));
    for role in [Role::Block, Role::Prey, Role::Agent] {
        (0..8).for_each(|_| spawn_role(world, role));
    }
    spawn_role(world, Role::Cart);
    app
}

fn random_transform(random: &mut Rng) -> Transform {
    let mut at = || random.f32() * SIDE;
    Transform::from_xyz(at(), at(), 0.0)
}

fn spawn_role(world: &mut World, role: Role) {
    let preys = all_with_role(world, Role::Prey);
    let mut game = world.resource_mut::<Game>();
    game.latest += 1;
    let id = Id(game.latest);
    let random = &mut game.random;
    let at = random_transform(random);
    let size = Vec2::new(0.5 + random.f32() * 4.0, 0.5 + random.f32() * 4.0);
    let radius = [0.3, 0.6][random.usize(0..2)];
    let prey = random.choice(preys);
    let mut entity = world.spawn((id, role, at));
    match role {
        Role::Agent => {
            let class = ClassId((id.0 % 2) as u8);
            entity.insert(NavAgent::from_radius(radius).with_class(class));
            if id.0.is_multiple_of(3) {
                entity.insert(NavAvoidance::None);
            }
            prey.map(|prey| entity.insert(Chase::new(prey)).id());
        }
        Role::Block => {
            entity.insert(NavObstacle::rectangle(size));
            match id.0 % 4 {
                0 => drop(entity.insert(NavArea::new(MUD))),
                1 => drop(entity.insert(TransparentObstacle)),
                2 => drop(entity.insert(NavArea::new(WATER))),
                _ => {}
            }
        }
        // The load of the cart is an obstacle and moves with it.
        Role::Cart => {
            let load = (NavObstacle::circle(1.5), Transform::from_xyz(2.0, 0.0, 0.0));
            entity.with_child(load);
        }
        Role::Prey if id.0.is_multiple_of(2) => drop(entity.insert(CrowdObstacle { radius: 0.5 })),
        Role::Prey => {}
    }
}

/// All entities with a role, in the order of their ids.
fn all_with_role(world: &mut World, role: Role) -> Vec<Entity> {
    let mut found: Vec<(Id, Entity)> = world
        .query::<(&Id, &Role, Entity)>()
        .iter(world)
        .filter(|(_, entity_role, _)| **entity_role == role)
        .map(|(id, _, entity)| (*id, entity))
        .collect();
    found.sort();
    found.into_iter().map(|(_, entity)| entity).collect()
}

/// One tick of the game: prey walks, and sometimes a random event happens.
fn play(world: &mut World) {
    let (preys, carts) = (
        all_with_role(world, Role::Prey),
        all_with_role(world, Role::Cart),
    );
    for entity in preys.iter().chain(&carts) {
        let mut transform = world
            .get_mut::<Transform>(*entity)
            .expect("prey and carts have a transform");
        let turned = Vec2::from_angle(0.01).rotate(transform.translation.truncate() - SIDE / 2.0);
        transform.translation = (turned + SIDE / 2.0).extend(0.0);
    }
    let mut random = world.resource::<Game>().random.clone();
    if random.u8(0..5) == 0 && !world.resource::<Game>().is_quiet {
        random_event(world, &mut random, &preys);
    }
    // Only `random` is written back, because the event may have advanced `Game::latest`.
    world.resource_mut::<Game>().random = random;
}

fn random_event(world: &mut World, random: &mut Rng, preys: &[Entity]) {
    let (agents, blocks) = (
        all_with_role(world, Role::Agent),
        all_with_role(world, Role::Block),
    );
    let (Some(&agent), Some(&block)) = (random.choice(&agents), random.choice(&blocks)) else {
        return spawn_role(world, Role::Agent);
    };
    let prey = random.choice(preys).copied();
    let at = random_transform(random);
    match random.u8(0..15) {
        0 => spawn_role(world, Role::Agent),
        1 => spawn_role(world, Role::Block),
        2 => spawn_role(world, Role::Prey),
        3 if agents.len() > 4 => drop(world.despawn(agent)),
        4 if blocks.len() > 4 => drop(world.despawn(block)),
        5 if preys.len() > 2 => drop(world.despawn(preys[0])),
        6 => drop(world.entity_mut(block).insert(at)),
        7 => drop(world.entity_mut(agent).insert(NavPaused)),
        8 => drop(world.entity_mut(agent).remove::<NavPaused>()),
        9 => {
            let goal = random_transform(random).translation.truncate();
            let request = PathRequest::to(goal).once();
            world.entity_mut(agent).insert(request);
        }
        10 => give(world, agent, prey.map(|prey| Flee::new(prey, 6.0))),
        11 => give(world, agent, prey.map(Chase::new)),
        12 => drop(world.entity_mut(agent).remove::<Chase>()),
        13 => {
            let frame = NavFrame::XY.at(0.1 * random_transform(random).translation);
            let mut grids = world.query::<&mut NavFrame>();
            (grids.iter_mut(world)).for_each(|mut now| *now = frame.turned(0.1 * random.f32()));
        }
        _ => {
            let copy = world.entity_mut(agent).clone_and_spawn();
            let mut game = world.resource_mut::<Game>();
            game.latest += 1;
            let id = Id(game.latest);
            world.entity_mut(copy).insert(id);
        }
    }
}

fn give(world: &mut World, entity: Entity, component: Option<impl Component>) {
    if let Some(component) = component {
        world.entity_mut(entity).insert(component);
    }
}

type Seen<'a> = (
    &'a Id,
    &'a Transform,
    Option<(&'a PathStatus, &'a Locomotion, &'a NavPath, &'a PathCursor)>,
);

fn record_tick(entities: Query<Seen>, mut entries: ResMut<ForbiddenEntries>, mut log: ResMut<Log>) {
    let mut lines: Vec<_> = entities
        .iter()
        .map(|(id, transform, agent)| {
            let at = transform.translation;
            let agent = agent.map(|(status, how, path, cursor)| {
                (
                    status,
                    how,
                    path.waypoints().collect::<Vec<_>>(),
                    cursor.next(),
                )
            });
            (id.0, format!("{id:?} at {at:?}: {agent:?}"))
        })
        .collect();
    lines.sort();
    let entries = entries.0.drain(..).map(|id| format!("{id:?} swims"));
    let lines = lines.into_iter().map(|(_, line)| line).chain(entries);
    log.0.push(lines.collect());
}

type Restore = Box<dyn Fn(&mut World, &mut EntityHashMap<Entity>)>;

/// The saved state of a world, and how to restore it.
struct Saved<'w> {
    world: &'w mut World,
    restores: Vec<Restore>,
}

impl StateVisitor for Saved<'_> {
    fn component<C: Component<Mutability = Mutable> + Clone>(&mut self) {
        let mut query = self.world.query::<(Entity, &C)>();
        let kept = query
            .iter(self.world)
            .map(|(entity, value)| (entity, value.clone()));
        let kept: Vec<(Entity, C)> = kept.collect();
        self.restores.push(Box::new(move |world, names| {
            let mut with = world.query_filtered::<Entity, With<C>>();
            let had: HashSet<Entity> = kept.iter().map(|(entity, _)| names[entity]).collect();
            let with: Vec<Entity> = with.iter(world).collect();
            for entity in with.into_iter().filter(|entity| !had.contains(entity)) {
                world.entity_mut(entity).remove::<C>();
            }
            for (entity, value) in &kept {
                let entity = names[entity];
                let mut value = value.clone();
                C::map_entities(&mut value, names);
                match world.get_mut::<C>(entity) {
                    Some(mut now) => *now = value,
                    None => drop(world.entity_mut(entity).insert(value)),
                }
            }
        }));
    }

    fn resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) {
        let Some(kept) = self.world.get_resource::<R>().cloned() else {
            return;
        };
        self.restores.push(Box::new(move |world, names| {
            let mut value = kept.clone();
            R::map_entities(&mut value, names);
            *world.resource_mut::<R>() = value;
        }));
    }

    fn computed<R: Resource<Mutability = Mutable> + Default>(&mut self) {
        self.restores.push(Box::new(|world, _| {
            if let Some(mut value) = world.get_resource_mut::<R>() {
                *value = R::default();
            }
        }));
    }
}

/// Saves the state of a world, the game's own part first. Returns a function that restores it.
fn save(world: &mut World) -> impl Fn(&mut World) + use<> {
    let mut query = world.query_filtered::<Entity, Or<(With<Id>, With<NavObstacle>)>>();
    let alive: Vec<Entity> = query.iter(world).collect();
    let mut saved = Saved {
        world,
        restores: Vec::new(),
    };
    saved.component::<Id>();
    saved.component::<Role>();
    saved.component::<Transform>();
    saved.component::<GlobalTransform>();
    saved.resource::<Game>();
    saved.resource::<Time>();
    saved.resource::<Time<Virtual>>();
    saved.resource::<Time<Fixed>>();
    visit_state(&mut saved);
    let restores = saved.restores;
    move |world| {
        let now: Vec<Entity> = query_alive(world);
        for entity in now.into_iter().filter(|entity| !alive.contains(entity)) {
            world.despawn(entity);
        }
        let with_names = alive.iter().map(|&entity| {
            let is_there = world.get_entity(entity).is_ok();
            let name = if is_there {
                entity
            } else {
                world.spawn_empty().id()
            };
            (entity, name)
        });
        let mut names: EntityHashMap<Entity> = with_names.collect();
        restores
            .iter()
            .for_each(|restore| restore(world, &mut names));
    }
}

fn query_alive(world: &mut World) -> Vec<Entity> {
    let mut query = world.query_filtered::<Entity, Or<(With<Id>, With<NavObstacle>)>>();
    query.iter(world).collect()
}

fn run(app: &mut App, ticks: usize) -> Vec<Vec<String>> {
    app.world_mut().resource_mut::<Log>().0.clear();
    while app.world().resource::<Log>().0.len() < ticks {
        app.update();
    }
    let mut log = std::mem::take(&mut app.world_mut().resource_mut::<Log>().0);
    log.truncate(ticks);
    log
}

/// Panics at the first tick that differs.
fn assert_same(expected: &[Vec<String>], played: &[Vec<String>], context: &str) {
    for (tick, (expected, played)) in expected.iter().zip(played).enumerate() {
        let differ = expected.iter().zip(played).find(|(a, b)| a != b);
        if let Some((expected, played)) = differ {
            panic!("{context}, tick {tick}:\n{expected}\n{played}");
        }
        assert_eq!(expected.len(), played.len(), "{context}, tick {tick}");
    }
}

#[test]
fn a_rolled_back_run_repeats_tick_for_tick() {
    let mut forbidden_entries = 0;
    for seed in 0..20 {
        let mut app = game(seed, TICKS_PER_SECOND.into());
        run(&mut app, 40 + 7 * seed as usize);
        let roll_back = save(app.world_mut());
        let first = run(&mut app, 300);
        let moved: HashMap<_, _> = first[0].iter().zip(&first[299]).collect();
        assert!(
            moved.iter().filter(|(a, b)| a != b).count() > 8,
            "seed {seed}: too few entities moved"
        );
        for turn in 0..3 {
            roll_back(app.world_mut());
            if turn == 2 {
                // The cache of decisions is only a cache.
                app.init_resource::<DecideInEachTick>();
            }
            let again = run(&mut app, 300);
            assert_same(&first, &again, &format!("seed {seed}, turn {turn}"));
        }
        let lines = first.iter().flatten();
        forbidden_entries += lines.filter(|line| line.ends_with("swims")).count();
    }
    assert!(
        forbidden_entries > 5,
        "only {forbidden_entries} agents entered forbidden ground"
    );
}

/// Two rooms without anything else in them. The wall between them has parts with these ranges of y, with IDs from 901.
fn two_rooms(parts: [[f32; 2]; 3]) -> App {
    let mut app = game(0, TICKS_PER_SECOND.into());
    let world = app.world_mut();
    world.resource_mut::<PursuitSettings>().search_budget = 20_000;
    world.resource_mut::<Game>().is_quiet = true;
    for role in [Role::Agent, Role::Prey, Role::Block, Role::Cart] {
        let all = all_with_role(world, role);
        for entity in all {
            world.despawn(entity);
        }
    }
    for (id, [low, high]) in (901..).zip(parts) {
        let wall = NavObstacle::rectangle(Vec2::new(1.0, high - low));
        let at = Transform::from_xyz(24.0, 0.5 * (low + high), 0.0);
        world.spawn((Id(id), Role::Block, wall, at));
    }
    app
}

/// The price of a door, and the ticks in which its blocker was seen, are part of the saved state.
#[test]
fn a_detour_around_a_price_repeats_after_a_rollback() {
    for ticks in [60, 150, 240, 330] {
        let mut app = two_rooms([[0.0, 24.0], [25.0, 43.0], [46.0, 48.0]]);
        let world = app.world_mut();
        let agent = NavAgent::from_radius(0.4);
        world.spawn((Id(904), agent, Transform::from_xyz(24.0, 24.5, 0.0)));
        let way = PathRequest::to(Vec2::new(40.0, 24.5));
        let at = Transform::from_xyz(16.0, 24.5, 0.0);
        world.spawn((Id(905), agent, way, at));
        run(&mut app, ticks);
        let roll_back = save(app.world_mut());
        let first = run(&mut app, 300);
        roll_back(app.world_mut());
        let again = run(&mut app, 300);
        assert_same(&first, &again, &format!("after {ticks} ticks"));
    }
}

/// The lines of agents before two doors are part of the saved state.
#[test]
fn a_crowd_that_turns_to_a_second_door_repeats_after_a_rollback() {
    for ticks in [60, 150, 240] {
        let mut app = two_rooms([[0.0, 20.0], [21.2, 27.0], [28.2, 48.0]]);
        let world = app.world_mut();
        let target = world.spawn((Id(904), Transform::from_xyz(42.0, 20.0, 0.0)));
        let target = target.id();
        for n in 0..60 {
            let at = Transform::from_xyz(4.0 + (n / 10) as f32, 14.0 + (n % 10) as f32, 0.0);
            let chaser = (NavAgent::from_radius(0.4), Chase::new(target), at);
            world.spawn((Id(905 + n), chaser));
        }
        run(&mut app, ticks);
        let roll_back = save(app.world_mut());
        let first = run(&mut app, 300);
        for decides_in_each_tick in [false, true] {
            roll_back(app.world_mut());
            if decides_in_each_tick {
                app.init_resource::<DecideInEachTick>();
            }
            let again = run(&mut app, 300);
            assert_same(&first, &again, &format!("after {ticks} ticks"));
        }
    }
}

/// Shared fields, and the counters that decide when a field is computed, are part of the saved state.
#[test]
fn a_crowd_that_shares_fields_repeats_after_a_rollback() {
    for seed in 0..4 {
        let mut app = game(seed, TICKS_PER_SECOND.into());
        let world = app.world_mut();
        world.resource_mut::<PursuitSettings>().search_budget = 20_000;
        world.resource_mut::<Game>().is_quiet = true;
        for cart in all_with_role(world, Role::Cart) {
            world.despawn(cart);
        }
        let prey = all_with_role(world, Role::Prey)[0];
        (0..240).for_each(|_| spawn_role(world, Role::Agent));
        for agent in all_with_role(world, Role::Agent) {
            world.entity_mut(agent).insert(Chase::new(prey));
        }
        // The first seed is saved before there is a field, the other seeds with at least one field.
        run(&mut app, 1 + 30 * seed as usize);
        let roll_back = save(app.world_mut());
        let first = run(&mut app, 200);
        let fields = app.world().resource::<PursuitStats>().fields;
        assert!(fields > 1, "seed {seed}: only {fields} fields");
        for decides_in_each_tick in [false, true] {
            roll_back(app.world_mut());
            if decides_in_each_tick {
                app.init_resource::<DecideInEachTick>();
            }
            let again = run(&mut app, 200);
            assert_same(&first, &again, &format!("seed {seed}"));
            assert_eq!(app.world().resource::<PursuitStats>().fields, fields);
        }
    }
}

#[test]
fn agents_do_not_depend_on_the_frame_rate() {
    for seed in 0..4 {
        let played = [30.0, 60.0, 144.0].map(|rate| run(&mut game(seed, rate), 400));
        for (other, rate) in played[1..].iter().zip([60, 144]) {
            assert_same(
                &played[0],
                other,
                &format!("seed {seed}, {rate} frames per second"),
            );
        }
    }
}

/// The names of the types that `visit_state` lists.
#[derive(Default)]
struct ListedTypes(HashSet<&'static str>);

impl ListedTypes {
    fn add_name<T>(&mut self) {
        let name = type_name::<T>().split('<').next();
        self.0
            .extend(name.and_then(|name| name.rsplit("::").next()));
    }
}

impl StateVisitor for ListedTypes {
    fn component<C: Component<Mutability = Mutable> + Clone>(&mut self) {
        self.add_name::<C>();
    }
    fn resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) {
        self.add_name::<R>();
    }
    fn computed<R: Resource<Mutability = Mutable> + Default>(&mut self) {
        self.add_name::<R>();
    }
}

/// The code of all files in a folder, without comments and tests.
fn code_of(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the entry can be read").path());
    let texts = paths.map(|path| {
        if path.is_dir() {
            return code_of(&path);
        }
        let text = fs::read_to_string(&path).expect("the file can be read");
        let lines = text
            .lines()
            .take_while(|line| !line.ends_with("mod tests {"));
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        lines.flat_map(|line| [line, "\n"]).collect()
    });
    texts.collect()
}

/// Bevy knows the type names of a world only with an optional feature, so the test reads them from the code.
#[cfg_attr(
    not(all(feature = "rapier2d", feature = "deep_bake", feature = "recorder")),
    ignore = "the code has types of features that are off"
)]
#[test]
fn every_component_and_resource_is_listed_as_state() {
    let mut listed = ListedTypes::default();
    visit_state(&mut listed);
    let code = code_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let kept = code.split("#[derive(").skip(1).filter_map(|item| {
        let (derived, item) = item.split_once(")]")?;
        let is_kept = |one: &str| matches!(one.trim(), "Component" | "Resource");
        derived.split(',').any(is_kept).then_some(item)
    });
    let named = kept.filter_map(|item| {
        let (_, name) = item.split_once("struct ").or(item.split_once("enum "))?;
        name.split(|letter: char| !letter.is_alphanumeric()).next()
    });
    let (found, missing): (Vec<&str>, Vec<&str>) = named.partition(|name| listed.0.contains(name));
    assert_eq!(missing, [""; 0]);
    assert!(found.len() > 30, "too few types were found: {found:?}");
}
