//! What to plan, and the two cells between which a search runs. Pure.

use bevy::math::Vec2;
use pursuit::{Algorithm, Cell, RegionId};

use crate::agent::{FailReason, NavBody, NavOrder, Wants};
use crate::grid::{LINE_FRACTION, NavSnapshot, is_at_rim};

/// What to plan, in grid coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trip {
    pub(crate) start: Vec2,
    pub(crate) order: NavOrder,
    /// The body of the entity to flee from, if that entity is an agent.
    pub(crate) threat: Option<NavBody>,
    /// Whether a body outside of the grid is led back onto it.
    pub(crate) may_return: bool,
    /// For a check of the present path: the cell where it ends, and the reason why it falls short of the goal. If a new
    /// path has the same end and reason, the present path stays. `None` for a search that is no check.
    pub(crate) check: Option<(Cell, FailReason)>,
    /// The algorithm of a search that is to be recorded. `None` if nothing is to be recorded.
    pub(crate) recorded_by: Option<Algorithm>,
}

impl Trip {
    /// A trip from one point to another, as for a plain request.
    pub(crate) fn between(start: Vec2, goal: Vec2, body: impl Into<NavBody>) -> Self {
        let body = body.into();
        Self {
            start,
            order: NavOrder {
                want: Wants::Go,
                goal,
                radius: body.radius,
                class: body.class,
                to_rim: true,
                ..NavOrder::default()
            },
            ..Self::default()
        }
    }
}

/// The cells between which to search, and why `to` is not the goal's cell, if it falls short of the goal.
pub(super) struct Ends {
    pub(super) from: Cell,
    pub(super) to: Cell,
    pub(super) shortfall: Option<FailReason>,
}

impl Ends {
    /// A search that leads to the goal.
    pub(super) fn whole(from: Cell, to: Cell) -> Self {
        Self {
            from,
            to,
            shortfall: None,
        }
    }
}

/// Everything that a [`Substitute`](crate::grid::Substitute) depends on.
pub(super) type SubstituteKey = (NavOrder, RegionId);

pub(super) fn substitute_key(trip: &Trip, region: RegionId) -> SubstituteKey {
    let order = NavOrder {
        revision: 0,
        target: None,
        ..trip.order
    };
    (order, region)
}

/// Whether a path that ends at `end` ends at its goal, apart from rounding.
pub(super) fn is_goal(snapshot: &NavSnapshot, goal: Vec2, end: Vec2) -> bool {
    let rounding = 4.0 * f32::EPSILON * goal.abs().max_element();
    let far = (1e-3 * snapshot.layout().cell_size()).max(rounding);
    end.distance(goal) <= far
}

/// Whether a path that ends at `end`, in the goal's own cell, leads to the goal.
pub(super) fn ends_beside_goal(snapshot: &NavSnapshot, trip: &Trip, end: Vec2) -> bool {
    snapshot.is_open(end, trip.order.goal, LINE_FRACTION * trip.order.radius)
        || is_at_rim(snapshot, &trip.order, end)
}

/// Whether a path that ends at the center of the goal's cell leads to the goal.
pub(super) fn leads_to_goal(snapshot: &NavSnapshot, trip: &Trip, cell: Cell) -> bool {
    let center = snapshot.layout().center(cell);
    snapshot.is_open_to_center(trip.order.goal, cell, LINE_FRACTION * trip.order.radius)
        || is_goal(snapshot, trip.order.goal, center)
        || is_at_rim(snapshot, &trip.order, center)
}
