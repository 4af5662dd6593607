//! A camera that glides after a target, stays over the level, and zooms with the mouse wheel.

use bevy::camera::Camera;
use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;

/// Seconds in which the camera closes about two thirds of the distance to its target.
const LAG: f32 = 0.22;
/// Seconds of the target's movement by which the camera looks ahead.
const LOOK_AHEAD: f32 = 0.35;
/// Share by which one notch of the wheel changes the scale.
const ZOOM_STEP: f32 = 0.12;

/// Adds the systems that move [`FollowCamera`]s.
pub struct FollowCameraPlugin;

impl Plugin for FollowCameraPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (zoom_with_wheel, follow_target).chain());
    }
}

/// Makes a 2D camera follow an entity.
#[derive(Component, Clone, Copy, Debug)]
#[require(Camera2d)]
pub struct FollowCamera {
    /// Whom to follow: an entity, or the picture that is its child. While it does not exist the camera
    /// rests.
    pub target: Entity,
    /// What may be seen, in world units: the camera stays inside.
    pub bounds: Rect,
    /// World units per pixel at which it starts, and between which it may zoom.
    pub scale: ScaleRange,
    /// Where the target was a frame ago.
    last_seen: Option<Vec2>,
}

/// World units per pixel: the one wanted now, and the limits.
#[derive(Clone, Copy, Debug)]
pub struct ScaleRange {
    /// Wanted now.
    pub wanted: f32,
    /// Closest view.
    pub min: f32,
    /// Farthest view.
    pub max: f32,
}

impl FollowCamera {
    /// A camera after `target` that shows nothing outside of `bounds`.
    pub fn new(target: Entity, bounds: Rect, scale: ScaleRange) -> Self {
        Self {
            target,
            bounds,
            scale,
            last_seen: None,
        }
    }
}

fn zoom_with_wheel(mut wheel: MessageReader<MouseWheel>, mut cameras: Query<&mut FollowCamera>) {
    let notches: f32 = wheel.read().map(|event| event.y.signum()).sum();
    if notches == 0.0 {
        return;
    }
    for mut camera in &mut cameras {
        let range = camera.scale;
        camera.scale.wanted =
            (range.wanted * (1.0 - ZOOM_STEP).powf(notches)).clamp(range.min, range.max);
    }
}

fn follow_target(
    time: Res<Time>,
    targets: Query<(&Transform, Option<&ChildOf>), Without<FollowCamera>>,
    mut cameras: Query<(&mut FollowCamera, &mut Transform, &mut Projection, &Camera)>,
) {
    let seconds = time.delta_secs();
    for (mut follow, mut transform, mut projection, camera) in &mut cameras {
        let Ok((target, child)) = targets.get(follow.target) else {
            continue;
        };
        let body = child.and_then(|child| targets.get(child.parent()).ok());
        let body = body.map_or(Vec3::ZERO, |(body, _)| body.translation);
        let Projection::Orthographic(projection) = &mut *projection else {
            continue;
        };
        let position = (body + target.translation).truncate();
        let first = follow.last_seen.is_none();
        let velocity = match follow.last_seen.replace(position) {
            Some(before) if seconds > 0.0 => (position - before) / seconds,
            _ => Vec2::ZERO,
        };
        let share = if first { 1.0 } else { ease(seconds) };
        projection.scale += (follow.scale.wanted - projection.scale) * share;
        let half_view = camera.logical_viewport_size().unwrap_or_default() * projection.scale / 2.0;
        let wanted = position + velocity * LOOK_AHEAD;
        let now = transform.translation.truncate();
        let next = keep_inside(now.lerp(wanted, share), half_view, follow.bounds);
        transform.translation = next.extend(transform.translation.z);
    }
}

/// Share of the remaining distance to cover in a frame, the same at any frame rate.
fn ease(seconds: f32) -> f32 {
    1.0 - (-seconds / LAG).exp()
}

/// The center nearest to `center` whose view stays inside; the middle where the view is larger.
fn keep_inside(center: Vec2, half_view: Vec2, bounds: Rect) -> Vec2 {
    let room = (bounds.half_size() - half_view).max(Vec2::ZERO);
    center.clamp(bounds.center() - room, bounds.center() + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_short_frames_bring_the_camera_as_near_as_one_long_one() {
        let short = 1.0 - (1.0 - ease(0.01)) * (1.0 - ease(0.01));
        assert!((short - ease(0.02)).abs() < 1e-6);
    }

    #[test]
    fn the_view_stays_inside_or_in_the_middle() {
        let bounds = Rect::new(0.0, 0.0, 100.0, 20.0);
        let center = keep_inside(Vec2::new(2.0, 19.0), Vec2::new(10.0, 30.0), bounds);
        assert_eq!(center, Vec2::new(10.0, 10.0));
    }
}
