//! Draws the integration field to the goal of the picked agent.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy_pursuit::grid::{BakedGrid, NavSnapshot};
use bevy_pursuit::inspect::Wants;
use bevy_pursuit::{ClassId, NavBody, Navigation};
use pursuit::{Cell, IntegrationField, Layout};

use crate::detail::{View, blocks_of, cells_in_view, level_for, middle_of, side_of};
use crate::gizmos::PursuitGizmos;
use crate::grids::is_on_xy_plane;
use crate::lines::draw_arrow;
use crate::pick::OverlayPick;
use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// Maximum number of arrows drawn for a field.
pub const MAX_ARROWS: u32 = 2048;
/// Minimum distance between two arrows, in pixels.
const MIN_ARROW_SPACING_PIXELS: f32 = 18.0;
/// Length of an arrow, as a share of the distance between two arrows.
const LENGTH_FRACTION: f32 = 0.6;

/// The integration field to the goal of the picked agent, and the task that builds the next field.
#[derive(Resource, Default)]
pub(crate) struct GoalField {
    shown: Option<KeyedField>,
    task: Option<Task<KeyedField>>,
}

/// A field, with its key and the layout of its grid.
type KeyedField = (FieldKey, Layout, IntegrationField);
/// What a field depends on: the grid, the generation of its bake, the radius (as bits) and class of the body, and the
/// goal.
type FieldKey = (Entity, u64, (u32, ClassId), Cell);

/// Builds the field to the goal of the picked agent in a task, one field at a time.
pub(crate) fn make_goal_field(
    pick: Res<OverlayPick>,
    navigation: Navigation,
    grids: Query<&BakedGrid>,
    mut field: ResMut<GoalField>,
) {
    let wanted = pick.agent;
    let wanted = wanted.and_then(|agent| wanted_field(agent, &navigation, &grids));
    let Some((key, snapshot, body)) = wanted else {
        if field.shown.is_some() || field.task.is_some() {
            *field = GoalField::default();
        }
        return;
    };
    if let Some(made) = field.task.as_mut().and_then(check_ready) {
        field.task = None;
        field.shown = Some(made);
    }
    let known = field.shown.as_ref().map(|(known, ..)| *known);
    // A running task is never cancelled. Otherwise a goal that moves in each frame would never get a field.
    if known != Some(key) && field.task.is_none() {
        let pool = AsyncComputeTaskPool::get_or_init(Default::default);
        field.task = Some(pool.spawn(async move {
            let mut made = snapshot.layers(body).field_to(&[key.3]);
            made.settle(u32::MAX);
            (key, *snapshot.layout(), made)
        }));
    }
}

fn wanted_field(
    agent: Entity,
    navigation: &Navigation,
    grids: &Query<&BakedGrid>,
) -> Option<(FieldKey, Arc<NavSnapshot>, NavBody)> {
    let report = navigation.report(agent)?;
    let is_goal = matches!(report.wants, Wants::Go | Wants::Follow);
    let goal = report.goal.filter(|_| is_goal)?;
    let grid = report.grid?;
    let baked = grids.get(grid).ok().filter(|baked| is_on_xy_plane(baked))?;
    let snapshot = baked.snapshot()?;
    let cell = snapshot.layout().cell_at(goal.truncate())?;
    let body = report.body;
    let of_body = (body.radius.to_bits(), body.class);
    let key = (grid, snapshot.generation(), of_body, cell);
    Some((key, Arc::clone(snapshot), body))
}

/// Draws arrows along the cheapest paths to the picked agent's goal.
pub(crate) fn draw_fields(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    mut field: ResMut<GoalField>,
    mut gizmos: Gizmos<PursuitGizmos>,
) {
    let (Some(view), Some((_, layout, field))) = (overlay.view, &mut field.shown) else {
        return;
    };
    let color = LinearRgba::from(settings.colors.field);
    for (from, to) in arrows(layout, &view, field) {
        let head = from.distance(to) * 0.35;
        draw_arrow(&mut gizmos, from, to, head, color);
    }
}

/// The tail and the head of each arrow in view. An arrow lies in the middle of a block of cells. The blocks are so
/// large that the arrows are at least [`MIN_ARROW_SPACING_PIXELS`] apart, and that there are at most [`MAX_ARROWS`] of
/// them.
fn arrows(layout: &Layout, view: &View, field: &mut IntegrationField) -> Vec<(Vec2, Vec2)> {
    let level = level_for(layout, view, MIN_ARROW_SPACING_PIXELS, MAX_ARROWS);
    let length = LENGTH_FRACTION * side_of(layout, level);
    let blocks = blocks_of(cells_in_view(layout, view), level);
    let arrows = blocks.cells().filter_map(|block| {
        let cell = middle_of(block, level);
        let (dx, dy) = field.direction(cell).ok().flatten()?;
        let half_arrow = Vec2::new(dx as f32, dy as f32).try_normalize()? * length / 2.0;
        let center = layout.center(cell);
        Some((center - half_arrow, center + half_arrow))
    });
    arrows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{DiagonalPolicy, Grid};

    #[test]
    fn arrows_are_bounded_at_every_zoom_and_point_at_the_goal() {
        let layout = Layout::new(Vec2::ZERO, 10.0, 512, 512).expect("a layout");
        let grid = Grid::from_fn(512, 512, |_| true).expect("a grid");
        let mut field = IntegrationField::new();
        field.start(&grid, &[Cell::new(0, 0)], DiagonalPolicy::NoCornerCut);
        field.settle(u32::MAX);
        for width in [50.0_f32, 400.0, 2000.0, 5000.0, 90_000.0] {
            let view = View {
                area: Rect::new(0.0, 0.0, width, width),
                pixels_per_unit: 1000.0 / width,
            };
            let shown = arrows(&layout, &view, &mut field);
            let max = MAX_ARROWS as usize;
            assert!((1..=max).contains(&shown.len()), "at {width}");
            for (from, to) in shown {
                assert!(to.length() < from.length(), "points away from the goal");
            }
        }
    }
}
