//! The overlay's plugin: which systems it adds, in which order they run, and under which conditions.

use bevy::camera::CameraUpdateSystems;
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy_pursuit::PursuitSystems;

use crate::agents::{AGENT_CATEGORIES, AgentsInView, draw_agents};
use crate::blocks::{CornerRoot, TextArea, place_blocks};
use crate::category::{OverlayCategories, OverlayCategory};
use crate::fields::draw_field;
use crate::gizmos::add_groups;
use crate::grids::{GridPlans, plan_grids};
use crate::hover::{HoverBox, update_hover};
use crate::inspect::update_inspector;
use crate::keys::{handle_keys, overlay_is_on, shows, was_switched_off};
use crate::legend::update_legend;
use crate::panel::update_panel;
use crate::pick::{OverlayPick, pick_agent};
use crate::settings::{Corner, Margins, OverlayColors, PursuitDebugSettings};
use crate::squares::{Squares, make_squares};
use crate::view::{OverlayView, update_view};

/// A plugin that adds an overlay of grids, paths and agents. F1 switches the overlay on and off.
///
/// Add it after `PursuitPlugins`. It draws with gizmos, which are part of `DefaultPlugins`. In an app without gizmos,
/// the plugin logs a warning and does nothing. Its settings are in [`PursuitDebugSettings`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PursuitDebugPlugin;

/// Sets of the overlay's systems. They run in `PostUpdate`, after the frame's navigation is done. While the overlay is
/// off, only the system that checks its keys runs.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PursuitDebugSystems {
    /// Handles keys and clicks, and decides what to draw.
    Plan,
    /// Draws what `Plan` decided.
    Draw,
}

impl Plugin for PursuitDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PursuitDebugSettings>();
        if can_draw(app) {
            add_overlay(app);
        }
    }

    /// Tries again, because the gizmo plugin may have been added after this one.
    fn finish(&self, app: &mut App) {
        if app.world().contains_resource::<OverlayView>() {
            return;
        }
        if can_draw(app) {
            add_overlay(app);
        } else {
            warn!("PursuitDebugPlugin draws nothing: the app has no gizmos. Add DefaultPlugins");
        }
    }
}

/// Whether the app has gizmos.
fn can_draw(app: &App) -> bool {
    app.world().contains_resource::<Assets<GizmoAsset>>()
}

fn add_overlay(app: &mut App) {
    add_groups(app);
    app.register_type::<PursuitDebugSettings>()
        .register_type::<OverlayColors>()
        .register_type::<OverlayCategories>()
        .register_type::<OverlayCategory>()
        .register_type::<Corner>()
        .register_type::<Margins>()
        .register_type::<OverlayPick>()
        .init_resource::<OverlayPick>()
        .init_resource::<OverlayView>()
        .init_resource::<TextArea>()
        .init_resource::<AgentsInView>()
        .init_resource::<GridPlans>();
    app.configure_sets(
        PostUpdate,
        (PursuitDebugSystems::Plan, PursuitDebugSystems::Draw)
            .chain()
            .after(PursuitSystems::Bake)
            .after(TransformSystems::Propagate)
            .after(CameraUpdateSystems),
    );
    add_systems(app);
    #[cfg(feature = "recorder")]
    add_replays(app);
}

fn add_systems(app: &mut App) {
    let stop = (
        despawn_all::<CornerRoot>,
        despawn_all::<HoverBox>,
        despawn_all::<Squares>,
        reset_state,
    );
    let plan = (update_view, pick_agent, plan_grids);
    let draw = (
        make_squares,
        draw_field.run_if(shows(&[OverlayCategory::Fields])),
        draw_agents.run_if(shows(AGENT_CATEGORIES)),
        place_blocks,
        update_panel,
        update_legend,
        update_inspector,
        update_hover,
    );
    app.add_systems(
        PostUpdate,
        (
            (
                handle_keys,
                stop.run_if(was_switched_off),
                plan.chain().run_if(overlay_is_on),
            )
                .chain()
                .in_set(PursuitDebugSystems::Plan),
            draw.chain()
                .run_if(overlay_is_on)
                .in_set(PursuitDebugSystems::Draw),
        ),
    );
}

/// Adds the systems that record and replay searches.
#[cfg(feature = "recorder")]
fn add_replays(app: &mut App) {
    use crate::replay::{
        OverlayReplay, drag_bar, draw_bar, draw_searches, forget_replay, handle_replay_keys,
        play_replays, size_searches,
    };
    let plan = (handle_replay_keys, drag_bar, play_replays, size_searches);
    app.register_type::<OverlayReplay>()
        .init_resource::<OverlayReplay>()
        .add_systems(
            PostUpdate,
            (
                (
                    forget_replay.run_if(was_switched_off),
                    plan.chain().run_if(shows(&[OverlayCategory::Searches])),
                )
                    .chain()
                    .after(pick_agent)
                    .in_set(PursuitDebugSystems::Plan),
                draw_searches
                    .run_if(shows(&[OverlayCategory::Searches]))
                    .before(draw_agents)
                    .in_set(PursuitDebugSystems::Draw),
                draw_bar
                    .run_if(overlay_is_on)
                    .after(update_inspector)
                    .before(update_hover)
                    .in_set(PursuitDebugSystems::Draw),
            ),
        );
}

/// Despawns all entities with the component `T`. Only the overlay spawns such entities.
fn despawn_all<T: Component>(mut commands: Commands, own: Query<Entity, With<T>>) {
    for entity in &own {
        commands.entity(entity).despawn();
    }
}

/// Resets the grid plans and the view, which the overlay keeps from frame to frame.
fn reset_state(mut plans: ResMut<GridPlans>, mut view: ResMut<OverlayView>) {
    *plans = GridPlans::default();
    *view = OverlayView::default();
}
