//! The velocities that lead an agent along its path, or straight to its target.
//!
//! Everything is computed from where the agent is, not from the world's origin: far from that, the
//! sum of a position and a small step is rounded.

use std::f32::consts::SQRT_2;
use std::mem;

use bevy::log::warn_once;
use bevy::math::Vec2;
use pursuit::steer::{advance, approach_speed, braking_speed, closest_on_segment};

use super::walker::{STRAIGHT_CLEAR_RADII, Walker};
use crate::agent::{FailReason, PathStatus, Wants};

/// Distance from its path within which an agent looks for no way back, in radii.
const OFF_PATH_RADII: f32 = 0.02;
/// Distance from its path within which an agent does not check whether its way is free, in radii.
const ON_PATH_RADII: f32 = 2e-3;
/// Distance at which an agent passes a waypoint if it can go straight on to the next one, in radii.
const PASS_RADII: f32 = 0.05;
/// As [`PASS_RADII`], for an agent that cannot come nearer.
const HELD_UP_PASS_RADII: f32 = 0.15;
/// As [`STRAIGHT_CLEAR_RADII`], for an agent that cannot come nearer to its waypoint.
const HELD_UP_CLEAR_RADII: f32 = 0.9;
/// As [`PASS_RADII`], for an agent of a crowd: not all of them can pass the same point.
const CROWD_PASS_RADII: f32 = 4.0;
/// As [`STRAIGHT_CLEAR_RADII`], for an agent of a crowd that passes a waypoint.
const CROWD_CLEAR_RADII: f32 = 1.0;
/// Most that the speed of an agent may rise in a tick, as a multiple of its top speed.
const MAX_SPEED_RISE_FACTOR: f32 = 1e4;
/// Fraction of its acceleration that a body that slips counts on when it brakes, because it lags a tick behind.
const SLIPPING_BRAKE_SHARE: f32 = 0.9;
/// A body that slips drifts past a corner by its squared speed, times the squared change of its
/// direction, over this and its acceleration. Exact for a right angle.
const DRIFT_DIVISOR: f32 = 2.0 * SQRT_2;
/// Slack beyond which an arrived agent goes after a target that runs away, as a fraction of the distance at which
/// the agent comes to rest.
const LEASH_SHARE: f32 = 0.5;

