//! One tick of a crowd.

use glam::Vec2;

use super::body::Body;
use super::buckets::Buckets;
use super::contacts::push;
use super::ground::Walls;
use super::neighbors::Lists;
use super::queue::{LOOK, drive};
use super::settle::{decide, settle_range};
use super::workers::Workers;
use super::{Member, Moved};

/// Passes over contacts in one step.
const PASSES: u32 = 2;

/// Seconds within which contacts are made up for, and the most of one that a pass makes up for.
const CONTACT: f32 = 0.004;
const MOST_OF_ONE: f32 = 0.8;

/// Seconds for which one keeps the speed at which it was stopped.
const KEEPS: f32 = 0.04;

/// A tick is made in so many steps that nobody wants to go further than this in one, in its radii.
const LONGEST: f32 = 0.4;
/// But in no more than this. A body that goes over 2.5 of its radii in one may get through a row of others.
const MOST_STEPS: f32 = 4.0;

/// Who stands is moved by no less than this part of its radius.
const STILL: f32 = 0.02;

/// Memory of a crowd, to be used again from tick to tick. Nothing that comes of a tick depends on it.
#[derive(Debug, Default)]
pub struct Crowd {
    buckets: Buckets,
    /// In the order of buckets, as all that follows.
    members: Vec<Member>,
    bodies: Vec<Body>,
    driven: Vec<(Vec2, bool)>,
    places: Vec<Vec2>,
    next: Vec<Vec2>,
    /// One for each part.
    lists: Vec<Lists>,
    moved: Vec<Moved>,
    /// Between two steps of a tick, in the order of the game.
    between: Vec<Member>,
}

/// `e^-x`, roughly, by operations that are the same on all machines.
fn fades(x: f32) -> f32 {
    1.0 / (1.0 + x + 0.5 * x * x)
}

/// How far beyond touching a member looks for others: as far as both close in, and as one that stands keeps touch.
fn looks(member: &Member, dt: f32) -> f32 {
    let least = if member.settles {
        settle_range(member)
    } else {
        0.0
    };
    (member.pace * dt * LOOK).max(least).min(member.radius)
}

impl Crowd {
    /// Moves members on by `dt` seconds. `moved` becomes what became of each, in their order. If `dt` is not positive,
    /// nothing did.
    pub fn step(
        &mut self,
        members: &[Member],
        walls: &impl Walls,
        dt: f32,
        workers: &impl Workers,
        moved: &mut Vec<Moved>,
    ) {
        moved.clear();
        moved.extend(members.iter().map(Member::unmoved));
        let goes_on = dt > 0.0 && dt.is_finite();
        if members.is_empty() || !goes_on {
            return;
        }
        let steps = steps(members, dt);
        let dt = dt / steps as f32;
        self.advance(members, walls, dt, workers, moved);
        if steps == 1 {
            return;
        }
        let mut between = std::mem::take(&mut self.between);
        between.clear();
        between.extend(members.iter().map(Member::sound));
        for _ in 1..steps {
            for (member, moved) in between.iter_mut().zip(&*moved) {
                member.left -= (moved.place - member.place).dot(member.heading);
                (member.place, member.velocity, member.mind) =
                    (moved.place, moved.velocity, moved.mind);
            }
            self.advance(&between, walls, dt, workers, moved);
        }
        self.between = between;
    }

    /// One step.
    fn advance(
        &mut self,
        members: &[Member],
        walls: &impl Walls,
        dt: f32,
        workers: &impl Workers,
        moved: &mut [Moved],
    ) {
        self.buckets.sort(members, |member| looks(member, dt));
        let count = members.len();
        let order = self.buckets.order.iter();
        self.members.clear();
        self.members
            .extend(order.map(|index| members[*index as usize].sound()));
        self.bodies.resize(count, Body::default());
        self.driven.resize(count, (Vec2::ZERO, false));
        self.places.resize(count, Vec2::ZERO);
        self.next.resize(count, Vec2::ZERO);
        self.moved.resize(count, Moved::default());
        let size = count.div_ceil(workers.parts(count).max(1));
        self.lists.resize_with(count.div_ceil(size), Lists::default);
        self.run(walls, dt, size, workers);
        for (index, one) in self.buckets.order.iter().zip(&self.moved) {
            moved[*index as usize] = *one;
        }
    }

