//! The plane that 2D physics knows.

use bevy::log::warn_once;
use bevy::math::{Vec2, Vec3, Vec3Swizzles};

/// What a body can do of the velocity that it should have: nothing where that leads out of the plane of X and Y.
pub(super) fn in_plane(desired: Vec3) -> Vec2 {
    if desired.z.abs() > 0.01 * desired.length() {
        warn_once!(
            "an agent with a RigidBody of Rapier is on a NavGrid whose NavFrame is not in the plane of X and Y: 2D physics \
             cannot move it there. Remove its RigidBody, so that its Transform is moved (said once)"
        );
        return Vec2::ZERO;
    }
    desired.xy()
}
