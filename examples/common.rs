//! What the examples share, so that each of them is about its idea: a window or none, a camera, a text with the
//! keys, levels out of text files, figures and things out of `assets/sprites`.
//!
//! To begin a game with an example, copy it, this file and the folder `assets`.

#![allow(dead_code, reason = "each example uses its own part")]

use std::f32::consts::TAU;
use std::time::Duration;

use bevy::camera::ScalingMode;
use bevy::ecs::system::SystemParam;
use bevy::gizmos::GizmoPlugin;
use bevy::image::{ImageArrayLayout, ImageLoaderSettings};
use bevy::input::InputPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::sprite_render::{AlphaMode2d, TileData, TilemapChunk, TilemapChunkTileData};
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

/// Side of a tile, and radius of everybody's body, in world units.
pub(crate) const TILE: f32 = 32.;
pub(crate) const RADIUS: f32 = 11.;
/// Group of the colliders that agents walk around, and of those of agents.
pub(crate) const WALLS: Group = Group::GROUP_1;
pub(crate) const AGENTS: Group = Group::GROUP_3;
/// The z of things that stand on the floor, of people, and of what hangs above them.
pub(crate) const THINGS: f32 = 4.;
pub(crate) const PEOPLE: f32 = 10.;
pub(crate) const AIR: f32 = 20.;

pub(crate) const DARK: Color = Color::srgb_u8(0x1a, 0x1d, 0x29);
pub(crate) const GOLD: Color = Color::srgb_u8(0xff, 0xd2, 0x4a);
pub(crate) const RED: Color = Color::srgb_u8(0xe5, 0x48, 0x4d);
pub(crate) const PALE: Color = Color::srgb_u8(0xe6, 0xe2, 0xef);

/// Physics takes steps as long as frames, unless they are very long.
pub(crate) const STEPS: TimestepMode = TimestepMode::Variable {
    max_dt: 1. / 20.,
    time_scale: 1.,
    substeps: 1,
};
/// Seconds that an example plays without a display.
const HEADLESS_SECONDS: f32 = 5.;

/// The frame around an example: plugins of Bevy, a level, a camera over all of it, and a text.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) keys: &'static str,
    /// The text of a [`Level`].
    pub(crate) level: &'static str,
}

impl Plugin for Example {
    fn build(&self, app: &mut App) {
        let level = Level::parse(self.level);
        let view = ScalingMode::AutoMin {
            min_width: level.bounds().width() - TILE,
            min_height: level.bounds().height(),
        };
        let keys = format!("{}     F1  what Pursuit sees     P  pause", self.keys);
        let spawn_view = move |mut commands: Commands| {
            let projection = OrthographicProjection {
                scaling_mode: view,
                ..OrthographicProjection::default_2d()
            };
            commands.spawn((Camera2d, Projection::Orthographic(projection)));
            commands.spawn(help(&keys));
        };
        app.add_plugins(Platform(self.name))
            .insert_resource(level)
            .insert_resource(STEPS)
            .add_plugins(LooksPlugin)
            .add_systems(Startup, (spawn_view, spawn_colliders))
            .add_systems(Update, (pause_or_go_on, steer));
    }
}

/// Bevy with a window of this name; or without one where there is no display, and then for a few seconds.
pub(crate) struct Platform(pub(crate) &'static str);

impl Plugin for Platform {
    fn build(&self, app: &mut App) {
        if has_display() {
            app.add_plugins(DefaultPlugins.set(WindowPlugin {
                primary_window: Some(Window {
                    title: format!("Pursuit: {}", self.0),
                    ..default()
                }),
                ..default()
            }));
            return;
        }
        let bare = (MinimalPlugins, TransformPlugin, LogPlugin::default());
        app.add_plugins((bare, InputPlugin, AssetPlugin::default(), GizmoPlugin))
            .init_asset::<Image>()
            .init_asset::<TextureAtlasLayout>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(
                Duration::from_secs(1) / 60,
            ))
            .insert_resource(PursuitSettings {
                plan_mode: PlanMode::Inline,
                ..default()
            })
            .add_systems(Last, exit_in_time);
    }
}

/// Whether a window can be opened: without a display, `DefaultPlugins` panics.
pub(crate) fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|name| !name.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

