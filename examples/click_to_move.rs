//! Click, and a party walks there: `PathRequest`.
//!
//! The flag stands where you click, or at the nearest place where somebody has room:
//! `Navigation::nearest_free`. Each scout gets a place of its own around it. The sign says how far the
//! last one still has to walk: `Navigation::distance_left`. `Paused` makes them stand and keep their goals.
//!
//! | Key | |
//! |---|---|
//! | left click | walk there |
//! | space | stand, go on |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::{layer, palette, people::Costume};
use pursuit_examples::pointer::{Act, Pointer};
use pursuit_examples::{bodies, demo::Demo, paths::PathsPlugin, sketch::Sketch};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

/// Distance between the places of two scouts, in world units: a little more than touching bodies.
const GAP: f32 = 30.0;

const DEMO: Demo = Demo {
    name: "click to move",
    shows: "a party walks to the mouse, each to a place of its own",
    keys: &[("click", "walk there"), ("space", "stand, go on")],
    map: include_str!("../assets/levels/click_to_move.txt"),
    script: &[
        (0.2, Act::Point(Vec2::new(-40.0, -60.0))),
        (2.6, Act::Click(Vec2::new(176.0, 22.0))),
    ],
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DEMO, PathsPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .init_resource::<Flag>()
        .add_systems(Startup, setup)
        .add_systems(Update, (send_scouts, stand_or_go_on, draw_flag).chain())
        .run()
}

/// Where the party was sent.
#[derive(Resource, Default)]
struct Flag(Option<Vec2>);

/// Beside the flag.
#[derive(Component)]
struct Sign;

fn setup(mut commands: Commands, stage: Res<Stage>) {
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(OBSTACLES));
    let font = TextFont::from_font_size(11.);
    commands.spawn((Sign, Text2d::default(), font, TextColor(palette::LINEN)));
    for (number, place) in stage.positions('S').into_iter().enumerate() {
        commands.spawn((
            Costume::Scout(number),
            NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(130.),
            bodies::walker_body(),
            Transform::from_translation(place.extend(0.)),
        ));
    }
}

fn send_scouts(
    mut commands: Commands,
    navigation: Navigation,
    pointer: Res<Pointer>,
    mut flag: ResMut<Flag>,
    scouts: Query<Entity, With<NavAgent>>,
) {
    let room = |at| navigation.nearest_free(at, bodies::BODY_RADIUS).ok();
    let Some(middle) = pointer.click().and_then(room) else {
        return;
    };
    flag.0 = Some(middle);
    // Around it, in rings: places apart from each other, and on this side of a wall.
    let mut places = vec![middle];
    for spot in 0..24 {
        let turn = Vec2::from_angle(spot as f32 * std::f32::consts::FRAC_PI_4);
        let spot = room(middle + GAP * (1 + spot / 8) as f32 * turn);
        places.extend(spot.filter(|spot| {
            places.iter().all(|other| other.distance(*spot) > 0.9 * GAP)
                && navigation.line_of_sight(middle, *spot, 0.) == Ok(true)
        }));
    }
    for (scout, place) in scouts.iter().zip(places) {
        commands.entity(scout).insert(PathRequest::to(place));
    }
}

fn stand_or_go_on(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    scouts: Query<(Entity, Has<Paused>), With<NavAgent>>,
) {
    for (scout, stands) in &scouts {
        match keys.just_pressed(KeyCode::Space) {
            true if stands => commands.entity(scout).remove::<Paused>(),
            true => commands.entity(scout).insert(Paused),
            false => continue,
        };
    }
}

/// The flag with its sign, and a ring where each scout will come to stand.
fn draw_flag(
    flag: Res<Flag>,
    navigation: Navigation,
    mut sketch: ResMut<Sketch>,
    scouts: Query<(Entity, &Costume, &NavPath)>,
    sign: Single<(&mut Text2d, &mut Transform), With<Sign>>,
) {
    let Some(at) = flag.0 else {
        return;
    };
    let mut last = 0f32;
    for (scout, costume, path) in &scouts {
        let left = navigation.distance_left(scout).unwrap_or(0.);
        last = last.max(left);
        if let Some(end) = path.end().filter(|_| left > 1.) {
            sketch
                .floor
                .ring(end, 10., 14., palette::INK.with_alpha(0.5));
            sketch.floor.ring(end, 11., 13., costume.color());
        }
    }
    let top = at + Vec2::new(0., 27.);
    let cloth = [(0., 1.), (0., -11.), (16., -5.)].map(|corner| top + Vec2::from(corner));
    let shade = palette::SHADE.with_alpha(0.5);
    sketch.floor.ellipse(at, Vec2::new(5., 3.), shade);
    sketch.air.capsule(at, top, 2., palette::INK);
    sketch.air.polygon(&cloth, palette::HUNTER);
    sketch.air.capsule(at, top, 1., palette::LINEN);

    let (mut text, mut place) = sign.into_inner();
    text.0 = format!("{last:.0} to go");
    let middle = top + Vec2::new(58., 0.);
    place.translation = middle.extend(layer::AIR + 1.);
    let card = Rect::from_center_half_size(middle, Vec2::new(38., 9.));
    sketch.air.rounded(card, 6., palette::SHADE.with_alpha(0.9));
}
