//! The cells whose appearance changed since the previous query.

use std::collections::HashSet;

use pursuit::Cell;

use crate::recording::{GridSize, NO_CELL};

/// Maximum number of events between two queries. If there are more, all cells are reported as changed.
const MAX_LISTED_EVENTS: u32 = 1 << 18;

/// The cells whose appearance may have changed since the previous call of
/// [`Replay::take_changes`](super::Replay::take_changes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes<'a> {
    /// Any cell may have changed: repaint all cells.
    All,
    /// Only these cells may have changed. Each cell is listed once, in no particular order.
    Cells(&'a [Cell]),
}

/// The state at the previous query, and the list of cells that changed since.
#[derive(Clone, Debug, Default)]
pub(super) struct LastLook {
    /// The cursor at the previous query. `None` before the first query.
    cursor: Option<u32>,
    /// The number of the event that started the search in progress.
    start: u32,
    /// The current cell, and the cells examined from it.
    pub(super) scene: Vec<u32>,
    list: Vec<Cell>,
}

impl LastLook {
    /// Moves to a new cursor. Returns the new and the previous cursor, the smaller one first. `None` if all cells have
    /// to be repainted.
    pub(super) fn move_to(&mut self, cursor: u32, start: u32) -> Option<(u32, u32)> {
        let start_before = std::mem::replace(&mut self.start, start);
        let before = self.cursor.replace(cursor)?;
        let (from, to) = (before.min(cursor), before.max(cursor));
        (start == start_before && to - from <= MAX_LISTED_EVENTS).then_some((from, to))
    }

    /// Lists the cells of the previous scene and `others`, each cell once, and keeps the cells of the new scene.
    pub(super) fn list(
        &mut self,
        others: impl Iterator<Item = u32>,
        scene: impl Iterator<Item = u32>,
        size: GridSize,
    ) -> Changes<'_> {
        let cells = self.scene.drain(..).chain(others);
        let cells: HashSet<u32> = cells.filter(|&cell| cell != NO_CELL).collect();
        self.list = cells.into_iter().map(|cell| size.cell(cell)).collect();
        self.scene.extend(scene);
        Changes::Cells(&self.list)
    }
}
