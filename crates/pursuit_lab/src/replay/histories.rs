//! The events at which each cell changed.

use crate::recording::{Change, EventKind};

/// The effect of an event on its cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellEffect {
    Discovered,
    Improved,
    Worsened,
    Expanded,
    Reached,
}

impl CellEffect {
    /// `None` for an event that changes no cell.
    pub(super) fn of(kind: EventKind) -> Option<Self> {
        match kind {
            EventKind::Relaxed(Change::Discovered | Change::Known) => Some(Self::Discovered),
            EventKind::Relaxed(Change::Improved) => Some(Self::Improved),
            EventKind::Relaxed(Change::Worsened) => Some(Self::Worsened),
            EventKind::Expanded | EventKind::Relaxed(Change::Settled) => Some(Self::Expanded),
            EventKind::Reached => Some(Self::Reached),
            EventKind::Relaxed(Change::Kept)
            | EventKind::Started
            | EventKind::Passed
            | EventKind::Dropped
            | EventKind::Answered => None,
        }
    }
}

/// A change of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellChange {
    pub(super) cell: u32,
    /// The number of the event.
    pub(super) event: u32,
    pub(super) effect: CellEffect,
}

/// The changes of all cells, sorted by cell and event.
#[derive(Clone, Debug)]
pub(super) struct Histories(Vec<CellChange>);

impl Histories {
    pub(super) fn new(mut changes: Vec<CellChange>) -> Self {
        changes.sort_unstable_by_key(|change| (change.cell, change.event));
        Self(changes)
    }

    /// The changes of a cell by events in `from..to`.
    pub(super) fn of(&self, cell: u32, from: u32, to: u32) -> &[CellChange] {
        let place = |event: u32| {
            let is_before = |change: &CellChange| (change.cell, change.event) < (cell, event);
            self.0.partition_point(is_before)
        };
        self.0.get(place(from)..place(to)).unwrap_or_default()
    }
}
