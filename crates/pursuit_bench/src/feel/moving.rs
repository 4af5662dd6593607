//! The second part of the benchmark: how agents walk while they chase a player that never stops.

use bevy::prelude::*;
use serde_json::{Value, json};

use super::gait::Gait;
use super::walker::Walker;
use crate::chase::AgentBody;
use crate::chase::world::{Chaser, PLAYER_SPEED_FRACTION, Player, build};
use crate::cli::GameArgs;
use crate::game::agent::{AGENT_SPEED, agent, reach};
use crate::game::positions::{Hash, position_of, position_of_only};
use crate::game::tour::Tour;
use crate::game::walls::WallBoxes;
use crate::game::{FIRST_SECOND, TICK_RATE};
use crate::report::short;

/// Lets agents chase the player for the whole time. The player follows `tour`. Returns the figures, and the hash of all
/// positions.
pub(super) fn run(plan: &GameArgs, walls: &WallBoxes, tour: Tour) -> (Value, Hash) {
    let mut app = build(plan, AgentBody::Transform, false, walls, tour);
    let runway = 2.0 * Walker::of(&agent()).runway() as f32 + reach(&agent());
    let mut gait = Gait::new(plan.agents, AGENT_SPEED, TICK_RATE);
    // The player is slower than the agents. At this tick rate, its steps would have the speed of an agent.
    let at_speed = TICK_RATE / f64::from(PLAYER_SPEED_FRACTION);
    let mut of_player = Gait::new(1, AGENT_SPEED, at_speed);
    // No time passes in the first update of an app.
    app.update();
    for tick in 1..=(plan.seconds * TICK_RATE).ceil() as u64 {
        app.update();
        let world = app.world_mut();
        let player = position_of_only::<Player>(world);
        of_player.read(0, tick, player, false, walls);
        let mut chasers = world.query::<(&Chaser, &Transform)>();
        for (chaser, transform) in chasers.iter(world) {
            let here = position_of(transform);
            let is_free = tick > FIRST_SECOND as u64 && here.distance(player) > runway;
            gait.read(chaser.0, tick, here, is_free, walls);
        }
    }
    let of_player = of_player.reversals_per_minute();
    let figures = json!({
        // Turns back and forth of an agent's heading per minute.
        "reversals_per_minute": gait.reversals_per_minute(),
        // Turns back and forth per minute on the player's course, measured as if an agent walked it at its own speed.
        // An agent that keeps up with the player turns as the player does, but slightly faster, because it cuts
        // corners.
        "player_reversals_per_minute": of_player.map(|turns| turns * f64::from(PLAYER_SPEED_FRACTION)),
        // Fraction of the time in which agents moved at less than 90 % of their speed, although the player was far
        // away.
        "slow_share": gait.slow_share(),
        // Least distance of an agent's center to a wall, in radii. It is never greater than 1.
        "wall_ratio_min": short(gait.wall_ratio_min),
    });
    (figures, gait.positions)
}
