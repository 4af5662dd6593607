//! Where those stand who have come.

use bevy::ecs::prelude::*;
use pursuit::{Cell, CellRect, Layout};

use crate::agent::{Intent, NavAgent, Parting, Place};

/// A cell is full if one that stands is nearer to its center than this part of touching. More: gaps that a body fits into
/// stay. Less: newcomers are led into gaps that are too narrow.
const FULL: f32 = 0.8;

/// Agents that keep clear of others.
type Member = (
    &'static NavAgent,
    &'static Place,
    &'static Parting,
    &'static Intent,
);

pub(super) type Standing<'w, 's> = Query<'w, 's, Member>;

/// The cells of a grid that are full, for a body of such a radius, of those who came there and stand. Row by row.
pub(super) fn full_cells(
    standing: &Standing,
    (grid, layout): (Entity, &Layout),
    radius: f32,
) -> Vec<Cell> {
    let (all, width) = (layout.rect(), layout.width() as usize);
    let mut bits = vec![0_u64; layout.cell_count().div_ceil(64)];
    for (agent, place, parting, intent) in standing {
        let is_here = parting.mind.is_settled && intent.errand.grid == Some(grid);
        if !is_here || !agent.is_valid() {
            continue;
        }
        let center = layout.to_cell_space(place.0.truncate());
        let reach = FULL * (agent.radius + radius) / layout.cell_size();
        let own = Cell::at(center);
        let around = CellRect::new(own, own.offset(1, 1)).grow((reach as u32).saturating_add(1));
        let cells = around.intersect(&all).cells();
        for cell in cells.filter(|cell| cell.center().distance(center) < reach) {
            let slot = cell.y as usize * width + cell.x as usize;
            bits[slot / 64] |= 1 << (slot % 64);
        }
    }
    let words = bits.iter().enumerate().filter(|(_, word)| **word != 0);
    let slots = words.flat_map(|(index, word)| {
        let is_set = move |bit: &usize| word >> bit & 1 != 0;
        (0..64).filter(is_set).map(move |bit| 64 * index + bit)
    });
    slots
        .map(|slot| Cell::new((slot % width) as i32, (slot / width) as i32))
        .collect()
}
