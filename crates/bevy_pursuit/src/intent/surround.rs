//! Where those stand who surround their target: on a circle around it, evenly, each where it has the least way to go.

use std::f32::consts::TAU;

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::prelude::*;
use bevy::math::Vec2;

use crate::agent::{Errand, GoalIs, NavBody};
use crate::grid::{LINE, NavSnapshot};

/// Who is farther from its target than this part of the circle's radius, and so many of its own radii, comes as others do.
/// More: it goes to its place on the circle from farther away, also where that is no way for it. Less: all come from one side.
const NEAR: (f32, f32) = (1.5, 8.0);

/// The part of the circle that one takes, in its diameters. More: fewer have a place. Less: they touch.
const ROOM: f32 = 1.1;

/// By so many radians at most one is led along the circle at a time, so that its way is not through the target.
const TURN: f32 = 0.6;

/// One is at its place within so many of its radii.
const AT_PLACE: f32 = 0.5;

/// Those who share a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ring {
    target: Entity,
    pub(super) grid: Entity,
    /// The bits of its radius, in world units.
    distance: u32,
}

/// One who surrounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surrounder {
    pub(super) entity: Entity,
    pub(super) ring: Ring,
    /// Where its target is, in the frame of the grid.
    pub(super) target: Vec2,
    /// Where it is, as seen from there.
    pub(super) offset: Vec2,
    pub(super) body: NavBody,
}

impl Ring {
    pub(super) fn new(target: Entity, grid: Entity, distance: f32) -> Self {
        Self {
            target,
            grid,
            distance: distance.to_bits(),
        }
    }
}

/// Places around targets, found again in each tick.
#[derive(Debug, Default)]
pub(super) struct Places {
    all: Vec<Surrounder>,
    offsets: EntityHashMap<Vec2>,
}

impl Places {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.offsets.clear();
    }

    /// Notes one, if it is near enough.
    pub(super) fn add(&mut self, one: Surrounder) {
        let far = NEAR.0 * one.distance() + NEAR.1 * one.body.radius;
        if one.offset.length_squared() < far * far {
            self.all.push(one);
        }
    }

    /// Gives a place to each of those who were noted and for whom there is one that is `open`.
    pub(super) fn find(&mut self, open: impl Fn(&Surrounder, Vec2) -> bool) {
        // The nearest first, in an order that does not depend on where the world keeps them.
        self.all.sort_unstable_by_key(|one| {
            let away = one.offset.length_squared();
            let bits = [away, one.offset.x, one.offset.y].map(f32::to_bits);
            (one.ring, bits)
        });
        for ring in self.all.chunk_by_mut(|one, next| one.ring == next.ring) {
            let fit = ring.len().min(fitting(ring));
            let ring = &mut ring[..fit];
            ring.sort_by(|one, next| one.angle().total_cmp(&next.angle()));
            for (one, angle) in ring.iter().zip(angles(ring)) {
                let turn = wrapped(angle - one.angle()).clamp(-TURN, TURN);
                let offset = Vec2::from_angle(one.angle() + turn) * one.distance();
                if open(one, offset) {
                    self.offsets.insert(one.entity, offset);
                }
            }
        }
    }

    /// Where one goes, as seen from its target.
    pub(super) fn of(&self, entity: Entity) -> Option<Vec2> {
        self.offsets.get(&entity).copied()
    }
}

impl Surrounder {
    fn distance(&self) -> f32 {
        f32::from_bits(self.ring.distance)
    }

    fn angle(&self) -> f32 {
        self.offset.to_angle()
    }

    /// Whether it can stand at a place, and nothing is between there and the target.
    pub(super) fn fits(&self, snapshot: &NavSnapshot, offset: Vec2) -> bool {
        let (target, place) = (self.target, self.target + offset);
        snapshot.can_go_straight(place, place, self.body, 1.0)
            && snapshot.is_open(target, place, LINE * self.body.radius)
    }
}

impl Errand {
    /// Leads to a place beside the target, which the goal is.
    pub(super) fn take_place(&mut self, offset: Vec2) {
        self.goal += offset;
        (self.goal_is, self.reach) = (GoalIs::Ring, AT_PLACE * self.radius);
        (self.needs_sight, self.to_rim) = (false, false);
    }
}