    /// Its phases. Each reads what the phases before wrote, and each part of it writes its own range.
    fn run(&mut self, walls: &impl Walls, dt: f32, size: usize, workers: &impl Workers) {
        let Self {
            buckets,
            members,
            bodies,
            driven,
            places,
            next,
            lists,
            moved,
            ..
        } = self;
        let (members, buckets) = (&*members, &*buckets);
        let firsts = || (0..members.len()).step_by(size);

        let parts = firsts()
            .zip(bodies.chunks_mut(size))
            .zip(places.chunks_mut(size));
        workers.run(parts.collect(), |((first, bodies), places)| {
            for ((body, place), member) in bodies.iter_mut().zip(places).zip(&members[first..]) {
                (*body, *place) = (Body::of(member, looks(member, dt)), member.place);
            }
        });

        let (bodies, at) = (&*bodies, &*places);
        let outputs = next.chunks_mut(size).zip(driven.chunks_mut(size));
        let parts = firsts().zip(lists.iter_mut()).zip(outputs);
        workers.run(parts.collect(), |((first, lists), (next, driven))| {
            lists.find(first..first + next.len(), at, bodies, buckets);
            for (index, (next, driven)) in next.iter_mut().zip(driven).enumerate() {
                let member = &members[first + index];
                *driven = drive(first + index, members, bodies, lists.of(index), dt);
                *next = push_out(walls, member, member.place, driven.0 * dt);
            }
        });

        let part = (1.0 - fades(dt / (CONTACT * PASSES as f32))).min(MOST_OF_ONE);
        for _ in 0..PASSES {
            std::mem::swap(places, next);
            let at = &*places;
            let parts = firsts().zip(lists.iter()).zip(next.chunks_mut(size));
            workers.run(parts.collect(), |((first, lists), next)| {
                for (index, next) in next.iter_mut().enumerate() {
                    let own = first + index;
                    let by = push(own, at, bodies, lists.of(index), part);
                    *next = push_out(walls, &members[own], at[own], by);
                }
            });
        }

        let (at, driven) = (&*next, &*driven);
        let parts = firsts().zip(lists.iter()).zip(moved.chunks_mut(size));
        workers.run(parts.collect(), |((first, lists), moved)| {
            for (index, moved) in moved.iter_mut().enumerate() {
                let own = first + index;
                let (velocity, is_behind) = driven[own];
                *moved = finish(&members[own], at[own], velocity, walls, dt);
                let made = (moved.place - members[own].place) / dt;
                moved.mind = decide(own, members, bodies, lists.of(index), made, dt);
                moved.mind.is_behind = is_behind;
            }
        });
    }
}

/// In how many steps a tick is made: as many as the fastest needs, who else would jump over others.
fn steps(members: &[Member], dt: f32) -> u32 {
    let moves = |member: &Member| !member.is_fixed() && !member.mind.is_settled;
    let sound = members.iter().map(Member::sound).filter(moves);
    let far = sound.map(|member| member.pace * dt / member.radius);
    let farthest = far.fold(0.0, f32::max);
    (farthest / LONGEST).ceil().clamp(1.0, MOST_STEPS) as u32
}

/// Where a member gets by a push, as far as walls nearby say.
fn push_out(walls: &impl Walls, member: &Member, from: Vec2, by: Vec2) -> Vec2 {
    if by == Vec2::ZERO || member.is_fixed() {
        return from;
    }
    walls.push_out(member.ground, member.radius, from + by)
}

/// Where a member ends, and how it moves on.
fn finish(member: &Member, at: Vec2, driven: Vec2, walls: &impl Walls, dt: f32) -> Moved {
    if member.is_fixed() || at == member.place || !at.is_finite() {
        let velocity = if member.is_fixed() {
            member.velocity
        } else {
            driven * fades(dt / KEEPS)
        };
        return Moved {
            velocity,
            ..member.unmoved()
        };
    }
    let place = walls.confine(member.ground, member.radius, member.place, at);
    let is_still =
        place.distance_squared(member.place) < (STILL * member.radius) * (STILL * member.radius);
    if member.mind.is_settled && is_still {
        return Moved {
            velocity: Vec2::ZERO,
            ..member.unmoved()
        };
    }
    let made = (place - member.place) / dt;
    let velocity = made + (driven - made) * fades(dt / KEEPS);
    let most = member.pace.max(member.velocity.length());
    Moved {
        place,
        velocity: velocity.clamp_length_max(most),
        ..member.unmoved()
    }
}
