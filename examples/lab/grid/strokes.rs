//! Drawings over the cells: arrows to parents, the path to the current cell, the final path, both ends, and numbers: f
//! at the top left, g at the bottom left, h at the bottom right.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit::{Cell, STRAIGHT};
use pursuit_lab::replay::{Costs, Mark, Replay};

use super::super::colors::{INK, PAPER, PATH, path_color};
use super::super::lanes::{LANES, Lanes};
use super::super::solid::Solid;
use super::super::window::Stage;
use super::board::Board;
use super::canvas::path_part;
use super::view::{View, lane_origin, middle};

/// Minimum number of pixels per cell at which arrows are drawn, and at which short numbers are written. Long numbers
/// need larger cells.
const MIN_ARROW_ZOOM: f32 = 22.0;
const MIN_NUMBER_ZOOM: f32 = 34.0;
/// Height of the smallest digits that can be read, in pixels.
const MIN_DIGIT_PIXELS: f32 = 5.0;
/// Pixels per cell above which digits do not grow any more.
const MAX_DIGIT_ZOOM: f32 = 96.0;
/// Distance from one digit to the next, in heights of a digit.
const DIGIT_ADVANCE: f32 = 0.96;
/// Cost of a straight step in the numbers that are shown. As in textbooks, a diagonal step then costs 14.
const STRAIGHT_STEP_NUMBER: u64 = 10;

/// The strokes of a lane.
#[derive(Component, Clone, Copy, Debug)]
struct Strokes(usize);

pub(crate) fn add(app: &mut App) {
    app.add_systems(Startup, spawn_strokes)
        .add_systems(Update, (draw_strokes, write_numbers).in_set(Stage::Draw));
}

fn spawn_strokes(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut gizmos: ResMut<GizmoConfigStore>,
) {
    // The colors are in the mesh.
    let material = MeshMaterial2d(materials.add(ColorMaterial::default()));
    for lane in 0..LANES {
        let mesh = Mesh2d(meshes.add(Solid::default().build()));
        commands.spawn((Strokes(lane), mesh, material.clone(), NoFrustumCulling));
    }
    gizmos.config_mut::<DefaultGizmoConfigGroup>().0.line.width = 1.4;
}

/// Draws the strokes again when anything moved.
fn draw_strokes(
    view: Res<View>,
    board: Res<Board>,
    lanes: Res<Lanes>,
    mut strokes: Query<(&Strokes, &Mesh2d, &mut Transform)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    if !(view.is_changed() || board.is_changed() || lanes.is_changed()) {
        return;
    }
    for (strokes, mesh, mut transform) in &mut strokes {
        transform.translation = lane_origin(strokes.0, &board).extend(2.0);
        let mut solid = Solid::default();
        if let Some(replay) = lanes.replay(strokes.0) {
            if view.zoom >= MIN_ARROW_ZOOM {
                draw_arrows(&mut solid, replay, &view, &board);
            }
            draw_paths(&mut solid, replay, &view);
        }
        draw_ends(&mut solid, &board, &view);
        // The handle is alive: the entity holds it.
        let _ = meshes.insert(mesh.0.id(), solid.build());
    }
}

/// Draws an arrow in each visible cell, to its parent.
fn draw_arrows(solid: &mut Solid, replay: &Replay, view: &View, board: &Board) {
    for cell in view.cells(board).cells() {
        let state = replay.cell(cell);
        let Some(parent) = state.parent else {
            continue;
        };
        let toward = (middle(parent) - middle(cell)).normalize_or_zero();
        let side = toward.perp() * 0.075;
        let is_quiet = state.mark == Mark::Closed;
        let color = INK.with_alpha(if is_quiet { 0.45 } else { 0.75 });
        let (center, half) = (middle(cell), 0.13);
        let tip = center + toward * half;
        let neck = center + toward * (half - 0.11);
        solid.line(center - toward * half, neck, 0.035, color);
        solid.polygon([tip, neck + side, neck - side], color);
    }
}

