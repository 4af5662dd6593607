//! The encoding of events as bytes.
//!
//! In most events, the search examines a neighbor of the cell that it is expanding. So a cell is written as a direction
//! from the expanded cell, and its g and h as differences from that cell's g and h. f is left out if it follows from g,
//! h and the weights.

use pursuit::{NEIGHBORS, Weights};

use super::event::Change;
use super::facts::Counts;
use super::size::GridSize;
use super::varint::{self, MAX_BYTES};

/// No cell.
pub(crate) const NO_CELL: u32 = u32::MAX;

/// The kind of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Started,
    Passed,
    Relaxed(Change),
    Expanded,
    Dropped,
    Reached,
    /// The cost of the answer is stored as the `g` of the event, and the lower bound as its `f`.
    Answered,
}

/// The kinds in the order of their codes, except [`Kind::Answered`]: see [`ANSWER_TAG`].
const KINDS: [Kind; 11] = [
    Kind::Started,
    Kind::Passed,
    Kind::Relaxed(Change::Discovered),
    Kind::Relaxed(Change::Improved),
    Kind::Relaxed(Change::Kept),
    Kind::Relaxed(Change::Worsened),
    Kind::Expanded,
    Kind::Dropped,
    Kind::Reached,
    Kind::Relaxed(Change::Known),
    Kind::Relaxed(Change::Settled),
];

impl Kind {
    /// The index of the kind in [`KINDS`]. For a kind that is not in the table, the length of the table.
    fn code(self) -> u8 {
        let place = KINDS.iter().position(|&kind| kind == self);
        place.unwrap_or(KINDS.len()) as u8
    }
}

impl Counts {
    /// Counts an event.
    pub(crate) fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Relaxed(Change::Known | Change::Settled) => {}
            Kind::Relaxed(change) => {
                self.relaxed += 1;
                let is_pushed = matches!(change, Change::Discovered | Change::Improved);
                self.pushed += u64::from(is_pushed);
            }
            Kind::Expanded => self.expanded += 1,
            Kind::Dropped => self.dropped += 1,
            Kind::Started | Kind::Passed | Kind::Reached | Kind::Answered => {}
        }
    }
}

/// An event with cells as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RawEvent {
    pub(crate) kind: Kind,
    /// The index of the cell. [`NO_CELL`] for an event without a cell.
    pub(crate) cell: u32,
    /// The index of the parent. [`NO_CELL`] for an event without a parent.
    pub(crate) parent: u32,
    pub(crate) g: u64,
    pub(crate) h: u64,
    pub(crate) f: u64,
}

impl RawEvent {
    /// An event without costs.
    pub(crate) fn bare(kind: Kind, cell: u32) -> Self {
        Self {
            kind,
            cell,
            parent: NO_CELL,
            g: 0,
            h: 0,
            f: 0,
        }
    }

    /// An answer.
    pub(crate) fn answer(cost: u64, lower_bound: u64) -> Self {
        Self {
            g: cost,
            f: lower_bound,
            ..Self::bare(Kind::Answered, NO_CELL)
        }
    }
}

/// Maximum size of an encoded event, in bytes: a tag, two cells and three costs.
pub(super) const MAX_EVENT_BYTES: usize = 1 + 5 * MAX_BYTES;

/// Number of codes that say how the cells of an event are written. A code below 8 is a direction: the cell lies in that
/// direction from the current cell, and the current cell is its parent.
const PLACE_CODES: u8 = 11;
/// Code of an event whose cell is written as an index, and whose parent is the current cell.
const BY_NUMBER: u8 = 8;
/// Code of an event whose cell and parent are both written as indices.
const WITH_PARENT: u8 = 9;
/// Code of an event whose cell is written as an index, and has no parent.
const WITHOUT_PARENT: u8 = 10;

/// The tag of an answer: the first tag that no kind in [`KINDS`] uses.
const ANSWER_TAG: u8 = KINDS.len() as u8 * PLACE_CODES * 2;

/// The state of the encoding between two events. Each event is written relative to this state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    size: GridSize,
    /// The last cell that was expanded, or reported as known or settled. Initially the start. `g` and `h` are its
    /// costs.
    current: u32,
    g: u64,
    h: u64,
    pub(crate) weights: Weights,
}

impl Context {
    pub(super) fn new(size: GridSize, start: u32, weights: Weights) -> Self {
        Self {
            size,
            current: start,
            g: 0,
            h: 0,
            weights,
        }
    }

    /// Updates the state after an event.
    fn pass(&mut self, event: &RawEvent) {
        // Known cells are reported row by row, so each cell is written as a difference from the previous cell.
        if matches!(
            event.kind,
            Kind::Expanded | Kind::Relaxed(Change::Known | Change::Settled)
        ) {
            (self.current, self.g, self.h) = (event.cell, event.g, event.h);
        }
    }

    /// The direction from the current cell to a cell, as an index into [`NEIGHBORS`]. `None` if the cell is not a
    /// neighbor.
    fn direction(&self, cell: u32) -> Option<u8> {
        let (from, to) = (self.size.cell(self.current), self.size.cell(cell));
        let step = (to.x - from.x, to.y - from.y);
        let place = NEIGHBORS.iter().position(|&neighbor| neighbor == step)?;
        Some(place as u8)
    }

