//! Guards that walk from post to post. A guard that sees you chases you. When it has lost you, it goes to where it saw
//! you last, looks around, and walks on.
//!
//! Three parts of Pursuit make this: `PathRequest` walks to a post, `Chase` runs after the player, and
//! `Navigation::line_of_sight` says whether there is a wall in between.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk, hide |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::DesiredVelocity;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, GOLD, Level, Mood, PALE, RADIUS, RED, Steered, WALLS};

/// Distance that a guard can see, in world units.
const SIGHT_RANGE: f32 = 170.;
/// Half the angle of a guard's field of view, in radians.
const HALF_VIEW_RADIANS: f32 = 0.5;
/// Time for which a guard looks around at a post, in seconds.
const LOOK_AROUND_SECONDS: f32 = 1.2;
/// Speed at which a guard turns, in radians per second.
const TURN_SPEED: f32 = 4.;
/// The posts of each guard, as the level marks them.
const ROUTES: [&str; 3] = ["4567", "UVWX", "98"];

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "guard",
            keys: "WASD  walk, hide",
            level: include_str!("../assets/levels/guard.txt"),
            mood: Mood::FROST,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (update_guards, show_sight).chain())
        .run()
}

#[derive(Component)]
struct Guard {
    posts: Vec<Vec2>,
    /// Index of the post that the guard walks to.
    next: usize,
    facing: Vec2,
    /// Where the guard saw the player last. `None` once it has looked there.
    seen: Option<Vec2>,
    wait: Timer,
}

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    commands.spawn(common::player(&level, 130., ""));
    for route in ROUTES {
        let posts = level.route(route);
        commands.spawn((
            NavAgent::from_radius(RADIUS).with_speed(90.),
            PathRequest::to(posts[1]),
            (Figure::HUNTER, common::agent_body(posts[0])),
            Guard {
                next: 1,
                facing: posts[1] - posts[0],
                seen: None,
                wait: Timer::from_seconds(LOOK_AROUND_SECONDS, TimerMode::Once),
                posts,
            },
        ));
    }
}

fn update_guards(
    mut commands: Commands,
    time: Res<Time>,
    navigation: Navigation,
    player: Single<(Entity, &Transform), With<Steered>>,
    mut guards: Query<(Entity, &Transform, &DesiredVelocity, &mut Guard, Has<Chase>)>,
) {
    let (player, goal) = (player.0, player.1.translation.truncate());
    for (entity, place, velocity, mut guard, chases) in &mut guards {
        let at = place.translation.truncate();
        let (ahead, velocity) = (goal - at, velocity.0.truncate());
        let sees = ahead.length() < SIGHT_RANGE
            && guard.facing.angle_to(ahead).abs() < HALF_VIEW_RADIANS
            && navigation.line_of_sight(at, goal, 0.) == Ok(true);
        let mut commands = commands.entity(entity);
        if sees {
            guard.seen = Some(goal);
            if !chases {
                commands.remove::<PathRequest>().insert(Chase::new(player));
            }
        } else if chases && let Some(seen) = guard.seen {
            commands.remove::<Chase>().insert(PathRequest::to(seen));
        }
        let turn = TURN_SPEED * time.delta_secs();
        if sees || velocity != Vec2::ZERO {
            let wanted = if sees { ahead } else { velocity };
            guard.facing = guard.facing.rotate_towards(wanted, turn);
            guard.wait.reset();
        } else if guard.wait.tick(time.delta()).is_finished() {
            // The guard has looked around. It goes on to the next post. If it was searching for the player, it goes to
            // the post to which it was walking before the chase.
            if guard.seen.take().is_none() {
                guard.next = (guard.next + 1) % guard.posts.len();
            }
            commands.insert(PathRequest::to(guard.posts[guard.next]));
            guard.wait.reset();
        } else {
            guard.facing = Vec2::from_angle(-turn).rotate(guard.facing);
        }
    }
}

/// Draws a guard's field of view as rays that end at walls, and a mark for its state: `!` for a chase, `?` for a
/// search.
fn show_sight(
    mut gizmos: Gizmos,
    rapier: ReadRapierContext,
    guards: Query<(&Transform, &Guard, Has<Chase>)>,
) -> Result {
    let (rapier, walls) = (rapier.single()?, CollisionGroups::new(Group::ALL, WALLS));
    for (place, guard, chases) in &guards {
        let at = place.translation.truncate();
        let facing = guard.facing.normalize_or_zero();
        let (color, mark) = match (chases, guard.seen) {
            (true, _) => (RED, "!"),
            (false, Some(_)) => (GOLD, "?"),
            (false, None) => (PALE, ""),
        };
        for ray in -40..=40 {
            let ahead = Vec2::from_angle(HALF_VIEW_RADIANS * ray as f32 / 40.).rotate(facing);
            let filter = QueryFilter::default().groups(walls);
            let wall = rapier.cast_ray(at, ahead, SIGHT_RANGE, true, filter);
            let end = at + ahead * wall.map_or(SIGHT_RANGE, |(_, distance)| distance);
            let (near, far) = (color.with_alpha(0.3), color.with_alpha(0.05));
            gizmos.line_gradient_2d(at + ahead * RADIUS, end, near, far);
        }
        gizmos.text_2d(at + Vec2::new(0., 28.), mark, 20., Vec2::ZERO, color);
    }
    Ok(())
}
