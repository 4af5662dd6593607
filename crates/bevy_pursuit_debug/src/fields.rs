//! Draws the flow field that leads the picked agent.

use bevy::prelude::*;
use bevy_pursuit::Navigation;
use pursuit::{FlowField, Layout};

use crate::detail::{View, blocks_of, cells_in_view, level_for, middle_of, side_of};
use crate::gizmos::PursuitGizmos;
use crate::grids::GridPlans;
use crate::lines::draw_arrow;
use crate::pick::OverlayPick;
use crate::settings::PursuitDebugSettings;
use crate::view::OverlayView;

/// Maximum number of arrows drawn for a field.
pub const MAX_ARROWS: u32 = 2048;
/// Minimum distance between two arrows, in pixels.
const MIN_ARROW_SPACING_PIXELS: f32 = 18.0;
/// Length of an arrow, as a fraction of the distance between two arrows.
const LENGTH_FRACTION: f32 = 0.6;

/// Draws the flow field that leads the picked agent as arrows. Draws nothing while a path leads the agent.
pub(crate) fn draw_field(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    pick: Res<OverlayPick>,
    plans: Res<GridPlans>,
    navigation: Navigation,
    mut gizmos: Gizmos<PursuitGizmos>,
) {
    let Some((view, agent)) = overlay.view.zip(pick.agent) else {
        return;
    };
    let grid = navigation.report(agent).and_then(|report| report.grid);
    let plan = plans.0.iter().find(|plan| Some(plan.entity) == grid);
    let Some((plan, field)) = plan.zip(navigation.field_of(agent)) else {
        return;
    };
    let color = LinearRgba::from(settings.colors.field);
    for (from, to) in arrows(&plan.layout, &view, field) {
        let head = from.distance(to) * 0.35;
        draw_arrow(&mut gizmos, from, to, head, color);
    }
}

/// The tail and the head of each arrow in view. An arrow lies in the middle of a block of cells. The blocks are so
/// large that the arrows are at least [`MIN_ARROW_SPACING_PIXELS`] apart, and that there are at most [`MAX_ARROWS`]
/// arrows.
fn arrows(layout: &Layout, view: &View, field: &FlowField) -> Vec<(Vec2, Vec2)> {
    let level = level_for(layout, view, MIN_ARROW_SPACING_PIXELS, MAX_ARROWS);
    let length = LENGTH_FRACTION * side_of(layout, level);
    let blocks = blocks_of(cells_in_view(layout, view), level);
    let arrows = blocks.cells().filter_map(|block| {
        let cell = middle_of(block, level);
        let half_arrow = field.direction(cell)?.try_normalize()? * length / 2.0;
        let center = layout.center(cell);
        Some((center - half_arrow, center + half_arrow))
    });
    arrows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{Cancel, Cell, DiagonalPolicy, FieldBounds, Grid, IntegrationField, NavMap};

    #[test]
    fn arrows_are_bounded_at_every_zoom_and_point_at_the_goal() {
        let layout = Layout::new(Vec2::ZERO, 10.0, 512, 512).expect("a layout");
        let grid = Grid::from_fn(512, 512, |_| true).expect("a grid");
        let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let (seeds, bounds) = ([(Cell::new(0, 0), 0)], FieldBounds::default());
        let scratch = &mut IntegrationField::new();
        let field = FlowField::build(&map.layers(0.4), &seeds, bounds, scratch, Cancel::NEVER)
            .expect("a field");
        for width in [50.0_f32, 400.0, 2000.0, 5000.0, 90_000.0] {
            let view = View {
                area: Rect::new(0.0, 0.0, width, width),
                pixels_per_unit: 1000.0 / width,
            };
            let shown = arrows(&layout, &view, &field);
            let max = MAX_ARROWS as usize;
            assert!((1..=max).contains(&shown.len()), "at {width}");
            for (from, to) in shown {
                assert!(to.length() < from.length(), "points away from the goal");
            }
        }
    }
}
