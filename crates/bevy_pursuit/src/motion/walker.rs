//! What an agent's movement in one tick depends on, and queries about its path. `step` decides with it where to go,
//! `steer` computes the velocities.

use bevy::math::Vec2;
use pursuit::crowd::CrowdMemory;
use pursuit::steer::closest_entry;

use crate::agent::{
    FollowMemory, Intent, Leg, Locomotion, NavAgent, NavPath, PathCursor, PathStatus, Price,
    WalkState,
};
use crate::grid::{LINE_FRACTION, NavSnapshot};

/// How far inside of its reach a chaser comes to rest, as a fraction of the reach. The smaller of this distance and
/// [`REST_RADII`] applies.
const REST_REACH_SHARE: f32 = 0.2;
/// How far inside of its reach a chaser comes to rest, in radii of the chaser.
const REST_RADII: f32 = 0.5;
/// An agent leaves its path for a straight line only if a body of this many times its radius fits along the line, so
/// that it does not scrape along corners.
pub(super) const STRAIGHT_CLEAR_RADII: f32 = 1.04;

/// Factor by which rounding may raise the computed cost of a path.
const COST_ROUNDING_FACTOR: f32 = 1.0 + 1e-4;

/// What an agent's movement in one tick depends on. Lengths are in world units, positions in the grid coordinates of
/// the leg that the agent is on.
pub(crate) struct Situation<'a> {
    pub(crate) agent: &'a NavAgent,
    /// How fast the body can speed up and brake, in world units per second².
    pub(crate) acceleration: f32,
    pub(crate) intent: &'a Intent,
    pub(crate) path: &'a NavPath,
    /// The leg of the path that the agent is on.
    pub(crate) leg: Leg<'a>,
    /// The goal of the intent.
    pub(crate) goal: Vec2,
    /// The target, if the goal is a place on a circle around it. Else the goal.
    pub(crate) target: Vec2,
    /// The end of the path.
    pub(crate) end: Vec2,
    pub(crate) status: PathStatus,
    pub(crate) snapshot: Option<&'a NavSnapshot>,
    /// The prices of the grid.
    pub(crate) prices: &'a [Price],
    /// Whether `snapshot` belongs to the grid that the leg was planned on.
    pub(crate) is_on_its_grid: bool,
    pub(crate) position: Vec2,
    /// Distances below this may be rounding errors at the agent's position, in the grid or in the world.
    pub(crate) rounding: f32,
    pub(crate) locomotion: Locomotion,
    /// Distance up to which the agent can see its target, in world units.
    pub(crate) sight_range: f32,
    /// Length of the tick, in seconds.
    pub(crate) dt: f32,
    /// Whether it is this agent's turn to look for its goal. Agents take turns, so that not all look in the same tick.
    pub(crate) has_its_turn: bool,
    /// Whether the physics holds the body, so that no progress is expected.
    pub(crate) is_held: bool,
    /// Whether the game paused the agent: see [`NavPaused`](crate::NavPaused).
    pub(crate) is_paused: bool,
    /// What the agent remembers of other agents, if it was kept apart from them in the tick before.
    pub(crate) crowd: Option<CrowdMemory>,
}

impl Situation<'_> {
    /// Whether the straight line from the agent to `to` enters a disc whose price binds the agent. Discs that the line
    /// from `corner` to `to` also enters do not count. The disc of a line of waiting agents counts only if the path of
    /// this agent leads around a disc.
    pub(super) fn meets_price(&self, to: Vec2, corner: Option<Vec2>) -> bool {
        let body = self.intent.order.body();
        self.prices.iter().any(|price| {
            let counts = price.line.is_none() || self.path.is_led_around;
            let is_cut = counts && price.binds(body) && price.meets(self.position, to);
            is_cut && !corner.is_some_and(|corner| price.meets(corner, to))
        })
    }

    /// Whether the agent is near a disc whose price binds it. Discs of lines do not count.
    pub(super) fn is_near_price(&self) -> bool {
        let body = self.intent.order.body();
        let mut prices = self.prices.iter();
        prices.any(|price| price.is_near(self.position, body))
    }

    /// Whether the agent may report a jam. Only the agent nearest to the goal reports it, for all agents in the jam.
    pub(super) fn may_report_jam(&self) -> bool {
        self.crowd
            .is_none_or(|it| !it.has_neighbors || it.leads_line)
    }

    /// Whether other agents were near. Then the avoidance stage limits the agent's acceleration, not this one.
    pub(super) fn is_among_others(&self) -> bool {
        self.crowd.is_some_and(|memory| memory.has_neighbors)
    }
}

/// An agent while its movement in this tick is decided.
pub(super) struct Walker<'a> {
    pub(super) situation: &'a Situation<'a>,
    pub(super) cursor: PathCursor,
    pub(super) memory: FollowMemory,
    pub(super) walk: WalkState,
    /// Speed with which the agent goes on in the next tick if it stops at a corner that it cannot cut, or at the end of
    /// a leg, in this tick. Else 0.
    pub(super) speed_at_corner: f32,
}

