//! The rules of the game: where everybody begins, who hunts, and who was caught. The window and the headless run share
//! them.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::grid::NavSnapshot;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{BakedGrid, PlanMode};
use bevy_rapier2d::prelude::*;

use super::Options;
use super::common::{
    FRAME_STEPS, Figure, Level, RADIUS, Steered, TILE, WALLS, player_body, spawn_level,
};

const MANSION_TEXT: &str = include_str!("../../assets/levels/mansion.txt");
/// Speed of hunters, in world units per second.
const HUNTER_SPEED: f32 = 112.;
/// Speed of a player that the keys steer, in world units per second.
const PLAYER_SPEED: f32 = 150.;
/// Speed of a player that walks by itself, in world units per second.
const TOUR_SPEED: f32 = 0.9 * HUNTER_SPEED;
/// Cost of the lawn, as a multiple of the cost of stone, wood and carpet.
const LAWN_COST: f32 = 1.75;
/// Time from a hunter's catch to its next hunt, in seconds.
const REST_SECONDS: f32 = 9.;
/// Number of hunters on maps that mark none.
const DEFAULT_HUNTERS: usize = 12;

#[derive(Component)]
pub(crate) struct Player;

/// On a player that walks by itself: the places that it chooses its goals from.
#[derive(Component)]
struct Tour {
    rng: fastrand::Rng,
    places: Vec<Vec2>,
}

#[derive(Component)]
pub(crate) struct Hunter {
    /// Where the hunter began, and where it goes after a catch.
    pub(crate) home: Vec2,
    /// Game time of the hunter's first catch, in seconds.
    pub(crate) first_catch: Option<f32>,
}

/// On a hunter that caught the player: the time for which it rests.
#[derive(Component)]
pub(crate) struct Tired(pub(crate) Timer);

/// The numbers of the game. Times are in seconds of game time.
#[derive(Resource, Default)]
pub(crate) struct Score {
    pub(crate) elapsed: f32,
    /// Time since the latest catch.
    pub(crate) free: f32,
    /// The longest time without a catch.
    pub(crate) best: f32,
    pub(crate) catches: u32,
    /// Number of `AgentStuck` events.
    pub(crate) stuck: u32,
}

/// Adds the game. It reads the resource [`Options`].
pub(crate) fn plugin(app: &mut App) {
    let begin = spawn_people.run_if(not(any_with_component::<Player>));
    let play = (begin, count_time, hunt_again, choose_next_goal);
    let options = app.world().resource::<Options>();
    let level = options.map.clone();
    if options.headless {
        make_repeatable(app);
    }
    app.insert_resource(level.unwrap_or_else(|| Level::parse(MANSION_TEXT)))
        .insert_resource(FRAME_STEPS)
        .init_resource::<Score>()
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::pixels_per_meter(32.))
        .add_plugins(PursuitPlugins::default())
        .add_observer(go_home_after_a_catch)
        .add_observer(|_: On<AgentStuck>, mut score: ResMut<Score>| score.stuck += 1)
        .add_systems(Startup, (spawn_grid, spawn_level))
        .add_systems(Update, play.chain());
}

/// Makes a run the same on every machine: all frames are equally long, and paths are planned within the frame.
fn make_repeatable(app: &mut App) {
    let frame = Duration::from_secs(1) / 60;
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        });
}

/// Spawns the grid, and the lawn on it. Hunters walk around the lawn where that is not much longer.
fn spawn_grid(
    mut commands: Commands,
    level: Res<Level>,
    options: Res<Options>,
    mut areas: ResMut<NavAreas>,
) {
    // With four cells along a tile's side, the grid follows the shapes of the mansion's furniture. Other maps have
    // nothing smaller than a tile.
    let cells = if options.map.is_none() { 4. } else { 1. };
    let grid = NavGrid::covering(level.bounds()).with_node_radius(TILE / 2. / cells);
    commands.spawn(grid.with_obstacles(WALLS));
    // A map may have no lawn, and a collider needs at least one tile.
    if !level.tiles(0).any(|tile| level.is_lawn(tile)) {
        return;
    }
    let lawn = areas.add("lawn", LAWN_COST, Color::srgb(0.3, 0.7, 0.3));
    commands.spawn((
        (Name::new("the lawn"), NavArea::new(lawn)),
        level.collider_of(|tile| level.is_lawn(tile)),
        (Sensor, CollisionGroups::new(WALLS, Group::ALL)),
    ));
}

