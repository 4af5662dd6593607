//! The rule by which an agent that arrived has departed, so that its next arrival is a new one.

use bevy::math::Vec2;

use super::walker::Walker;

/// Distance beyond the slack up to which an agent that has others near counts as pushed and not as departed, in radii of
/// the agent. With a greater value, an agent that walks away and back sends no second event. With a smaller one, a
/// crowd that pushes its members sends second events.
const PUSH_RADII: f32 = 16.0;
/// [`PUSH_RADII`] of an agent that had others near at its goal and has no other agent near now. With a greater value, an agent
/// that is blown away sends no second event. With a smaller one, agents that a crowd pushes out send second events.
const ALONE_RADII: f32 = 8.0;
/// Distance beyond the slack up to which the goal of an agent among others may move, in radii of the agent, so that the
/// agent has not departed. With a greater value, an agent that follows its goal sends no second event. With a smaller
/// one, each small step of a target makes a crowd around it send second events.
const STEP_RADII: f32 = 2.0;

impl Walker<'_> {
    /// Whether the next arrival of an agent that is not at its goal is a new one, for which observers get
    /// [`GoalReached`](crate::GoalReached). This is the only rule for a second event, except that an agent may be sent
    /// again: see [`Intent::arrival_revision`](crate::agent::Intent::arrival_revision).
    ///
    /// An agent has departed as soon as it is no longer at its goal, with two exceptions. An agent that has other agents
    /// near, or had them near when it was last at its goal, departs only if it gets more than [`PUSH_RADII`] away, if it
    /// gets more than [`ALONE_RADII`] away while no other agent is near, or if its goal moves by more than
    /// [`STEP_RADII`]. An agent on a circle around its target departs when it leaves the circle, not when it leaves its
    /// place on the circle.
    pub(super) fn has_departed(&self) -> bool {
        let (situation, intent, memory) = (self.situation, self.situation.intent, &self.memory);
        let near = intent.slot.map_or(self.arrival_distance(), Vec2::length);
        let (radius, reach) = (situation.agent.radius, self.with_slack(near));
        let away = situation.position.distance(situation.target) - reach;
        if !(memory.was_among_others || situation.is_among_others()) {
            return intent.slot.is_none() || away > 0.0;
        }
        let from_end = situation.position.distance(situation.end);
        let moved = situation.target.distance(memory.arrived_at) - (reach - near);
        let pushed = match situation.is_among_others() {
            true => PUSH_RADII,
            false => ALONE_RADII,
        };
        moved > STEP_RADII * radius || away.min(from_end) > pushed * radius
    }
}