impl Walker<'_> {
    /// Enters the leg at its closest point.
    pub(super) fn enter_path(&mut self) {
        let entry = closest_entry(self.situation.leg.waypoints, self.situation.position);
        self.head_to(entry.map_or(0, |entry| entry.next));
    }

    /// Heads for the waypoint of the leg with this index.
    pub(super) fn head_to(&mut self, next: usize) {
        self.cursor = PathCursor::on(&self.situation.leg, next);
    }

    /// Index of the waypoint ahead, within the leg.
    pub(super) fn next(&self) -> usize {
        self.cursor.next() - self.situation.leg.first
    }

    /// Whether the agent has passed the last waypoint of the leg.
    pub(super) fn is_past_leg(&self) -> bool {
        self.next() >= self.situation.leg.waypoints.len()
    }

    /// Whether the agent has passed the last waypoint of the path.
    pub(super) fn is_past_path(&self) -> bool {
        self.cursor.next() >= self.situation.path.waypoints.len()
    }

    /// Distance from the goal at which the agent comes to rest, in world units. Slightly less than its reach.
    pub(super) fn stopping_distance(&self) -> f32 {
        let reach = self.situation.intent.order.reach;
        reach - (REST_REACH_SHARE * reach).min(REST_RADII * self.situation.agent.radius)
    }

    /// Remaining distance along the path, and straight on from its end to the goal. Infinite without a path.
    pub(super) fn remaining_distance(&self) -> f32 {
        if self.situation.path.is_empty() {
            return f32::INFINITY;
        }
        self.remaining_length() + self.situation.end.distance(self.situation.goal)
    }

    /// Remaining distance along the path.
    pub(super) fn remaining_length(&self) -> f32 {
        let Situation { leg, path, .. } = self.situation;
        path.remaining_length(leg, self.situation.position, self.cursor.next())
    }

    /// Whether a body of `room` times the agent's radius can go straight between two points. `false` without a
    /// snapshot.
    pub(super) fn fits(&self, from: Vec2, to: Vec2, room: f32) -> bool {
        let situation = self.situation;
        (situation.snapshot).is_some_and(|it| it.can_go_straight(from, to, situation.agent, room))
    }

    /// Whether the body can go straight to the point that it reaches in this tick at `velocity`.
    pub(super) fn fits_ahead(&self, velocity: Vec2) -> bool {
        let position = self.situation.position;
        self.fits(position, position + velocity * self.situation.dt, 1.0)
    }

    /// Whether a body of `room` times the agent's radius can go straight between two points, and hardly any other path
    /// is cheaper.
    pub(super) fn fits_best(&self, from: Vec2, to: Vec2, room: f32) -> bool {
        let situation = self.situation;
        (situation.snapshot)
            .is_some_and(|it| it.should_go_straight(from, to, situation.agent, room))
    }

    /// Whether the body can go straight to a point on its way to the goal, and hardly any other path is cheaper, or at
    /// least the agent's own path is not.
    pub(super) fn fits_as_well_as_path(&self, to: Vec2, room: f32) -> bool {
        let from = self.situation.position;
        if self.fits_best(from, to, room) {
            return true;
        }
        let is_cheap = |cost: f32| self.path_cost().is_some_and(|max_cost| cost <= max_cost);
        self.fits(from, to, room)
            && (self.line_cost(from, self.situation.goal)).is_some_and(is_cheap)
    }

    /// Cost of the rest of the path, and of the line from its end to the goal. `None` if all ground costs the same, if
    /// the path is not known to lead to the goal, and if the agent is on forbidden ground.
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
        let (goal, width) = (situation.goal, LINE_FRACTION * situation.agent.radius);
        let ends_in_sight = snapshot.is_open(situation.end, goal, width);
        let points = (ahead.iter().copied()).chain(ends_in_sight.then_some(goal));
        let (mut cost, mut here) = (0.0, position);
        for point in points {
            cost += self.line_cost(here, point)?;
            here = point;
        }
        (here == situation.goal).then_some(cost * COST_ROUNDING_FACTOR)
    }

    /// Cost of the straight line between two points. `None` if the line enters forbidden ground.
    fn line_cost(&self, from: Vec2, to: Vec2) -> Option<f32> {
        let (snapshot, agent) = (self.situation.snapshot?, self.situation.agent);
        snapshot.line_cost(from, to, agent.class)
    }

    /// Whether the path is valid for the newest snapshot and for a body of this size: it was planned for them, or was
    /// checked since.
    pub(super) fn is_fresh(&self) -> bool {
        let situation = self.situation;
        let newest = situation.snapshot.map(NavSnapshot::generation);
        situation.is_on_its_grid
            && newest == Some(situation.leg.generation)
            && situation.path.order.radius >= situation.intent.order.radius
    }
}