/// How many of a ring there is room for on the circle.
fn fitting(ring: &[Surrounder]) -> usize {
    let room = ring.first().map_or(0.0, |one| TAU * one.distance());
    let mut taken = 0.0;
    let fits = |one: &&Surrounder| {
        taken += 2.0 * ROOM * one.body.radius;
        taken <= room
    };
    ring.iter().take_while(fits).count()
}

/// Angles for all of a ring, which is in their order: evenly apart, and so that they turn by zero in sum.
fn angles(ring: &[Surrounder]) -> impl Iterator<Item = f32> + use<> {
    let apart = TAU / ring.len().max(1) as f32;
    let turned = ring
        .iter()
        .enumerate()
        .map(|(index, one)| Vec2::from_angle(one.angle() - apart * index as f32));
    let first = turned.sum::<Vec2>().to_angle();
    (0..ring.len()).map(move |index| first + apart * index as f32)
}

/// The same angle, from half a turn back to half a turn on.
fn wrapped(angle: f32) -> f32 {
    angle - TAU * (angle / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(world: &mut World, offsets: &[Vec2], distance: f32) -> Vec<Surrounder> {
        let ring = Ring::new(Entity::PLACEHOLDER, Entity::PLACEHOLDER, distance);
        let of = |offset: &Vec2| Surrounder {
            entity: world.spawn_empty().id(),
            ring,
            target: Vec2::ZERO,
            offset: *offset,
            body: NavBody {
                radius: 1.0,
                class: 0,
            },
        };
        offsets.iter().map(of).collect()
    }

    /// Steps all along, as far as they want to go.
    fn settle(all: &mut [Surrounder], places: &mut Places) {
        for _ in 0..20 {
            places.clear();
            all.iter().for_each(|one| places.add(*one));
            places.find(|_, _| true);
            for one in &mut *all {
                one.offset = places.of(one.entity).unwrap_or(one.offset);
            }
        }
    }

    #[test]
    fn those_who_come_from_one_side_stand_evenly_all_around_and_then_rest() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..6).map(|n| Vec2::new(-12.0, n as f32)).collect();
        let mut all = ring(&mut world, &from, 10.0);
        let mut places = Places::default();
        settle(&mut all, &mut places);
        let mut angles: Vec<f32> = all.iter().map(Surrounder::angle).collect();
        angles.sort_by(f32::total_cmp);
        for pair in angles.windows(2) {
            assert!((pair[1] - pair[0] - TAU / 6.0).abs() < 1e-3, "{angles:?}");
        }
        let rest = all.clone();
        settle(&mut all, &mut places);
        let moved = all
            .iter()
            .zip(&rest)
            .map(|(one, before)| one.offset.distance(before.offset));
        assert!(moved.fold(0.0, f32::max) < 1e-3);
    }

    #[test]
    fn nobody_is_led_through_the_target_and_one_alone_takes_the_nearest_place() {
        let mut world = World::new();
        let mut all = ring(&mut world, &[Vec2::new(-3.0, 0.0)], 10.0);
        let mut places = Places::default();
        settle(&mut all, &mut places);
        assert!(all[0].offset.distance(Vec2::new(-10.0, 0.0)) < 1e-3);
        let all = ring(
            &mut world,
            &[Vec2::new(10.0, -0.1), Vec2::new(10.0, 0.1)],
            10.0,
        );
        places.clear();
        all.iter().for_each(|one| places.add(*one));
        places.find(|_, _| true);
        let way = all[0].offset.midpoint(places.of(all[0].entity).unwrap());
        assert!(way.length() > 9.0, "{way}");
    }

    #[test]
    fn only_so_many_have_a_place_as_there_is_room_for_the_nearest_first() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..40)
            .map(|n| Vec2::new(-10.0 - 0.2 * n as f32, 0.0))
            .collect();
        let all = ring(&mut world, &from, 10.0);
        let mut places = Places::default();
        all.iter().for_each(|one| places.add(*one));
        places.find(|_, _| true);
        let with_place = all
            .iter()
            .take_while(|one| places.of(one.entity).is_some())
            .count();
        assert_eq!(with_place, 28);
        assert_eq!(places.offsets.len(), 28);
    }
}
