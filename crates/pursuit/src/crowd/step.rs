//! One tick of a crowd.

use std::slice::{from_mut, from_ref};

use glam::Vec2;

use super::body::{CrowdBody, Disc, MemberPlan};
use super::buckets::Buckets;
use super::contacts::push;
use super::ground::CrowdWalls;
use super::levels::Survey;
use super::neighbors::{Lists, NOWHERE, PADDING_DISCS, disc_of};
use super::queue::drive;
use super::rest::{find_rest, is_still, leave_alone, look_again};
use super::settle::decide;
use super::workers::{SingleThread, Workers, cut};
use super::{Member, StepResult};

/// Number of relaxation passes over the contacts in each substep. More passes leave less overlap in a throng.
/// Each of them takes a tenth of the computing time of a tick.
const RELAXATION_PASSES: u32 = 2;

/// Time constant of the relaxation, in seconds. With a greater value, bodies are softer and overlap more.
const RELAXATION_SECONDS: f32 = 0.004;
/// The largest share of an overlap that one relaxation pass resolves. With a larger share, bodies are harder. If the
/// share is too large, both members move too far and tremble.
const MAX_SHARE_PER_PASS: f32 = 0.8;

/// Time constant with which a stopped member loses its speed, in seconds. With a greater value, it runs against
/// others for longer. With a smaller one, it loses all its speed in a bump, and has to accelerate again.
const SPEED_DECAY_SECONDS: f32 = 0.04;

/// The longest distance that a member may want to move in one substep, in its radii. A tick is divided into enough
/// substeps for that. With a greater value, members that bump into each other overlap more deeply. With a smaller
/// one, a tick has more substeps, and each substep takes as much computing time as an undivided tick.
const MAX_SUBSTEP_RADII: f32 = 0.4;
/// Maximum number of substeps per tick. A body that moves more than 2.5 of its radii in one substep may get
/// through a row of others.
const MAX_SUBSTEPS: f32 = 4.0;

/// A settled member moves by at least this share of its radius, or not at all. With a greater share, overlaps in
/// a standing crowd remain. With a smaller one, the crowd trembles.
const MIN_MOVE_RADII: f32 = 0.02;

/// Once a member has been held up behind others for this many seconds, its small moves lead only forward. A walking
/// member whose jam was reported makes no small moves, however long it was held up. Near a wall, such members may also
/// move slowly in other directions: see [`CALM_SPEED_SHARE`]. With a longer time, a queue trembles for longer after it
/// has stopped. With a shorter one, queues flow more slowly.
const CALM_AFTER_SECONDS: f32 = 1.0;
/// A move is small if it is shorter than this share of the distance that the member wants to walk in a substep, and
/// shorter than [`MAX_SMALL_MOVE_RADII`]. With greater values, overlaps in a queue remain, and queues flow more slowly.
/// With smaller ones, a queue that stands trembles.
const SMALL_MOVE_SHARE: f32 = 0.2;
/// Maximum length of a small move, in radii of the member. See [`SMALL_MOVE_SHARE`].
const MAX_SMALL_MOVE_RADII: f32 = 0.1;
/// If the jam of a member was reported, moves count as small up to this many times the limits of [`SMALL_MOVE_SHARE`]
/// and [`MAX_SMALL_MOVE_RADII`]. With a greater factor, a queue sets out later when its door opens. With a smaller one,
/// members squeezed between others tremble.
const REPORTED_FACTOR: f32 = 2.0;
/// Share that remains of the sideways and backward part of a longer move, if the jam of a walking member was reported.
/// With a greater share, a queue may tremble forever, mostly where the physics undoes each move. With a smaller one,
/// overlaps in a queue last longer.
const REPORTED_PUSH_SHARE: f32 = 0.3;
/// Maximum speed of a small move that [`CALM_AFTER_SECONDS`] would otherwise prevent, as a share of the member's pace.
/// It applies where the [room](CrowdWalls::room) of the member is less than its radius: near a wall, or if the walls
/// report no room. With a greater share, a queue that stands trembles visibly. With a share of 0, two members that
/// block each other in a door never part.
const CALM_SPEED_SHARE: f32 = 0.01;

/// Number of members that are read at once. Neighbors in the order of the buckets lie far apart in the order of the
/// game. With 1, the processor waits for each of them in turn.
const BATCH: usize = 16;

