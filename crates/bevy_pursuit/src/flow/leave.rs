//! Who leaves a flow goes on as an agent like others.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;

use crate::agent::{FlowFollower, Following, Intent, NavAgent, NavDrive, NavPaused, Planning};
use crate::grid::OnGrid;
use crate::intent::{Chase, Flee, PathRequest};
use crate::plan::recorder::PathRecorder;

/// Whoever has one of these, or lacks one, is more than one of many.
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

/// What leaving writes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Leaver {
    intent: &'static Intent,
    memory: &'static mut Following,
    planning: &'static mut Planning,
}

impl LeaverItem<'_, '_> {
    /// It goes on straight for as far as is proven, until its path is there.
    pub(super) fn leave(&mut self, follower: &FlowFollower) {
        let memory = self.memory.bypass_change_detection();
        *memory = Following {
            past: memory.past,
            frame: memory.frame,
            speed: follower.speed,
            seen: follower.expected + follower.heading * follower.ahead,
            told: self.intent.sending,
            looked_at: memory.looked_at,
            path_version: memory.path_version,
            ..Following::default()
        };
        self.planning.bypass_change_detection().is_pending = false;
    }
}

/// Lets those go that want something else, or are led or carried by something else.
pub(super) fn leave_flows(
    mut commands: Commands,
    mut apart: Query<(Entity, &FlowFollower, Leaver), Apart>,
) {
    for (entity, follower, mut leaver) in &mut apart {
        leaver.leave(follower);
        commands.entity(entity).try_remove::<FlowFollower>();
    }
}
