//! Which of several grids an agent plans on.

use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::prelude::ReflectComponent;
use bevy::math::Vec2;
use bevy::reflect::Reflect;
use pursuit::Layout;

use super::{BakedGrid, NavGrid};

/// Names the grid that an agent plans and walks on.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct OnGrid(#[entities] pub Entity);

pub(crate) struct GridView {
    pub(crate) entity: Entity,
    pub(crate) layout: Option<Layout>,
}

impl GridView {
    pub(crate) fn new((entity, nav, baked): (Entity, &NavGrid, &BakedGrid)) -> Self {
        let layout = match baked.snapshot() {
            Some(snapshot) => Some(*snapshot.layout()),
            None if baked.error().is_some() => None,
            None => nav.layout().ok(),
        };
        Self { entity, layout }
    }
}

pub(crate) fn choose_grid(
    named: Option<OnGrid>,
    start: Vec2,
    goal: Option<Vec2>,
    grids: &[GridView],
) -> Option<Entity> {
    if let Some(named) = named {
        return Some(named.0);
    }
    let holds = |layout: &Layout, point: Vec2| layout.cell_at(point).is_some();
    let mut best: Option<(bool, f32, Entity)> = None;
    for grid in grids {
        let Some(layout) = &grid.layout else { continue };
        if !holds(layout, start) {
            continue;
        }
        let misses = goal.is_some_and(|goal| !holds(layout, goal));
        let size = (layout.max_corner() - layout.min_corner()).element_product();
        let rank = (misses, size, grid.entity);
        if best.is_none_or(|best| rank < best) {
            best = Some(rank);
        }
    }
    best.map(|(.., entity)| entity)
}
