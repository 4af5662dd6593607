//! Places of chasers around their target: spread evenly on a circle, with short ways for all.

use std::f32::consts::TAU;

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::prelude::*;
use bevy::math::{Vec2, ops};

use crate::agent::{GoalKind, NavBody, NavOrder};
use crate::grid::{LINE_FRACTION, NavSnapshot};

/// Distance from the target within which a chaser gets a place, as a multiple of the radius of the circle.
/// [`SLOT_NEAR_RADII`] is added. More: chasers head for their places from farther away, even if they never get
/// near. Less: all come from one side.
const SLOT_NEAR_CIRCLES: f32 = 1.5;
/// Distance added to [`SLOT_NEAR_CIRCLES`], in radii of the chaser.
const SLOT_NEAR_RADII: f32 = 8.0;

/// Length of the circle that a chaser takes up, in its diameters. More: fewer have a place. Less: they touch.
const SLOT_DIAMETERS: f32 = 1.1;

/// Angle along the circle that a chaser is led at a time, so that its way does not lead through the target, in
/// radians. The larger of this and [`TURN_RADII`] applies.
const TURN_RADIANS: f32 = 0.6;
/// Distance along the circle that a chaser is led at a time, in its radii. Less: the chaser would count as having
/// reached its place before it goes there.
const TURN_RADII: f32 = 2.0;

/// Distance at which a chaser has reached its place, as a fraction of its radius.
const AT_SLOT_RADII: f32 = 0.5;

/// Number of arcs that a circle is cut into, each of which is open or closed. More: places nearer to walls, and
/// slower.
const ARC_COUNT: usize = 24;

/// Identifies a circle that several chasers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ring {
    target: Entity,
    pub(super) grid: Entity,
    distance_bits: u32,
}

/// A chaser that surrounds its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surrounder {
    pub(super) entity: Entity,
    pub(super) ring: Ring,
    /// Position of its target, in grid coordinates.
    pub(super) target: Vec2,
    /// Position of the chaser relative to the target.
    pub(super) offset: Vec2,
    pub(super) body: NavBody,
    /// Whether the chaser had a place in the tick before.
    pub(super) had_place: bool,
}

impl Ring {
    pub(super) fn new(target: Entity, grid: Entity, distance: f32) -> Self {
        Self {
            target,
            grid,
            distance_bits: distance.to_bits(),
        }
    }

    fn distance(&self) -> f32 {
        f32::from_bits(self.distance_bits)
    }
}

/// Places around targets, computed in each tick.
#[derive(Debug, Default)]
pub(super) struct Places {
    chasers: Vec<Surrounder>,
    offsets: EntityHashMap<Vec2>,
}

impl Places {
    pub(super) fn clear(&mut self) {
        self.chasers.clear();
        self.offsets.clear();
    }

    pub(super) fn add(&mut self, chaser: Surrounder) {
        self.chasers.push(chaser);
    }

    /// Assigns the added chasers to places that are `open`, as far as there are any.
    pub(super) fn find(&mut self, open: impl Fn(&Surrounder, Vec2) -> bool) {
        // Sorted, so that the result does not depend on the order in which the world stores them.
        self.chasers.sort_unstable_by_key(|chaser| {
            let offset = chaser.offset;
            let bits = [offset.length_squared(), offset.x, offset.y].map(f32::to_bits);
            (chaser.ring, !chaser.had_place, bits)
        });
        let share_ring = |one: &Surrounder, other: &Surrounder| one.ring == other.ring;
        for chasers in self.chasers.chunk_by_mut(share_ring) {
            let Some(first) = chasers.first().copied() else {
                continue;
            };
            let arcs = Arcs::new(|angle| open(&first, first.at(angle)));
            let count = fitting(chasers, &arcs);
            let chasers = &mut chasers[..count];
            let turn = |chaser: &Surrounder| arcs.arcs_before(chaser.angle());
            chasers.sort_by(|one, other| turn(one).total_cmp(&turn(other)));
            for (chaser, angle) in chasers.iter().zip(angles(chasers, &arcs)) {
                let turns = chaser.turns_to([angle, arcs.middle_near(angle)]);
                let place = turns.into_iter().find(|place| open(chaser, *place));
                self.offsets
                    .extend(place.map(|place| (chaser.entity, place)));
            }
        }
    }

