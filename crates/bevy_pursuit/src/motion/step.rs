//! One agent's step: from what it knows to the velocity it wants. No ECS, no side effects.

use std::mem;

use bevy::math::Vec2;
use pursuit::steer::{
    advance, approach_speed, braking_speed, closest_entry, closest_on_segment, remaining_length,
};

use crate::grid::NavSnapshot;
use crate::motion::agent::{
    FollowMemory, Locomotion, NavAgent, NavPath, PathStatus, ProgressWatch,
};

/// Part of the arrival distance at which a chaser comes to rest.
const REST: f32 = 0.8;
/// A chaser that arrived stays so until the target is this many arrival distances away.
const LEAVE: f32 = 1.15;
/// Part of its radius at which an agent is where it wants to be, however small its arrival distance.
const NEAR: f32 = 0.02;
/// Seconds over which progress is judged.
const WATCH: f32 = 1.0;
/// Longest time that a tick counts for, in seconds: Rapier's default steps no further in a frame, and
/// that bodies go slower in long frames is no wall's doing.
const PHYSICS_STEP: f32 = 1.0 / 60.0;
/// Part of the wanted way under which an agent counts as stuck.
const STUCK: f32 = 0.25;
/// Times its radius that an agent wants free when it leaves its path for a straight line, so that
/// it does not scrape along corners.
const ELBOW_ROOM: f32 = 1.04;
/// Part of its radius by which an agent may be off its path without looking for a way back.
const OFF_PATH: f32 = 0.02;

/// The chased entity as a chaser sees it, in world units and world units per second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) position: Vec2,
    pub(crate) velocity: Vec2,
}

/// Everything that an agent's step depends on, lengths in world units.
pub(crate) struct Situation<'a> {
    pub(crate) agent: &'a NavAgent,
    pub(crate) path: &'a NavPath,
    pub(crate) status: PathStatus,
    pub(crate) snapshot: Option<&'a NavSnapshot>,
    pub(crate) position: Vec2,
    pub(crate) target: Option<Target>,
    /// What it wanted and did in the tick before.
    pub(crate) velocity: Vec2,
    pub(crate) legs: Locomotion,
    pub(crate) sight_range: f32,
    pub(crate) dt: f32,
}

/// What an agent does in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) velocity: Vec2,
    pub(crate) legs: Locomotion,
    pub(crate) cursor: usize,
    pub(crate) memory: FollowMemory,
}

/// Decides the step: stop at the target, go straight to it, to where it was last seen, or along
/// the path.
pub(crate) fn step(now: &Situation, cursor: usize, memory: FollowMemory) -> Step {
    if now.dt <= 0.0 {
        // The game is paused: stand, and go on from there, without arriving a second time.
        return Step {
            velocity: Vec2::ZERO,
            legs: now.legs,
            cursor,
            memory,
        };
    }
    let mut walker = Walker {
        now,
        cursor,
        memory,
    };
    walker.adopt_path();
    let (velocity, mut legs) = walker.choose();
    walker.memory.speed = velocity.length();
    if walker.is_stuck(legs) {
        legs = Locomotion::Stuck;
    }
    walker.memory.last_position = Some(now.position);
    walker.memory.last_target = now.target.map(|target| target.position);
    Step {
        velocity,
        legs,
        cursor: walker.cursor,
        memory: walker.memory,
    }
}

struct Walker<'a> {
    now: &'a Situation<'a>,
    cursor: usize,
    memory: FollowMemory,
}

