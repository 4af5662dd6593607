//! Rare uses: events between two stages, bodies that are swapped, grids that vanish while walls appear, and long queues
//! of searches.

mod asks;
mod bodies;
mod crowds;
mod flights;
mod grids;
mod noise;
mod spawns;
mod walls;

use crate::common::*;

/// Whether something that happens once has happened.
#[derive(Resource, Default)]
struct Once(bool);

/// Sets how many cells planning may expand per tick.
fn set_search_budget(app: &mut App, nodes: u32) {
    settings(app).search_budget = nodes;
}

/// Spawns requests without an agent, which are searched again in every tick, so that the queue is never empty.
fn spawn_filler_requests(app: &mut App, count: usize, from: Vec2, to: Vec2) -> Vec<Entity> {
    (0..count)
        .map(|_| spawn_request(app, from, PathRequest::to(to)))
        .collect()
}
