//! The events that a search records.

use std::sync::atomic::{AtomicBool, Ordering};

use pursuit::{Cell, Edge, Relaxation, SearchRecorder};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Started,
    Relaxed(Edge, Relaxation),
    Expanded(Edge),
    Dropped(Cell),
    Reached(Edge),
}

impl Event {
    /// Whether the event is about a node that is not a neighbor of its parent.
    pub(crate) fn is_jump(&self) -> bool {
        let Self::Relaxed(way, _) = self else {
            return false;
        };
        let (to, from) = (way.node, way.parent.unwrap_or(way.node));
        to.x.abs_diff(from.x).max(to.y.abs_diff(from.y)) > 1
    }
}

/// Records all events. Raises a flag at a given expansion.
#[derive(Default)]
pub(crate) struct Log<'a> {
    pub(crate) events: Vec<Event>,
    pub(crate) expanded: u32,
    pub(crate) flag: Option<(&'a AtomicBool, u32)>,
}

impl SearchRecorder for Log<'_> {
    fn started(&mut self) {
        self.events.push(Event::Started);
    }

    fn relaxed(&mut self, way: Edge, change: Relaxation) {
        self.events.push(Event::Relaxed(way, change));
    }

    fn dropped(&mut self, cell: Cell) {
        self.events.push(Event::Dropped(cell));
    }

    fn reached(&mut self, way: Edge) {
        self.events.push(Event::Reached(way));
    }

    fn expanded(&mut self, way: Edge) {
        self.events.push(Event::Expanded(way));
        self.expanded += 1;
        if let Some((flag, at)) = self.flag
            && self.expanded == at
        {
            flag.store(true, Ordering::Relaxed);
        }
    }
}
