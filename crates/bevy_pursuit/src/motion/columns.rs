//! The columns of the ECS tables of agents, as following reads and writes them.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;

use crate::agent::{
    BodyState, CrowdState, Decided, DesiredVelocity, FollowMemory, Intent, Locomotion, NavAgent,
    NavDrive, NavPath, NavPaused, PathCursor, PathStatus, TickPosition, WalkState,
};
use crate::chunks::{Column, Rows, unmarked};
use crate::grid::OnGrid;
use crate::intent::PathRequest;

/// The components of an agent that following reads and writes.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(super) struct FollowData {
    entity: Entity,
    agent: &'static NavAgent,
    intent: &'static Intent,
    request: Option<&'static PathRequest>,
    position: &'static TickPosition,
    path: &'static NavPath,
    status: &'static PathStatus,
    driver: &'static BodyState,
    drive: Option<&'static NavDrive>,
    is_paused: Has<NavPaused>,
    on_grid: Option<&'static OnGrid>,
    crowd_state: Option<&'static CrowdState>,
    cursor: &'static mut PathCursor,
    desired: &'static mut DesiredVelocity,
    locomotion: &'static mut Locomotion,
    memory: &'static mut FollowMemory,
    walk: &'static mut WalkState,
    decided: &'static mut Decided,
}

/// The columns of one ECS table of agents that following only reads.
pub(super) struct ReadColumns<'w> {
    pub(super) entities: &'w [Entity],
    pub(super) agents: &'w [NavAgent],
    pub(super) intents: &'w [Intent],
    pub(super) requests: Option<&'w [PathRequest]>,
    pub(super) positions: &'w [TickPosition],
    pub(super) paths: &'w [NavPath],
    pub(super) statuses: &'w [PathStatus],
    pub(super) drivers: &'w [BodyState],
    pub(super) drives: Option<&'w [NavDrive]>,
    pub(super) is_paused: bool,
    pub(super) on_grids: Option<&'w [OnGrid]>,
    pub(super) crowd_states: Option<&'w [CrowdState]>,
}

/// The columns of one ECS table of agents that following writes.
pub(super) struct WrittenColumns<'w> {
    cursors: Column<'w, PathCursor>,
    desired: Column<'w, DesiredVelocity>,
    locomotion: Column<'w, Locomotion>,
    memories: &'w mut [FollowMemory],
    walks: &'w mut [WalkState],
    decided: &'w mut [Decided],
}

/// Consecutive rows of the columns that following writes.
pub(super) type Part<'a> = (
    Rows<'a, PathCursor>,
    Rows<'a, DesiredVelocity>,
    Rows<'a, Locomotion>,
    (
        &'a mut [FollowMemory],
        &'a mut [WalkState],
        &'a mut [Decided],
    ),
);

/// The components of an agent on a path that following reads.
pub(super) struct PathFollower<'a> {
    pub(super) entity: Entity,
    pub(super) agent: &'a NavAgent,
    pub(super) intent: &'a Intent,
    pub(super) request: Option<&'a PathRequest>,
    pub(super) position: &'a TickPosition,
    pub(super) path: &'a NavPath,
    pub(super) status: PathStatus,
    pub(super) driver: &'a BodyState,
    pub(super) drive: Option<&'a NavDrive>,
    pub(super) is_paused: bool,
    pub(super) on_grid: Option<&'a OnGrid>,
    pub(super) crowd_state: Option<&'a CrowdState>,
    pub(super) locomotion: Locomotion,
}

impl<'w> ReadColumns<'w> {
    pub(super) fn split(table: FollowDataContiguousItem<'w, '_>) -> (Self, WrittenColumns<'w>) {
        let read = Self {
            entities: table.entity,
            agents: table.agent,
            intents: table.intent,
            requests: table.request,
            positions: table.position,
            paths: table.path,
            statuses: table.status,
            drivers: table.driver,
            drives: table.drive,
            is_paused: table.is_paused,
            on_grids: table.on_grid,
            crowd_states: table.crowd_state,
        };
        let written = WrittenColumns {
            cursors: Column::new(table.cursor),
            desired: Column::new(table.desired),
            locomotion: Column::new(table.locomotion),
            memories: unmarked(table.memory),
            walks: unmarked(table.walk),
            decided: unmarked(table.decided),
        };
        (read, written)
    }

    pub(super) fn row(&self, row: usize, locomotion: Locomotion) -> PathFollower<'_> {
        PathFollower {
            entity: self.entities[row],
            agent: &self.agents[row],
            intent: &self.intents[row],
            request: self.requests.map(|all| &all[row]),
            position: &self.positions[row],
            path: &self.paths[row],
            status: self.statuses[row],
            driver: &self.drivers[row],
            drive: self.drives.map(|all| &all[row]),
            is_paused: self.is_paused,
            on_grid: self.on_grids.map(|all| &all[row]),
            crowd_state: self.crowd_states.map(|all| &all[row]),
            locomotion,
        }
    }
}

impl WrittenColumns<'_> {
    pub(super) fn rows(&mut self) -> Part<'_> {
        (
            self.cursors.rows(),
            self.desired.rows(),
            self.locomotion.rows(),
            (&mut *self.memories, &mut *self.walks, &mut *self.decided),
        )
    }
}