fn exit_in_time(
    time: Res<Time>,
    agents: Query<(&Transform, &Locomotion)>,
    mut exit: MessageWriter<AppExit>,
) {
    if time.elapsed_secs() >= HEADLESS_SECONDS {
        for (place, locomotion) in &agents {
            info!(
                "an agent at {:.0}: {locomotion:?}",
                place.translation.truncate()
            );
        }
        info!("There is no display: played {HEADLESS_SECONDS} s without a window.");
        exit.write(AppExit::Success);
    }
}

/// A line of text along the lower edge of the window.
pub(crate) fn help(text: &str) -> impl Bundle + use<> {
    let line = Node {
        position_type: PositionType::Absolute,
        bottom: px(12),
        width: percent(100),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let card = Node {
        padding: UiRect::axes(px(18), px(8)),
        border_radius: BorderRadius::all(px(10)),
        ..default()
    };
    let words = (
        Text::new(text),
        TextFont::from_font_size(14.),
        TextColor(PALE),
    );
    let back = BackgroundColor(DARK.with_alpha(0.8));
    (line, children![(card, back, children![words])])
}

/// A level out of text. `#` is a wall, `.` a floor of stone, `,` of wood, `_` carpet and `"` lawn. A letter stands on
/// the floor around it: a thing with a [`collider`](Prop::collider), a lamp, or what an example looks for.
///
/// Tiles count from the lower left one. The middle of the level is the world's origin.
#[derive(Resource, Clone)]
pub(crate) struct Level {
    rows: Vec<Vec<char>>,
    pub(crate) size: IVec2,
}

impl Level {
    pub(crate) fn parse(text: &str) -> Self {
        let rows: Vec<Vec<char>> = text
            .lines()
            .rev()
            .map(|row| row.chars().collect())
            .collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let size = IVec2::new(width as i32, rows.len() as i32);
        Self { rows, size }
    }

    pub(crate) fn bounds(&self) -> Rect {
        Rect::from_center_size(Vec2::ZERO, self.size.as_vec2() * TILE)
    }

    /// Tiles of the level, and `rim` more on each side.
    pub(crate) fn tiles(&self, rim: i32) -> impl Iterator<Item = IVec2> + use<> {
        let size = self.size;
        let columns = move |y| (-rim..size.x + rim).map(move |x| IVec2::new(x, y));
        (-rim..size.y + rim).flat_map(columns)
    }

    /// The character of a tile. All around the level is wall.
    pub(crate) fn mark(&self, tile: IVec2) -> char {
        let row = self.rows.get(tile.y as usize);
        let mark = row.and_then(|row| row.get(tile.x as usize));
        mark.copied().unwrap_or('#')
    }

    pub(crate) fn is_wall(&self, tile: IVec2) -> bool {
        self.mark(tile) == '#'
    }

    /// The middle of a tile, in world units.
    pub(crate) fn center(&self, tile: IVec2) -> Vec2 {
        (tile.as_vec2() + 0.5) * TILE + self.bounds().min
    }

    /// Where a character stands, in world units.
    pub(crate) fn find(&self, mark: char) -> Vec<Vec2> {
        let tiles = self.tiles(0).filter(|tile| self.mark(*tile) == mark);
        tiles.map(|tile| self.center(tile)).collect()
    }

    /// A transform at the first such place.
    pub(crate) fn start(&self, mark: char) -> Transform {
        let place = self.find(mark).first().copied();
        Transform::from_translation(place.unwrap_or_default().extend(0.))
    }

    /// A collider of some tiles as one body: over seams between bodies one would stumble.
    pub(crate) fn solid(
        &self,
        is_solid: impl Fn(IVec2) -> bool,
    ) -> (Collider, CollisionGroups, Transform) {
        let tiles: Vec<IVec2> = self.tiles(1).filter(|tile| is_solid(*tile)).collect();
        let corner = Transform::from_translation(self.bounds().min.extend(0.));
        let groups = CollisionGroups::new(WALLS, Group::ALL);
        (Collider::voxels(Vec2::splat(TILE), &tiles), groups, corner)
    }

    pub(crate) fn props(&self) -> impl Iterator<Item = Prop> {
        let props = self.tiles(0).map(|tile| {
            let (mark, center) = (self.mark(tile), self.center(tile));
            let at = match mark {
                'F' => center + Vec2::new(-TILE, TILE) / 2.,
                's' => center - TILE / 2.,
                _ => center,
            };
            let chance = (at.x * 0.137 + at.y * 0.731).sin();
            let angle = match mark {
                'c' => chance * 0.35,
                'b' | 'p' | 'r' => chance * TAU,
                'h' => chance.signum() * 0.5,
                'B' => TAU / 4.,
                _ => 0.,
            };
            Prop { mark, at, angle }
        });
        props.filter(|prop| prop.mark == 'l' || prop.collider().is_some())
    }

    /// What a tile's floor is made of: stone, wood, carpet, lawn, and `None` for a wall.
    fn floor(&self, tile: IVec2) -> Option<u16> {
        let kind = |tile: &IVec2| ".,_\"".find(self.mark(*tile)).unwrap_or(0) as u16;
        if self.is_wall(tile) || ".,_\"".contains(self.mark(tile)) {
            return (!self.is_wall(tile)).then_some(kind(&tile));
        }
        let around = SIDES.map(|side| tile + side);
        let floors = around.iter().filter(|tile| !self.is_wall(**tile));
        let count = |floor: &u16| floors.clone().filter(|tile| kind(tile) == *floor).count();
        (0..4).rev().max_by_key(count)
    }

    /// Pictures of a tile, from the floor up: one of `sprites/floors.png`, and three of `sprites/edges.png`, where a
    /// row has a picture for each set of sides, or of corners, at which the tile ends.
    fn pictures(&self, tile: IVec2) -> [Option<u16>; 4] {
        let own = self.floor(tile);
        let ends = |step: IVec2| self.floor(tile + step) != own;
        let turns = |step: IVec2| {
            ends(step) && !ends(IVec2::new(step.x, 0)) && !ends(IVec2::new(0, step.y))
        };
        let wall = |step: IVec2| self.is_wall(tile + step);
        let is_deep = |step| SIDES.iter().chain(&CORNERS).all(|near| wall(step + near));
        let set = |row: u16, steps: [IVec2; 4], test: &dyn Fn(IVec2) -> bool| {
            let bits = (0..4).filter(|bit| test(steps[*bit])).map(|bit| 1 << bit);
            Some(16 * row + bits.sum::<u16>())
        };
        let Some(kind) = own else {
            if is_deep(IVec2::ZERO) {
                return [None; 4];
            }
            let edges = set(2, SIDES, &|step| wall(step) && is_deep(step));
            return [None, set(0, SIDES, &ends), set(1, CORNERS, &turns), edges];
        };
        let border = |step| ends(step) && !wall(step);
        let (trim, corners) = match kind {
            1 => (set(8, SIDES, &border), None),
            2 => (set(5, SIDES, &ends), set(6, CORNERS, &turns)),
            3 => (set(7, SIDES, &border), None),
            _ => (None, None),
        };
        let shadow = 3 + u16::from(wall(CORNERS[1]));
        // Two patterns of 8 by 8 tiles in a row.
        let place = tile.rem_euclid(IVec2::splat(8)).as_u16vec2();
        let floor = (kind / 2 * 8 + 7 - place.y) * 16 + kind % 2 * 8 + place.x;
        [Some(floor), trim, corners, set(shadow, SIDES, &wall)]
    }
}

const SIDES: [IVec2; 4] = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];
const CORNERS: [IVec2; 4] = {
    let [west, south] = [-1, -1];
    [
        IVec2::new(1, 1),
        IVec2::new(west, 1),
        IVec2::new(west, south),
        IVec2::new(1, south),
    ]
};

