//! Decides whether a path is still valid after a bake, and whether a new search could give another result. Pure.
//!
//! A path stores the generation that it was planned on, and a snapshot knows what changed since a generation. So paths
//! need not be notified of a bake when it happens.

use bevy::prelude::*;
use pursuit::{Cell, CellRect};

use crate::agent::{FailReason, Leg, NavOrder, NavPath, PathStatus};
use crate::grid::{BakedGrid, BodyLayers, NavSnapshot};

/// What to do with a path after a bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The path is still valid.
    Holds,
    /// There may be a better path now: run a check, which finds out where a new path would end.
    Check,
    /// The path is not valid any longer, or the goal may be reachable now: search again.
    Ask,
}

/// The result of an earlier search, and the present state of the agent and its grid.
#[derive(Clone, Copy)]
pub(crate) struct Held<'a> {
    pub(crate) path: &'a NavPath,
    pub(crate) status: PathStatus,
    pub(crate) snapshot: &'a NavSnapshot,
    /// The layers of the path's body, if they exist.
    pub(crate) layers: Option<&'a BodyLayers>,
    pub(crate) position: Vec2,
    pub(crate) goal: Vec2,
    /// Index of the waypoint ahead.
    pub(crate) next: usize,
}

impl Held<'_> {
    /// Judges the path after bakes against which it was not checked yet.
    pub(crate) fn after_bake(&self) -> Verdict {
        let Some(reason) = self.status.reason() else {
            return ask_if(self.is_crossed() || self.has_opened());
        };
        match reason {
            FailReason::NoGrid | FailReason::BadRadius => Verdict::Ask,
            FailReason::OutsideGrid => ask_if(self.is_end_lost()),
            FailReason::StartBlocked => ask_if(self.has_changed_around(self.position, 0.0)),
            _ if self.is_crossed() => Verdict::Ask,
            FailReason::Cornered => ask_if(self.has_opened()),
            FailReason::Unreachable | FailReason::GoalBlocked | FailReason::GoalOutside => {
                let end = self.end().unwrap_or(self.position);
                match self.has_changed_around(self.goal, end.distance(self.goal)) {
                    true => Verdict::Check,
                    false => Verdict::Holds,
                }
            }
            // A bake does not change any of these.
            FailReason::NotBaked
            | FailReason::LimitReached
            | FailReason::BadAgent
            | FailReason::NoTransform
            | FailReason::CannotMove
            | FailReason::OwnTarget => Verdict::Holds,
        }
    }

    /// Whether a search that failed or fell short can succeed now, because the goal or the agent moved or the grid
    /// changed.
    pub(crate) fn can_succeed(&self) -> bool {
        let Some(reason) = self.status.reason() else {
            return false;
        };
        let own = || self.snapshot.layout().cell_at(self.position);
        match reason {
            FailReason::NoGrid | FailReason::OutsideGrid => own().is_some(),
            FailReason::StartBlocked => own().is_some_and(|cell| self.is_free_around(cell)),
            FailReason::GoalOutside if self.path.is_empty() => self.goal.is_finite(),
            FailReason::Unreachable | FailReason::GoalBlocked | FailReason::GoalOutside => {
                self.is_connected()
            }
            // For these, other rules cause a new search: the policy, another radius, another intent.
            FailReason::NotBaked
            | FailReason::Cornered
            | FailReason::LimitReached
            | FailReason::BadRadius
            | FailReason::BadAgent
            | FailReason::NoTransform
            | FailReason::CannotMove
            | FailReason::OwnTarget => false,
        }
    }

    /// Whether a path that ends at the rim of the obstacle around its goal may lead farther now.
    fn has_opened(&self) -> bool {
        let goal = self.path.order.goal;
        let short = self.end().unwrap_or(goal).distance(goal);
        let is_at_goal = short <= 1e-3 * self.snapshot.layout().cell_size();
        !is_at_goal && self.has_changed_around(goal, short)
    }

    /// Whether a free cell lies within about a body radius of a cell.
    fn is_free_around(&self, cell: Cell) -> bool {
        let layout = self.snapshot.layout();
        let reach = (self.path.order.radius / layout.cell_size()).ceil() as u32 + 1;
        let around = CellRect::new(cell, cell.offset(1, 1)).grow(reach);
        let mut cells = around.intersect(&layout.rect()).cells();
        cells.any(|cell| self.is_free(cell))
    }

    /// Whether the path's body fits at the center of a cell. If its layers do not exist, distances are used instead,
    /// because layers of other bodies may have replaced them for good.
    fn is_free(&self, cell: Cell) -> bool {
        match self.layers {
            Some(layers) => layers.grid().is_free(cell),
            None => {
                let center = self.snapshot.layout().center(cell);
                self.snapshot.free(center, self.path.order.body())
            }
        }
    }

    /// Whether a path leads from the end of the present path to the goal's cell.
    fn is_connected(&self) -> bool {
        let goal = self.snapshot.layout().cell_at(self.goal);
        let ends = self.path.end_cell.zip(goal);
        // If the search led to the goal's own cell, it fell short for another reason.
        let ends = self.layers.zip(ends.filter(|(end, goal)| end != goal));
        ends.is_some_and(|(layers, (end, goal))| layers.is_reachable(end, goal))
    }

    /// Whether a bake changed anything within `distance` of a point, plus the body's radius and two cells. `false` if
    /// `distance` is NaN.
    fn has_changed_around(&self, point: Vec2, distance: f32) -> bool {
        if distance.is_nan() {
            return false;
        }
        let margin = self.path.order.radius + 2.0 * self.snapshot.layout().cell_size();
        let area = Rect::from_center_half_size(point, Vec2::splat(distance + margin));
        self.snapshot.changed_since(self.path.generation, area)
    }

    /// The end of the path. `None` without a path.
    fn end(&self) -> Option<Vec2> {
        (!self.path.is_empty()).then_some(self.path.end)
    }

    /// Whether the body no longer fits along the rest of the path on this grid.
    fn is_crossed(&self) -> bool {
        let NavPath { order, bounds, .. } = self.path;
        let near = bounds.inflate(order.radius + self.snapshot.layout().cell_size());
        let one_leg = !self.path.has_many_legs();
        if self.path.is_empty()
            || one_leg && !self.snapshot.changed_since(self.path.generation, near)
        {
            return false;
        }
        let mut own = self.path.legs().filter(|leg| leg.grid == order.grid);
        own.any(|leg| is_crossed(&leg, order, self.snapshot, self.position, self.next))
            || self.is_end_blocked()
    }

    /// Whether the body can no longer stand at the end of the path.
    fn is_end_lost(&self) -> bool {
        let cell = |end| self.snapshot.layout().cell_at(end);
        self.end()
            .is_some_and(|end| cell(end).is_none_or(|cell| !self.is_free(cell)))
    }

    /// Whether the path fell short of its goal, and the cell at its end is blocked now.
    fn is_end_blocked(&self) -> bool {
        self.status != PathStatus::Found
            && self.path.end_cell.is_some_and(|cell| !self.is_free(cell))
    }
}

