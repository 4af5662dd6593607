//! Decides which grids are drawn, in which order, for which body, and how coarsely.

use bevy::prelude::*;
use bevy_pursuit::grid::{BakedGrid, NavGrid};
use bevy_pursuit::{NavAgent, NavBody, NavFrame, NavPath, ObstacleLayers};
use pursuit::{CellRect, Layout};

use crate::detail::{cells_in_view, level_for};
use crate::pick::OverlayPick;
use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// The grids to draw in this frame. Where grids overlap, the first one in the list is shown.
///
/// This resource keeps no references to maps or snapshots. Otherwise each bake would have to copy its map first.
#[derive(Resource, Default)]
pub(crate) struct GridPlans(pub(crate) Vec<GridPlan>);

/// How to draw one grid in this frame.
#[derive(Clone, Debug)]
pub(crate) struct GridPlan {
    pub(crate) entity: Entity,
    pub(crate) layout: Layout,
    /// The cells in view.
    pub(crate) cells: CellRect,
    /// How coarsely the grid is drawn: a square is `2^level` cells wide.
    pub(crate) level: u32,
    /// The body for which cells are drawn as walkable or blocked.
    pub(crate) body: NavBody,
    /// Index of the grid in [`GridPlans`]. Only the walkable cells of grid 0 have the color `OverlayColors::walkable`.
    pub(crate) number: usize,
    /// The bounds of the earlier grids in [`GridPlans`] that overlap this one. Inside these bounds, this grid is not
    /// drawn.
    pub(crate) hidden: Vec<Rect>,
}

/// Decides which grids to draw and how coarsely.
pub(crate) fn plan_grids(
    settings: Res<PursuitDebugSettings>,
    view: Res<OverlayView>,
    pick: Res<OverlayPick>,
    grids: Query<(Entity, &NavGrid, &BakedGrid)>,
    agents: Query<(&NavAgent, &NavPath)>,
    mut plans: ResMut<GridPlans>,
) {
    plans.0.clear();
    let Some(view) = view.view else { return };
    let picked = pick.agent.and_then(|agent| agents.get(agent).ok());
    let home_grid = picked.and_then(|(_, path)| path.grid());
    let mut order: Vec<_> = grids
        .iter()
        .filter(|(.., baked)| is_on_xy_plane(baked))
        .filter_map(|(entity, nav, baked)| Some((entity, nav, *baked.snapshot()?.layout())))
        .collect();
    order.sort_by(|a, b| {
        let by_rank = rank(a, home_grid).cmp(&rank(b, home_grid));
        let by_area = by_rank.then(area(a).total_cmp(&area(b)));
        by_area.then(a.0.index_u32().cmp(&b.0.index_u32()))
    });
    let body = picked
        .filter(|(agent, _)| agent.is_valid())
        .map(planned_body)
        .or(settings.radius.map(NavBody::from))
        .or_else(|| smallest_body(&agents));
    let mut shown: Vec<Rect> = Vec::new();
    for (number, (entity, nav, layout)) in order.into_iter().enumerate() {
        let bounds = Rect::from_corners(layout.min_corner(), layout.max_corner());
        let meets = |other: &&Rect| !other.intersect(bounds).is_empty();
        let hidden = shown.iter().filter(meets).copied().collect();
        shown.push(bounds);
        let (pixels, max_squares) = (settings.min_square_pixels, settings.max_squares);
        plans.0.push(GridPlan {
            entity,
            layout,
            cells: cells_in_view(&layout, &view),
            level: level_for(&layout, &view, pixels, max_squares),
            body: body.unwrap_or(nav.node_radius.into()),
            number,
            hidden,
        });
    }
}

/// Whether the grid lies in the world's X-Y plane, which is the plane that the overlay draws on.
pub(crate) fn is_on_xy_plane(baked: &BakedGrid) -> bool {
    *baked.frame() == NavFrame::XY
}

/// A grid and its layout.
type GridWithLayout<'a> = (Entity, &'a NavGrid, Layout);

/// Sort key of a grid. The picked agent's grid comes first, and grids without obstacle layers come last, as they do
/// when agents choose a grid.
fn rank((entity, nav, _): &GridWithLayout, home_grid: Option<Entity>) -> (bool, bool) {
    let is_blind = nav.obstacles == ObstacleLayers::NONE;
    (Some(*entity) != home_grid, is_blind)
}

fn area((_, _, layout): &GridWithLayout) -> f32 {
    let size = layout.max_corner() - layout.min_corner();
    size.x * size.y
}

/// The body that an agent's path is planned for. Once the agent has a path, the radius of this body includes the margin
/// that the agent's driver keeps free.
fn planned_body((agent, path): (&NavAgent, &NavPath)) -> NavBody {
    path.grid().map_or(agent.into(), |_| path.body())
}

fn smallest_body(agents: &Query<(&NavAgent, &NavPath)>) -> Option<NavBody> {
    let valid = agents.iter().filter(|(agent, _)| agent.is_valid());
    let smallest = valid.min_by(|(a, _), (b, _)| a.radius.total_cmp(&b.radius));
    smallest.map(planned_body)
}
