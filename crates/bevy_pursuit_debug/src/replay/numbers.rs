//! Numbers in the cells of a replay: f at the top left, g at the bottom left, h at the bottom right.

use bevy::gizmos::gizmos::GizmoBuffer;
use bevy::prelude::*;
use pursuit::Layout;
use pursuit_lab::replay::{Costs, Replay};

use crate::detail::{View, cells_in_view};
use crate::gizmos::NumberGizmos;

/// Maximum number of cells in view for which numbers are drawn. If more cells are in view, no cell has numbers.
pub const MAX_NUMBERED_CELLS: u64 = 400;

/// Minimum side of a cell in which numbers are drawn, in pixels. In smaller cells they could not be read.
const MIN_NUMBERED_CELL_PIXELS: f32 = 48.0;
/// The number written for a straight step over plain ground, as in textbooks. A diagonal step is then written as 14.
const STRAIGHT_STEP_NUMBER: u64 = 10;
/// Horizontal and vertical distance from a cell's center to the outermost corner of each number, in cells.
const CORNER_DISTANCE: f32 = 0.4;
/// Distance from one digit to the next, as a multiple of the digit's height.
const DIGIT_ADVANCE: f32 = 20.0 / 21.0;
/// Height and maximum width of f, in cells. The width leaves room for the arrow beside it.
const F_SIZE: (f32, f32) = (0.2, 0.44);
/// Height and maximum width of g and of h, in cells. g and h share a row.
const G_H_SIZE: (f32, f32) = (0.14, 0.36);

/// Whether numbers are drawn: the cells must be large enough, and few enough cells must be in view.
pub(super) fn has_numbers(layout: &Layout, view: &View) -> bool {
    let is_near = layout.cell_size() * view.pixels_per_unit >= MIN_NUMBERED_CELL_PIXELS;
    is_near && cells_in_view(layout, view).cell_count() <= MAX_NUMBERED_CELLS
}

/// Writes the costs of the cells in view.
pub(super) fn draw_numbers(
    (replay, layout): (&Replay, &Layout),
    plain_step: u64,
    view: &View,
    color: Color,
    gizmos: &mut Gizmos<NumberGizmos>,
) {
    for cell in cells_in_view(layout, view).cells() {
        if let Some(costs) = replay.cell(cell).costs {
            let (center, side) = (layout.center(cell), layout.cell_size());
            write_costs(costs, plain_step, (center, side), color, gizmos);
        }
    }
}

/// Writes the three numbers of a cell.
fn write_costs<G: GizmoConfigGroup, C: Send + Sync + 'static>(
    Costs { f, g, h, .. }: Costs,
    plain_step: u64,
    (center, side): (Vec2, f32),
    color: Color,
    gizmos: &mut GizmoBuffer<G, C>,
) {
    let corners = [
        (f, -0.5, 0.5, F_SIZE),
        (g, -0.5, -0.5, G_H_SIZE),
        (h, 0.5, -0.5, G_H_SIZE),
    ];
    for (cost, x, y, (height, width)) in corners {
        let text = in_steps(cost, plain_step);
        let size = height.min(width / (DIGIT_ADVANCE * text.len() as f32));
        let anchor = Vec2::new(x, y);
        let place = Isometry2d::from_translation(center + 2.0 * CORNER_DISTANCE * side * anchor);
        gizmos.text_2d(place, &text, size * side, anchor, color);
    }
}

/// The text for a cost. `straight` is the cost of a straight step over plain ground, in the same unit as `cost`.
/// `u64::MAX` is an infinite cost, and is written `inf`.
fn in_steps(cost: u64, straight: u64) -> String {
    if cost == u64::MAX {
        return "inf".to_owned();
    }
    let steps = cost
        .saturating_mul(STRAIGHT_STEP_NUMBER)
        .saturating_add(straight / 2)
        / straight;
    steps.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{DIAGONAL, STRAIGHT};

    #[test]
    fn costs_are_written_as_in_textbooks_with_10_for_a_straight_step() {
        let (straight, diagonal) = (u64::from(STRAIGHT), u64::from(DIAGONAL));
        let costs = [straight + diagonal, straight, diagonal, 0, u64::MAX];
        let texts = costs.map(|cost| in_steps(cost, straight));
        assert_eq!(texts, ["24", "10", "14", "0", "inf"]);
        assert_eq!(
            in_steps(40 * straight, 16 * straight),
            "25",
            "two cells and a half"
        );
    }

    #[test]
    fn numbers_stay_in_their_cell_and_do_not_overlap() {
        for steps in [0, 8, 24, 999, 1408, 88_888, 9_999_999] {
            let cost = steps * u64::from(STRAIGHT) / STRAIGHT_STEP_NUMBER;
            let (f, g, h) = (cost, cost, cost);
            let mut drawn = GizmoAsset::new();
            let (costs, place) = (Costs { f, g, h }, (Vec2::ZERO, 1.0));
            write_costs(costs, STRAIGHT.into(), place, Color::WHITE, &mut drawn);
            let points = drawn.strip_positions.iter().filter(|point| !point.is_nan());
            let points: Vec<Vec3> = points.copied().collect();
            let largest = points.iter().map(|point| point.abs().max_element());
            assert!(
                largest.fold(0.0, f32::max) < 0.45,
                "{steps} leaves its cell"
            );
            // Each number has a third of the points, in the order f, g, h.
            let third = points.len() / 3;
            let [f, g, h] = [0, 1, 2].map(|part| &points[part * third..(part + 1) * third]);
            assert!(f.iter().all(|point| point.y > 0.0), "{steps}: f");
            assert!(
                g.iter().all(|point| point.x < 0.0 && point.y < 0.0),
                "{steps}: g"
            );
            assert!(
                h.iter().all(|point| point.x > 0.0 && point.y < 0.0),
                "{steps}: h"
            );
        }
    }
}
