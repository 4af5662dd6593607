//! Rough ground in a game: the same patches as in `search --terrain`.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use pursuit::Grid;

use super::transform_at;
use super::walls::to_world;
use crate::ground::rough_patches;

/// Spreads rough ground on a fifth of a level. It costs 2 to 10 times as much as plain ground.
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
