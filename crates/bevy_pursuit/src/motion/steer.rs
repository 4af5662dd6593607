//! The velocities that lead an agent along its path, or straight to its target.
//!
//! Everything is computed relative to the agent's position, because far from the world's origin, the sum of a position
//! and a small displacement is rounded.

use std::f32::consts::SQRT_2;
use std::mem;

use bevy::log::warn_once;
use bevy::math::Vec2;
use pursuit::crowd::CrowdMemory;
use pursuit::steer::{advance, approach_speed, braking_speed, closest_on_segment};

use super::step::HELD_UP_SECONDS;
use super::walker::{STRAIGHT_CLEAR_RADII, Walker};
use crate::agent::{FailReason, PathStatus, Wants};

/// Distance from its path up to which an agent does not have to return to the path first, in agent radii.
const OFF_PATH_RADII: f32 = 0.02;
/// Distance from its path up to which an agent is on the path, so that its velocity is proven to fit, in agent radii.
const ON_PATH_RADII: f32 = 2e-3;
/// How far ahead of the closest point of its segment an agent in a queue may join the segment, in agent radii. Without
/// this, the agent turns by up to 90° whenever it becomes able or unable to go straight to the end of the segment, so
/// that it trembles.
const REJOIN_RADII: [f32; 4] = [8.0, 4.0, 2.0, 1.0];
/// Distance at which an agent passes a waypoint if it can go straight to the next one, in agent radii.
const PASS_RADII: f32 = 0.05;
/// [`PASS_RADII`] of an agent that is held up.
const HELD_UP_PASS_RADII: f32 = 0.15;
/// [`STRAIGHT_CLEAR_RADII`] of an agent that is held up near its waypoint.
const HELD_UP_CLEAR_RADII: f32 = 0.9;
/// [`PASS_RADII`] of an agent among others, because agents side by side cannot all pass the same point.
const CROWD_PASS_RADII: f32 = 4.0;
/// [`STRAIGHT_CLEAR_RADII`] of an agent among others that passes a waypoint.
const CROWD_CLEAR_RADII: f32 = 1.0;
/// Maximum change of an agent's speed per tick, as a multiple of its top speed. Greater accelerations are limited to
/// this.
const MAX_SPEED_RISE_FACTOR: f32 = 1e4;
/// Fraction of its acceleration that a slipping body relies on when it brakes, because it reacts a tick late.
const SLIPPING_BRAKE_SHARE: f32 = 0.9;
/// A slipping body drifts past a corner by `speed² × (change of direction)² / (DRIFT_DIVISOR × acceleration)`, where
/// directions are unit vectors. Exact for a right angle.
const DRIFT_DIVISOR: f32 = 2.0 * SQRT_2;
/// Distance from its target within which an arrived agent does not follow, as a fraction of the distance at which the
/// agent comes to rest.
const LEASH_SHARE: f32 = 0.5;

