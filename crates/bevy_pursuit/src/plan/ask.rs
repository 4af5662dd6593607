//! Answers given at once, in the thread that asks: those that a search in a task would give. Pure.

use std::sync::atomic::AtomicBool;

use bevy::ecs::resource::Resource;
use bevy::math::Vec2;
use pursuit::Cell;

use super::ends::{Surroundings, Trip, leads_to_goal};
use super::planner::{Planned, Planner, check_radius};
use super::shared::Sharing;
use super::waypoints::Plan;
use crate::agent::{FailReason, NavBody};
use crate::grid::NavSnapshot;

/// Nodes that a search may expand, as of the latest tick. A copy of what the settings say, so that who
/// asks needs nothing that a game writes.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AskLimit(pub(crate) Option<u32>);

/// The cell of a body, if its place in the grid and its radius make sense.
pub(crate) fn cell_of_body(
    snapshot: &NavSnapshot,
    point: Vec2,
    body: NavBody,
) -> Result<Cell, FailReason> {
    check_radius(snapshot, body.radius)?;
    let own = snapshot.layout().cell_at(point);
    own.ok_or(FailReason::OutsideGrid)
}

/// The path from one point to another. A path that does not lead to the goal is none.
pub(crate) fn find_path(
    snapshot: &NavSnapshot,
    trip: &Trip,
    max_expanded: Option<u32>,
) -> Result<Plan, FailReason> {
    static NEVER_CANCELLED: AtomicBool = AtomicBool::new(false);
    match Planner::new(snapshot, max_expanded).plan(trip, Sharing::default(), &NEVER_CANCELLED) {
        Some(Ok(Planned::Path(plan))) => match plan.shortfall {
            None => Ok(plan),
            Some(reason) => Err(reason),
        },
        Some(Err(reason)) => Err(reason),
        // Nobody cancels it, and nobody knows where it leads.
        Some(Ok(Planned::Same)) | None => Err(FailReason::Unreachable),
    }
}

/// Whether [`find_path`] finds one, without a search wherever that can be told.
pub(crate) fn is_reachable(snapshot: &NavSnapshot, trip: &Trip) -> Result<bool, FailReason> {
    let (ends, goal_cell) = Planner::new(snapshot, None).ends(trip)?;
    if let Some(reason) = ends.shortfall {
        return no_way(reason);
    }
    // Without a shortfall the goal is in the grid.
    if ends.to != goal_cell || leads_to_goal(snapshot, trip, goal_cell) {
        return Ok(true);
    }
    // Something is in the goal's own cell. Only the path tells from where it comes there.
    find_path(snapshot, trip, None).map_or_else(no_way, |_| Ok(true))
}

/// Whether a reason means that there is no way; others mean that nobody can tell.
fn no_way(reason: FailReason) -> Result<bool, FailReason> {
    match reason {
        FailReason::Unreachable | FailReason::GoalBlocked => Ok(false),
        _ => Err(reason),
    }
}

/// The point itself if a body can stand there and walk on, else the center of the nearest cell where
/// it can; among equals the first, row by row.
pub(crate) fn nearest_free(
    snapshot: &NavSnapshot,
    point: Vec2,
    body: NavBody,
) -> Result<Vec2, FailReason> {
    let own = cell_of_body(snapshot, point, body)?;
    let layout = snapshot.layout();
    let layers = snapshot.layers(body);
    let here = Surroundings {
        snapshot,
        point,
        own,
        body,
    };
    if snapshot.free(point, body) && here.entry(|cell| layers.grid().is_free(cell)).is_some() {
        return Ok(point);
    }
    let nearest = layers.nearest_free(layout.to_cell_space(point));
    let nearest = nearest.ok_or(FailReason::StartBlocked)?;
    Ok(layout.center(nearest))
}
