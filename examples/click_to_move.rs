//! Click, and a party walks there: `PathRequest`.
//!
//! Each scout gets a place of its own around the click, as the goal of its request. A goal inside a
//! wall is fine: the scout walks to the nearest place that it can reach. `NavPath` is drawn as dots.
//!
//! | Key | |
//! |---|---|
//! | left click | walk there |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::{palette, people::Look};
use pursuit_examples::hand::{Act, Pointer};
use pursuit_examples::{bodies, demo::Demo, paths::PathsPlugin, sketch::Sketch};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

/// Distance between the places of two scouts, in world units: a little more than touching bodies.
const GAP: f32 = 30.0;

const DEMO: Demo = Demo {
    name: "click to move",
    shows: "a party walks to the mouse, each to a place of its own",
    keys: &[("click", "walk there")],
    map: include_str!("../assets/levels/click_to_move.txt"),
    script: &[
        (0.2, Act::Point(Vec2::new(-40.0, -60.0))),
        (2.6, Act::Click(Vec2::new(172.0, -44.0))),
    ],
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DEMO, PathsPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .init_resource::<Flag>()
        .add_systems(Startup, setup)
        .add_systems(Update, (send_scouts, draw_flag).chain())
        .run()
}

/// Where the party was sent.
#[derive(Resource, Default)]
struct Flag(Option<Vec2>);

fn setup(mut commands: Commands, stage: Res<Stage>) {
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(OBSTACLES));
    for (number, place) in stage.positions('S').into_iter().enumerate() {
        commands.spawn((
            Look::Scout(number),
            NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(130.),
            bodies::walker_body(),
            Transform::from_translation(place.extend(0.)),
        ));
    }
}

fn send_scouts(
    mut commands: Commands,
    pointer: Res<Pointer>,
    mut flag: ResMut<Flag>,
    scouts: Query<(Entity, &Look)>,
) {
    let Some(goal) = pointer.click() else {
        return;
    };
    flag.0 = Some(goal);
    for (scout, look) in &scouts {
        // One in the middle, the others around it.
        let offset = match look {
            Look::Scout(number @ 1..) => {
                GAP * Vec2::from_angle(*number as f32 * std::f32::consts::FRAC_PI_2)
            }
            _ => Vec2::ZERO,
        };
        commands
            .entity(scout)
            .insert(PathRequest::to(goal + offset));
    }
}

/// A flag where the mouse clicked, and a ring where each scout will come to stand.
fn draw_flag(
    flag: Res<Flag>,
    mut sketch: ResMut<Sketch>,
    scouts: Query<(&Look, &NavPath, &Locomotion)>,
) {
    for (look, path, locomotion) in &scouts {
        if let (Some(end), Locomotion::Moving) = (path.end(), locomotion) {
            let radius = bodies::BODY_RADIUS;
            sketch
                .floor
                .ring(end, radius - 1., radius + 3., palette::INK.with_alpha(0.5));
            sketch.floor.ring(end, radius, radius + 2., look.color());
        }
    }
    if let Some(at) = flag.0 {
        let top = at + Vec2::new(0., 27.);
        let cloth = [(0., 1.), (0., -11.), (16., -5.)].map(|corner| top + Vec2::from(corner));
        sketch
            .floor
            .ellipse(at, Vec2::new(5., 3.), palette::SHADE.with_alpha(0.5));
        sketch.air.capsule(at, top, 2., palette::INK);
        sketch.air.polygon(&cloth, palette::HUNTER);
        sketch.air.capsule(at, top, 1., palette::LINEN);
    }
}
