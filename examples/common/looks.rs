//! Draws things and walking figures with pictures from `assets/sprites`, and also the paths of agents and the rings of
//! blows.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_pursuit::inspect::PathCursor;
use bevy_pursuit::prelude::*;

use super::level::{Level, Mood, SoftGround, draw_tiles};
use super::{GOLD, PALE, PEOPLE_Z, RADIUS, TILE};

/// Draws the level, every entity with a [`Figure`] or a [`Prop`], and the paths of agents.
pub(crate) struct LooksPlugin;

impl Plugin for LooksPlugin {
    fn build(&self, app: &mut App) {
        let draw_level = (draw_tiles, draw_soft_ground);
        let [mut lines, mut dots] = [GizmoConfig::default(), GizmoConfig::default()];
        lines.line.width = 3.;
        dots.line.width = 5.;
        dots.line.style = GizmoLineStyle::Dotted;
        app.insert_resource(ClearColor(Mood::DAY.outside()))
            .insert_gizmo_config(DefaultGizmoConfigGroup, lines)
            .insert_gizmo_config(PathGizmos, dots)
            .add_observer(show_prop)
            .add_observer(show_figure)
            .add_systems(Update, draw_level.run_if(resource_changed::<Level>))
            .add_systems(Update, (animate, draw_paths, draw_waves));
    }
}

/// Draws pools as discs that overlap, above floors and below walls. Darker discs below them make a rim.
fn draw_soft_ground(
    mut commands: Commands,
    level: Res<Level>,
    assets: Res<AssetServer>,
    pools: Query<(Entity, &SoftGround)>,
) {
    for (entity, SoftGround(mark, color)) in &pools {
        let rim = color.mix(&Color::BLACK, 0.25);
        commands.entity(entity).despawn_related::<Children>();
        for tile in level.tiles(0).filter(|tile| level.mark(*tile) == *mark) {
            let at = (tile.as_vec2() + 0.5) * TILE;
            let size = 1. + 0.12 * (at.x * 0.137 + at.y * 0.731).sin();
            for (color, scale, z) in [(rim, 0.56, 0.25), (*color, 0.48, 0.3)] {
                let mut disc = prop_sprite(&assets, '*');
                disc.color = color;
                let place = Transform::from_translation(at.extend(z));
                let disc = (disc, place.with_scale(Vec3::splat(scale * size)));
                commands.entity(entity).with_child(disc);
            }
        }
    }
}

/// A picture from `sprites/props.png`. Its character is the mark of a thing in levels, or one of these: `*` is a white
/// disc, 100 units wide, `|` a shut door, `/` an open door, `>` an arrow, `f` a flag, and `x` a cross.
#[derive(Component)]
pub(crate) struct Prop(pub(crate) char);

/// The sprite of a [`Prop`].
pub(crate) fn prop_sprite(assets: &AssetServer, mark: char) -> Sprite {
    let index = "cobptdkBsrhF123n l*|/>fx".find(mark).unwrap_or(0);
    let square = square(256., index % 6, index / 6);
    sprite(assets.load("sprites/props.png"), square)
}

fn show_prop(
    inserted: On<Insert, Prop>,
    mut commands: Commands,
    assets: Res<AssetServer>,
    props: Query<&Prop>,
) -> Result {
    let look = prop_sprite(&assets, props.get(inserted.entity)?.0);
    commands.entity(inserted.entity).insert(look);
    Ok(())
}

/// A sprite that shows a square of an image, with two pixels for each world unit.
fn sprite(image: Handle<Image>, square: Rect) -> Sprite {
    Sprite {
        image,
        custom_size: Some(square.size() / 2.),
        rect: Some(square),
        ..default()
    }
}

fn square(side: f32, column: usize, row: usize) -> Rect {
    let corner = side * Vec2::new(column as f32, row as f32);
    Rect::from_corners(corner, corner + side)
}

/// The looks of a body: a row of `sprites/figures.png`, and a color.
#[derive(Component, Clone, Copy, PartialEq)]
#[require(Transform, Visibility)]
pub(crate) struct Figure(usize, u32);

impl Figure {
    pub(crate) const PLAYER: Self = Self(0, 0xffd24a);
    pub(crate) const HUNTER: Self = Self(1, 0xe5484d);
    pub(crate) const TIRED: Self = Self(2, 0x8d78b8);
    pub(crate) const ARCHER: Self = Self(3, 0x9ccc7f);
    pub(crate) const SHEEP: Self = Self(4, 0xe6e2ef);
    pub(crate) const GHOST: Self = Self(5, 0x9bdcec);
    /// A beetle is seen from above, and turns with its body.
    pub(crate) const BEETLE: Self = Self(11, 0xe5484d);
    pub(crate) const DUCK: Self = Self(12, 0xfff3dc);

    /// One of five scouts in different colors.
    pub(crate) fn scout(number: usize) -> Self {
        let colors = [0x58c4dd, 0xff9d5c, 0xf27fb2, 0x9ad05b, 0xb392f0];
        Self(6 + number % 5, colors[number % 5])
    }

    pub(crate) fn color(self) -> Color {
        let [_, red, green, blue] = self.1.to_be_bytes();
        Color::srgb_u8(red, green, blue)
    }

