//! Lists all grids as the stages of a tick see them, and finds the grid that an agent is on.

use bevy::ecs::prelude::*;

use super::baked::{BakedGrid, NavSnapshot};
use super::nav_grid::NavGrid;
use crate::agent::{GridPlane, Leg};

/// All grids as they were when the tick began. Every stage of the tick reads its grids here.
///
/// Between ticks the list is empty, so that it holds no reference to a snapshot that a bake could otherwise reuse.
#[derive(Resource, Default)]
pub(crate) struct Grids(Vec<(Entity, BakedGrid)>);

impl Grids {
    pub(crate) fn iter(&self) -> impl Iterator<Item = GridRef<'_>> + Clone {
        (self.0.iter()).map(|(entity, baked)| GridRef::new((*entity, baked)))
    }

    /// The grid of an entity. `None` if there is no entity, or if it is not a grid.
    #[inline]
    pub(crate) fn get(&self, entity: Option<Entity>) -> Option<GridRef<'_>> {
        self.index(entity?).map(|index| self.at(index))
    }

    /// The index of a grid in the list.
    pub(crate) fn index(&self, entity: Entity) -> Option<usize> {
        self.0.iter().position(|(own, _)| entity == *own)
    }

    pub(crate) fn at(&self, index: usize) -> GridRef<'_> {
        let (entity, baked) = &self.0[index];
        GridRef::new((*entity, baked))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The plane of a grid. The XY plane if there is no such grid.
    pub(crate) fn plane_of(&self, grid: Option<Entity>) -> &GridPlane {
        self.get(grid).map_or(&GridPlane::XY, |grid| grid.plane())
    }
}

/// Fills the list of grids for this tick.
pub(crate) fn fill_grids(
    mut grids: ResMut<Grids>,
    all: Query<(Entity, &BakedGrid), With<NavGrid>>,
) {
    grids.0.clear();
    let copies = all.iter().map(|(entity, baked)| (entity, baked.clone()));
    grids.0.extend(copies);
}

/// Empties the list of grids at the end of the tick.
pub(crate) fn drop_grids(mut grids: ResMut<Grids>) {
    grids.0.clear();
}

/// A grid and its bake.
#[derive(Clone, Copy)]
pub(crate) struct GridRef<'a> {
    pub(crate) entity: Entity,
    pub(crate) baked: &'a BakedGrid,
}

impl<'a> GridRef<'a> {
    pub(crate) fn new((entity, baked): (Entity, &'a BakedGrid)) -> Self {
        Self { entity, baked }
    }

    pub(crate) fn plane(&self) -> &'a GridPlane {
        &self.baked.plane
    }

    pub(crate) fn snapshot(&self) -> Option<&'a NavSnapshot> {
        self.baked.snapshot().map(|snapshot| &**snapshot)
    }
}

/// The grid that an agent is on.
#[derive(Clone, Copy)]
pub(crate) struct GridUnderAgent<'g, 'p> {
    /// `None` if there is no such grid.
    pub(crate) grid: Option<GridRef<'g>>,
    /// The plane of the agent's coordinates. Without a grid, the plane of its path.
    pub(crate) plane: &'p GridPlane,
    /// Whether this is the grid that the agent's path was planned on.
    pub(crate) is_on_its_grid: bool,
}

impl<'g: 'p, 'p> GridUnderAgent<'g, 'p> {
    /// The grid that a leg was planned on. If that grid is gone or has moved, the `wanted` grid, on which the agent
    /// will plan.
    #[inline]
    pub(crate) fn on(grids: &'g Grids, leg: &Leg<'p>, wanted: Option<Entity>) -> Self {
        // If the grid has moved, the path's positions are in other coordinates.
        let fits = |grid: &GridRef| leg.waypoints.is_empty() || grid.plane() == leg.plane;
        let own = grids.get(leg.grid).filter(fits);
        let grid = own.or_else(|| grids.get(wanted).filter(fits));
        Self {
            grid,
            plane: grid.map_or(leg.plane, |grid| grid.plane()),
            is_on_its_grid: own.is_some(),
        }
    }
}
