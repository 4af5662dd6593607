//! Colors, and the material of painted meshes.

pub mod classic;
pub mod palette;

use bevy::prelude::*;

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
