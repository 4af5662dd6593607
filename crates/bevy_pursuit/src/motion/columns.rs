//! The components of agents that the follow stage reads and writes, as columns of ECS tables.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;

use crate::agent::{
    BodyState, CrowdState, Decided, DesiredVelocity, FollowMemory, Intent, Locomotion, NavAgent,
    NavDrive, NavPath, NavPaused, OffField, PathCursor, PathStatus, TickPosition, WalkState,
    WalkedGrid,
};
use crate::grid::OnGrid;
use crate::intent::PathRequest;
use crate::plan::recorder::PathRecorder;

/// The components of an agent that the follow stage reads.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(super) struct Follower {
    pub(super) entity: Entity,
    pub(super) agent: &'static NavAgent,
    pub(super) intent: &'static Intent,
    pub(super) request: Option<&'static PathRequest>,
    pub(super) position: &'static TickPosition,
    pub(super) path: &'static NavPath,
    pub(super) status: &'static PathStatus,
    pub(super) driver: &'static BodyState,
    pub(super) drive: Option<&'static NavDrive>,
    pub(super) is_paused: Has<NavPaused>,
    pub(super) is_recorded: Has<PathRecorder>,
    pub(super) is_marked: Has<OffField>,
    pub(super) on_grid: Option<&'static OnGrid>,
    pub(super) crowd_state: Option<&'static CrowdState>,
}

/// All columns of one table that the follow stage reads.
pub(super) type Followers<'w, 's> = FollowerContiguousItem<'w, 's>;

/// The components of an agent that the follow stage writes.
pub(super) type Written = (
    &'static mut PathCursor,
    &'static mut DesiredVelocity,
    &'static mut Locomotion,
    &'static mut FollowMemory,
    &'static mut WalkState,
    &'static mut Decided,
    &'static mut WalkedGrid,
);

impl Followers<'_, '_> {
    pub(super) fn row(&self, row: usize) -> FollowerItem<'_, '_> {
        FollowerItem {
            entity: self.entity[row],
            agent: &self.agent[row],
            intent: &self.intent[row],
            request: self.request.map(|all| &all[row]),
            position: &self.position[row],
            path: &self.path[row],
            status: &self.status[row],
            driver: &self.driver[row],
            drive: self.drive.map(|all| &all[row]),
            is_paused: self.is_paused,
            is_recorded: self.is_recorded,
            is_marked: self.is_marked,
            on_grid: self.on_grid.map(|all| &all[row]),
            crowd_state: self.crowd_state.map(|all| &all[row]),
        }
    }
}
