//! An agent on its way: all that its step depends on, and what it knows of its way. `step` decides with it,
//! `steer` turns that into velocities.

use bevy::math::Vec2;
use pursuit::crowd::CrowdMemory;
use pursuit::steer::closest_entry;

use crate::agent::{
    FollowMemory, Intent, Leg, Locomotion, NavAgent, NavPath, PathCursor, PathStatus,
};
use crate::grid::{LINE_FRACTION, NavSnapshot};

/// Depth within its reach at which a chaser comes to rest, as a fraction of the reach. The lesser of this and
/// [`REST_RADII`] applies.
const REST_REACH_SHARE: f32 = 0.2;
/// Depth within its reach at which a chaser comes to rest, in radii of the chaser.
const REST_RADII: f32 = 0.5;
/// Free space that an agent wants around a straight line for which it leaves its path, in radii, so that it does
/// not scrape along corners.
pub(super) const STRAIGHT_CLEAR_RADII: f32 = 1.04;

/// Factor by which rounding may raise the cost of a way.
const COST_ROUNDING_FACTOR: f32 = 1.0 + 1e-4;

/// Everything that an agent's step depends on: lengths in world units, places in the frame of the leg that it is on.
pub(crate) struct Situation<'a> {
    pub(crate) agent: &'a NavAgent,
    /// How fast its body can be sped up and braked, in world units per second².
    pub(crate) acceleration: f32,
    pub(crate) intent: &'a Intent,
    pub(crate) path: &'a NavPath,
    /// Of the path: that which it is on.
    pub(crate) leg: Leg<'a>,
    /// Where it wants to go.
    pub(crate) goal: Vec2,
    /// Where the path ends.
    pub(crate) end: Vec2,
    pub(crate) status: PathStatus,
    pub(crate) snapshot: Option<&'a NavSnapshot>,
    /// Whether the snapshot is of the grid that the leg was planned on.
    pub(crate) is_on_its_grid: bool,
    pub(crate) position: Vec2,
    /// Distances below this are rounding where it is, on the grid or in the world.
    pub(crate) rounding: f32,
    pub(crate) locomotion: Locomotion,
    pub(crate) sight_range: f32,
    pub(crate) dt: f32,
    /// Whether it is this agent's turn to look for its goal.
    pub(crate) has_its_turn: bool,
    /// Whether nobody can expect the body to move.
    pub(crate) is_held: bool,
    /// Whether the game told it to stand.
    pub(crate) is_paused: bool,
    /// What it remembers of others, if it is kept apart from them.
    pub(crate) crowd: Option<CrowdMemory>,
}

impl Situation<'_> {
    /// Whether others were near: then the stage that keeps them apart speeds it up, too.
    pub(super) fn is_among_others(&self) -> bool {
        self.crowd.is_some_and(|memory| memory.has_neighbors)
    }
}

/// An agent that decides its step.
pub(super) struct Walker<'a> {
    pub(super) situation: &'a Situation<'a>,
    pub(super) cursor: PathCursor,
    pub(super) memory: FollowMemory,
    /// The speed of a step that ends early, on a corner that it can't cut: it goes on from there as fast.
    pub(super) speed_at_corner: f32,
}

