//! One tick of a crowd.

use glam::Vec2;

use super::body::{Body, Gait};
use super::buckets::{Buckets, Survey};
use super::contacts::push;
use super::ground::Walls;
use super::neighbors::{Lists, Look, NOWHERE, PADDING, look};
use super::queue::{drive, look_ahead};
use super::rest::{find_rest, is_still, leave_alone, look_again};
use super::settle::{decide, settle_range};
use super::workers::Workers;
use super::{Member, Moved};

/// Passes over contacts in one step. More: less overlap in a throng, at a tenth of a tick each. Less: more of it.
const PASSES: u32 = 2;

/// Seconds within which contacts are made up for, and the most of one that a pass makes up for. More seconds: softer bodies,
/// that overlap more. More of one: harder, up to where both sides make up for too much, and tremble.
const CONTACT: f32 = 0.004;
const MOST_OF_ONE: f32 = 0.8;

/// Seconds for which one keeps the speed at which it was stopped. More: it runs against others for longer. Less: a bump takes
/// all of its speed, and it has to get going again.
const KEEPS: f32 = 0.04;

/// A tick is made in so many steps that nobody wants to go further than this in one, in its radii. More: deeper bumps. Less:
/// each step takes as long as a tick.
const LONGEST: f32 = 0.4;
/// But in no more than this. A body that goes over 2.5 of its radii in one may get through a row of others.
const MOST_STEPS: f32 = 4.0;

/// Who stands is moved by no less than this part of its radius. More: overlaps of a standing crowd stay. Less: it trembles.
const STILL: f32 = 0.02;

