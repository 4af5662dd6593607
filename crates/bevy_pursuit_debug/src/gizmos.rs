//! The gizmo groups that the overlay draws with.

use bevy::prelude::*;

use crate::detail::GAP;

/// Gizmos of paths, agents and fields. Its line width is yours to set.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct PursuitGizmos;

/// Gizmos of the squares of a replay. The overlay sets its line width every frame.
#[cfg(feature = "recorder")]
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct SearchGizmos;

/// Gizmos of the numbers in the cells of a replay. Its line width is yours to set.
#[cfg(feature = "recorder")]
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct NumberGizmos;

/// Registers the groups in the order in which they are drawn: lines on top of squares.
pub(crate) fn add_groups(app: &mut App) {
    #[cfg(feature = "recorder")]
    app.init_gizmo_group::<SearchGizmos>();
    app.insert_gizmo_config(PursuitGizmos, line_config(2.0));
    #[cfg(feature = "recorder")]
    app.insert_gizmo_config(NumberGizmos, line_config(1.5));
}

/// A dashed line whose dashes are squares of `side` pixels, gap included.
pub(crate) fn square_line(side: f32) -> GizmoLineConfig {
    let style = GizmoLineStyle::Dashed {
        gap_scale: GAP / (1.0 - GAP),
        line_scale: 1.0,
    };
    GizmoLineConfig {
        width: side * (1.0 - GAP),
        style,
        ..default()
    }
}

/// How lines are drawn until a game says otherwise.
fn line_config(width: f32) -> GizmoConfig {
    GizmoConfig {
        line: GizmoLineConfig { width, ..default() },
        ..default()
    }
}
