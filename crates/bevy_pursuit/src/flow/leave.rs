//! Decides which agents may be in a flow, and turns followers that leave into ordinary agents.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;

use crate::agent::{
    FlowFollower, FollowMemory, Intent, NavAgent, NavDrive, NavPath, NavPaused, Planning,
};
use crate::grid::OnGrid;
use crate::intent::{Chase, Flee, PathRequest};
use crate::plan::recorder::PathRecorder;

/// Followers that cannot stay, because they have one of the components that [`Plain`] excludes, or lack one that
/// followers need.
type Apart = (
    With<FlowFollower>,
    Or<(
        With<PathRequest>,
        With<Flee>,
        With<NavPaused>,
        With<NavDrive>,
        With<OnGrid>,
        With<PathRecorder>,
        With<ChildOf>,
        Without<Chase>,
        Without<NavAgent>,
    )>,
);

/// Chasing agents without any component that planning or walking would also have to consider.
pub(super) type Plain = (
    With<Chase>,
    Without<FlowFollower>,
    Without<PathRequest>,
    Without<Flee>,
    Without<NavPaused>,
    Without<NavDrive>,
    Without<OnGrid>,
    Without<PathRecorder>,
    Without<ChildOf>,
);

/// The components that leaving reads and writes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Leaver {
    intent: &'static Intent,
    path: &'static NavPath,
    memory: &'static mut FollowMemory,
    planning: &'static mut Planning,
}

impl LeaverItem<'_, '_> {
    /// Prepares the agent to go on straight, as far as the way is proven to be clear, until it has a path.
    pub(super) fn leave(&mut self, follower: &FlowFollower) {
        let memory = self.memory.bypass_change_detection();
        *memory = FollowMemory {
            past: memory.past,
            on_forbidden: memory.on_forbidden,
            plane: memory.plane,
            speed: follower.speed,
            last_seen_target: follower.expected + follower.heading * follower.clear_distance,
            seen_revision: self.intent.revision,
            looked_at: memory.looked_at,
            path_revision: self.path.revision,
            ..FollowMemory::default()
        };
        self.planning.bypass_change_detection().is_pending = false;
    }
}

/// Makes followers leave that want something else, or that something else leads or carries.
pub(super) fn leave_flows(
    mut commands: Commands,
    mut apart: Query<(Entity, &FlowFollower, Leaver), Apart>,
) {
    for (entity, follower, mut leaver) in &mut apart {
        leaver.leave(follower);
        commands.entity(entity).try_remove::<FlowFollower>();
    }
}
