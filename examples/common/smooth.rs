//! Smooth motion between fixed ticks.
//!
//! Bodies move in `FixedUpdate`, 64 times a second; frames come when they come. A picture that
//! belongs to the body would stutter. So the picture is a child of the body, and glides from where
//! the body was a tick ago to where it is now: one tick late, and smooth at any frame rate.

use bevy::app::RunFixedMainLoop;
use bevy::prelude::*;

/// Keeps [`Smooth`] pictures gliding after their parents.
pub struct SmoothPlugin;

impl Plugin for SmoothPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(FixedPostUpdate, note_tick).add_systems(
            RunFixedMainLoop,
            glide.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
    }
}

/// On a child of a body that moves in `FixedUpdate`: glides between the body's last two places, and
/// turns between its last two rotations.
///
/// The body may not be scaled. A picture that is turned itself belongs on a child of this one.
#[derive(Component, Clone, Copy, Debug)]
#[require(Transform, Visibility)]
pub struct Smooth {
    before: Transform,
    now: Transform,
}

impl Smooth {
    /// For a child of a body that is at `place`, not turned.
    pub fn at(place: Vec3) -> Self {
        let body = Transform::from_translation(place);
        Self {
            before: body,
            now: body,
        }
    }

    /// Where the picture is, `share` of a tick after the last one.
    pub fn place(&self, share: f32) -> Vec3 {
        self.before.translation.lerp(self.now.translation, share)
    }

    fn rotation(&self, share: f32) -> Quat {
        self.before.rotation.slerp(self.now.rotation, share)
    }
}

fn note_tick(bodies: Query<&Transform>, mut pictures: Query<(&ChildOf, &mut Smooth)>) {
    for (child, mut smooth) in &mut pictures {
        if let Ok(body) = bodies.get(child.parent()) {
            smooth.before = smooth.now;
            smooth.now = *body;
        }
    }
}

fn glide(
    time: Res<Time<Fixed>>,
    bodies: Query<&Transform, Without<Smooth>>,
    mut pictures: Query<(&ChildOf, &Smooth, &mut Transform)>,
) {
    let share = time.overstep_fraction();
    for (child, smooth, mut picture) in &mut pictures {
        if let Ok(body) = bodies.get(child.parent()) {
            // As the body sees it, which may be turned itself.
            let back = body.rotation.inverse();
            picture.translation = back * (smooth.place(share) - body.translation);
            picture.rotation = back * smooth.rotation(share);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bevy::time::TimeUpdateStrategy;

    use super::*;

    /// Frames of unequal length over a body that moves 2 units in each tick.
    #[test]
    fn a_picture_moves_by_as_much_as_time_passes() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, SmoothPlugin))
            .insert_resource(Time::<Fixed>::from_hz(50.0))
            .add_systems(
                FixedUpdate,
                |mut body: Single<&mut Transform, With<Children>>| {
                    body.translation.x += 2.0;
                },
            );
        let body = app.world_mut().spawn(Transform::default()).id();
        let picture = app
            .world_mut()
            .spawn((Smooth::at(Vec3::ZERO), ChildOf(body)))
            .id();
        let mut shown = Vec::new();
        for milliseconds in [0, 20, 20, 7, 7, 7, 13, 5, 31, 8] {
            let frame = Duration::from_millis(milliseconds);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
            app.update();
            let at = app.world().get::<GlobalTransform>(picture);
            let at = at.expect("a picture").translation().x;
            shown.push((milliseconds as f32, at));
        }
        for pair in shown[2..].windows(2) {
            let moved = pair[1].1 - pair[0].1;
            let expected = 0.1 * pair[1].0;
            assert!(
                (moved - expected).abs() < 1e-3,
                "{moved} in {} ms",
                pair[1].0
            );
        }
    }

    #[test]
    fn a_picture_of_a_body_that_turns_is_where_the_body_was() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, SmoothPlugin))
            .insert_resource(Time::<Fixed>::from_hz(50.0))
            .add_systems(
                FixedUpdate,
                |mut body: Single<&mut Transform, With<Children>>| {
                    body.translation.x += 2.0;
                    body.rotate_z(0.5);
                },
            );
        let body = app.world_mut().spawn(Transform::default()).id();
        let picture = app
            .world_mut()
            .spawn((Smooth::at(Vec3::ZERO), ChildOf(body)))
            .id();
        for milliseconds in [0, 20, 20, 10] {
            let frame = Duration::from_millis(milliseconds);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
            app.update();
        }
        // Two ticks and a half: half-way between the first tick and the second.
        let shown = app.world().get::<GlobalTransform>(picture);
        let shown = shown.expect("a picture").compute_transform();
        assert!((shown.translation - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-3);
        assert!(shown.rotation.angle_between(Quat::from_rotation_z(0.75)) < 1e-3);
    }
}
