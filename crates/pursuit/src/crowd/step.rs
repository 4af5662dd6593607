//! One tick of a crowd.

use glam::Vec2;

use super::Member;
use super::buckets::Buckets;
use super::contacts::push;
use super::ground::Walls;
use super::neighbors::Lists;
use super::queue::{HalfPlane, MOST, soften};
use super::settle::Mind;
use super::workers::Workers;

/// What a crowd goes by.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Passes.
    pub passes: u32,
    /// Compliance of the queue.
    pub compliance: f32,
    /// Share of one who is ahead.
    pub ahead: f32,
    /// Depth from which shares are equal, of the distance.
    pub deep: f32,
    /// Seconds within which a contact is made up for.
    pub contact_time: f32,
    /// Seconds for which a drive outlives a block.
    pub keep_time: f32,
    /// Most relaxation of one pass.
    pub most_relax: f32,
    /// Cosine up to which a neighbor that is ahead counts as in front.
    pub front: f32,
    /// Cosine of one that was held up for so many seconds.
    pub wide: (f32, f32),
    /// Gap that one who is held up leaves to those ahead, of the sum of radii.
    pub back: f32,
    /// Seconds within which one that was held up is as fast as it wants.
    pub quick: f32,
    /// Ticks that the queue looks ahead.
    pub look: f32,
    /// The largest step of a tick, in seconds.
    pub longest: f32,
    /// Of a pass; derived.
    pub relax: f32,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            passes: 2,
            compliance: 0.3,
            ahead: 0.25,
            deep: 0.2,
            contact_time: 0.004,
            keep_time: 0.04,
            most_relax: 0.6,
            front: 0.2,
            wide: (0.8, 0.5),
            back: 0.1,
            quick: 0.05,
            look: 2.0,
            longest: 1.0 / 45.0,
            relax: 0.6,
        }
    }
}

/// What others need to know of a member.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) radius: f32,
    pub(super) reach: f32,
    pub(super) weight: f32,
    pub(super) rank: f32,
    pub(super) group: u32,
    pub(super) serial: u32,
    pub(super) is_settled: bool,
}

/// Whoever settled is ahead of whoever has not.
const SETTLED: f32 = 1e9;

impl Body {
    pub(super) fn mass(&self) -> f32 {
        self.weight * self.radius * self.radius
    }

    pub(super) fn is_ahead_of(&self, other: &Self) -> bool {
        self.rank < other.rank || self.rank == other.rank && self.serial < other.serial
    }
}

/// What became of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Where it is.
    pub place: Vec2,
    /// How fast, for the next tick.
    pub velocity: Vec2,
    /// What it remembers.
    pub mind: Mind,
}

/// A crowd: memory to be used again from tick to tick. What comes of a tick depends on the members alone, not on their order.
#[derive(Debug, Default)]
pub struct Crowd {
    /// What it goes by.
    pub tuning: Tuning,
    buckets: Buckets,
    members: Vec<Member>,
    bodies: Vec<Body>,
    driven: Vec<Vec2>,
    places: Vec<Vec2>,
    next: Vec<Vec2>,
    lists: Vec<Lists>,
    moved: Vec<Moved>,
}

/// `1 / e^x`, roughly, by operations that are the same on all machines.
fn fades(x: f32) -> f32 {
    1.0 / (1.0 + x + 0.5 * x * x)
}

