//! Which cells look different than at the last look.

use std::collections::HashSet;

use pursuit::Cell;

use crate::recording::{NONE, Size};

/// Most events between two looks for which cells are listed one by one.
const MOST_LISTED: u32 = 1 << 18;

/// The cells that look different than at the last look: a list of them, or all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes<'a> {
    /// Any may: paint all.
    All,
    /// No others than these. Each is listed once, in no order.
    Cells(&'a [Cell]),
}

/// What was shown at the last look, and the list of what changed since.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// `None` before the first look.
    cursor: Option<u32>,
    /// The event at which the search began that was under way.
    start: u32,
    /// The current cell and the cells looked at from there.
    scene: Vec<u32>,
    list: Vec<Cell>,
}

impl Shown {
    /// Turns to a cursor. Gives it and the one before, the smaller first, or `None` if anything may differ
    /// between them.
    pub(super) fn turn_to(&mut self, cursor: u32, start: u32) -> Option<(u32, u32)> {
        let start_before = std::mem::replace(&mut self.start, start);
        let before = self.cursor.replace(cursor)?;
        let (from, to) = (before.min(cursor), before.max(cursor));
        (start == start_before && to - from <= MOST_LISTED).then_some((from, to))
    }

    /// Lists the cells shown and others, each once.
    pub(super) fn list(&mut self, others: impl Iterator<Item = u32>, size: Size) {
        let cells = self.scene.iter().copied().chain(others);
        let cells: HashSet<u32> = cells.filter(|&cell| cell != NONE).collect();
        self.list.clear();
        self.list
            .extend(cells.into_iter().map(|cell| size.cell(cell)));
    }

    /// Notes the cells of the scene that is shown now.
    pub(super) fn show(&mut self, scene: impl Iterator<Item = u32>) {
        self.scene.clear();
        self.scene.extend(scene);
    }

    /// The list.
    pub(super) fn changes(&self) -> Changes<'_> {
        Changes::Cells(&self.list)
    }
}
