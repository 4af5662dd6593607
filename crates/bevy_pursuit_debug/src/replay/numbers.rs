//! Numbers in the cells of a replay: f at the top left, g at the bottom left, h at the bottom right.

use bevy::gizmos::gizmos::GizmoBuffer;
use bevy::prelude::*;
use pursuit::Layout;
use pursuit_lab::replay::{Costs, Replay};

use crate::detail::{View, cells_in_view};
use crate::gizmos::NumberGizmos;

/// Most cells in view that have numbers. With more of them in view, none has.
pub const MAX_NUMBERED_CELLS: u64 = 400;

/// Pixels of a cell from which on its numbers can be read.
const LEAST_PIXELS: f32 = 48.0;
/// What a straight step counts, as in textbooks: a diagonal one is 14.
const STEP: u64 = 10;
/// From a cell's center to the corner that a number stands in, in cells.
const EDGE: f32 = 0.4;
/// From one digit to the next, in heights of it.
const ADVANCE: f32 = 20.0 / 21.0;
/// Height of f, and the most that it is wide, in cells: the arrow stands beside it.
const LARGE: (f32, f32) = (0.2, 0.44);
/// The same of g and h, which share a row.
const SMALL: (f32, f32) = (0.14, 0.36);

/// Whether cells are large enough for numbers, and few enough in view.
pub(super) fn has_numbers(layout: &Layout, view: &View) -> bool {
    let is_near = layout.cell_size() * view.pixels_per_unit >= LEAST_PIXELS;
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
            write(costs, plain_step, (center, side), color, gizmos);
        }
    }
}

/// Writes the three numbers of a cell.
fn write<G: GizmoConfigGroup, C: Send + Sync + 'static>(
    Costs { f, g, h, .. }: Costs,
    plain_step: u64,
    (center, side): (Vec2, f32),
    color: Color,
    gizmos: &mut GizmoBuffer<G, C>,
) {
    let corners = [
        (f, -0.5, 0.5, LARGE),
        (g, -0.5, -0.5, SMALL),
        (h, 0.5, -0.5, SMALL),
    ];
    for (cost, x, y, (height, width)) in corners {
        let text = in_steps(cost, plain_step);
        let size = height.min(width / (ADVANCE * text.len() as f32));
        let anchor = Vec2::new(x, y);
        let place = Isometry2d::from_translation(center + 2.0 * EDGE * side * anchor);
        gizmos.text_2d(place, &text, size * side, anchor, color);
    }
}

/// A cost of the core as the numbers tell it, where a straight step over plain ground costs `straight`: `inf` for one without end, which a path that is gone has.
fn in_steps(cost: u64, straight: u64) -> String {
    if cost == u64::MAX {
        return "inf".to_owned();
    }
    let steps = cost.saturating_mul(STEP).saturating_add(straight / 2) / straight;
    steps.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pursuit::{DIAGONAL, STRAIGHT};

    #[test]
    fn numbers_are_those_of_the_textbooks() {
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
    fn numbers_stay_in_their_cell_and_do_not_meet() {
        for steps in [0, 8, 24, 999, 1408, 88_888, 9_999_999] {
            let cost = steps * u64::from(STRAIGHT) / STEP;
            let (f, g, h) = (cost, cost, cost);
            let mut drawn = GizmoAsset::new();
            let (costs, place) = (Costs { f, g, h }, (Vec2::ZERO, 1.0));
            write(costs, STRAIGHT.into(), place, Color::WHITE, &mut drawn);
            let points = drawn.strip_positions.iter().filter(|point| !point.is_nan());
            let points: Vec<Vec3> = points.copied().collect();
            let largest = points.iter().map(|point| point.abs().max_element());
            assert!(
                largest.fold(0.0, f32::max) < 0.45,
                "{steps} leaves its cell"
            );
            // A third of the points each; f comes first, h last.
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
