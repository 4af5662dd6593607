//! The rules: who stands where, who hunts whom, who was caught. The window and the headless run share all of it.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{BakedGrid, PlanMode};
use bevy_rapier2d::prelude::*;

use crate::Options;
use crate::common::{
    AGENTS, Figure, Level, RADIUS, SIDES, STEPS, TILE, WALLS, player_body, spawn_colliders,
};

/// Speed of hunters, in world units per second, and the share of it at which a player walks on its own tour.
const SPEED: f32 = 112.;
const TOUR_SHARE: f32 = 0.6;
/// Seconds from a catch to the next hunt.
const REST: f32 = 9.;
/// Hunters on maps that place none.
const DEFAULT_COUNT: usize = 12;
/// While keys steer the player, it stays an agent of Pursuit, but Pursuit leaves its body alone.
pub(crate) const STEERED: NavDrive = NavDrive::Manual;

pub(crate) struct GamePlugin {
    pub(crate) plan_mode: PlanMode,
    pub(crate) autoplay: bool,
}

/// Asks to start over.
#[derive(Message, Default)]
pub(crate) struct Restart;

#[derive(Component)]
pub(crate) struct Player;

#[derive(Component)]
pub(crate) struct Hunter {
    /// Where it began, and goes after a catch.
    home: Vec2,
    /// Seconds of play until its first catch.
    pub(crate) first_catch: Option<f32>,
}

/// A hunter that caught the player and has had enough for a while.
#[derive(Component)]
pub(crate) struct Tired(pub(crate) Timer);

/// The numbers of the game, in seconds of play.
#[derive(Resource, Default)]
pub(crate) struct Score {
    pub(crate) elapsed: f32,
    /// Since the latest catch.
    pub(crate) free: f32,
    /// The longest time between two catches.
    pub(crate) best: f32,
    pub(crate) catches: u32,
}

/// A player that walks by itself, from one place to the next.
#[derive(Resource)]
pub(crate) struct Tour(fastrand::Rng, Vec<IVec2>);

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        let options = app.world().resource::<Options>();
        let rng = fastrand::Rng::with_seed(options.seed);
        let floor = main_floor(app.world().resource::<Level>());
        if self.autoplay {
            app.insert_resource(Tour(rng, floor));
        }
        app.insert_resource(PursuitSettings {
            plan_mode: self.plan_mode,
            ..default()
        })
        .insert_resource(STEPS)
        .init_resource::<Score>()
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::pixels_per_meter(32.))
        .add_plugins(PursuitPlugins::default())
        .add_message::<Restart>()
        .add_observer(go_home_after_a_catch)
        .add_systems(Startup, (spawn_grid, spawn_colliders, spawn_people).chain())
        .add_systems(
            Update,
            (
                restart.run_if(on_message::<Restart>),
                count_time,
                hunt_again_after_a_rest,
                choose_next_goal.run_if(resource_exists::<Tour>),
            )
                .chain()
                .after(PursuitSystems::Drive),
        );
    }
}

fn spawn_grid(mut commands: Commands, level: Res<Level>, options: Res<Options>) {
    // Four cells to a tile follow the mansion's furniture; a map's tiles are all there is.
    let cells = if options.map.is_none() { 4. } else { 1. };
    let grid = NavGrid::covering(level.bounds()).with_node_radius(TILE / 2. / cells);
    commands.spawn(grid.with_obstacles(WALLS));
}

fn spawn_people(mut commands: Commands, level: Res<Level>, options: Res<Options>) {
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let homes = homes(&level, options.agents, &mut rng);
    let floor = main_floor(&level);
    let start = level.find('P').first().copied();
    let start = start.unwrap_or_else(|| level.center(floor[rng.usize(..floor.len())]));
    let agent = NavAgent::from_radius(RADIUS);
    let place = Transform::from_translation(start.extend(0.));
    let player = (Name::new("player"), Player, Figure::PLAYER, agent, STEERED);
    let player = commands.spawn((player, player_body(), place)).id();
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
            groups(body, true),
            Transform::from_translation(home.extend(0.)),
        ));
    }
}

/// Dynamic hunters push each other aside on the hunt. Tired ones would meet them head on, and nobody pushes a
/// kinematic one: those slip through.
fn groups(body: RigidBody, hunts: bool) -> CollisionGroups {
    match (body, hunts) {
        (RigidBody::Dynamic, true) => CollisionGroups::new(AGENTS, WALLS | AGENTS),
        _ => CollisionGroups::new(Group::GROUP_4, WALLS),
    }
}

/// Tiles of the largest connected floor, from the lower left one on.
pub(crate) fn main_floor(level: &Level) -> Vec<IVec2> {
    let (mut seen, mut largest) = (HashSet::new(), Vec::new());
    for first in level.tiles(0).filter(|tile| !level.is_wall(*tile)) {
        let mut floor = Vec::from_iter(seen.insert(first).then_some(first));
        let mut next = 0;
        while let Some(tile) = floor.get(next).copied() {
            let around = SIDES.map(|side| tile + side).into_iter();
            floor.extend(around.filter(|near| !level.is_wall(*near) && seen.insert(*near)));
            next += 1;
        }
        if floor.len() > largest.len() {
            largest = floor;
        }
    }
    largest.sort_by_key(|tile| (tile.y, tile.x));
    largest
}

