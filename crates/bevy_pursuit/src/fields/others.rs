//! Finds the cells that a flow leads around: cells with agents that stand near the target, with agents in jams, and
//! cells at places where an agent got stuck.

use bevy::prelude::*;
use pursuit::{Cell, CellRect, Layout, Occupancy};

use crate::agent::{
    CrowdState, GridPlane, GridPrices, Intent, NavAgent, NavBody, Price, TickPosition,
};

/// A cell is full if a settled agent is nearer to its center than this fraction of the distance at which the bodies
/// touch. With a greater value, gaps into which a body fits stay empty. With a smaller one, newcomers are led into gaps
/// that are too narrow.
const FULL_DISTANCE_SHARE: f32 = 0.8;

/// Time for which an agent must be held up to be part of a jam, in seconds. With a greater value, agents at the end of
/// a queue turn to another door later. With a smaller one, an agent that stops for a moment is part of a jam.
const JAM_SECONDS: f32 = 1.0;

/// Minimum number of held-up agents on a grid for which fields lead around jams. With a greater value, agents wait in
/// small jams. With a smaller one, fields are built again whenever a few agents stop for a moment.
const MIN_JAM_MEMBERS: u32 = 16;

/// Distance from an agent in a jam within which cells belong to the jam, in radii of that agent. With a greater value,
/// agents beside the jam also walk around it. With a smaller one, the jam has gaps.
const JAM_RADII: f32 = 1.5;

/// The components of agents that keep apart from others.
type Member = (
    &'static NavAgent,
    &'static TickPosition,
    &'static CrowdState,
    &'static Intent,
);

pub(super) type Members<'w, 's> = Query<'w, 's, Member>;

/// The cells where agents or prices are in the way, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Others {
    /// Cells that are full of standing agents.
    full: Vec<Cell>,
    /// Cells in jams, if enough agents are held up, and cells in discs that an agent could not get through.
    jammed: Vec<Cell>,
}

impl Others {
    /// The cells of a grid where agents or prices are in the way of a body.
    pub(super) fn find(
        members: Option<&Members>,
        prices: &GridPrices,
        (grid, plane, layout): (Entity, &GridPlane, &Layout),
        body: NavBody,
    ) -> Self {
        let (mut full, mut jammed) = (Marks::new(layout), Marks::new(layout));
        let mut held_up = 0;
        for (agent, place, crowd_state, intent) in members.into_iter().flatten() {
            let memory = &crowd_state.memory;
            let is_in_the_way = memory.is_settled || memory.held_up_seconds > JAM_SECONDS;
            if !is_in_the_way || intent.order.grid != Some(grid) || !agent.is_valid() {
                continue;
            }
            let apart = FULL_DISTANCE_SHARE * (agent.radius + body.radius);
            let (marks, reach) = match memory.is_settled {
                true => (&mut full, apart),
                false => (&mut jammed, JAM_RADII * agent.radius),
            };
            held_up += u32::from(!memory.is_settled);
            marks.mark(plane.to_grid(place.0), reach);
        }
        if held_up < MIN_JAM_MEMBERS {
            jammed = Marks::new(layout);
        }
        // The prices of lines are left out, because the loop above marks the held-up agents themselves.
        let stuck = |price: &&Price| price.line.is_none();
        for price in prices.binding(body).filter(stuck) {
            jammed.mark(price.place, price.reach + 0.5 * layout.cell_size());
        }
        let [full, jammed] = [full, jammed].map(|marks| marks.cells());
        Self { full, jammed }
    }

    #[cfg(test)]
    pub(super) fn of(full: &[Cell], jammed: &[Cell]) -> Self {
        Self {
            full: full.to_vec(),
            jammed: jammed.to_vec(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.full.is_empty() && self.jammed.is_empty()
    }

    pub(super) fn occupancy(&self) -> Occupancy<'_> {
        Occupancy {
            full_cells: &self.full,
            jammed_cells: &self.jammed,
        }
    }
}

/// One bit per cell of a grid.
struct Marks<'a> {
    layout: &'a Layout,
    bits: Vec<u64>,
}

impl<'a> Marks<'a> {
    fn new(layout: &'a Layout) -> Self {
        let bits = vec![0; layout.cell_count().div_ceil(64)];
        Self { layout, bits }
    }

    /// Marks the cells whose centers are less than `reach` world units from a position.
    fn mark(&mut self, place: Vec2, reach: f32) {
        let layout = self.layout;
        let (center, reach) = (layout.to_cell_space(place), reach / layout.cell_size());
        let own = Cell::at(center);
        let around = CellRect::new(own, own.offset(1, 1)).grow((reach as u32).saturating_add(1));
        let cells = around.intersect(&layout.rect()).cells();
        let is_near = |cell: &Cell| cell.center().distance_squared(center) < reach * reach;
        for cell in cells.filter(is_near) {
            let slot = cell.y as usize * layout.width() as usize + cell.x as usize;
            self.bits[slot / 64] |= 1 << (slot % 64);
        }
    }

    /// The marked cells, row by row.
    fn cells(&self) -> Vec<Cell> {
        let width = self.layout.width() as usize;
        let words = self.bits.iter().enumerate().filter(|(_, word)| **word != 0);
        let slots = words.flat_map(|(index, word)| {
            let is_set = move |bit: &usize| word >> bit & 1 != 0;
            (0..64).filter(is_set).map(move |bit| 64 * index + bit)
        });
        let cell = |slot: usize| Cell::new((slot % width) as i32, (slot / width) as i32);
        slots.map(cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Price, Prices};

    #[test]
    fn the_disc_of_a_price_is_jammed_for_the_bodies_that_the_price_binds() {
        let layout = Layout::new(Vec2::new(-4.0, 2.0), 0.5, 30, 20).expect("a layout");
        let (grid, place) = (Entity::PLACEHOLDER, layout.center(Cell::new(12, 9)));
        let mut prices = Prices::default();
        let body = NavBody::from(0.4);
        prices.note(grid, Price::new((place, 1.0), (body, place - 2.0), 100), 0);
        let find = |radius: f32| {
            let on_grid = (grid, &GridPlane::XY, &layout);
            Others::find(None, prices.of(Some(grid)), on_grid, radius.into())
        };
        let near = |cell: &Cell| layout.center(*cell).distance(place) < 1.25;
        let disc: Vec<Cell> = layout.rect().cells().filter(near).collect();
        assert_eq!((find(0.4).jammed, find(0.4).full.len()), (disc, 0));
        assert!(find(0.3).is_empty(), "a narrower body");
    }
}