impl Walker<'_> {
    /// Enters a new path at its closest point, so that the agent never steps back to its start.
    fn adopt_path(&mut self) {
        if self.memory.path_serial != self.now.path.serial {
            self.memory.path_serial = self.now.path.serial;
            self.memory.last_seen = None;
            self.enter_path();
        }
    }

    fn enter_path(&mut self) {
        let entry = closest_entry(self.now.path.waypoints(), self.now.position);
        self.cursor = entry.map_or(0, |entry| entry.next);
    }

    fn choose(&mut self) -> (Vec2, Locomotion) {
        let idle = (Vec2::ZERO, Locomotion::Idle);
        let now = self.now;
        if !now.agent.is_valid() || !now.position.is_finite() {
            return idle;
        }
        if let Some(target) = now.target.filter(|target| target.position.is_finite()) {
            if self.has_reached(target.position) {
                self.memory.last_seen = None;
                return (Vec2::ZERO, Locomotion::Arrived);
            }
            if let Some(rest) = self.sees(target.position) {
                self.memory.last_seen = Some(rest);
                self.memory.left_path = true;
                return (self.go_straight(target), Locomotion::Straight);
            }
        }
        if let Some(seen) = self.memory.last_seen {
            let is_ahead = now.position.distance(seen) > 0.05 * now.agent.radius;
            if now.target.is_some() && is_ahead && self.fits(now.position, seen, 1.0) {
                return (self.head_for(seen, self.cruise()), Locomotion::Moving);
            }
            self.memory.last_seen = None;
        }
        if now.path.is_empty() {
            return idle;
        }
        if self.cursor >= now.path.waypoints().len() {
            return (Vec2::ZERO, self.legs_at_end());
        }
        match self.go_along_path() {
            Some(velocity) => (self.allowed(velocity), Locomotion::Moving),
            None => (Vec2::ZERO, Locomotion::Waiting),
        }
    }

    /// What an agent does that walked its path to the end.
    fn legs_at_end(&self) -> Locomotion {
        if self.now.target.is_none() && self.now.status == PathStatus::Found {
            Locomotion::Arrived
        } else {
            Locomotion::Waiting
        }
    }

    /// Whether the target is near and no wall is between: an agent does not catch through a wall.
    fn has_reached(&self, target: Vec2) -> bool {
        let Situation {
            agent,
            legs,
            position,
            ..
        } = *self.now;
        let leave = if legs == Locomotion::Arrived {
            LEAVE
        } else {
            1.0
        };
        let near = agent.arrival_distance.max(NEAR * agent.radius) * leave;
        let is_led_there = self.now.status == PathStatus::Found && self.way_left() <= 1.5 * near;
        position.distance(target) <= near && (is_led_there || self.is_clear_to(target))
    }

    fn is_clear_to(&self, target: Vec2) -> bool {
        let Situation {
            agent,
            position,
            snapshot,
            ..
        } = *self.now;
        snapshot
            .is_some_and(|snapshot| snapshot.line_of_sight(position, target, 0.1 * agent.radius))
    }

    /// The way along the path and from its end to the target.
    fn way_left(&self) -> f32 {
        let waypoints = self.now.path.waypoints();
        let (Some(end), Some(target)) = (waypoints.last(), self.now.target) else {
            return f32::INFINITY;
        };
        remaining_length(waypoints, self.cursor, self.now.position) + end.distance(target.position)
    }

    /// Where the agent would come to rest on a straight way to the target, if its whole body fits
    /// all along and nothing is between there and the target.
    fn sees(&self, target: Vec2) -> Option<Vec2> {
        let Situation {
            agent,
            position,
            sight_range,
            snapshot,
            ..
        } = *self.now;
        let distance = position.distance(target);
        let snapshot = snapshot.filter(|_| distance <= sight_range)?;
        let short_of = (REST * agent.arrival_distance).min(distance);
        let rest = target + (position - target).normalize_or_zero() * short_of;
        let is_clear = snapshot.line_of_sight(position, rest, ELBOW_ROOM * agent.radius)
            && snapshot.line_of_sight(rest, target, 0.1 * agent.radius);
        is_clear.then_some(rest)
    }

    /// Top speed as far as acceleration allows.
    fn cruise(&self) -> f32 {
        let Situation { agent, dt, .. } = *self.now;
        approach_speed(self.memory.speed, agent.speed, agent.acceleration, dt).max(0.0)
    }

    /// Velocity toward a point, never past it within this tick.
    fn head_for(&self, point: Vec2, speed: f32) -> Vec2 {
        let to_point = point - self.now.position;
        to_point.normalize_or_zero() * speed.min(to_point.length() / self.now.dt)
    }

    /// Closes in on a target in sight: brakes relative to it, so that it catches one that runs.
    fn go_straight(&self, target: Target) -> Vec2 {
        let Situation {
            agent,
            position,
            dt,
            ..
        } = *self.now;
        let to_target = target.position - position;
        let direction = to_target.normalize_or_zero();
        let left = to_target.length() - REST * agent.arrival_distance;
        let flight = target.velocity.dot(direction).max(0.0);
        let closing = flight + braking_speed(left, agent.acceleration, dt);
        direction * self.cruise().min(closing)
    }

    /// Velocity along the path; `None` where something carried the agent out of the path's sight.
    fn go_along_path(&mut self) -> Option<Vec2> {
        let Situation {
            agent,
            path,
            position,
            dt,
            ..
        } = *self.now;
        let waypoints = path.waypoints();
        if mem::take(&mut self.memory.left_path) {
            self.enter_path();
        }
        let corner = *waypoints.get(self.cursor)?;
        let speed = self.pace();
        if self.is_off_path() && !self.fits(position, corner, 1.0) {
            let point = self.point_to_rejoin()?;
            return Some(self.head_for(point, speed));
        }
        let ahead = advance(waypoints, self.cursor, position, speed * dt);
        let cuts_corner = ahead.next > self.cursor && ahead.next < waypoints.len();
        if !cuts_corner || self.fits(position, ahead.point, ELBOW_ROOM) {
            self.cursor = ahead.next;
            return Some((ahead.point - position) / dt);
        }
        if corner.distance(position) > 1e-4 * agent.radius {
            return Some((corner - position) / dt);
        }
        // On the corner itself: the leg after it is safe by itself.
        self.cursor += 1;
        let beyond = advance(waypoints, self.cursor, position, speed * dt);
        Some((beyond.point - position) / dt)
    }

    /// Speed along the path: braking for its end, or for the target if it leads there.
    fn pace(&self) -> f32 {
        let Situation {
            agent,
            path,
            position,
            dt,
            target,
            status,
            ..
        } = *self.now;
        let chases = target.is_some() && status == PathStatus::Found;
        let (left, least) = if chases {
            // A target that moved on leaves the path's end behind: walk up to that, if slowly.
            (
                self.way_left() - REST * agent.arrival_distance,
                0.1 * agent.speed,
            )
        } else {
            (
                remaining_length(path.waypoints(), self.cursor, position),
                0.0,
            )
        };
        let braking = braking_speed(left, agent.acceleration, dt);
        self.cruise().min(braking.max(least))
    }

    fn closest_on_leg(&self) -> Vec2 {
        let waypoints = self.now.path.waypoints();
        let behind = waypoints[self.cursor.saturating_sub(1)];
        closest_on_segment(behind, waypoints[self.cursor], self.now.position)
    }

    fn is_off_path(&self) -> bool {
        let allowed = OFF_PATH * self.now.agent.radius;
        self.closest_on_leg().distance(self.now.position) > allowed
    }

    /// Where to go first if something pushed the agent off the leg that it walks, and it does not
    /// see the leg's end. `None` if there is a wall between.
    fn point_to_rejoin(&self) -> Option<Vec2> {
        let Situation {
            agent, position, ..
        } = *self.now;
        let point = self.closest_on_leg();
        let is_near = point.distance(position) <= agent.radius;
        (is_near || self.fits(position, point, 1.0)).then_some(point)
    }

    /// Whether a body of `room` times the agent's radius can go straight between two points.
    fn fits(&self, from: Vec2, to: Vec2, room: f32) -> bool {
        let Situation {
            agent, snapshot, ..
        } = *self.now;
        snapshot.is_none_or(|snapshot| snapshot.line_of_sight(from, to, room * agent.radius))
    }

    /// Holds an agent back from cells that changed after its path was planned.
    fn allowed(&self, velocity: Vec2) -> Vec2 {
        let Situation {
            path,
            snapshot,
            position,
            dt,
            ..
        } = *self.now;
        let is_fresh = snapshot.is_none_or(|snapshot| snapshot.generation() == path.generation());
        if is_fresh || self.fits(position, position + velocity * dt, 1.0) {
            velocity
        } else {
            Vec2::ZERO
        }
    }

    /// Compares way made with way wanted, once a second.
    fn is_stuck(&mut self, legs: Locomotion) -> bool {
        let Situation {
            agent,
            position,
            velocity,
            dt,
            ..
        } = *self.now;
        let was_stuck = self.now.legs == Locomotion::Stuck;
        let Some(before) = self.memory.last_position else {
            return false;
        };
        let near_target = self.now.target.is_some_and(|target| {
            target.position.distance(position) <= 2.0 * agent.arrival_distance
        });
        if near_target || !matches!(legs, Locomotion::Moving | Locomotion::Straight) {
            self.memory.watch = ProgressWatch::default();
            return false;
        }
        let watch = &mut self.memory.watch;
        let dt = dt.min(PHYSICS_STEP);
        watch.elapsed += dt;
        watch.wanted += velocity.length() * dt;
        watch.made += (position - before).dot(velocity.normalize_or_zero());
        if watch.elapsed < WATCH {
            return was_stuck;
        }
        let stuck = watch.wanted > STUCK * agent.radius && watch.made < STUCK * watch.wanted;
        *watch = ProgressWatch::default();
        stuck
    }
}
