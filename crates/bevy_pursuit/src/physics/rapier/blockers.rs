//! Looks for bodies at the places where agents got stuck, except bodies that are walls of the grid.

use std::iter;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::agent::{NavAgent, Prices};
use crate::grid::Grids;
use crate::obstacle::ObservedObstacles;
use crate::schedule::TickCount;

/// Notes which prices have a body at their disc. Walls of the grid, agents and sensors do not count.
pub(super) fn look_for_blockers(
    physics: ReadRapierContext<()>,
    (ticks, grids): (Res<TickCount>, Res<Grids>),
    observed: Option<Res<ObservedObstacles>>,
    (agents, parents): (Query<(), With<NavAgent>>, Query<&ChildOf>),
    mut prices: ResMut<Prices>,
) {
    prices.look(ticks.0, |grid, price| {
        let Some(grid) = grids.get(Some(grid)) else {
            return false;
        };
        let is_unknown = |entity: Entity| {
            let layers = observed.as_ref().and_then(|all| all.layers_of(entity));
            let mut bodies = iter::once(entity).chain(parents.iter_ancestors(entity));
            !bodies.any(|body| agents.contains(body))
                && !layers.is_some_and(|it| it.meet(grid.baked.layers.0))
        };
        let filter = QueryFilter::new().exclude_sensors().predicate(&is_unknown);
        let place = grid.plane().to_world(price.place).truncate();
        let ball = Collider::ball(price.sight_radius());
        let mut worlds = physics.rapier_context.iter();
        worlds.any(|(simulation, colliders, joints, rigidbody_set)| {
            let world = RapierContext {
                simulation,
                colliders,
                joints,
                rigidbody_set,
            };
            let mut is_seen = false;
            world.intersect_shape(place, 0.0, ball.raw.as_ref(), filter, |_| {
                is_seen = true;
                false
            });
            is_seen
        })
    });
}
