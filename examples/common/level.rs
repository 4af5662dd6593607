//! Levels from text files: floors, walls, and things that stand in the way.

use std::f32::consts::PI;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::sprite_render::AlphaMode2d;
use bevy_rapier2d::prelude::*;

use super::{AIR_Z, Prop, THINGS_Z, TILE, WALLS};

/// A level from text. A character is a floor or wall, from [`FLOORS`], or a mark. A mark is a [`thing`], a lamp (`l`),
/// or a point that the example looks up.
///
/// Tiles are numbered from the lower left. The middle of the level is the world's origin.
#[derive(Resource, Clone)]
pub(crate) struct Level {
    rows: Vec<Vec<char>>,
    /// The most frequent floor, as an index into [`FLOORS`].
    ground: usize,
    pub(crate) size: IVec2,
    pub(crate) mood: Mood,
}

/// The colors of a level's light, stone and lawn, as red, green and blue. Pictures are multiplied by these colors.
/// Stone and lawn are gray in `sprites/floors.png`.
#[derive(Clone, Copy)]
pub(crate) struct Mood([[f32; 3]; 3]);

impl Mood {
    pub(crate) const DAY: Self = Self([[1., 1., 1.], [0.17, 0.21, 0.33], [0.21, 0.48, 0.26]]);
    pub(crate) const SAND: Self = Self([[1., 0.87, 0.68], [0.8, 0.6, 0.42], [0.5, 0.5, 0.2]]);
    pub(crate) const AUTUMN: Self = Self([[1., 0.82, 0.62], [0.5, 0.4, 0.4], [0.72, 0.45, 0.14]]);
    pub(crate) const FROST: Self = Self([[0.72, 0.9, 1.], [0.55, 0.72, 0.9], [0.7, 0.87, 1.]]);
    pub(crate) const DUSK: Self = Self([[0.6, 0.56, 0.85], [0.3, 0.24, 0.5], [0.2, 0.3, 0.4]]);
    pub(crate) const MOSS: Self = Self([[0.85, 0.95, 0.7], [0.22, 0.36, 0.2], [0.2, 0.5, 0.15]]);

    /// The color of the walls around the level, seen from above.
    pub(crate) fn outside(self) -> Color {
        let stone = Color::srgb_u8(0xd3, 0xc8, 0xb2).to_linear().to_vec3();
        LinearRgba::from_vec3(stone * Vec3::from_array(self.0[0])).into()
    }
}

/// The characters of walls, and of floors of stone, wood, carpet and lawn.
const FLOORS: &str = "#.,_\"";
/// Steps to the four neighbors of a tile.
const SIDES: [IVec2; 4] = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];

impl Level {
    pub(crate) fn parse(text: &str) -> Self {
        let rows = text.lines().rev().map(|row| row.chars().collect());
        let rows: Vec<Vec<char>> = rows.collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let size = IVec2::new(width as i32, rows.len() as i32);
        let count = |floor: &usize| text.matches(&FLOORS[*floor..=*floor]).count();
        let ground = (1..FLOORS.len()).max_by_key(count).unwrap_or(1);
        let mood = Mood::DAY;
        Self {
            rows,
            ground,
            size,
            mood,
        }
    }

    pub(crate) fn bounds(&self) -> Rect {
        Rect::from_center_size(Vec2::ZERO, self.size.as_vec2() * TILE)
    }

    /// The tiles of the level and of a rim around it, which is `rim` tiles wide.
    pub(crate) fn tiles(&self, rim: i32) -> impl Iterator<Item = IVec2> + use<> {
        let size = self.size;
        let columns = move |y| (-rim..size.x + rim).map(move |x| IVec2::new(x, y));
        (-rim..size.y + rim).flat_map(columns)
    }

    /// The character of a tile. All tiles outside the level are walls.
    pub(crate) fn mark(&self, tile: IVec2) -> char {
        let row = self.rows.get(tile.y as usize);
        let mark = row.and_then(|row| row.get(tile.x as usize));
        mark.copied().unwrap_or('#')
    }

    /// Changes a tile of the level. Walls and soft ground are drawn again. The game has to replace the colliders.
    pub(crate) fn set(&mut self, tile: IVec2, mark: char) {
        let row = self.rows.get_mut(tile.y as usize);
        if let Some(old) = row.and_then(|row| row.get_mut(tile.x as usize)) {
            *old = mark;
        }
    }

    /// The tile at a point in the world.
    pub(crate) fn tile_at(&self, place: Vec2) -> IVec2 {
        ((place - self.bounds().min) / TILE).floor().as_ivec2()
    }

    pub(crate) fn is_wall(&self, tile: IVec2) -> bool {
        self.mark(tile) == '#'
    }

