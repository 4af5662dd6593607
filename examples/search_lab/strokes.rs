//! What is drawn over the cells: arrows to parents, the way to the current cell, the path, both ends.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit::Cell;
use pursuit_examples::art::Paint;
use pursuit_examples::paint::Painter;
use pursuit_lab::replay::{Mark, Replay};

use crate::board::Board;
use crate::canvas::path_part;
use crate::colors::{INK, PATH_GOAL, PATH_START, path_color};
use crate::lanes::{LANES, Lanes};
use crate::view::{View, layer, middle};

/// Pixels per cell from which on there are arrows.
const LEAST_ZOOM: f32 = 22.0;

/// The strokes of a lane.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Strokes(usize);

pub(crate) fn spawn_strokes(
    mut commands: Commands,
    paint: Res<Paint>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for lane in 0..LANES {
        let mesh = meshes.add(blank().build());
        commands.spawn((
            Strokes(lane),
            paint.picture(mesh, 2.0),
            NoFrustumCulling,
            layer(lane),
        ));
    }
}

/// Nothing to see; but a mesh without a triangle cannot be drawn.
fn blank() -> Painter {
    let mut painter = Painter::new();
    painter.polygon(&[Vec2::ZERO; 3], Color::NONE);
    painter
}

/// Draws them anew when anything moved.
pub(crate) fn draw_strokes(
    view: Res<View>,
    board: Res<Board>,
    lanes: Res<Lanes>,
    strokes: Query<(&Strokes, &Mesh2d)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    if !(view.is_changed() || board.is_changed() || lanes.is_changed()) {
        return;
    }
    for (strokes, mesh) in &strokes {
        let mut painter = blank();
        if let Ok(replay) = &lanes.lanes[strokes.0].replay {
            if view.zoom >= LEAST_ZOOM {
                draw_arrows(&mut painter, replay, &view, &board);
            }
            draw_ways(&mut painter, replay, &view);
        }
        draw_ends(&mut painter, &board, &view);
        // The handle is alive: the entity holds it.
        let _ = meshes.insert(mesh.0.id(), painter.build());
    }
}

/// An arrow in each cell in view, to where the way to it comes from.
fn draw_arrows(painter: &mut Painter, replay: &Replay, view: &View, board: &Board) {
    for cell in view.cells(board).cells() {
        let state = replay.cell(cell);
        let Some(parent) = state.parent else {
            continue;
        };
        let toward = (middle(parent) - middle(cell)).normalize_or_zero();
        let side = toward.perp();
        let is_quiet = state.mark == Mark::Closed;
        let color = INK.with_alpha(if is_quiet { 0.45 } else { 0.75 });
        let (center, half) = (middle(cell), 0.13);
        let tip = center + toward * half;
        let neck = center + toward * (half - 0.11);
        painter
            .line(center - toward * half, neck, 0.035, color)
            .polygon(&[tip, neck + side * 0.075, neck - side * 0.075], color);
    }
}

/// The path, or on the way there the way to the current cell.
fn draw_ways(painter: &mut Painter, replay: &Replay, view: &View) {
    let pixel = 1.0 / view.zoom;
    let end = replay.recording().end();
    if let (true, Some(end)) = (replay.is_at_end(), end) {
        // In cells as large as these, their colors tell the path.
        let width = (0.16_f32).max(3.0 * pixel);
        let color = |cell| path_color(path_part(replay, cell));
        draw_way(painter, &end.path, width + 2.5 * pixel, |_| {
            INK.with_alpha(0.8)
        });
        draw_way(painter, &end.path, width, color);
    } else if let Some(current) = replay.current() {
        let way = replay.way_to(current);
        let width = (0.09_f32).max(2.0 * pixel);
        draw_way(painter, &way, width + 2.0 * pixel, |_| INK.with_alpha(0.35));
        draw_way(painter, &way, width, |_| Color::srgb(1.0, 0.93, 0.97));
    }
}

fn draw_way(painter: &mut Painter, way: &[Cell], width: f32, color: impl Fn(Cell) -> Color) {
    for leg in way.windows(2) {
        let (from, to) = (middle(leg[0]), middle(leg[1]));
        painter
            .line(from, to, width, color(leg[1]))
            .disc(to, width / 2.0, color(leg[1]));
    }
}

/// A ring with a dot where it begins, a flag where it is to end. Never smaller than can be seen.
fn draw_ends(painter: &mut Painter, board: &Board, view: &View) {
    let size = (1.0_f32).max(26.0 / view.zoom);
    let paper = Color::srgb(1.0, 0.99, 0.96);
    let (start, goal) = (middle(board.start), middle(board.goal));
    for (place, color) in [(start, PATH_START), (goal, PATH_GOAL)] {
        painter
            .disc(place, 0.42 * size, INK)
            .disc(place, 0.37 * size, paper)
            .disc(place, 0.30 * size, color);
    }
    painter.disc(start, 0.12 * size, paper);
    let at = |x: f32, y: f32| goal + Vec2::new(x, y) * size;
    painter
        .polygon(&[at(-0.06, 0.21), at(0.2, 0.09), at(-0.06, -0.03)], paper)
        .line(at(-0.08, -0.2), at(-0.08, 0.21), 0.055 * size, paper);
}
