//! The cells that look different since the last look.

use std::collections::HashSet;

use pursuit::Cell;

use crate::recording::{NONE, RecordingSize};

/// Most events between two looks for which cells are listed individually.
const MOST_LISTED: u32 = 1 << 18;

/// The cells that look different since the last look: a list of cells, or all cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes<'a> {
    /// Any cell may look different: paint all of them.
    All,
    /// Only these cells may look different. Each is listed once, in no order.
    Cells(&'a [Cell]),
}

/// The state at the last look, and the list of cells that changed since.
#[derive(Clone, Debug, Default)]
pub(super) struct LastLook {
    /// `None` before the first look.
    cursor: Option<u32>,
    /// The event at which the search in progress began.
    start: u32,
    /// The current cell and the cells looked at from it.
    scene: Vec<u32>,
    list: Vec<Cell>,
}

impl LastLook {
    /// Moves to a cursor. Returns the new and the previous cursor, the smaller first, or `None` if any cell may differ
    /// between them.
    pub(super) fn turn_to(&mut self, cursor: u32, start: u32) -> Option<(u32, u32)> {
        let start_before = std::mem::replace(&mut self.start, start);
        let before = self.cursor.replace(cursor)?;
        let (from, to) = (before.min(cursor), before.max(cursor));
        (start == start_before && to - from <= MOST_LISTED).then_some((from, to))
    }

    /// Lists the cells of the scene and others, each once.
    pub(super) fn list(&mut self, others: impl Iterator<Item = u32>, size: RecordingSize) {
        let cells = self.scene.iter().copied().chain(others);
        let cells: HashSet<u32> = cells.filter(|&cell| cell != NONE).collect();
        self.list.clear();
        self.list
            .extend(cells.into_iter().map(|cell| size.cell(cell)));
    }

    /// Records the cells of the scene that is shown now.
    pub(super) fn show(&mut self, scene: impl Iterator<Item = u32>) {
        self.scene.clear();
        self.scene.extend(scene);
    }

    /// The cells of the list.
    pub(super) fn changes(&self) -> Changes<'_> {
        Changes::Cells(&self.list)
    }
}
