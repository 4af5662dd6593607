//! The grids of one tick, and the one that an agent is on.

use bevy::ecs::entity::Entity;

use super::baked::{BakedGrid, NavSnapshot};
use crate::agent::{GridPlane, Intent, Leg, NavPath, PathCursor};

/// A grid, its plane, and its snapshot once it is baked.
#[derive(Clone, Copy)]
pub(crate) struct GridRef<'a> {
    pub(crate) entity: Entity,
    pub(crate) plane: &'a GridPlane,
    pub(crate) snapshot: Option<&'a NavSnapshot>,
}

impl<'a> GridRef<'a> {
    pub(crate) fn new((entity, baked): (Entity, &'a BakedGrid)) -> Self {
        Self {
            entity,
            plane: &baked.plane,
            snapshot: baked.snapshot().map(|snapshot| &**snapshot),
        }
    }
}

/// The components that determine which grid an agent is on.
pub(crate) type OnPath<'a> = (&'a NavPath, &'a PathCursor, &'a Intent);

/// The grid that an agent is on, and its plane.
#[derive(Clone, Copy)]
pub(crate) struct GridUnderAgent<'g, 'p> {
    pub(crate) grid: Option<GridRef<'g>>,
    pub(crate) plane: &'p GridPlane,
    /// Whether the agent's leg was planned on that grid.
    pub(crate) is_on_its_grid: bool,
}

impl<'g: 'p, 'p> GridUnderAgent<'g, 'p> {
    pub(crate) fn of(grids: &[GridRef<'g>], (path, cursor, intent): OnPath<'p>) -> Self {
        let leg = path.leg_to(cursor.next());
        Self::on(grids, &leg, intent.order.grid)
    }

    /// The grid that a leg was planned on. If there is none, this is the `wanted` grid, on which the agent wants to
    /// plan.
    #[inline]
    pub(crate) fn on(grids: &[GridRef<'g>], leg: &Leg<'p>, wanted: Option<Entity>) -> Self {
        // If the grid has moved, the path's positions are in other coordinates.
        let fits = |grid: &GridRef| leg.waypoints.is_empty() || grid.plane == leg.plane;
        let find = |entity: Option<Entity>| {
            let mut known = grids.iter().filter(|grid| entity == Some(grid.entity));
            known.next().filter(|grid| fits(grid)).copied()
        };
        let own = find(leg.grid);
        let grid = own.or_else(|| find(wanted));
        Self {
            grid,
            plane: grid.map_or(leg.plane, |grid| grid.plane),
            is_on_its_grid: own.is_some(),
        }
    }

    pub(crate) fn snapshot(&self) -> Option<&'g NavSnapshot> {
        self.grid?.snapshot
    }
}
