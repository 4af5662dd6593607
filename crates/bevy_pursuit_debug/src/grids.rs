//! Which grids are in view, in which order, for which radius, and how coarse they are drawn.

use bevy::prelude::*;
use bevy_pursuit::grid::{BakedGrid, NavGrid};
use bevy_pursuit::{NavAgent, NavBody, NavFrame, NavPath, ObstacleLayers};
use pursuit::{CellRect, Layout};

use crate::detail::{cells_in_view, level_for};
use crate::pick::OverlayPick;
use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// The grids to draw in this frame; where they overlap, the one that is shown comes first.
///
/// Holds no map nor snapshot: a bake that finds its map in use has to copy it.
#[derive(Resource, Default)]
pub(crate) struct GridPlans(pub(crate) Vec<GridPlan>);

/// One grid's share of the frame.
#[derive(Clone, Debug)]
pub(crate) struct GridPlan {
    pub(crate) entity: Entity,
    pub(crate) layout: Layout,
    /// The cells in view.
    pub(crate) cells: CellRect,
    /// Squares have `2^level` cells a side.
    pub(crate) level: u32,
    /// The body that its cells are shown for.
    pub(crate) body: NavBody,
    /// Its number among the grids: the first one has the plain colors.
    pub(crate) number: usize,
    /// What grids before it show.
    pub(crate) hidden: Vec<Rect>,
}

/// Decides which grids are in view and how coarse to draw them.
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
    let home = picked.and_then(|(_, path)| path.grid());
    let mut order: Vec<_> = grids
        .iter()
        .filter(|(.., baked)| lies_flat(baked))
        .filter_map(|(entity, nav, baked)| Some((entity, nav, *baked.snapshot()?.layout())))
        .collect();
    order.sort_by(|a, b| {
        let by_rank = rank(a, home).cmp(&rank(b, home));
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
        let own = Rect::from_corners(layout.min_corner(), layout.max_corner());
        let meets = |other: &&Rect| !other.intersect(own).is_empty();
        let hidden = shown.iter().filter(meets).copied().collect();
        shown.push(own);
        let (pixels, most) = (settings.min_square_pixels, settings.max_squares);
        plans.0.push(GridPlan {
            entity,
            layout,
            cells: cells_in_view(&layout, &view),
            level: level_for(&layout, &view, pixels, most),
            body: body.unwrap_or(nav.node_radius.into()),
            number,
            hidden,
        });
    }
}

/// Whether its cells lie where the world's own do, in the plane that is drawn on.
pub(crate) fn lies_flat(baked: &BakedGrid) -> bool {
    *baked.frame() == NavFrame::XY
}

/// A grid with where its cells lie.
type Laid<'a> = (Entity, &'a NavGrid, Layout);

/// The picked agent's own grid first, then as agents choose: grids without obstacle layers last.
fn rank((entity, nav, _): &Laid, home: Option<Entity>) -> (bool, bool) {
    let is_blind = nav.obstacles == ObstacleLayers::NONE;
    (Some(*entity) != home, is_blind)
}

fn area((_, _, layout): &Laid) -> f32 {
    let size = layout.max_corner() - layout.min_corner();
    size.x * size.y
}

/// The body that an agent is planned for: what its driver keeps free is known once it has a path.
fn planned_body((agent, path): (&NavAgent, &NavPath)) -> NavBody {
    path.grid().map_or(agent.into(), |_| path.body())
}

fn smallest_body(agents: &Query<(&NavAgent, &NavPath)>) -> Option<NavBody> {
    let valid = agents.iter().filter(|(agent, _)| agent.is_valid());
    let least = valid.min_by(|(a, _), (b, _)| a.radius.total_cmp(&b.radius));
    least.map(planned_body)
}
