//! Short-lived marks: a ring and a flash at a catch, a reticle where the player was sent.

use bevy::prelude::*;
use bevy_pursuit::TargetReached;
use pursuit_examples::art::{layer, palette};

use crate::controls::WalkTo;
use crate::hunters::Hunter;
use crate::player::Player;

/// A picture that grows and fades, then goes.
#[derive(Component, Clone, Debug)]
pub(crate) struct Pulse {
    life: Timer,
    color: Color,
    from: f32,
    to: f32,
}

/// The veil around the screen that flashes at a catch.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Flash(f32);

/// Seconds that the flash takes to fade.
const FLASH_SECONDS: f32 = 0.5;
/// Opacity of the flash at its brightest, in the corners of the screen.
const FLASH_OPACITY: f32 = 0.3;

/// Two rings around the player and a flash, when a hunter reaches it.
pub(crate) fn pulse_at_catch(
    reached: On<TargetReached>,
    mut commands: Commands,
    hunters: Query<(), With<Hunter>>,
    player: Single<&Transform, With<Player>>,
    mut flash: Single<&mut Flash>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    if !hunters.contains(reached.entity) || reached.target.is_none() {
        return;
    }
    flash.0 = 1.0;
    let ring = meshes.add(Annulus::new(0.84, 1.0));
    for (seconds, to, color) in [
        (0.7, 78.0, palette::HUNTER),
        (0.45, 52.0, palette::PLAYER_LIGHT),
    ] {
        commands.spawn((
            Pulse {
                life: Timer::from_seconds(seconds, TimerMode::Once),
                color,
                from: 12.0,
                to,
            },
            Mesh2d(ring.clone()),
            MeshMaterial2d(materials.add(ColorMaterial { color, ..default() })),
            Transform::from_translation(player.translation.truncate().extend(layer::LIGHT - 1.0)),
        ));
    }
}

/// A shrinking ring where the player was sent.
pub(crate) fn mark_walk_orders(
    mut commands: Commands,
    mut orders: MessageReader<WalkTo>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for WalkTo(point) in orders.read() {
        let color = palette::PLAYER;
        commands.spawn((
            Pulse {
                life: Timer::from_seconds(0.8, TimerMode::Once),
                color,
                from: 20.0,
                to: 5.0,
            },
            Mesh2d(meshes.add(Annulus::new(0.75, 1.0))),
            MeshMaterial2d(materials.add(ColorMaterial { color, ..default() })),
            Transform::from_translation(point.extend(layer::MARKER)),
        ));
    }
}

/// Grows, fades and removes pulses.
pub(crate) fn animate_pulses(
    mut commands: Commands,
    time: Res<Time>,
    mut pulses: Query<(
        Entity,
        &mut Pulse,
        &mut Transform,
        &MeshMaterial2d<ColorMaterial>,
    )>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (entity, mut pulse, mut transform, material) in &mut pulses {
        if pulse.life.tick(time.delta()).is_finished() {
            commands.entity(entity).despawn();
            continue;
        }
        let age = pulse.life.fraction();
        let grown = 1.0 - (1.0 - age) * (1.0 - age);
        let size = pulse.from + (pulse.to - pulse.from) * grown;
        transform.scale = Vec3::new(size, size, 1.0);
        if let Some(mut material) = materials.get_mut(&material.0) {
            material.color = pulse.color.with_alpha(1.0 - age);
        }
    }
}

/// Spawns the veil, clear at first.
pub(crate) fn spawn_flash(mut commands: Commands) {
    commands.spawn((
        Flash::default(),
        Node {
            position_type: PositionType::Absolute,
            width: percent(100),
            height: percent(100),
            ..default()
        },
        veil(0.0),
        GlobalZIndex(-1),
    ));
}

/// Fades the veil.
pub(crate) fn fade_flash(
    time: Res<Time>,
    flash: Single<(&mut Flash, &mut BackgroundGradient, &mut Visibility)>,
) {
    let (mut flash, mut gradient, mut visibility) = flash.into_inner();
    visibility.set_if_neq(if flash.0 > 0.0 {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    });
    if flash.0 > 0.0 {
        flash.0 = (flash.0 - time.delta_secs() / FLASH_SECONDS).max(0.0);
        *gradient = veil(FLASH_OPACITY * flash.0 * flash.0);
    }
}

/// Red toward the screen's border, clear in the middle.
fn veil(opacity: f32) -> BackgroundGradient {
    let stop = |opacity, at| ColorStop::percent(palette::HUNTER.with_alpha(opacity), at);
    BackgroundGradient::from(RadialGradient::new(
        UiPosition::CENTER,
        RadialGradientShape::FarthestCorner,
        vec![stop(0.0, 40.0), stop(opacity, 100.0)],
    ))
}
