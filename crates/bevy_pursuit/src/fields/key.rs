//! What a field leads to, and for which body.

use bevy::ecs::entity::{Entity, MapEntities};
use bevy::math::Vec2;
use pursuit::Cell;

use crate::agent::{GoalKind, NavBody, NavBodyKey, NavOrder, Wants};
use crate::grid::{LINE_FRACTION, NavSnapshot};

/// What the agents that share a field have in common.
#[derive(MapEntities, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FieldKey {
    pub(crate) body: NavBodyKey,
    #[entities]
    pub(crate) goal: FieldGoal,
    #[entities]
    pub(crate) grid: Entity,
}

/// What a field leads to.
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

    /// Whether a field leads where an agent is sent.
    pub(crate) fn serves(&self, order: &NavOrder) -> bool {
        let is_grid = order.grid == Some(self.grid) && order.body().key() == self.body;
        let is_plain = order.want == Wants::Follow && order.goal_kind != GoalKind::Slot;
        let goal = order.target.map(|target| FieldGoal::Target {
            target,
            is_obstacle: order.to_rim,
        });
        is_grid && is_plain && goal == Some(self.goal)
    }

    /// Whether a flow may lead to a target at `goal`. If the target is inside an obstacle without being one, chasers
    /// wait for it at the rim, and only planning finds out at which part of the rim.
    pub(crate) fn may_reach(&self, goal: Vec2, snapshot: &NavSnapshot) -> bool {
        let FieldGoal::Target { is_obstacle, .. } = self.goal else {
            return false;
        };
        let is_free = || snapshot.clearance_at(goal) >= LINE_FRACTION * self.body().radius;
        snapshot.layout().cell_at(goal).is_some() && (is_obstacle || is_free())
    }
}
