//! Where those stand who have come.

use std::f32::consts::PI;

use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use pursuit::{Cell, Layout};

use crate::agent::{NavAgent, Parting, Place};

/// A cell is full once those who stand take so much of its area. More: newcomers are led into gaps that are too small. Less:
/// gaps stay.
const FULL: f32 = 0.3;
/// Bodies up to this radius count for the cell of their center, in cells; larger ones fill all cells under them.
const SMALL: f32 = 0.75;

/// Agents that keep clear of others.
pub(super) type Standing<'w, 's> =
    Query<'w, 's, (&'static NavAgent, &'static Place, &'static Parting)>;

/// The cells that are full of those who stand, in the order of slots.
pub(super) fn full_cells(standing: &Standing, layout: &Layout) -> Vec<Cell> {
    let mut parts: Vec<(u32, f32)> = Vec::new();
    for (agent, place, _) in standing.iter().filter(|it| it.2.mind.is_settled) {
        fill(layout, place.0.truncate(), agent.radius, &mut parts);
    }
    // No sum depends on the order in which the world keeps agents.
    parts.sort_unstable_by_key(|(slot, area)| (*slot, area.to_bits()));
    let cells = parts.chunk_by(|one, other| one.0 == other.0);
    let is_full = |parts: &&[(u32, f32)]| parts.iter().map(|it| it.1).sum::<f32>() >= FULL;
    let width = layout.width();
    let cell_of = |slot: u32| Cell::new((slot % width) as i32, (slot / width) as i32);
    cells
        .filter(is_full)
        .map(|parts| cell_of(parts[0].0))
        .collect()
}

/// Adds what a body takes of each cell.
fn fill(layout: &Layout, position: Vec2, radius: f32, parts: &mut Vec<(u32, f32)>) {
    let (center, radius) = (layout.to_cell_space(position), radius / layout.cell_size());
    let slot = |cell: Cell| {
        let is_inside = layout.rect().contains(cell);
        is_inside.then(|| cell.y as u32 * layout.width() + cell.x as u32)
    };
    let own = Cell::at(center);
    if radius <= SMALL {
        parts.extend(slot(own).map(|slot| (slot, PI * radius * radius)));
        return;
    }
    let around = pursuit::CellRect::new(own, own.offset(1, 1)).grow(radius as u32 + 1);
    let under = around.intersect(&layout.rect()).cells();
    let under = under.filter(|cell| cell.center().distance(center) <= radius);
    parts.extend(under.filter_map(slot).map(|slot| (slot, 1.0)));
}
