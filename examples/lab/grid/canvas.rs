//! The board as a picture: one rectangle per lane, with a texel for each cell. Only the texels of changed cells are
//! written.

use bevy::asset::{RenderAssetUsages, uuid_handle};
use bevy::image::ToExtents;
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, TextureDimension, TextureFormat};
use bevy::shader::{Shader, ShaderRef};
use bevy::sprite_render::{Material2d, Material2dPlugin};
use pursuit::Cell;
use pursuit_lab::replay::{Changes, Mark, Replay};

use super::super::colors::mark_color;
use super::super::lanes::{LANES, Lanes};
use super::super::window::Stage;
use super::board::Board;
use super::view::lane_origin;

/// The shader of the cells.
const SHADER: Handle<Shader> = uuid_handle!("6d0f9f43-42a8-4d1c-9a57-0c1f5b7e8a11");

pub(crate) fn add(app: &mut App) {
    let shader = Shader::from_wgsl(include_str!("cells.wgsl"), "cells.wgsl");
    let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
    // This cannot fail, because no other asset has this UUID.
    let _ = shaders.insert(SHADER.id(), shader);
    let draw = (fit_canvases, paint_cells).chain();
    app.add_plugins(Material2dPlugin::<CellsMaterial>::default())
        .add_systems(Startup, spawn_canvases)
        .add_systems(Update, draw.in_set(Stage::Draw));
}

/// The data that the shader of the cells reads.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
struct CellsMaterial {
    /// The color of the mark of each cell. Alpha is twice the cost of the cell, plus 1 if the cell has a mark.
    #[texture(0)]
    cells: Handle<Image>,
}

impl Material2d for CellsMaterial {
    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(SHADER)
    }
}

/// The picture of a lane.
#[derive(Component, Clone, Debug)]
struct Canvas {
    lane: usize,
    cells: Handle<Image>,
}

fn spawn_canvases(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<CellsMaterial>>,
) {
    let mesh = Mesh2d(meshes.add(Rectangle::new(1.0, 1.0)));
    for lane in 0..LANES {
        let cells = images.add(blank(UVec2::ONE));
        let material = CellsMaterial {
            cells: cells.clone(),
        };
        let material = MeshMaterial2d(materials.add(material));
        commands.spawn((Canvas { lane, cells }, mesh.clone(), material));
    }
}

/// An image without marks.
fn blank(size: UVec2) -> Image {
    let (size, format) = (size.to_extents(), TextureFormat::Rgba8UnormSrgb);
    let usage = RenderAssetUsages::all();
    Image::new_fill(size, TextureDimension::D2, &[0; 4], format, usage)
}

/// Fits the pictures to the board.
fn fit_canvases(
    board: Res<Board>,
    mut images: ResMut<Assets<Image>>,
    mut canvases: Query<(&Canvas, &mut Transform)>,
) {
    let size = UVec2::new(board.width, board.height);
    let sides = size.as_vec2();
    for (canvas, mut transform) in &mut canvases {
        if transform.scale.truncate() != sides {
            // The handle is alive: the canvas holds it.
            let _ = images.insert(canvas.cells.id(), blank(size));
            let middle = lane_origin(canvas.lane, &board) + sides * Vec2::new(0.5, -0.5);
            let place = Transform::from_translation(middle.extend(0.0));
            *transform = place.with_scale(sides.extend(1.0));
        }
    }
}

/// Paints the changed cells, or all cells after an edit.
fn paint_cells(
    board: Res<Board>,
    mut lanes: ResMut<Lanes>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<CellsMaterial>>,
    canvases: Query<(&Canvas, &MeshMaterial2d<CellsMaterial>)>,
) {
    // Taking the list of changed cells changes nothing that other systems read.
    let lanes = lanes.bypass_change_detection();
    for (canvas, material) in &canvases {
        let mut replay = lanes.lanes[canvas.lane].replay.as_mut().ok();
        let changes = replay.as_mut().map(|replay| replay.take_changes());
        let cells = match changes {
            Some(Changes::Cells(cells)) if !board.is_changed() => Some(cells.to_vec()),
            None if !board.is_changed() => continue,
            _ => None,
        };
        if cells.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        let Some(mut image) = images.get_mut(canvas.cells.id()) else {
            continue;
        };
        let width = image.width() as usize;
        let texels = image.data.as_deref_mut().unwrap_or_default();
        let texels = texels.as_chunks_mut::<4>().0;
        for cell in cells.unwrap_or_else(|| board.rect().cells().collect()) {
            let at = cell.y as usize * width + cell.x as usize;
            if let Some(texel) = texels.get_mut(at) {
                *texel = texel_of(&board, replay.as_deref(), cell);
            }
        }
        // A changed image needs a new binding, even if its handle is the same.
        let _ = materials.get_mut(&material.0);
    }
}

fn texel_of(board: &Board, replay: Option<&Replay>, cell: Cell) -> [u8; 4] {
    let color = replay.and_then(|replay| {
        let mark = match replay.mark(cell) {
            // At the end there is no current cell.
            Mark::Current if replay.is_at_end() => Mark::Closed,
            mark => mark,
        };
        mark_color(mark, path_part(replay, cell))
    });
    let mut texel = color.map_or([0; 4], |color| color.to_srgba().to_u8_array());
    texel[3] = 2 * board.cost(cell).min(100) + u8::from(color.is_some());
    texel
}

/// The position of a cell along the path, from 0 at the start to 1 at the goal.
pub(crate) fn path_part(replay: &Replay, cell: Cell) -> f32 {
    let length = replay.recording().end().map_or(0, |end| end.path.len());
    let place = replay.path_place(cell).unwrap_or(0);
    place as f32 / length.saturating_sub(1).max(1) as f32
}