/// Whether a body no longer fits along the rest of a leg. `next` is the index of the waypoint ahead.
fn is_crossed(
    leg: &Leg,
    order: &NavOrder,
    snapshot: &NavSnapshot,
    position: Vec2,
    next: usize,
) -> bool {
    let Some(next) = next.checked_sub(leg.first) else {
        let mut lines = leg.waypoints.windows(2);
        return lines.any(|line| is_line_crossed(leg, order, snapshot, (line[0], line[1])));
    };
    let next = next.min(leg.waypoints.len());
    // The segment behind is included, because an agent that was pushed back on it walks it without another check.
    let first = leg.waypoints.get(next).map(|ahead| (position, *ahead));
    let rest = &leg.waypoints[next.saturating_sub(1)..];
    let rest = rest.windows(2).map(|line| (line[0], line[1]));
    let mut lines = first.into_iter().chain(rest);
    lines.any(|line| is_line_crossed(leg, order, snapshot, line))
}

/// Whether the grid has changed along a line since the leg was planned, so that the body may no longer fit, or the cost
/// may differ.
fn is_line_crossed(
    leg: &Leg,
    order: &NavOrder,
    snapshot: &NavSnapshot,
    (from, to): (Vec2, Vec2),
) -> bool {
    snapshot.segment_changed_since(leg.generation, from, to, order.radius)
        // On ground with areas the line may cost more now, so only a search can tell whether it is still the best.
        && !(snapshot.is_even(order.class) && snapshot.can_go_straight(from, to, order.body(), 1.0))
}

/// Whether the body no longer fits along the rest of a path on grids other than the grid of its order.
pub(crate) fn is_crossed_beyond<'a>(
    path: &NavPath,
    next: usize,
    place: Vec3,
    grid: impl Fn(Entity) -> Option<&'a BakedGrid>,
) -> bool {
    if !path.has_many_legs() {
        return false;
    }
    let is_elsewhere = |leg: &Leg| leg.grid != path.order.grid;
    let is_left = |leg: &Leg| next < leg.first + leg.waypoints.len();
    path.legs().filter(is_elsewhere).filter(is_left).any(|leg| {
        let baked = leg.grid.and_then(&grid).and_then(BakedGrid::snapshot);
        let position = leg.plane.to_grid(place);
        // A leg on a grid that is gone cannot be walked.
        baked.is_none_or(|snapshot| is_crossed(&leg, &path.order, snapshot, position, next))
    })
}

/// A new search if `ask`, else the path is valid.
fn ask_if(ask: bool) -> Verdict {
    if ask { Verdict::Ask } else { Verdict::Holds }
}
