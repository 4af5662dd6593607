//! The board as a picture: one rectangle per lane, with a texel for each cell. Only the texels of cells that
//! changed are written.

use bevy::asset::{RenderAssetUsages, uuid_handle};
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Extent3d, TextureDimension, TextureFormat};
use bevy::shader::{Shader, ShaderRef};
use bevy::sprite_render::{Material2d, Material2dPlugin};
use pursuit::Cell;
use pursuit_examples::art::palette;
use pursuit_lab::replay::{Changes, Mark, Replay};

use crate::board::Board;
use crate::colors::{mark_color, pixel};
use crate::lanes::{LANES, Lanes};
use crate::view::layer;

/// The shader of the cells.
const SHADER: Handle<Shader> = uuid_handle!("6d0f9f43-42a8-4d1c-9a57-0c1f5b7e8a11");

/// Draws the cells.
pub(crate) struct CanvasPlugin;

impl Plugin for CanvasPlugin {
    fn build(&self, app: &mut App) {
        let shader = Shader::from_wgsl(include_str!("cells.wgsl"), "cells.wgsl");
        let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
        // A handle by number is never in use by another asset.
        let _ = shaders.insert(SHADER.id(), shader);
        app.add_plugins(Material2dPlugin::<CellsMaterial>::default())
            .add_systems(Startup, spawn_canvases);
    }
}

/// What the shader of the cells reads.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub(crate) struct CellsMaterial {
    /// Columns and rows.
    #[uniform(0)]
    size: Vec4,
    #[texture(1)]
    ground: Handle<Image>,
    #[texture(2)]
    marks: Handle<Image>,
}

impl Material2d for CellsMaterial {
    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(SHADER)
    }
}

/// The picture of a lane.
#[derive(Component, Clone, Debug)]
pub(crate) struct Canvas {
    lane: usize,
    marks: Handle<Image>,
}

/// The rim around the board.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Frame;

/// What lies under all lanes.
#[derive(Resource, Clone, Debug)]
pub(crate) struct GroundImage(Handle<Image>);

fn spawn_canvases(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<CellsMaterial>>,
    mut colors: ResMut<Assets<ColorMaterial>>,
) {
    let blank = |format| image((1, 1), format);
    let ground = images.add(blank(TextureFormat::R8Unorm));
    let mesh = meshes.add(Rectangle::new(1.0, 1.0));
    for lane in 0..LANES {
        let marks = images.add(blank(TextureFormat::Rgba8UnormSrgb));
        let material = CellsMaterial {
            size: Vec4::ONE,
            ground: ground.clone(),
            marks: marks.clone(),
        };
        commands.spawn((
            Canvas { lane, marks },
            Mesh2d(mesh.clone()),
            MeshMaterial2d(materials.add(material)),
            layer(lane),
        ));
    }
    commands.insert_resource(GroundImage(ground));
    let frame = meshes.add(Rectangle::new(1.0, 1.0));
    let color = colors.add(ColorMaterial::from(palette::INK.lighter(0.09)));
    let layers = (0..LANES).fold(RenderLayers::none(), |all, lane| all.union(&layer(lane)));
    commands.spawn((Frame, Mesh2d(frame), MeshMaterial2d(color), layers));
}

fn image((width, height): (u32, u32), format: TextureFormat) -> Image {
    let size = Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let bytes: &[u8] = match format {
        TextureFormat::R8Unorm => &[0],
        _ => &[0; 4],
    };
    let usage = RenderAssetUsages::all();
    Image::new_fill(size, TextureDimension::D2, bytes, format, usage)
}

/// Paints walls and mud after an edit, and fits the rectangles to the board.
pub(crate) fn paint_ground(
    board: Res<Board>,
    ground: Res<GroundImage>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<CellsMaterial>>,
    mut canvases: Query<(&Canvas, &mut Transform, &MeshMaterial2d<CellsMaterial>)>,
    mut frame: Single<&mut Transform, (With<Frame>, Without<Canvas>)>,
) {
    if !board.is_changed() {
        return;
    }
    let size = (board.width(), board.height());
    let mut picture = image(size, TextureFormat::R8Unorm);
    picture.data = Some(board.costs().to_vec());
    // The handles are alive: the canvases hold them.
    let _ = images.insert(ground.0.id(), picture);
    let sides = Vec2::new(size.0 as f32, size.1 as f32);
    let rim = 0.012 * sides.max_element();
    frame.scale = (sides + 2.0 * rim).extend(1.0);
    frame.translation = Vec3::new(sides.x / 2.0, -sides.y / 2.0, -1.0);
    for (canvas, mut transform, material) in &mut canvases {
        let is_resized = transform.scale.truncate() != sides;
        if is_resized {
            let marks = image(size, TextureFormat::Rgba8UnormSrgb);
            let _ = images.insert(canvas.marks.id(), marks);
        }
        transform.scale = sides.extend(1.0);
        transform.translation = Vec3::new(sides.x / 2.0, -sides.y / 2.0, 0.0);
        if let Some(mut material) = materials.get_mut(&material.0) {
            material.size = sides.extend(0.0).extend(0.0);
        }
    }
}

/// Paints the marks of cells that changed.
pub(crate) fn paint_marks(
    mut lanes: ResMut<Lanes>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<CellsMaterial>>,
    canvases: Query<(&Canvas, &MeshMaterial2d<CellsMaterial>)>,
) {
    // Looking at what changed changes nothing that others have to hear of.
    let lanes = lanes.bypass_change_detection();
    for (canvas, material) in &canvases {
        let Ok(replay) = &mut lanes.lanes[canvas.lane].replay else {
            continue;
        };
        let cells = match replay.take_changes() {
            Changes::Cells([]) => continue,
            Changes::Cells(cells) => Some(cells.to_vec()),
            Changes::All => None,
        };
        let Some(mut image) = images.get_mut(canvas.marks.id()) else {
            continue;
        };
        let width = image.width() as usize;
        let texels = image.data.as_deref_mut().unwrap_or_default();
        let texels = texels.as_chunks_mut::<4>().0;
        if let Some(cells) = cells {
            for cell in cells {
                let at = cell.y as usize * width + cell.x as usize;
                if let Some(texel) = texels.get_mut(at) {
                    *texel = texel_of(replay, cell);
                }
            }
        } else {
            for (at, texel) in texels.iter_mut().enumerate() {
                let cell = Cell::new((at % width) as i32, (at / width) as i32);
                *texel = texel_of(replay, cell);
            }
        }
        // Another picture is another binding, even under the same handle.
        let _ = materials.get_mut(&material.0);
    }
}

fn texel_of(replay: &Replay, cell: Cell) -> [u8; 4] {
    let mark = match replay.mark(cell) {
        // When all is over, nothing goes on.
        Mark::Current if replay.is_at_end() => Mark::Closed,
        mark => mark,
    };
    pixel(mark_color(mark, path_part(replay, cell)))
}

/// Where on the path a cell is, from 0 at the start to 1 at the goal.
pub(crate) fn path_part(replay: &Replay, cell: Cell) -> f32 {
    let length = replay.recording().end().map_or(0, |end| end.path.len());
    let place = replay.path_place(cell).unwrap_or(0);
    place as f32 / length.saturating_sub(1).max(1) as f32
}
