//! The gizmo groups that the overlay draws with.

use bevy::prelude::*;

/// Gizmos of outlines, paths and agents. Its line width is yours to set.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct PursuitGizmos;

/// Gizmos of the finer squares. The overlay sets its line width every frame.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct FineGizmos;

/// Gizmos of the coarser squares that fade in when zooming out. The overlay sets its line width
/// every frame.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct CoarseGizmos;

/// Gizmos of the squares of a replay. The overlay sets its line width every frame.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct SearchGizmos;

/// How [`PursuitGizmos`] are drawn until a game says otherwise.
pub(crate) fn line_config() -> GizmoConfig {
    GizmoConfig {
        line: GizmoLineConfig {
            width: 2.0,
            ..default()
        },
        ..default()
    }
}
