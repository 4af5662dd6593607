//! A grid as agents walk on it in one tick.

use bevy::ecs::entity::Entity;

use super::baked::{BakedGrid, NavSnapshot};
use crate::agent::Plane;

/// A grid, where it lies, and what it is like, once it is baked.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) grid: Entity,
    pub(crate) frame: &'a Plane,
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
