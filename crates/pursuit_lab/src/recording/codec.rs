//! The encoding of events as bytes.
//!
//! Most events are looks at a neighbor of the cell that is being expanded. So costs are written as differences from the
//! costs of that cell, cells as directions from it, and f not at all if it follows from the weights.

use pursuit::{NEIGHBORS, Weights};

use super::event::Change;
use super::facts::Counts;
use super::size::RecordingSize;
use super::varint::{self, MAX_LEN};

/// No cell.
pub(crate) const NONE: u32 = u32::MAX;

/// The kind of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventKind {
    Started,
    Passed,
    Relaxed(Change),
    Expanded,
    Dropped,
    Reached,
    /// The cost is the `g` of the event, the least cost its `f`.
    Answered,
}

/// The kinds by their codes, except [`EventKind::Answered`]: see [`ANSWERED`].
const KINDS: [EventKind; 11] = [
    EventKind::Started,
    EventKind::Passed,
    EventKind::Relaxed(Change::Discovered),
    EventKind::Relaxed(Change::Improved),
    EventKind::Relaxed(Change::Kept),
    EventKind::Relaxed(Change::Worsened),
    EventKind::Expanded,
    EventKind::Dropped,
    EventKind::Reached,
    EventKind::Relaxed(Change::Known),
    EventKind::Relaxed(Change::Settled),
];

impl EventKind {
    /// The place of the kind in [`KINDS`], or the place after the last.
    fn code(self) -> u8 {
        let place = KINDS.iter().position(|&kind| kind == self);
        place.unwrap_or(KINDS.len()) as u8
    }
}

impl Counts {
    /// Counts an event.
    pub(crate) fn add(&mut self, kind: EventKind) {
        match kind {
            EventKind::Relaxed(Change::Known | Change::Settled) => {}
            EventKind::Relaxed(change) => {
                self.relaxed += 1;
                let is_pushed = matches!(change, Change::Discovered | Change::Improved);
                self.pushed += u64::from(is_pushed);
            }
            EventKind::Expanded => self.expanded += 1,
            EventKind::Dropped => self.dropped += 1,
            EventKind::Started | EventKind::Passed | EventKind::Reached | EventKind::Answered => {}
        }
    }
}

/// An event with cells as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Raw {
    pub(crate) kind: EventKind,
    /// [`NONE`] for an event without a cell.
    pub(crate) cell: u32,
    /// [`NONE`] for an event without a parent.
    pub(crate) parent: u32,
    pub(crate) g: u64,
    pub(crate) h: u64,
    pub(crate) f: u64,
}

impl Raw {
    /// An event without costs.
    pub(crate) fn bare(kind: EventKind, cell: u32) -> Self {
        Self {
            kind,
            cell,
            parent: NONE,
            g: 0,
            h: 0,
            f: 0,
        }
    }

    /// An answer.
    pub(crate) fn answer(cost: u64, least: u64) -> Self {
        Self {
            g: cost,
            f: least,
            ..Self::bare(EventKind::Answered, NONE)
        }
    }
}

/// Most bytes of an event: a tag, two cells and three costs.
pub(super) const MAX_EVENT: usize = 1 + 5 * MAX_LEN;

/// Number of ways in which the cells of an event are written. Below 8: the cell lies in that direction from the current
/// cell, which is its parent.
const PLACES: u8 = 11;
/// The cell is written by its number, and its parent is the current cell.
const BY_NUMBER: u8 = 8;
/// The cell and its parent are written by their numbers.
const WITH_PARENT: u8 = 9;
/// The cell is written by its number, and has no parent.
const ALONE: u8 = 10;

/// The tag of an answer: the first after the tags of all kinds that have places.
const ANSWERED: u8 = KINDS.len() as u8 * PLACES * 2;

/// The state relative to which events are written and read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    size: RecordingSize,
    /// The last cell that was expanded or known, initially the start, and its costs.
    current: u32,
    g: u64,
    h: u64,
    pub(crate) weights: Weights,
}

