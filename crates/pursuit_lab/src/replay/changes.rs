//! Which cells look different than at the last look.

use pursuit::Cell;

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

/// What was told at the last look, and the list of what changed since.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// `None` before the first look.
    cursor: Option<u32>,
    /// The event at which the search began that was under way.
    start: u32,
    /// The current cell and those looked at from there.
    scene: Vec<u32>,
    list: Vec<Cell>,
    /// The places of those in the list, among all cells that the search told of.
    places: Vec<usize>,
    /// Which places these are. Empty between two looks.
    is_listed: Vec<u64>,
}

impl Shown {
    /// Of a search that told of so many cells.
    pub(super) fn new(count: usize) -> Self {
        Self {
            cursor: None,
            start: 0,
            scene: Vec::new(),
            list: Vec::new(),
            places: Vec::new(),
            is_listed: vec![0; count / 64 + 1],
        }
    }

    /// Turns to a cursor. Gives it and the one before, the smaller first, or `None` if anything may differ
    /// between them.
    pub(super) fn turn_to(&mut self, cursor: u32, start: u32) -> Option<(u32, u32)> {
        let start_before = std::mem::replace(&mut self.start, start);
        let before = self.cursor.replace(cursor)?;
        let (from, to) = (before.min(cursor), before.max(cursor));
        (start == start_before && to - from <= MOST_LISTED).then_some((from, to))
    }

    /// Lists the cells shown and others, each once, if it has a place.
    pub(super) fn list(
        &mut self,
        others: impl Iterator<Item = u32>,
        place: impl Fn(u32) -> Option<(usize, Cell)>,
    ) {
        self.list.clear();
        for cell in self.scene.iter().copied().chain(others) {
            let Some((rank, cell)) = place(cell) else {
                continue;
            };
            let (word, bit) = (&mut self.is_listed[rank / 64], 1 << (rank % 64));
            if *word & bit == 0 {
                *word |= bit;
                self.list.push(cell);
                self.places.push(rank);
            }
        }
        for rank in self.places.drain(..) {
            self.is_listed[rank / 64] = 0;
        }
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
