//! Pictures out of `assets/sprites`: floors and walls, things, figures that walk; and the ways of agents.

use std::f32::consts::TAU;

use bevy::image::{ImageArrayLayout, ImageLoaderSettings};
use bevy::prelude::*;
use bevy::sprite_render::{AlphaMode2d, TileData, TilemapChunk, TilemapChunkTileData};
use bevy_pursuit::PathCursor;
use bevy_pursuit::prelude::*;

use super::level::Level;
use super::{AIR, DARK, PEOPLE, RADIUS, THINGS, TILE};

/// Draws the [`Level`], everybody with a [`Figure`], and the ways that agents walk.
pub(crate) struct LooksPlugin;

impl Plugin for LooksPlugin {
    fn build(&self, app: &mut App) {
        let [mut lines, mut dots] = [GizmoConfig::default(), GizmoConfig::default()];
        lines.line.width = 3.;
        dots.line.width = 5.;
        dots.line.style = GizmoLineStyle::Dotted;
        app.insert_resource(ClearColor(DARK))
            .init_resource::<Sprites>()
            .insert_gizmo_config(DefaultGizmoConfigGroup, lines)
            .insert_gizmo_config(Ways, dots)
            .add_observer(dress)
            .add_systems(Startup, draw_level)
            .add_systems(Update, (animate, draw_ways));
    }
}

/// The pictures of figures and things, two pixels for a world unit.
#[derive(Resource)]
pub(crate) struct Sprites {
    figures: Sprite,
    props: Sprite,
}

/// The things of `sprites/props.png`, row by row. `1` to `3` are trees, `n` is a bench, `S` a shadow, `*` a white
/// disc, both 100 units wide, `|` a door that is shut, `/` one that is open, `>` an arrow, `f` a flag, `x` a cross.
const PROPS: &str = "cobptdkBsrhF123nSl*|/>fx";

impl FromWorld for Sprites {
    fn from_world(world: &mut World) -> Self {
        let mut load = |file: &'static str, side: u32, columns, rows| {
            let image = world.resource::<AssetServer>().load(file);
            let grid = TextureAtlasLayout::from_grid(UVec2::splat(side), columns, rows, None, None);
            let mut layouts = world.resource_mut::<Assets<TextureAtlasLayout>>();
            Sprite {
                custom_size: Some(Vec2::splat(side as f32 / 2.)),
                ..Sprite::from_atlas_image(image, layouts.add(grid).into())
            }
        };
        Self {
            figures: load("sprites/figures.png", 88, 8, 12),
            props: load("sprites/props.png", 256, 6, 4),
        }
    }
}

impl Sprites {
    /// A thing by its letter: those of levels, and those of [`PROPS`]. At a scale of 1 it is as large as its collider.
    pub(crate) fn prop(&self, mark: char, scale: f32) -> Sprite {
        let mut sprite = self.props.clone();
        sprite.custom_size = sprite.custom_size.map(|size| size * scale);
        if let Some(atlas) = &mut sprite.texture_atlas {
            atlas.index = PROPS.find(mark).unwrap_or(0);
        }
        sprite
    }

    /// A soft shadow of this size and opacity.
    fn shadow(&self, size: Vec2, opacity: f32) -> Sprite {
        Sprite {
            custom_size: Some(1.28 * size),
            color: Color::WHITE.with_alpha(opacity),
            ..self.prop('S', 1.)
        }
    }
}

fn draw_level(
    mut commands: Commands,
    level: Res<Level>,
    sprites: Res<Sprites>,
    assets: Res<AssetServer>,
) {
    let tileset = |file: &'static str| {
        let as_tiles = |settings: &mut ImageLoaderSettings| {
            settings.array_layout = Some(ImageArrayLayout::GridSize {
                tile_width_pixels: 64,
                tile_height_pixels: 64,
            });
        };
        assets
            .load_builder()
            .with_settings(as_tiles)
            .load::<Image>(file)
    };
    let edges = tileset("sprites/edges.png");
    let layers = [
        tileset("sprites/floors.png"),
        edges.clone(),
        edges.clone(),
        edges,
    ];
    let pictures: Vec<_> = level.tiles(0).map(|tile| level.pictures(tile)).collect();
    for (layer, tileset) in layers.into_iter().enumerate() {
        let tiles = pictures
            .iter()
            .map(|tile| tile[layer].map(TileData::from_tileset_index));
        commands.spawn((
            TilemapChunkTileData(tiles.collect()),
            TilemapChunk {
                chunk_size: level.size.as_uvec2(),
                tile_display_size: UVec2::splat(TILE as u32),
                tileset,
                alpha_mode: AlphaMode2d::Blend,
            },
            Transform::from_xyz(0., 0., layer as f32 * 0.5),
        ));
    }
    for prop in level.props() {
        let (z, scale) = if prop.mark == 'l' {
            (AIR, 2.4)
        } else {
            (THINGS, 1.)
        };
        commands.spawn((sprites.prop(prop.mark, scale), prop.place(z)));
        if let Some(collider) = prop.collider() {
            // The light comes from the north-west.
            let half = collider.raw.compute_local_aabb().half_extents();
            let shadow = sprites.shadow(2.4 * half + 10., 0.42);
            let offset = Transform::from_xyz(5., -7., 0.);
            commands.spawn((shadow, offset * prop.place(THINGS - 0.1)));
        }
    }
}

