//! What a game can pause, turn, push, change and replace in Pursuit, and which events it gets.

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

const TICK_SECONDS: f32 = 1.0 / 60.0;

/// An open level of unit cells.
fn open_level(app: &mut App, width: usize, height: usize) {
    build_level(app, &open(width, height));
    run(app, 3);
}

/// Spawns an agent that is sent to `goal` with the given [`NavDrive`].
fn spawn_driven(app: &mut App, body: Body, from: Vec2, goal: Vec2, drive: NavDrive) -> Entity {
    spawn_with(app, body, from, (PathRequest::to(goal), drive))
}

/// Moves agents by their desired velocity, as a game that drives them itself does.
fn move_by_hand(time: Res<Time>, mut agents: Query<(&DesiredVelocity, &mut Transform)>) {
    for (desired, mut transform) in &mut agents {
        transform.translation += desired.0 * time.delta_secs();
    }
}
