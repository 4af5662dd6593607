//! What games do to the plugin by mistake: numbers that are none, entities that vanish, grids and
//! settings that change under way. Nothing panics, nothing is silent, nothing goes on for ever.

mod bodies;
mod grids;
mod intents;
mod numbers;
mod walls;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;

use crate::common::*;

const BAD_NUMBERS: [f32; 8] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    -f32::MAX,
    1e30,
    -1.0,
    0.0,
];

/// Runs and checks in each tick that no agent overlaps a wall by more than 2 % of its radius.
fn run_clear_of_walls(app: &mut App, agents: &[Entity], ticks: usize) {
    for tick in 0..ticks {
        app.update();
        for agent in agents {
            let here = position(app, *agent);
            let radius = get::<NavAgent>(app, *agent).radius;
            let away = wall_distance(app, here);
            assert!(
                away >= 0.98 * radius,
                "tick {tick}: {here} is {away} from a wall, radius {radius}"
            );
        }
    }
}
