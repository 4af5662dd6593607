//! What stands and flows on the campus beside the furniture of all examples: trees, benches, water.

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::stage::Stage;
use pursuit_examples::walls::{OBSTACLES, merge_cells, world_rect};

/// Marks in the level's text.
pub(crate) const TREE: char = 'A';
pub(crate) const BENCH: char = 'n';
pub(crate) const WATER: char = '~';

/// Half the size of a bench, in world units.
pub(crate) const BENCH_HALF: Vec2 = Vec2::new(13.0, 4.5);
/// Radius of a tree's trunk, in world units.
pub(crate) const TRUNK: f32 = 6.0;

/// A tree: where its trunk stands, and how far its branches reach, in world units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    pub(crate) at: Vec2,
    pub(crate) reach: f32,
    /// From 0 to 1: a different number for each.
    pub(crate) chance: f32,
}

/// All trees, none exactly in the middle of its tile.
pub(crate) fn trees(stage: &Stage) -> Vec<Tree> {
    let plant = |at: Vec2| {
        let chance = (at.x * 12.9898 + at.y * 78.233).sin().abs() * 43.758;
        let chance = chance.fract();
        let turn = Vec2::from_angle(chance * std::f32::consts::TAU);
        Tree {
            at: at + 5.0 * turn,
            reach: 19.0 + 9.0 * (chance * 7.0).fract(),
            chance,
        }
    };
    stage.positions(TREE).into_iter().map(plant).collect()
}

/// Rectangles of water, in world units.
pub(crate) fn waters(stage: &Stage) -> Vec<Rect> {
    let level = &stage.level;
    let marks = level.marks().iter();
    let wet: Vec<_> = marks
        .filter(|(mark, _)| *mark == WATER)
        .map(|(_, cell)| *cell)
        .collect();
    let merged = merge_cells(level.layout().rect(), |cell| wet.contains(&cell));
    merged
        .into_iter()
        .map(|rect| world_rect(level, rect))
        .collect()
}

/// Spawns their colliders: everything that nobody walks through.
pub(crate) fn spawn_colliders(commands: &mut Commands, stage: &Stage) {
    let solid = |name: &'static str, at: Vec2, collider: Collider| {
        (
            Name::new(name),
            RigidBody::Fixed,
            collider,
            CollisionGroups::new(OBSTACLES, Group::ALL),
            Transform::from_translation(at.extend(0.0)),
        )
    };
    for tree in trees(stage) {
        commands.spawn(solid("tree", tree.at, Collider::ball(TRUNK)));
    }
    for bench in stage.positions(BENCH) {
        let collider = Collider::cuboid(BENCH_HALF.x, BENCH_HALF.y);
        commands.spawn(solid("bench", bench, collider));
    }
    for water in waters(stage) {
        let half = water.half_size();
        let collider = Collider::cuboid(half.x, half.y);
        commands.spawn(solid("water", water.center(), collider));
    }
}
