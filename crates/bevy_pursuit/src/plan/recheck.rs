//! Asks again for what a bake touched and for what lost its grid.

use std::mem;

use bevy::ecs::prelude::*;
use bevy::math::{Rect, Vec2};
use bevy::transform::helper::TransformHelper;
use pursuit::{Cell, CellRect, Layout};

use crate::grid::{BakedGrid, GridBaked};
use crate::motion::agent::{
    Chase, FailReason, NavAgent, NavPath, PathRequest, PathStatus, PlanTicket,
};
use crate::motion::place::world_position;
use crate::plan::queue::{Order, OrderKind, PlanQueue, RecentBake, crosses};

/// An entity with a path, and what it asks for.
type PathData<'a> = (
    Entity,
    &'a mut NavPath,
    &'a PathStatus,
    &'a PlanTicket,
    Option<&'a PathRequest>,
    Option<&'a NavAgent>,
    Option<&'a Chase>,
);

/// Plans anew what a bake touched and what lost its grid, and tells the other paths that they still
/// hold. Costs nothing while no grid changes.
pub(crate) fn recheck_paths(
    mut baked: MessageReader<GridBaked>,
    grids: Query<(Entity, &BakedGrid)>,
    transforms: TransformHelper,
    mut known_grids: Local<Vec<Entity>>,
    mut queue: ResMut<PlanQueue>,
    mut paths: Query<PathData>,
) {
    let outdated = mem::take(&mut queue.outdated);
    for (entity, _, _, ticket, request, agent, chase) in paths.iter_many(outdated) {
        if ticket.is_outdated && !ticket.pending {
            let order = repeat_order(entity, request, agent, chase, &transforms);
            queue.orders.extend(order);
        }
    }
    let snapshot_of = |grid: Entity| grids.get(grid).ok().and_then(|(_, baked)| baked.snapshot());
    if known_grids.iter().any(|grid| snapshot_of(*grid).is_none()) {
        for (entity, path, _, ticket, request, agent, chase) in &paths {
            if !path.is_empty() && !ticket.pending && snapshot_of(path.grid).is_none() {
                let order = repeat_order(entity, request, agent, chase, &transforms);
                queue.orders.extend(order);
            }
        }
    }
    known_grids.clear();
    let with_snapshot = grids.iter().filter(|(_, baked)| baked.snapshot().is_some());
    known_grids.extend(with_snapshot.map(|(grid, _)| grid));
    for bake in baked.read() {
        let Some(snapshot) = snapshot_of(bake.grid) else {
            continue;
        };
        let area = world_rect(snapshot.layout(), bake.cells);
        queue.remember_bake(RecentBake {
            grid: bake.grid,
            generation: bake.generation,
            area,
        });
        for (entity, mut path, status, ticket, request, agent, chase) in &mut paths {
            let failed = may_succeed_now(*status, path.grid == bake.grid);
            let touched = path.grid == bake.grid && crosses(&path, area);
            if (failed || touched) && !ticket.pending {
                let order = repeat_order(entity, request, agent, chase, &transforms);
                queue.orders.extend(order);
            }
            if path.grid == bake.grid && !touched {
                // The path stays what it was: no change that anyone need look at.
                path.bypass_change_detection().generation = bake.generation;
            }
        }
    }
}

/// The area of some cells, in world units.
fn world_rect(layout: &Layout, cells: CellRect) -> Rect {
    let corner = |cell: Cell| layout.center(cell) - Vec2::splat(0.5 * layout.cell_size());
    Rect::from_corners(corner(cells.min), corner(cells.max))
}

/// Whether a bake may have opened the way for a request that fell short.
fn may_succeed_now(status: PathStatus, on_this_grid: bool) -> bool {
    let (PathStatus::Partial(reason) | PathStatus::Failed(reason)) = status else {
        return false;
    };
    match reason {
        FailReason::Unreachable | FailReason::GoalBlocked => on_this_grid,
        FailReason::NoGrid | FailReason::OutsideGrid | FailReason::StartBlocked => true,
        FailReason::GoalOutside | FailReason::LimitReached | FailReason::BadRadius => false,
    }
}

/// The order that asks again for what the entity asks for, to where its target is now.
fn repeat_order(
    entity: Entity,
    request: Option<&PathRequest>,
    agent: Option<&NavAgent>,
    chase: Option<&Chase>,
    transforms: &TransformHelper,
) -> Option<Order> {
    let radius = agent.map(|agent| agent.radius);
    let (goal, radius, tolerance) = match (request, agent, chase) {
        (Some(request), ..) => (
            request.goal,
            request.radius.or(radius).unwrap_or(0.0),
            request.tolerance,
        ),
        (None, Some(agent), Some(chase)) => {
            let goal = world_position(transforms, chase.target)?;
            (goal, agent.radius, agent.arrival_distance)
        }
        _ => return None,
    };
    let kind = OrderKind::Plan {
        goal,
        radius,
        tolerance,
        refresh: true,
    };
    Some(Order { entity, kind })
}
