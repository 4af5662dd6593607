//! Turns a path over cells into the waypoints that a body walks. Pure.

use std::sync::atomic::AtomicBool;

use bevy::math::Vec2;
use pursuit::steer::length;
use pursuit::{Cell, Path, Room, TautScratch};

use super::ends::{Ends, Trip, ends_beside_goal, is_goal};
use super::priced::Discs;
use crate::agent::{FailReason, NavBody, NavOrder};
use crate::grid::{BakedGrid, BodyLayers, NavSnapshot};

/// A path, and the reason if it does not reach the goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// In grid coordinates, the start included.
    pub(crate) waypoints: Vec<Vec2>,
    /// In world units.
    pub(crate) length: f32,
    /// Number of nodes that the search expanded.
    pub(crate) expanded: u32,
    /// The cell that the search looked for.
    pub(crate) end_cell: Cell,
    /// Whether the body is proven to fit along the first segment, which may lead out of a tight place.
    pub(crate) is_entry_proven: bool,
    /// Whether the path begins on ground that is forbidden to the body's class.
    pub(crate) leaves_forbidden: bool,
    /// Whether the path leads around a place where an agent got stuck, or before which agents wait in line.
    pub(crate) is_led_around: bool,
    pub(crate) shortfall: Option<FailReason>,
}

impl Plan {
    /// The plan. If it ends beside a goal at which the body fits, its shortfall becomes [`FailReason::GoalBlocked`].
    pub(crate) fn judged(mut self, baked: Option<&BakedGrid>, order: &NavOrder) -> Self {
        let end = self.waypoints.last().filter(|_| self.shortfall.is_none());
        if (baked.zip(end)).is_some_and(|(baked, end)| baked.is_goal_missed(order, *end)) {
            self.shortfall = Some(FailReason::GoalBlocked);
        }
        self
    }
}

/// A path over cells.
pub(super) struct CellPath {
    pub(super) path: Path,
    /// Whether the path leads to the cell that the search looked for.
    pub(super) is_whole: bool,
    /// Number of nodes that the search expanded.
    pub(super) expanded: u32,
}

impl CellPath {
    /// A path that was read off a field, without a search of its own.
    pub(super) fn known(path: Path) -> Self {
        Self {
            path,
            is_whole: true,
            expanded: 0,
        }
    }
}

/// The straight path to the goal, if the body can go there straight and hardly any other path would be cheaper. Then no
/// search is needed.
pub(super) fn straight(snapshot: &NavSnapshot, trip: &Trip, ends: &Ends) -> Option<Plan> {
    let (from, to) = (trip.start, trip.order.goal);
    let is_open = ends.shortfall.is_none()
        && snapshot.should_go_straight(from, to, trip.order.body(), CORNER_CLEAR_RADII);
    is_open.then(|| Plan {
        waypoints: vec![from, to],
        length: from.distance(to),
        end_cell: ends.to,
        is_entry_proven: true,
        ..Plan::default()
    })
}

/// The path of a body outside of the grid to the nearest cell in which it fits. The body first goes along the outside
/// to a point beside that cell, and then straight over the border, so that it does not cut across a wall at the border.
/// `None` if it fits nowhere.
pub(super) fn back_onto_grid(
    snapshot: &NavSnapshot,
    layers: &BodyLayers,
    trip: &Trip,
) -> Option<Plan> {
    let layout = snapshot.layout();
    let end_cell = layers.nearest_free(layout.to_cell_space(trip.start))?;
    let (start, end) = (trip.start, layout.center(end_cell));
    let (low, high) = (layout.min_corner(), layout.max_corner());
    let outside = start.clamp(low - trip.order.radius, high + trip.order.radius);
    let over = (start - start.clamp(low, high)).abs();
    let beside = if over.x > over.y {
        Vec2::new(outside.x, end.y)
    } else {
        Vec2::new(end.x, outside.y)
    };
    Some(Plan {
        waypoints: vec![start, beside, end],
        length: start.distance(beside) + beside.distance(end),
        end_cell,
        shortfall: Some(FailReason::OutsideGrid),
        ..Plan::default()
    })
}

/// Pulls the found path taut, and converts it to world units. The taut path stays out of the `discs`, if there are any.
/// `None` if `cancel` was set meanwhile.
pub(super) fn smooth(
    snapshot: &NavSnapshot,
    trip: &Trip,
    ends: &Ends,
    (cell_path, discs): (&CellPath, Option<&Discs>),
    cancel: &AtomicBool,
    scratch: &mut TautScratch,
) -> Option<Plan> {
    let mut shortfall = if cell_path.is_whole {
        ends.shortfall
    } else {
        // The search was cut short, so a later search may get farther, even if the goal is unreachable.
        Some(FailReason::LimitReached)
    };
    let leaves_forbidden = snapshot.is_forbidden(trip.start, trip.order.class);
    let with_escape = leaves_forbidden.then(|| {
        let mut turns = snapshot.escape_path(trip.start, trip.order.body());
        turns.extend(&cell_path.path.turns);
        turns.dedup();
        turns
    });
    let turns = with_escape.as_ref().unwrap_or(&cell_path.path.turns);
    let ends_at_goal = shortfall.is_none() && !trip.order.is_flight();
    let goal = ends_at_goal.then_some(trip.order.goal);
    let pull = (snapshot, trip.order.body(), discs);
    let mut waypoints = pull_taut(pull, (trip.start, goal), turns, scratch, cancel)?;
    if ends_at_goal
        && let Some(last) = waypoints.last_mut()
        && snapshot.layout().cell_at(trip.order.goal) == Some(ends.to)
    {
        if is_goal(snapshot, trip.order.goal, *last) {
            // The path ends exactly at the goal, in spite of rounding.
            *last = trip.order.goal;
        } else if !ends_beside_goal(snapshot, trip, *last) {
            shortfall = Some(FailReason::GoalBlocked);
        }
    }
    Some(Plan {
        is_entry_proven: is_entry_proven(snapshot, &waypoints, trip.order.body()),
        leaves_forbidden,
        is_led_around: discs.is_some(),
        length: length(&waypoints),
        waypoints,
        expanded: cell_path.expanded,
        end_cell: ends.to,
        shortfall,
    })
}

