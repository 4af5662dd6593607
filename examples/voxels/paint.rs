//! The material of everything: the colors of the mesh times one color. Light is in the colors of the mesh, so that a
//! graphics card has next to nothing to work out: this is drawn by software renderers, too.

use bevy::asset::uuid_handle;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::{Shader, ShaderRef};

const SHADER: Handle<Shader> = uuid_handle!("0f5a3c1e-7d0b-4a53-9c1c-5b7d8f4a2e60");

/// Adds the material.
pub(crate) struct PaintPlugin;

impl Plugin for PaintPlugin {
    fn build(&self, app: &mut App) {
        let shader = Shader::from_wgsl(include_str!("paint.wgsl"), "paint.wgsl");
        let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
        // A handle by number is never in use by another asset.
        let _ = shaders.insert(SHADER.id(), shader);
        app.add_plugins(MaterialPlugin::<Paint>::default())
            .init_resource::<Plain>();
    }
}

/// A color that the colors of the mesh are multiplied by.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub(crate) struct Paint {
    #[uniform(0)]
    pub(crate) color: LinearRgba,
}

impl Material for Paint {
    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(SHADER)
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

impl From<Color> for Paint {
    fn from(color: Color) -> Self {
        Self {
            color: color.into(),
        }
    }
}

/// White paint, which shows the colors of the mesh as they are.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Plain(pub(crate) Handle<Paint>);

impl FromWorld for Plain {
    fn from_world(world: &mut World) -> Self {
        let mut paints = world.resource_mut::<Assets<Paint>>();
        Self(paints.add(Paint::from(Color::WHITE)))
    }
}
