//! Places in a log from which it can be read.

use super::histories::{CellChange, CellEvent, Histories};
use crate::recording::{Context, Counts, Decoder, Kind, Recording};

/// Number of events from one place to the next.
const BLOCK_EVENTS: u32 = 32;

/// A place in the log, at one event.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The offset of the event in the log, in bytes.
    offset: u32,
    context: Context,
    tally: Tally,
}

/// The totals of all events before an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    pub(super) counts: Counts,
    pub(super) passes: u32,
    /// The last event since the search began that took a cell from the open list to expand it, or because it is the
    /// goal.
    pub(super) last_pop: Option<u32>,
    /// The last event since the search began that reported an answer.
    pub(super) last_answer: Option<u32>,
    /// The last event at which the search began.
    pub(super) start: u32,
}

/// Whether an event makes its cell the current one.
pub(super) fn is_pop(kind: Kind) -> bool {
    matches!(kind, Kind::Expanded | Kind::Reached)
}

impl Tally {
    fn add(&mut self, number: u32, kind: Kind) {
        self.counts.add(kind);
        match kind {
            Kind::Started => {
                self.start = number;
                (self.last_pop, self.last_answer) = (None, None);
            }
            Kind::Answered => self.last_answer = Some(number),
            Kind::Passed => self.passes += 1,
            _ if is_pop(kind) => self.last_pop = Some(number),
            _ => {}
        }
    }
}

/// The places of a log.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// The totals of all events.
    total: Tally,
}

impl Blocks {
    /// Reads a recording: returns its places, and the changes of its cells.
    pub(super) fn new(recording: &Recording) -> (Self, Histories) {
        let mut blocks = Vec::with_capacity(recording.len() as usize / BLOCK_EVENTS as usize + 1);
        let mut changes = Vec::new();
        let mut tally = Tally::default();
        let log = recording.log();
        let mut decoder = recording.decoder();
        for number in 0..recording.len() {
            if number % BLOCK_EVENTS == 0 {
                blocks.push(Block {
                    offset: (log.len() - decoder.remaining()) as u32,
                    context: decoder.context(),
                    tally,
                });
            }
            let Some(raw) = decoder.next() else {
                break;
            };
            if let Some(kind) = CellEvent::of(raw.kind) {
                let (cell, event) = (raw.cell, number);
                changes.push(CellChange { cell, event, kind });
            }
            tally.add(number, raw.kind);
        }
        let total = tally;
        (Self { blocks, total }, Histories::new(changes))
    }

    /// A reader of the log, beginning at an event.
    pub(super) fn reader<'a>(&self, recording: &'a Recording, event: u32) -> Decoder<'a> {
        let Some((first, block)) = self.before(event) else {
            return recording.decoder();
        };
        let log = recording.log().get(block.offset as usize..);
        let mut decoder = Decoder::new(log.unwrap_or_default(), block.context);
        for _ in first..event {
            decoder.next();
        }
        decoder
    }

    /// The totals of the first `count` events.
    pub(super) fn tally(&self, recording: &Recording, count: u32) -> Tally {
        if count >= recording.len() {
            return self.total;
        }
        let Some((first, block)) = self.before(count) else {
            return self.total;
        };
        let mut tally = block.tally;
        let events = (first..count).zip(self.reader(recording, first));
        events.for_each(|(number, raw)| tally.add(number, raw.kind));
        tally
    }

    /// The place at or before an event, and the number of the event there.
    fn before(&self, event: u32) -> Option<(u32, &Block)> {
        let last = self.blocks.len().checked_sub(1)?;
        let place = last.min((event / BLOCK_EVENTS) as usize);
        Some((place as u32 * BLOCK_EVENTS, &self.blocks[place]))
    }
}
