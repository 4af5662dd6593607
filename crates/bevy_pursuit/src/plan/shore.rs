//! The place to which an agent goes if its goal is out of reach: the near side of the obstacle in between. Pure.
//!
//! The shore is the border of the region in which the agent can walk.

use bevy::math::Vec2;
use pursuit::{Cell, RegionId, Regions};

use super::judge::Case;
use crate::agent::{FailReason, NavOrder, PathStatus, Wants};
use crate::grid::{BodyLayers, NavSnapshot};

/// Maximum distance of the place from the goal, as a multiple of the distance from the nearest cell to the goal. With a
/// greater value, agents stay on their side more often, but farther from their goals. With a smaller one, they walk
/// around obstacles more often.
const MAX_DISTANCE_RATIO: f32 = 1.5;
/// Added to the maximum distance of the place from the goal, in cells.
const DISTANCE_SLACK_CELLS: f32 = 2.0;
/// Maximum number of steps along the shore. Along a straight shore, each step halves the distance to the place.
const MAX_STEPS: usize = 24;

impl Case<'_> {
    /// The point abreast of a target that is out of reach and has moved since the search. `None` if the agent cannot go
    /// there straight. With such a point, the agent needs no new search.
    pub(super) fn find_abreast(&self) -> Option<Vec2> {
        use FailReason::{GoalBlocked, GoalOutside, Unreachable};
        if !self.is_turn && self.abreast.is_none() {
            return None;
        }
        let (order, path) = (&self.intent.order, self.path);
        let falls_short = |why| matches!(why, Unreachable | GoalBlocked | GoalOutside);
        let is_due = matches!(self.status, PathStatus::Partial(why) if falls_short(why))
            && order.want == Wants::Follow
            && (self.abreast.is_some() || order.goal != path.order.goal)
            && !(self.status == PathStatus::Partial(GoalBlocked) && order.to_rim)
            && !path.has_many_legs()
            && path.serves(order);
        let snapshot = self.grid?.snapshot().filter(|_| is_due)?;
        let map = (&**snapshot, self.layers?);
        abreast(map, order, (self.position, path.end_cell?))
    }
}

/// The cell of a region to which an agent in the cell `from` goes, if the goal is not in the region. `nearest` is the
/// cell that is nearest to the goal. `point` is the goal, or the point of the grid that is nearest to it, in cell space.
///
/// The agent takes the near side of the obstacle between it and the goal, unless that side is much farther from the
/// goal than `nearest`. So an agent does not walk around a house to get one step nearer, and it keeps to its side
/// while its target walks up and down.
///
/// Each step leads to the cell of the region that is nearest to the point halfway to the goal. The steps end when that
/// cell is not nearer to the goal than the cell before. Along a straight shore, each step halves the distance to the
/// foot of the goal, which is the cell of the shore that is nearest to the goal.
///
/// ```text
///      goal  .        A: from, B: the first halfway point, C: the cell nearest to B
///       B  . .
///     .    . .
///   A~~~~C~~~~~~~
/// ```
pub(super) fn near_side(
    (regions, region): (&Regions, RegionId),
    (goal, point): (Cell, Vec2),
    (from, nearest): (Cell, Cell),
) -> Cell {
    let away = |cell: Cell| cell.center().distance(goal.center());
    let mut place = from;
    for _ in 0..MAX_STEPS {
        // The division rounds toward the goal, so that the last step leads to the foot of the goal.
        let way = ((place.x - goal.x) / 2, (place.y - goal.y) / 2);
        let next = regions.nearest_in(region, goal.offset(way.0, way.1));
        let Some(next) = next.filter(|next| away(*next) < away(place)) else {
            break;
        };
        place = next;
    }
    let away = |cell: Cell| cell.center().distance(point);
    match away(place) <= MAX_DISTANCE_RATIO * away(nearest) + DISTANCE_SLACK_CELLS {
        true => place,
        false => nearest,
    }
}

/// The point abreast of a goal that is out of reach, if the body at `position` can go there straight, and hardly any
/// other path is cheaper. `end` is a cell of the body's region.
fn abreast(
    (snapshot, layers): (&NavSnapshot, &BodyLayers),
    order: &NavOrder,
    (position, end): (Vec2, Cell),
) -> Option<Vec2> {
    let (layout, regions) = (snapshot.layout(), layers.regions());
    let (region, goal) = (regions.region(end)?, layout.cell_clamped(order.goal)?);
    let from = regions.nearest_in(region, layout.cell_at(position)?)?;
    let nearest = regions.nearest_in(region, goal)?;
    if nearest == goal && layout.contains_position(order.goal) {
        // The goal is within reach now.
        return None;
    }
    let inside = order.goal.clamp(layout.min_corner(), layout.max_corner());
    let at = (goal, layout.to_cell_space(inside));
    let place = layout.center(near_side((regions, region), at, (from, nearest)));
    // If the place is within reach of the goal, a search may find that the goal is reached there.
    let reach = order.reach + 0.5 * layout.cell_size();
    if layout.contains_position(order.goal) && place.distance(order.goal) <= reach {
        return None;
    }
    // The point moves smoothly with the goal, not from cell to cell.
    let (center, beyond) = (layout.center(goal), order.goal - inside);
    let aside = inside - center;
    let out = (center + beyond - place).normalize_or_zero();
    let smooth = place + aside - aside.dot(out) * out;
    let is_nearer = |point: &Vec2| point.distance(inside) < place.distance(inside);
    let mut points = [smooth].into_iter().filter(is_nearer).chain([place]);
    points.find(|point| snapshot.should_go_straight(position, *point, order.body(), 1.0))
}