    /// The place of a chaser, relative to its target.
    pub(super) fn of(&self, entity: Entity) -> Option<Vec2> {
        self.offsets.get(&entity).copied()
    }
}

impl Surrounder {
    fn angle(&self) -> f32 {
        ops::atan2(self.offset.y, self.offset.x)
    }

    /// Whether the chaser is near enough to get a place.
    pub(super) fn is_near(&self) -> bool {
        let far = SLOT_NEAR_CIRCLES * self.ring.distance() + SLOT_NEAR_RADII * self.body.radius;
        self.offset.length_squared() < far * far
    }

    /// Whether nothing is between the chaser and its target. A chaser that has to walk around a pillar on the
    /// circle keeps its place.
    pub(super) fn is_beside(&self, snapshot: &NavSnapshot) -> bool {
        let place = self.target + self.offset;
        self.had_place || snapshot.is_open(place, self.target, LINE_FRACTION * self.body.radius)
    }

    /// Whether the chaser can stand at a place and walk there from its target.
    pub(super) fn fits(&self, snapshot: &NavSnapshot, place: Vec2) -> bool {
        let beside = place.clamp_length_max(2.0 * self.body.radius);
        let [from, to] = [beside, place].map(|offset| self.target + offset);
        snapshot.can_go_straight(from, to, self.body, 1.0)
    }

    /// The place at an angle, relative to the target.
    fn at(&self, angle: f32) -> Vec2 {
        direction(angle) * self.ring.distance()
    }

    /// Candidates for the next place on the way to `angle`, in order: a part of the turn, the place at `angle`
    /// if that part ends at a wall, and the place at `next`.
    fn turns_to(&self, [angle, next]: [f32; 2]) -> [Vec2; 3] {
        let most = TURN_RADIANS.max(TURN_RADII * self.body.radius / self.ring.distance());
        let turn = wrapped(angle - self.angle()).clamp(-most, most);
        [self.angle() + turn, angle, next].map(|angle| self.at(angle))
    }
}

impl NavOrder {
    /// Moves the goal from the target to a place beside it.
    pub(super) fn take_place(&mut self, offset: Vec2) {
        self.goal += offset;
        (self.goal_kind, self.reach) = (GoalKind::Place, AT_SLOT_RADII * self.radius);
        (self.needs_sight, self.to_rim) = (false, false);
    }
}

/// The open arcs of a circle, joined together, so that chasers can be spread evenly along them.
struct Arcs {
    /// Angle at which the arcs start: behind a closed arc, if there is one.
    start: f32,
    is_open: [bool; ARC_COUNT],
    /// Number of open arcs.
    count: usize,
}

impl Arcs {
    /// Angle of one arc, in radians.
    const ARC_RADIANS: f32 = TAU / ARC_COUNT as f32;

    fn new(open: impl Fn(f32) -> bool) -> Self {
        let middle = |index: usize| (index as f32 + 0.5) * Self::ARC_RADIANS;
        let mut is_open = std::array::from_fn(|index| open(middle(index)));
        let closed = is_open.iter().position(|it| !it);
        let first = closed.map_or(0, |closed| closed + 1);
        is_open.rotate_left(first);
        Self {
            start: first as f32 * Self::ARC_RADIANS,
            count: is_open.iter().filter(|it| **it).count(),
            is_open,
        }
    }

    fn is_whole(&self) -> bool {
        self.count == ARC_COUNT
    }

    /// Number of arcs, open or closed, between the start and an angle.
    fn arcs_before(&self, angle: f32) -> f32 {
        let arcs = (angle - self.start).rem_euclid(TAU) / Self::ARC_RADIANS;
        arcs.min(ARC_COUNT as f32 - 1e-3)
    }

