//! A grid as agents walk on it in one tick.

use bevy::ecs::entity::Entity;

use super::baked::{BakedGrid, NavSnapshot};
use crate::agent::{NavFrame, Plane};

/// A grid, where it lies, and what it is like, once it is baked.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) grid: Entity,
    pub(crate) frame: Plane,
    pub(crate) snapshot: Option<&'a NavSnapshot>,
}

impl<'a> Ground<'a> {
    pub(crate) fn new((grid, frame, baked): (Entity, Option<&NavFrame>, &'a BakedGrid)) -> Self {
        let snapshot = baked.snapshot().map(|snapshot| &**snapshot);
        let own = || frame.copied().unwrap_or_default().into();
        let frame = snapshot.map_or_else(own, |_| baked.frame);
        Self {
            grid,
            frame,
            snapshot,
        }
    }
}
