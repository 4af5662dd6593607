//! Two grids over one level: `OnGrid` says on which of them an agent walks.
//!
//! One grid is baked from the walls, the other from nothing. The hunter is on the first and walks around the walls. The
//! ghost is on the second and walks straight through them. `OnGrid` may change at any time: space sends the ghost to
//! the hunter's grid, and back.
//!
//! | Key | |
//! |---|---|
//! | space | the ghost walks around walls, or through them again |
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, Level, Mood, RADIUS, WALLS};

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "ghost",
            keys: "WASD  walk     space  the ghost walks around walls, or through",
            level: include_str!("../assets/levels/ghost.txt"),
            mood: Mood::DUSK,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, swap_grid.run_if(input_just_pressed(KeyCode::Space)))
        .run()
}

/// The grid that a ghost switches to when space is pressed.
#[derive(Component)]
struct OtherGrid(Entity);

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    let floor = commands.spawn(grid.with_obstacles(WALLS)).id();
    let air = commands.spawn(grid.with_obstacles(Group::NONE)).id();

    let player = commands.spawn(common::player(&level, 150., "")).id();
    let agent = NavAgent::from_radius(RADIUS).with_speed(70.);
    for at in level.find('E') {
        let hunter = (Figure::HUNTER, common::agent_body(at));
        commands.spawn((agent, Chase::new(player), OnGrid(floor), hunter));
    }
    // The ghost has no collider, because the physics would stop it at the walls, whatever its grid is.
    commands.spawn((
        agent,
        (Chase::new(player), OnGrid(air), OtherGrid(floor)),
        Figure::GHOST,
        level.transform_at('G'),
    ));
}

/// Changes the ghost's grid. Pursuit then plans its path again.
fn swap_grid(mut ghosts: Query<(&mut OnGrid, &mut OtherGrid)>) {
    for (mut grid, mut other) in &mut ghosts {
        std::mem::swap(&mut grid.0, &mut other.0);
    }
}
