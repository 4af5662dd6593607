//! Physics and Pursuit in fixed steps, 20 of them a second, with smooth motion all the same.
//!
//! A game is repeatable if its steps have the same length on every machine. Between two steps, a body stands still. So
//! the body itself is not drawn. Instead, a picture glides from where the body was a step ago to where it is now. One
//! hunter and the scout in front of it have such pictures. The other hunter's picture is always where its body is, and
//! stutters.
//!
//! | Key | |
//! |---|---|
//! | space | make the other hunter smooth |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::app::RunFixedMainLoop;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, Level, Mood, PALE, RADIUS, WALLS};

/// Number of steps per second.
const STEPS_PER_SECOND: f32 = 20.;
/// The posts of the scout's round, as the level marks them.
const POST_MARKS: &str = "4567";

pub(crate) fn main() -> AppExit {
    let step = TimestepMode::Fixed {
        dt: 1. / STEPS_PER_SECOND,
        substeps: 1,
    };
    let move_pictures = move_pictures.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop);
    App::new()
        .add_plugins(Example {
            name: "fixed timestep",
            keys: "space  make the other hunter smooth",
            level: include_str!("../assets/levels/fixed_timestep.txt"),
            mood: Mood::DAY,
        })
        .insert_resource(step)
        .insert_resource(Time::<Fixed>::from_hz(STEPS_PER_SECOND.into()))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_plugins(PursuitDebugPlugin)
        .add_systems(Startup, setup)
        .add_systems(FixedPostUpdate, (note_step, walk_rounds))
        .add_systems(RunFixedMainLoop, move_pictures)
        .add_systems(Update, toggle.run_if(input_just_pressed(KeyCode::Space)))
        .add_systems(Update, show_bodies)
        .run()
}

/// The picture of a body, with the body's positions after the last two steps.
#[derive(Component)]
struct Picture {
    body: Entity,
    before: Vec3,
    now: Vec3,
    is_smooth: bool,
}

/// The posts that a runner visits again and again.
#[derive(Component)]
struct Round(Vec<Vec2>);

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    let posts = level.route(POST_MARKS);
    let scout = spawn(&mut commands, posts[0], Figure::scout(1), 120.);
    let begin = PathRequest::to(posts[0]);
    commands.entity(scout).insert((begin, Round(posts)));
    for (number, at) in level.find('E').into_iter().enumerate() {
        let speed = 105. - 10. * number as f32;
        let hunter = spawn(&mut commands, at, Figure::HUNTER, speed);
        commands.entity(hunter).insert(Chase::new(scout));
    }
}

fn spawn(commands: &mut Commands, at: Vec2, figure: Figure, speed: f32) -> Entity {
    let place = Transform::from_translation(at.extend(0.));
    let agent = NavAgent::from_radius(RADIUS).with_speed(speed);
    let body = commands.spawn((agent, common::agent_body(at))).id();
    let picture = Picture {
        body,
        before: place.translation,
        now: place.translation,
        // Only the slowest body is not smooth.
        is_smooth: speed > 100.,
    };
    commands.spawn((picture, figure, place));
    body
}

fn walk_rounds(mut commands: Commands, mut runners: Query<(Entity, &Locomotion, &mut Round)>) {
    for (runner, locomotion, mut round) in &mut runners {
        if *locomotion == Locomotion::Arrived {
            round.0.rotate_left(1);
            let next = PathRequest::to(round.0[0]);
            commands.entity(runner).insert(next);
        }
    }
}

/// Notes the positions of bodies after each step.
fn note_step(bodies: Query<&Transform>, mut pictures: Query<&mut Picture>) {
    for mut picture in &mut pictures {
        if let Ok(body) = bodies.get(picture.body) {
            picture.before = picture.now;
            picture.now = body.translation;
        }
    }
}

/// Moves the pictures in each frame, after its fixed steps. A smooth picture is between the last two positions of its
/// body; `overstep_fraction` says how far along.
fn move_pictures(time: Res<Time<Fixed>>, mut pictures: Query<(&Picture, &mut Transform)>) {
    for (picture, mut place) in &mut pictures {
        let part = time.overstep_fraction();
        let share = if picture.is_smooth { part } else { 1. };
        place.translation = picture.before.lerp(picture.now, share);
    }
}

fn toggle(mut pictures: Query<(&mut Picture, &Figure)>) {
    for (mut picture, figure) in &mut pictures {
        picture.is_smooth ^= *figure == Figure::HUNTER;
    }
}

/// Draws the bodies as rings, and writes which hunter is smooth.
fn show_bodies(mut gizmos: Gizmos, pictures: Query<(&Picture, &Figure, &Transform)>) {
    for (picture, figure, place) in &pictures {
        let ring = figure.color().with_alpha(0.6);
        gizmos.circle_2d(picture.now.truncate(), 1.4 * RADIUS, ring);
        if *figure == Figure::HUNTER {
            let (text, up) = match picture.is_smooth {
                true => ("smooth", 26.),
                false => ("20 Hz", -26.),
            };
            let at = place.translation.truncate() + Vec2::new(0., up);
            gizmos.text_2d(at, text, 9., Vec2::ZERO, PALE);
        }
    }
}
