//! Draws the replay of a search: squares for cells, arrows from cells to their parents, the path, and numbers in large
//! cells.

use bevy::prelude::*;
use pursuit::{Cell, Layout};
use pursuit_lab::replay::{Mark, Replay};

use super::numbers::{draw_numbers, has_numbers};
use super::overlay_replay::OverlayReplay;
use crate::detail::{
    View, blocks_of, cells_in_view, for_each_stroke, level_for, middle_of, side_of,
};
use crate::gizmos::{NumberGizmos, PursuitGizmos, SearchGizmos, square_line};
use crate::lines::draw_arrow;
use crate::settings::{OverlayColors, PursuitDebugSettings};
use crate::view::OverlayView;

/// Maximum number of squares drawn for a replay. If more cells are in view, each square covers a block of cells, and
/// has the color of the cell in the block's middle.
pub const MAX_SEARCH_SQUARES: u32 = 8192;
/// Maximum number of lines drawn for the path of a replay.
pub const MAX_SEARCH_LINES: usize = 1024;
/// Maximum number of cells in view for which arrows to parents are drawn. If more cells are in view, no cell has an
/// arrow.
pub const MAX_SEARCH_ARROWS: u64 = 1024;
/// Minimum side of a cell that has an arrow to its parent, in pixels.
const MIN_ARROW_CELL_PIXELS: f32 = 20.0;
/// Offset from the center of a cell with numbers to the middle of its arrow, in cells. The arrow lies in the corner
/// without a number.
const CORNER_ARROW_OFFSET: Vec2 = Vec2::new(0.25, 0.22);
/// Half the length of the arrow in a cell with numbers, in cells.
const CORNER_ARROW_HALF_LENGTH: f32 = 0.13;
/// Half the length of the arrow in a cell without numbers, in cells.
const ARROW_HALF_LENGTH: f32 = 0.3;
/// Minimum side of a square, in pixels.
const MIN_SQUARE_PIXELS: f32 = 3.0;

/// Draws the replay at its current position.
pub(crate) fn draw_searches(
    settings: Res<PursuitDebugSettings>,
    overlay: Res<OverlayView>,
    overlay_replay: Res<OverlayReplay>,
    mut squares: Gizmos<SearchGizmos>,
    mut lines: Gizmos<PursuitGizmos>,
    mut numbers: Gizmos<NumberGizmos>,
) {
    let (Some(view), Some((replay, layout))) = (overlay.view, overlay_replay.on_ground()) else {
        return;
    };
    let colors = &settings.colors;
    draw_marks(replay, layout, &view, colors, &mut squares);
    let is_near = layout.cell_size() * view.pixels_per_unit >= MIN_ARROW_CELL_PIXELS;
    if is_near && cells_in_view(layout, &view).cell_count() <= MAX_SEARCH_ARROWS {
        draw_parents(replay, layout, &view, colors.number, &mut lines);
    }
    if has_numbers(layout, &view) {
        let (ground, plain_step) = ((replay, layout), overlay_replay.plain_step());
        draw_numbers(ground, plain_step, &view, colors.number, &mut numbers);
    }
    if replay.is_at_end() {
        draw_path(replay, layout, colors, &mut lines);
    }
}

/// Sets the line width of [`SearchGizmos`] so that dashes look like squares.
pub(crate) fn size_searches(
    overlay: Res<OverlayView>,
    replay: Res<OverlayReplay>,
    mut config: ResMut<GizmoConfigStore>,
) {
    if let (Some(view), Some((_, layout))) = (overlay.view, replay.on_ground()) {
        let side = side_of(layout, level_of(layout, &view));
        config.config_mut::<SearchGizmos>().0.line = square_line(side * view.pixels_per_unit);
    }
}

fn level_of(layout: &Layout, view: &View) -> u32 {
    level_for(layout, view, MIN_SQUARE_PIXELS, MAX_SEARCH_SQUARES)
}

