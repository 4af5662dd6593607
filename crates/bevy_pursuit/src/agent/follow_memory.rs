//! What an agent remembers from tick to tick while it follows a path.

use bevy::prelude::*;

use super::{GridPlane, ProgressWatch};

/// An arrived agent has to come nearer to its goal only if its distance of arrival shrinks to less than this share. The
/// distance varies by up to 3 %, because a target is measured again in every frame.
const NEARER_SHARE: f32 = 0.94;

/// What an agent remembers from tick to tick while it follows a path. Positions are in the grid coordinates of the
/// leg that the agent is on. A clone of an entity does not get a copy.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct FollowMemory {
    /// The plane that the positions are in.
    pub(crate) plane: GridPlane,
    /// [`NavPath::revision`](super::NavPath) of the path that the agent walks.
    pub(crate) path_revision: u32,
    /// A point that the body could reach in a straight line when the target was last seen, at the target or within
    /// reach of it. NaN for none.
    pub(crate) last_seen_target: Vec2,
    /// The goal in the tick before; NaN for none.
    pub(crate) last_goal: Vec2,
    pub(crate) watch: ProgressWatch,
    /// Index of the waypoint that was ahead when the agent last looked for its target. `None` if it has to look again.
    pub(crate) looked_at: Option<u32>,
    /// [`Intent::arrival_revision`](super::Intent::arrival_revision) in the tick before.
    pub(crate) seen_revision: u32,
    /// The distance from the goal at which the agent arrived, in world units. `None` while it has not arrived.
    pub(crate) arrival_distance: Option<f32>,
    /// The goal when the agent was last at its goal; NaN for none. For an agent with a place on a circle around its
    /// target, the position of the target.
    pub(crate) arrived_at: Vec2,
    /// Whether other agents were near when the agent was last at its goal, so that they may have pushed it away.
    pub(crate) was_among_others: bool,
    /// What the agent did before it was loaded from a saved state.
    pub(crate) past: Past,
    pub(crate) sees_target: bool,
    /// Whether there was a clear line to the goal when the agent last looked.
    pub(crate) is_in_line: bool,
    /// Whether the agent walked straight toward its target since it was last on its path.
    pub(crate) left_path: bool,
    /// Whether the agent is on ground that is forbidden to its class, and observers already got the event for it.
    pub(crate) on_forbidden: bool,
    /// Whether the agent ever had enough free space around it while it stood.
    pub(crate) had_room: bool,
    /// Whether a wall moved over the agent, and the agent is leaving the wall.
    pub(crate) is_caught: bool,
}

/// What an agent did before its [`FollowMemory`] began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Past {
    /// Not checked yet.
    Unknown,
    /// The agent had arrived when it was saved, and observers got the event then.
    WasThere,
    /// Nothing that still matters.
    Over,
}

impl Default for FollowMemory {
    fn default() -> Self {
        Self {
            plane: GridPlane::XY,
            path_revision: 0,
            last_seen_target: Vec2::NAN,
            last_goal: Vec2::NAN,
            watch: ProgressWatch::default(),
            looked_at: None,
            seen_revision: 0,
            arrival_distance: None,
            arrived_at: Vec2::NAN,
            was_among_others: false,
            past: Past::Unknown,
            sees_target: false,
            is_in_line: false,
            left_path: false,
            on_forbidden: false,
            had_room: false,
            is_caught: false,
        }
    }
}

impl FollowMemory {
    pub(crate) fn has_arrived(&self) -> bool {
        self.arrival_distance.is_some()
    }

    /// Clears all positions if they belong to another plane.
    pub(crate) fn enter_plane(&mut self, plane: &GridPlane) {
        if self.plane != *plane {
            self.plane = *plane;
            (self.last_seen_target, self.last_goal) = (Vec2::NAN, Vec2::NAN);
            self.arrived_at = Vec2::NAN;
            self.watch.reset();
        }
    }

    /// Whether the agent now has to come nearer to its goal than when it arrived. `near` is the distance at which it
    /// arrives now.
    pub(crate) fn is_nearer_wanted(&self, near: f32) -> bool {
        let is_nearer = |arrived_at: f32| near < NEARER_SHARE * arrived_at;
        self.arrival_distance.is_some_and(is_nearer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_counts_as_lower_if_it_is_an_eighth_less_but_not_if_it_is_3_percent_less() {
        for near in [1e-6, 0.1, 0.99, 1.0, 3.0, 7.9, 4000.0] {
            let memory = FollowMemory {
                arrival_distance: Some(near),
                ..FollowMemory::default()
            };
            for higher in [1.0, 1.03, 2.0, 100.0] {
                assert!(!memory.is_nearer_wanted(near * higher), "{near}, {higher}");
            }
            assert!(!memory.is_nearer_wanted(near * 0.97), "{near}");
            for lower in [0.875, 0.5, 0.01] {
                assert!(memory.is_nearer_wanted(near * lower), "{near}, {lower}");
            }
        }
    }
}
