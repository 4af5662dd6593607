//! A siege of every door at once: places that fit by a hair, clocks that disagree, observers that despawn
//! what others still hear of, grids that are no grids.

mod clocks;
mod ends;
mod entities;
mod grids;

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;

fn give(app: &mut App, entity: Entity, bundle: impl Bundle) {
    app.world_mut().entity_mut(entity).insert(bundle);
}

/// Asks a question between two frames.
fn ask<T: Send + Sync + 'static>(
    app: &mut App,
    question: impl Fn(&Navigation) -> T + Send + Sync + 'static,
) -> T {
    let system = move |navigation: Navigation| question(&navigation);
    let answer = app.world_mut().run_system_once(system);
    answer.expect("every app can be asked")
}
