//! What an agent is sent to do. The same value is in the agent's intent, in its search and in its path.

use bevy::ecs::entity::MapEntities;
use bevy::prelude::*;

use super::{FailReason, NavBody};
use crate::ground::ClassId;

/// Largest difference between two reaches that are treated as the same, as a fraction of the radius. The size of a
/// carried target is measured again in every frame, so the reach varies a little.
const REACH_TOLERANCE: f32 = 0.05;

/// What an agent is sent to do: the kind of goal, its position or target, how near to come, with which body, on
/// which grid.
///
/// Orders are compared as a whole, so that a new field takes part in the comparison.
#[derive(MapEntities, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct NavOrder {
    pub(crate) want: Wants,
    /// [`Intent::revision`](super::Intent) with which the order began: when the entity got another target or wanted
    /// something of another kind, or when a request with another goal was inserted.
    pub(crate) revision: u32,
    /// Whether the goal counts as reached only with a clear line to it.
    pub(crate) needs_sight: bool,
    pub(crate) goal_kind: GoalKind,
    /// Whether a path that ends at the rim of the obstacle around the goal reaches the goal, however far the rim is
    /// from the goal. `false` for a target that stands in an obstacle but is not an obstacle itself.
    pub(crate) to_rim: bool,
    /// The point to go to or to get away from, in grid coordinates. Without a grid, in the world's XY coordinates.
    pub(crate) goal: Vec2,
    /// Distance between centers at which the goal counts as reached, in world units. For [`Wants::Flee`], the
    /// distance at which the agent is far enough away.
    pub(crate) reach: f32,
    /// Radius to plan for, in world units: the body's radius plus the margin that its driver keeps around it.
    pub(crate) radius: f32,
    /// Class of the body. Radius and class are separate fields because a [`NavBody`] would take 4 more bytes per agent.
    pub(crate) class: ClassId,
    /// The entity to chase or to flee from. `None` for a request.
    #[entities]
    pub(crate) target: Option<Entity>,
    /// The grid to plan and walk on.
    #[entities]
    pub(crate) grid: Option<Entity>,
}

/// What is at a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GoalKind {
    #[default]
    Point,
    /// The target's body, which may itself be the obstacle that its center lies in.
    Body,
    /// A point on a circle around the target, reserved for this agent.
    Slot,
}

/// What an entity wants.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Wants {
    /// Nothing.
    #[default]
    Nothing,
    /// To go to a point.
    Go,
    /// To go to an entity.
    Follow,
    /// To get away from an entity.
    Flee,
    /// To leave ground that is forbidden to its class, by the shortest path. The entity wants nothing else.
    Leave,
    /// To go to an entity that is gone or has no position.
    Lost,
    /// Something that is impossible, for this reason.
    Refused(FailReason),
}

impl Wants {
    /// Whether a path is wanted.
    pub(crate) fn is_path(self) -> bool {
        matches!(self, Self::Go | Self::Follow | Self::Flee | Self::Leave)
    }
}

impl NavOrder {
    /// The body to plan for.
    pub(crate) fn body(&self) -> NavBody {
        NavBody {
            radius: self.radius,
            class: self.class,
        }
    }

    /// Whether the goal is a point to get away from.
    pub(crate) fn is_flight(&self) -> bool {
        matches!(self.want, Wants::Flee | Wants::Leave)
    }

