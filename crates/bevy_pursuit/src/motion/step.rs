//! One agent's step: from what it knows to the velocity it wants. No ECS, no side effects.
//!
//! What is decided here, `steer` turns into a velocity.

use bevy::math::Vec2;

use super::walker::{STRAIGHT_CLEAR_RADII, Situation, Walker};
use crate::agent::{
    FollowMemory, Intent, Jam, Locomotion, NavAgent, Past, PathCursor, PathStatus, ProgressSample,
    Wants,
};
use crate::grid::{LINE_FRACTION, NavSnapshot};
use crate::ground::AreaId;

/// Distance beyond its reach up to which an agent stays arrived, as a fraction of the reach. The greater of this
/// and [`LEAVE_RADII`] applies.
const LEAVE_REACH_SHARE: f32 = 0.15;
/// Distance beyond its reach up to which an agent stays arrived, in radii.
const LEAVE_RADII: f32 = 0.25;
/// Distance at which an agent is where it wants to be, however small its reach, in radii.
const ARRIVED_RADII: f32 = 0.02;
/// Distance that a goal may move in a tick and still count as resting, in radii of the agent.
const GOAL_REST_RADII: f32 = 1e-3;
/// Depth from which on an agent counts as standing on forbidden ground, as a fraction of the cell size or of its
/// radius, whichever is less.
const FORBIDDEN_DEPTH_SHARE: f32 = 0.25;
/// Distance from its goal within which an agent looks for the goal in every tick, in reaches. [`CLOSE_RADII`] is
/// added.
const CLOSE_REACHES: f32 = 2.0;
/// Distance added to [`CLOSE_REACHES`], in radii.
const CLOSE_RADII: f32 = 6.0;

/// What an agent does in one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) velocity: Vec2,
    pub(crate) locomotion: Locomotion,
    pub(crate) cursor: PathCursor,
    pub(crate) memory: FollowMemory,
    /// Whether it arrived now.
    pub(crate) has_arrived: bool,
    /// Whether it is stuck, and no other way helped.
    pub(crate) gives_up: bool,
    /// What the ground is, if it is forbidden to the agent and was not in the tick before.
    pub(crate) entered: Option<AreaId>,
}

/// Decides the step: stop at the goal, go straight to it, to where it was last seen, or along the
/// path.
pub(crate) fn step(situation: &Situation, cursor: PathCursor, memory: FollowMemory) -> Step {
    let mut step = Step {
        velocity: Vec2::ZERO,
        locomotion: situation.locomotion,
        cursor,
        memory,
        has_arrived: false,
        gives_up: false,
        entered: None,
    };
    let mut walker = Walker {
        situation,
        cursor,
        memory,
        speed_at_corner: 0.0,
    };
    if situation.is_paused {
        walker.pause();
        step.locomotion = Locomotion::Paused;
        (step.cursor, step.memory) = (walker.cursor, walker.memory);
        return step;
    }
    if situation.dt <= 0.0 {
        // The game is paused: stand, and go on from there, without arriving a second time.
        return step;
    }
    if walker.memory.past == Past::Unknown {
        let was_there = situation.locomotion == Locomotion::Arrived;
        walker.memory.past = if was_there {
            Past::WasThere
        } else {
            Past::Over
        };
    }
    walker.forget_other_goals();
    walker.adopt_path();
    walker.memory.proven_velocity = Vec2::NAN;
    let (wanted, locomotion) = walker.choose();
    (step.velocity, step.locomotion) = (
        walker.keep_out(wanted),
        locomotion.settled_or_queued(situation.crowd),
    );
    // Who is held stands, wherever the step would have ended.
    let is_held = step.velocity == Vec2::ZERO;
    let speed_at_corner = if is_held { 0.0 } else { walker.speed_at_corner };
    walker.memory.speed = step.velocity.length().max(speed_at_corner);
    if walker.note_progress(step.velocity, step.locomotion) {
        step.locomotion = Locomotion::Stuck;
        let is_among = situation.crowd.is_some_and(|memory| memory.has_neighbors);
        let is_last_way = situation.path.detour().is_some();
        step.gives_up = walker.memory.watch.gives_up(is_last_way, is_among);
    }
    let has_arrived = step.locomotion == Locomotion::Arrived;
    step.has_arrived = has_arrived && !walker.memory.reported_arrival_of(situation.intent);
    if walker.memory.past == Past::WasThere && step.locomotion != Locomotion::Idle {
        walker.memory.past = Past::Over;
        step.has_arrived = false;
    }
    walker.note_arrival(has_arrived);
    // Those that rest are on no grid of their own.
    if situation.intent.order.want.is_path() {
        step.entered = (walker.memory).enter_forbidden(situation.snapshot, situation.position, situation.agent);
    }
    walker.memory.last_goal = situation.goal;
    step.cursor = walker.cursor;
    step.memory = walker.memory;
    step
}

