//! Agents that stand give way: to a wall that moved over them, and to a target that pushes against them.

use std::f32::consts::TAU;

use bevy::math::Vec2;

use super::walker::Walker;
use crate::agent::{FollowMemory, NavAgent};
use crate::grid::{FIT_FRACTION, NavSnapshot};

/// A standing agent is caught by a wall if the free space around it falls below this fraction of its radius. A body
/// that other agents press against a wall keeps more free space than this.
const CAUGHT_SHARE: f32 = 0.85;
/// Preferred free space around the place to which a caught agent goes, as a multiple of the agent's radius.
const ROOMY_SHARE: f32 = 1.25;
/// Number of directions in which a caught agent looks for free space.
const DIRECTIONS: u8 = 16;
/// Number of distances at which a caught agent looks for free space. They are half a cell apart.
const DISTANCES: u8 = 16;
/// Distance up to which even a target that rests counts as pushing against its chaser, as a multiple of the distance at
/// which the bodies touch. A target that comes nearer counts as pushing up to [`GIVE_WAY_FACTOR`].
const CONTACT_FACTOR: f32 = 1.05;
/// Distance at which a chaser no longer gives way to its target, as a multiple of the distance at which the bodies
/// touch. For a target that comes nearer, the distance that is expected in the next tick counts. With a smaller value,
/// a target that pushes has to stop again and again.
const GIVE_WAY_FACTOR: f32 = 1.3;

impl FollowMemory {
    /// The displacement with which a standing agent leaves a wall that moved over it. `None` if there is no such wall,
    /// if no free place is near, or if the agent never had room: then a game put it there.
    pub(super) fn escape_displacement(
        &mut self,
        snapshot: &NavSnapshot,
        place: Vec2,
        agent: &NavAgent,
    ) -> Option<Vec2> {
        let room = snapshot.clearance_at(place) / agent.radius;
        self.had_room |= room >= CAUGHT_SHARE;
        if !self.had_room || room >= CAUGHT_SHARE && !self.is_caught {
            return None;
        }
        let half_cell = 0.5 * snapshot.layout().cell_size();
        // A body whose center is inside the wall has no open line to anywhere.
        let is_open = |to: Vec2| room <= 0.0 || snapshot.is_open(place, to, 0.0);
        let is_free = |by: Vec2, share: f32| {
            snapshot.clearance_at(place + by) >= share * agent.radius
                && is_open(place + by)
                && !snapshot.is_forbidden(place + by, agent.class)
        };
        let turns = (0..DIRECTIONS).map(|n| f32::from(n) * TAU / f32::from(DIRECTIONS));
        let directions = turns.map(Vec2::from_angle);
        let places = (1..=DISTANCES).flat_map(|distance| {
            let away = f32::from(distance) * half_cell;
            directions.clone().map(move |direction| direction * away)
        });
        // The wall may move on, so a place with some room to spare is preferred.
        let shares = [ROOMY_SHARE, FIT_FRACTION].into_iter();
        let mut shares = shares.filter(|share| room < *share);
        let way = shares.find_map(|share| places.clone().find(|by| is_free(*by, share)));
        self.is_caught = way.is_some();
        way
    }
}

impl Walker<'_> {
    /// Velocity of an arrived chaser away from a solid target that pushes against it, so that the target gets out of a
    /// dead end. `None` if the target does not push, if the reach is too short to give way, or if the chaser has a
    /// place on a circle around the target.
    pub(super) fn give_way(&self) -> Option<Vec2> {
        let situation = self.situation;
        let touch = situation.intent.touch_distance;
        let from_target = situation.position - situation.goal;
        let direction = from_target.normalize_or(Vec2::X);
        // Distance by which the target came nearer in the latest tick. The target is expected to come nearer by this
        // distance again, so the agent steps back from the place where the target will be.
        let approach = f32::max(0.0, direction.dot(situation.goal - self.memory.last_goal));
        let (away, limit) = (from_target.length() - approach, GIVE_WAY_FACTOR * touch);
        let pushes = away < limit && (approach > 0.0 || away <= CONTACT_FACTOR * touch);
        if !pushes || limit > self.stopping_distance() || situation.intent.slot.is_some() {
            return None;
        }
        let haste = (GIVE_WAY_FACTOR - away / touch) / (GIVE_WAY_FACTOR - CONTACT_FACTOR);
        let speed = self.cruise() * haste.min(1.0);
        let turns = [0.0, 0.125, -0.125, 0.25, -0.25].map(|turn| Vec2::from_angle(turn * TAU));
        let mut ways = turns.map(|turn| turn.rotate(direction)).into_iter();
        // If the grid has too little room in each of these directions, the agent goes straight away from the target,
        // and the driver keeps its body out of walls.
        let ahead = |way: &Vec2| situation.position + *way * situation.agent.radius;
        let way = ways.find(|way| self.fits(situation.position, ahead(way), 1.0));
        Some(way.unwrap_or(direction) * speed)
    }
}
