//! Answers questions about one entity that has a path or wants one.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::NoPath;
use crate::agent::{
    CrowdState, FailReason, FieldWalk, FollowMemory, GridPlane, GridPrices, Intent, Locomotion,
    NavPath, PathStatus, Planning, TickPosition, Walk, WalkState, WalkerParts, Wants,
    remaining_distance,
};
use crate::grid::{BakedGrid, BodyLayers};
use crate::plan::judge::Case;

/// An entity that has a path or wants one.
#[derive(QueryData)]
pub(super) struct PathQueryData {
    pub(super) entity: Entity,
    pub(super) intent: &'static Intent,
    pub(super) position: &'static TickPosition,
    pub(super) planning: &'static Planning,
    pub(super) status: &'static PathStatus,
    pub(super) path: &'static NavPath,
    pub(super) walker: Option<WalkerParts<'static>>,
    pub(super) memory: Option<&'static FollowMemory>,
    pub(super) walk_state: Option<&'static WalkState>,
    pub(super) crowd_state: Option<&'static CrowdState>,
}

impl PathQueryDataItem<'_, '_> {
    /// Whether the remaining route is the straight line to the goal. Otherwise the route is the rest of the path.
    fn goes_straight(&self) -> Result<bool, NoPath> {
        // A clone has the path of its original until the next tick.
        if !(self.path.is_of(self.planning) && self.position.0.is_finite()) {
            return Err(NoPath::Idle);
        }
        let want = self.intent.order.want;
        let is_off_path = match Walk::from(self.walker).how {
            Locomotion::Straight => want == Wants::Follow,
            Locomotion::Settled | Locomotion::Queued => {
                want == Wants::Follow && self.memory.is_some_and(|memory| memory.sees_target)
            }
            // The path leads to where the goal was when the path was planned.
            Locomotion::Arrived => matches!(want, Wants::Follow | Wants::Go),
            _ => false,
        };
        match *self.status {
            _ if is_off_path => Ok(true),
            // If a field leads to the goal, the path has no waypoints.
            PathStatus::Found => Ok(self.path.is_empty() && !self.intent.order.is_flight()),
            status => Err(status.into()),
        }
    }

    /// The walk along a field. `None` if no field leads the agent.
    pub(super) fn field_walk(&self) -> Option<&FieldWalk> {
        self.walk_state?.field()
    }

    pub(super) fn remaining_distance(&self, plane: &GridPlane) -> Result<f32, NoPath> {
        if let Some(walk) = self.field_walk() {
            let here = plane.to_grid(self.position.0);
            return Ok((walk.remaining_from(here) + self.intent.order.reach).max(0.0));
        }
        let goal = self.intent.order.goal;
        if self.goes_straight()? {
            return Ok(plane.to_grid(self.position.0).distance(goal));
        }
        let (order, path) = (&self.intent.order, self.path);
        let is_beyond = path.order.grid != order.grid && !order.is_flight();
        // The end of the path and the goal are in the coordinates of two grids.
        let end = path.legs().next_back().filter(|_| is_beyond);
        let rest = end.map_or(0.0, |leg| {
            let end = leg.plane.to_world(path.end);
            end.distance(plane.to_world(goal))
        });
        Ok(remaining_distance(path, self.next(), self.position.0, order) + rest)
    }

    /// The points of the remaining route, in world coordinates.
    pub(super) fn remaining_path(&self, plane: &GridPlane) -> Result<Vec<Vec3>, NoPath> {
        let order = &self.intent.order;
        let is_straight = self.goes_straight()?;
        let mut points = vec![self.position.0];
        if !is_straight {
            points.extend(self.path.waypoints().skip(self.next()));
        }
        if is_straight || !order.is_flight() && self.path.end != order.goal {
            points.push(plane.to_world(order.goal));
        }
        Ok(points)
    }

    pub(super) fn case<'c>(
        &'c self,
        (grid, prices, why_none): (Option<&'c BakedGrid>, &'c GridPrices, FailReason),
        layers: Option<&'c BodyLayers>,
    ) -> Case<'c> {
        Case {
            intent: self.intent,
            planning: self.planning,
            status: *self.status,
            path: self.path,
            position: BakedGrid::plane_of(grid).to_grid(self.position.0),
            is_crossed_beyond: false,
            walk: self.walker.into(),
            grid,
            prices,
            why_none,
            layers,
            wants_record: false,
            now: self.planning.asked_at,
            is_turn: true,
            abreast: self.path.abreast,
        }
    }

    /// Index of the waypoint ahead. An agent that has not started on its path will enter the path at the nearest point.
    pub(super) fn next(&self) -> usize {
        let revision = self.path.revision;
        match (Walk::from(self.walker), self.memory) {
            (walk, Some(memory)) if walk.is_agent && memory.path_revision == revision => walk.next,
            _ => self.path.closest_entry(self.position.0).unwrap_or(0),
        }
    }
}
