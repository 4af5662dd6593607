//! Levels out of text files: walls, floors, things that stand on them, and their colliders.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::{TILE, WALLS};

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

    /// Where a character stands, in world units, from the top down.
    pub(crate) fn find(&self, mark: char) -> Vec<Vec2> {
        let tiles = self.tiles(0).filter(|tile| self.mark(*tile) == mark);
        let mut places: Vec<Vec2> = tiles.map(|tile| self.center(tile)).collect();
        places.sort_by(|a, b| b.y.total_cmp(&a.y));
        places
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
    pub(crate) fn pictures(&self, tile: IVec2) -> [Option<u16>; 4] {
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

/// Steps to the tiles beside a tile, and to those at its corners.
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
