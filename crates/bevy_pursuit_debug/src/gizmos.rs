//! The gizmo groups that the overlay draws with.

use bevy::prelude::*;

use crate::detail::GAP_FRACTION;

/// The gizmo group of paths, agents and fields. The game may set its line width.
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct PursuitGizmos;

/// The gizmo group of the squares of a replay. The overlay sets its line width in every frame.
#[cfg(feature = "recorder")]
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct SearchGizmos;

/// The gizmo group of the numbers in the cells of a replay. The game may set its line width.
#[cfg(feature = "recorder")]
#[derive(Reflect, GizmoConfigGroup, Clone, Copy, Debug, Default)]
#[reflect(Default, Clone)]
pub struct NumberGizmos;

/// Registers the gizmo groups in drawing order, so that lines lie on top of squares.
pub(crate) fn add_groups(app: &mut App) {
    #[cfg(feature = "recorder")]
    app.init_gizmo_group::<SearchGizmos>();
    app.insert_gizmo_config(PursuitGizmos, line_config(2.0));
    #[cfg(feature = "recorder")]
    app.insert_gizmo_config(NumberGizmos, line_config(1.5));
}

/// The configuration of a dashed line that looks like a row of squares. A square and the gap beside it are `side`
/// pixels wide together.
pub(crate) fn square_line(side: f32) -> GizmoLineConfig {
    let style = GizmoLineStyle::Dashed {
        gap_scale: GAP_FRACTION / (1.0 - GAP_FRACTION),
        line_scale: 1.0,
    };
    GizmoLineConfig {
        width: side * (1.0 - GAP_FRACTION),
        style,
        ..default()
    }
}

/// The initial configuration of a gizmo group. `width` is the width of its lines, in pixels.
fn line_config(width: f32) -> GizmoConfig {
    GizmoConfig {
        line: GizmoLineConfig { width, ..default() },
        ..default()
    }
}
