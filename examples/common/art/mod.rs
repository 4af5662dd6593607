//! How everything looks. All art is made here, in code: textures for floors, painted meshes for
//! the rest.

pub mod classic;
pub mod floors;
pub mod palette;
pub mod people;
pub mod props;
pub mod textures;
pub mod walls;

use crate::paint::Painter;
use bevy::prelude::*;

use crate::stage::Stage;

/// What lies over what: the z of each layer.
pub mod layer {
    #![allow(missing_docs, reason = "each layer is named after what it holds")]

    pub const FLOOR: f32 = 0.0;
    pub const TRIM: f32 = 1.0;
    pub const SHADOW: f32 = 2.0;
    pub const WALL: f32 = 3.0;
    pub const PROP: f32 = 4.0;
    pub const MARKER: f32 = 5.0;
    pub const PEOPLE_SHADOW: f32 = 6.0;
    pub const HUNTERS: f32 = 10.0;
    pub const PLAYER: f32 = 80.0;
    pub const LIGHT: f32 = 90.0;
    pub const AIR: f32 = 95.0;
}

/// The one material of everything painted: colors are in the meshes.
#[derive(Resource, Clone, Debug)]
pub struct Paint(pub Handle<ColorMaterial>);

impl FromWorld for Paint {
    fn from_world(world: &mut World) -> Self {
        Self(
            world
                .resource_mut::<Assets<ColorMaterial>>()
                .add(ColorMaterial::default()),
        )
    }
}

impl Paint {
    /// A painted picture as components.
    pub fn picture(&self, mesh: Handle<Mesh>, z: f32) -> impl Bundle + use<> {
        (
            Mesh2d(mesh),
            MeshMaterial2d(self.0.clone()),
            Transform::from_xyz(0.0, 0.0, z),
        )
    }
}

/// Spawns the pictures of floors, walls and things.
pub fn spawn_stage_art(
    mut commands: Commands,
    stage: Res<Stage>,
    paint: Res<Paint>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (floor, mesh) in floors::floor_meshes(&stage) {
        let texture = images.add(textures::floor_texture(floor));
        commands.spawn((
            Mesh2d(meshes.add(mesh)),
            MeshMaterial2d(materials.add(ColorMaterial::from(texture))),
            Transform::from_xyz(0.0, 0.0, layer::FLOOR),
        ));
    }
    let pictures: [(Painter, f32); 6] = [
        (floors::paint_trims(&stage), layer::TRIM),
        (walls::paint_shadows(&stage.level), layer::SHADOW),
        (props::paint_shadows(&stage.props), layer::SHADOW + 0.5),
        (walls::paint_walls(&stage.level), layer::WALL),
        (props::paint_props(&stage.props), layer::PROP),
        (props::paint_lights(&stage.props), layer::LIGHT),
    ];
    for (painter, z) in pictures {
        if painter.triangles() > 0 {
            commands.spawn(paint.picture(meshes.add(painter.build()), z));
        }
    }
}
