//! Answers given at once, in the thread that asks: those that a search in a task would give. Pure.

use std::sync::atomic::AtomicBool;

use bevy::ecs::resource::Resource;
use bevy::math::Vec2;
use pursuit::{Cell, CellRect, Grid};

use super::ends::{Surroundings, Trip, leads_to_goal};
use super::path::FailReason;
use super::planner::{Plan, Planned, Planner, check_radius};
use crate::grid::NavSnapshot;

/// Nodes that a search may expand, as of the latest tick. A copy of what the settings say, so that who
/// asks needs nothing that a game writes.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AskLimit(pub(crate) Option<u32>);

/// Whether a body at a point of the grid makes sense.
pub(crate) fn check(snapshot: &NavSnapshot, point: Vec2, radius: f32) -> Result<Cell, FailReason> {
    check_radius(snapshot, radius)?;
    let own = snapshot.layout().cell_at(point);
    own.ok_or(FailReason::OutsideGrid)
}

/// The path from one point to another. A path that does not lead to the goal is none.
pub(crate) fn find_path(
    snapshot: &NavSnapshot,
    trip: &Trip,
    max_expanded: Option<u32>,
) -> Result<Plan, FailReason> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    match Planner::new(snapshot, max_expanded).plan(trip, 1, &NEVER) {
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
    radius: f32,
) -> Result<Vec2, FailReason> {
    let own = check(snapshot, point, radius)?;
    let layout = snapshot.layout();
    let grid = &snapshot.class(radius).grid;
    let here = Surroundings {
        snapshot,
        point,
        own,
        radius,
    };
    if snapshot.free(point, radius) && here.entry(|cell| grid.is_free(cell)).is_some() {
        return Ok(point);
    }
    let nearest = nearest_cell(grid, own, layout.to_cell_space(point));
    let nearest = nearest.ok_or(FailReason::StartBlocked)?;
    Ok(layout.center(nearest))
}

/// The free cell whose center is nearest to a point in `own`, given in cell space. Looks at one ring
/// of cells after the other.
fn nearest_cell(grid: &Grid, own: Cell, point: Vec2) -> Option<Cell> {
    let all = grid.rect();
    let mut best: Option<(f32, Cell)> = None;
    let mut inner = CellRect::new(own, own);
    for away in 0..=grid.width().max(grid.height()) {
        // No center in a ring is nearer than that.
        let least = away as f32 - 0.5;
        if best.is_some_and(|(distance, _)| distance < least) {
            break;
        }
        let outer = CellRect::new(own, own.offset(1, 1)).grow(away);
        for cell in ring(outer.intersect(&all), inner) {
            let distance = point.distance(cell.center());
            let is_nearer = |(best, first): (f32, Cell)| {
                distance < best || distance == best && (cell.y, cell.x) < (first.y, first.x)
            };
            if grid.is_free(cell) && best.is_none_or(is_nearer) {
                best = Some((distance, cell));
            }
        }
        inner = outer;
    }
    best.map(|(_, cell)| cell)
}

/// The cells of `outer` that are not in `inner`.
fn ring(outer: CellRect, inner: CellRect) -> impl Iterator<Item = Cell> {
    let (low, high) = (outer.min, outer.max);
    (low.y..high.y).flat_map(move |y| {
        let is_beside = (inner.min.y..inner.max.y).contains(&y);
        let left_end = if is_beside { inner.min.x } else { high.x };
        let right = if is_beside { inner.max.x } else { high.x };
        let left = low.x..left_end.clamp(low.x, high.x);
        let right = right.clamp(low.x, high.x)..high.x;
        left.chain(right).map(move |x| Cell::new(x, y))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_cell_is_that_of_a_look_at_all() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..400 {
            let (width, height) = (random.u32(1..20), random.u32(1..20));
            let free = random.u32(0..4);
            let grid = Grid::from_fn(width, height, |_| random.u32(0..40) < free).unwrap();
            let own = Cell::new(random.i32(0..width as i32), random.i32(0..height as i32));
            let point = own.center() + Vec2::new(random.f32(), random.f32()) - 0.5;
            let free = grid.rect().cells().filter(|cell| grid.is_free(*cell));
            let nearest = free.min_by(|a, b| {
                let [a, b] = [a, b].map(|cell| point.distance(cell.center()));
                a.total_cmp(&b)
            });
            assert_eq!(nearest_cell(&grid, own, point), nearest, "from {point}");
        }
    }
}