impl FollowMemory {
    /// Whether the arrival was reported already.
    fn reported_arrival_of(&self, intent: &Intent) -> bool {
        self.has_arrived() && self.seen_revision == intent.revision
    }

    /// What the ground is that the agent came onto, if it may not be there.
    pub(super) fn enter_forbidden(
        &mut self,
        snapshot: Option<&NavSnapshot>,
        position: Vec2,
        agent: &NavAgent,
    ) -> Option<AreaId> {
        let was_inside = self.on_forbidden;
        let area = snapshot.and_then(|snapshot| {
            // Who is inside leaves with the center, however near the border it stands meanwhile.
            let depth = match was_inside {
                true => 0.0,
                false => FORBIDDEN_DEPTH_SHARE * snapshot.layout().cell_size().min(agent.radius),
            };
            snapshot.forbidden_area(position, agent.class, depth)
        });
        self.on_forbidden = area.is_some();
        area.filter(|_| !was_inside)
    }
}

fn stand(locomotion: Locomotion) -> (Vec2, Locomotion) {
    (Vec2::ZERO, locomotion)
}

impl Walker<'_> {
    /// Forgets what was seen of a goal that it is not sent to any more.
    fn forget_other_goals(&mut self) {
        if self.memory.seen_revision != self.situation.intent.revision {
            self.memory.last_goal = Vec2::NAN;
            self.memory.last_seen_target = Vec2::NAN;
            self.memory.sees_target = false;
            self.memory.is_in_line = false;
            self.memory.looked_at = !(self.cursor.next() as u8);
        }
    }

    /// Who is farther away than what counts as there keeps what it arrived at.
    fn note_arrival(&mut self, has_arrived: bool) {
        let situation = self.situation;
        let near = self.arrival_distance();
        if !has_arrived {
            if !self.is_pushed_out() {
                self.memory.arrival_sixteenths = 0;
            }
        } else if !self.memory.reported_arrival_of(situation.intent)
            || situation.position.distance(situation.goal) <= near
        {
            self.memory.arrive(near);
        }
        self.memory.seen_revision = situation.intent.revision;
    }

    /// Whether it was there, and only others can have moved it away: then it is told of no second arrival.
    fn is_pushed_out(&self) -> bool {
        let (situation, memory) = (self.situation, &self.memory);
        let moved = situation.goal.distance(memory.last_goal);
        situation.crowd.is_some()
            && memory.reported_arrival_of(situation.intent)
            && moved <= GOAL_REST_RADII * situation.agent.radius
    }

    /// Whether others moved it away from where its path ends.
    fn is_pushed_off_end(&self) -> bool {
        let situation = self.situation;
        situation.crowd.is_some() && situation.end.distance(situation.position) > LEAVE_RADII * situation.agent.radius
    }

    /// Keeps up with goal and path, so that it can go on from rest at any time.
    fn pause(&mut self) {
        self.forget_other_goals();
        self.adopt_path();
        self.memory.looked_at = !(self.cursor.next() as u8);
        self.memory.last_goal = self.situation.goal;
        self.memory.proven_velocity = Vec2::NAN;
        self.memory.speed = 0.0;
        self.memory.watch.reset();
    }

    /// Enters a new path at its closest point, so that the agent never steps back to its start.
    fn adopt_path(&mut self) {
        let revision = self.situation.path.revision as u16;
        if self.memory.path_revision != revision {
            self.memory.path_revision = revision;
            self.memory.last_seen_target = Vec2::NAN;
            self.enter_path();
            self.memory.left_path = false;
            self.memory.looked_at = !(self.cursor.next() as u8);
        }
    }

    fn choose(&mut self) -> (Vec2, Locomotion) {
        let situation = self.situation;
        if !situation.intent.order.want.is_path() || !situation.agent.is_valid() || !situation.position.is_finite() {
            return stand(Locomotion::Idle);
        }
        // Who may not be where it is leaves first, wherever its goal is: the path leads out by the nearest way.
        if self.memory.on_forbidden {
            return self.along_path();
        }
        if !situation.intent.order.is_flight() && situation.goal.is_finite() {
            self.look();
            if self.has_reached() {
                return (self.keep_up(), Locomotion::Arrived);
            }
            if self.is_led_around() {
                return self.along_path();
            }
            if situation.intent.order.want == Wants::Follow
                && let Some(velocity) = self.toward_goal()
            {
                return (velocity, Locomotion::Straight);
            }
        }
        if let Some(velocity) = self.toward_last_seen() {
            return (velocity, Locomotion::Moving);
        }
        self.along_path()
    }

    /// Whether it is stuck, or the straight line leads back to where it was.
    fn is_led_around(&self) -> bool {
        let situation = self.situation;
        let is_in_its_frame = situation.leg.grid == situation.path.order.grid;
        let is_stuck = self.memory.watch.stuck > 0;
        let leads = |jam: Jam| is_stuck || jam.meets(situation.position, situation.goal);
        is_in_its_frame && !self.is_past_path() && situation.path.detour().is_some_and(leads)
    }

    fn along_path(&mut self) -> (Vec2, Locomotion) {
        if self.situation.path.is_empty() {
            return stand(Locomotion::Idle);
        }
        if self.is_past_path() && self.is_pushed_off_end() {
            self.enter_path();
        }
        if self.is_past_path() || self.is_path_outdated() {
            return stand(Locomotion::Waiting);
        }
        match self.go_along_path() {
            Some(velocity) => (self.held_back(velocity), Locomotion::Moving),
            None => stand(Locomotion::Waiting),
        }
    }

    /// Looks for the goal, if it is time: in turns, at once when the path bends, and in each tick
    /// when the goal is near.
    fn look(&mut self) {
        let situation = self.situation;
        let away = situation.position.distance(situation.goal);
        let is_close =
            away <= CLOSE_REACHES * situation.intent.order.reach + CLOSE_RADII * situation.agent.radius;
        let cursor = self.cursor.next() as u8;
        if !(situation.has_its_turn || is_close || self.memory.looked_at != cursor) {
            return;
        }
        self.memory.looked_at = cursor;
        let seen = (situation.intent.order.want == Wants::Follow)
            .then(|| self.stop_in_sight(situation.goal, away))
            .flatten();
        self.memory.sees_target = seen.is_some();
        // Who is there already keeps to the target's tracks.
        if let Some(rest) = seen
            && !self.memory.has_arrived()
        {
            self.memory.last_seen_target = rest;
        }
        let may_reach = away <= self.departure_distance();
        self.memory.is_in_line =
            may_reach && (seen.is_some() || self.is_clear(situation.position, situation.goal));
    }

    /// Where the agent would come to rest on a straight way to the target, if its whole body fits
    /// all along and nothing is between there and the target.
    fn stop_in_sight(&self, target: Vec2, away: f32) -> Option<Vec2> {
        let situation = self.situation;
        let _snapshot = situation.snapshot.filter(|_| away <= situation.sight_range)?;
        let short_of = self.stopping_distance().min(away);
        let rest = target + (situation.position - target).normalize_or_zero() * short_of;
        let is_clear =
            self.fits_as_well_as_path(rest, STRAIGHT_CLEAR_RADII) && self.is_clear(rest, target);
        is_clear.then_some(rest)
    }

    /// Distance from the goal at which the agent counts as there.
    fn arrival_distance(&self) -> f32 {
        let least = ARRIVED_RADII * self.situation.agent.radius + self.situation.rounding;
        self.situation.intent.order.reach.max(least)
    }

    /// Distance from the goal at which an agent that arrived sets out again.
    fn departure_distance(&self) -> f32 {
        let near = self.arrival_distance();
        near + (LEAVE_REACH_SHARE * near).max(LEAVE_RADII * self.situation.agent.radius)
    }

    /// Whether the goal is in reach, and not through a wall.
    fn has_reached(&self) -> bool {
        let situation = self.situation;
        if self.is_at_end() {
            return true;
        }
        let is_there = self.memory.reported_arrival_of(situation.intent)
            && !self.memory.is_nearer_wanted(self.arrival_distance());
        let reach = if is_there { self.departure_distance() } else { self.arrival_distance() };
        if situation.position.distance(situation.goal) > reach {
            return false;
        }
        let by_foot = || situation.status == PathStatus::Found && self.remaining_distance() <= reach;
        self.memory.is_in_line || !situation.intent.order.needs_sight && by_foot()
    }

    /// Whether the agent left its path, and that leads to a place farther from the goal than the agent is:
    /// back to where the target was.
    fn is_path_outdated(&self) -> bool {
        let situation = self.situation;
        self.memory.left_path
            && situation.intent.order.want == Wants::Follow
            && situation.path.order.grid == situation.intent.order.grid
            && situation.path.order.goal.distance(situation.intent.order.goal) > situation.position.distance(situation.goal)
    }

    /// Whether the agent stands at the end of a path that leads to its goal and serves what is wanted now. That the end
    /// is as near as it gets is what planning found.
    fn is_at_end(&self) -> bool {
        let situation = self.situation;
        let slack = LEAVE_RADII * situation.agent.radius + situation.rounding;
        situation.status == PathStatus::Found
            && self.is_past_path()
            && situation.path.order.goal.distance(situation.intent.order.goal) <= slack
            && situation.end.distance(situation.position) <= slack
            && situation.path.serves(&situation.intent.order)
    }

    /// Whether nothing is between two points.
    fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        let situation = self.situation;
        situation.snapshot
            .is_some_and(|snapshot| match situation.intent.order.needs_sight {
                true => snapshot.sees(from, to, LINE_FRACTION * situation.agent.radius),
                false => snapshot.is_open(from, to, LINE_FRACTION * situation.agent.radius),
            })
    }

    /// Holds an agent back from cells that changed after its path was planned.
    fn held_back(&mut self, velocity: Vec2) -> Vec2 {
        let situation = self.situation;
        if self.is_fresh() {
            return velocity;
        }
        if !self.fits(situation.position, situation.position + velocity * situation.dt, 1.0) {
            return Vec2::ZERO;
        }
        self.memory.proven_velocity = velocity;
        velocity
    }

    /// The velocity, or what of it leads into nothing that is forbidden.
    fn keep_out(&self, velocity: Vec2) -> Vec2 {
        let situation = self.situation;
        let Some(snapshot) = situation.snapshot else {
            return velocity;
        };
        let step = velocity * situation.dt;
        let part = snapshot.keep_out(situation.position, step, situation.agent.class);
        // All of it is the velocity itself, which may be proven to fit.
        if part == step {
            velocity
        } else {
            part / situation.dt
        }
    }

    /// Whether the agent wants to walk and does not get anywhere.
    fn note_progress(&mut self, velocity: Vec2, locomotion: Locomotion) -> bool {
        let situation = self.situation;
        use Locomotion::{Moving, Queued, Straight, Waiting};
        let is_walking = matches!(locomotion, Moving | Straight | Queued);
        // Between two paths.
        let waits_for_path = locomotion == Waiting && situation.status == PathStatus::Found;
        // Who stands in the way of a target is often another chaser of it.
        let is_close = self.memory.sees_target
            && situation.position.distance(situation.goal) <= 2.0 * situation.intent.order.reach + situation.agent.radius;
        // What the crowd does not know of, as a collider, holds up one whom others let on.
        let waits =
            (situation.crowd).is_some_and(|memory| memory.is_behind && memory.held_up_seconds > 0.0);
        let is_near = |jam: Jam| jam.is_near(situation.position, situation.agent.radius);
        let tick = ProgressSample {
            position: situation.position,
            radius: situation.agent.radius,
            speed: if waits {
                situation.agent.speed
            } else {
                velocity.length()
            },
            dt: situation.dt,
            is_in_jam: situation.path.jam.is_some_and(is_near),
        };
        let watch = &mut self.memory.watch;
        if waits_for_path && !situation.is_held {
            false
        } else if situation.is_held || is_close || !is_walking {
            watch.reset();
            false
        } else if waits {
            watch.note_waiting(tick)
        } else {
            watch.note_walking(tick)
        }
    }
}