impl Walker<'_> {
    /// Goes on where the leg is closest.
    pub(super) fn enter_path(&mut self) {
        let entry = closest_entry(self.situation.leg.waypoints, self.situation.position);
        self.head_to(entry.map_or(0, |entry| entry.next));
    }

    /// Makes a waypoint of the leg the next one.
    pub(super) fn head_to(&mut self, next: usize) {
        self.cursor = PathCursor::on(&self.situation.leg, next);
    }

    /// Which waypoint of the leg is ahead.
    pub(super) fn next(&self) -> usize {
        self.cursor.next() - self.situation.leg.first
    }

    /// Whether the leg is walked to its end.
    pub(super) fn is_past_leg(&self) -> bool {
        self.next() >= self.situation.leg.waypoints.len()
    }

    /// Whether all of the path is.
    pub(super) fn is_past_path(&self) -> bool {
        self.cursor.next() >= self.situation.path.waypoints.len()
    }

    /// Distance from the goal at which the agent comes to rest.
    pub(super) fn stopping_distance(&self) -> f32 {
        let reach = self.situation.intent.order.reach;
        reach - (REST_REACH_SHARE * reach).min(REST_RADII * self.situation.agent.radius)
    }

    /// The way along the path and from its end to the goal.
    pub(super) fn remaining_distance(&self) -> f32 {
        if self.situation.path.is_empty() {
            return f32::INFINITY;
        }
        self.remaining_length() + self.situation.end.distance(self.situation.goal)
    }

    /// The way along the path.
    pub(super) fn remaining_length(&self) -> f32 {
        let Situation { leg, path, .. } = self.situation;
        path.remaining_length(leg, self.situation.position, self.cursor.next())
    }

    /// Whether a body of `room` times the agent's radius can go straight between two points. Not where
    /// there is no grid to tell.
    pub(super) fn fits(&self, from: Vec2, to: Vec2, room: f32) -> bool {
        let situation = self.situation;
        situation.snapshot
            .is_some_and(|snapshot| snapshot.can_go_straight(from, to, situation.agent, room))
    }

    /// The same where, beside that, no other way is cheaper.
    pub(super) fn fits_best(&self, from: Vec2, to: Vec2, room: f32) -> bool {
        let situation = self.situation;
        situation.snapshot
            .is_some_and(|snapshot| snapshot.should_go_straight(from, to, situation.agent, room))
    }

    /// Whether the body can go straight to a point on its way to the goal, and hardly any way is cheaper, or at least the
    /// one that it would walk instead is not.
    pub(super) fn fits_as_well_as_path(&self, to: Vec2, room: f32) -> bool {
        let from = self.situation.position;
        if self.fits_best(from, to, room) {
            return true;
        }
        let is_cheap = |cost: f32| self.path_cost().is_some_and(|most| cost <= most);
        self.fits(from, to, room) && self.line_cost(from, self.situation.goal).is_some_and(is_cheap)
    }

    /// What the way along the path and from its end straight to the goal costs on ground that differs. `None` if it is not
    /// known to be one, and for an agent that has to leave where it stands.
    fn path_cost(&self) -> Option<f32> {
        let (situation, position) = (self.situation, self.situation.position);
        let (snapshot, class) = (situation.snapshot?, situation.agent.class);
        let is_uneven = !snapshot.is_even(class) && !snapshot.is_forbidden(position, class);
        let leads_there = self.is_fresh() && situation.status == PathStatus::Found && is_uneven;
        if !leads_there || situation.path.has_many_legs() || situation.path.order.class != class {
            return None;
        }
        let waypoints = situation.leg.waypoints;
        let ahead = waypoints.get(closest_entry(waypoints, position)?.next..)?;
        let ends_in_sight =
            situation.snapshot?
                .is_open(situation.end, situation.goal, LINE_FRACTION * situation.agent.radius);
        let points = ahead
            .iter()
            .copied()
            .chain(ends_in_sight.then_some(situation.goal));
        let (mut cost, mut here) = (0.0, position);
        for point in points {
            cost += self.line_cost(here, point)?;
            here = point;
        }
        (here == situation.goal).then_some(cost * COST_ROUNDING_FACTOR)
    }

    fn line_cost(&self, from: Vec2, to: Vec2) -> Option<f32> {
        self.situation.snapshot?.line_cost(from, to, self.situation.agent.class)
    }

    /// Whether the path was planned for a body of this size on the newest snapshot, or found to hold
    /// on it.
    pub(super) fn is_fresh(&self) -> bool {
        let situation = self.situation;
        let newest = situation.snapshot.map(NavSnapshot::generation);
        situation.is_on_its_grid
            && newest == Some(situation.leg.generation)
            && situation.path.order.radius >= situation.intent.order.radius
    }
}