impl Crowd {
    /// Moves members on by `dt` seconds. `moved` is what became of each, in their order.
    pub fn step(
        &mut self,
        members: &[Member],
        walls: &impl Walls,
        dt: f32,
        workers: &impl Workers,
        moved: &mut Vec<Moved>,
    ) {
        let steps = (dt / self.tuning.longest).ceil().clamp(1.0, 8.0);
        moved.clear();
        moved.resize(members.len(), Moved::default());
        if members.is_empty() || !(dt > 0.0) {
            for (moved, member) in moved.iter_mut().zip(members) {
                *moved = Moved {
                    place: member.place,
                    velocity: member.velocity,
                    mind: member.mind,
                };
            }
            return;
        }
        let dt = dt / steps;
        self.tuning.relax = (1.0
            - fades(dt / (self.tuning.contact_time * self.tuning.passes as f32)))
        .min(self.tuning.most_relax);
        let look = self.tuning.look;
        let reach = |member: &Member| (member.pace * dt * look).min(member.radius);
        self.buckets.sort(members, reach);
        self.members.clear();
        let order = self.buckets.order.iter();
        self.members
            .extend(order.map(|index| members[*index as usize]));
        let count = members.len();
        self.bodies.resize(count, Body::default());
        self.driven.resize(count, Vec2::ZERO);
        self.places.resize(count, Vec2::ZERO);
        self.next.resize(count, Vec2::ZERO);
        self.moved.resize(count, Moved::default());
        let size = count.div_ceil(workers.parts(count).max(1));
        self.lists.resize_with(count.div_ceil(size), Lists::default);
        for left in (0..steps as u32).rev() {
            self.tick(walls, dt, size, workers);
            if left > 0 {
                let sorted = self.members.iter_mut().zip(&self.moved);
                for (member, moved) in sorted {
                    let made = moved.place - member.place;
                    member.left -= made.dot(member.heading);
                    (member.place, member.velocity, member.mind) =
                        (moved.place, moved.velocity, moved.mind);
                }
            }
        }
        for (index, one) in self.buckets.order.iter().zip(&self.moved) {
            moved[*index as usize] = *one;
        }
    }

    /// One step, of members in the order of their buckets.
    fn tick(&mut self, walls: &impl Walls, dt: f32, size: usize, workers: &impl Workers) {
        let Self {
            tuning,
            buckets,
            members,
            bodies,
            driven,
            places,
            next,
            lists,
            moved,
        } = self;
        let (tuning, members, buckets) = (&*tuning, &*members, &*buckets);
        let parts = |len: usize| (0..len).step_by(size);
        // Who everybody is, and where.
        let jobs = parts(members.len())
            .zip(bodies.chunks_mut(size))
            .zip(places.chunks_mut(size));
        workers.run(jobs.collect(), |((first, bodies), places)| {
            for (index, (body, place)) in bodies.iter_mut().zip(places).enumerate() {
                let member = &members[first + index];
                *place = member.place;
                *body = body_of(member, dt, tuning);
            }
        });
        // Who is near, and where that lets everybody go.
        let jobs = parts(members.len())
            .zip(lists.iter_mut())
            .zip(next.chunks_mut(size))
            .zip(driven.chunks_mut(size));
        let (all, at) = (&*bodies, &*places);
        workers.run(jobs.collect(), |(((first, lists), next), driven)| {
            lists.find((first, next.len()), at, all, buckets);
            for (index, (next, driven)) in next.iter_mut().zip(driven).enumerate() {
                let own = first + index;
                *driven = drive(own, members, all, lists.of(index), dt, tuning);
                let member = &members[own];
                let there = member.place + *driven * dt;
                *next = if member.weight.is_infinite() {
                    member.place
                } else {
                    walls.push_out(member.ground, member.radius, there)
                };
            }
        });
        for _ in 0..tuning.passes {
            std::mem::swap(places, next);
            let jobs = parts(members.len())
                .zip(lists.iter())
                .zip(next.chunks_mut(size));
            let at = &*places;
            workers.run(jobs.collect(), |((first, lists), next)| {
                for (index, next) in next.iter_mut().enumerate() {
                    let own = first + index;
                    let member = &members[own];
                    *next = at[own];
                    let by = if member.weight.is_infinite() {
                        Vec2::ZERO
                    } else {
                        push(own, at, all, lists.of(index), tuning)
                    };
                    if by != Vec2::ZERO {
                        *next = walls.push_out(member.ground, member.radius, at[own] + by);
                    }
                }
            });
        }
        let jobs = parts(members.len())
            .zip(lists.iter())
            .zip(moved.chunks_mut(size));
        let (at, driven) = (&*next, &*driven);
        workers.run(jobs.collect(), |((first, lists), moved)| {
            for (index, moved) in moved.iter_mut().enumerate() {
                let own = first + index;
                *moved = finish(
                    own,
                    (members, all),
                    at[own],
                    driven[own],
                    lists.of(index),
                    (walls, dt, tuning),
                );
            }
        });
    }
}