/// Memory of a crowd, to be used again from tick to tick. Nothing that comes of a tick depends on it.
#[derive(Debug, Default)]
pub struct Crowd {
    buckets: Buckets,
    /// In the order of buckets, as all that follows.
    bodies: Vec<Body>,
    gaits: Vec<Gait>,
    looks: Vec<Look>,
    still: Vec<bool>,
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
    let least = if member.settles || member.mind.gives_way {
        settle_range(member)
    } else {
        0.0
    };
    (member.pace * look_ahead(dt)).max(least).min(member.radius)
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
        let goes_on = dt > 0.0 && dt.is_finite();
        if members.is_empty() || !goes_on {
            moved.clear();
            moved.extend(members.iter().map(Member::unmoved));
            return;
        }
        moved.resize(members.len(), Moved::default());
        let parts = workers.parts(members.len()).max(1);
        let size = members.len().div_ceil(parts);
        let survey = Survey::of(members, size, workers);
        let steps = steps(&survey, dt);
        let dt = dt / steps as f32;
        let mut tick = Tick {
            walls,
            survey,
            size,
            dt,
            is_first: true,
        };
        self.advance(members, &tick, workers, moved);
        if steps == 1 {
            return;
        }
        let mut between = std::mem::take(&mut self.between);
        between.clear();
        between.extend(members.iter().map(Member::sound));
        tick.is_first = false;
        for _ in 1..steps {
            for (member, moved) in between.iter_mut().zip(&*moved) {
                member.left -= (moved.place - member.place).dot(member.heading);
                (member.place, member.velocity, member.mind) =
                    (moved.place, moved.velocity, moved.mind);
            }
            self.advance(&between, &tick, workers, moved);
        }
        self.between = between;
    }

    /// One step. Each phase reads what the phases before wrote, and each part of it writes its own range.
    fn advance(
        &mut self,
        members: &[Member],
        tick: &Tick<'_, impl Walls>,
        workers: &impl Workers,
        moved: &mut [Moved],
    ) {
        let size = tick.size;
        let looks = |member: &Member| looks(member, tick.dt);
        (self.buckets).sort(members, &tick.survey, size, workers, looks);
        self.gather(members, tick, workers);
        self.walk(tick, workers);
        for _ in 0..PASSES {
            std::mem::swap(&mut self.places, &mut self.next);
            self.push_apart(tick, workers);
        }
        self.finish(tick, workers);
        let (places, all) = (&self.buckets.place_of, &self.moved);
        let parts = places.chunks(size).zip(moved.chunks_mut(size));
        workers.run(parts.collect(), |(places, moved)| {
            for (place, moved) in places.iter().zip(moved) {
                *moved = all[*place as usize];
            }
        });
    }

    /// Members in the order of buckets.
    fn gather(&mut self, members: &[Member], tick: &Tick<'_, impl Walls>, workers: &impl Workers) {
        let (count, size) = (members.len(), tick.size);
        self.bodies.resize(count, Body::default());
        self.gaits.resize(count, Gait::default());
        self.still.resize(count, false);
        self.looks.resize(count + PADDING, NOWHERE);
        self.looks[count..].fill(NOWHERE);
        let parts = (self.buckets.order.chunks(size))
            .zip(self.bodies.chunks_mut(size))
            .zip(self.gaits.chunks_mut(size))
            .zip(self.looks[..count].chunks_mut(size))
            .zip(self.still.chunks_mut(size));
        workers.run(
            parts.collect(),
            |((((order, bodies), gaits), seen), still)| {
                let each = order.iter().zip(bodies).zip(gaits).zip(seen).zip(still);
                for ((((index, body), gait), seen), still) in each {
                    let member = members[*index as usize].sound();
                    *body = Body::of(&member, looks(&member, tick.dt));
                    *gait = Gait::of(&member);
                    *seen = look(body);
                    *still = is_still(&member);
                }
            },
        );
    }

    /// Finds who is near whom, and goes as far as the queue rule allows.
    fn walk(&mut self, tick: &Tick<'_, impl Walls>, workers: &impl Workers) {
        let (count, size, dt) = (self.bodies.len(), tick.size, tick.dt);
        self.places.resize(count, Vec2::ZERO);
        self.next.resize(count, Vec2::ZERO);
        self.driven.resize(count, (Vec2::ZERO, false));
        self.lists.resize_with(count.div_ceil(size), Lists::default);
        let (bodies, seen, still) = (&self.bodies, &self.looks, &self.still);
        let outputs = (self.next.chunks_mut(size))
            .zip(self.driven.chunks_mut(size))
            .zip(self.gaits.chunks_mut(size));
        let parts = tick.firsts(count).zip(&mut self.lists).zip(outputs);
        workers.run(
            parts.collect(),
            |((first, lists), ((next, driven), gaits))| {
                for (index, gait) in gaits.iter_mut().enumerate() {
                    find_rest(first + index, gait, (&self.buckets, bodies, still));
                }
                lists.find((first, gaits), bodies, seen, &self.buckets);
                let each = next.iter_mut().zip(driven).zip(gaits).enumerate();
                for (index, ((next, driven), gait)) in each {
                    let (body, near) = (&bodies[first + index], lists.of(index));
                    gait.room = tick.room(body, gait, !near.is_empty());
                    *driven = drive(first + index, gait, bodies, near, dt);
                    *next = tick.push_out(body, gait, body.place, driven.0 * dt);
                }
            },
        );
    }

    /// One pass over contacts.
    fn push_apart(&mut self, tick: &Tick<'_, impl Walls>, workers: &impl Workers) {
        let share = (1.0 - fades(tick.dt / (CONTACT * PASSES as f32))).min(MOST_OF_ONE);
        let (bodies, gaits, places) = (&self.bodies, &self.gaits, &self.places);
        let outputs = self.next.chunks_mut(tick.size);
        let parts = tick.firsts(bodies.len()).zip(&self.lists).zip(outputs);
        workers.run(parts.collect(), |((first, lists), next)| {
            for (index, next) in next.iter_mut().enumerate() {
                let own = first + index;
                let by = push(own, places, bodies, lists.of(index), share);
                *next = tick.push_out(&bodies[own], &gaits[own], places[own], by);
            }
        });
    }

    /// Where all end, and what they remember.
    fn finish(&mut self, tick: &Tick<'_, impl Walls>, workers: &impl Workers) {
        let (bodies, gaits, dt) = (&self.bodies, &self.gaits, tick.dt);
        let (next, driven) = (&self.next, &self.driven);
        self.moved.resize(bodies.len(), Moved::default());
        let outputs = self.moved.chunks_mut(tick.size);
        let parts = tick.firsts(bodies.len()).zip(&self.lists).zip(outputs);
        workers.run(parts.collect(), |((first, lists), moved)| {
            for (index, moved) in moved.iter_mut().enumerate() {
                let own = first + index;
                let (body, gait, (velocity, is_behind)) = (&bodies[own], &gaits[own], driven[own]);
                *moved = tick.end(body, gait, next[own], velocity);
                if gait.rests {
                    leave_alone(&mut moved.mind, body.left, dt);
                    continue;
                }
                let (made, near) = ((moved.place - body.place) / dt, lists.of(index));
                moved.mind = decide(own, gait, bodies, near, made, dt, tick.walls);
                look_again(&mut moved.mind, body.serial, made == Vec2::ZERO);
                moved.mind.is_behind = is_behind;
                moved.mind.is_among = !near.is_empty() || !tick.is_first && gait.mind.is_among;
            }
        });
    }
}

