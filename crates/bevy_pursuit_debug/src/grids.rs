//! Which grids are in view, in which order, for which radius, and how coarse they are drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy_pursuit::grid::{BakedGrid, Ground, NavGrid, NavSnapshot};
use bevy_pursuit::{NavAgent, NavPath, ObstacleLayers};
use pursuit::{CellRect, Layout};

use crate::category::OverlayCategory;
use crate::detail::{Detail, View, cells_in_view};
use crate::gizmos::SIZES;
use crate::mip::Mip;
use crate::pick::OverlayPick;
use crate::settings::PursuitDebugSettings;
use crate::strokes::{Cells, SQUARES_PER_FRAME, ShownLayers, StrokeKey, StrokeSet, snapped};
use crate::tint::Palette;
use crate::view::OverlayView;

/// Grids to draw in this frame, and what is kept of them from frame to frame.
///
/// Holds no map nor snapshot: a bake that finds its map in use has to copy it.
#[derive(Resource, Default)]
pub(crate) struct GridPlans {
    /// The grids in view, the one that is shown first where they overlap first.
    pub(crate) plans: Vec<GridPlan>,
    known: EntityHashMap<KnownGrid>,
}

/// One grid's share of the frame.
#[derive(Clone, Debug)]
pub(crate) struct GridPlan {
    pub(crate) entity: Entity,
    pub(crate) layout: Layout,
    /// The cells in view.
    pub(crate) cells: CellRect,
    pub(crate) detail: Detail,
    /// Radius of the body that its cells are shown for, in world units.
    pub(crate) radius: f32,
    /// Its number among the grids: the first one has the plain colors.
    pub(crate) number: usize,
    /// Which of the sizes of squares in view its finer ones have.
    pub(crate) size: usize,
    /// What grids before it show.
    hidden: Vec<Rect>,
}

/// What is kept of one grid.
#[derive(Default)]
pub(crate) struct KnownGrid {
    layout: Option<Layout>,
    mip: Option<(GroundId, Mip)>,
    /// Works out a ground that nobody asked for yet, or counts cells in blocks.
    task: Option<Task<Option<(GroundId, Mip)>>>,
    pub(crate) sets: BTreeMap<u32, StrokeSet>,
    pub(crate) palette: Palette,
}

/// Generation of the snapshot, and bits of the radius.
type GroundId = (u64, u32);

impl GridPlan {
    /// Side of its finer squares, in world units.
    pub(crate) fn side(&self) -> f32 {
        self.layout.cell_size() * self.detail.side() as f32
    }
}

impl GridPlans {
    /// Plans and what is kept of them, together.
    pub(crate) fn split(&mut self) -> (&[GridPlan], &mut EntityHashMap<KnownGrid>) {
        (&self.plans, &mut self.known)
    }

    /// Forgets everything. For an overlay that is switched off.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
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
    let plans = &mut *plans;
    plans.plans.clear();
    plans.known.retain(|entity, _| grids.contains(*entity));
    let Some(view) = view.view else { return };
    let picked = pick.agent.and_then(|agent| agents.get(agent).ok());
    let home = picked.and_then(|(_, path)| path.grid());
    let mut order: Vec<_> = grids
        .iter()
        .filter_map(|(entity, nav, baked)| Some((entity, nav, *baked.snapshot()?.layout())))
        .collect();
    order.sort_by(|a, b| {
        let by_rank = rank(a, home).cmp(&rank(b, home));
        let by_area = by_rank.then(area(a).total_cmp(&area(b)));
        by_area.then(a.0.index_u32().cmp(&b.0.index_u32()))
    });
    let radius = picked
        .map(planned_radius)
        .or(settings.radius)
        .or_else(|| smallest_radius(&agents));
    let mut shown: Vec<Rect> = Vec::new();
    for (number, (entity, nav, layout)) in order.into_iter().enumerate() {
        let own = Rect::from_corners(layout.min_corner(), layout.max_corner());
        let meets = |other: &&Rect| !other.intersect(own).is_empty();
        let hidden = shown.iter().filter(meets).copied().collect();
        shown.push(own);
        let cells = cells_in_view(&layout, &view);
        plans.plans.push(GridPlan {
            entity,
            layout,
            cells,
            detail: detail_of(&layout, &view, &settings),
            radius: radius.unwrap_or(nav.node_radius),
            number,
            size: 0,
            hidden,
        });
    }
    sort_sizes(&mut plans.plans);
}

