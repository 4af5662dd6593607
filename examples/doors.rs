//! Doors that open and shut while hunters are on their way: a door is a collider, and no more.
//!
//! Shut one before the hunters, and those whose way led through it take another. Where there is none, they
//! come as near as they can, and wait. Open one, and they come through it. Nothing here tells Pursuit so:
//! it sees that a collider is enabled or disabled.
//!
//! | Key | |
//! |---|---|
//! | left click | open or shut a door |
//! | space | the one that is nearest to you |
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::people::Costume;
use pursuit_examples::pointer::{Act, Pointer};
use pursuit_examples::stage::{Stage, TILE};
use pursuit_examples::{bodies, demo::Demo, keys::Steered, paths::PathsPlugin};
use pursuit_examples::{sketch::Sketch, walls::OBSTACLES};

/// How far from its middle a door can be clicked, in world units.
const REACH: f32 = 28.;
/// Seconds that its leaves take.
const SLIDE: f32 = 0.2;

const DEMO: Demo = Demo {
    name: "doors",
    shows: "shut one and they take another way, open one and they come",
    keys: &[
        ("click", "open, shut a door"),
        ("space", "the nearest"),
        ("WASD", "walk"),
    ],
    map: include_str!("../assets/levels/doors.txt"),
    script: &[
        (0.7, Act::Click(Vec2::new(172.0, 84.0))),
        (1.5, Act::Click(Vec2::new(-44.0, 84.0))),
        (2.7, Act::Click(Vec2::new(56.0, -52.0))),
        (4.5, Act::Click(Vec2::new(56.0, -52.0))),
    ],
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DEMO, PathsPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(Startup, setup)
        .add_systems(Update, (use_doors, draw_doors, draw_waiting).chain())
        .run()
}

/// A door in a wall.
#[derive(Component)]
struct Door {
    /// The way the wall runs.
    along: Vec2,
    /// How far it is shut, as it is drawn: it takes a moment.
    shut: f32,
}

fn setup(mut commands: Commands, stage: Res<Stage>) {
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(OBSTACLES));
    let place = |at: Vec2| Transform::from_translation(at.extend(0.));
    for (mark, along) in [('/', Vec2::Y), ('-', Vec2::X)] {
        for at in stage.positions(mark) {
            commands.spawn((
                Name::new("door"),
                Door { along, shut: 0. },
                (Collider::cuboid(TILE / 2., TILE / 2.), ColliderDisabled),
                CollisionGroups::new(OBSTACLES, Group::ALL),
                place(at),
            ));
        }
    }
    let player = (
        Costume::Player,
        Steered { speed: 140. },
        bodies::player_body(),
    );
    let start = place(stage.positions('P')[0]);
    let player = commands.spawn((player, start)).id();
    for at in stage.positions('E') {
        commands.spawn((
            Costume::Hunter,
            NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(100.),
            Chase::new(player),
            bodies::walker_body(),
            place(at),
        ));
    }
}

fn use_doors(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    player: Single<&Transform, With<Steered>>,
    people: Query<&Transform, With<Costume>>,
    doors: Query<(Entity, &Transform, Has<ColliderDisabled>), With<Door>>,
) {
    let (at, reach) = match pointer.click() {
        Some(at) => (at, REACH),
        None if keys.just_pressed(KeyCode::Space) => (player.translation.truncate(), f32::MAX),
        None => return,
    };
    let gap = |door: &Transform| door.translation.truncate().distance(at);
    let nearest = doors.iter().min_by(|a, b| gap(a.1).total_cmp(&gap(b.1)));
    let Some((door, place, is_open)) = nearest.filter(|door| gap(door.1) <= reach) else {
        return;
    };
    // Nobody is caught in a door.
    let room = Vec2::splat(TILE / 2. + bodies::BODY_RADIUS);
    let room = Rect::from_center_half_size(place.translation.truncate(), room);
    let mut people = people.iter().map(|body| body.translation.truncate());
    if !is_open {
        commands.entity(door).insert(ColliderDisabled);
    } else if !people.any(|at| room.contains(at)) {
        commands.entity(door).remove::<ColliderDisabled>();
    }
}

fn draw_doors(
    time: Res<Time>,
    mut sketch: ResMut<Sketch>,
    mut doors: Query<(&Transform, &mut Door, Has<ColliderDisabled>)>,
) {
    for (place, mut door, is_open) in &mut doors {
        let by = time.delta_secs() / SLIDE;
        door.shut = (door.shut + if is_open { -by } else { by }).clamp(0., 1.);
        sketch.door(place.translation.truncate(), door.along * TILE, door.shut);
    }
}

/// Dots over those that cannot come any nearer.
fn draw_waiting(mut sketch: ResMut<Sketch>, hunters: Query<(&Transform, &Locomotion)>) {
    for (place, locomotion) in &hunters {
        if *locomotion == Locomotion::Waiting {
            sketch.dots(place.translation.truncate() + Vec2::new(0., 24.));
        }
    }
}