/// Draws the final path or, before the end, the path to the current cell.
fn draw_paths(solid: &mut Solid, replay: &Replay, view: &View) {
    let pixel = 1.0 / view.zoom;
    let end = replay.recording().end();
    if let (true, Some(end)) = (replay.is_at_end(), end) {
        let width = (0.16_f32).max(3.0 * pixel);
        let color = |cell| path_color(path_part(replay, cell));
        let rim = width + 2.5 * pixel;
        draw_polyline(solid, &end.path, rim, |_| INK.with_alpha(0.8));
        draw_polyline(solid, &end.path, width, color);
    } else if let Some(current) = replay.current() {
        let path = replay.way_to(current);
        let width = (0.09_f32).max(2.0 * pixel);
        draw_polyline(solid, &path, width + 2.0 * pixel, |_| INK.with_alpha(0.35));
        draw_polyline(solid, &path, width, |_| PAPER);
    }
}

fn draw_polyline(solid: &mut Solid, path: &[Cell], width: f32, color: impl Fn(Cell) -> Color) {
    for leg in path.windows(2) {
        let (from, to) = (middle(leg[0]), middle(leg[1]));
        solid.line(from, to, width, color(leg[1]));
        solid.disc(to, width / 2.0, color(leg[1]));
    }
}

/// Draws a ring with a dot at the start and a flag at the goal, large enough to be seen at any zoom.
fn draw_ends(solid: &mut Solid, board: &Board, view: &View) {
    let size = (1.0_f32).max(26.0 / view.zoom);
    let (start, goal) = (middle(board.start), middle(board.goal));
    for (place, color) in [(start, PATH[0]), (goal, PATH[2])] {
        solid.disc(place, 0.42 * size, INK);
        solid.disc(place, 0.37 * size, PAPER);
        solid.disc(place, 0.30 * size, color);
    }
    solid.disc(start, 0.12 * size, PAPER);
    let at = |x: f32, y: f32| goal + Vec2::new(x, y) * size;
    solid.polygon([at(-0.06, 0.21), at(0.2, 0.09), at(-0.06, -0.03)], PAPER);
    solid.line(at(-0.08, -0.2), at(-0.08, 0.21), 0.055 * size, PAPER);
}

/// Writes the numbers of the visible cells.
fn write_numbers(view: Res<View>, board: Res<Board>, lanes: Res<Lanes>, mut gizmos: Gizmos) {
    if view.zoom < MIN_NUMBER_ZOOM {
        return;
    }
    for lane in 0..LANES {
        let Some(replay) = lanes.replay(lane) else {
            continue;
        };
        let cells = view.cells(&board).cells();
        for (cell, costs) in cells.filter_map(|cell| Some((cell, replay.cell(cell).costs?))) {
            let place = lane_origin(lane, &board) + middle(cell);
            for (number, corner, pixels) in numbers(costs, view.zoom) {
                let at = place + corner * Vec2::new(0.41, 0.39);
                let size = pixels / view.zoom;
                gizmos.text_2d(at, &number, size, corner / 2.0, INK);
            }
        }
    }
}

/// The numbers of a cell of `zoom` pixels, with their corners and the heights of their digits: f, which has its own
/// line, g and h. Numbers too small to be read are left out.
fn numbers(costs: Costs, zoom: f32) -> impl Iterator<Item = (String, Vec2, f32)> {
    let [f, g, h] = [costs.f, costs.g, costs.h].map(cost_text);
    let height = |digits: usize, max_height: f32, width: f32| {
        let fits = zoom * width / (digits as f32 * DIGIT_ADVANCE);
        fits.min(zoom.min(MAX_DIGIT_ZOOM) * max_height)
    };
    let upper = height(f.len(), 0.2, 0.82);
    let lower = height(g.len().max(h.len()), 0.15, 0.38);
    let all = [
        (f, Vec2::new(-1.0, 1.0), upper),
        (g, Vec2::new(-1.0, -1.0), lower),
        (h, Vec2::new(1.0, -1.0), lower),
    ];
    let all = all.into_iter();
    all.filter(|(.., pixels)| *pixels >= MIN_DIGIT_PIXELS)
}

/// A cost of the core as text. The cost of a path that no longer exists is infinite.
fn cost_text(cost: u64) -> String {
    let straight = u64::from(STRAIGHT);
    let tenths = cost
        .saturating_mul(STRAIGHT_STEP_NUMBER)
        .saturating_add(straight / 2)
        / straight;
    match cost {
        u64::MAX => "inf".to_owned(),
        _ => tenths.to_string(),
    }
}