/// Distance that a path keeps from corners where there is room, in body radii. A body whose path touches corners would
/// scrape along them.
const CORNER_CLEAR_RADII: f32 = 1.05;

/// Whether the body is proven to fit along the first segment.
fn is_entry_proven(snapshot: &NavSnapshot, waypoints: &[Vec2], body: NavBody) -> bool {
    match waypoints {
        [start, first, ..] => snapshot.can_go_straight(*start, *first, body, 1.0),
        _ => true,
    }
}

/// Pulls a walk over cells taut, in world units. If the taut line enters one of the discs, the walk is divided at its
/// turn nearest to the disc, and each part is pulled taut on its own. A part without a turn between its ends leads
/// through the centers of its cells. `None` if `cancel` was set meanwhile.
fn pull_taut(
    pull: (&NavSnapshot, NavBody, Option<&Discs>),
    (start, goal): (Vec2, Option<Vec2>),
    turns: &[Cell],
    scratch: &mut TautScratch,
    cancel: &AtomicBool,
) -> Option<Vec<Vec2>> {
    let (snapshot, body, discs) = pull;
    let layout = snapshot.layout();
    let to_cells = |place| layout.to_cell_space(place);
    let ends = (to_cells(start), goal.map(to_cells));
    let radius = snapshot.radius_cells(body.radius);
    let margin = snapshot.radius_cells(CORNER_CLEAR_RADII * body.radius) - radius;
    let whose = (Room { radius, margin }, body.class.0);
    let taut = (snapshot.map()).pull_taut(ends, turns, whose, scratch, cancel.into());
    let mut taut = taut.ok()?;
    taut.iter_mut()
        .for_each(|point| *point = layout.to_world(*point));
    let Some(disc) = discs.and_then(|discs| discs.first_met(&taut)) else {
        return Some(taut);
    };
    let away = |at: &usize| layout.center(turns[*at]).distance_squared(disc.place);
    let inner = 1..turns.len().saturating_sub(1);
    let Some(at) = inner.min_by(|a, b| away(a).total_cmp(&away(b))) else {
        let centers = turns.iter().map(|cell| layout.center(*cell));
        let goal = goal.filter(|goal| taut.last() == Some(goal));
        return Some([start].into_iter().chain(centers).chain(goal).collect());
    };
    let center = layout.center(turns[at]);
    let mut first = pull_taut(pull, (start, None), &turns[..=at], scratch, cancel)?;
    let rest = pull_taut(pull, (center, goal), &turns[at..], scratch, cancel)?;
    first.extend(rest.into_iter().skip(1));
    Some(first)
}

#[cfg(test)]
mod tests {
    use pursuit::{Clearance, DiagonalPolicy, Grid, Layout};

    use super::*;

    #[test]
    fn an_agent_off_the_grid_returns_straight_over_its_border() {
        let layout = Layout::new(Vec2::new(-3.0, 2.0), 0.5, 20, 16).expect("a layout");
        // There is a block at the right border. A straight line to the nearest free cell would cut across it.
        let grid = Grid::from_fn(20, 16, |cell| cell.x < 17 || !(4..12).contains(&cell.y));
        let clearance = Clearance::from_grid(&grid.expect("a size"), 3.0);
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 1);
        let layers = snapshot.layers(0.2);
        for start in [
            Vec2::new(9.0, 6.3),
            Vec2::new(7.1, 4.4),
            Vec2::new(-5.0, 6.1),
            Vec2::new(0.4, 14.0),
            Vec2::new(2.1, 1.9),
            Vec2::new(-8.0, -4.0),
        ] {
            let trip = Trip::between(start, Vec2::new(1.0, 4.0), 0.2);
            let plan = back_onto_grid(&snapshot, &layers, &trip).expect("free cells");
            let [.., beside, end] = plan.waypoints[..] else {
                panic!("no way from {start}: {plan:?}");
            };
            assert!(!layout.contains_position(beside) && layout.contains_position(end));
            let over = end - beside;
            assert!(
                (over.x == 0.0) != (over.y == 0.0),
                "from {start} over the border by {over}"
            );
            assert_eq!(plan.waypoints.first(), Some(&start));
            assert_eq!(end, layout.center(plan.end_cell));
            assert_eq!(plan.length, length(&plan.waypoints));
        }
    }
}