/// What all parts of a step share.
struct Tick<'a, W> {
    walls: &'a W,
    survey: Survey,
    /// Of a part.
    size: usize,
    dt: f32,
    /// Of the steps of a tick.
    is_first: bool,
}

impl<W: Walls> Tick<'_, W> {
    /// The first member of each part.
    fn firsts(&self, count: usize) -> impl Iterator<Item = usize> + use<W> {
        (0..count).step_by(self.size)
    }

    /// So far from its place a member needs not ask about walls.
    #[inline]
    fn room(&self, body: &Body, gait: &Gait, is_among: bool) -> f32 {
        if gait.rests || !(is_among || gait.mind.is_among || self.walls.stop_lone_members()) {
            return f32::INFINITY;
        }
        if body.is_fixed() {
            return 0.0;
        }
        self.walls.room(gait.ground, body.radius, body.place)
    }

    /// Where a member gets by a push, as far as walls nearby say.
    #[inline]
    fn push_out(&self, body: &Body, gait: &Gait, from: Vec2, by: Vec2) -> Vec2 {
        // One that stands is asked about where it is, too: a wall may have appeared there.
        let stays = by == Vec2::ZERO && from != body.place;
        if stays || body.is_fixed() {
            return from;
        }
        let to = from + by;
        if is_within(gait.room, body.place, to) {
            return to;
        }
        self.walls.push_out(gait.ground, body.radius, to)
    }

    /// Where a member ends, and how it moves on.
    fn end(&self, body: &Body, gait: &Gait, at: Vec2, driven: Vec2) -> Moved {
        let fades = fades(self.dt / KEEPS);
        if body.is_fixed() || at == body.place || !at.is_finite() {
            let velocity = if body.is_fixed() {
                body.velocity
            } else {
                driven * fades
            };
            return Moved {
                velocity,
                ..gait.unmoved(body)
            };
        }
        let place = if is_within(gait.room, body.place, at) {
            at
        } else {
            (self.walls).confine(gait.ground, body.radius, body.place, at)
        };
        if body.is_settled && is_within(STILL * body.radius, body.place, place) {
            return Moved {
                velocity: Vec2::ZERO,
                ..gait.unmoved(body)
            };
        }
        let made = (place - body.place) / self.dt;
        let velocity = made + (driven - made) * fades;
        let most = gait.pace.max(body.velocity.length());
        Moved {
            place,
            velocity: velocity.clamp_length_max(most),
            ..gait.unmoved(body)
        }
    }
}

fn is_within(distance: f32, from: Vec2, to: Vec2) -> bool {
    from.distance_squared(to) < distance * distance
}

/// In how many steps a tick is made: as many as the fastest needs, who else would jump over others.
fn steps(survey: &Survey, dt: f32) -> u32 {
    let farthest = survey.fastest * dt;
    (farthest / LONGEST).ceil().clamp(1.0, MOST_STEPS) as u32
}