    /// Position of an angle along the open arcs, in arcs. An angle in a closed arc counts as the end of the
    /// open arc before it.
    fn along(&self, angle: f32) -> f32 {
        let before_it = self.arcs_before(angle);
        let index = before_it as usize;
        let before = self.is_open[..index].iter().filter(|it| **it).count();
        before as f32
            + if self.is_open[index] {
                before_it.fract()
            } else {
                0.0
            }
    }

    /// The angle at a position along the open arcs.
    fn angle(&self, along: f32) -> f32 {
        let along = along.rem_euclid(self.count.max(1) as f32);
        let nth = (along as usize).min(self.count.saturating_sub(1));
        let mut open = (0..ARC_COUNT).filter(|index| self.is_open[*index]);
        let index = open.nth(nth).unwrap_or(0);
        self.start + (index as f32 + along.fract()) * Self::ARC_RADIANS
    }

    /// The middle of the arc that contains an angle.
    fn middle_near(&self, angle: f32) -> f32 {
        self.start + (self.arcs_before(angle).floor() + 0.5) * Self::ARC_RADIANS
    }
}

/// Number of chasers, from the first on, for which the circle has room.
fn fitting(chasers: &[Surrounder], arcs: &Arcs) -> usize {
    let part = TAU * arcs.count as f32 / ARC_COUNT as f32;
    let room = (chasers.first()).map_or(0.0, |chaser| part * chaser.ring.distance());
    let mut taken = 0.0;
    let fits = |chaser: &&Surrounder| {
        taken += 2.0 * SLOT_DIAMETERS * chaser.body.radius;
        taken <= room
    };
    chasers.iter().take_while(fits).count()
}

/// Angles for the chasers of a circle, in their order: evenly spread along its open arcs. A circle without
/// closed arcs is turned so that the chasers have the least way to go.
fn angles<'a>(chasers: &[Surrounder], arcs: &'a Arcs) -> impl Iterator<Item = f32> + use<'a> {
    let apart = arcs.count as f32 / chasers.len().max(1) as f32;
    let turned = |(index, chaser): (usize, &Surrounder)| {
        direction((arcs.along(chaser.angle()) - apart * index as f32) * Arcs::ARC_RADIANS)
    };
    let first = if arcs.is_whole() {
        let mean: Vec2 = chasers.iter().enumerate().map(turned).sum();
        ops::atan2(mean.y, mean.x) / Arcs::ARC_RADIANS
    } else {
        0.5 * apart
    };
    (0..chasers.len()).map(move |index| arcs.angle(first + apart * index as f32))
}

fn direction(angle: f32) -> Vec2 {
    let (sin, cos) = ops::sin_cos(angle);
    Vec2::new(cos, sin)
}

