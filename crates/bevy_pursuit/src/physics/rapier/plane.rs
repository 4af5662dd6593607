//! The XY plane, in which all bodies of the 2D physics move.

use bevy::prelude::*;

/// A desired velocity in the XY plane; zero, with a warning, if it leads out of that plane.
pub(super) fn in_plane(desired: Vec3) -> Vec2 {
    if desired.z.abs() > 0.01 * desired.length() {
        warn_once!(
            "an agent with a RigidBody of Rapier is on a NavGrid whose NavFrame is not in the XY plane: 2D physics \
             cannot move it there. Remove its RigidBody, so that its Transform is moved (said once)"
        );
        return Vec2::ZERO;
    }
    desired.xy()
}
