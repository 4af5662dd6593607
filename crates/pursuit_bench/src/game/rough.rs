//! Rough ground on a level: the patches over which `search --terrain` searches.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use pursuit::Grid;

use super::transform_at;
use super::walls::to_world;
use crate::ground::rough_patches;

/// Makes a fifth of a level cost 2 to 10 times as much as the rest.
pub(crate) fn spread(world: &mut World, level: &Grid) {
    let mut areas = world.resource_mut::<NavAreas>();
    let kinds: Vec<AreaId> = (0..=10_u8)
        .map(|cost| areas.add("rough", f32::from(cost.max(1)), Color::BLACK))
        .collect();
    for (cells, cost) in rough_patches(level) {
        let area = NavArea::new(kinds[usize::from(cost)]);
        let place = to_world(&cells);
        let shape = NavObstacle::rectangle(place.half_size());
        world.spawn((shape, area, transform_at(place.center())));
    }
}