fn draw_marks(
    replay: &Replay,
    layout: &Layout,
    view: &View,
    colors: &OverlayColors,
    gizmos: &mut Gizmos<SearchGizmos>,
) {
    let level = level_of(layout, view);
    let blocks = blocks_of(cells_in_view(layout, view), level);
    let tint = |block: Cell| color_of(replay, middle_of(block, level), colors);
    for_each_stroke(blocks, tint, |stroke| {
        let (from, to) = stroke.ends(layout.min_corner(), side_of(layout, level));
        gizmos.line_2d(from, to, stroke.tint);
    });
}

/// The color of a cell at the replay's current position. `None` if the search has not reached the cell.
fn color_of(replay: &Replay, cell: Cell, colors: &OverlayColors) -> Option<Color> {
    match replay.mark(cell) {
        Mark::Discovered | Mark::Open => Some(colors.discovered),
        Mark::Closed => Some(colors.closed),
        Mark::Examined => Some(colors.examined),
        Mark::Current => Some(colors.current),
        Mark::Path => {
            let cells = replay.recording().end().map_or(1, |end| end.path.len());
            let place = replay.path_place(cell).unwrap_or(0) as f32;
            Some(path_color(place / cells.max(2) as f32, colors))
        }
        _ => None,
    }
}

/// Draws an arrow from each cell in view to its parent.
fn draw_parents(
    replay: &Replay,
    layout: &Layout,
    view: &View,
    color: Color,
    gizmos: &mut Gizmos<PursuitGizmos>,
) {
    let (place, half) = match has_numbers(layout, view) {
        true => (CORNER_ARROW_OFFSET, CORNER_ARROW_HALF_LENGTH),
        false => (Vec2::ZERO, ARROW_HALF_LENGTH),
    };
    let (place, half) = (place * layout.cell_size(), half * layout.cell_size());
    let color = LinearRgba::from(color);
    for cell in cells_in_view(layout, view).cells() {
        let Some(parent) = replay.cell(cell).parent else {
            continue;
        };
        let center = layout.center(cell);
        let Some(way) = (layout.center(parent) - center).try_normalize() else {
            continue;
        };
        let (middle, way) = (center + place, half * way);
        draw_arrow(gizmos, middle - way, middle + way, half, color);
    }
}

/// Draws the path, with a gradient from the color of the start to the color of the goal.
fn draw_path(
    replay: &Replay,
    layout: &Layout,
    colors: &OverlayColors,
    gizmos: &mut Gizmos<PursuitGizmos>,
) {
    let path = replay.recording().end().map_or(&[][..], |end| &end.path);
    let stride = path.len().div_ceil(MAX_SEARCH_LINES).max(1);
    let last = path.last().copied();
    let corners = path.iter().copied().step_by(stride).chain(last);
    let corners: Vec<Vec2> = corners.map(|cell| layout.center(cell)).collect();
    let count = corners.len().max(2) - 1;
    for (number, leg) in corners.windows(2).enumerate() {
        let color = |place: usize| path_color(place as f32 / count as f32, colors);
        gizmos.line_gradient_2d(leg[0], leg[1], color(number), color(number + 1));
    }
}

/// The color of a point on the path. `part` runs from 0 at the start to 1 at the goal.
fn path_color(part: f32, colors: &OverlayColors) -> Color {
    colors.path_start.mix(&colors.path_goal, part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::overlay_replay::replay_around_a_wall;

    #[test]
    fn every_cell_that_the_search_has_reached_has_a_color_and_the_path_runs_from_red_to_green() {
        let mut replay = replay_around_a_wall(9);
        let all = (0..81).map(|n| Cell::new(n % 9, n / 9));
        let colors = OverlayColors::default();
        while replay.step() {
            for cell in all.clone() {
                let is_known = replay.mark(cell) != Mark::Undiscovered;
                let color = color_of(&replay, cell, &colors);
                assert_eq!(color.is_some(), is_known, "{:?}", replay.mark(cell));
            }
        }
        let [start, goal] = [0.0, 1.0].map(|part| path_color(part, &colors).to_srgba());
        assert!(start.red > 0.8 && start.green < 0.4);
        assert!(goal.green > 0.7 && goal.red < 0.4);
    }
}