/// A thing that stands in a level.
pub(crate) struct Prop {
    pub(crate) mark: char,
    pub(crate) at: Vec2,
    pub(crate) angle: f32,
}

impl Prop {
    pub(crate) fn place(&self, z: f32) -> Transform {
        Transform::from_translation(self.at.extend(z))
            .with_rotation(Quat::from_rotation_z(self.angle))
    }

    /// What is in the way.
    pub(crate) fn collider(&self) -> Option<Collider> {
        let outline = |reaches: &[f32], first: f32| {
            let turn = TAU / reaches.len() as f32;
            let corners = reaches.iter().zip(0u8..);
            let corner =
                |(reach, at): (&f32, u8)| reach * Vec2::from_angle((f32::from(at) + first) * turn);
            Collider::convex_hull(&corners.map(corner).collect::<Vec<_>>())
        };
        Some(match self.mark {
            'c' => Collider::cuboid(13., 13.),
            'o' => Collider::ball(12.),
            'b' => Collider::ball(11.),
            'p' => Collider::ball(9.),
            't' => Collider::round_cuboid(34., 12., 6.),
            'd' => Collider::compound(vec![
                (Vec2::new(0., 14.), 0., Collider::cuboid(36., 10.)),
                (Vec2::new(-26., -10.), 0., Collider::cuboid(10., 14.)),
            ]),
            'k' => Collider::cuboid(62., 10.),
            'B' => Collider::cuboid(20., 31.),
            's' => outline(&[24.; 8], 0.5)?,
            'r' => outline(&[17., 14.5, 18., 15., 18.5, 14., 16.5], 0.)?,
            'h' => Collider::capsule_x(22., 10.),
            'F' => Collider::ball(46.),
            _ => return None,
        })
    }
}

