//! Decides what one agent does in one tick, from its [`Situation`] and its memory. No queries and no commands.
//!
//! This module decides where to go. `steer` computes the velocities for that.

use bevy::math::Vec2;

use super::walker::{STRAIGHT_CLEAR_RADII, Situation, Walker};
use crate::agent::{
    FailReason, FollowMemory, Intent, Locomotion, NavAgent, Past, PathCursor, PathStatus,
    ProgressSample, WalkState, Wants,
};
use crate::grid::{LINE_FRACTION, NavSnapshot};
use crate::ground::AreaId;

/// Distance beyond its reach up to which an arrived agent stays arrived, as a fraction of the reach. The greater of
/// this distance and [`LEAVE_RADII`] applies.
const LEAVE_REACH_SHARE: f32 = 0.15;
/// Distance beyond its reach up to which an arrived agent stays arrived, in agent radii.
const LEAVE_RADII: f32 = 0.25;
/// Distance from the end of its path within which an agent is at the end, in agent radii.
const END_SLACK_RADII: f32 = 0.25;
/// Smallest distance from the goal at which an agent arrives, however small its reach, in agent radii.
const ARRIVED_RADII: f32 = 0.02;
/// How far inside of forbidden ground an agent has to be before observers get the event, as a fraction of the cell size
/// or of the agent's radius, whichever is smaller.
const FORBIDDEN_DEPTH_SHARE: f32 = 0.25;
/// An agent looks for its goal in every tick within `CLOSE_REACHES × reach + CLOSE_RADII × radius` of the goal.
const CLOSE_REACHES: f32 = 2.0;
/// See [`CLOSE_REACHES`].
const CLOSE_RADII: f32 = 6.0;
/// An agent waits once others have held it up for this many seconds. Near its place around a target, it is
/// [`Locomotion::Settled`] then. In a queue, it no longer returns to its path by the shortest way. The crowd counts up
/// to 2 seconds, so that with a longer time no agent would ever wait. With a shorter one, chasers that still look for a
/// place count as settled.
pub(super) const HELD_UP_SECONDS: f32 = 1.0;
/// An agent that sees its goal is beside it within `BESIDE_GOAL_REACHES × reach + radius` of the goal.
const BESIDE_GOAL_REACHES: f32 = 2.0;

/// What an agent does in one tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) velocity: Vec2,
    pub(crate) locomotion: Locomotion,
    pub(crate) cursor: PathCursor,
    pub(crate) memory: FollowMemory,
    pub(crate) walk: WalkState,
    /// Whether the agent arrives in this tick, and observers should get the event.
    pub(crate) arrives: bool,
    /// Whether the agent is stuck, and a detour did not help either.
    pub(crate) gives_up: bool,
    /// The area that the agent came into in this tick, if it is forbidden to the agent.
    pub(crate) entered: Option<AreaId>,
}