/// Numbers the sizes of squares in view, the smallest first.
fn sort_sizes(plans: &mut [GridPlan]) {
    let in_view = plans.iter().filter(|plan| !plan.cells.is_empty());
    let mut sides: Vec<f32> = in_view.map(GridPlan::side).collect();
    sides.sort_by(f32::total_cmp);
    sides.dedup();
    for plan in plans {
        let smaller = sides.partition_point(|side| *side < plan.side());
        plan.size = smaller.min(SIZES - 1);
    }
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

fn detail_of(layout: &Layout, view: &View, settings: &PursuitDebugSettings) -> Detail {
    let is_usable = settings.min_square_pixels.is_finite() && settings.min_square_pixels > 0.0;
    let pixels = if is_usable {
        settings.min_square_pixels
    } else {
        4.0
    };
    Detail::choose(layout, view, pixels, settings.max_squares)
}

/// The radius that an agent is planned for: what its driver keeps free is known once it has a path.
fn planned_radius((agent, path): (&NavAgent, &NavPath)) -> f32 {
    if path.grid().is_some() {
        path.radius()
    } else {
        agent.radius
    }
}

fn smallest_radius(agents: &Query<(&NavAgent, &NavPath)>) -> Option<f32> {
    let valid = agents.iter().filter(|(agent, _)| agent.is_valid());
    let least = valid.min_by(|(a, _), (b, _)| a.radius.total_cmp(&b.radius));
    least.map(planned_radius)
}

/// Goes on with the strokes of all grids, by a bounded number of squares.
pub(crate) fn make_strokes(
    settings: Res<PursuitDebugSettings>,
    grids: Query<&BakedGrid>,
    mut plans: ResMut<GridPlans>,
) {
    let layers = shown_layers(&settings);
    let (plans, known) = plans.split();
    let mut left = SQUARES_PER_FRAME;
    for plan in plans {
        let Some(snapshot) = grids.get(plan.entity).ok().and_then(BakedGrid::snapshot) else {
            continue;
        };
        let known = known.entry(plan.entity).or_default();
        if known.layout != Some(plan.layout) {
            *known = KnownGrid {
                layout: Some(plan.layout),
                ..KnownGrid::default()
            };
        }
        known.palette.update(&settings.colors, plan.number);
        known.advance(plan, snapshot, layers, &mut left);
    }
}

fn shown_layers(settings: &PursuitDebugSettings) -> ShownLayers {
    let show = |category| settings.shows(category);
    ShownLayers {
        walkable: show(OverlayCategory::Walkable),
        blocked: show(OverlayCategory::Blocked),
        heat: show(OverlayCategory::Clearance),
        regions: show(OverlayCategory::Regions),
        jump_points: show(OverlayCategory::JumpPoints),
    }
}

impl KnownGrid {
    fn advance(
        &mut self,
        plan: &GridPlan,
        snapshot: &Arc<NavSnapshot>,
        layers: ShownLayers,
        left: &mut u64,
    ) {
        let Detail { level, fade } = plan.detail;
        let levels = if fade > 0.0 {
            level..=level + 1
        } else {
            level..=level
        };
        self.sets.retain(|level, _| levels.contains(level));
        let id = (snapshot.generation(), plan.radius.to_bits());
        let needs_mip = *levels.end() > 0;
        self.work(id, plan, snapshot, needs_mip);
        let Some(ground) = snapshot.ground_if_ready(plan.radius) else {
            return;
        };
        let mip = self.mip.as_ref().filter(|(_, mip)| mip.fits(ground.grid()));
        for level in levels {
            let of = mip.map(|(of, _)| *of).filter(|_| level > 0);
            if level > 0 && of.is_none() {
                continue;
            }
            let key = StrokeKey {
                ground: id,
                mip: of,
                layout: plan.layout,
                layers,
                hidden: plan.hidden.clone(),
                level,
                blocks: snapped(plan.cells, level, &plan.layout),
            };
            let cells = Cells {
                snapshot,
                ground: &ground,
                mip: mip.map(|(_, mip)| mip),
            };
            self.sets
                .entry(level)
                .or_default()
                .advance(&key, &cells, left);
        }
    }

    /// Takes in what a task made, and starts the next where something is missing.
    fn work(
        &mut self,
        id: GroundId,
        plan: &GridPlan,
        snapshot: &Arc<NavSnapshot>,
        needs_mip: bool,
    ) {
        if let Some(made) = self.task.as_mut().and_then(check_ready) {
            self.task = None;
            self.mip = made.or(self.mip.take());
        }
        let is_counted = self.mip.as_ref().is_some_and(|(of, _)| *of == id);
        let lacks_ground = || snapshot.ground_if_ready(plan.radius).is_none();
        let is_missing = needs_mip && !is_counted || lacks_ground();
        if self.task.is_some() || !is_missing {
            return;
        }
        let (snapshot, radius) = (Arc::clone(snapshot), plan.radius);
        let pool = AsyncComputeTaskPool::get_or_init(Default::default);
        self.task = Some(pool.spawn(async move {
            let ground: Arc<Ground> = snapshot.ground(radius);
            needs_mip.then(|| (id, Mip::of(ground.grid())))
        }));
    }
}
