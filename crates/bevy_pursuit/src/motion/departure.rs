//! The rule by which an arrival is a new one.

use bevy::math::Vec2;

use super::walker::Walker;

/// Distance beyond its slack up to which other agents may push an arrived agent away without a second arrival, in radii
/// of the agent.
const PUSH_RADII: f32 = 16.0;
/// Distance beyond its slack up to which the goal of an agent among others may move without a second arrival, in radii
/// of the agent.
const STEP_RADII: f32 = 2.0;

impl Walker<'_> {
    /// Whether the next arrival of an agent that is not at its goal is a new one, for which observers get
    /// [`GoalReached`](crate::GoalReached). This is the only rule for a second event, except that an agent may be sent
    /// again: see [`Intent::arrival_revision`](crate::agent::Intent::arrival_revision).
    ///
    /// An agent departs as soon as it is not at its goal any more, with two exceptions. While its goal rests, other
    /// agents may push it [`PUSH_RADII`] away. An agent on a circle around its target departs when it leaves the
    /// circle, not its place on the circle.
    pub(super) fn has_departed(&self) -> bool {
        let (situation, intent, memory) = (self.situation, self.situation.intent, &self.memory);
        let near = intent.slot.map_or(self.arrival_distance(), Vec2::length);
        let (radius, reach) = (situation.agent.radius, self.with_slack(near));
        let away = situation.position.distance(situation.center) - reach;
        if !memory.was_among_others {
            return intent.slot.is_none() || away > 0.0;
        }
        let from_end = situation.position.distance(situation.end);
        let moved = situation.center.distance(memory.arrived_at) - (reach - near);
        moved > STEP_RADII * radius || away.min(from_end) > PUSH_RADII * radius
    }
}