fn body_of(member: &Member, dt: f32, tuning: &Tuning) -> Body {
    Body {
        radius: member.radius,
        reach: (member.pace * dt * tuning.look).min(member.radius),
        weight: member.weight,
        rank: if member.mind.is_settled {
            member.left - SETTLED
        } else {
            member.left
        },
        group: member.group,
        serial: member.serial,
        is_settled: member.mind.is_settled,
    }
}

/// The velocity of a member that presses on nobody who is ahead.
fn drive(
    own: usize,
    members: &[Member],
    bodies: &[Body],
    near: &[u32],
    dt: f32,
    tuning: &Tuning,
) -> Vec2 {
    let (member, body) = (&members[own], &bodies[own]);
    if body.is_settled {
        return Vec2::ZERO;
    }
    let wide = ((member.mind.held - 0.5 * tuning.wide.1) / (0.5 * tuning.wide.1)).clamp(0.0, 1.0);
    let front = tuning.front + (tuning.wide.0 - tuning.front) * wide;
    let mut planes = [HalfPlane::default(); MOST];
    let mut count = 0;
    for &other in near {
        let (other, one) = (&members[other as usize], &bodies[other as usize]);
        let is_fixed = other.weight.is_infinite();
        if !is_fixed && (one.group != body.group || !one.is_ahead_of(body)) || count == MOST {
            continue;
        }
        let apart = member.place - other.place;
        let distance = apart.length();
        let normal = apart / distance.max(1e-6);
        if distance < 1e-6 || normal.dot(member.heading) > front {
            continue;
        }
        let gap = distance - (member.radius + other.radius) * (1.0 + tuning.back * wide);
        let least = normal.dot(other.velocity).min(0.0)
            - gap.max(-0.1 * member.radius) / (tuning.look * dt);
        planes[count] = HalfPlane { normal, least };
        count += 1;
    }
    let now = member.velocity.dot(member.heading).max(0.0);
    let quick = if count > 0 || member.mind.held > 0.0 {
        member.pace / tuning.quick
    } else {
        0.0
    };
    let pace = member.pace.min(now + member.acceleration.max(quick) * dt);
    let wanted = member.heading * pace;
    soften(&planes[..count], wanted, pace, tuning.compliance)
}

/// Where a member ends, how fast it is, and whether it stands.
fn finish(
    own: usize,
    (members, bodies): (&[Member], &[Body]),
    at: Vec2,
    driven: Vec2,
    near: &[u32],
    (walls, dt, tuning): (&impl Walls, f32, &Tuning),
) -> Moved {
    let member = &members[own];
    if member.weight.is_infinite() {
        return Moved {
            place: member.place,
            velocity: member.velocity,
            mind: member.mind,
        };
    }
    let place = walls.confine(member.ground, member.radius, member.place, at);
    let made = (place - member.place) / dt;
    let keep = fades(dt / tuning.keep_time);
    let kept = made + (driven - made) * keep;
    let mind = super::settle::decide(own, members, bodies, near, made, dt);
    let is_still = member.mind.is_settled
        && place.distance_squared(member.place) < (0.02 * member.radius) * (0.02 * member.radius);
    if is_still {
        return Moved {
            place: member.place,
            velocity: Vec2::ZERO,
            mind,
        };
    }
    let most = member.pace.max(member.velocity.length());
    Moved {
        place,
        velocity: kept.clamp_length_max(most),
        mind,
    }
}