    /// Whether a path that was planned for this order can also be used for the order `wanted`.
    ///
    /// The goals are not compared: the [`RepathPolicy`](super::RepathPolicy) decides how far a goal may move. Reaches
    /// may differ by [`REACH_TOLERANCE`]. A path that `ends_at_goal` can be used for every reach, with or without a
    /// line of sight.
    pub(super) fn also_serves(&self, wanted: &Self, ends_at_goal: bool) -> bool {
        let is_near = (self.reach - wanted.reach).abs() <= REACH_TOLERANCE * self.radius;
        let leads_there = ends_at_goal && !self.is_flight();
        let mut wanted = *wanted;
        if is_near || leads_there {
            wanted.reach = self.reach;
        }
        if leads_there {
            wanted.needs_sight = self.needs_sight;
            wanted.goal_kind = self.goal_kind;
            wanted.to_rim = self.to_rim;
        }
        // Floats are compared by their bits, so that NaN equals NaN.
        let comparable = |one: &Self| {
            let numbers = [one.reach, one.radius].map(f32::to_bits);
            let rest = Self {
                goal: Vec2::ZERO,
                reach: 0.0,
                radius: 0.0,
                ..*one
            };
            (numbers, rest)
        };
        comparable(self) == comparable(&wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a path can be used for an order to go to (10, 0). The path was planned for the same order after `change`
    /// changed it.
    fn serves(ends_at_goal: bool, change: impl FnOnce(&mut NavOrder)) -> bool {
        let wanted = NavOrder {
            want: Wants::Go,
            goal: Vec2::X * 10.0,
            reach: 2.0,
            radius: 1.0,
            ..NavOrder::default()
        };
        // Lists all fields, so that a new field does not compile here until it has a case in a test below.
        let NavOrder {
            want: _,
            revision: _,
            needs_sight: _,
            goal_kind: _,
            to_rim: _,
            goal: _,
            reach: _,
            radius: _,
            class: _,
            target: _,
            grid: _,
        } = wanted;
        let mut planned = wanted;
        change(&mut planned);
        planned.also_serves(&wanted, ends_at_goal)
    }

    #[test]
    fn a_moved_goal_and_a_similar_reach_are_served_by_the_same_path() {
        for ends_at_goal in [false, true] {
            assert!(serves(ends_at_goal, |_| {}));
            assert!(serves(ends_at_goal, |order| order.goal.x = f32::NAN));
            assert!(serves(ends_at_goal, |order| order.reach = 2.04));
            assert_eq!(
                serves(ends_at_goal, |order| order.reach = 2.06),
                ends_at_goal
            );
            assert!(!serves(ends_at_goal, |order| order.revision = 1));
            assert!(!serves(ends_at_goal, |order| order.radius = 1.01));
            assert!(!serves(ends_at_goal, |order| order.class = ClassId(1)));
            assert!(!serves(ends_at_goal, |order| order.want = Wants::Follow));
            let other = Some(Entity::PLACEHOLDER);
            assert!(!serves(ends_at_goal, |order| order.target = other));
            assert!(!serves(ends_at_goal, |order| order.grid = other));
        }
    }

    #[test]
    fn only_a_path_to_the_goal_itself_serves_every_reach_and_sight() {
        for ends_at_goal in [false, true] {
            let changes: [fn(&mut NavOrder); 4] = [
                |order| order.reach = 3.0,
                |order| order.needs_sight = true,
                |order| order.goal_kind = GoalKind::Body,
                |order| order.to_rim = true,
            ];
            for change in changes {
                assert_eq!(serves(ends_at_goal, change), ends_at_goal);
            }
        }
    }

    #[test]
    fn a_flight_path_does_not_serve_a_greater_distance() {
        let order = NavOrder {
            want: Wants::Flee,
            reach: 5.0,
            radius: 1.0,
            ..NavOrder::default()
        };
        let farther = NavOrder {
            reach: 9.0,
            ..order
        };
        assert!(!order.also_serves(&farther, true));
    }

    #[test]
    fn a_path_with_nan_serves_an_equal_order() {
        let order = NavOrder {
            reach: f32::NAN,
            radius: f32::NAN,
            goal: Vec2::NAN,
            ..NavOrder::default()
        };
        assert!(order.also_serves(&order, false));
        let negative = NavOrder {
            radius: -1.0,
            ..order
        };
        assert!(!order.also_serves(&negative, false));
    }
}
