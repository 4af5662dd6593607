//! How a person steers the player: keys say where to walk, and a mouse click sends it off on a path
//! of its own.

use bevy::prelude::*;
use bevy_pursuit::{NavAgent, PathRequest, TargetReached};
use bevy_rapier2d::prelude::*;
use pursuit_examples::keys::walking_direction;

use crate::player::{Player, walker};
use crate::tour::Tour;

/// Speed under a player's command, in world units per second: a little above the hunters'.
const SPEED: f32 = 150.0;
/// Seconds to reach about two thirds of that speed.
const RESPONSE: f32 = 0.06;

/// Asks the player to walk to a point by itself.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) struct WalkTo(pub(crate) Vec2);

/// Walks where the keys point; a key takes over from a path.
pub(crate) fn walk_with_keys(
    mut commands: Commands,
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    players: Single<(Entity, &mut Velocity, Has<NavAgent>), With<Player>>,
) {
    let (player, mut velocity, walks_by_itself) = players.into_inner();
    let direction = walking_direction(&keys);
    if walks_by_itself {
        if direction != Vec2::ZERO {
            commands.entity(player).remove::<(PathRequest, NavAgent)>();
        }
        return;
    }
    let share = 1.0 - (-time.delta_secs() / RESPONSE).exp();
    let wanted = velocity.linear.lerp(SPEED * direction, share);
    let at_rest = wanted.length() < 0.5;
    velocity.set_if_neq(Velocity::linear(if at_rest { Vec2::ZERO } else { wanted }));
}

/// Sends the player to where the mouse clicked.
pub(crate) fn walk_to_click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    mut orders: MessageWriter<WalkTo>,
) {
    let (camera, transform) = camera.into_inner();
    let cursor = window
        .cursor_position()
        .filter(|_| buttons.just_pressed(MouseButton::Left));
    let point = cursor.and_then(|cursor| camera.viewport_to_world_2d(transform, cursor).ok());
    if let Some(point) = point {
        orders.write(WalkTo(point));
    }
}

/// Turns the player into an agent with a request: the plugin does the rest.
pub(crate) fn obey_walk_orders(
    mut commands: Commands,
    mut orders: MessageReader<WalkTo>,
    player: Single<Entity, With<Player>>,
) {
    if let Some(WalkTo(point)) = orders.read().last() {
        commands
            .entity(*player)
            .insert((walker(SPEED), PathRequest::to(*point)));
    }
}

/// Hands the body back to the keys when the player has come to where it was sent.
pub(crate) fn stop_at_goal(
    reached: On<TargetReached>,
    mut commands: Commands,
    players: Query<(), With<Player>>,
    tour: Option<Res<Tour>>,
) {
    if players.contains(reached.entity) && tour.is_none() {
        commands
            .entity(reached.entity)
            .remove::<(PathRequest, NavAgent)>();
    }
}