/// Decides what an agent does in this tick: it stops at the goal, or goes straight to the goal, to where it last saw
/// the goal, or along its path.
pub(crate) fn decide_step(
    situation: &Situation,
    cursor: PathCursor,
    (memory, walk): (FollowMemory, WalkState),
) -> Step {
    let mut result = Step {
        velocity: Vec2::ZERO,
        locomotion: situation.locomotion,
        cursor,
        memory,
        walk,
        arrives: false,
        gives_up: false,
        entered: None,
    };
    let mut walker = Walker {
        situation,
        cursor,
        memory,
        walk,
        speed_at_corner: 0.0,
    };
    if situation.is_paused {
        walker.pause();
        result.locomotion = Locomotion::Paused;
        (result.cursor, result.memory, result.walk) = (walker.cursor, walker.memory, walker.walk);
        return result;
    }
    if situation.dt <= 0.0 {
        // The game is paused. The memory stays as it is, so that the agent does not arrive a second time afterwards.
        return result;
    }
    walker.memory.settle_past(situation.locomotion);
    walker.forget_other_goals();
    walker.adopt_path();
    walker.walk.proven_velocity = Vec2::NAN;
    let (wanted, locomotion) = walker.choose();
    result.velocity = walker.keep_out(wanted);
    result.locomotion = locomotion.settled_or_queued(situation.crowd);
    // An agent that stands still has no speed to go on with.
    let stands = result.velocity == Vec2::ZERO;
    let speed_at_corner = if stands { 0.0 } else { walker.speed_at_corner };
    walker.walk.speed = result.velocity.length().max(speed_at_corner);
    if walker.note_progress(result.locomotion) {
        if result.locomotion != Locomotion::Settled {
            result.locomotion = Locomotion::Stuck;
        }
        let is_last_way = situation.path.is_led_around && situation.is_near_price();
        result.gives_up = situation.may_report_jam()
            && (walker.memory.watch).gives_up(is_last_way, situation.is_among_others());
    } else if result.locomotion == Locomotion::Queued && walker.waits_for_its_place() {
        result.locomotion = Locomotion::Settled;
    }
    let is_there = result.locomotion == Locomotion::Arrived;
    result.arrives = is_there && !walker.memory.reported_arrival_of(situation.intent);
    if walker.memory.past == Past::WasThere && result.locomotion != Locomotion::Idle {
        walker.memory.past = Past::Over;
        result.arrives = false;
    }
    walker.note_arrival(is_there);
    // An agent that wants no path has no grid here: `FollowPass::enter_at_rest` does this for it.
    if situation.intent.order.want.is_path() {
        let (snapshot, position) = (situation.snapshot, situation.position);
        result.entered = (walker.memory).enter_forbidden(snapshot, position, situation.agent);
    }
    walker.memory.last_goal = situation.goal;
    (result.cursor, result.memory, result.walk) = (walker.cursor, walker.memory, walker.walk);
    result
}

impl FollowMemory {
    /// Finds out whether the agent had arrived before its memory began, if that is still unknown.
    fn settle_past(&mut self, locomotion: Locomotion) {
        if self.past == Past::Unknown {
            self.past = match locomotion {
                Locomotion::Arrived => Past::WasThere,
                _ => Past::Over,
            };
        }
    }

    /// Whether observers already got the event for the arrival of this intent.
    fn reported_arrival_of(&self, intent: &Intent) -> bool {
        self.has_arrived() && self.seen_revision == intent.arrival_revision()
    }