    fn place(&self, event: &RawEvent) -> u8 {
        match event.parent {
            NO_CELL => WITHOUT_PARENT,
            parent if parent == self.current => self.direction(event.cell).unwrap_or(BY_NUMBER),
            _ => WITH_PARENT,
        }
    }

    /// Writes an event. Its cells must lie inside the grid.
    pub(super) fn put(&mut self, event: &RawEvent, out: &mut Vec<u8>) {
        if event.kind == Kind::Answered {
            out.push(ANSWER_TAG);
            varint::put(out, event.g);
            varint::put(out, event.f);
            return;
        }
        let place = self.place(event);
        let has_f = has_costs(event.kind) && event.f != self.weights.f(event.g, event.h);
        out.push((event.kind.code() * PLACE_CODES + place) * 2 + u8::from(has_f));
        if event.kind == Kind::Started {
            return;
        }
        let from_here = |cell: u32| i64::from(cell) - i64::from(self.current);
        if place >= BY_NUMBER {
            varint::put(out, from_here(event.cell));
        }
        if place == WITH_PARENT {
            varint::put(out, from_here(event.parent));
        }
        if has_costs(event.kind) {
            varint::put(out, event.g.wrapping_sub(self.g) as i64);
            varint::put(out, event.h.wrapping_sub(self.h) as i64);
        }
        if has_f {
            varint::put(out, event.f);
        }
        self.pass(event);
    }

    /// Writes the event that a pass with these weights begins.
    pub(super) fn put_pass(&mut self, weights: Weights, out: &mut Vec<u8>) {
        out.push((Kind::Passed.code() * PLACE_CODES + WITHOUT_PARENT) * 2);
        varint::put(out, weights.g);
        varint::put(out, weights.h);
        self.weights = weights;
    }

    /// Takes an event from the front of `bytes`. `None` if the bytes do not begin with a valid event; part
    /// of them may be taken even then.
    #[inline]
    fn take(&mut self, bytes: &mut &[u8]) -> Option<RawEvent> {
        let (&tag, rest) = bytes.split_first()?;
        *bytes = rest;
        if tag == ANSWER_TAG {
            let (cost, lower_bound) = (varint::take(bytes)?, varint::take(bytes)?);
            return Some(RawEvent::answer(cost, lower_bound));
        }
        let (has_f, place) = (tag & 1 != 0, tag / 2 % PLACE_CODES);
        let kind = *KINDS.get(usize::from(tag / 2 / PLACE_CODES))?;
        let mut event = RawEvent::bare(kind, NO_CELL);
        match kind {
            Kind::Started => return (place == WITHOUT_PARENT && !has_f).then_some(event),
            Kind::Passed => {
                let (g, h) = (varint::take(bytes)?, varint::take(bytes)?);
                self.weights = Weights { g, h };
                return (place == WITHOUT_PARENT && !has_f).then_some(event);
            }
            _ => {}
        }
        if let Some(&(dx, dy)) = NEIGHBORS.get(usize::from(place)) {
            let here = self.size.cell(self.current);
            event.cell = self.size.index(here.offset(dx, dy))?;
        } else {
            event.cell = self.take_cell(bytes)?;
        }
        event.parent = match place {
            WITHOUT_PARENT => NO_CELL,
            WITH_PARENT => self.take_cell(bytes)?,
            _ => self.current,
        };
        if has_costs(kind) {
            event.g = self.g.wrapping_add_signed(varint::take(bytes)?);
            event.h = self.h.wrapping_add_signed(varint::take(bytes)?);
            event.f = if has_f {
                varint::take(bytes)?
            } else {
                self.weights.f(event.g, event.h)
            };
        } else if has_f {
            return None;
        }
        self.pass(&event);
        Some(event)
    }

    fn take_cell(&self, bytes: &mut &[u8]) -> Option<u32> {
        let from_here = varint::take(bytes)?;
        let cell = u32::try_from(i64::from(self.current).checked_add(from_here)?).ok()?;
        (cell < self.size.cell_count()).then_some(cell)
    }
}

fn has_costs(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Started | Kind::Passed | Kind::Dropped | Kind::Answered
    )
}

/// An iterator over the events of a log. It can start at any event for which the [`Context`] is known.
#[derive(Clone, Debug)]
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
    context: Context,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(log: &'a [u8], context: Context) -> Self {
        Self { rest: log, context }
    }

    /// The state relative to which the next event is encoded.
    pub(crate) fn context(&self) -> Context {
        self.context
    }

    /// Number of bytes of the log that are not decoded yet.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }
}

impl Iterator for Decoder<'_> {
    type Item = RawEvent;

    /// Returns the next event. `None` at the end, and also at invalid bytes. In the second case the bytes of the
    /// invalid event remain.
    #[inline]
    fn next(&mut self) -> Option<RawEvent> {
        let mut rest = self.rest;
        let event = self.context.take(&mut rest)?;
        self.rest = rest;
        Some(event)
    }
}
