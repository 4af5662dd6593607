//! The player: walks where keys point, or by a path of its own to where the mouse clicked.

use bevy::prelude::*;
use bevy_pursuit::{NavAgent, PathRequest, TargetReached};
use bevy_rapier2d::prelude::*;
use pursuit_examples::keys::walking_direction;
use pursuit_examples::walls::OBSTACLES;

use crate::game::{BODY_RADIUS, PLAYER_GROUP};
use crate::stage::Stage;
use crate::tour::Tour;

/// Speed under a player's command, in world units per second: a little above the hunters'.
const SPEED: f32 = 150.0;
/// Seconds to reach about two thirds of that speed.
const RESPONSE: f32 = 0.06;

/// Marks the player.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Player;

/// Asks the player to walk to a point by itself.
#[derive(Message, Clone, Copy, Debug)]
pub(crate) struct WalkTo(pub(crate) Vec2);

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
    let body = (
        RigidBody::Dynamic,
        Collider::ball(BODY_RADIUS),
        CollisionGroups::new(PLAYER_GROUP, OBSTACLES),
        Friction::coefficient(0.0),
        Velocity::zero(),
        GravityScale(0.0),
        LockedAxes::ROTATION_LOCKED,
    );
    let place = (
        Transform::from_translation(position.extend(0.0)),
        Visibility::default(),
    );
    commands
        .spawn((Name::new("player"), Player, body, place))
        .id()
}

/// The player as an agent of Pursuit. While it is one, Pursuit drives its body.
pub(crate) fn walker(speed: f32) -> NavAgent {
    NavAgent::from_radius(BODY_RADIUS).with_speed(speed)
}

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