/// Number of members that pass through one stage before they enter the next one. With a greater number, the data of the
/// first ones is no longer in the cache when the next stage reads it. With a smaller one, the loops begin more often.
const AT_ONCE: usize = 128;

/// The members of a tick, and the result for each of them. The game fills the crowd again in each tick, and keeps
/// everything that has to last from one tick to the next.
#[derive(Debug, Default)]
pub struct Crowd {
    members: Vec<Member>,
    /// One survey for each part of the members.
    surveys: Vec<Survey>,
    survey: Survey,
    buckets: Buckets,
    /// One body for each member, sorted by bucket. The vectors below have the same order unless their docs say
    /// otherwise.
    bodies: Vec<CrowdBody>,
    plans: Vec<MemberPlan>,
    discs: Vec<Disc>,
    still: Vec<bool>,
    driven: Vec<(Vec2, bool)>,
    /// The [`room`](MemberPlan::room) of each member, apart from the plans, because the first relaxation pass
    /// rarely needs more of them.
    rooms: Vec<f32>,
    places: Vec<Vec2>,
    next: Vec<Vec2>,
    /// The neighbor lists of each part.
    lists: Vec<Lists>,
    results: Vec<StepResult>,
    /// The members between two substeps of a tick, in the order of the game.
    between: Vec<Member>,
}

/// An approximation of `e^-x` with operations that give the same result on all machines.
fn decay(x: f32) -> f32 {
    1.0 / (1.0 + x + 0.5 * x * x)
}

impl Crowd {
    /// Replaces all members by `count` new ones. `fill(first, members)` is called for one range of members after the
    /// other, in each thread. It must write all of `members`. The first one has the index `first`.
    pub fn fill(
        &mut self,
        count: usize,
        workers: &impl Workers,
        fill: impl Fn(usize, &mut [Member]) + Sync,
    ) {
        self.members.resize_with(count, Member::default);
        let size = workers.part_size(count);
        self.surveys
            .resize_with(count.div_ceil(size), Survey::default);
        let parts = self.members.chunks_mut(size).zip(&mut self.surveys);
        let parts = (0..count).step_by(size).zip(parts);
        workers.run(parts.collect(), |(first, (members, survey))| {
            survey.clear();
            let firsts = (first..).step_by(AT_ONCE);
            for (first, members) in firsts.zip(members.chunks_mut(AT_ONCE)) {
                fill(first, members);
                members.iter_mut().for_each(|member| survey.take(member));
            }
        });
    }

    /// Replaces all members by copies of `members`.
    pub fn set_members(&mut self, members: &[Member]) {
        self.fill(members.len(), &SingleThread, |first, own| {
            own.copy_from_slice(&members[first..][..own.len()]);
        });
    }

    /// The member at an index, with invalid numbers replaced.
    ///
    /// # Panics
    ///
    /// Panics if there is no such member.
    #[must_use]
    pub fn member(&self, index: usize) -> &Member {
        &self.members[index]
    }

    /// The result for a member in the last [`step`](Self::step). It is valid only after a step with the
    /// current members.
    ///
    /// # Panics
    ///
    /// Panics if the last step had no such member.
    #[must_use]
    #[inline]
    pub fn result(&self, index: usize) -> &StepResult {
        &self.results[self.buckets.place_of(index)]
    }

    /// Moves all members by `dt` seconds. If `dt` is not positive or not finite, nothing changes.
    pub fn step(&mut self, walls: &impl CrowdWalls, dt: f32, workers: &impl Workers) {
        let goes_on = dt > 0.0 && dt.is_finite();
        if self.members.is_empty() || !goes_on {
            self.buckets.keep_order(self.members.len());
            self.results.clear();
            (self.results).extend(self.members.iter().map(Member::unmoved));
            return;
        }
        self.survey.clear();
        self.surveys.iter().for_each(|it| self.survey.join(it));
        let substeps = substeps(&self.survey, dt);
        let dt = dt / substeps as f32;
        let members = std::mem::take(&mut self.members);
        let mut substep = Substep {
            walls,
            size: workers.part_size(members.len()),
            dt,
            share: (1.0 - decay(dt / (RELAXATION_SECONDS * RELAXATION_PASSES as f32)))
                .min(MAX_SHARE_PER_PASS),
            is_first: true,
            stops_lone: walls.stop_lone_members() || substeps > 1,
        };
        self.advance(&members, &substep, workers);
        substep.is_first = false;
        let mut between = std::mem::take(&mut self.between);
        if substeps > 1 {
            between.clone_from(&members);
        }
        for _ in 1..substeps {
            self.survey.clear();
            for (index, member) in between.iter_mut().enumerate() {
                let result = self.result(index);
                member.remaining -= (result.place - member.place).dot(member.heading);
                member.apply(result);
                self.survey.take(member);
            }
            self.advance(&between, &substep, workers);
        }
        (self.members, self.between) = (members, between);
    }

