//! Assigns slots on a circle around the target to its chasers: spread evenly, with a short path to each.

use std::f32::consts::TAU;

use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::prelude::*;
use bevy::math::{FloatOrd, Vec2, ops};

use crate::agent::{GoalKind, NavBody, NavOrder};
use crate::grid::{LINE_FRACTION, NavSnapshot};

/// A chaser gets a slot once its distance to the target is at most
/// `SLOT_NEAR_CIRCLES × (radius of the circle) + SLOT_NEAR_RADII × (its own radius)`. With greater values, chasers head
/// for their slots from farther away, even if they never get near. With smaller ones, all chasers come from one side.
const SLOT_NEAR_CIRCLES: f32 = 1.5;
/// See [`SLOT_NEAR_CIRCLES`].
const SLOT_NEAR_RADII: f32 = 8.0;

/// Length of the circle that a chaser takes up, in diameters of its body. With a greater value, fewer chasers have
/// a slot. With a smaller one, neighbors touch.
const SLOT_DIAMETERS: f32 = 1.1;

/// Maximum angle along the circle from a chaser to the slot that it gets in one tick, in radians, unless
/// [`TURN_RADII`] is more. It keeps the path of the chaser from leading through the target.
const TURN_RADIANS: f32 = 0.6;
/// Maximum distance along the circle from a chaser to the slot that it gets in one tick, in radii of the chaser. With a
/// smaller value, the chaser would already be within reach of its next slot.
const TURN_RADII: f32 = 2.0;

/// Distance at which a chaser has reached its slot, as a fraction of its radius.
const AT_SLOT_RADII: f32 = 0.5;
/// [`AT_SLOT_RADII`] of a chaser that spreads because the nearer side of the target is full. With a greater value, the
/// gap between two others is too narrow for the chaser between them. With a smaller one, chasers shift for longer.
const AT_SPREAD_SLOT_RADII: f32 = 0.2;

/// Number of arcs that a circle is divided into. Each arc is open or closed. With more arcs, slots can be nearer to
/// walls, but finding them takes longer.
const ARC_COUNT: usize = 24;

/// Radius of the smallest circle on which this many chasers fit, in world units. `radius` is the radius of their
/// bodies.
pub(super) fn distance_for(count: usize, radius: f32) -> f32 {
    SLOT_DIAMETERS * radius / ops::sin(0.5 * TAU / count.max(2) as f32)
}

/// Identifies a circle that several chasers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ring {
    target: Entity,
    pub(super) grid: Entity,
    distance: FloatOrd,
}

/// A chaser that surrounds its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surrounder {
    pub(super) entity: Entity,
    pub(super) ring: Ring,
    /// Position of the target, in grid coordinates.
    pub(super) target: Vec2,
    /// Position of the chaser relative to the target.
    pub(super) offset: Vec2,
    pub(super) body: NavBody,
    /// Whether the chaser had a slot in the tick before.
    pub(super) had_slot: bool,
    /// Number of chasers for which the open part of the circle must have room. With less room, no chaser gets a slot. 0
    /// if the chasers that fit may get slots without the others.
    pub(super) least_count: usize,
}

impl Ring {
    pub(super) fn new(target: Entity, grid: Entity, distance: f32) -> Self {
        Self {
            target,
            grid,
            distance: FloatOrd(distance),
        }
    }

    fn distance(&self) -> f32 {
        self.distance.0
    }
}

/// The slots of all surrounding chasers, computed again in each tick. A slot is a point on a circle around the
/// target that is reserved for one chaser.
#[derive(Debug, Default)]
pub(super) struct SurroundSlots {
    chasers: Vec<Surrounder>,
    offsets: EntityHashMap<Vec2>,
}

impl SurroundSlots {
    pub(super) fn clear(&mut self) {
        self.chasers.clear();
        self.offsets.clear();
    }

    pub(super) fn add(&mut self, chaser: Surrounder) {
        self.chasers.push(chaser);
    }

    /// Assigns slots to the added chasers. A slot is only used if `open` returns `true` for it, so some chasers may get
    /// no slot.
    pub(super) fn find(&mut self, open: impl Fn(&Surrounder, Vec2) -> bool) {
        // Sorted, so that the result does not depend on the order in which the world stores the chasers.
        self.chasers.sort_unstable_by_key(|chaser| {
            let offset = chaser.offset;
            let bits = [offset.length_squared(), offset.x, offset.y].map(f32::to_bits);
            (chaser.ring, !chaser.had_slot, bits)
        });
        let share_ring = |one: &Surrounder, other: &Surrounder| one.ring == other.ring;
        for chasers in self.chasers.chunk_by_mut(share_ring) {
            let first = chasers[0];
            let arcs = Arcs::new(|angle| open(&first, first.at(angle)));
            let room = first.ring.distance() * TAU * arcs.count as f32 / ARC_COUNT as f32;
            if first.length() * first.least_count as f32 > room {
                continue;
            }
            let count = fitting(chasers, room);
            let chasers = &mut chasers[..count];
            let turn = |chaser: &Surrounder| arcs.arcs_before(chaser.angle());
            chasers.sort_by(|one, other| turn(one).total_cmp(&turn(other)));
            for (chaser, angle) in chasers.iter().zip(angles(chasers, &arcs)) {
                let turns = chaser.turns_to([angle, arcs.middle_near(angle)]);
                let slot = turns.into_iter().find(|slot| open(chaser, *slot));
                self.offsets.extend(slot.map(|slot| (chaser.entity, slot)));
            }
        }
    }

