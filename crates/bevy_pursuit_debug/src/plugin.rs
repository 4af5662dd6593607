//! Wires the overlay: when its systems run, and what switches them.

use bevy::camera::CameraUpdateSystems;
use bevy::gizmos::GizmoAsset;
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use bevy_pursuit::PursuitSystems;

use crate::agents::{AgentsInView, CATEGORIES as AGENTS, draw_agents};
use crate::blocks::{Room, place_blocks, remove_blocks};
use crate::category::{CategoryKeys, OverlayCategories, OverlayCategory, OverlayModifier};
use crate::cells::{
    draw_jump_points, draw_outlines, draw_squares, draw_targets, set_stroke_widths,
};
use crate::edits::{Flashes, draw_edits, forget_flashes};
use crate::fields::{GoalField, OverlayField, draw_fields, forget_fields, make_goal_field};
use crate::gizmos::add_groups;
use crate::grids::{GridPlans, make_strokes, plan_grids};
use crate::hover::{remove_hover, update_hover};
use crate::inspect::update_inspector;
use crate::keys::obey_keys;
use crate::legend::update_legend;
use crate::panel::{PanelRates, update_panel};
use crate::pick::{OverlayPick, pick_agent};
use crate::replay_control::obey_replay_keys;
use crate::replay_keys::ReplayKeys;
use crate::replays::{OverlayReplay, forget_replay, play_replays};
use crate::routes::{OverlayRoutes, draw_routes};
use crate::scrub::{drag_bar, draw_bar};
use crate::searches::{draw_searches, size_searches};
use crate::settings::{Corner, Margins, OverlayColors, PursuitDebugSettings};
use crate::view::{OverlayView, look};

/// An overlay of grids, paths and agents, switched with F1.
///
/// Add it after `PursuitPlugins`. It draws with gizmos, which `DefaultPlugins` has: in a game without them it warns and
/// does nothing. Settings: [`PursuitDebugSettings`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PursuitDebugPlugin;

/// The overlay's systems, in `PostUpdate`, when the navigation of the frame is done. They run only while
/// the overlay is on, but for the one that looks at its keys.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PursuitDebugSystems {
    /// Obeys keys and clicks, and decides what to draw.
    Plan,
    /// Draws it.
    Draw,
}

impl Plugin for PursuitDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PursuitDebugSettings>();
        if can_draw(app) {
            add_overlay(app);
        }
    }

    /// What draws gizmos may have been added later.
    fn finish(&self, app: &mut App) {
        if app.world().contains_resource::<OverlayView>() {
            return;
        }
        if can_draw(app) {
            add_overlay(app);
        } else {
            warn!("PursuitDebugPlugin draws nothing: it needs gizmos, which DefaultPlugins has");
        }
    }
}

/// Whether there is what gizmos are made of.
fn can_draw(app: &App) -> bool {
    app.world().contains_resource::<Assets<GizmoAsset>>()
}

fn add_overlay(app: &mut App) {
    add_groups(app);
    app.register_type::<PursuitDebugSettings>()
        .register_type::<OverlayColors>()
        .register_type::<OverlayCategories>()
        .register_type::<OverlayCategory>()
        .register_type::<OverlayModifier>()
        .register_type::<CategoryKeys>()
        .register_type::<Corner>()
        .register_type::<Margins>()
        .register_type::<ReplayKeys>()
        .register_type::<OverlayPick>()
        .register_type::<OverlayField>()
        .register_type::<OverlayRoutes>()
        .register_type::<OverlayReplay>()
        .init_resource::<OverlayPick>()
        .init_resource::<OverlayField>()
        .init_resource::<OverlayRoutes>()
        .init_resource::<OverlayReplay>()
        .init_resource::<OverlayView>()
        .init_resource::<Room>()
        .init_resource::<AgentsInView>()
        .init_resource::<GridPlans>()
        .init_resource::<Flashes>()
        .init_resource::<GoalField>()
        .init_resource::<PanelRates>();
    app.configure_sets(
        PostUpdate,
        (PursuitDebugSystems::Plan, PursuitDebugSystems::Draw)
            .chain()
            .after(PursuitSystems::Bake)
            .after(TransformSystems::Propagate)
            .after(CameraUpdateSystems),
    );
    add_planners(app);
    add_artists(app);
    add_writers(app);
}

fn add_planners(app: &mut App) {
    let plan = (
        look,
        pick_agent,
        plan_grids,
        make_strokes,
        set_stroke_widths,
        make_goal_field.run_if(shows(OverlayCategory::Fields)),
        (obey_replay_keys, drag_bar, play_replays, size_searches)
            .chain()
            .run_if(shows(OverlayCategory::Searches)),
    );
    let stop = (
        remove_blocks,
        remove_hover,
        forget_flashes,
        forget_fields,
        forget_replay,
        forget_grids,
    );
    app.add_systems(
        PostUpdate,
        (
            obey_keys,
            stop.run_if(was_switched_off),
            plan.chain().run_if(overlay_is_on),
        )
            .chain()
            .in_set(PursuitDebugSystems::Plan),
    );
}

/// One system for each kind of what is drawn. A new kind joins here.
fn add_artists(app: &mut App) {
    use OverlayCategory::*;
    app.add_systems(
        PostUpdate,
        (
            draw_squares,
            draw_searches.run_if(shows(Searches)),
            draw_fields.run_if(shows(Fields)),
            draw_jump_points.run_if(shows(JumpPoints)),
            draw_outlines.run_if(shows(Outlines)),
            draw_targets.run_if(shows(Targets)),
            draw_edits.run_if(shows(Edits)),
            draw_routes.run_if(shows(Routes)),
            draw_agents.run_if(shows_any(AGENTS)),
        )
            .chain()
            .run_if(overlay_is_on)
            .in_set(PursuitDebugSystems::Draw),
    );
}

fn add_writers(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (
            place_blocks,
            update_panel,
            update_legend,
            update_inspector,
            draw_bar,
            update_hover,
        )
            .chain()
            .run_if(overlay_is_on)
            .after(draw_agents)
            .in_set(PursuitDebugSystems::Draw),
    );
}

/// Whether the overlay is switched on: the run condition of everything that draws.
fn overlay_is_on(settings: Res<PursuitDebugSettings>) -> bool {
    settings.enabled
}

/// Whether the overlay is off, and was on in the frame before.
fn was_switched_off(settings: Res<PursuitDebugSettings>, mut was_on: Local<bool>) -> bool {
    let was = std::mem::replace(&mut *was_on, settings.enabled);
    was && !settings.enabled
}

fn shows(category: OverlayCategory) -> impl Fn(Res<PursuitDebugSettings>) -> bool + Clone {
    move |settings| settings.shows(category)
}

fn shows_any<const N: usize>(
    categories: [OverlayCategory; N],
) -> impl Fn(Res<PursuitDebugSettings>) -> bool + Clone {
    move |settings| settings.enabled && settings.show.has_any(&categories)
}

/// Forgets what was made of grids.
fn forget_grids(mut plans: ResMut<GridPlans>, mut view: ResMut<OverlayView>) {
    plans.clear();
    *view = OverlayView::default();
}
