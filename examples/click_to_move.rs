//! Click, and a party walks there: `PathRequest`.
//!
//! The flag stands where you click, or at the nearest place where somebody has room: `Navigation::nearest_free`. Each
//! scout gets a place of its own around it. The sign says how far the last one still has to walk:
//! `Navigation::distance_left`. `NavPaused` makes them stand and keep their goals.
//!
//! | Key | |
//! |---|---|
//! | left click | walk there |
//! | space | stand, go on |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{DARK, Example, Figure, Level, Mouse, PALE, RADIUS, Sprites, THINGS, WALLS};

/// Distance between the places of two scouts, in world units: a little more than touching bodies.
const GAP: f32 = 30.;
/// Where the party walks before the first click.
const BEGIN: Vec2 = Vec2::new(176., 22.);

fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "click to move",
            keys: "click  walk there     space  stand, go on",
            level: include_str!("../assets/levels/click_to_move.txt"),
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (send_scouts, stand_or_go_on, show_way_left))
        .run()
}

#[derive(Component)]
struct Flag;

/// Beside the flag.
#[derive(Component)]
struct Sign;

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(WALLS));
    for (number, at) in level.find('S').into_iter().enumerate() {
        commands.spawn((
            NavAgent::from_radius(RADIUS).with_speed(130.),
            (Figure::scout(number), common::agent_body()),
            Transform::from_translation(at.extend(0.)),
        ));
    }
}

fn send_scouts(
    mut commands: Commands,
    navigation: Navigation,
    mouse: Mouse,
    sprites: Res<Sprites>,
    flag: Option<Single<Entity, With<Flag>>>,
    scouts: Query<Entity, With<NavAgent>>,
) {
    let room = |at| navigation.nearest_free(at, RADIUS).ok();
    let click = mouse.click().or(flag.is_none().then_some(BEGIN));
    // There is no room before the grid is baked.
    let Some(middle) = click.and_then(room) else {
        return;
    };
    if let Some(flag) = flag {
        commands.entity(*flag).despawn();
    }
    let place = Transform::from_translation(middle.extend(THINGS));
    let sign = (
        (Sign, Text2d::default(), TextFont::from_font_size(11.)),
        (TextColor(PALE), TextBackgroundColor(DARK)),
        Transform::from_xyz(48., 22., 20.),
    );
    commands
        .spawn((Flag, sprites.prop('f', 1.), place))
        .with_child(sign);
    // Around it, in rings: places apart from each other, and on this side of a wall.
    let mut places = vec![middle];
    for number in 0..24 {
        let turn = Vec2::from_angle(number as f32 * std::f32::consts::FRAC_PI_4);
        let place = room(middle + GAP * (1 + number / 8) as f32 * turn);
        places.extend(place.filter(|place| {
            places
                .iter()
                .all(|other| other.distance(*place) > 0.9 * GAP)
                && navigation.line_of_sight(middle, *place, 0.) == Ok(true)
        }));
    }
    for (scout, place) in scouts.iter().zip(places) {
        commands.entity(scout).insert(PathRequest::to(place));
    }
}

fn stand_or_go_on(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    scouts: Query<(Entity, Has<NavPaused>), With<NavAgent>>,
) {
    for (scout, stands) in &scouts {
        match keys.just_pressed(KeyCode::Space) {
            true if stands => commands.entity(scout).remove::<NavPaused>(),
            true => commands.entity(scout).insert(NavPaused),
            false => continue,
        };
    }
}

/// How far the last one has to walk, beside the flag, and a ring where each will come to stand.
fn show_way_left(
    mut gizmos: Gizmos,
    navigation: Navigation,
    mut sign: Single<&mut Text2d, With<Sign>>,
    scouts: Query<(Entity, &Figure, &NavPath)>,
) {
    let mut last = 0f32;
    for (scout, figure, path) in &scouts {
        let left = navigation.distance_left(scout).unwrap_or(0.);
        last = last.max(left);
        if let Some(end) = path.end().filter(|_| left > 1.) {
            gizmos.circle_2d(end, RADIUS, figure.color());
        }
    }
    sign.0 = format!(" {last:.0} to go ");
}
