//! The events at which each cell changed.

use crate::recording::{Change, Kind};

/// The effect of an event on its cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellEvent {
    Discovered,
    Improved,
    Worsened,
    Expanded,
    Reached,
}

impl CellEvent {
    /// The change that an event of this kind makes. `None` if events of this kind change no cell.
    pub(super) fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Relaxed(Change::Discovered | Change::Known) => Some(Self::Discovered),
            Kind::Relaxed(Change::Improved) => Some(Self::Improved),
            Kind::Relaxed(Change::Worsened) => Some(Self::Worsened),
            Kind::Expanded | Kind::Relaxed(Change::Settled) => Some(Self::Expanded),
            Kind::Reached => Some(Self::Reached),
            Kind::Relaxed(Change::Kept)
            | Kind::Started
            | Kind::Passed
            | Kind::Dropped
            | Kind::Answered => None,
        }
    }
}

/// A change of a cell by an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellChange {
    pub(super) cell: u32,
    /// The number of the event.
    pub(super) event: u32,
    pub(super) kind: CellEvent,
}

/// The changes of all cells, sorted by cell and event.
#[derive(Clone, Debug)]
pub(super) struct Histories(Vec<CellChange>);

impl Histories {
    pub(super) fn new(mut changes: Vec<CellChange>) -> Self {
        changes.sort_unstable_by_key(|change| (change.cell, change.event));
        Self(changes)
    }

    /// The changes of a cell by the events with numbers in `from..to`.
    pub(super) fn of(&self, cell: u32, from: u32, to: u32) -> &[CellChange] {
        let place = |event: u32| {
            let is_before = |change: &CellChange| (change.cell, change.event) < (cell, event);
            self.0.partition_point(is_before)
        };
        self.0.get(place(from)..place(to)).unwrap_or_default()
    }
}
