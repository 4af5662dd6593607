//! The crate `bevy_landmass`: a navmesh, a search for each agent, and velocity obstacles among all of them.
//!
//! The crate is used as in its examples: an agent walks with the velocity that the crate computes. As with all peers in
//! this chase, an agent is never faster than its desired speed. The crate gets the target's velocity, so agents avoid
//! the target as well.

use std::sync::Arc;

use bevy::prelude::*;
use bevy_landmass::NavMeshHandle;
use bevy_landmass::prelude::*;
use pursuit_bench::Hunt;

use crate::ground::islands;

/// Maximum distance from the navmesh at which a point is treated as being on the navmesh, in radii. The crate's default
/// is 0.2. Around a corner, a disc can get closer to the wall than the navmesh does.
const SAMPLE_DISTANCE_RADII: f32 = 0.33;

/// Marks the target.
#[derive(Component)]
struct Chased;

pub(crate) fn chase(app: &mut App, hunt: &Hunt<'_>) {
    app.add_plugins((AssetPlugin::default(), Landmass2dPlugin::default()))
        .add_systems(
            FixedPreUpdate,
            set_target_velocity.before(LandmassSystems::SyncExistence),
        )
        .add_systems(FixedUpdate, (take_velocities, walk).chain());
    let world = app.world_mut();
    let options = ArchipelagoOptions::from_agent_radius(hunt.radius);
    let archipelago = Archipelago2d::new(ArchipelagoOptions {
        point_sample_distance: SAMPLE_DISTANCE_RADII * hunt.radius,
        ..options
    });
    let archipelago = world.spawn(archipelago).id();
    for nav_mesh in islands(hunt.level, hunt.radius) {
        let nav_mesh = Arc::new(nav_mesh);
        let nav_mesh = (world.resource_mut::<Assets<NavMesh2d>>()).add(NavMesh2d { nav_mesh });
        world.spawn(Island2dBundle {
            island: Island,
            archipelago_ref: ArchipelagoRef2d::new(archipelago),
            nav_mesh: NavMeshHandle(nav_mesh),
        });
    }
    let target = Character2dBundle {
        character: default(),
        settings: CharacterSettings {
            radius: hunt.radius,
        },
        archipelago_ref: ArchipelagoRef2d::new(archipelago),
    };
    world.entity_mut(hunt.target).insert((Chased, target));
    for &(agent, _) in hunt.agents {
        let bundle = Agent2dBundle {
            agent: default(),
            settings: AgentSettings {
                radius: hunt.radius,
                desired_speed: hunt.speed,
                max_speed: hunt.speed,
            },
            archipelago_ref: ArchipelagoRef2d::new(archipelago),
        };
        let target = AgentTarget2d::Entity(hunt.target);
        world.entity_mut(agent).insert((bundle, target));
    }
}

/// Passes the velocity of the target to the crate.
fn set_target_velocity(
    time: Res<Time>,
    mut last: Local<Option<Vec2>>,
    target: Single<(&Transform, &mut Velocity2d), With<Chased>>,
) {
    let (transform, mut velocity) = target.into_inner();
    let place = transform.translation.truncate();
    let before = last.replace(place).unwrap_or(place);
    velocity.velocity = (place - before) / time.delta_secs();
}

fn take_velocities(mut agents: Query<(&mut Velocity2d, &AgentDesiredVelocity2d)>) {
    for (mut velocity, desired) in &mut agents {
        velocity.velocity = desired.velocity();
    }
}

fn walk(
    time: Res<Time>,
    mut agents: Query<(&mut Transform, &Velocity2d), With<AgentDesiredVelocity2d>>,
) {
    for (mut transform, velocity) in &mut agents {
        transform.translation += (velocity.velocity * time.delta_secs()).extend(0.0);
    }
}
