//! How a person steers the player: keys say where to walk, and a mouse click sends it off on a path
//! of its own.

use bevy::prelude::*;
use bevy_pursuit::{NavDrive, PathRequest, TargetReached};
use bevy_rapier2d::prelude::*;
use pursuit_examples::keys::{ease, walking_direction};

use crate::player::{Player, STEERED, walker};
use crate::tour::Tour;

/// Speed under a player's command, in world units per second: a little above the hunters'.
const SPEED: f32 = 150.0;

/// Asks the player to walk to a point by itself.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) struct WalkTo(pub(crate) Vec2);

/// Walks where the keys point; a key takes over from a path.
pub(crate) fn walk_with_keys(
    mut commands: Commands,
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    players: Single<(Entity, &mut Velocity, Has<PathRequest>), With<Player>>,
) {
    let (player, mut velocity, walks_by_itself) = players.into_inner();
    let direction = walking_direction(&keys);
    if walks_by_itself {
        if direction != Vec2::ZERO {
            commands
                .entity(player)
                .remove::<PathRequest>()
                .insert(STEERED);
        }
        return;
    }
    let next = ease(velocity.linear, SPEED * direction, time.delta_secs());
    velocity.set_if_neq(Velocity::linear(next));
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

/// Gives the player a request, and its body to the plugin: that does the rest.
pub(crate) fn obey_walk_orders(
    mut commands: Commands,
    mut orders: MessageReader<WalkTo>,
    player: Single<Entity, With<Player>>,
) {
    if let Some(WalkTo(point)) = orders.read().last() {
        commands.entity(*player).insert((
            walker(SPEED),
            PathRequest::to(*point),
            NavDrive::default(),
        ));
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
            .remove::<PathRequest>()
            .insert(STEERED);
    }
}
