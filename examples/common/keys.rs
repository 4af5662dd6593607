//! Keys that mean the same in every example, and bodies that they steer.

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

/// Keys that pause: hold the world, keep drawing it.
pub const PAUSE: [KeyCode; 2] = [KeyCode::KeyP, KeyCode::Escape];
/// Key that starts over.
pub const RESTART: KeyCode = KeyCode::KeyR;

/// Seconds in which a steered body comes about two thirds closer to the speed that it wants.
const RESPONSE: f32 = 0.06;

/// The direction that WASD or the arrow keys point in, at most one long.
pub fn walking_direction(keys: &ButtonInput<KeyCode>) -> Vec2 {
    let axis = |more: [KeyCode; 2], less: [KeyCode; 2]| {
        f32::from(u8::from(keys.any_pressed(more))) - f32::from(u8::from(keys.any_pressed(less)))
    };
    let x = axis(
        [KeyCode::KeyD, KeyCode::ArrowRight],
        [KeyCode::KeyA, KeyCode::ArrowLeft],
    );
    let y = axis(
        [KeyCode::KeyW, KeyCode::ArrowUp],
        [KeyCode::KeyS, KeyCode::ArrowDown],
    );
    Vec2::new(x, y).clamp_length_max(1.0)
}

/// Whether a key is for the overlay: those with Alt are.
pub fn is_for_overlay(keys: &ButtonInput<KeyCode>) -> bool {
    keys.any_pressed([KeyCode::AltLeft, KeyCode::AltRight])
}

/// Stops and starts the clock of the fixed schedule, and with it all that moves.
pub fn pause_or_go_on(keys: Res<ButtonInput<KeyCode>>, mut time: ResMut<Time<Virtual>>) {
    if keys.any_just_pressed(PAUSE) && !is_for_overlay(&keys) {
        if time.is_paused() {
            time.unpause();
        } else {
            time.pause();
        }
    }
}

/// A body that the keys of [`walking_direction`] steer. Needs a `Velocity`.
#[derive(Component, Clone, Copy, Debug)]
pub struct Steered {
    /// In world units per second.
    pub speed: f32,
}

/// Lets the keys drive [`Steered`] bodies.
pub struct SteeringPlugin;

impl Plugin for SteeringPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(FixedUpdate, steer.before(PhysicsSet::SyncBackend));
    }
}

fn steer(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut bodies: Query<(&Steered, &mut Velocity)>,
) {
    for (steered, mut velocity) in &mut bodies {
        let wanted = steered.speed * walking_direction(&keys);
        velocity.linear = ease(velocity.linear, wanted, time.delta_secs());
    }
}

/// The velocity `seconds` later, on its way from one to another; at rest, all of it.
pub fn ease(velocity: Vec2, wanted: Vec2, seconds: f32) -> Vec2 {
    let next = velocity.lerp(wanted, 1.0 - (-seconds / RESPONSE).exp());
    if next.length() < 0.5 {
        Vec2::ZERO
    } else {
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_keys_cancel_and_diagonals_are_no_faster() {
        let mut keys = ButtonInput::default();
        keys.press(KeyCode::KeyW);
        keys.press(KeyCode::ArrowRight);
        assert!((walking_direction(&keys).length() - 1.0).abs() < 1e-6);
        keys.press(KeyCode::ArrowLeft);
        assert_eq!(walking_direction(&keys), Vec2::Y);
    }
}
