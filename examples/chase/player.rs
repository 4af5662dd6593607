//! The player's body.

use bevy::prelude::*;
use bevy_pursuit::{NavAgent, NavDrive};
use pursuit_examples::art::people::Costume;
use pursuit_examples::bodies::{BODY_RADIUS, player_body};
use pursuit_examples::stage::Stage;

/// Marks the player.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Player;

/// Where the player begins: at the map's `P`, or anywhere.
pub(crate) fn start(stage: &Stage, rng: &mut fastrand::Rng) -> Vec2 {
    let marked = stage.level.positions('P').first().copied();
    marked.unwrap_or_else(|| {
        let floor = stage.level.main_floor();
        stage.level.layout().center(floor[rng.usize(..floor.len())])
    })
}

/// Spawns the player's body. It blocks nobody's way: hunters reach for it, they do not shove it.
pub(crate) fn spawn(commands: &mut Commands, position: Vec2) -> Entity {
    let place = Transform::from_translation(position.extend(0.0));
    let player = (Name::new("player"), Player, Costume::Player);
    let agent = (NavAgent::from_radius(BODY_RADIUS), STEERED);
    commands.spawn((player, agent, player_body(), place)).id()
}

/// While keys steer the player, it stays an agent of Pursuit, but Pursuit leaves its body alone.
pub(crate) const STEERED: NavDrive = NavDrive { grip: 0.0 };

/// The player as an agent that walks at a speed, in world units per second.
pub(crate) fn walker(speed: f32) -> NavAgent {
    NavAgent::from_radius(BODY_RADIUS).with_speed(speed)
}