impl Walker<'_> {
    /// Velocity straight toward the target, if the agent sees it: braking relative to it, so that it
    /// catches one that runs.
    pub(super) fn toward_goal(&mut self) -> Option<Vec2> {
        if !self.memory.sees_target {
            return None;
        }
        let situation = self.situation;
        let to_target = situation.goal - situation.position;
        let direction = to_target.normalize_or_zero();
        let left = to_target.length() - self.stopping_distance();
        let closing = self.flight() + braking_speed(left, self.brakes(), situation.dt);
        let speed = self.cruise().min(closing);
        let velocity = direction * speed;
        // What was seen some ticks ago may be hidden by now.
        if !self.fits(situation.position, situation.position + velocity * situation.dt, 1.0) {
            self.memory.sees_target = false;
            return None;
        }
        self.memory.proven_velocity = velocity;
        self.memory.left_path = true;
        Some(velocity)
    }

    /// Velocity that keeps a target that was reached in reach as it runs away: straight after it where the
    /// body fits, else in its tracks, around the corner that it took.
    ///
    /// It lets the target gain the distance at which the agent comes to rest: who follows closely has to copy
    /// every turn, and from farther behind they become smaller. What the target gains beyond that is made up
    /// for. A target that a game moves once per frame stands in some ticks: for one the agent goes on.
    pub(super) fn keep_up(&mut self) -> Vec2 {
        let situation = self.situation;
        let goal = situation.goal;
        let runs = goal.distance(self.memory.last_goal) / situation.dt;
        let stands = runs == 0.0;
        let followed = self.memory.has_arrived() && self.memory.last_seen_target.is_finite();
        if situation.intent.order.want != Wants::Follow || runs.is_nan() || stands && !followed {
            self.memory.last_seen_target = Vec2::NAN;
            return Vec2::ZERO;
        }
        self.memory.left_path = true;
        let away = goal.distance(situation.position);
        let slack = LEASH_SHARE * self.stopping_distance();
        let is_taut = (away - slack) / (self.stopping_distance() - slack);
        let haste = if is_taut.is_nan() {
            1.0
        } else {
            is_taut.clamp(0.0, 1.0)
        };
        if self.fits_as_well_as_path(goal, STRAIGHT_CLEAR_RADII) {
            self.memory.last_seen_target = if stands { Vec2::NAN } else { goal };
            let flight = if stands {
                self.memory.speed
            } else {
                self.flight()
            };
            let lag = braking_speed(away - self.stopping_distance(), self.brakes(), situation.dt);
            return self.head_for(goal, (haste * flight + lag).min(self.cruise()));
        }
        if !self.memory.last_seen_target.is_finite() {
            return Vec2::ZERO;
        }
        let velocity = self.head_for(
            self.memory.last_seen_target,
            (haste * runs).min(self.cruise()),
        );
        let is_free = self.fits(situation.position, situation.position + velocity * situation.dt, 1.0);
        if is_free { velocity } else { Vec2::ZERO }
    }

    /// Speed at which the goal runs away from the agent, in world units per second; 0 if it does not.
    fn flight(&self) -> f32 {
        let situation = self.situation;
        let moved = situation.goal - self.memory.last_goal;
        let direction = (situation.goal - situation.position).normalize_or_zero();
        let flight = moved.dot(direction) / situation.dt;
        if flight.is_finite() {
            flight.max(0.0)
        } else {
            0.0
        }
    }

    /// Velocity toward where the target was last seen.
    pub(super) fn toward_last_seen(&mut self) -> Option<Vec2> {
        let (seen, position) = (self.memory.last_seen_target, self.situation.position);
        if !seen.is_finite() {
            return None;
        }
        let is_ahead = position.distance(seen) > 0.05 * self.situation.agent.radius + self.situation.rounding;
        if self.situation.intent.order.want != Wants::Follow
            || !is_ahead
            || !self.fits_best(position, seen, 1.0)
        {
            self.memory.last_seen_target = Vec2::NAN;
            return None;
        }
        self.memory.left_path = true;
        let speed = self.cruise();
        Some(self.head_for(seen, speed))
    }

    /// Top speed as far as acceleration allows, or all of it where that is another stage's matter.
    fn cruise(&self) -> f32 {
        let situation = self.situation;
        if situation.is_among_others() {
            return situation.agent.speed;
        }
        approach_speed(
            self.memory.speed,
            situation.agent.speed,
            self.acceleration(),
            situation.dt,
        )
        .max(0.0)
    }

    /// How fast the body can be sped up and braked, in world units per second². More than reaches top speed in a
    /// small part of a tick changes nothing but that rounding swallows what is left to brake.
    fn acceleration(&self) -> f32 {
        let situation = self.situation;
        let speed = situation.agent.speed.max(self.memory.speed);
        let most = MAX_SPEED_RISE_FACTOR * speed / situation.dt;
        if situation.acceleration > most && speed > 0.0 {
            warn_once!(
                "a NavAgent's acceleration of {} counts as {most}: with a speed of {speed} and {} s per tick no more \
                 makes a difference (said once)",
                situation.agent.acceleration,
                situation.dt
            );
            return most;
        }
        situation.acceleration
    }

    /// Whether the body is not brought to its velocity at once.
    fn slips(&self) -> bool {
        self.situation.acceleration < self.situation.agent.acceleration
    }

    /// How fast it counts on braking, in world units per second².
    fn brakes(&self) -> f32 {
        let share = if self.slips() {
            SLIPPING_BRAKE_SHARE
        } else {
            1.0
        };
        share * self.acceleration()
    }

    /// Velocity toward a point, never past it within this tick.
    fn head_for(&self, point: Vec2, speed: f32) -> Vec2 {
        let to_point = point - self.situation.position;
        to_point.normalize_or_zero() * speed.min(to_point.length() / self.situation.dt)
    }

    /// Velocity along the path; `None` where something carried the agent out of the path's sight.
    pub(super) fn go_along_path(&mut self) -> Option<Vec2> {
        let (position, dt) = (self.situation.position, self.situation.dt);
        let waypoints = self.situation.leg.waypoints;
        if mem::take(&mut self.memory.left_path) {
            self.enter_path();
        }
        self.pass_waypoint();
        if self.is_past_leg() {
            return Some(Vec2::ZERO);
        }
        let corner = self.cursor.ahead();
        let speed = self.cornering(self.pace());
        let off_path = self.closest_on_line().distance(position);
        let radius = self.situation.agent.radius;
        let is_off = off_path > OFF_PATH_RADII * radius + self.situation.rounding;
        if is_off && (self.stands_forbidden() || !self.fits(position, corner, 1.0)) {
            let point = self.point_to_rejoin()?;
            return Some(self.head_for(point, speed));
        }
        let to_corner = corner - position;
        let away = to_corner.length();
        if speed * dt < away {
            // On this line: nothing of the others is needed.
            let velocity = to_corner * (speed / away);
            if off_path <= ON_PATH_RADII * radius && self.is_proven_line() {
                self.memory.proven_velocity = velocity;
            }
            return Some(velocity);
        }
        let ahead = advance(waypoints, self.next(), position, speed * dt);
        let cuts_corner = ahead.next > self.next() && ahead.next < waypoints.len();
        if !cuts_corner || self.fits(position, position + ahead.offset, STRAIGHT_CLEAR_RADII) {
            self.head_to(ahead.next);
            if self.is_past_leg() && !self.is_past_path() {
                // It goes on from there as fast, on the next leg.
                self.speed_at_corner = speed;
            }
            return Some(ahead.offset / dt);
        }
        if away > 1e-4 * self.situation.agent.radius + self.situation.rounding {
            self.speed_at_corner = speed;
            return Some(to_corner / dt);
        }
        // On the corner itself: the line after it is safe by itself.
        self.head_to(self.next() + 1);
        let beyond = advance(waypoints, self.next(), position, speed * dt);
        Some(beyond.offset / dt)
    }

    /// Passes the waypoint ahead if the agent is as good as there: near enough to go on to the next
    /// one, or as near as its body comes.
    fn pass_waypoint(&mut self) {
        let (position, radius) = (self.situation.position, self.situation.agent.radius);
        let away = self.cursor.ahead().distance(position);
        let is_held_up = self.memory.watch.is_held_up(radius);
        let is_among_others = self.situation.is_among_others();
        let (slack, room) = match is_held_up {
            _ if is_among_others => (CROWD_PASS_RADII, CROWD_CLEAR_RADII),
            true => (HELD_UP_PASS_RADII, HELD_UP_CLEAR_RADII),
            false => (PASS_RADII, STRAIGHT_CLEAR_RADII),
        };
        // A body that slips is carried past a corner: it heads on as soon as it sees the next one.
        let drift = if self.slips() {
            0.5 * self.memory.speed * self.memory.speed / self.acceleration()
        } else {
            0.0
        };
        if away > drift.max(slack * radius) {
            return;
        }
        let next = self.next() + 1;
        match self.situation.leg.waypoints.get(next) {
            Some(ahead) if self.fits(position, *ahead, room) => self.head_to(next),
            // One of a crowd settles, or gets there once it has room.
            None if is_held_up && !is_among_others => self.head_to(next),
            _ => {}
        }
    }

    /// Speed along the path: braking for its end, or for the target if it leads there.
    fn pace(&self) -> f32 {
        let situation = self.situation;
        let cruise = self.cruise();
        let follows = situation.intent.order.want == Wants::Follow && situation.status == PathStatus::Found;
        // Farther than this from where it stops, as the crow flies, nobody brakes.
        let far = cruise * (0.5 * cruise / self.brakes() + 2.0 * situation.dt);
        let (stop, rest) = if follows {
            // Where there will be a line to the goal is not known before there is one.
            let rest = if situation.intent.order.needs_sight {
                0.0
            } else {
                self.stopping_distance()
            };
            (situation.goal, rest)
        } else {
            (situation.end, 0.0)
        };
        if situation.position.distance(stop) - rest > far {
            return cruise;
        }
        if follows {
            // A target that moved on leaves the path's end behind: walk up to that, if slowly.
            let left = self.remaining_distance() - rest;
            let braking = braking_speed(left, self.brakes(), situation.dt);
            return cruise.min(braking.max(0.1 * situation.agent.speed));
        }
        cruise.min(braking_speed(
            self.remaining_length(),
            self.brakes(),
            situation.dt,
        ))
    }

    /// The greatest speed, up to `speed`, at which a body that slips drifts off by no more than its radius at
    /// each corner that it cannot stop before.
    fn cornering(&self, speed: f32) -> f32 {
        if !self.slips() {
            return speed;
        }
        let (situation, brakes) = (self.situation, self.brakes());
        let ahead = situation.leg.waypoints.get(self.next()..).unwrap_or_default();
        let (mut slowest, mut way, mut here) = (speed, 0.0, situation.position);
        for line in ahead.windows(2) {
            way += here.distance(line[0]);
            if way > 0.5 * speed * speed / brakes {
                break;
            }
            let turn =
                (line[1] - line[0]).normalize_or_zero() - (line[0] - here).normalize_or_zero();
            let at_corner = DRIFT_DIVISOR * brakes * situation.agent.radius / turn.length_squared();
            slowest = slowest.min((at_corner + 2.0 * brakes * way).sqrt());
            here = line[0];
        }
        slowest
    }

    fn closest_on_line(&self) -> Vec2 {
        closest_on_segment(self.cursor.behind(), self.cursor.ahead(), self.situation.position)
    }

    /// Whether planning proved that the body fits along the line that it is on. The first line leads from
    /// wherever it stood to free ground.
    fn is_proven_line(&self) -> bool {
        let situation = self.situation;
        let is_entered = self.cursor.next() > 1 || situation.path.is_entry_proven;
        // Nobody proved the way of who is off the grid.
        let is_on_grid = situation.status != PathStatus::Partial(FailReason::OutsideGrid);
        is_on_grid && self.is_fresh() && is_entered && situation.path.order.radius >= situation.agent.radius
    }

    /// Where to go first if something pushed the agent off the line that it walks, and it does not
    /// see the end of that. `None` if there is a wall between.
    fn point_to_rejoin(&self) -> Option<Vec2> {
        let position = self.situation.position;
        let point = self.closest_on_line();
        let class = self.situation.agent.class;
        let is_near = point.distance(position) <= self.situation.agent.radius
            && !(self.situation.snapshot)
                .is_some_and(|snapshot| snapshot.enters_forbidden(position, point, class));
        let fits = || !self.stands_forbidden() && self.fits(position, point, 1.0);
        (is_near || fits()).then_some(point)
    }

    /// Whether something put the agent where its class may not be: only a path that was planned from there leads out by
    /// the nearest way.
    fn stands_forbidden(&self) -> bool {
        let (situation, class) = (self.situation, self.situation.agent.class);
        situation.snapshot
            .is_some_and(|snapshot| snapshot.is_forbidden(situation.position, class))
    }
}
