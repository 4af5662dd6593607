//! Keys of fields: the goal that a field leads to, the body that it is for, and its grid.

use bevy::ecs::entity::{Entity, MapEntities};
use bevy::math::Vec2;
use pursuit::Cell;

use crate::agent::{GoalKind, NavBody, NavBodyKey, NavOrder, Wants};
use crate::grid::{LINE_FRACTION, NavSnapshot};

/// Identifies a field. Agents with the same key share a field.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FieldKey {
    pub(crate) body: NavBodyKey,
    #[entities]
    pub(crate) goal: FieldGoal,
    #[entities]
    pub(crate) grid: Entity,
}

/// The goal that a field leads to.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FieldGoal {
    Target {
        #[entities]
        target: Entity,
        /// Whether the target is itself an obstacle, so that chasers reach it at its rim.
        is_obstacle: bool,
    },
    Cell(Cell),
}

impl FieldKey {
    /// The key of the field that leads to the target of `order`.
    pub(crate) fn of_chase(order: &NavOrder) -> Option<Self> {
        Some(Self {
            body: order.body().key(),
            goal: FieldGoal::Target {
                target: order.target?,
                is_obstacle: order.to_rim,
            },
            grid: order.grid?,
        })
    }

    pub(crate) fn body(&self) -> NavBody {
        NavBody {
            radius: f32::from_bits(self.body.0),
            class: self.body.1,
        }
    }

    pub(crate) fn target(&self) -> Option<Entity> {
        match self.goal {
            FieldGoal::Target { target, .. } => Some(target),
            FieldGoal::Cell(_) => None,
        }
    }

    /// Whether the field with this key leads to where `order` sends an agent.
    pub(crate) fn serves(&self, order: &NavOrder) -> bool {
        let is_plain = order.want == Wants::Follow && order.goal_kind != GoalKind::Slot;
        is_plain && Self::of_chase(order) == Some(*self)
    }

    /// Whether a flow may lead to a target at `goal`. No flow leads to a target inside an obstacle, unless the target
    /// itself is the obstacle: chasers wait at the rim, and only planning finds the right part of the rim.
    pub(crate) fn may_reach(&self, goal: Vec2, snapshot: &NavSnapshot) -> bool {
        let FieldGoal::Target { is_obstacle, .. } = self.goal else {
            return false;
        };
        let is_free = || snapshot.clearance_at(goal) >= LINE_FRACTION * self.body().radius;
        snapshot.layout().cell_at(goal).is_some() && (is_obstacle || is_free())
    }
}
