//! Different kinds of ground: hunters follow the road, walk around mud, and cross the river on its bridge. Ducks swim.
//!
//! A kind of ground is an area. It costs more or less than plain ground, or it is forbidden. A sensor with a `NavArea`
//! says where the area is. Without Rapier, a `NavObstacle` with a `NavArea` does. Each class of agents can have its own
//! costs for an area. An area is never a wall: the archer shoots across water.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk, or swim where hunters do not follow |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, Level, Mood, PALE, RADIUS, Steered, WALLS};

/// Range of the archer, in world units.
const REACH: f32 = 240.;
/// Time for which an arrow flies, in seconds.
const FLIGHT_SECONDS: f32 = 0.8;

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "terrain",
            keys: "WASD  walk, and swim: who follows?",
            level: include_str!("../assets/levels/terrain.txt"),
            mood: Mood::DAY,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, shoot)
        .run()
}

fn setup(
    mut commands: Commands,
    level: Res<Level>,
    assets: Res<AssetServer>,
    mut areas: ResMut<NavAreas>,
    mut classes: ResMut<AgentClasses>,
) -> Result {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));

    // Each area has a cost, as a multiple of plain ground, and a color for the overlay.
    let road = areas.add("road", 0.5, Color::srgb(1., 0.8, 0.3));
    let mud = areas.add("mud", 4., Color::srgb(0.55, 0.25, 0.1));
    let water = areas.add("water", f32::INFINITY, Color::srgb(0.1, 0.5, 1.));
    for (area, marks) in [(road, ":="), (mud, "%"), (water, "~D")] {
        commands.spawn((
            NavArea::new(area),
            level.collider_of(|tile| marks.contains(level.mark(tile))),
            (Sensor, CollisionGroups::new(WALLS, Group::ALL)),
        ));
    }
    // For ducks, water is the cheapest ground.
    let duck = AgentClass::default().with_cost(water, 0.5);
    let duck = duck.with_cost(AreaId::PLAIN, 3.).with_cost(road, 3.);
    let duck = classes.add(duck)?;

    // A picture of the areas, above the lawn and below the shadows of walls.
    let mut ground = Sprite::from_image(assets.load("sprites/terrain.png"));
    ground.custom_size = Some(level.bounds().size());
    commands.spawn((ground, Transform::from_xyz(0., 0., 1.25)));

    let player = common::player(&level, 140., "UVWX");
    let player = commands.spawn(player).id();
    let walker = NavAgent::from_radius(RADIUS).with_speed(110.);
    let swimmer = walker.with_speed(70.).with_class(duck);
    let chase = Chase::new(player);
    let from_afar = chase.with_reach(REACH).with_sight();
    for (mark, figure, agent, chase) in [
        ('E', Figure::HUNTER, walker, chase),
        ('D', Figure::DUCK, swimmer, chase),
        ('A', Figure::ARCHER, walker, from_afar),
    ] {
        for at in level.find(mark) {
            commands.spawn((agent, chase, figure, common::agent_body(at)));
        }
    }
    Ok(())
}

/// Draws an arrow for each archer that has arrived. The player is then within reach and in sight; the kind of ground in
/// between does not matter.
fn shoot(
    mut gizmos: Gizmos,
    time: Res<Time>,
    player: Single<&Transform, With<Steered>>,
    archers: Query<(&Transform, &Chase, &Locomotion)>,
) {
    // The share of its flight that an arrow has completed.
    let share = (time.elapsed_secs() / FLIGHT_SECONDS).fract();
    let goal = player.translation.truncate();
    for (place, chase, locomotion) in &archers {
        if chase.needs_sight && *locomotion == Locomotion::Arrived {
            let from = place.translation.truncate();
            let tip = from.lerp(goal, share);
            gizmos
                .arrow_2d(tip.move_towards(from, 26.), tip, PALE)
                .with_tip_length(9.);
        }
    }
}
