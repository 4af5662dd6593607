//! A picture that is painted anew in each frame: paths, rings, rays.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;

use crate::art::{Paint, layer, palette};
use crate::paint::Painter;

/// Two canvases. What `Update` paints on them is shown in this frame, and gone in the next.
#[derive(Resource, Clone, Debug, Default)]
pub struct Sketch {
    /// On the floor, beneath everybody's feet.
    pub floor: Painter,
    /// Over everybody's head.
    pub air: Painter,
}

impl Sketch {
    /// An arrow in the air, in flight.
    pub fn arrow(&mut self, tip: Vec2, along: Vec2) {
        let tail = tip - 20.0 * along;
        let barbs = [4.0, -4.0].map(|side| tip - 7.0 * along + side * along.perp());
        let trail = palette::PLAYER_LIGHT.with_alpha(0.22);
        self.air.line(tail - 26.0 * along, tail, 2.5, trail);
        self.air.capsule(tail, tip, 2.1, palette::INK);
        self.air.capsule(tail, tip, 1.1, palette::TIMBER_LIGHT);
        let head = [tip + 3.0 * along, barbs[0], barbs[1]];
        self.air.polygon(&head, palette::LINEN);
    }

    /// A streak behind somebody who is fast, in world units per second.
    pub fn streak(&mut self, at: Vec2, velocity: Vec2) {
        let tail = at - 0.16 * velocity;
        let side = 8.0 * velocity.perp().normalize_or_zero();
        let [white, clear] = [0.5, 0.0].map(|alpha| palette::LINEN.with_alpha(alpha));
        self.floor.quad([
            (at - side, white),
            (at + side, white),
            (tail + side * 0.3, clear),
            (tail - side * 0.3, clear),
        ]);
    }

    /// A door of two leaves that slide out of the walls beside it, as far as `shut` says: 0 to 1. `along`
    /// is as long as the door is wide.
    pub fn door(&mut self, at: Vec2, along: Vec2, shut: f32) {
        let thick = if along.x.abs() > along.y.abs() {
            9.0
        } else {
            6.0
        };
        let across = thick * along.normalize_or_zero().perp().abs();
        let sill = Rect::from_corners(at - along / 2.0 - across, at + along / 2.0 + across);
        self.floor.rect(sill, palette::TIMBER_DARK.with_alpha(0.55));
        for side in [-0.5, 0.5] {
            let (post, way) = (at + side * along, -side * along);
            // A rim is seen of a leaf that is in the wall.
            let edge = post + way * (0.16 + 0.84 * shut);
            let leaf = Rect::from_corners(post - across, edge + across);
            self.floor.rect(leaf.inflate(1.3), palette::INK);
            let (top, bottom) = (palette::TIMBER_LIGHT, palette::TIMBER_DARK);
            self.floor.gradient(leaf, top, bottom);
            let handle = edge - 4.0 * way.normalize_or_zero();
            if shut > 0.5 {
                self.floor.disc(handle, 2.4, palette::INK);
                self.floor.disc(handle, 1.5, palette::GOLD);
            }
        }
    }

    /// Three dots in the air: somebody waits.
    pub fn dots(&mut self, at: Vec2) {
        for (radius, color) in [(3.4, palette::INK), (2.0, palette::LINEN)] {
            for place in [-7.0, 0.0, 7.0] {
                self.air.disc(at + Vec2::X * place, radius, color);
            }
        }
    }

    /// A cross on the floor.
    pub fn cross(&mut self, at: Vec2, color: Color) {
        for (radius, color) in [(2.2, palette::INK.with_alpha(0.6)), (1.2, color)] {
            for end in [Vec2::new(4.0, 4.0), Vec2::new(4.0, -4.0)] {
                self.floor.capsule(at - end, at + end, radius, color);
            }
        }
    }
}

/// Adds the [`Sketch`].
pub struct SketchPlugin;

impl Plugin for SketchPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Sketch>()
            .init_resource::<Paint>()
            .add_systems(Startup, spawn_canvases)
            .add_systems(First, |mut sketch: ResMut<Sketch>| {
                *sketch = Sketch::default()
            })
            .add_systems(PostUpdate, show_canvases);
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
enum Canvas {
    Floor,
    Air,
}

fn spawn_canvases(mut commands: Commands, paint: Res<Paint>, mut meshes: ResMut<Assets<Mesh>>) {
    for (canvas, z) in [(Canvas::Floor, layer::MARKER), (Canvas::Air, layer::AIR)] {
        let mesh = meshes.add(blank().build());
        commands.spawn((canvas, paint.picture(mesh, z), NoFrustumCulling));
    }
}

fn show_canvases(
    sketch: Res<Sketch>,
    canvases: Query<(&Canvas, &Mesh2d)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (canvas, mesh) in &canvases {
        let painter = match canvas {
            Canvas::Floor => &sketch.floor,
            Canvas::Air => &sketch.air,
        };
        let is_empty = painter.triangles() == 0;
        let painted = if is_empty {
            blank().build()
        } else {
            painter.build()
        };
        // The handle is alive: the canvas holds it.
        let _ = meshes.insert(mesh.0.id(), painted);
    }
}

/// Nothing to see; but a mesh without a triangle cannot be drawn.
fn blank() -> Painter {
    let mut painter = Painter::new();
    painter.polygon(&[Vec2::ZERO; 3], Color::NONE);
    painter
}
