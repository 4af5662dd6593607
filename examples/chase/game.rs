//! The rules: who stands where, who hunts whom, who was caught. The window and the headless run share all of it.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::grid::NavSnapshot;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{BakedGrid, PlanMode};
use bevy_rapier2d::prelude::*;

use super::Options;
use super::common::{Figure, Level, RADIUS, STEPS, Steered, TILE, WALLS, player_body, spawn_level};

const MANSION: &str = include_str!("../../assets/levels/mansion.txt");
/// Speeds, in world units per second: of hunters, of a player under command, and of one on its own tour.
const SPEED: f32 = 112.;
const PLAYER_SPEED: f32 = 150.;
const TOUR_SPEED: f32 = 0.9 * SPEED;
/// What it costs to cross the lawn, as a multiple of stone, wood and carpet.
const LAWN: f32 = 1.75;
/// Seconds from a catch to the next hunt.
const REST: f32 = 9.;
/// Hunters on maps that place none.
const DEFAULT_COUNT: usize = 12;

#[derive(Component)]
pub(crate) struct Player;

/// On a player that walks by itself, from one place to the next.
#[derive(Component)]
struct Tour {
    rng: fastrand::Rng,
    places: Vec<Vec2>,
}

#[derive(Component)]
pub(crate) struct Hunter {
    /// Where it began, and goes after a catch.
    pub(crate) home: Vec2,
    /// Seconds of play until its first catch.
    pub(crate) first_catch: Option<f32>,
}

/// A hunter that caught the player and has had enough for a while.
#[derive(Component)]
pub(crate) struct Tired(pub(crate) Timer);

/// The numbers of the game, times in seconds of play.
#[derive(Resource, Default)]
pub(crate) struct Score {
    pub(crate) elapsed: f32,
    /// Since the latest catch.
    pub(crate) free: f32,
    /// The longest time between two catches.
    pub(crate) best: f32,
    pub(crate) catches: u32,
    /// How often a hunter reported to be stuck.
    pub(crate) stuck: u32,
}

/// The game, as the [`Options`] among the resources say.
pub(crate) fn plugin(app: &mut App) {
    let options = app.world().resource::<Options>();
    let level = options.map.clone();
    if options.headless {
        make_repeatable(app);
    }
    app.insert_resource(level.unwrap_or_else(|| Level::parse(MANSION)))
        .insert_resource(STEPS)
        .init_resource::<Score>()
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::pixels_per_meter(32.))
        .add_plugins(PursuitPlugins::default())
        .add_observer(go_home_after_a_catch)
        .add_observer(|_: On<AgentStuck>, mut score: ResMut<Score>| score.stuck += 1)
        .add_systems(Startup, (spawn_grid, spawn_level))
        .add_systems(
            Update,
            (
                spawn_people.run_if(not(any_with_component::<Player>)),
                count_time,
                hunt_again_after_a_rest,
                choose_next_goal,
            )
                .chain(),
        );
}

/// Makes a run the same on every machine: frames have one length, and paths are planned inside of them.
fn make_repeatable(app: &mut App) {
    let frame = Duration::from_secs(1) / 60;
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        });
}

/// The grid, and the lawn on it: people go around it where that is not much longer.
fn spawn_grid(
    mut commands: Commands,
    level: Res<Level>,
    options: Res<Options>,
    mut areas: ResMut<NavAreas>,
) {
    // Four cells to a tile follow the mansion's furniture; a map's tiles are all there is.
    let cells = if options.map.is_none() { 4. } else { 1. };
    let grid = NavGrid::covering(level.bounds()).with_node_radius(TILE / 2. / cells);
    commands.spawn(grid.with_obstacles(WALLS));
    // A map of yours may have none, and a collider needs a tile.
    if !level.tiles(0).any(|tile| level.is_lawn(tile)) {
        return;
    }
    let lawn = areas.add("lawn", LAWN, Color::srgb(0.3, 0.7, 0.3));
    commands.spawn((
        (Name::new("the lawn"), NavArea::new(lawn)),
        level.solid(|tile| level.is_lawn(tile)),
        (Sensor, CollisionGroups::new(WALLS, Group::ALL)),
    ));
}

/// Begins a game once the grid is baked: it says where somebody has room.
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
        // Pursuit drives bodies of both kinds, and gives each what driving needs.
        let body = match number % 4 {
            3 => RigidBody::KinematicPositionBased,
            _ => RigidBody::Dynamic,
        };
        let first_catch = None;
        commands.spawn((
            Name::new(format!("hunter {number}")),
            Hunter { home, first_catch },
            (agent.with_speed(SPEED), Chase::new(player), Figure::HUNTER),
            (body, Collider::ball(RADIUS), Friction::coefficient(0.)),
            // Pursuit keeps them apart.
            CollisionGroups::new(Group::GROUP_4, WALLS),
            Transform::from_translation(home.extend(0.)),
        ));
    }
    // They catch the player: nobody makes room for it, nor it for them.
    let lets_through = NavAvoidance::None;
    let mut player = commands.entity(player);
    if options.demo || options.headless {
        player.insert((
            agent.with_speed(TOUR_SPEED),
            lets_through,
            Tour { rng, places },
        ));
    } else {
        player.insert((
            agent.with_speed(PLAYER_SPEED),
            lets_through,
            Steered(PLAYER_SPEED),
        ));
    }
}

/// Where somebody has room, and can walk to every other such place: the cells of the largest region.
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

/// Where the hunters begin: at the map's `E`s first, then at chance, away from the player.
fn homes(
    level: &Level,
    places: &[Vec2],
    player: Vec2,
    count: Option<u16>,
    rng: &mut fastrand::Rng,
) -> Vec<Vec2> {
    let mut homes = level.find('E');
    let marked = Some(homes.len()).filter(|marked| *marked > 0);
    let count = count.map(usize::from).or(marked).unwrap_or(DEFAULT_COUNT);
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
            Tired(Timer::from_seconds(REST, TimerMode::Once)),
            Figure::TIRED,
            // It slips through those who hunt on.
            NavAvoidance::None,
        ));
    }
}

fn hunt_again_after_a_rest(
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

/// Sends a player on its tour on when it came to its goal, or cannot.
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