    pub(crate) fn is_lawn(&self, tile: IVec2) -> bool {
        Some(self.floor(tile)) == FLOORS.find('"')
    }

    /// The centers of all tiles with this character, in world units.
    pub(crate) fn find(&self, mark: char) -> Vec<Vec2> {
        let tiles = self.tiles(0).filter(|tile| self.mark(*tile) == mark);
        tiles.map(|tile| self.center(tile)).collect()
    }

    /// The centers of the tiles with these characters, in the order of the characters, in world units.
    pub(crate) fn route(&self, marks: &str) -> Vec<Vec2> {
        marks.chars().flat_map(|mark| self.find(mark)).collect()
    }

    /// A transform at the first tile with this character.
    pub(crate) fn transform_at(&self, mark: char) -> Transform {
        let place = self.find(mark).first().copied();
        Transform::from_translation(place.unwrap_or_default().extend(0.))
    }

    pub(crate) fn center(&self, tile: IVec2) -> Vec2 {
        (tile.as_vec2() + 0.5) * TILE + self.bounds().min
    }

    /// One collider for some tiles. Bodies would stumble over the seams between several colliders.
    pub(crate) fn collider_of(&self, is_solid: impl Fn(IVec2) -> bool) -> (Collider, Transform) {
        let tiles: Vec<IVec2> = self.tiles(1).filter(|tile| is_solid(*tile)).collect();
        let corner = Transform::from_translation(self.bounds().min.extend(0.));
        (Collider::voxels(Vec2::splat(TILE), &tiles), corner)
    }

    /// The floor of a tile, as an index into [`FLOORS`]. A mark stands on the most frequent floor beside it. Water and
    /// mud lie on the most frequent floor of the level.
    fn floor(&self, tile: IVec2) -> usize {
        if self.mark(tile) == '~' {
            return self.ground;
        }
        let kind = |tile| FLOORS.find(self.mark(tile));
        let beside = SIDES.map(|side| kind(tile + side));
        let count = |floor: &usize| beside.iter().filter(|kind| **kind == Some(*floor)).count();
        let most = (1..FLOORS.len()).rev().max_by_key(count);
        kind(tile).or(most).unwrap_or(1)
    }

    /// Indices of a tile's pictures, from the floor up. The first picture is from `sprites/floors.png`, which has 8 by
    /// 8 tiles for each kind of floor. The other three are from `sprites/edges.png`. Each row of that file has one
    /// picture for every combination of sides, or of corners, at which the floor ends.
    fn pictures(&self, tile: IVec2) -> [u16; 4] {
        let own = self.floor(tile);
        let corner = |side: usize| SIDES[side] + SIDES[(side + 1) % 4];
        let ends = |step| self.floor(tile + step) != own;
        let is_shaded = |step| own != 0 && self.is_wall(tile + step);
        let set = |row: usize, test: &dyn Fn(usize) -> bool| {
            let bits = (0..4).filter(|side| test(*side)).map(|side| 1 << side);
            16 * row as u16 + bits.sum::<u16>()
        };
        let place = tile.rem_euclid(IVec2::splat(8)).as_u16vec2();
        let floor = 64 * own.saturating_sub(1) as u16 + 8 * (7 - place.y) + place.x;
        let ends_at_side = |side| ends(SIDES[side % 4]);
        let ends_at_corner =
            |side| ends(corner(side)) && !ends_at_side(side) && !ends_at_side(side + 1);
        // The light comes from the north-west. Tiles with a wall at their north-west corner have their own row of
        // shadows.
        let shadow = 10 + usize::from(is_shaded(corner(1)));
        [
            floor,
            set(2 * own, &ends_at_side),
            set(2 * own + 1, &ends_at_corner),
            set(shadow, &|side| is_shaded(SIDES[side])),
        ]
    }
}

/// The name of a thing, the maximum angle by which it is turned, in radians, and its collider.
fn thing(mark: char) -> Option<(&'static str, f32, Collider)> {
    Some(match mark {
        'c' => ("crate", 0.35, Collider::cuboid(13., 13.)),
        'o' => ("column", 0., Collider::ball(12.)),
        'b' => ("barrel", PI, Collider::ball(11.)),
        'p' => ("plant", PI, Collider::ball(9.)),
        't' => ("table", 0., Collider::round_cuboid(34., 12., 6.)),
        'k' => ("shelf", 0., Collider::cuboid(62., 10.)),
        'B' => ("bed", 0., Collider::cuboid(31., 20.)),
        's' => ("statue", 0., Collider::ball(24.)),
        'r' => ("rock", PI, Collider::ball(16.)),
        'h' => ("hedge", 0.5, Collider::capsule_x(22., 10.)),
        'F' => ("fountain", 0., Collider::ball(46.)),
        'n' => ("bench", 0., Collider::cuboid(13., 4.5)),
        '1'..='3' => ("tree", 0.5, Collider::ball(6.)),
        _ => return None,
    })
}