    /// Makes one substep. Each phase reads what earlier phases wrote, and each part of a phase writes only
    /// its own range.
    fn advance(
        &mut self,
        members: &[Member],
        substep: &Substep<'_, impl CrowdWalls>,
        workers: &impl Workers,
    ) {
        let survey = (&mut self.survey, substep.dt);
        self.buckets.sort(members, survey, substep.size, workers);
        self.gather(members, substep, workers);
        self.walk(substep, workers);
        for _ in 1..RELAXATION_PASSES {
            std::mem::swap(&mut self.places, &mut self.next);
            self.push_apart(substep, workers);
        }
        std::mem::swap(&mut self.places, &mut self.next);
        self.finish(substep, workers);
    }

    /// Copies the members into the order of the buckets.
    fn gather(
        &mut self,
        members: &[Member],
        substep: &Substep<'_, impl CrowdWalls>,
        workers: &impl Workers,
    ) {
        let count = members.len();
        self.bodies.resize(count, CrowdBody::default());
        self.plans.resize(count, MemberPlan::default());
        self.still.resize(count, false);
        self.discs.resize(count + PADDING_DISCS, NOWHERE);
        self.discs[count..].fill(NOWHERE);
        let ends = self.buckets.ends.clone();
        let outputs = cut(&mut self.bodies, &ends)
            .zip(cut(&mut self.plans, &ends))
            .zip(cut(&mut self.discs[..count], &ends))
            .zip(cut(&mut self.still, &ends));
        let work = |order: &[u32], (((bodies, plans), discs), still): Sorted<'_>| {
            let mut batch = [Member::default(); BATCH];
            let each = bodies.iter_mut().zip(plans).zip(discs).zip(still);
            for (n, (((body, plan), disc), still)) in each.enumerate() {
                if n % BATCH == 0 {
                    let next = batch.iter_mut().zip(&order[n..]);
                    next.for_each(|(to, index)| *to = members[*index as usize]);
                }
                let member = &batch[n % BATCH];
                body.set(member);
                plan.set(member, substep.walls);
                *disc = disc_of(member, substep.dt);
                *still = is_still(member);
            }
        };
        self.buckets.arrange(workers, outputs, work);
    }

    /// Finds the neighbors of each member, and moves it as far as the queue rule allows.
    fn walk(&mut self, substep: &Substep<'_, impl CrowdWalls>, workers: &impl Workers) {
        let (count, size, dt) = (self.bodies.len(), substep.size, substep.dt);
        self.places.resize(count, Vec2::ZERO);
        self.next.resize(count, Vec2::ZERO);
        self.rooms.resize(count, 0.0);
        self.driven.resize(count, (Vec2::ZERO, false));
        self.lists.resize_with(count.div_ceil(size), Lists::default);
        let (bodies, discs, still) = (&self.bodies, &self.discs, &self.still);
        let outputs = (self.next.chunks_mut(size))
            .zip(self.driven.chunks_mut(size))
            .zip(self.rooms.chunks_mut(size))
            .zip(self.plans.chunks_mut(size));
        let parts = substep.firsts(count).zip(&mut self.lists).zip(outputs);
        workers.run(
            parts.collect(),
            |((first, lists), (((next, driven), rooms), plans))| {
                lists.clear();
                for from in (0..plans.len()).step_by(AT_ONCE) {
                    let until = plans.len().min(from + AT_ONCE);
                    for (own, plan) in (first + from..).zip(&mut plans[from..until]) {
                        find_rest(own, plan, (&self.buckets, bodies, discs, still));
                    }
                    let range = (first + from, &plans[from..until]);
                    lists.find(range, bodies, discs, &self.buckets);
                    for index in from..until {
                        let (own, plan, near) = (first + index, &mut plans[index], lists.of(index));
                        let body = &bodies[own];
                        plan.room = substep.room(body, plan, !near.is_empty());
                        rooms[index] = plan.room;
                        driven[index] = drive(own, plan, bodies, near, dt);
                        let by = driven[index].0 * dt;
                        next[index] = substep.push_out(body, (plan, plan.room), body.place, by);
                    }
                }
            },
        );
    }

    /// Makes one relaxation pass over the contacts.
    fn push_apart(&mut self, substep: &Substep<'_, impl CrowdWalls>, workers: &impl Workers) {
        let all = (&self.bodies[..], &self.plans[..], &self.rooms[..]);
        let places = &self.places[..];
        let outputs = self.next.chunks_mut(substep.size);
        let parts = substep.firsts(all.0.len()).zip(&self.lists).zip(outputs);
        workers.run(parts.collect(), |((first, lists), next)| {
            for (index, next) in next.iter_mut().enumerate() {
                *next = substep.pushed(first + index, all, places, lists.of(index));
            }
        });
    }

    /// Makes the last relaxation pass, then determines the final position, velocity and memory of each member.
    fn finish(&mut self, substep: &Substep<'_, impl CrowdWalls>, workers: &impl Workers) {
        let (bodies, plans, dt) = (&self.bodies, &self.plans, substep.dt);
        let all = (&bodies[..], &plans[..], &self.rooms[..]);
        self.results.resize(bodies.len(), StepResult::default());
        let outputs = self.results.chunks_mut(substep.size);
        let parts = substep.firsts(bodies.len()).zip(&self.lists).zip(outputs);
        workers.run(parts.collect(), |((first, lists), results)| {
            for (index, result) in results.iter_mut().enumerate() {
                let (own, near) = (first + index, lists.of(index));
                let (body, plan, (driven, is_behind)) =
                    (&bodies[own], &plans[own], self.driven[own]);
                let at = substep.pushed(own, all, &self.places, near);
                (result.place, result.velocity) = substep.end(body, plan, at, driven);
                // `memory` is copied as a slice, and changed in place. An assignment would copy it by way of the stack,
                // and the processor would wait for the bytes that it has just written there.
                from_mut(&mut result.memory).copy_from_slice(from_ref(&plan.memory));
                let memory = &mut result.memory;
                if plan.rests {
                    leave_alone(memory, body.remaining, dt);
                    continue;
                }
                let made = (result.place - body.place) / dt;
                decide(memory, plan, body, (bodies, near), made, dt, substep.walls);
                look_again(memory, body.serial, made == Vec2::ZERO);
                memory.is_behind = is_behind;
                memory.has_neighbors =
                    !near.is_empty() || !substep.is_first && plan.memory.has_neighbors;
            }
        });
    }
}