/// Begins a game once the grid is baked, since the grid says where there is room.
fn spawn_people(
    mut commands: Commands,
    level: Res<Level>,
    options: Res<Options>,
    grid: Single<&BakedGrid>,
) {
    let Some(places) = grid.snapshot().map(|snapshot| main_floor(snapshot)) else {
        return;
    };
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let marked = level.find('P').first().copied();
    let start = marked.or_else(|| rng.choice(&places).copied());
    let start = start.unwrap_or_default();
    let place = Transform::from_translation(start.extend(0.));
    let agent = NavAgent::from_radius(RADIUS);
    let player = (Name::new("player"), Player, Figure::PLAYER);
    let player = commands.spawn((player, player_body(), place)).id();
    let homes = homes(&level, &places, start, options.agents, &mut rng);
    for (number, home) in homes.into_iter().enumerate() {
        // Pursuit drives bodies of both kinds, and gives each body the components that driving needs.
        let body = match number % 4 {
            3 => RigidBody::KinematicPositionBased,
            _ => RigidBody::Dynamic,
        };
        let first_catch = None;
        commands.spawn((
            Name::new(format!("hunter {number}")),
            Hunter { home, first_catch },
            agent.with_speed(HUNTER_SPEED),
            (Chase::new(player), Figure::HUNTER),
            (body, Collider::ball(RADIUS), Friction::coefficient(0.)),
            // The physics does not keep hunters apart, because Pursuit does.
            CollisionGroups::new(Group::GROUP_4, WALLS),
            Transform::from_translation(home.extend(0.)),
        ));
    }
    // Hunters have to touch the player, so neither makes room for the other.
    let avoidance = NavAvoidance::None;
    let mut player = commands.entity(player);
    if options.demo || options.headless {
        let tour = Tour { rng, places };
        player.insert((agent.with_speed(TOUR_SPEED), avoidance, tour));
    } else {
        let steered = Steered(PLAYER_SPEED);
        player.insert((agent.with_speed(PLAYER_SPEED), avoidance, steered));
    }
}

/// The centers of the cells in the largest region. A body fits on each of these cells, and can walk from each of them
/// to any other.
fn main_floor(snapshot: &NavSnapshot) -> Vec<Vec2> {
    let (layout, layers) = (snapshot.layout(), snapshot.layers(RADIUS));
    let regions = layers.regions();
    let Some(largest) = regions.ids().max_by_key(|region| regions.size(*region)) else {
        return Vec::new();
    };
    let cells = layout.rect().cells();
    let inside = cells.filter(|cell| regions.region(*cell) == Some(largest));
    inside.map(|cell| layout.center(cell)).collect()
}

/// The points where hunters begin: first at each `E` of the map, then at random points away from the player.
fn homes(
    level: &Level,
    places: &[Vec2],
    player: Vec2,
    count: Option<u16>,
    rng: &mut fastrand::Rng,
) -> Vec<Vec2> {
    let mut homes = level.find('E');
    let marked = Some(homes.len()).filter(|marked| *marked > 0);
    let count = count.map(usize::from).or(marked).unwrap_or(DEFAULT_HUNTERS);
    let is_far = |place: &Vec2| place.distance(player) > 8. * TILE;
    let (far, near): (Vec<Vec2>, Vec<Vec2>) = places.iter().partition(|place| is_far(place));
    let places = if far.is_empty() { near } else { far };
    homes.resize_with(count, || rng.choice(&places).copied().unwrap_or(player));
    homes
}

fn go_home_after_a_catch(
    reached: On<GoalReached>,
    mut commands: Commands,
    mut score: ResMut<Score>,
    mut hunters: Query<&mut Hunter>,
) {
    if let (Ok(mut hunter), Some(_)) = (hunters.get_mut(reached.entity), reached.target) {
        score.catches += 1;
        score.free = 0.;
        hunter.first_catch.get_or_insert(score.elapsed);
        commands.entity(reached.entity).remove::<Chase>().insert((
            PathRequest::to(hunter.home),
            Tired(Timer::from_seconds(REST_SECONDS, TimerMode::Once)),
            Figure::TIRED,
            // A tired hunter slips through the others.
            NavAvoidance::None,
        ));
    }
}

fn hunt_again(
    mut commands: Commands,
    time: Res<Time>,
    player: Single<Entity, With<Player>>,
    mut hunters: Query<(Entity, &mut Tired)>,
) {
    for (hunter, mut tired) in &mut hunters {
        if tired.0.tick(time.delta()).just_finished() {
            let mut hunter = commands.entity(hunter);
            hunter.remove::<(Tired, PathRequest)>();
            hunter.insert((
                Chase::new(*player),
                Figure::HUNTER,
                NavAvoidance::Separation,
            ));
        }
    }
}

fn count_time(time: Res<Time>, mut score: ResMut<Score>) {
    score.elapsed += time.delta_secs();
    score.free += time.delta_secs();
    score.best = score.best.max(score.free);
}

/// Sends a player that walks by itself to its next goal, once it has reached the last goal or cannot reach it.
fn choose_next_goal(
    mut commands: Commands,
    player: Single<(Entity, &mut Tour, &PathStatus, &Locomotion)>,
) {
    use Locomotion::{Arrived, Stuck, Waiting};
    let (player, mut tour, status, locomotion) = player.into_inner();
    let is_done = match status {
        PathStatus::Idle | PathStatus::Failed(_) => true,
        PathStatus::Queued | PathStatus::Searching => false,
        _ => matches!(locomotion, Arrived | Waiting | Stuck),
    };
    let Tour { rng, places } = &mut *tour;
    if let Some(goal) = rng.choice(&*places).filter(|_| is_done) {
        commands.entity(player).insert(PathRequest::to(*goal));
    }
}

/// Removes everybody, so that a new game begins.
pub(crate) fn restart(
    mut commands: Commands,
    mut score: ResMut<Score>,
    people: Query<Entity, With<Figure>>,
) {
    for person in &people {
        commands.entity(person).despawn();
    }
    *score = Score::default();
}