    /// The slot of a chaser, relative to its target.
    pub(super) fn of(&self, entity: Entity) -> Option<Vec2> {
        self.offsets.get(&entity).copied()
    }
}

impl Surrounder {
    fn angle(&self) -> f32 {
        ops::atan2(self.offset.y, self.offset.x)
    }

    /// Length of the arc that the chaser takes up on the circle, in world units.
    fn length(&self) -> f32 {
        2.0 * SLOT_DIAMETERS * self.body.radius
    }

    /// Whether the chaser is near enough to get a slot.
    pub(super) fn is_near(&self) -> bool {
        let far = SLOT_NEAR_CIRCLES * self.ring.distance() + SLOT_NEAR_RADII * self.body.radius;
        self.offset.length_squared() < far * far
    }

    /// Whether nothing is between the chaser and its target. Always true for a chaser that had a slot, so that it
    /// keeps the slot while it walks around a pillar on the circle.
    pub(super) fn is_beside(&self, snapshot: &NavSnapshot) -> bool {
        let position = self.target + self.offset;
        self.had_slot || snapshot.is_open(position, self.target, LINE_FRACTION * self.body.radius)
    }

    /// Whether the chaser can stand at a slot, and walk there in a straight line from beside its target.
    pub(super) fn fits(&self, snapshot: &NavSnapshot, slot: Vec2) -> bool {
        let beside = slot.clamp_length_max(2.0 * self.body.radius);
        let [from, to] = [beside, slot].map(|offset| self.target + offset);
        snapshot.can_go_straight(from, to, self.body, 1.0)
    }

    /// The slot at an angle, relative to the target.
    fn at(&self, angle: f32) -> Vec2 {
        direction(angle) * self.ring.distance()
    }

    /// Candidates for the chaser's slot on its way to `angle`, best first: a slot no farther away than [`TURN_RADIANS`]
    /// or [`TURN_RADII`], the slot at `angle`, and the slot at `next`. A later candidate is used if the ones before it
    /// are at a wall.
    fn turns_to(&self, [angle, next]: [f32; 2]) -> [Vec2; 3] {
        let most = TURN_RADIANS.max(TURN_RADII * self.body.radius / self.ring.distance());
        let turn = wrapped(angle - self.angle()).clamp(-most, most);
        [self.angle() + turn, angle, next].map(|angle| self.at(angle))
    }
}

impl NavOrder {
    /// Moves the goal from the target to a slot beside it. `surrounds` says that the chaser always wants a slot.
    pub(super) fn take_slot(&mut self, offset: Vec2, surrounds: bool) {
        let at_slot = match surrounds {
            true => AT_SLOT_RADII,
            false => AT_SPREAD_SLOT_RADII,
        };
        self.goal += offset;
        (self.goal_kind, self.reach) = (GoalKind::Slot, at_slot * self.radius);
        (self.needs_sight, self.to_rim) = (false, false);
    }
}

/// The open arcs of a circle, joined together, so that chasers can be spread evenly along them.
struct Arcs {
    /// Angle at which the first arc starts, in radians: right after a closed arc, if there is one.
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

    /// Number of arcs, open or closed, between the start and an angle. The last arc may be counted in part.
    fn arcs_before(&self, angle: f32) -> f32 {
        let arcs = (angle - self.start).rem_euclid(TAU) / Self::ARC_RADIANS;
        arcs.min(ARC_COUNT as f32 - 1e-3)
    }

    /// Number of open arcs between the start and an angle. The last arc may be counted in part.
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

    /// The angle at which `open_arcs` open arcs lie between it and the start, in part also the last one. The inverse of
    /// [`along`](Self::along).
    fn angle(&self, open_arcs: f32) -> f32 {
        let open_arcs = open_arcs.rem_euclid(self.count.max(1) as f32);
        let nth = (open_arcs as usize).min(self.count.saturating_sub(1));
        let mut open = (0..ARC_COUNT).filter(|index| self.is_open[*index]);
        let index = open.nth(nth).unwrap_or(0);
        self.start + (index as f32 + open_arcs.fract()) * Self::ARC_RADIANS
    }

    /// The middle of the arc that contains an angle.
    fn middle_near(&self, angle: f32) -> f32 {
        self.start + (self.arcs_before(angle).floor() + 0.5) * Self::ARC_RADIANS
    }
}

/// Number of chasers that fit on open arcs with a total length of `room` world units, counted from the front of the
/// slice.
fn fitting(chasers: &[Surrounder], room: f32) -> usize {
    let mut taken = 0.0;
    let fits = |chaser: &&Surrounder| {
        taken += chaser.length();
        taken <= room
    };
    chasers.iter().take_while(fits).count()
}

