//! Grids as agents walk on them in one tick, and which one an agent is on.

use bevy::ecs::entity::Entity;

use super::baked::{BakedGrid, NavSnapshot};
use crate::agent::{GridPlane, Intent, Leg, NavPath, PathCursor};

/// A grid, its plane, and its snapshot once it is baked.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) grid: Entity,
    pub(crate) frame: &'a GridPlane,
    pub(crate) snapshot: Option<&'a NavSnapshot>,
}

impl<'a> Ground<'a> {
    pub(crate) fn new((grid, baked): (Entity, &'a BakedGrid)) -> Self {
        Self {
            grid,
            frame: &baked.frame,
            snapshot: baked.snapshot().map(|snapshot| &**snapshot),
        }
    }
}

/// The components that determine which grid an agent is on.
pub(crate) type OnPath<'a> = (&'a NavPath, &'a PathCursor, &'a Intent);

/// The grid that an agent is on, and its plane.
#[derive(Clone, Copy)]
pub(crate) struct Spot<'g, 'p> {
    pub(crate) ground: Option<Ground<'g>>,
    pub(crate) frame: &'p GridPlane,
    /// Whether the agent's leg was planned on that grid.
    pub(crate) is_on_its_grid: bool,
}

impl<'g: 'p, 'p> Spot<'g, 'p> {
    pub(crate) fn of(grids: &[Ground<'g>], (path, cursor, intent): OnPath<'p>) -> Self {
        let leg = path.leg_to(cursor.next());
        Self::on(grids, &leg, intent.order.grid)
    }

    /// The grid of a leg, else the grid that its agent wants to plan on.
    #[inline]
    pub(crate) fn on(grids: &[Ground<'g>], leg: &Leg<'p>, wanted: Option<Entity>) -> Self {
        // If the grid has moved, the path's positions are in other coordinates.
        let fits = |ground: &Ground| leg.waypoints.is_empty() || ground.frame == leg.frame;
        let find = |grid: Option<Entity>| {
            let mut known = grids.iter().filter(|ground| grid == Some(ground.grid));
            known.next().filter(|ground| fits(ground)).copied()
        };
        let own = find(leg.grid);
        let ground = own.or_else(|| find(wanted));
        Self {
            ground,
            frame: ground.map_or(leg.frame, |ground| ground.frame),
            is_on_its_grid: own.is_some(),
        }
    }

    pub(crate) fn snapshot(&self) -> Option<&'g NavSnapshot> {
        self.ground?.snapshot
    }
}
