//! Doors into Pursuit: what a game may pause, turn, push, change, replace and listen to.

mod changes;
mod detours;
mod knockback;
mod paused;
mod plugins;
#[cfg(all(feature = "recorder", feature = "deep_bake"))]
mod registry;
mod turning;
mod values;

use crate::common::*;

const TICK: f32 = 1.0 / 60.0;

/// An open level of unit cells.
fn open_level(app: &mut App, width: usize, height: usize) {
    build_level(app, &open(width, height));
    run(app, 3);
}

/// Spawns an agent that is sent to `goal` and driven in this way.
fn spawn_driven(app: &mut App, body: Body, from: Vec2, goal: Vec2, drive: NavDrive) -> Entity {
    spawn_with(app, body, from, (PathRequest::to(goal), drive))
}

/// What agents do with the velocity that they want, where the game moves them itself.
fn move_by_hand(time: Res<Time>, mut agents: Query<(&DesiredVelocity, &mut Transform)>) {
    for (desired, mut transform) in &mut agents {
        transform.translation += desired.0 * time.delta_secs();
    }
}
