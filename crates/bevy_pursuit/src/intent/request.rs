//! The request for a path to a point.

use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::prelude::ReflectComponent;
use bevy::ecs::system::Commands;
use bevy::ecs::world::World;
use bevy::math::Vec3;
use bevy::reflect::Reflect;
use bevy::transform::components::Transform;

use crate::agent::{
    Intent, NavPath, PathStatus, Place, Planning, RepathPolicy, Wants, WorldPoint, renew,
};
use crate::grid::BakedGrid;

/// Asks for a path from where the entity stands to a point.
///
/// The answer arrives in [`NavPath`] and [`PathStatus`], and as
/// [`PathFound`](crate::events::PathFound) or [`PathFailed`](crate::events::PathFailed). On an
/// entity with a [`NavAgent`](crate::NavAgent) the agent walks the path. The request stays in
/// place, and its path is kept up with the world.
///
/// The goal may be moved at any time, in every tick too: [`repath`](Self::repath) decides when that
/// is worth a search. Inserting the component again sends the agent again, so that it reports its
/// arrival a second time. Removing it stops the agent. It wins over [`Flee`](crate::Flee) and
/// [`Chase`](crate::Chase), which wait. Written by the user; removed by this crate after an arrival if it is
/// for [`once`](Self::once).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(Transform, Place, Intent, Planning, NavPath, PathStatus)]
#[component(on_insert = renew)]
pub struct PathRequest {
    /// Where to, in world units. Its z counts on a grid whose [`NavFrame`](crate::NavFrame) is not the plane of X and Y.
    pub goal: Vec3,
    /// How far from the goal the agent may stop, in world units from its center. It never stops
    /// behind a wall: the goal is in a clear line, or no farther on foot.
    ///
    /// At `0.0` it walks to the point itself. If that is too near to a wall for the body, it walks to the
    /// nearest place in sight of it where the body fits: that is at most 1.4 of the body's radius and a
    /// cell away. Any other reach is held to.
    ///
    /// Default: `None`: [`NavAgent::reach`](crate::NavAgent::reach), else `0.0`.
    pub reach: Option<f32>,
    /// Whether the goal counts as reached only with a clear line to it.
    ///
    /// Default: `false`.
    pub needs_sight: bool,
    /// Radius of the body that the path must fit, in world units.
    ///
    /// Default: `None`: the radius of the entity's [`NavAgent`](crate::NavAgent), or 0 without
    /// one.
    pub radius: Option<f32>,
    /// When to plan again as the goal moves.
    ///
    /// Default: [`RepathPolicy::Dynamic`].
    pub repath: RepathPolicy,
    /// Whether the component is removed when the agent arrives, so that a [`Flee`](crate::Flee) or a
    /// [`Chase`](crate::Chase) that waits takes over.
    ///
    /// That is done when observers of [`GoalReached`](crate::GoalReached) have heard of it. A request that one of
    /// them inserts, or gives another goal, stays. So does one whose goal cannot be reached, and one of an entity that is
    /// no agent.
    ///
    /// Default: `false`.
    pub once: bool,
}

impl PathRequest {
    /// A request for a path to `goal`, a `Vec2` of the plane of X and Y or a `Vec3`, in world units.
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

    /// Lets the component be removed when the agent arrives.
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// Sets how far from the goal the agent may stop, in world units.
    pub fn with_reach(mut self, reach: f32) -> Self {
        self.reach = Some(reach);
        self
    }

    /// Lets the goal count as reached only with a clear line to it.
    pub fn with_sight(mut self) -> Self {
        self.needs_sight = true;
        self
    }

    /// Sets the radius of the body that the path must fit, in world units.
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = Some(radius);
        self
    }

    /// Sets when to plan again.
    pub fn with_repath(mut self, repath: RepathPolicy) -> Self {
        self.repath = repath;
        self
    }
}

/// Removes a request for [`once`](PathRequest::once) whose agent arrived, unless the agent was sent elsewhere since.
pub(crate) fn finish_request(commands: &mut Commands, agent: Entity) {
    commands.queue(move |world: &mut World| {
        let asked = world
            .get::<PathRequest>(agent)
            .zip(world.get::<Intent>(agent));
        let Some((request, intent)) = asked else {
            return;
        };
        let errand = &intent.errand;
        let grid = errand.grid.and_then(|grid| world.get::<BakedGrid>(grid));
        let goal = BakedGrid::frame_of(grid).to_grid(request.goal);
        let is_same = errand.want == Wants::Go && errand.goal == goal;
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
