//! An index of a log: decoding can start at the first event of any block.

use super::histories::{CellChange, CellEvent, Histories};
use crate::recording::{Context, Counts, Decoder, Kind, Recording};

/// Number of events in a block.
const BLOCK_EVENTS: u32 = 32;

/// The first event of a block of [`BLOCK_EVENTS`] events, with what is needed to decode the log from there.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The offset of the first event in the log, in bytes.
    offset: u32,
    context: Context,
    tally: Tally,
}

/// Totals over all events before a given event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    pub(super) counts: Counts,
    pub(super) passes: u32,
    /// The number of the latest event that expanded a cell or reached the goal. Events before the search began are
    /// ignored.
    pub(super) last_pop: Option<u32>,
    /// The number of the latest event that reported an answer. Events before the search began are ignored.
    pub(super) last_answer: Option<u32>,
    /// The number of the latest event that started the search. A log can have several.
    pub(super) start: u32,
}

/// Whether an event of this kind makes its cell the current cell.
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

/// The blocks of a log.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// Totals over all events of the log.
    total: Tally,
}

impl Blocks {
    /// Reads a recording once. Returns its blocks, and the events that changed each cell.
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

    /// A decoder of the log that starts at an event.
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

    /// Totals over the first `count` events.
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

    /// The last block that starts at or before an event, and the number of the event at which the block starts.
    fn before(&self, event: u32) -> Option<(u32, &Block)> {
        let last = self.blocks.len().checked_sub(1)?;
        let place = last.min((event / BLOCK_EVENTS) as usize);
        Some((place as u32 * BLOCK_EVENTS, &self.blocks[place]))
    }
}
