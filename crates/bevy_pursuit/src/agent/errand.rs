//! What an agent is sent for: the one value that its intent yields, its search contains and its path keeps.

use bevy::ecs::entity::{Entity, MapEntities};
use bevy::math::Vec2;
use bevy::reflect::Reflect;

use super::{FailReason, NavBody};
use crate::ground::ClassId;

/// Part of the radius by which a reach may differ and still count as the same: that of a target that
/// something carries is measured again in each frame.
const SAME_REACH: f32 = 0.05;

/// What is wanted of whom, where, how near, with which body, on which grid.
///
/// Errands are compared as a whole, so that a field that is added is compared, too.
#[derive(MapEntities, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Errand {
    pub(crate) want: Wants,
    /// Counts errands: grows with each new target and kind, and with a request that is inserted with another goal.
    pub(crate) number: u16,
    /// Whether the goal counts as reached only with a clear line to it.
    pub(crate) needs_sight: bool,
    pub(crate) goal_kind: GoalKind,
    /// Whether the rim of an obstacle that the goal lies in counts as the goal, however far away that is. Not of a
    /// target that is no obstacle itself, but stands in one.
    pub(crate) to_rim: bool,
    /// Where to, or where away from, in the frame of the grid; in that of X and Y without one.
    pub(crate) goal: Vec2,
    /// Distance between centers at which the goal counts as reached, or for [`Wants::Flee`] at which
    /// it is far enough, in world units.
    pub(crate) reach: f32,
    /// Radius to plan for, in world units: the body's and what its driver keeps free beyond.
    pub(crate) radius: f32,
    /// Class of the body. Beside its radius, not in one [`NavBody`]: that would take four bytes more of each agent.
    pub(crate) class: ClassId,
    /// Whom to chase or to flee from; `None` for a request.
    #[entities]
    pub(crate) target: Option<Entity>,
    /// The grid to plan and walk on.
    #[entities]
    pub(crate) grid: Option<Entity>,
    /// A field that only tests know, to show that nobody lists the fields.
    #[cfg(test)]
    pub(crate) probe: u8,
}

/// What is at a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GoalKind {
    #[default]
    Point,
    /// The target's body, which may itself be the obstacle that its center lies in.
    Body,
    /// A place on a circle around the target, for this agent only.
    Place,
}

/// What an entity wants.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Wants {
    /// Nothing.
    #[default]
    Nothing,
    /// To come to a point.
    Go,
    /// To come to an entity.
    Follow,
    /// To get away from an entity.
    Flee,
    /// To get off ground that is forbidden to its class, by the nearest way. Otherwise it wants nothing.
    Leave,
    /// To come to an entity that is gone or has no place.
    Lost,
    /// Something that cannot be done.
    Refused(FailReason),
}

impl Wants {
    /// Whether a path is wanted.
    pub(crate) fn is_path(self) -> bool {
        matches!(self, Self::Go | Self::Follow | Self::Flee | Self::Leave)
    }
}

impl Errand {
    /// The body to plan for.
    pub(crate) fn body(&self) -> NavBody {
        NavBody {
            radius: self.radius,
            class: self.class,
        }
    }

    /// Whether it is to get away from its goal.
    pub(crate) fn is_flight(&self) -> bool {
        matches!(self.want, Wants::Flee | Wants::Leave)
    }

    /// Whether a path that was planned for this one also serves `wanted`, which may differ in what the path reaches
    /// anyway if it `ends_at_goal`.
    ///
    /// Where the goal is by now is not asked: that is a matter of the [`RepathPolicy`](super::RepathPolicy). A
    /// reach may differ by a twentieth of the radius, and a path to the goal itself serves every reach and
    /// every wish for sight.
    pub(super) fn also_serves(&self, wanted: &Self, ends_at_goal: bool) -> bool {
        let is_near = (self.reach - wanted.reach).abs() <= SAME_REACH * self.radius;
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
        // NaN is not equal to itself, but one that stays is no change.
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

    /// Whether a path for `change` of an errand to (10, 0) that ends at the goal, or beside it, serves the errand.
    fn serves(ends_at_goal: bool, change: impl FnOnce(&mut Errand)) -> bool {
        let wanted = Errand {
            want: Wants::Go,
            goal: Vec2::X * 10.0,
            reach: 2.0,
            radius: 1.0,
            ..Errand::default()
        };
        let mut planned = wanted;
        change(&mut planned);
        planned.also_serves(&wanted, ends_at_goal)
    }

    #[test]
    fn a_goal_that_moved_and_a_reach_that_is_nearly_the_same_are_no_other_errand() {
        for ends_at_goal in [false, true] {
            assert!(serves(ends_at_goal, |_| {}));
            assert!(serves(ends_at_goal, |errand| errand.goal.x = f32::NAN));
            assert!(serves(ends_at_goal, |errand| errand.reach = 2.04));
            assert_eq!(
                serves(ends_at_goal, |errand| errand.reach = 2.06),
                ends_at_goal
            );
            assert!(!serves(ends_at_goal, |errand| errand.number = 1));
            assert!(!serves(ends_at_goal, |errand| errand.radius = 1.01));
            assert!(!serves(ends_at_goal, |errand| errand.class = ClassId(1)));
            assert!(!serves(ends_at_goal, |errand| errand.want = Wants::Follow));
            let other = Some(Entity::PLACEHOLDER);
            assert!(!serves(ends_at_goal, |errand| errand.target = other));
            assert!(!serves(ends_at_goal, |errand| errand.grid = other));
        }
    }

    #[test]
    fn a_path_to_the_goal_itself_serves_every_reach_and_sight_and_another_does_not() {
        for ends_at_goal in [false, true] {
            let changes: [fn(&mut Errand); 4] = [
                |errand| errand.reach = 3.0,
                |errand| errand.needs_sight = true,
                |errand| errand.goal_kind = GoalKind::Body,
                |errand| errand.to_rim = true,
            ];
            for change in changes {
                assert_eq!(serves(ends_at_goal, change), ends_at_goal);
            }
        }
    }

    #[test]
    fn a_flight_that_ends_where_its_threat_is_does_not_serve_every_distance() {
        let errand = Errand {
            want: Wants::Flee,
            reach: 5.0,
            radius: 1.0,
            ..Errand::default()
        };
        let farther = Errand {
            reach: 9.0,
            ..errand
        };
        assert!(!errand.also_serves(&farther, true));
    }

    #[test]
    fn numbers_that_are_none_are_no_news() {
        let errand = Errand {
            reach: f32::NAN,
            radius: f32::NAN,
            goal: Vec2::NAN,
            ..Errand::default()
        };
        assert!(errand.also_serves(&errand, false));
        let negative = Errand {
            radius: -1.0,
            ..errand
        };
        assert!(!errand.also_serves(&negative, false));
    }

    #[test]
    fn a_field_that_is_added_is_compared_without_another_line() {
        assert!(!serves(true, |errand| errand.probe = 1));
    }
}