/// What somebody looks like: a row of `sprites/figures.png`.
#[derive(Component, Clone, Copy, PartialEq)]
#[require(Transform, Visibility)]
pub(crate) struct Figure(usize);

impl Figure {
    pub(crate) const PLAYER: Self = Self(0);
    pub(crate) const HUNTER: Self = Self(1);
    pub(crate) const TIRED: Self = Self(2);
    pub(crate) const ARCHER: Self = Self(3);
    pub(crate) const SHEEP: Self = Self(4);
    pub(crate) const GHOST: Self = Self(5);
    /// Seen from above: it turns with its body.
    pub(crate) const BEETLE: Self = Self(11);

    /// One of five that differ in color.
    pub(crate) fn scout(number: usize) -> Self {
        Self(6 + number % 5)
    }

    pub(crate) fn color(self) -> Color {
        const COLORS: [u32; 12] = [
            0xffd24a, 0xe5484d, 0x8d78b8, 0x9ccc7f, 0xe6e2ef, 0x9bdcec, 0x58c4dd, 0xff9d5c,
            0xf27fb2, 0x9ad05b, 0xb392f0, 0xe5484d,
        ];
        let [_, red, green, blue] = COLORS[self.0].to_be_bytes();
        Color::srgb_u8(red, green, blue)
    }
}

/// What a figure looks at. Without it, it looks where it goes.
#[derive(Component)]
pub(crate) struct LooksAt(pub(crate) Vec2);

/// The picture of a figure, a child of its body.
#[derive(Component)]
struct Picture {
    last: Vec2,
    ahead: Vec2,
    walked: f32,
}

fn dress(
    newcomer: On<Add, Figure>,
    mut commands: Commands,
    sprites: Res<Sprites>,
    bodies: Query<(&Transform, &Figure)>,
) {
    let Ok((place, figure)) = bodies.get(newcomer.entity) else {
        return;
    };
    // The picture of a beetle has its shadow.
    let opacity = if *figure == Figure::BEETLE { 0. } else { 0.55 };
    let shadow = sprites.shadow(Vec2::new(30., 20.), opacity);
    let picture = Picture {
        last: place.translation.truncate(),
        ahead: Vec2::NEG_Y,
        walked: place.translation.x,
    };
    commands.entity(newcomer.entity).with_children(|body| {
        body.spawn((shadow, Transform::from_xyz(2.5, -8., PEOPLE - 1.)));
        body.spawn((picture, sprites.figures.clone()));
    });
}

/// Lets figures hop as they walk, and turns them to where they go.
fn animate(
    time: Res<Time>,
    bodies: Query<(&Transform, &Figure, Option<&LooksAt>)>,
    mut pictures: Query<(&ChildOf, &mut Picture, &mut Sprite, &mut Transform), Without<Figure>>,
) {
    let seconds = time.delta_secs();
    for (child, mut picture, mut sprite, mut transform) in &mut pictures {
        let Ok((body, figure, looks_at)) = bodies.get(child.parent()) else {
            continue;
        };
        let at = body.translation.truncate();
        let moved = at - std::mem::replace(&mut picture.last, at);
        let walks = moved.length() > 8. * seconds;
        let to = looks_at
            .map(|point| point.0 - at)
            .or(walks.then_some(moved));
        if let Some(to) = to {
            let share = 1. - (-seconds / 0.09).exp();
            picture.ahead = picture.ahead.lerp(to.normalize_or_zero(), share);
        }
        picture.walked += moved.length();
        let hop = if walks {
            2.2 * (0.11 * picture.walked).sin().abs()
        } else {
            0.
        };
        // Who stands farther south is in front.
        transform.translation = Vec3::new(0., hop, PEOPLE - at.y / 10_000.);
        if let Some(atlas) = &mut sprite.texture_atlas {
            let eighth = (picture.ahead.to_angle() / TAU * 8.).round() as i32;
            let column = if *figure == Figure::BEETLE {
                2
            } else {
                eighth.rem_euclid(8)
            };
            atlas.index = 8 * figure.0 + column as usize;
        }
    }
}

/// Dotted lines.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub(crate) struct Ways;

/// The way that an agent has before it, in its color.
fn draw_ways(
    mut gizmos: Gizmos<Ways>,
    agents: Query<(&Transform, &Figure, &NavPath, &PathCursor, &Locomotion)>,
) {
    for (place, figure, path, cursor, locomotion) in &agents {
        let waypoints = path.waypoints();
        let next = match locomotion {
            Locomotion::Moving => cursor.next(),
            Locomotion::Straight => waypoints.len().saturating_sub(1),
            _ => continue,
        };
        let ahead = waypoints.get(next..).unwrap_or_default();
        let at = place.translation.truncate();
        // Not over the face.
        let begin = ahead
            .first()
            .map(|next| at.move_towards(*next, 1.5 * RADIUS));
        gizmos.linestrip_2d(
            begin.into_iter().chain(ahead.iter().copied()),
            figure.color(),
        );
    }
}
