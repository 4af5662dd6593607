//! The campus without its looks: colliders, the grid over them, who walks, and the waypoint map once the grid
//! is baked.

use bevy::prelude::*;
use bevy_pursuit::grid::{BakedGrid, NavGrid, NavSnapshot};
use bevy_pursuit::{Chase, NavAgent, PursuitPlugins};
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::people::Costume;
use pursuit_examples::bodies::{BODY_RADIUS, player_body, walker_body};
use pursuit_examples::demo::STEPS;
use pursuit_examples::stage::Stage;
use pursuit_examples::walls::OBSTACLES;

use crate::guide::{self, Campus, Guide, Pull, SPEED, Tour};
use crate::scenery::spawn_colliders;

/// Half the side of a cell, in world units.
const NODE_RADIUS: f32 = 2.0;
/// How many visitors the guide leads.
const VISITORS: usize = 3;
/// How far one keeps behind the other, in world units.
const GAP: f32 = 34.0;

/// Physics, navigation, and the guide's steps.
pub(crate) struct WorldPlugin;

impl Plugin for WorldPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(STEPS)
            .add_plugins(
                RapierPhysicsPlugin::<NoUserData>::pixels_per_meter(32.0).in_fixed_schedule(),
            )
            .add_plugins(PursuitPlugins::default().in_fixed_schedule())
            .init_resource::<Tour>()
            .init_resource::<Pull>()
            .add_systems(Startup, (spawn_level, spawn_people))
            .add_systems(
                FixedUpdate,
                guide::walk
                    .before(PhysicsSet::SyncBackend)
                    .run_if(resource_exists::<Campus>),
            );
    }
}

fn spawn_level(mut commands: Commands, stage: Res<Stage>) {
    commands.spawn((
        Name::new("navigation grid"),
        NavGrid::covering(stage.level.bounds())
            .with_node_radius(NODE_RADIUS)
            .with_obstacles(OBSTACLES),
    ));
    stage.spawn_colliders(&mut commands);
    spawn_colliders(&mut commands, &stage);
}

/// The guide walks by stored routes, which is this example's own doing. The visitors chase, each the one before
/// it, and that is Pursuit's.
fn spawn_people(mut commands: Commands, stage: Res<Stage>) {
    let gate = stage.positions('E').first().copied().unwrap_or_default();
    let at = |behind: usize| {
        Transform::from_translation((gate - Vec2::Y * 4.0 * behind as f32).extend(0.0))
    };
    let mut ahead = commands
        .spawn((Guide, Costume::Player, player_body(), at(0)))
        .id();
    for number in 0..VISITORS {
        let visitor = (
            Costume::Scout(number),
            NavAgent::from_radius(BODY_RADIUS).with_speed(1.25 * SPEED),
            Chase::new(ahead).with_reach(GAP).with_sight(),
            walker_body(),
            at(number + 1),
        );
        ahead = commands.spawn(visitor).id();
    }
}

/// The baked grid, once there is one that shows all colliders.
pub(crate) fn ready(grid: &BakedGrid) -> Option<&std::sync::Arc<NavSnapshot>> {
    grid.snapshot().filter(|_| !grid.is_baking())
}