/// One part of the vectors that are sorted by bucket.
type Sorted<'a> = (
    ((&'a mut [CrowdBody], &'a mut [MemberPlan]), &'a mut [Disc]),
    &'a mut [bool],
);

/// Data that all parts of a substep share.
struct Substep<'a, W> {
    walls: &'a W,
    /// Number of members in a part.
    size: usize,
    dt: f32,
    /// The share of an overlap that one relaxation pass resolves.
    share: f32,
    /// Whether this is the first substep of the tick.
    is_first: bool,
    /// Whether walls are checked even for members without neighbors. In a tick of several substeps, another
    /// member may come near after the first substep.
    stops_lone: bool,
}

impl<W: CrowdWalls> Substep<'_, W> {
    /// The index of the first member of each part.
    fn firsts(&self, count: usize) -> impl Iterator<Item = usize> + use<W> {
        (0..count).step_by(self.size)
    }

    /// As long as a member moves by less than this distance, walls need no check.
    #[inline]
    fn room(&self, body: &CrowdBody, plan: &MemberPlan, has_neighbors: bool) -> f32 {
        if plan.rests || !(has_neighbors || plan.memory.has_neighbors || self.stops_lone) {
            return f32::INFINITY;
        }
        if body.is_fixed() {
            return 0.0;
        }
        self.walls
            .room(plan.ground_id, plan.wall_radius, body.place)
    }

    /// The position to which a push moves a member, corrected by nearby walls. The plan is read from memory only if the
    /// member leaves its room.
    #[inline]
    fn push_out(
        &self,
        body: &CrowdBody,
        (plan, room): (&MemberPlan, f32),
        from: Vec2,
        by: Vec2,
    ) -> Vec2 {
        // A member that has not moved at all is checked as well: a wall may have appeared at its position.
        let stays = by == Vec2::ZERO && from != body.place;
        if stays || body.is_fixed() {
            return from;
        }
        let to = from + by;
        match is_within(room, body.place, to) {
            true => to,
            false => (self.walls).push_out(plan.ground_id, plan.wall_radius, to),
        }
    }

    /// The position to which its neighbors push a member in one relaxation pass.
    #[inline]
    fn pushed(
        &self,
        own: usize,
        (bodies, plans, rooms): (&[CrowdBody], &[MemberPlan], &[f32]),
        places: &[Vec2],
        near: &[u32],
    ) -> Vec2 {
        let by = push(own, places, bodies, near, self.share);
        self.push_out(&bodies[own], (&plans[own], rooms[own]), places[own], by)
    }

    /// The position to which a member moves instead of `at`. A small move is shortened if the member was held up behind
    /// others for [`CALM_AFTER_SECONDS`], or if its jam was reported. If its jam was reported, a longer move leads
    /// forward in full, but less far to the side and backward: see [`REPORTED_PUSH_SHARE`]. Moves of a settled member do
    /// not change.
    fn calmed(&self, body: &CrowdBody, plan: &MemberPlan, at: Vec2) -> Vec2 {
        let memory = &plan.memory;
        let is_reported = memory.report_seconds > 0.0;
        let waits = memory.is_behind && memory.held_up_seconds >= CALM_AFTER_SECONDS;
        let factor = if is_reported { REPORTED_FACTOR } else { 1.0 };
        let small =
            (SMALL_MOVE_SHARE * plan.pace * self.dt).min(MAX_SMALL_MOVE_RADII * body.radius);
        let is_small = is_within(factor * small, body.place, at);
        if body.is_settled || !(is_reported || waits && is_small) {
            return at;
        }
        let by = at - body.place;
        let forward = body.heading * by.dot(body.heading).max(0.0);
        let stays = is_reported && is_small;
        let ahead = if stays { Vec2::ZERO } else { forward };
        let aside = match is_small {
            true if plan.room >= body.radius => Vec2::ZERO,
            true => (by - ahead).clamp_length_max(CALM_SPEED_SHARE * plan.pace * self.dt),
            false => (by - ahead) * REPORTED_PUSH_SHARE,
        };
        body.place + ahead + aside
    }

    /// The final position and velocity of a member.
    #[inline]
    fn end(&self, body: &CrowdBody, plan: &MemberPlan, at: Vec2, driven: Vec2) -> (Vec2, Vec2) {
        let decay = decay(self.dt / SPEED_DECAY_SECONDS);
        if body.is_fixed() {
            return (body.place, body.velocity);
        }
        let at = self.calmed(body, plan, at);
        if at == body.place || !at.is_finite() {
            return (body.place, driven * decay);
        }
        let place = match is_within(plan.room, body.place, at) {
            true => at,
            false => (self.walls).confine(plan.ground_id, plan.wall_radius, body.place, at),
        };
        if body.is_settled && is_within(MIN_MOVE_RADII * body.radius, body.place, place) {
            return (body.place, Vec2::ZERO);
        }
        let made = (place - body.place) / self.dt;
        let velocity = made + (driven - made) * decay;
        let max_speed = plan.pace.max(body.velocity.length());
        (place, velocity.clamp_length_max(max_speed))
    }
}

fn is_within(distance: f32, from: Vec2, to: Vec2) -> bool {
    from.distance_squared(to) < distance * distance
}

/// The number of substeps in a tick. They are enough to keep the fastest member from tunneling through another
/// one, but at most [`MAX_SUBSTEPS`].
fn substeps(survey: &Survey, dt: f32) -> u32 {
    let farthest = survey.fastest * dt;
    let enough = (farthest / MAX_SUBSTEP_RADII).ceil();
    enough.clamp(1.0, MAX_SUBSTEPS) as u32
}