/// The angle, wrapped to the range from half a turn back to half a turn on.
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
                class: Default::default(),
            },
            had_place: false,
        };
        offsets.iter().map(of).collect()
    }

    fn find(all: &[Surrounder], open: impl Fn(Vec2) -> bool) -> Places {
        let mut places = Places::default();
        all.iter().for_each(|chaser| places.add(*chaser));
        places.find(|_, place| open(place));
        places
    }

    /// Moves all chasers to their places, again and again.
    fn settle(all: &mut [Surrounder], open: impl Fn(Vec2) -> bool) {
        for _ in 0..40 {
            let places = find(all, &open);
            for chaser in &mut *all {
                let place = places.of(chaser.entity);
                chaser.had_place = place.is_some();
                chaser.offset = place.unwrap_or(chaser.offset);
            }
        }
    }

    /// The largest angle between neighbors, divided by the angle between evenly spaced chasers.
    fn largest_gap(all: &[Surrounder]) -> f32 {
        let mut angles: Vec<f32> = all.iter().map(Surrounder::angle).collect();
        angles.sort_by(f32::total_cmp);
        let next = angles.iter().cycle().skip(1);
        let gaps = angles
            .iter()
            .zip(next)
            .map(|(a, b)| (b - a).rem_euclid(TAU));
        gaps.fold(0.0, f32::max) * all.len() as f32 / TAU
    }

    #[test]
    fn chasers_from_one_side_spread_evenly_and_then_rest() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..6).map(|n| Vec2::new(-12.0, n as f32)).collect();
        let mut all = ring(&mut world, &from, 10.0);
        settle(&mut all, |_| true);
        assert!(largest_gap(&all) < 1.01);
        let rest = all.clone();
        settle(&mut all, |_| true);
        let pairs = all.iter().zip(&rest);
        let moved = pairs.map(|(chaser, before)| chaser.offset.distance(before.offset));
        assert!(moved.fold(0.0, f32::max) < 1e-3);
    }

    #[test]
    fn chasers_spread_evenly_over_the_open_part_of_the_circle() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..5).map(|n| Vec2::new(12.0, n as f32)).collect();
        let mut all = ring(&mut world, &from, 10.0);
        // Only a quarter of the circle is open.
        settle(&mut all, |place| place.x > 0.1 && place.y > 0.1);
        let mut angles: Vec<f32> = all.iter().map(Surrounder::angle).collect();
        angles.sort_by(f32::total_cmp);
        let gaps = angles.windows(2).map(|pair| pair[1] - pair[0]);
        let [least, most] = [f32::min, f32::max].map(|pick| gaps.clone().reduce(pick).unwrap());
        assert!(least > 0.2 && most < 0.4, "{angles:?}");
    }

    #[test]
    fn chasers_spread_past_walls_beside_the_target() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..8).map(|n| Vec2::new(-12.0, n as f32 - 3.5)).collect();
        let mut all = ring(&mut world, &from, 10.0);
        settle(&mut all, |place| place.x.abs() > 2.2);
        assert!(largest_gap(&all) < 2.1, "{}", largest_gap(&all));
    }

    #[test]
    fn chasers_avoid_the_target_and_a_lone_one_takes_the_nearest_place() {
        let mut world = World::new();
        let mut all = ring(&mut world, &[Vec2::new(-3.0, 0.0)], 10.0);
        settle(&mut all, |_| true);
        assert!(all[0].offset.distance(Vec2::new(-10.0, 0.0)) < 1e-3);
        let two = [Vec2::new(10.0, -0.1), Vec2::new(10.0, 0.1)];
        let all = ring(&mut world, &two, 10.0);
        let place = find(&all, |_| true).of(all[0].entity).unwrap();
        assert!(all[0].offset.midpoint(place).length() > 9.0, "{place}");
    }

    #[test]
    fn a_full_circle_keeps_its_chasers_and_then_takes_the_nearest() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..40)
            .map(|n| Vec2::new(-10.0 - 0.2 * n as f32, 0.0))
            .collect();
        let mut all = ring(&mut world, &from, 10.0);
        let with_place = |all: &[Surrounder]| {
            let places = find(all, |_| true);
            let has = |chaser: &Surrounder| places.of(chaser.entity).is_some();
            all.iter().map(has).collect::<Vec<bool>>()
        };
        let first = with_place(&all);
        assert!(first[..28].iter().all(|has| *has) && !first[28..].contains(&true));
        (all[39].had_place, all[0].had_place) = (true, true);
        let then = with_place(&all);
        assert!(then[39] && then[..27].iter().all(|has| *has));
        assert_eq!(then.iter().filter(|has| **has).count(), 28);
    }

    #[test]
    fn chasers_spread_over_a_small_circle() {
        let mut world = World::new();
        let from = [
            Vec2::new(-1.1, 0.0),
            Vec2::new(-1.1, 0.1),
            Vec2::new(-1.1, -0.1),
        ];
        let all = ring(&mut world, &from, 1.1);
        let places = find(&all, |_| true);
        let farthest = all.iter().map(|it| {
            it.offset
                .distance(places.of(it.entity).unwrap_or(it.offset))
        });
        // An agent that has arrived sets out once its goal is 0.75 radii away.
        assert!(farthest.fold(0.0, f32::max) > 0.8);
    }
}
