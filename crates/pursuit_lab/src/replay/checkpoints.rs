//! Places in a log from which it can be read.

use super::histories::{CellChange, CellEffect, Histories};
use crate::recording::{Context, Counts, Decoder, EventKind, NONE, Recording};

/// Number of events from one place to the next.
const EVENTS_PER_CHECKPOINT: u32 = 32;

/// A place in the log, at one event.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    /// The offset of the event in the log, in bytes.
    offset: u32,
    context: Context,
    totals: EventTotals,
}

/// The totals of all events before an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct EventTotals {
    pub(super) counts: Counts,
    pub(super) passes: u32,
    /// The last event since the search began that took a cell from the open list to expand it, or because it is the
    /// goal; or [`NONE`].
    pub(super) last_pop: u32,
    /// The last event since the search began that reported an answer; or [`NONE`].
    pub(super) last_answer: u32,
    /// The last event at which the search began.
    pub(super) start: u32,
}

/// Whether an event makes its cell the current one.
pub(super) fn is_pop(kind: EventKind) -> bool {
    matches!(kind, EventKind::Expanded | EventKind::Reached)
}

impl EventTotals {
    fn add(&mut self, number: u32, kind: EventKind) {
        self.counts.add(kind);
        match kind {
            EventKind::Started => {
                self.start = number;
                (self.last_pop, self.last_answer) = (NONE, NONE);
            }
            EventKind::Answered => self.last_answer = number,
            EventKind::Passed => self.passes += 1,
            _ if is_pop(kind) => self.last_pop = number,
            _ => {}
        }
    }
}

/// The places of a log.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    checkpoints: Vec<Checkpoint>,
    /// The totals of all events.
    total: EventTotals,
}

impl Checkpoints {
    /// Reads a recording: returns its places, and the changes of its cells.
    pub(super) fn new(recording: &Recording) -> (Self, Histories) {
        let mut checkpoints =
            Vec::with_capacity(recording.len() as usize / EVENTS_PER_CHECKPOINT as usize + 1);
        let mut changes = Vec::new();
        let mut totals = EventTotals {
            last_pop: NONE,
            last_answer: NONE,
            ..EventTotals::default()
        };
        let log = recording.log();
        let mut decoder = recording.decoder();
        for number in 0..recording.len() {
            if number % EVENTS_PER_CHECKPOINT == 0 {
                checkpoints.push(Checkpoint {
                    offset: (log.len() - decoder.left()) as u32,
                    context: decoder.context(),
                    totals,
                });
            }
            let Some(raw) = decoder.next() else {
                break;
            };
            if let Some(effect) = CellEffect::of(raw.kind) {
                let (cell, event) = (raw.cell, number);
                changes.push(CellChange {
                    cell,
                    event,
                    effect,
                });
            }
            totals.add(number, raw.kind);
        }
        let total = totals;
        (Self { checkpoints, total }, Histories::new(changes))
    }

    /// A reader of the log, beginning at an event.
    pub(super) fn reader<'a>(&self, recording: &'a Recording, event: u32) -> Decoder<'a> {
        let Some((first, checkpoint)) = self.before(event) else {
            return recording.decoder();
        };
        let log = recording.log().get(checkpoint.offset as usize..);
        let mut decoder = Decoder::new(log.unwrap_or_default(), checkpoint.context);
        for _ in first..event {
            decoder.next();
        }
        decoder
    }

    /// The totals of the first `count` events.
    pub(super) fn totals(&self, recording: &Recording, count: u32) -> EventTotals {
        if count >= recording.len() {
            return self.total;
        }
        let Some((first, checkpoint)) = self.before(count) else {
            return self.total;
        };
        let mut totals = checkpoint.totals;
        let events = (first..count).zip(self.reader(recording, first));
        events.for_each(|(number, raw)| totals.add(number, raw.kind));
        totals
    }

    /// The place at or before an event, and the number of the event there.
    fn before(&self, event: u32) -> Option<(u32, &Checkpoint)> {
        let last = self.checkpoints.len().checked_sub(1)?;
        let place = last.min((event / EVENTS_PER_CHECKPOINT) as usize);
        Some((
            place as u32 * EVENTS_PER_CHECKPOINT,
            &self.checkpoints[place],
        ))
    }
}