impl Walker<'_> {
    /// Velocity straight toward the target, if the agent sees the target. The agent brakes relative to the target, so
    /// that it catches up with a target that runs away.
    pub(super) fn toward_goal(&mut self) -> Option<Vec2> {
        if !self.memory.sees_target {
            return None;
        }
        let situation = self.situation;
        let to_target = situation.goal - situation.position;
        let direction = to_target.normalize_or_zero();
        let left = to_target.length() - self.stopping_distance();
        let closing = self.flight(direction) + braking_speed(left, self.brakes(), situation.dt);
        let speed = self.cruise().min(closing);
        let velocity = direction * speed;
        // The agent does not look in every tick, so an obstacle may be in between by now.
        if !self.fits_ahead(velocity) {
            self.memory.sees_target = false;
            return None;
        }
        self.walk.proven_velocity = velocity;
        self.memory.left_path = true;
        Some(velocity)
    }

    /// Velocity of an arrived agent, which keeps a target that runs away within its reach. The agent goes straight
    /// toward the target if its body fits, else to where it last saw the target, around the corner that the target
    /// took.
    ///
    /// Within its stopping distance the agent follows more slowly the closer it is, because an agent that follows
    /// closely has to copy every turn. Beyond that distance it catches up. A target that the game moves once per frame
    /// stands still in some ticks; for one such tick the agent goes on at its speed.
    pub(super) fn keep_up(&mut self) -> Vec2 {
        let (situation, goal) = (self.situation, self.situation.goal);
        // A place around a resting target shifts when other chasers move. Agents that followed it would never rest.
        let moved = match situation.intent.slot {
            Some(_) if self.memory.has_arrived() => situation.target - self.memory.arrived_at,
            _ => goal - self.memory.last_goal,
        };
        let stands = moved == Vec2::ZERO;
        let followed = self.memory.has_arrived() && self.memory.last_seen_target.is_finite();
        if situation.intent.order.want != Wants::Follow || moved.is_nan() || stands && !followed {
            self.memory.last_seen_target = Vec2::NAN;
            return Vec2::ZERO;
        }
        self.memory.left_path = true;
        let away = goal.distance(situation.position);
        let slack = LEASH_SHARE * self.stopping_distance();
        let is_taut = (away - slack) / (self.stopping_distance() - slack);
        let haste = match is_taut.is_nan() {
            true => 1.0,
            false => is_taut.clamp(0.0, 1.0),
        };
        if self.fits_as_well_as_path(goal, STRAIGHT_CLEAR_RADII) {
            self.memory.last_seen_target = if stands { Vec2::NAN } else { goal };
            let along = moved.dot((goal - situation.position).normalize_or_zero());
            let flight = match stands {
                true => self.walk.speed,
                false => along.max(0.0) / situation.dt,
            };
            let lag = braking_speed(away - self.stopping_distance(), self.brakes(), situation.dt);
            return self.head_for(goal, (haste * flight + lag).min(self.cruise()));
        }
        if !self.memory.last_seen_target.is_finite() {
            return Vec2::ZERO;
        }
        let speed = (haste * moved.length() / situation.dt).min(self.cruise());
        let velocity = self.head_for(self.memory.last_seen_target, speed);
        let is_free = self.fits_ahead(velocity);
        if is_free { velocity } else { Vec2::ZERO }
    }

    /// Velocity toward the point abreast of a target that is out of reach. Zero at that point while the target rests.
    /// `None` if there is no such point, or if the body does not fit along its next step.
    pub(super) fn go_abreast(&mut self) -> Option<Vec2> {
        let situation = self.situation;
        let point =
            (situation.path.abreast).filter(|_| situation.path.serves(&situation.intent.order))?;
        let way = point - situation.position;
        let flight = self.flight(way.normalize_or_zero());
        let closing = match way.length() {
            // While the target moves straight away from the agent or toward it, rounding errors move the point.
            left if flight == 0.0 && left <= PASS_RADII * situation.agent.radius => 0.0,
            left => flight + braking_speed(left, self.brakes(), situation.dt),
        };
        let velocity = self.head_for(point, self.cruise().min(closing));
        if !self.fits_ahead(velocity) {
            return None;
        }
        self.walk.proven_velocity = velocity;
        self.memory.left_path = true;
        self.memory.last_seen_target = point;
        Some(velocity)
    }

    /// Speed at which the goal moves in `direction`, in world units per second. 0 if the goal moves the other way.
    fn flight(&self, direction: Vec2) -> f32 {
        let situation = self.situation;
        let moved = situation.goal - self.memory.last_goal;
        let flight = moved.dot(direction) / situation.dt;
        match flight.is_finite() {
            true => flight.max(0.0),
            false => 0.0,
        }
    }

    /// Velocity toward where the agent last saw its target. `None` if the agent is there, or cannot go straight there.
    pub(super) fn toward_last_seen(&mut self) -> Option<Vec2> {
        let (seen, position) = (self.memory.last_seen_target, self.situation.position);
        if !seen.is_finite() {
            return None;
        }
        let is_ahead =
            position.distance(seen) > 0.05 * self.situation.agent.radius + self.situation.rounding;
        // The end of a line that came from a field is not proven to be free, so the agent tries shorter parts as well.
        let points = [1.0, 0.5, 0.25].map(|share| position.lerp(seen, share));
        let fits = |point: &Vec2| is_ahead && self.fits_best(position, *point, 1.0);
        let Some(seen) = points.into_iter().find(fits) else {
            self.memory.last_seen_target = Vec2::NAN;
            return None;
        };
        self.memory.left_path = true;
        let speed = self.cruise();
        Some(self.head_for(seen, speed))
    }

    /// The agent's top speed, or as much of it as the acceleration allows in this tick. Among other agents it is the
    /// top speed, because the avoidance stage limits the acceleration.
    pub(super) fn cruise(&self) -> f32 {
        let situation = self.situation;
        if situation.is_among_others() {
            return situation.agent.speed;
        }
        let (top, acceleration) = (situation.agent.speed, self.acceleration());
        approach_speed(self.walk.speed, top, acceleration, situation.dt).max(0.0)
    }

    /// How fast the body can speed up and brake, in world units per second². Limited by [`MAX_SPEED_RISE_FACTOR`],
    /// because with greater values only rounding errors grow.
    fn acceleration(&self) -> f32 {
        let situation = self.situation;
        let speed = situation.agent.speed.max(self.walk.speed);
        let max_acceleration = MAX_SPEED_RISE_FACTOR * speed / situation.dt;
        if situation.acceleration > max_acceleration && speed > 0.0 {
            warn_once!(
                "a NavAgent's acceleration of {} is treated as {max_acceleration}: with a speed of {speed} and {} s \
                 per tick a greater one makes no difference (said once)",
                situation.agent.acceleration,
                situation.dt
            );
            return max_acceleration;
        }
        situation.acceleration
    }

    /// Whether the body slips: it takes up a new velocity more slowly than its agent's acceleration allows.
    fn slips(&self) -> bool {
        self.situation.acceleration < self.situation.agent.acceleration
    }

    /// Deceleration that the agent relies on when it brakes, in world units per second².
    fn brakes(&self) -> f32 {
        let share = match self.slips() {
            true => SLIPPING_BRAKE_SHARE,
            false => 1.0,
        };
        share * self.acceleration()
    }

    /// Velocity toward a point, at `speed` or so much slower that the agent does not pass the point in this tick.
    fn head_for(&self, point: Vec2, speed: f32) -> Vec2 {
        let to_point = point - self.situation.position;
        to_point.normalize_or_zero() * speed.min(to_point.length() / self.situation.dt)
    }

    /// Velocity along the path. `None` if something moved the agent to where it cannot reach its path in a straight
    /// line.
    pub(super) fn go_along_path(&mut self) -> Option<Vec2> {
        let (position, dt) = (self.situation.position, self.situation.dt);
        let waypoints = self.situation.leg.waypoints;
        if mem::take(&mut self.memory.left_path) {
            self.enter_path();
        }
        self.pass_waypoint();
        let on_corner = 1e-4 * self.situation.agent.radius + self.situation.rounding;
        if self.next() + 1 < waypoints.len() && self.cursor.ahead().distance(position) <= on_corner
        {
            // The next segment was planned to be free.
            self.head_to(self.next() + 1);
        }
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
            // The agent stays on this segment, so the next ones do not matter.
            let velocity = to_corner * (speed / away);
            if off_path <= ON_PATH_RADII * radius && self.is_proven_line() {
                self.walk.proven_velocity = velocity;
            }
            return Some(velocity);
        }
        let ahead = advance(waypoints, self.next(), position, speed * dt);
        let cuts_corner = ahead.next > self.next() && self.next() + 1 < waypoints.len();
        if !cuts_corner || self.fits(position, position + ahead.offset, STRAIGHT_CLEAR_RADII) {
            self.head_to(ahead.next);
            if self.is_past_leg() && !self.is_past_path() {
                // In the next tick the agent goes on along the next leg, at the same speed.
                self.speed_at_corner = speed;
            }
            return Some(ahead.offset / dt);
        }
        self.speed_at_corner = speed;
        Some(to_corner / dt)
    }

    /// Passes the waypoint ahead if the agent is near enough to go straight to the next one, or as near as its body
    /// comes. The agent does not pass a waypoint early if the shortcut would enter a disc that has a price.
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
        // A slipping body drifts past a corner, so it heads for the next waypoint as soon as it fits straight there.
        let drift = match self.slips() {
            true => 0.5 * self.walk.speed * self.walk.speed / self.acceleration(),
            false => 0.0,
        };
        if away > drift.max(slack * radius) {
            return;
        }
        let next = self.next() + 1;
        let waypoint = self.cursor.ahead();
        let cuts_price = |to| self.situation.meets_price(to, Some(waypoint));
        match self.situation.leg.waypoints.get(next) {
            Some(ahead) if cuts_price(*ahead) => {}
            Some(ahead) if self.fits(position, *ahead, room) => self.head_to(next),
            // An agent among others does not pass the last waypoint early: it settles, or gets there once there is
            // room.
            None if is_held_up && !is_among_others => self.head_to(next),
            _ => {}
        }
    }

    /// Speed along the path, in world units per second. The agent brakes for the end of the path, or for the target if
    /// the path leads there.
    fn pace(&self) -> f32 {
        let situation = self.situation;
        let cruise = self.cruise();
        let follows =
            situation.intent.order.want == Wants::Follow && situation.status == PathStatus::Found;
        // Beyond this straight-line distance from the stopping point, the agent need not brake yet.
        let far = cruise * (0.5 * cruise / self.brakes() + 2.0 * situation.dt);
        let (stop, rest) = if follows {
            // It is not known in advance where on the path the agent will see the goal.
            let rest = match situation.intent.order.needs_sight {
                true => 0.0,
                false => self.stopping_distance(),
            };
            (situation.goal, rest)
        } else {
            (situation.end, 0.0)
        };
        if situation.position.distance(stop) - rest > far {
            return cruise;
        }
        if follows {
            // The target may have moved away from the end of the path. The agent walks there at least slowly.
            let left = self.remaining_distance() - rest;
            let braking = braking_speed(left, self.brakes(), situation.dt);
            return cruise.min(braking.max(0.1 * situation.agent.speed));
        }
        let left = self.remaining_length();
        cruise.min(braking_speed(left, self.brakes(), situation.dt))
    }

    /// The greatest speed, up to `speed`, at which a slipping body drifts at most its radius off the path at each
    /// corner that it cannot stop before.
    fn cornering(&self, speed: f32) -> f32 {
        if !self.slips() {
            return speed;
        }
        let (situation, brakes) = (self.situation, self.brakes());
        let ahead = situation.leg.waypoints.get(self.next()..);
        let (mut slowest, mut way, mut here) = (speed, 0.0, situation.position);
        for line in ahead.unwrap_or_default().windows(2) {
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

    /// The point of the current segment of the path that is closest to the agent.
    fn closest_on_line(&self) -> Vec2 {
        let (behind, ahead) = (self.cursor.behind(), self.cursor.ahead());
        closest_on_segment(behind, ahead, self.situation.position)
    }

    /// Whether planning proved that the body fits along the current segment of the path. The first segment may lead out
    /// of a tight place, so it has a flag of its own.
    fn is_proven_line(&self) -> bool {
        let situation = self.situation;
        let is_entered = self.cursor.next() > 1 || situation.path.is_entry_proven;
        // Outside of the grid nothing is proven.
        let is_on_grid = situation.status != PathStatus::Partial(FailReason::OutsideGrid);
        is_on_grid
            && self.is_fresh()
            && is_entered
            && situation.path.order.radius >= situation.agent.radius
    }

    /// The point of the current segment to which an agent returns that something pushed off the segment, if it cannot
    /// go straight to the end of the segment. It is the closest point, or a point farther ahead if the agent waits in a
    /// queue. `None` if a wall is in between.
    fn point_to_rejoin(&self) -> Option<Vec2> {
        let (position, agent) = (self.situation.position, self.situation.agent);
        let (closest, corner) = (self.closest_on_line(), self.cursor.ahead());
        let fits = |point: &Vec2| !self.stands_forbidden() && self.fits(position, *point, 1.0);
        let waits = |it: CrowdMemory| {
            it.is_behind && it.held_up_seconds >= HELD_UP_SECONDS || it.report_seconds > 0.0
        };
        let is_queued = self.situation.crowd.is_some_and(waits);
        let shares = REJOIN_RADII.map(|radii| radii * agent.radius / closest.distance(corner));
        let ahead = (shares.into_iter()).filter(|share| is_queued && *share < 1.0);
        let point = ahead.map(|share| closest.lerp(corner, share)).find(fits);
        let is_near = closest.distance(position) <= agent.radius
            && !(self.situation.snapshot)
                .is_some_and(|it| it.enters_forbidden(position, closest, agent.class));
        point.or_else(|| (is_near || fits(&closest)).then_some(closest))
    }

    /// Whether the agent is on forbidden ground. Then only a path that was planned from there leads out by the shortest
    /// way.
    fn stands_forbidden(&self) -> bool {
        let (situation, class) = (self.situation, self.situation.agent.class);
        (situation.snapshot).is_some_and(|it| it.is_forbidden(situation.position, class))
    }
}
