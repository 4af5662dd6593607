//! The hunters: chase the player, go home when they caught it, rest, and chase again.

use bevy::prelude::*;
use bevy_pursuit::{Chase, NavAgent, PathRequest, TargetReached};
use bevy_rapier2d::prelude::*;
use pursuit::Cell;
use pursuit_examples::art::people::Costume;
use pursuit_examples::bodies::{BODY_RADIUS, HUNTER_GROUP, SLIPPING_GROUP};
use pursuit_examples::stage::{Stage, TILE};
use pursuit_examples::walls::OBSTACLES;

use crate::player::Player;

/// Speed, in world units per second.
pub(crate) const SPEED: f32 = 112.0;
/// Seconds from a catch to the next hunt.
const REST: f32 = 9.0;
/// Hunters on maps that place none.
const DEFAULT_COUNT: usize = 12;
/// One hunter in so many has a kinematic body; the others are dynamic.
const KINEMATIC_EVERY: usize = 4;

/// Marks a hunter.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Hunter {
    /// Where it began, and goes after a catch.
    pub(crate) home: Vec2,
    /// Seconds of play until its first catch.
    pub(crate) first_catch: Option<f32>,
}

/// A hunter that caught the player and has had enough for a while.
#[derive(Component, Clone, Debug)]
pub(crate) struct Tired(Timer);

/// Where the hunters begin: at the map's `E`s first, then at chance, away from furniture and from the
/// map's `P`.
pub(crate) fn homes(stage: &Stage, count: Option<usize>, rng: &mut fastrand::Rng) -> Vec<Vec2> {
    let mut homes = stage.level.positions('E');
    let wanted = count.unwrap_or(if homes.is_empty() {
        DEFAULT_COUNT
    } else {
        homes.len()
    });
    let player = stage.level.positions('P').first().copied();
    let far = |home: &Vec2| player.is_none_or(|player| player.distance(*home) > 8.0 * TILE);
    let floor = stage.level.main_floor();
    let center = |cell: &Cell| stage.level.layout().center(*cell);
    let has_room = |home: &Vec2| {
        let mut props = stage.props.iter();
        props.all(|prop| prop.leaves_room(*home, BODY_RADIUS))
    };
    let all: Vec<Vec2> = floor.iter().map(center).filter(has_room).collect();
    let distant: Vec<Vec2> = all.iter().copied().filter(far).collect();
    let places = if distant.is_empty() { all } else { distant };
    while homes.len() < wanted {
        homes.push(places[rng.usize(..places.len())]);
    }
    homes.truncate(wanted);
    homes
}

/// Spawns a hunter. Its body is dynamic, or kinematic for one in four: Pursuit drives both, and
/// gives each what driving needs.
pub(crate) fn spawn(commands: &mut Commands, number: usize, home: Vec2, player: Entity) {
    let kinematic = number % KINEMATIC_EVERY == KINEMATIC_EVERY - 1;
    let body = if kinematic {
        RigidBody::KinematicPositionBased
    } else {
        RigidBody::Dynamic
    };
    commands.spawn((
        Name::new(format!("hunter {number}")),
        Hunter {
            home,
            first_catch: None,
        },
        NavAgent::from_radius(BODY_RADIUS).with_speed(SPEED),
        Costume::Hunter,
        Chase::new(player),
        body,
        Collider::ball(BODY_RADIUS),
        Friction::coefficient(0.0),
        groups(body, true),
        Transform::from_translation(home.extend(0.0)),
    ));
}

/// Dynamic hunters push each other aside on the hunt. Tired ones would meet them head on, and
/// kinematic ones are pushed by nobody: those slip through. Getting out of one another's way is no
/// part of this game.
fn groups(body: RigidBody, hunting: bool) -> CollisionGroups {
    if hunting && body == RigidBody::Dynamic {
        CollisionGroups::new(HUNTER_GROUP, OBSTACLES | HUNTER_GROUP)
    } else {
        CollisionGroups::new(SLIPPING_GROUP, OBSTACLES)
    }
}

/// Sends a hunter home that reached the player.
pub(crate) fn go_home_after_a_catch(
    reached: On<TargetReached>,
    mut commands: Commands,
    hunters: Query<(&Hunter, &RigidBody)>,
) {
    if let (Ok((hunter, body)), Some(_)) = (hunters.get(reached.entity), reached.target) {
        commands.entity(reached.entity).remove::<Chase>().insert((
            PathRequest::to(hunter.home),
            Tired(Timer::from_seconds(REST, TimerMode::Once)),
            Costume::Tired,
            groups(*body, false),
        ));
    }
}

/// Sets rested hunters on the player again.
pub(crate) fn hunt_again_after_a_rest(
    mut commands: Commands,
    time: Res<Time>,
    player: Single<Entity, With<Player>>,
    mut hunters: Query<(Entity, &RigidBody, &mut Tired)>,
) {
    for (hunter, body, mut tired) in &mut hunters {
        if tired.0.tick(time.delta()).just_finished() {
            let mut hunter = commands.entity(hunter);
            hunter.remove::<(Tired, PathRequest)>().insert((
                Chase::new(*player),
                Costume::Hunter,
                groups(*body, true),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage;

    #[test]
    fn marked_homes_come_first_and_chance_fills_up() {
        let stage = stage::load(None).expect("the built-in level");
        let marked = stage.level.positions('E');
        let mut rng = fastrand::Rng::with_seed(1);
        assert_eq!(homes(&stage, None, &mut rng), marked);
        assert_eq!(homes(&stage, Some(3), &mut rng), marked[..3]);
        let more = homes(&stage, Some(40), &mut rng);
        assert_eq!((more.len(), &more[..marked.len()]), (40, &marked[..]));
        let player = stage.level.positions('P')[0];
        let near = more[marked.len()..]
            .iter()
            .filter(|home| home.distance(player) < 8.0 * TILE);
        assert_eq!(near.count(), 0, "nobody begins at the player's heels");
    }

    #[test]
    fn nobody_begins_inside_furniture() {
        let stage = stage::load(None).expect("the built-in level");
        let mut rng = fastrand::Rng::with_seed(1);
        for home in homes(&stage, Some(300), &mut rng) {
            let mut props = stage.props.iter();
            let in_the_way = props.find(|prop| !prop.leaves_room(home, BODY_RADIUS));
            assert!(in_the_way.is_none(), "{home}: {in_the_way:?}");
        }
    }
}