/// Where the hunters begin: at the map's `E`s first, then at chance, away from furniture and from the map's `P`.
fn homes(level: &Level, count: Option<usize>, rng: &mut fastrand::Rng) -> Vec<Vec2> {
    let mut homes = level.find('E');
    let marked = Some(homes.len()).filter(|marked| *marked > 0);
    let wanted = count.or(marked).unwrap_or(DEFAULT_COUNT);
    let player = level.find('P').first().copied();
    let far = |home: &Vec2| player.is_none_or(|player| player.distance(*home) > 8. * TILE);
    let props: Vec<_> = level.props().collect();
    let has_room = |home: &Vec2| props.iter().all(|prop| prop.leaves_room(*home, RADIUS));
    if homes.len() < wanted {
        let floor = main_floor(level).into_iter().map(|tile| level.center(tile));
        let all: Vec<Vec2> = floor.filter(has_room).collect();
        let distant: Vec<Vec2> = all.iter().copied().filter(far).collect();
        let places = if distant.is_empty() { all } else { distant };
        homes.resize_with(wanted, || places[rng.usize(..places.len())]);
    }
    homes.truncate(wanted);
    homes
}

fn go_home_after_a_catch(
    reached: On<GoalReached>,
    mut commands: Commands,
    mut score: ResMut<Score>,
    mut hunters: Query<(&mut Hunter, &RigidBody)>,
) {
    if let (Ok((mut hunter, body)), Some(_)) = (hunters.get_mut(reached.entity), reached.target) {
        score.catches += 1;
        score.free = 0.;
        hunter.first_catch.get_or_insert(score.elapsed);
        commands.entity(reached.entity).remove::<Chase>().insert((
            PathRequest::to(hunter.home),
            Tired(Timer::from_seconds(REST, TimerMode::Once)),
            Figure::TIRED,
            groups(*body, false),
        ));
    }
}

fn hunt_again_after_a_rest(
    mut commands: Commands,
    time: Res<Time>,
    player: Single<Entity, With<Player>>,
    mut hunters: Query<(Entity, &RigidBody, &mut Tired)>,
) {
    for (hunter, body, mut tired) in &mut hunters {
        if tired.0.tick(time.delta()).just_finished() {
            let rested = (Chase::new(*player), Figure::HUNTER, groups(*body, true));
            let mut hunter = commands.entity(hunter);
            hunter.remove::<(Tired, PathRequest)>().insert(rested);
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
    mut tour: ResMut<Tour>,
    level: Res<Level>,
    grid: Single<&BakedGrid>,
    player: Single<(Entity, Option<(&PathRequest, &PathStatus, &Locomotion)>), With<Player>>,
) {
    use Locomotion::{Arrived, Stuck, Waiting};
    let (player, walk) = *player;
    let is_done = walk.is_none_or(|(_, status, locomotion)| match status {
        PathStatus::Queued | PathStatus::Searching => false,
        PathStatus::Failed(_) => true,
        _ => matches!(locomotion, Arrived | Waiting | Stuck),
    });
    let Some(snapshot) = grid.snapshot().filter(|_| is_done) else {
        return;
    };
    let Tour(rng, floor) = &mut *tour;
    let mut places = (0..64).map(|_| level.center(floor[rng.usize(..floor.len())]));
    if let Some(goal) = places.find(|place| snapshot.free(*place, RADIUS)) {
        commands
            .entity(player)
            .insert(walk_to(goal, TOUR_SHARE * SPEED));
    }
}

/// Lets Pursuit walk the player to a point, at a speed in world units per second.
pub(crate) fn walk_to(goal: Vec2, speed: f32) -> impl Bundle {
    let agent = NavAgent::from_radius(RADIUS).with_speed(speed);
    (agent, PathRequest::to(goal), NavDrive::default())
}

fn restart(
    mut commands: Commands,
    mut requests: ResMut<Messages<Restart>>,
    people: Query<Entity, Or<(With<Player>, With<Hunter>)>>,
) {
    requests.clear();
    for person in &people {
        commands.entity(person).despawn();
    }
    commands.insert_resource(Score::default());
    commands.run_system_cached(spawn_people);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    #[test]
    fn the_mansion_has_a_player_a_dozen_chasers_and_one_connected_floor() {
        let level = load(None).expect("the built-in level");
        assert_eq!((level.find('P').len(), level.find('E').len()), (1, 12));
        let all = level.tiles(0).filter(|tile| !level.is_wall(*tile));
        assert_eq!(main_floor(&level).len(), all.count());
    }

    #[test]
    fn marked_homes_come_first_and_chance_fills_up_away_from_the_player_and_furniture() {
        let level = load(None).expect("the built-in level");
        let mut rng = fastrand::Rng::with_seed(1);
        let marked = level.find('E');
        assert_eq!(homes(&level, None, &mut rng), marked);
        assert_eq!(homes(&level, Some(3), &mut rng), marked[..3]);
        let more = homes(&level, Some(300), &mut rng);
        assert_eq!((more.len(), &more[..12]), (300, &marked[..]));
        let player = level.find('P')[0];
        for home in &more[12..] {
            assert!(home.distance(player) > 8. * TILE, "at the player's heels");
            let mut props = level.props();
            assert!(props.all(|prop| prop.leaves_room(*home, RADIUS)), "{home}");
        }
    }
}
