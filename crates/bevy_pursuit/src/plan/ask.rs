//! Queries that are answered immediately, on the calling thread. The answers are the same as those of searches in
//! tasks. Pure.

use std::sync::atomic::AtomicBool;

use bevy::prelude::*;
use pursuit::Cell;

use super::ends::{Trip, leads_to_goal};
use super::planner::{Planned, Planner, Sharing, check_radius};
use super::waypoints::Plan;
use crate::agent::{FailReason, NavBody, Price};
use crate::grid::NavSnapshot;

/// Maximum number of nodes that a search may expand, as of the latest tick. A copy of the setting, so that a query does
/// not need a resource that games write.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AskLimit(pub(crate) Option<u32>);

/// The cell of a body. Fails if the radius is invalid, or the position is outside of the grid.
pub(crate) fn cell_of_body(
    snapshot: &NavSnapshot,
    point: Vec2,
    body: NavBody,
) -> Result<Cell, FailReason> {
    check_radius(snapshot, body.radius)?;
    let own = snapshot.layout().cell_at(point);
    own.ok_or(FailReason::OutsideGrid)
}

/// The path from one point to another. Fails if the path would not lead to the goal.
pub(crate) fn find_path(
    (snapshot, prices): (&NavSnapshot, &[Price]),
    trip: &Trip,
    max_expanded: Option<u32>,
) -> Result<Plan, FailReason> {
    static NEVER_CANCELLED: AtomicBool = AtomicBool::new(false);
    let mut planner = Planner::new(snapshot, max_expanded).with_prices(prices);
    match planner.plan(trip, Sharing::default(), &NEVER_CANCELLED) {
        Some(Ok(Planned::Path(plan))) => match plan.shortfall {
            None => Ok(plan),
            Some(reason) => Err(reason),
        },
        Some(Err(reason)) => Err(reason),
        // Never happens: the search is not cancelled, and it is not a check of a known path.
        Some(Ok(Planned::Same)) | None => Err(FailReason::Unreachable),
    }
}

/// Whether [`find_path`] finds a path. Searches only if the regions of the grid do not tell.
pub(crate) fn is_reachable(snapshot: &NavSnapshot, trip: &Trip) -> Result<bool, FailReason> {
    let (ends, goal_cell) = Planner::new(snapshot, None).ends(trip)?;
    if let Some(reason) = ends.shortfall {
        return no_way(reason);
    }
    // Without a shortfall the goal is in the grid.
    if ends.to != goal_cell || leads_to_goal(snapshot, trip, goal_cell) {
        return Ok(true);
    }
    // An obstacle is in the goal's own cell, so it depends on the side from which a path enters the cell.
    find_path((snapshot, &[]), trip, None).map_or_else(no_way, |_| Ok(true))
}

/// `false` if `reason` means that there is no path. Any other reason is returned as an error.
fn no_way(reason: FailReason) -> Result<bool, FailReason> {
    match reason {
        FailReason::Unreachable | FailReason::GoalBlocked => Ok(false),
        _ => Err(reason),
    }
}

/// The point itself if a body can stand there and walk on, else the center of the nearest cell where it can. Of equally
/// near cells the first one is chosen, row by row.
pub(crate) fn nearest_free(
    snapshot: &NavSnapshot,
    point: Vec2,
    body: NavBody,
) -> Result<Vec2, FailReason> {
    let own = cell_of_body(snapshot, point, body)?;
    let layout = snapshot.layout();
    let layers = snapshot.layers(body);
    let here = snapshot.around(point, own, body);
    if snapshot.free(point, body) && here.entry(|cell| layers.grid().is_free(cell)).is_some() {
        return Ok(point);
    }
    let nearest = layers.nearest_free(layout.to_cell_space(point));
    let nearest = nearest.ok_or(FailReason::StartBlocked)?;
    Ok(layout.center(nearest))
}
