//! Rare uses: things that happen between stages, bodies that are swapped, grids that go as walls come,
//! crowds that wait for one answer a tick.

mod asks;
mod bodies;
mod crowds;
mod flights;
mod grids;
mod noise;
mod spawns;
mod walls;

use crate::common::*;

/// Whether what happens once has happened.
#[derive(Resource, Default)]
struct Once(bool);

/// Lets planning expand so many cells in a tick.
fn budget(app: &mut App, nodes: u32) {
    settings(app).search_budget = nodes;
}

/// Requests without an agent that are asked again in every tick, so that the line is never empty.
fn hog(app: &mut App, count: usize, from: Vec2, to: Vec2) -> Vec<Entity> {
    (0..count)
        .map(|_| spawn_request(app, from, PathRequest::to(to)))
        .collect()
}
