//! Where those stand who have come.

use bevy::ecs::prelude::*;
use pursuit::{Cell, CellRect, Layout};

use crate::agent::{NavAgent, Parting, Place};

/// A cell is full if one that stands is nearer to its center than this part of touching. More: gaps that a body fits into
/// stay. Less: newcomers are led into gaps that are too narrow.
const FULL: f32 = 0.8;

/// Agents that keep clear of others.
pub(super) type Standing<'w, 's> =
    Query<'w, 's, (&'static NavAgent, &'static Place, &'static Parting)>;

/// The cells that are full of those who stand for a body of such a radius, in an order of their own.
pub(super) fn full_cells(standing: &Standing, layout: &Layout, radius: f32) -> Vec<Cell> {
    let mut full = Vec::new();
    for (agent, place, _) in standing.iter().filter(|it| it.2.mind.is_settled) {
        let center = layout.to_cell_space(place.0.truncate());
        let reach = FULL * (agent.radius + radius) / layout.cell_size();
        let own = Cell::at(center);
        let around = CellRect::new(own, own.offset(1, 1)).grow(reach as u32 + 1);
        let cells = around.intersect(&layout.rect()).cells();
        full.extend(cells.filter(|cell| cell.center().distance(center) < reach));
    }
    full.sort_unstable_by_key(|cell| (cell.y, cell.x));
    full.dedup();
    full
}