/// Marks the single body of all walls of a level.
#[derive(Component)]
pub(crate) struct Walls;

/// Soft ground: the tiles with this mark are drawn in this color.
#[derive(Component)]
#[require(Visibility)]
pub(crate) struct SoftGround(pub(crate) char, pub(crate) Color);

/// Marks a layer of the drawn level.
#[derive(Component)]
pub(crate) struct Layer;

/// Spawns the walls and things of a level.
pub(crate) fn spawn_level(mut commands: Commands, level: Res<Level>) {
    let groups = CollisionGroups::new(WALLS, Group::ALL);
    let walls = level.collider_of(|tile| level.is_wall(tile));
    commands.spawn((Name::new("a wall"), Walls, walls, groups));
    for tile in level.tiles(0) {
        let (mark, mut at) = (level.mark(tile), level.center(tile));
        let chance = (at.x * 0.137 + at.y * 0.731).sin();
        if "Fs".contains(mark) {
            // Large things stand in the middle of four tiles.
            at -= TILE / 2.;
        }
        if let Some((name, turn, collider)) = thing(mark) {
            let z = if name == "tree" { AIR_Z } else { THINGS_Z };
            let turn = Quat::from_rotation_z(turn * chance);
            commands.spawn((
                (Name::new(format!("a {name}")), Prop(mark), collider),
                groups,
                Transform::from_translation(at.extend(z)).with_rotation(turn),
            ));
        } else if mark == 'l' {
            let place = Transform::from_translation(at.extend(AIR_Z));
            commands.spawn((Prop('l'), place.with_scale(Vec3::splat(2.4))));
        }
    }
}

pub(crate) fn draw_tiles(
    mut commands: Commands,
    level: Res<Level>,
    assets: Res<AssetServer>,
    (mut meshes, mut materials): (ResMut<Assets<Mesh>>, ResMut<Assets<ColorMaterial>>),
    layers: Query<Entity, With<Layer>>,
) {
    for layer in &layers {
        commands.entity(layer).despawn();
    }
    let pictures = level
        .tiles(0)
        .map(|tile| (level.floor(tile), level.pictures(tile)));
    let pictures: Vec<_> = pictures.collect();
    let [light, stone, lawn] = level.mood.0.map(Color::srgb_from_array);
    let files = [("floors", [8, 32]), ("edges", [16, 12])];
    for layer in 0..4 {
        let (file, grid) = files[layer.min(1)];
        let tiles = pictures.iter().map(|(floor, pictures)| {
            let color = match (layer, floor) {
                (0, 0 | 1) => stone,
                (0, 4) => lawn,
                _ => light,
            };
            (pictures[layer], color)
        });
        let material = ColorMaterial {
            texture: Some(assets.load(format!("sprites/{file}.png"))),
            alpha_mode: AlphaMode2d::Blend,
            ..default()
        };
        commands.spawn((
            Layer,
            Mesh2d(meshes.add(tile_mesh(&level, tiles, grid))),
            MeshMaterial2d(materials.add(material)),
            Transform::from_xyz(0., 0., layer as f32 * 0.5),
        ));
    }
}

/// A mesh with a square for each tile, in the tile's color. The square shows the tile's picture from an atlas of
/// `columns` and `rows`. Bevy's `TilemapChunk` is not used, because it needs textures with layers, and browsers mix
/// these up.
fn tile_mesh(
    level: &Level,
    tiles: impl Iterator<Item = (u16, Color)>,
    [columns, rows]: [u16; 2],
) -> Mesh {
    /// Width of the edge that is cut off each picture, as a share of the picture. Otherwise a part of the adjacent
    /// picture would show.
    const RIM: f32 = 0.5 / 64.;
    const CORNERS: [Vec2; 4] = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let (mut places, mut uvs, mut colors, mut indices) = (vec![], vec![], vec![], vec![]);
    for (tile, (picture, color)) in level.tiles(0).zip(tiles) {
        let first = places.len() as u32;
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        let picture = Vec2::new((picture % columns).into(), (picture / columns).into());
        let grid = Vec2::new(columns.into(), rows.into());
        for corner in CORNERS {
            let place = level.center(tile) + (corner - 0.5) * TILE;
            places.push(place.extend(0.).to_array());
            let within =
                Vec2::new(corner.x, 1. - corner.y).clamp(Vec2::splat(RIM), Vec2::splat(1. - RIM));
            uvs.push(((picture + within) / grid).to_array());
            colors.push(color.to_srgba().to_f32_array());
        }
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
    .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
    .with_inserted_indices(Indices::U32(indices))
}
