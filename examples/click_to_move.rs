//! Click, and a party walks there: `PathRequest`.
//!
//! The flag stands where you click, or at the nearest point with room for a scout: `Navigation::nearest_free`. Each
//! scout gets a place of its own around the flag. The sign says how far the last scout still has to walk:
//! `Navigation::remaining_distance`. `NavPaused` makes the scouts stop and keep their goals.
//!
//! | Key | |
//! |---|---|
//! | left click | walk there |
//! | space | stop, go on |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, Level, Mood, Mouse, Prop, RADIUS, THINGS_Z, WALLS};

/// Distance between the places of two scouts, in world units. It is a little more than two radii.
const GAP: f32 = 30.;
/// The party's goal before the first click, in world units.
const INITIAL_POINT: Vec2 = Vec2::new(176., 22.);

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "click to move",
            keys: "click  walk there     space  stop, go on",
            level: include_str!("../assets/levels/click_to_move.txt"),
            mood: Mood::MOSS,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (send_scouts, show_remaining_distance))
        .add_systems(Update, pause.run_if(input_just_pressed(KeyCode::Space)))
        .run()
}

#[derive(Component)]
struct Flag;

/// Marks the sign beside the flag.
#[derive(Component)]
struct Sign;

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    let agent = NavAgent::from_radius(RADIUS).with_speed(130.);
    for (number, at) in level.find('S').into_iter().enumerate() {
        commands.spawn((agent, Figure::scout(number), common::agent_body(at)));
    }
    let sign = (Sign, common::sign(), Transform::from_xyz(48., 22., 20.));
    let place = Transform::from_translation(INITIAL_POINT.extend(THINGS_Z));
    commands.spawn((Flag, Prop('f'), place, children![sign]));
}

fn send_scouts(
    mut commands: Commands,
    navigation: Navigation,
    mouse: Mouse,
    mut flag: Single<&mut Transform, With<Flag>>,
    scouts: Query<Entity, With<NavAgent>>,
    requests: Query<(), With<PathRequest>>,
) {
    let click = mouse
        .click()
        .or(requests.is_empty().then_some(INITIAL_POINT));
    let room = |at| navigation.nearest_free(at, RADIUS).ok();
    // Before the grid is baked, `nearest_free` finds nothing.
    let Some(middle) = click.and_then(room) else {
        return;
    };
    flag.translation = middle.extend(THINGS_Z);
    // Places in rings around the flag, apart from each other, and not behind a wall.
    let mut places = vec![middle];
    for number in 0..24 {
        let turn = Vec2::from_angle(number as f32 * std::f32::consts::FRAC_PI_4);
        let place = room(middle + GAP * (1 + number / 8) as f32 * turn).unwrap_or(middle);
        let is_apart = |other: &Vec2| other.distance(place) > 0.9 * GAP;
        if places.iter().all(is_apart) && navigation.line_of_sight(middle, place, 0.) == Ok(true) {
            places.push(place);
        }
    }
    for (scout, place) in scouts.iter().zip(places) {
        commands.entity(scout).insert(PathRequest::to(place));
    }
}

fn pause(mut commands: Commands, scouts: Query<(Entity, Has<NavPaused>), With<NavAgent>>) {
    for (scout, stands) in &scouts {
        match stands {
            true => commands.entity(scout).remove::<NavPaused>(),
            false => commands.entity(scout).insert(NavPaused),
        };
    }
}

/// Writes beside the flag how far the last scout still has to walk, and draws a ring where each scout will stop.
fn show_remaining_distance(
    mut gizmos: Gizmos,
    navigation: Navigation,
    mut sign: Single<&mut Text2d, With<Sign>>,
    scouts: Query<(Entity, &Figure, &NavPath)>,
) {
    let mut last = 0f32;
    for (scout, figure, path) in &scouts {
        let left = navigation.remaining_distance(scout).unwrap_or(0.);
        last = last.max(left);
        let end = path.end().map(Vec3::truncate);
        if let Some(end) = end.filter(|_| left > 1.) {
            gizmos.circle_2d(end, RADIUS, figure.color());
        }
    }
    sign.0 = format!(" {last:.0} to go ");
}
