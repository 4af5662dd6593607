//! Crates that move in every frame, so that every frame needs a bake.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;
use fastrand::Rng;

use crate::game::places::Places;
use crate::game::walls::center;
use crate::game::{TICK_RATE, WALL_GROUP, transform_at};

/// Half the side of a crate, in cells.
const HALF_SIDE_CELLS: f32 = 0.4;
/// Greatest distance of a crate from its start, in cells.
const SWING_CELLS: f32 = 3.0;
/// Greatest speed of a crate, in cells per second.
const MAX_SPEED: f32 = 2.0;

/// The crates of a level.
pub(super) struct Movers(Vec<Mover>);

struct Mover {
    entity: Entity,
    start: Vec2,
    /// Offset from the start to the farthest point of the motion in one direction.
    swing: Vec2,
    /// Phase of the motion at the start, in radians.
    phase: f32,
}

impl Movers {
    /// Crates at random places, which swing along rows and columns.
    pub(super) fn spawn(world: &mut World, places: &Places, count: usize, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let mover = |_| {
            let cell = random.choice(&places.largest)?;
            let start = center(*cell);
            let along = if random.bool() { Vec2::X } else { Vec2::Y };
            Some(Mover {
                entity: spawn(world, start),
                start,
                swing: SWING_CELLS * along,
                phase: TAU * random.f32(),
            })
        };
        Movers((0..count).map_while(mover).collect())
    }

    /// Moves every crate to its position in the frame `tick`.
    pub(super) fn advance(&self, world: &mut World, tick: u64) {
        let angle = MAX_SPEED / SWING_CELLS * (tick as f64 / TICK_RATE) as f32;
        for mover in &self.0 {
            if let Some(mut transform) = world.get_mut::<Transform>(mover.entity) {
                transform.translation = mover.position(angle).extend(0.0);
            }
        }
    }
}

impl Mover {
    fn position(&self, angle: f32) -> Vec2 {
        self.start + self.swing * (self.phase + angle).sin()
    }
}

fn spawn(world: &mut World, start: Vec2) -> Entity {
    let mover = world.spawn((
        RigidBody::KinematicPositionBased,
        Collider::cuboid(HALF_SIDE_CELLS, HALF_SIDE_CELLS),
        CollisionGroups::new(WALL_GROUP, Group::NONE),
        transform_at(start),
    ));
    mover.id()
}

#[cfg(test)]
mod tests {
    use super::{MAX_SPEED, Movers, SWING_CELLS};
    use crate::game::TICK_RATE;
    use crate::game::places::Places;
    use bevy::prelude::*;
    use pursuit::Grid;

    #[test]
    fn movers_stay_near_their_start_and_below_their_maximum_speed() {
        let level = Grid::from_fn(20, 20, |_| true).unwrap();
        let places = Places::new(&level, 0.4).unwrap();
        let mut world = World::new();
        let movers = Movers::spawn(&mut world, &places, 5, 1);
        assert_eq!(movers.0.len(), 5);
        for mover in &movers.0 {
            let mut way = 0.0;
            let mut last = None;
            for tick in 0..600 {
                movers.advance(&mut world, tick);
                let here = world.get::<Transform>(mover.entity).unwrap().translation;
                assert!(here.truncate().distance(mover.start) <= SWING_CELLS + 1e-3);
                let moved = last.map_or(0.0, |last: Vec3| last.distance(here));
                assert!(
                    moved <= MAX_SPEED / TICK_RATE as f32 + 1e-3,
                    "{moved} in a frame"
                );
                way += moved;
                last = Some(here);
            }
            assert!(way > SWING_CELLS, "{way}");
        }
    }
}
