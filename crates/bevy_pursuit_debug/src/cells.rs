//! Draws grids: squares for cells or blocks of cells, chunk outlines, the targets' cells.

use std::sync::Arc;

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy_pursuit::grid::Ground;
use bevy_pursuit::grid::{BakedGrid, NavGrid};
use bevy_pursuit::{Chase, NavAgent};
use pursuit::{Cell, CellRect, Layout};

use crate::detail::{Detail, GAP, View, blocks_of, cells_in_view, chunk_level, runs};
use crate::gizmos::{CoarseGizmos, FineGizmos, PursuitGizmos};
use crate::mip::{Mip, TINTS};
use crate::settings::{OverlayColors, PursuitDebugSettings};

/// Share of a chunk's side that its outline spans.
const CHUNK_SHARE: f32 = 0.97;
/// Side of the frame around a target's square, in sides of that.
const FRAME_SIDES: f32 = 5.0;

/// What to draw in this frame, and counts kept from earlier ones.
#[derive(Resource, Default)]
pub(crate) struct CellOverlay {
    /// What the camera shows; none while the overlay is off.
    pub(crate) view: Option<View>,
    grids: Vec<GridPlan>,
    mips: EntityHashMap<KnownMip>,
}

/// One grid's share of the frame.
struct GridPlan {
    entity: Entity,
    layout: Layout,
    ground: Arc<Ground>,
    cells: CellRect,
    detail: Detail,
}

/// Counts of one grid, and what they were made of.
struct KnownMip {
    ground: Arc<Ground>,
    mip: Mip,
}

/// Decides what is in view and how coarse to draw it, and sets the squares' stroke widths.
pub(crate) fn plan_cells(
    settings: Res<PursuitDebugSettings>,
    cameras: Query<(&Camera, &Projection, &GlobalTransform)>,
    grids: Query<(Entity, &NavGrid, &BakedGrid)>,
    agents: Query<&NavAgent>,
    mut overlay: ResMut<CellOverlay>,
    mut config: ResMut<GizmoConfigStore>,
) {
    let overlay = &mut *overlay;
    overlay.grids.clear();
    overlay.view = settings.enabled.then(|| view_of(&cameras)).flatten();
    let Some(view) = overlay.view else { return };
    let smallest = agents.iter().map(|agent| agent.radius).reduce(f32::min);
    for (entity, grid, baked) in &grids {
        let Some(snapshot) = baked.snapshot() else {
            continue;
        };
        let radius = settings.radius.or(smallest).unwrap_or(grid.node_radius);
        let layout = *snapshot.layout();
        let (min_pixels, max_squares) = (settings.min_square_pixels, settings.max_squares);
        let detail = Detail::choose(&layout, &view, min_pixels, max_squares);
        let plan = GridPlan {
            entity,
            layout,
            ground: snapshot.ground(radius),
            cells: cells_in_view(&layout, &view),
            detail,
        };
        overlay.update_mip(&plan);
        overlay.grids.push(plan);
    }
    overlay.mips.retain(|entity, _| grids.contains(*entity));
    overlay.set_strokes(&view, &mut config);
}

/// Draws the squares, chunk outlines, target cells and outlines that were planned.
pub(crate) fn draw_cells(
    overlay: Res<CellOverlay>,
    settings: Res<PursuitDebugSettings>,
    chases: Query<&Chase>,
    transforms: Query<&GlobalTransform>,
    mut fine: Gizmos<FineGizmos>,
    mut coarse: Gizmos<CoarseGizmos>,
    mut lines: Gizmos<PursuitGizmos>,
) {
    let Some(view) = overlay.view else {
        return;
    };
    let mut targets: Vec<Entity> = chases.iter().map(|chase| chase.target).collect();
    targets.sort_unstable();
    targets.dedup();
    for plan in &overlay.grids {
        let Detail { level, fade } = plan.detail;
        draw_squares(&overlay, plan, level, 1.0 - fade, &settings, &mut fine);
        draw_squares(&overlay, plan, level + 1, fade, &settings, &mut coarse);
        let zoomed_out = if level == 0 { fade } else { 1.0 };
        if settings.chunks && zoomed_out > 0.0 {
            let colors = &settings.colors;
            draw_chunks(
                &overlay,
                plan,
                view.pixels_per_unit,
                zoomed_out,
                colors,
                &mut lines,
            );
        }
        if settings.targets {
            let positions = targets
                .iter()
                .filter_map(|target| transforms.get(*target).ok());
            for position in positions {
                let position = position.translation().truncate();
                draw_target(plan, position, &settings.colors, &mut fine, &mut lines);
            }
        }
        if settings.outline {
            let corners = Rect::from_corners(plan.layout.min_corner(), plan.layout.max_corner());
            lines.rect_2d(corners.center(), corners.size(), settings.colors.outline);
        }
    }
}

