//! The request for a path to a point.

use bevy::ecs::world::World;
use bevy::prelude::*;

use crate::agent::{
    Intent, NavPath, PathStatus, Planning, RepathPolicy, TickPosition, Wants, WorldPoint, renew,
};
use crate::grid::BakedGrid;

/// Asks for a path from the entity's position to a point.
///
/// The answer arrives in [`NavPath`] and [`PathStatus`], and as [`PathFound`](crate::events::PathFound) or
/// [`PathFailed`](crate::events::PathFailed). If the entity has a [`NavAgent`](crate::NavAgent), the agent
/// walks the path. The request stays, and its path is kept up to date with the world.
///
/// The goal may be moved at any time, even in every tick: [`repath`](Self::repath) decides when a moved goal is worth a
/// search. If the component is inserted again, the agent sets out again, and its next arrival is reported again. An
/// equal component that is inserted in every frame has the effect of one insertion, unless the request is for
/// [`once`](Self::once). Removing the component stops the agent. The request takes precedence over
/// [`Flee`](crate::Flee) and [`Chase`](crate::Chase), which wait. Written by the user. With [`once`](Self::once), this
/// crate removes the component after an arrival.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(Transform, TickPosition, Intent, Planning, NavPath, PathStatus)]
#[component(on_insert = renew(Wants::Go))]
pub struct PathRequest {
    /// The point to go to, in world units. The z coordinate only matters on a grid whose
    /// [`NavFrame`](crate::NavFrame) is not the XY plane.
    pub goal: Vec3,
    /// Distance from the agent's center to the goal at which the agent may stop, in world units. The agent never
    /// stops behind a wall: either there is a clear line to the goal, or the path to the goal is no longer than
    /// the reach.
    ///
    /// At `0.0` the agent walks to the point itself. If the point is too close to a wall for the body, the agent
    /// walks to the nearest place in sight of the point where the body fits; that place is at most 1.4 body
    /// radii plus a cell away. Any other reach is kept exactly.
    ///
    /// Default: `None`, which means [`NavAgent::reach`](crate::NavAgent::reach), or `0.0` without one.
    pub reach: Option<f32>,
    /// Whether the goal counts as reached only with a clear line to it.
    ///
    /// Default: `false`.
    pub needs_sight: bool,
    /// Radius of the body that the path must fit, in world units.
    ///
    /// Default: `None`: the radius of the entity's [`NavAgent`](crate::NavAgent), or 0 without an agent.
    pub radius: Option<f32>,
    /// When to search again while the goal moves.
    ///
    /// Default: [`RepathPolicy::Dynamic`].
    pub repath: RepathPolicy,
    /// Whether the component is removed when the agent arrives, so that a waiting [`Flee`](crate::Flee) or
    /// [`Chase`](crate::Chase) takes over.
    ///
    /// The component is removed after the observers of [`GoalReached`](crate::GoalReached) ran. It stays if an
    /// observer inserted it again or changed its goal. It also stays while the goal cannot be reached, and on an
    /// entity without a [`NavAgent`](crate::NavAgent).
    ///
    /// Default: `false`.
    pub once: bool,
}

impl PathRequest {
    /// A request for a path to `goal`, in world units. `goal` is a `Vec3`, or a `Vec2` in the XY plane.
    pub fn to(goal: impl WorldPoint) -> Self {
        Self {
            goal: goal.in_world(),
            reach: None,
            needs_sight: false,
            radius: None,
            repath: RepathPolicy::default(),
            once: false,
        }
    }

    /// Removes the component when the agent arrives.
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// Sets the distance from the goal at which the agent may stop, in world units.
    pub fn with_reach(mut self, reach: f32) -> Self {
        self.reach = Some(reach);
        self
    }

    /// Makes the goal count as reached only with a clear line to it.
    pub fn with_sight(mut self) -> Self {
        self.needs_sight = true;
        self
    }

    /// Sets the radius of the body that the path must fit, in world units.
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = Some(radius);
        self
    }

    /// Sets when to search again while the goal moves.
    pub fn with_repath(mut self, repath: RepathPolicy) -> Self {
        self.repath = repath;
        self
    }
}

/// Removes a request for [`once`](PathRequest::once) after its agent arrived, unless the agent was sent somewhere
/// else in the meantime.
pub(crate) fn finish_request(commands: &mut Commands, agent: Entity) {
    commands.queue(move |world: &mut World| {
        let asked = (world.get::<PathRequest>(agent)).zip(world.get::<Intent>(agent));
        let Some((request, intent)) = asked else {
            return;
        };
        let order = &intent.order;
        let grid = order.grid.and_then(|grid| world.get::<BakedGrid>(grid));
        let goal = BakedGrid::plane_of(grid).to_grid(request.goal);
        let is_same = order.want == Wants::Go && order.goal == goal;
        if request.once && is_same && !intent.is_renewed {
            world.entity_mut(agent).remove::<PathRequest>();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let request = PathRequest::to(Vec3::ONE);
        assert_eq!((request.reach, request.radius), (None, None));
        assert!(!request.needs_sight && !request.once);
        assert_eq!(request.repath, RepathPolicy::Dynamic);
    }
}
