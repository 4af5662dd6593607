//! Archers that keep their distance: `Chase` with a reach and a need for sight.
//!
//! An archer runs until the player is within its reach *and* in clear sight. Then it is `Arrived`,
//! and shoots. Whoever hides behind a wall brings it around the corner.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::{palette, people::Costume};
use pursuit_examples::figures::LooksAt;
use pursuit_examples::pointer::Act;
use pursuit_examples::{bodies, demo::Demo, keys::Steered, paths::PathsPlugin, sketch::Sketch};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

/// How far an archer shoots, in world units.
const REACH: f32 = 190.;
/// Speed of an arrow, in world units per second, and the seconds from one to the next.
const ARROW_SPEED: f32 = 260.;
const RELOAD: f32 = 0.9;

const DEMO: Demo = Demo {
    name: "ranged",
    shows: "archers come within reach and sight, then shoot",
    keys: &[("WASD", "walk, hide")],
    map: include_str!("../assets/levels/ranged.txt"),
    script: &[
        (3.2, Act::Hold(KeyCode::KeyD)),
        (3.7, Act::Release(KeyCode::KeyD)),
    ],
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DEMO, PathsPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(Startup, setup)
        .add_systems(Update, (shoot, fly, draw_aim).chain())
        .run()
}

#[derive(Component)]
struct Bow(Timer);

/// An arrow in the air, with its velocity.
#[derive(Component)]
struct Arrow(Vec2);

fn setup(mut commands: Commands, stage: Res<Stage>) {
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(OBSTACLES));
    let place = |at: Vec2| Transform::from_translation(at.extend(0.));
    let player = (
        Costume::Player,
        Steered { speed: 150. },
        bodies::player_body(),
    );
    let player = commands
        .spawn((player, place(stage.positions('P')[0])))
        .id();
    for (number, at) in stage.positions('A').into_iter().enumerate() {
        let mut reload = Timer::from_seconds(RELOAD, TimerMode::Repeating);
        // They do not all shoot at once.
        reload.set_elapsed(reload.duration().mul_f32(0.3 * number as f32 % 1.));
        commands.spawn((
            Costume::Archer,
            Bow(reload),
            NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(90.),
            Chase::new(player).with_reach(REACH).with_sight(),
            bodies::walker_body(),
            place(at),
        ));
    }
}

/// Whoever has arrived has the player in reach and in sight.
fn shoot(
    mut commands: Commands,
    time: Res<Time>,
    player: Single<&Transform, With<Steered>>,
    mut archers: Query<(Entity, &Transform, &Locomotion, &mut Bow)>,
) {
    let goal = player.translation.truncate();
    for (archer, transform, locomotion, mut bow) in &mut archers {
        if *locomotion != Locomotion::Arrived {
            commands.entity(archer).remove::<LooksAt>();
            continue;
        }
        commands.entity(archer).insert(LooksAt(goal));
        if bow.0.tick(time.delta()).just_finished() {
            let from = transform.translation.truncate();
            let aim = (goal - from).normalize_or_zero();
            let start = Transform::from_translation((from + 16. * aim).extend(0.));
            commands.spawn((Arrow(ARROW_SPEED * aim), start));
        }
    }
}

/// Moves arrows on, until they hit the player or a wall.
fn fly(
    mut commands: Commands,
    time: Res<Time>,
    mut sketch: ResMut<Sketch>,
    grid: Single<&BakedGrid>,
    player: Single<&Transform, (With<Steered>, Without<Arrow>)>,
    mut arrows: Query<(Entity, &Arrow, &mut Transform)>,
) {
    for (arrow, velocity, mut transform) in &mut arrows {
        transform.translation += (velocity.0 * time.delta_secs()).extend(0.);
        let tip = transform.translation.truncate();
        let hits = tip.distance(player.translation.truncate()) < bodies::BODY_RADIUS;
        let flies_on = grid.snapshot().is_some_and(|grid| grid.free(tip, 1.));
        if hits || !flies_on {
            commands.entity(arrow).despawn();
        }
        sketch.arrow(tip, velocity.0.normalize_or_zero());
    }
}

/// The line of sight of each archer that has one, and how far it shoots.
fn draw_aim(
    mut sketch: ResMut<Sketch>,
    player: Single<&Transform, With<Steered>>,
    archers: Query<(&Transform, &Locomotion), With<Bow>>,
) {
    let goal = player.translation.truncate();
    sketch.floor.ring(
        goal,
        REACH - 1.,
        REACH + 1.,
        palette::ARCHER_LIGHT.with_alpha(0.5),
    );
    for (archer, locomotion) in &archers {
        if *locomotion == Locomotion::Arrived {
            let from = archer.translation.truncate();
            sketch
                .floor
                .line(from, goal, 2., palette::HUNTER_LIGHT.with_alpha(0.6));
        }
    }
}
