//! Furniture: what stands in the level, and the collider that each thing has.

use std::f32::consts::{FRAC_PI_2, TAU};

use crate::walls::OBSTACLES;
use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

/// No thing reaches farther from its middle, in world units.
const LARGEST: f32 = 70.0;

/// A kind of thing. Its letter in the level's text is given by [`PropKind::from_mark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each kind is named after what it is")]
pub enum PropKind {
    Crate,
    Pillar,
    Barrel,
    Plant,
    Table,
    Desk,
    Shelf,
    Bed,
    Statue,
    Rock,
    Hedge,
    Fountain,
    Lamp,
}

/// A thing in its place.
#[derive(Clone, Copy, Debug)]
pub struct Prop {
    /// What it is.
    pub kind: PropKind,
    /// Center, in world units.
    pub position: Vec2,
    /// Turn, in radians.
    pub angle: f32,
}

impl PropKind {
    /// The thing that a character of the level's text stands for.
    pub fn from_mark(mark: char) -> Option<Self> {
        Some(match mark {
            'c' => Self::Crate,
            'o' => Self::Pillar,
            'b' => Self::Barrel,
            'p' => Self::Plant,
            't' => Self::Table,
            'd' => Self::Desk,
            'k' => Self::Shelf,
            'B' => Self::Bed,
            's' => Self::Statue,
            'r' => Self::Rock,
            'h' => Self::Hedge,
            'F' => Self::Fountain,
            'l' => Self::Lamp,
            _ => return None,
        })
    }

    /// The collider; a lamp hangs from the ceiling and has none.
    pub fn collider(self) -> Option<Collider> {
        Some(match self {
            Self::Crate => Collider::cuboid(13.0, 13.0),
            Self::Pillar => Collider::ball(12.0),
            Self::Barrel => Collider::ball(11.0),
            Self::Plant => Collider::ball(9.0),
            Self::Table => Collider::round_cuboid(34.0, 12.0, 6.0),
            Self::Desk => Collider::compound(DESK_PARTS.iter().map(desk_part).collect()),
            Self::Shelf => Collider::cuboid(62.0, 10.0),
            Self::Bed => Collider::cuboid(20.0, 31.0),
            Self::Statue => Collider::convex_hull(&statue_outline())?,
            Self::Rock => Collider::convex_hull(&rock_outline())?,
            Self::Hedge => Collider::capsule_x(22.0, 10.0),
            Self::Fountain => Collider::ball(46.0),
            Self::Lamp => return None,
        })
    }
}

impl Prop {
    /// A thing on the tile with the given rectangle: larger ones stand on the tile's corner, and
    /// loose ones are turned, each by an angle of its own.
    pub fn on_tile(kind: PropKind, tile: Rect) -> Self {
        let position = match kind {
            PropKind::Fountain => Vec2::new(tile.min.x, tile.max.y),
            PropKind::Statue => tile.min,
            _ => tile.center(),
        };
        let chance = (position.x * 0.137 + position.y * 0.731).sin();
        let angle = match kind {
            PropKind::Crate => chance * 0.35,
            PropKind::Barrel | PropKind::Plant | PropKind::Rock => chance * TAU,
            PropKind::Hedge => chance.signum() * 0.5,
            PropKind::Bed => FRAC_PI_2,
            _ => 0.0,
        };
        Self {
            kind,
            position,
            angle,
        }
    }

    /// Whether a body has room beside the thing. Lengths are in world units.
    pub fn leaves_room(&self, position: Vec2, radius: f32) -> bool {
        let is_far = self.position.distance(position) > LARGEST + radius;
        let collider = self.kind.collider().filter(|_| !is_far);
        collider.is_none_or(|collider| {
            collider.distance_to_point(self.position, self.angle, position, true) >= radius
        })
    }
}

/// Spawns the colliders of all things, as children of `parent`.
pub fn spawn_prop_colliders(parent: &mut ChildSpawnerCommands, props: &[Prop]) {
    for prop in props {
        let Some(collider) = prop.kind.collider() else {
            continue;
        };
        parent.spawn((
            Name::new(format!("{:?}", prop.kind)),
            RigidBody::Fixed,
            collider,
            CollisionGroups::new(OBSTACLES, Group::ALL),
            Transform::from_translation(prop.position.extend(0.0))
                .with_rotation(Quat::from_rotation_z(prop.angle)),
        ));
    }
}

/// Center and half size of the two boards of a desk.
pub const DESK_PARTS: [(Vec2, Vec2); 2] = [
    (Vec2::new(0.0, 14.0), Vec2::new(36.0, 10.0)),
    (Vec2::new(-26.0, -10.0), Vec2::new(10.0, 14.0)),
];

/// Corners of a statue's base.
pub fn statue_outline() -> [Vec2; 8] {
    std::array::from_fn(|corner| 24.0 * Vec2::from_angle((corner as f32 + 0.5) * TAU / 8.0))
}

/// Corners of a boulder.
pub fn rock_outline() -> [Vec2; 7] {
    const REACH: [f32; 7] = [17.0, 14.5, 18.0, 15.0, 18.5, 14.0, 16.5];
    std::array::from_fn(|corner| REACH[corner] * Vec2::from_angle(corner as f32 * TAU / 7.0))
}

fn desk_part(part: &(Vec2, Vec2)) -> (Vec2, f32, Collider) {
    let (center, half_size) = *part;
    (center, 0.0, Collider::cuboid(half_size.x, half_size.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_a_lamp_is_in_the_way() {
        for mark in "cobptdkBsrhF".chars() {
            let kind = PropKind::from_mark(mark).expect("a known mark");
            assert!(kind.collider().is_some(), "{kind:?}");
        }
        assert!(PropKind::Lamp.collider().is_none());
        assert_eq!(PropKind::from_mark('?'), None);
    }
}