    /// Notes whether the agent is on forbidden ground. Returns the area if the agent was not on forbidden ground
    /// before.
    pub(super) fn enter_forbidden(
        &mut self,
        snapshot: Option<&NavSnapshot>,
        position: Vec2,
        agent: &NavAgent,
    ) -> Option<AreaId> {
        let was_inside = self.on_forbidden;
        let area = snapshot.and_then(|snapshot| {
            // An agent that is inside stays inside until its center is out.
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

impl Walker<'_> {
    /// Forgets what the agent saw of its goal if it has a new order.
    fn forget_other_goals(&mut self) {
        if self.memory.seen_revision != self.situation.intent.arrival_revision() {
            self.memory.last_goal = Vec2::NAN;
            // A walking agent goes on to where it last saw its old goal until its new path is found.
            let is_flight = self.situation.intent.order.is_flight();
            if self.memory.has_arrived() || self.walk.speed == 0.0 || is_flight {
                self.memory.last_seen_target = Vec2::NAN;
            }
            self.memory.sees_target = false;
            self.memory.is_in_line = false;
            self.memory.looked_at = None;
        }
    }

    /// Notes at which distance the agent arrived. An agent that has not departed keeps the old distance.
    fn note_arrival(&mut self, is_there: bool) {
        let situation = self.situation;
        let near = self.arrival_distance();
        let was_there = self.memory.reported_arrival_of(situation.intent);
        if is_there {
            self.memory.was_among_others = situation.is_among_others();
            self.memory.arrived_at = situation.target;
            if !was_there || situation.position.distance(situation.goal) <= near {
                self.memory.arrival_distance = Some(near);
            }
        } else if !was_there || self.has_departed() {
            self.memory.arrival_distance = None;
        }
        self.memory.seen_revision = situation.intent.arrival_revision();
    }

    /// Whether other agents moved the agent away from the end of its path.
    fn is_pushed_off_end(&self) -> bool {
        let situation = self.situation;
        situation.crowd.is_some()
            && situation.end.distance(situation.position) > END_SLACK_RADII * situation.agent.radius
    }

    /// Keeps the memory of goal and path up to date, so that the agent can set out from rest at any time.
    fn pause(&mut self) {
        self.forget_other_goals();
        self.adopt_path();
        self.memory.looked_at = None;
        self.memory.last_goal = self.situation.goal;
        self.walk.proven_velocity = Vec2::NAN;
        self.walk.speed = 0.0;
        self.memory.watch.reset();
    }

    /// Enters a new path at its closest point, so that the agent never goes back to the start of the path.
    fn adopt_path(&mut self) {
        let revision = self.situation.path.revision;
        if self.memory.path_revision != revision {
            self.memory.path_revision = revision;
            self.memory.last_seen_target = Vec2::NAN;
            self.enter_path();
            self.memory.left_path = false;
            self.memory.looked_at = None;
        }
    }

    /// The velocity and the locomotion, by the first rule that applies. Notes in the memory what the agent saw.
    fn choose(&mut self) -> (Vec2, Locomotion) {
        let situation = self.situation;
        if !situation.intent.order.want.is_path()
            || !situation.agent.is_valid()
            || situation.status == PathStatus::Failed(FailReason::BadRadius)
            || (situation.snapshot).is_some_and(|it| situation.agent.radius > it.max_radius())
            || !situation.position.is_finite()
        {
            return (Vec2::ZERO, Locomotion::Idle);
        }
        // An agent on forbidden ground leaves it first, wherever its goal is. Its path leads out by the shortest way.
        if self.memory.on_forbidden {
            return self.along_path();
        }
        if !situation.intent.order.is_flight() && situation.goal.is_finite() {
            self.look();
            if self.has_reached() {
                let velocity = self.give_way().unwrap_or_else(|| self.keep_up());
                return (velocity, Locomotion::Arrived);
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
        if let Some(velocity) = self.go_abreast() {
            let how = match velocity == Vec2::ZERO {
                true => Locomotion::Waiting,
                false => Locomotion::Moving,
            };
            return (velocity, how);
        }
        if let Some(velocity) = self.toward_last_seen() {
            return (velocity, Locomotion::Moving);
        }
        self.along_path()
    }

    /// Whether the agent has to keep to its path: either it is stuck and its path is a detour, or the straight line to
    /// the goal, or to where the agent last saw the goal, enters a disc in which an agent got stuck.
    fn is_led_around(&self) -> bool {
        let situation = self.situation;
        if situation.prices.is_empty() || self.is_past_path() {
            return false;
        }
        let seen = self.memory.last_seen_target;
        self.memory.watch.stuck > 0 && situation.path.is_led_around
            || situation.meets_price(situation.goal, None)
            || seen.is_finite() && situation.meets_price(seen, None)
    }

    /// Goes along the path, or waits if the path does not lead any nearer.
    fn along_path(&mut self) -> (Vec2, Locomotion) {
        if self.situation.path.is_empty() {
            return (Vec2::ZERO, Locomotion::Idle);
        }
        if self.is_past_path() && self.is_pushed_off_end() {
            self.enter_path();
        }
        if self.is_past_path() || self.is_path_outdated() {
            return (Vec2::ZERO, Locomotion::Waiting);
        }
        match self.go_along_path() {
            Some(velocity) => (self.held_back(velocity), Locomotion::Moving),
            None => (Vec2::ZERO, Locomotion::Waiting),
        }
    }

    /// Looks for the goal: when it is the agent's turn, when another waypoint is ahead, and in every tick when the goal
    /// is near.
    fn look(&mut self) {
        let situation = self.situation;
        let away = situation.position.distance(situation.goal);
        let is_close = away
            <= CLOSE_REACHES * situation.intent.order.reach + CLOSE_RADII * situation.agent.radius;
        let cursor = Some(self.cursor.next() as u32);
        if !(situation.has_its_turn || is_close || self.memory.looked_at != cursor) {
            return;
        }
        self.memory.looked_at = cursor;
        let follows = situation.intent.order.want == Wants::Follow;
        let seen = || self.stop_in_sight(situation.goal, away);
        let seen = follows.then(seen).flatten();
        self.memory.sees_target = seen.is_some();
        // While the agent is arrived, `keep_up` uses `last_seen_target` to follow the target's trail.
        if let Some(stop) = seen
            && !self.memory.has_arrived()
        {
            self.memory.last_seen_target = stop;
        }
        let may_reach = away <= self.departure_distance();
        self.memory.is_in_line =
            may_reach && (seen.is_some() || self.is_clear(situation.position, situation.goal));
    }

    /// The point where the agent would come to rest on a straight way to the target. `None` if its body does not fit
    /// along the way, or something is between that point and the target.
    fn stop_in_sight(&self, target: Vec2, away: f32) -> Option<Vec2> {
        let situation = self.situation;
        let may_see = situation.snapshot.is_some() && away <= situation.sight_range;
        if !may_see {
            return None;
        }
        let short_of = self.stopping_distance().min(away);
        let stop = target + (situation.position - target).normalize_or_zero() * short_of;
        let is_clear =
            self.fits_as_well_as_path(stop, STRAIGHT_CLEAR_RADII) && self.is_clear(stop, target);
        is_clear.then_some(stop)
    }

    /// Distance from the goal at which the agent arrives, in world units.
    pub(super) fn arrival_distance(&self) -> f32 {
        let least = ARRIVED_RADII * self.situation.agent.radius + self.situation.rounding;
        self.situation.intent.order.reach.max(least)
    }

    /// Distance from the goal at which an arrived agent sets out again, in world units.
    fn departure_distance(&self) -> f32 {
        self.with_slack(self.arrival_distance())
    }

    /// Distance at which an agent departs that arrived at the distance `near`: `near` plus the slack, in world units.
    pub(super) fn with_slack(&self, near: f32) -> f32 {
        near + (LEAVE_REACH_SHARE * near).max(LEAVE_RADII * self.situation.agent.radius)
    }

    /// Whether the goal is within reach of the agent, and not behind a wall.
    fn has_reached(&self) -> bool {
        let situation = self.situation;
        if self.is_at_end() {
            return true;
        }
        let is_there = self.memory.reported_arrival_of(situation.intent)
            && !self.memory.is_nearer_wanted(self.arrival_distance());
        let reach = match is_there {
            true => self.departure_distance(),
            false => self.arrival_distance(),
        };
        if situation.position.distance(situation.goal) > reach {
            return false;
        }
        let by_foot =
            || situation.status == PathStatus::Found && self.remaining_distance() <= reach;
        self.memory.is_in_line || !situation.intent.order.needs_sight && by_foot()
    }

    /// Whether the agent left its path, and the path ends farther from the goal than the agent is, because the target
    /// has moved since. A path that falls short of its target is outdated as soon as the target moves.
    fn is_path_outdated(&self) -> bool {
        let situation = self.situation;
        let (planned, wanted) = (&situation.path.order, &situation.intent.order);
        let max_moved = match situation.status {
            PathStatus::Partial(_) => 0.0,
            _ => situation.position.distance(situation.goal),
        };
        self.memory.left_path
            && wanted.want == Wants::Follow
            && planned.grid == wanted.grid
            && planned.goal.distance(wanted.goal) > max_moved
    }

    /// Whether the agent is at the end of a path that leads to its goal and serves its order. Planning found no nearer
    /// end, so the reach is not checked.
    fn is_at_end(&self) -> bool {
        let situation = self.situation;
        let (path, order) = (situation.path, &situation.intent.order);
        let slack = END_SLACK_RADII * situation.agent.radius + situation.rounding;
        situation.status == PathStatus::Found
            && self.is_past_path()
            && path.order.goal.distance(order.goal) <= slack
            && situation.end.distance(situation.position) <= slack
            && path.serves(order)
    }

    /// Whether no obstacle is between two points. If the order needs sight, see-through obstacles do not matter.
    fn is_clear(&self, from: Vec2, to: Vec2) -> bool {
        let situation = self.situation;
        let width = LINE_FRACTION * situation.agent.radius;
        (situation.snapshot).is_some_and(|snapshot| match situation.intent.order.needs_sight {
            true => snapshot.sees(from, to, width),
            false => snapshot.is_open(from, to, width),
        })
    }

    /// `velocity`, or zero if the grid has changed since the path was planned and the body no longer fits.
    fn held_back(&mut self, velocity: Vec2) -> Vec2 {
        if self.is_fresh() {
            return velocity;
        }
        if !self.fits_ahead(velocity) {
            return Vec2::ZERO;
        }
        self.walk.proven_velocity = velocity;
        velocity
    }

    /// `velocity`, or the part of it that does not lead onto forbidden ground.
    fn keep_out(&self, velocity: Vec2) -> Vec2 {
        let (position, class) = (self.situation.position, self.situation.agent.class);
        let wanted = (velocity, self.situation.dt);
        let allowed = |it: &NavSnapshot| it.allowed_velocity(position, wanted, class);
        self.situation.snapshot.map_or(velocity, allowed)
    }

    /// Whether others have long kept the agent from its place around the target.
    fn waits_for_its_place(&self) -> bool {
        let (crowd, has_place) = (self.situation.crowd, self.situation.intent.slot.is_some());
        let is_kept = crowd.is_some_and(|it| it.held_up_seconds > HELD_UP_SECONDS);
        has_place && is_kept && self.is_beside_goal()
    }

    /// Whether the agent sees its goal near itself and has other agents near, so that these agents probably hold it up.
    /// Without avoidance, other agents count as near.
    fn is_beside_goal(&self) -> bool {
        let situation = self.situation;
        self.memory.sees_target
            && situation.crowd.is_none_or(|memory| memory.has_neighbors)
            && situation.position.distance(situation.goal)
                <= BESIDE_GOAL_REACHES * situation.intent.order.reach + situation.agent.radius
    }

    /// Notes a tick in the progress watch. Called once per tick. Returns whether the agent is stuck.
    fn note_progress(&mut self, locomotion: Locomotion) -> bool {
        let situation = self.situation;
        use Locomotion::{Moving, Queued, Settled, Straight, Waiting};
        let leads_line = situation.crowd.is_some_and(|memory| memory.leads_line);
        let stands = locomotion == Settled;
        let is_walking = matches!(locomotion, Moving | Straight | Queued) || stands && leads_line;
        // The next path is not found yet.
        let waits_for_path = locomotion == Waiting && situation.status == PathStatus::Found;
        // An agent that others hold up waits. If nothing holds it up and it still does not move, a collider that is not
        // in the crowd may block it.
        let waits = (situation.crowd)
            .is_some_and(|memory| stands || memory.is_behind && memory.held_up_seconds > 0.0);
        let tick = ProgressSample {
            position: situation.position,
            radius: situation.agent.radius,
            speed: match waits {
                true => situation.agent.speed,
                // The speed that the agent wants. An agent that stops at a corner in this tick is slower.
                false => self.walk.speed,
            },
            dt: situation.dt,
            is_near_price: situation.is_near_price(),
        };
        if situation.is_held || self.is_beside_goal() && !stands || !is_walking {
            if situation.is_held || !waits_for_path {
                self.memory.watch.reset();
            }
            return false;
        }
        match waits {
            true => self.memory.watch.note_waiting(tick, leads_line),
            false => self.memory.watch.note_walking(tick),
        }
    }
}
