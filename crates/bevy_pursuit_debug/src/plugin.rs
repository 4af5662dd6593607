//! Wires the overlay: when its systems run, and what switches them.

use bevy::camera::CameraUpdateSystems;
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy_pursuit::PursuitSystems;

use crate::agents::draw_agents;
use crate::cells::{CellOverlay, draw_cells, plan_cells};
use crate::gizmos::{CoarseGizmos, FineGizmos, PursuitGizmos, line_config};
use crate::panel::{PanelRates, update_panel};
use crate::settings::{OverlayColors, PursuitDebugSettings};

/// An overlay of grids, paths and agents, switched with F1.
///
/// Add it after `PursuitPlugins` and a gizmo plugin (`DefaultPlugins` has one). Settings:
/// [`PursuitDebugSettings`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PursuitDebugPlugin;

/// The overlay's systems, in `PostUpdate`, when the navigation of the frame is done.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PursuitDebugSystems {
    /// Flips the switch and decides what to draw.
    Plan,
    /// Draws it.
    Draw,
}

impl Plugin for PursuitDebugPlugin {
    fn build(&self, app: &mut App) {
        // Groups draw in the order in which they are registered: lines on top of squares.
        app.init_gizmo_group::<CoarseGizmos>()
            .init_gizmo_group::<FineGizmos>()
            .insert_gizmo_config(PursuitGizmos, line_config())
            .register_type::<PursuitDebugSettings>()
            .register_type::<OverlayColors>()
            .init_resource::<PursuitDebugSettings>()
            .init_resource::<CellOverlay>()
            .init_resource::<PanelRates>();
        app.configure_sets(
            PostUpdate,
            (PursuitDebugSystems::Plan, PursuitDebugSystems::Draw)
                .chain()
                .after(PursuitSystems::Bake)
                .after(TransformSystems::Propagate)
                .after(CameraUpdateSystems),
        );
        app.add_systems(
            PostUpdate,
            (
                (toggle_overlay, plan_cells)
                    .chain()
                    .in_set(PursuitDebugSystems::Plan),
                (
                    (draw_cells, draw_agents).run_if(overlay_is_on),
                    update_panel,
                )
                    .in_set(PursuitDebugSystems::Draw),
            ),
        );
    }
}

/// Whether the overlay is switched on: the run condition of everything that draws.
fn overlay_is_on(settings: Res<PursuitDebugSettings>) -> bool {
    settings.enabled
}

fn toggle_overlay(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut settings: ResMut<PursuitDebugSettings>,
) {
    let pressed = |key| keys.as_ref().is_some_and(|keys| keys.just_pressed(key));
    if settings.toggle.is_some_and(pressed) {
        settings.enabled = !settings.enabled;
    }
}