/// Angles for the chasers of a circle, in the order of `chasers`, spread evenly along the open arcs. Without closed
/// arcs, the angles are turned as a whole so that the chasers have short paths.
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

/// The angle, wrapped to the range from -π to π.
fn wrapped(angle: f32) -> f32 {
    angle - TAU * (angle / TAU).round()
}

#[cfg(test)]
mod tests {
    use pursuit::{Clearance, DiagonalPolicy, Grid, Layout};

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
            had_slot: false,
            least_count: 0,
        };
        offsets.iter().map(of).collect()
    }

    fn find(all: &[Surrounder], open: impl Fn(Vec2) -> bool) -> SurroundSlots {
        let mut slots = SurroundSlots::default();
        all.iter().for_each(|chaser| slots.add(*chaser));
        slots.find(|_, slot| open(slot));
        slots
    }

    /// Moves all chasers to their slots, 40 times in a row.
    fn settle(all: &mut [Surrounder], open: impl Fn(Vec2) -> bool) {
        for _ in 0..40 {
            let slots = find(all, &open);
            for chaser in &mut *all {
                let slot = slots.of(chaser.entity);
                chaser.had_slot = slot.is_some();
                chaser.offset = slot.unwrap_or(chaser.offset);
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
        settle(&mut all, |slot| slot.x > 0.1 && slot.y > 0.1);
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
        settle(&mut all, |slot| slot.x.abs() > 2.2);
        assert!(largest_gap(&all) < 2.1, "{}", largest_gap(&all));
    }

    #[test]
    fn chasers_avoid_the_target_and_a_lone_one_takes_the_nearest_slot() {
        let mut world = World::new();
        let mut all = ring(&mut world, &[Vec2::new(-3.0, 0.0)], 10.0);
        settle(&mut all, |_| true);
        assert!(all[0].offset.distance(Vec2::new(-10.0, 0.0)) < 1e-3);
        let two = [Vec2::new(10.0, -0.1), Vec2::new(10.0, 0.1)];
        let all = ring(&mut world, &two, 10.0);
        let slot = find(&all, |_| true).of(all[0].entity).unwrap();
        assert!(all[0].offset.midpoint(slot).length() > 9.0, "{slot}");
    }

    #[test]
    fn a_full_circle_keeps_its_chasers_and_then_takes_the_nearest() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..40)
            .map(|n| Vec2::new(-10.0 - 0.2 * n as f32, 0.0))
            .collect();
        let mut all = ring(&mut world, &from, 10.0);
        let with_slot = |all: &[Surrounder]| {
            let slots = find(all, |_| true);
            let has = |chaser: &Surrounder| slots.of(chaser.entity).is_some();
            all.iter().map(has).collect::<Vec<bool>>()
        };
        let first = with_slot(&all);
        assert!(first[..28].iter().all(|has| *has) && !first[28..].contains(&true));
        (all[39].had_slot, all[0].had_slot) = (true, true);
        let then = with_slot(&all);
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
        let slots = find(&all, |_| true);
        let farthest = all
            .iter()
            .map(|it| it.offset.distance(slots.of(it.entity).unwrap_or(it.offset)));
        // An agent that has arrived sets out once its goal is 0.75 radii away.
        assert!(farthest.fold(0.0, f32::max) > 0.8);
    }

    #[test]
    fn chasers_that_spread_get_no_slots_if_the_circle_is_too_small_for_all() {
        let mut world = World::new();
        let from: Vec<Vec2> = (0..3).map(|n| Vec2::new(-12.0, n as f32)).collect();
        let mut all = ring(&mut world, &from, 10.0);
        for (least_count, count) in [(6, 3), (8, 0)] {
            (all.iter_mut()).for_each(|one| one.least_count = least_count);
            // A quarter of the circle is open.
            let slots = find(&all, |slot| slot.x < -0.1 && slot.y > 0.1);
            let with_slot = all.iter().filter(|one| slots.of(one.entity).is_some());
            assert_eq!(with_slot.count(), count, "room for {least_count}");
        }
    }

    #[test]
    fn a_chaser_behind_a_wall_is_beside_its_target_only_if_it_had_a_slot() {
        let layout = Layout::new(Vec2::splat(-5.5), 1.0, 11, 11).unwrap();
        let grid = Grid::from_fn(11, 11, |cell| cell.x != 7).unwrap();
        let clearance = Clearance::from_grid(&grid, 3.0);
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 1);
        let offsets = [Vec2::new(-4.0, 0.0), Vec2::new(4.0, 0.0)];
        let mut all = ring(&mut World::new(), &offsets, 4.0);
        let are_beside = |all: &[Surrounder]| [0, 1].map(|n| all[n].is_beside(&snapshot));
        assert_eq!(are_beside(&all), [true, false]);
        all[1].had_slot = true;
        assert_eq!(are_beside(&all), [true, true]);
    }
}