    /// A sprite of the figure. Bodies that carry their sprite themselves, not in a child, are drawn in one batch.
    pub(crate) fn sprite(self, assets: &AssetServer) -> Sprite {
        sprite(assets.load("sprites/figures.png"), self.square(6))
    }

    /// The square of the image that shows the figure looking in one direction. Each column has its own direction:
    /// column 0 looks east, and column 2 north.
    pub(crate) fn square(self, column: usize) -> Rect {
        let column = if self == Self::BEETLE { 2 } else { column };
        square(88., column, self.0)
    }
}

/// On the picture of a figure, which is a child of its body: a point that follows the body.
#[derive(Component)]
struct Picture(Vec2);

fn show_figure(
    newcomer: On<Add, Figure>,
    mut commands: Commands,
    assets: Res<AssetServer>,
    bodies: Query<(&Transform, &Figure)>,
) -> Result {
    let (place, figure) = bodies.get(newcomer.entity)?;
    let picture = Picture(place.translation.truncate());
    commands
        .entity(newcomer.entity)
        .with_child((picture, figure.sprite(&assets)));
    Ok(())
}

/// Lets figures hop as they walk, and turns them toward where they go. Figures that stand look at their target.
fn animate(
    time: Res<Time>,
    bodies: Query<(&Transform, &Figure, Option<&Chase>)>,
    mut pictures: Query<(&ChildOf, &mut Picture, &mut Sprite, &mut Transform), Without<Figure>>,
) {
    let share = 1. - (-time.delta_secs() / 0.09).exp();
    for (number, (child, mut follower, mut sprite, mut place)) in pictures.iter_mut().enumerate() {
        let Ok((body, figure, chase)) = bodies.get(child.parent()) else {
            continue;
        };
        let at = body.translation.truncate();
        let mut ahead = at - follower.0;
        follower.0 = follower.0.lerp(at, share);
        let walks = ahead.length() > 1.;
        let target = chase.and_then(|chase| bodies.get(chase.target).ok());
        if let Some((target, ..)) = target.filter(|_| !walks) {
            ahead = target.translation.truncate() - at;
        }
        if ahead.length() > 1. {
            let eighth = (ahead.to_angle() / TAU * 8.).round() as i32;
            sprite.rect = Some(figure.square(eighth.rem_euclid(8) as usize));
        }
        let beat = (12. * time.elapsed_secs() + number as f32).sin().abs();
        let hop = if walks { 2.2 * beat } else { 0. };
        // A figure farther south is drawn in front.
        place.translation = Vec3::new(0., hop, PEOPLE_Z - at.y / 10_000.);
    }
}

/// Length along which a path fades, in world units.
const FADE_LENGTH: f32 = 500.;

/// The gizmo group of paths, which are dotted lines.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub(crate) struct PathGizmos;

/// Draws the remaining path of each agent in the agent's color. It fades with the distance, so that many paths do not
/// hide the floor.
fn draw_paths(
    mut gizmos: Gizmos<PathGizmos>,
    agents: Query<(
        &Transform,
        &Figure,
        &NavPath,
        &PathCursor,
        &Locomotion,
        Option<&Chase>,
    )>,
    targets: Query<&Transform>,
) {
    for (place, figure, path, cursor, locomotion, chase) in &agents {
        let next = match locomotion {
            Locomotion::Moving => cursor.next(),
            Locomotion::Straight => path.waypoints().len().saturating_sub(1),
            _ => continue,
        };
        let mut ahead: Vec<_> = path.waypoints().map(Vec3::truncate).skip(next).collect();
        // An agent that sees its target walks straight to it, wherever its path ends.
        let target = chase.and_then(|chase| targets.get(chase.target).ok());
        if let Some(target) = target.filter(|_| *locomotion == Locomotion::Straight) {
            ahead = vec![target.translation.truncate()];
        }
        if let Some(next) = ahead.first() {
            // The line begins outside the figure, so that it does not cover the figure's face.
            let at = place.translation.truncate();
            let mut last = at.move_towards(*next, 1.5 * RADIUS);
            let mut length = 0.;
            let fading = std::iter::once(last).chain(ahead).map(|point| {
                length += point.distance(last);
                last = point;
                let alpha = (1. - length / FADE_LENGTH).max(0.15);
                (point, figure.color().with_alpha(alpha))
            });
            gizmos.linestrip_gradient_2d(fading);
        }
    }
}

/// The picture of a blow: a ring that fades while it grows to this radius within this time.
#[derive(Component)]
pub(crate) struct Wave(f32, Timer);

impl Wave {
    pub(crate) fn new(radius: f32, seconds: f32) -> Self {
        Self(radius, Timer::from_seconds(seconds, TimerMode::Once))
    }
}

fn draw_waves(
    mut commands: Commands,
    mut gizmos: Gizmos,
    time: Res<Time>,
    mut waves: Query<(Entity, &mut Wave, &Transform)>,
) {
    for (entity, mut wave, place) in &mut waves {
        if wave.1.tick(time.delta()).is_finished() {
            commands.entity(entity).despawn();
        }
        let remaining = wave.1.fraction_remaining();
        let radius = wave.0 * (1. - remaining * remaining);
        for (radius, color) in [(radius, PALE), (0.9 * radius, GOLD)] {
            let (center, color) = (place.translation.truncate(), color.with_alpha(remaining));
            gizmos.circle_2d(center, radius, color).resolution(80);
        }
    }
}