pub(crate) fn spawn_colliders(mut commands: Commands, level: Res<Level>) {
    let walls = level.solid(|tile| level.is_wall(tile));
    commands.spawn((Name::new("wall"), walls));
    for prop in level.props() {
        let Some(collider) = prop.collider() else {
            continue;
        };
        let groups = CollisionGroups::new(WALLS, Group::ALL);
        let name = Name::new(format!("a thing ({})", prop.mark));
        commands.spawn((name, collider, groups, prop.place(0.)));
    }
}

/// Draws the [`Level`], everybody with a [`Figure`], and the ways that agents walk.
pub(crate) struct LooksPlugin;

impl Plugin for LooksPlugin {
    fn build(&self, app: &mut App) {
        let dots = GizmoLineConfig {
            width: 5.,
            style: GizmoLineStyle::Dotted,
            ..default()
        };
        app.insert_resource(ClearColor(DARK))
            .init_resource::<Sprites>()
            .insert_gizmo_config(
                Ways,
                GizmoConfig {
                    line: dots,
                    ..default()
                },
            )
            .add_observer(dress)
            .add_systems(Startup, draw_level)
            .add_systems(Update, (animate, draw_ways));
    }
}

/// The pictures of figures and things.
#[derive(Resource)]
pub(crate) struct Sprites {
    figures: (Handle<Image>, Handle<TextureAtlasLayout>),
    props: (Handle<Image>, Handle<TextureAtlasLayout>),
}

impl FromWorld for Sprites {
    fn from_world(world: &mut World) -> Self {
        let mut load = |file: &'static str, side, columns, rows| {
            let image = world.resource::<AssetServer>().load(file);
            let grid = TextureAtlasLayout::from_grid(UVec2::splat(side), columns, rows, None, None);
            (
                image,
                world.resource_mut::<Assets<TextureAtlasLayout>>().add(grid),
            )
        };
        Self {
            figures: load("sprites/figures.png", 88, 8, 12),
            props: load("sprites/props.png", 256, 6, 4),
        }
    }
}

impl Sprites {
    /// A thing by its letter, those of levels among them: see [`PROPS`]. `scale` is 1 for the size that its
    /// collider has.
    pub(crate) fn prop(&self, mark: char, scale: f32) -> Sprite {
        picture(&self.props, PROPS.find(mark).unwrap_or(0), 128. * scale)
    }
}

/// The things of `sprites/props.png`, row by row. `1` to `3` are trees, `n` is a bench, `S` a shadow, `*` a white
/// disc, both 100 units wide, `|` a door that is shut, `/` one that is open, `>` an arrow, `f` a flag, `x` a cross.
const PROPS: &str = "cobptdkBsrhF123nSl*|/>fx";

