//! Draws grids: squares for cells or blocks of cells, jump points, outlines, the targets' cells.

use bevy::prelude::*;
use bevy_pursuit::Chase;
use pursuit::{Cell, CellRect};

use crate::detail::{Detail, GAP, blocks_of, chunk_level};
use crate::gizmos::{PursuitGizmos, Rows, SIZES, SquareGizmos, set_width};
use crate::grids::{GridPlan, GridPlans, KnownGrid};
use crate::lines::cross;
use crate::settings::{OverlayColors, PursuitDebugSettings};
use crate::view::OverlayView;

/// Most targets whose cells are drawn.
pub const MAX_TARGETS: usize = 256;
/// Share of a chunk's side that its outline spans.
const CHUNK_SHARE: f32 = 0.97;
/// How much of the outline's color a chunk has.
const CHUNK_OPACITY: f32 = 0.35;
/// Side of the frame around a target's square, in sides of that.
const FRAME_SIDES: f32 = 5.0;
/// Half the size of a jump point's cross, in cells.
const CROSS: f32 = 0.3;

/// Draws the squares that were made.
pub(crate) fn draw_squares(mut plans: ResMut<GridPlans>, mut gizmos: SquareGizmos) {
    let (plans, known) = plans.split();
    for plan in plans {
        let Some(known) = known.get_mut(&plan.entity) else {
            continue;
        };
        let Detail { level, fade } = plan.detail;
        if let Some(rows) = rows_of(known, level, 1.0 - fade) {
            gizmos.fine(plan.size, rows);
        }
        if let Some(rows) = rows_of(known, level + 1, fade) {
            gizmos.coarse(plan.size, rows);
        }
    }
}

/// The squares of a level, if they can be seen.
fn rows_of(
    known: &mut KnownGrid,
    level: u32,
    opacity: f32,
) -> Option<Rows<'_, impl Iterator<Item = LinearRgba>>> {
    let KnownGrid { sets, palette, .. } = known;
    let set = sets.get(&level).filter(|_| opacity > 0.0)?;
    let colors = set.tints().iter().map(move |tint| {
        let color = palette.color(*tint);
        color.with_alpha(color.alpha * opacity)
    });
    let ends = set.ends();
    Some(Rows { ends, colors })
}

/// Makes the strokes of each size as wide as its squares.
pub(crate) fn set_stroke_widths(
    overlay: Res<OverlayView>,
    plans: Res<GridPlans>,
    mut config: ResMut<GizmoConfigStore>,
) {
    let Some(view) = overlay.view else { return };
    let mut widths = [None; SIZES];
    for plan in plans.plans.iter().filter(|plan| !plan.cells.is_empty()) {
        let least: f32 = widths[plan.size].unwrap_or(f32::INFINITY);
        widths[plan.size] = Some(plan.side().min(least));
    }
    for (size, side) in widths.into_iter().enumerate() {
        if let Some(side) = side {
            set_width(&mut config, size, side * view.pixels_per_unit);
        }
    }
}

/// Draws jump points, where single cells are drawn.
pub(crate) fn draw_jump_points(
    settings: Res<PursuitDebugSettings>,
    mut plans: ResMut<GridPlans>,
    mut gizmos: Gizmos<PursuitGizmos>,
) {
    let color = LinearRgba::from(settings.colors.jump_point);
    let (plans, known) = plans.split();
    for plan in plans {
        let set = known.get(&plan.entity).and_then(|known| known.sets.get(&0));
        let half = CROSS * plan.layout.cell_size();
        for &point in set.map_or(&[][..], |set| set.jump_points()) {
            cross(&mut gizmos, point, half, color);
        }
    }
}

/// Draws an outline around each grid, and around chunks of cells when zoomed out.
pub(crate) fn draw_outlines(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    plans: Res<GridPlans>,
    mut lines: Gizmos<PursuitGizmos>,
) {
    let Some(view) = overlay.view else { return };
    for plan in &plans.plans {
        let Detail { level, fade } = plan.detail;
        let zoomed_out = if level == 0 { fade } else { 1.0 };
        if zoomed_out > 0.0 {
            let color = settings.colors.outline;
            let color = color.with_alpha(color.alpha() * CHUNK_OPACITY * zoomed_out);
            draw_chunks(plan, view.pixels_per_unit, color.into(), &mut lines);
        }
        let corners = Rect::from_corners(plan.layout.min_corner(), plan.layout.max_corner());
        lines.rect_2d(corners.center(), corners.size(), settings.colors.outline);
    }
}

fn draw_chunks(
    plan: &GridPlan,
    pixels_per_unit: f32,
    color: LinearRgba,
    lines: &mut Gizmos<PursuitGizmos>,
) {
    let level = chunk_level(plan.cells, plan.layout.cell_size() * pixels_per_unit);
    let side = plan.layout.cell_size() * (1_u32 << level) as f32;
    let corner = plan.layout.min_corner();
    let half = Vec2::splat(side * CHUNK_SHARE / 2.0);
    for chunk in blocks_of(plan.cells, level).cells() {
        let center = corner + side * (chunk.center() + 0.5);
        let (min, max) = (center - half, center + half);
        let (left, right) = (Vec2::new(min.x, max.y), Vec2::new(max.x, min.y));
        lines.linestrip_2d([min, left, max, right, min], color);
    }
}

/// Draws the cell that each chased entity stands in, and a frame around it.
pub(crate) fn draw_targets(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    plans: Res<GridPlans>,
    chases: Query<&Chase>,
    transforms: Query<&GlobalTransform>,
    mut targets: Local<Vec<Entity>>,
    mut squares: SquareGizmos,
    mut lines: Gizmos<PursuitGizmos>,
) {
    let Some(view) = overlay.view else { return };
    targets.clear();
    let mut last = None;
    for chase in &chases {
        // A crowd chases few: most have the target of the one before.
        if last != Some(chase.target) && targets.len() < MAX_TARGETS {
            last = Some(chase.target);
            if !targets.contains(&chase.target) {
                targets.push(chase.target);
            }
        }
    }
    for target in &*targets {
        let Ok(transform) = transforms.get(*target) else {
            continue;
        };
        let position = transform.translation().truncate();
        // Where grids lie above each other the first one shows it.
        let plan = plans
            .plans
            .iter()
            .find(|plan| plan.layout.contains_position(position));
        if let Some(plan) = plan.filter(|_| view.area.contains(position)) {
            draw_target(plan, position, &settings.colors, &mut squares, &mut lines);
        }
    }
}

/// Fills the target's square, and frames it: the square alone may be smaller than the target.
fn draw_target(
    plan: &GridPlan,
    position: Vec2,
    colors: &OverlayColors,
    squares: &mut SquareGizmos,
    lines: &mut Gizmos<PursuitGizmos>,
) {
    let Some(cell) = plan.layout.cell_at(position) else {
        return;
    };
    let block = blocks_of(CellRect::new(cell, cell.offset(1, 1)), plan.detail.level);
    let Cell { x, y } = block.min;
    let side = plan.side();
    let center = plan.layout.min_corner() + side * (Vec2::new(x as f32, y as f32) + 0.5);
    let half = Vec2::X * side * (1.0 - GAP) / 2.0;
    let ends = [center - half, center + half].map(|end| end.extend(0.0));
    let colors_of_row = std::iter::once(colors.target.into());
    squares.fine(
        plan.size,
        Rows {
            ends: &[ends],
            colors: colors_of_row,
        },
    );
    lines.rect_2d(center, Vec2::splat(FRAME_SIDES * side), colors.target);
}