impl CellOverlay {
    /// Counts the grid's blocks anew where coarse squares are in view and the grid changed.
    fn update_mip(&mut self, plan: &GridPlan) {
        let needed = plan.detail.level > 0 || plan.detail.fade > 0.0;
        let known = self.mips.get(&plan.entity);
        if needed && !known.is_some_and(|known| Arc::ptr_eq(&known.ground, &plan.ground)) {
            let mip = Mip::of(plan.ground.grid());
            self.mips.insert(
                plan.entity,
                KnownMip {
                    ground: plan.ground.clone(),
                    mip,
                },
            );
        }
    }

    /// Makes the strokes as wide as squares. A gizmo group has one width: that of the finest grid.
    fn set_strokes(&self, view: &View, config: &mut GizmoConfigStore) {
        let finest = |plan: &&GridPlan| plan.layout.cell_size();
        let by_size = |a: &&GridPlan, b: &&GridPlan| finest(a).total_cmp(&finest(b));
        let Some(plan) = self.grids.iter().min_by(by_size) else {
            return;
        };
        let side = finest(&plan) * plan.detail.side() as f32 * view.pixels_per_unit;
        config.config_mut::<FineGizmos>().0.line = stroke(side);
        config.config_mut::<CoarseGizmos>().0.line = stroke(2.0 * side);
    }

    fn tint(&self, plan: &GridPlan, level: u32, block: Cell) -> Option<u8> {
        match (level, self.mips.get(&plan.entity)) {
            (0, _) => Some(if plan.ground.grid().is_free(block) {
                TINTS
            } else {
                0
            }),
            (_, Some(known)) => known.mip.tint(level, block),
            (_, None) => None,
        }
    }
}

/// A dashed line whose dashes are squares of `side` pixels, gap included.
fn stroke(side: f32) -> GizmoLineConfig {
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

fn draw_squares<G: GizmoConfigGroup>(
    overlay: &CellOverlay,
    plan: &GridPlan,
    level: u32,
    opacity: f32,
    settings: &PursuitDebugSettings,
    gizmos: &mut Gizmos<G>,
) {
    if opacity <= 0.0 {
        return;
    }
    let shown = |tint: &u8| match *tint {
        0 => settings.blocked,
        TINTS => settings.walkable,
        _ => settings.blocked || settings.walkable,
    };
    let side = plan.layout.cell_size() * (1_u32 << level) as f32;
    let tint = |block| overlay.tint(plan, level, block).filter(shown);
    for run in runs(blocks_of(plan.cells, level), tint) {
        let (from, to) = run.stroke(plan.layout.min_corner(), side);
        gizmos.line_2d(from, to, color_of(run.tint, opacity, &settings.colors));
    }
}

fn draw_chunks(
    overlay: &CellOverlay,
    plan: &GridPlan,
    pixels_per_unit: f32,
    opacity: f32,
    colors: &OverlayColors,
    lines: &mut Gizmos<PursuitGizmos>,
) {
    let level = chunk_level(plan.cells, plan.layout.cell_size() * pixels_per_unit);
    let side = plan.layout.cell_size() * (1_u32 << level) as f32;
    let corner = plan.layout.min_corner();
    for chunk in blocks_of(plan.cells, level).cells() {
        let Some(tint) = overlay.tint(plan, level, chunk) else {
            continue;
        };
        let center = corner + side * (chunk.center() + 0.5);
        let color = color_of(tint, opacity, colors);
        lines.rect_2d(center, Vec2::splat(side * CHUNK_SHARE), color);
    }
}

/// Fills the target's square, and frames it: the square alone may be smaller than the target.
fn draw_target(
    plan: &GridPlan,
    position: Vec2,
    colors: &OverlayColors,
    fine: &mut Gizmos<FineGizmos>,
    lines: &mut Gizmos<PursuitGizmos>,
) {
    let Some(cell) = plan.layout.cell_at(position) else {
        return;
    };
    let block = blocks_of(CellRect::new(cell, cell.offset(1, 1)), plan.detail.level);
    let side = plan.layout.cell_size() * plan.detail.side() as f32;
    for run in runs(block, |_| Some(0)) {
        let (from, to) = run.stroke(plan.layout.min_corner(), side);
        fine.line_2d(from, to, colors.target);
        lines.rect_2d(
            from.midpoint(to),
            Vec2::splat(FRAME_SIDES * side),
            colors.target,
        );
    }
}

fn color_of(tint: u8, opacity: f32, colors: &OverlayColors) -> Color {
    let share = f32::from(tint) / f32::from(TINTS);
    let color = colors.blocked.mix(&colors.walkable, share);
    color.with_alpha(color.alpha() * opacity)
}

/// The view of the first active camera with an orthographic projection, by camera order.
fn view_of(cameras: &Query<(&Camera, &Projection, &GlobalTransform)>) -> Option<View> {
    let views = cameras
        .iter()
        .filter_map(|(camera, projection, transform)| {
            let Projection::Orthographic(projection) = projection else {
                return None;
            };
            let size = camera.physical_viewport_size()?.as_vec2();
            let area = projection.area;
            let center = transform.translation().truncate() + area.center();
            let view = View {
                area: Rect::from_center_size(center, area.size()),
                pixels_per_unit: size.y / area.height(),
            };
            camera.is_active.then_some((camera.order, view))
        });
    views.min_by_key(|(order, _)| *order).map(|(_, view)| view)
}