fn picture(sheet: &(Handle<Image>, Handle<TextureAtlasLayout>), index: usize, side: f32) -> Sprite {
    let layout = sheet.1.clone();
    Sprite {
        custom_size: Some(Vec2::splat(side)),
        ..Sprite::from_atlas_image(sheet.0.clone(), TextureAtlas { layout, index })
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
            let half = Vec2::from(collider.raw.compute_local_aabb().half_extents());
            let mut shadow = sprites.prop('S', 1.);
            shadow.custom_size = Some(128. / 50. * (1.2 * half + 5.));
            shadow.color = Color::WHITE.with_alpha(0.42);
            let place = prop.place(THINGS - 0.1);
            commands.spawn((
                shadow,
                place.with_translation(place.translation + Vec3::new(5., -7., 0.)),
            ));
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
    let mut shadow = sprites.prop('S', 1.);
    shadow.custom_size = Some(128. / 100. * Vec2::new(30., 20.));
    shadow.color = Color::WHITE.with_alpha(if *figure == Figure::BEETLE { 0. } else { 0.55 });
    let picture = Picture {
        last: place.translation.truncate(),
        ahead: Vec2::NEG_Y,
        walked: place.translation.x,
    };
    commands.entity(newcomer.entity).with_children(|body| {
        body.spawn((shadow, Transform::from_xyz(2.5, -8., PEOPLE - 1.)));
        body.spawn((picture, self::picture(&sprites.figures, 0, 44.)));
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
        let ahead = waypoints.get(next..).unwrap_or_default().iter().copied();
        let way = std::iter::once(place.translation.truncate()).chain(ahead);
        gizmos.linestrip_2d(way, figure.color());
    }
}

/// The body of a player: agents reach for it, they do not shove it.
pub(crate) fn player_body() -> impl Bundle {
    (
        (RigidBody::Dynamic, Collider::ball(RADIUS), Velocity::zero()),
        CollisionGroups::new(Group::GROUP_2, WALLS),
        Friction::coefficient(0.),
        (GravityScale(0.), LockedAxes::ROTATION_LOCKED),
    )
}

/// The body of an agent: solid against walls and other agents.
pub(crate) fn agent_body() -> impl Bundle {
    (
        (RigidBody::Dynamic, Collider::ball(RADIUS)),
        CollisionGroups::new(AGENTS, WALLS | AGENTS),
        Friction::coefficient(0.),
    )
}

/// A body that the keys steer, at this speed in world units per second.
#[derive(Component)]
pub(crate) struct Steered(pub(crate) f32);

fn steer(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut bodies: Query<(&Steered, &mut Velocity)>,
) {
    for (speed, mut velocity) in &mut bodies {
        let share = 1. - (-time.delta_secs() / 0.06).exp();
        velocity.linear = velocity
            .linear
            .lerp(speed.0 * walking_direction(&keys), share);
    }
}

/// Where W A S D and the arrow keys point.
pub(crate) fn walking_direction(keys: &ButtonInput<KeyCode>) -> Vec2 {
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, KeyA, KeyD, KeyS, KeyW};
    let axis = |more, less| f32::from(keys.any_pressed(more)) - f32::from(keys.any_pressed(less));
    let direction = Vec2::new(
        axis([KeyD, ArrowRight], [KeyA, ArrowLeft]),
        axis([KeyW, ArrowUp], [KeyS, ArrowDown]),
    );
    direction.clamp_length_max(1.)
}

pub(crate) fn pause_or_go_on(keys: Res<ButtonInput<KeyCode>>, mut time: ResMut<Time<Virtual>>) {
    let for_overlay = keys.any_pressed([KeyCode::AltLeft, KeyCode::AltRight]);
    if keys.any_just_pressed([KeyCode::KeyP, KeyCode::Escape]) && !for_overlay {
        match time.is_paused() {
            true => time.unpause(),
            false => time.pause(),
        }
    }
}

/// The mouse, in world units.
#[derive(SystemParam)]
pub(crate) struct Mouse<'w, 's> {
    windows: Query<'w, 's, &'static Window>,
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform)>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
}

impl Mouse<'_, '_> {
    pub(crate) fn at(&self) -> Option<Vec2> {
        let cursor = self.windows.iter().find_map(Window::cursor_position)?;
        let (camera, place) = self.cameras.iter().next()?;
        camera.viewport_to_world_2d(place, cursor).ok()
    }

    /// Where it was clicked in this frame.
    pub(crate) fn click(&self) -> Option<Vec2> {
        self.at()
            .filter(|_| self.buttons.just_pressed(MouseButton::Left))
    }
}
