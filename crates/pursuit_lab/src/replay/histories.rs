//! At which events each cell changed.

use crate::recording::{Change, Kind, NONE};

/// What changed a cell, of the [`Kind`]s that do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    Discovered,
    Improved,
    Worsened,
    Expanded,
    Reached,
}

const TURNS: [Turn; 5] = [
    Turn::Discovered,
    Turn::Improved,
    Turn::Worsened,
    Turn::Expanded,
    Turn::Reached,
];

/// Bits of an entry that tell the turn. Those above are the number of the event, below 2²⁹.
const TURN_BITS: u32 = 3;

impl Turn {
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

/// A change of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellChange(u32);

impl CellChange {
    pub(super) fn new(event: u32, turn: Turn) -> Self {
        Self(event << TURN_BITS | turn as u32)
    }

    pub(super) fn event(self) -> u32 {
        self.0 >> TURN_BITS
    }

    pub(super) fn turn(self) -> Turn {
        let turn = TURNS.get(self.0 as usize & ((1 << TURN_BITS) - 1));
        turn.copied().unwrap_or(Turn::Discovered)
    }
}

/// The changes of all cells that a search told of: in one list, cell by cell, found by counting bits.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    /// Which cells it told of.
    told: Vec<u64>,
    /// For each word of them, how many there are before it.
    before: Vec<u32>,
    /// For each cell told of, where its changes begin; and the end of the list.
    firsts: Vec<u32>,
    entries: Vec<CellChange>,
}

impl Histories {
    /// Of changes in the order of their events. `others` are cells told of that may not have changed.
    pub(super) fn new(
        cell_count: u32,
        changes: &[(u32, CellChange)],
        others: impl Iterator<Item = u32>,
    ) -> Self {
        let mut told = vec![0_u64; cell_count as usize / 64 + 1];
        let cells = changes.iter().map(|change| change.0);
        for cell in cells.chain(others).filter(|&cell| cell != NONE) {
            if let Some(word) = told.get_mut(cell as usize / 64) {
                *word |= 1 << (cell % 64);
            }
        }
        let mut count = 0;
        let before = told.iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        let mut histories = Self {
            before: before.collect(),
            told,
            firsts: vec![0; count as usize + 1],
            entries: vec![CellChange(0); changes.len()],
        };
        histories.sort(changes);
        histories
    }

    /// Sorts changes by cell and keeps their order.
    fn sort(&mut self, changes: &[(u32, CellChange)]) {
        // Where the changes of each end; then they are put in from the last one on.
        for &(cell, _) in changes {
            if let Some(rank) = self.rank(cell) {
                self.firsts[rank] += 1;
            }
        }
        let mut sum = 0;
        for first in &mut self.firsts {
            sum += *first;
            *first = sum;
        }
        for &(cell, entry) in changes.iter().rev() {
            if let Some(rank) = self.rank(cell) {
                self.firsts[rank] -= 1;
                self.entries[self.firsts[rank] as usize] = entry;
            }
        }
    }

    /// Number of cells told of.
    pub(super) fn count(&self) -> usize {
        self.firsts.len() - 1
    }

    /// The place of a cell among those told of.
    #[inline]
    pub(super) fn rank(&self, cell: u32) -> Option<usize> {
        let word = cell as usize / 64;
        let (&told, &before) = (self.told.get(word)?, self.before.get(word)?);
        let bit = 1 << (cell % 64);
        (told & bit != 0).then(|| (before + (told & (bit - 1)).count_ones()) as usize)
    }

    /// The changes of a cell by events in `from..to`.
    #[inline]
    pub(super) fn of(&self, cell: u32, from: u32, to: u32) -> &[CellChange] {
        let Some(rank) = self.rank(cell) else {
            return &[];
        };
        let (first, end) = (self.firsts[rank] as usize, self.firsts[rank + 1] as usize);
        let all = &self.entries[first..end];
        let from = all.partition_point(|entry| entry.event() < from);
        let to = all.partition_point(|entry| entry.event() < to);
        &all[from..to.max(from)]
    }
}