impl Context {
    pub(super) fn new(size: RecordingSize, start: u32, weights: Weights) -> Self {
        Self {
            size,
            current: start,
            g: 0,
            h: 0,
            weights,
        }
    }

    /// Updates the state after an event.
    fn pass(&mut self, event: &Raw) {
        // Known cells are reported along rows, so each is written by its difference from the previous one.
        if matches!(
            event.kind,
            EventKind::Expanded | EventKind::Relaxed(Change::Known | Change::Settled)
        ) {
            (self.current, self.g, self.h) = (event.cell, event.g, event.h);
        }
    }

    /// The direction from the current cell to a cell, as a place in [`NEIGHBORS`]; `None` if the cell is no neighbor.
    fn direction(&self, cell: u32) -> Option<u8> {
        let (from, to) = (self.size.cell(self.current), self.size.cell(cell));
        let step = (to.x - from.x, to.y - from.y);
        let place = NEIGHBORS.iter().position(|&neighbor| neighbor == step)?;
        Some(place as u8)
    }

    fn place(&self, event: &Raw) -> u8 {
        match event.parent {
            NONE => ALONE,
            parent if parent == self.current => self.direction(event.cell).unwrap_or(BY_NUMBER),
            _ => WITH_PARENT,
        }
    }

    /// Writes an event whose cells lie inside of the grid.
    pub(super) fn put(&mut self, event: &Raw, out: &mut Vec<u8>) {
        if event.kind == EventKind::Answered {
            out.push(ANSWERED);
            varint::put(out, event.g);
            varint::put(out, event.f);
            return;
        }
        let place = self.place(event);
        let has_f = has_costs(event.kind) && event.f != self.weights.f(event.g, event.h);
        out.push((event.kind.code() * PLACES + place) * 2 + u8::from(has_f));
        if event.kind == EventKind::Started {
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

    /// Writes that a pass with these weights begins.
    pub(super) fn put_pass(&mut self, weights: Weights, out: &mut Vec<u8>) {
        out.push((EventKind::Passed.code() * PLACES + ALONE) * 2);
        varint::put(out, weights.g);
        varint::put(out, weights.h);
        self.weights = weights;
    }

    /// Takes an event from the front of `bytes`; `None` if they do not begin with one.
    #[inline]
    fn take(&mut self, bytes: &mut &[u8]) -> Option<Raw> {
        let (&tag, rest) = bytes.split_first()?;
        *bytes = rest;
        if tag == ANSWERED {
            let (cost, least) = (varint::take(bytes)?, varint::take(bytes)?);
            return Some(Raw::answer(cost, least));
        }
        let (has_f, place) = (tag & 1 != 0, tag / 2 % PLACES);
        let kind = *KINDS.get(usize::from(tag / 2 / PLACES))?;
        let mut event = Raw::bare(kind, NONE);
        match kind {
            EventKind::Started => return (place == ALONE && !has_f).then_some(event),
            EventKind::Passed => {
                let (g, h) = (varint::take(bytes)?, varint::take(bytes)?);
                self.weights = Weights { g, h };
                return (place == ALONE && !has_f).then_some(event);
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
            ALONE => NONE,
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

fn has_costs(kind: EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Started | EventKind::Passed | EventKind::Dropped | EventKind::Answered
    )
}

/// A reader of events, from any place of a log.
#[derive(Clone, Debug)]
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
    context: Context,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(log: &'a [u8], context: Context) -> Self {
        Self { rest: log, context }
    }

    /// The state relative to which the next event is written.
    pub(crate) fn context(&self) -> Context {
        self.context
    }

    /// Number of bytes that remain.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }
}

impl Iterator for Decoder<'_> {
    type Item = Raw;

    /// The next event. `None` at the end, and also where bytes make no sense; then some bytes remain.
    #[inline]
    fn next(&mut self) -> Option<Raw> {
        self.context.take(&mut self.rest)
    }
}
