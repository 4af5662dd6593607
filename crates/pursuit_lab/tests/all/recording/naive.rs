//! A naive replay: a map of cell states to which the events are applied one by one.

use std::collections::HashMap;

use pursuit::{Cell, Edge};
use pursuit_lab::recording::{Change, Event, Recording};
use pursuit_lab::replay::{CellState, Costs, Mark};

#[derive(Default)]
pub(crate) struct Naive {
    cells: HashMap<Cell, CellState>,
    looks: HashMap<Cell, Change>,
    current: Option<Cell>,
    path: Vec<Cell>,
}

impl Naive {
    /// The state after the first `count` events of a recording.
    pub(crate) fn at(recording: &Recording, events: &[Event], count: usize) -> Self {
        let mut naive = Self::default();
        for event in &events[..count] {
            naive.apply(event);
        }
        if count == events.len() {
            naive.path = recording.end().unwrap().path.clone();
        }
        naive
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::Started => *self = Self::default(),
            // An earlier search expanded the cell, so this search has not examined it.
            Event::Relaxed(way, Change::Settled) => {
                let known = self.cells.get(&way.node).and_then(|state| state.parent);
                self.set(way, Mark::Closed, way.parent.or(known));
            }
            Event::Relaxed(way, change) => {
                if change != Change::Known {
                    self.looks.insert(way.node, change);
                }
                let mark = match change {
                    Change::Kept => return,
                    Change::Discovered | Change::Known => Mark::Discovered,
                    _ => Mark::Open,
                };
                self.set(way, mark, way.parent);
            }
            Event::Expanded(way) | Event::Reached(way) => {
                let known = self.cells.get(&way.node).and_then(|state| state.parent);
                self.set(way, Mark::Closed, way.parent.or(known));
                self.current = Some(way.node);
                self.looks.clear();
            }
            _ => {}
        }
    }

    fn set(&mut self, Edge { node, g, h, f, .. }: Edge, mark: Mark, parent: Option<Cell>) {
        let state = CellState {
            mark,
            costs: Some(Costs { g, h, f }),
            parent,
            look: None,
        };
        self.cells.insert(node, state);
    }

    pub(crate) fn current(&self) -> Option<Cell> {
        self.current
    }

    pub(crate) fn cell(&self, cell: Cell) -> CellState {
        let mut state = self.cells.get(&cell).copied().unwrap_or_default();
        // Before the first expansion, only the start has been examined, and no cell is current.
        if self.current.is_some() {
            state.look = self.looks.get(&cell).copied();
        }
        if state.look.is_some() {
            state.mark = Mark::Examined;
        }
        if self.current == Some(cell) {
            state.mark = Mark::Current;
        }
        if self.path.contains(&cell) {
            state.mark = Mark::Path;
        }
        state
    }
}
