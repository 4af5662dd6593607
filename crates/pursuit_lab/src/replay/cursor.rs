//! A cursor between the events of a recording.

use std::sync::Arc;
use std::time::Duration;

use pursuit::Cell;

use super::blocks::{Blocks, is_pop};
use super::cells::{Answer, CellState, Costs, Mark};
use super::changes::{Changes, LastLook};
use super::histories::{CellChange, CellEvent, Histories};
use super::pace::{Pace, PaceError, PlayClock, StepUnit};
use crate::recording::{Change, Counts, GridSize, Kind, NO_CELL, RawEvent, RecordedEnd, Recording};

/// A [`Recording`] with a cursor that is moved, stepped or played. The cursor is before the first event, between two
/// events, or after the last event. A replay shows the result of the events before its cursor.
#[derive(Clone, Debug)]
pub struct Replay {
    recording: Arc<Recording>,
    size: GridSize,
    blocks: Blocks,
    histories: Histories,
    /// Cells of the path, each with its index on the path, sorted by cell.
    path: Vec<(u32, u32)>,
    clock: PlayClock,
    /// Number of events before the cursor.
    cursor: u32,
    scene: Scene,
    last_look: LastLook,
}

/// The state of the search at the cursor.
#[derive(Clone, Debug)]
struct Scene {
    /// The number of the event that started the search in progress.
    start: u32,
    /// The cell that was expanded last.
    current: Option<u32>,
    /// The cells examined from the current cell, each with the result, sorted by cell.
    looks: Vec<(u32, Change)>,
}

impl Replay {
    /// A paused replay with its cursor at the beginning. Takes a [`Recording`], or an [`Arc`] of a shared recording.
    #[must_use]
    pub fn new(recording: impl Into<Arc<Recording>>) -> Self {
        let recording = recording.into();
        let (blocks, histories) = Blocks::new(&recording);
        let size = recording.search().size();
        let path = recording.end().map_or(&[][..], |end| &end.path);
        let path = path.iter().zip(0..);
        let path = path.filter_map(|(&cell, place)| Some((size.index(cell)?, place)));
        let mut path: Vec<(u32, u32)> = path.collect();
        path.sort_unstable();
        path.dedup_by_key(|of| of.0);
        Self {
            size,
            blocks,
            path,
            clock: PlayClock::default(),
            cursor: 0,
            scene: Scene {
                start: 0,
                current: None,
                looks: Vec::new(),
            },
            last_look: LastLook::default(),
            histories,
            recording,
        }
    }

    /// The recording that is replayed.
    #[must_use]
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// Number of events.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.recording.len()
    }

    /// Whether the recording has no events, for example because the answer needed no search.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of events before the cursor.
    #[must_use]
    pub fn cursor(&self) -> u32 {
        self.cursor
    }

    /// Whether the cursor is after the last event.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.cursor == self.len()
    }

    /// Moves the cursor to just after the first `events` events, or to the end if the recording has fewer events.
    pub fn seek(&mut self, events: u32) {
        self.move_to(events);
    }

    /// Moves the cursor to just after the first `events` events, or to the end. Returns whether the cursor moved.
    fn move_to(&mut self, events: u32) -> bool {
        let events = events.min(self.len());
        let is_moved = events != self.cursor;
        if is_moved {
            self.cursor = events;
            self.set_scene();
        }
        is_moved
    }

    /// Moves the cursor forward by one event. Returns `false` at the end.
    pub fn step(&mut self) -> bool {
        self.move_to(self.cursor.saturating_add(1))
    }

    /// Moves the cursor back by one event. Returns `false` at the beginning.
    pub fn step_back(&mut self) -> bool {
        self.move_to(self.cursor.saturating_sub(1))
    }

    /// Moves the cursor to the end of the next expansion, just before the next cell is taken from the open list.
    /// Returns `false` at the end.
    pub fn step_expansion(&mut self) -> bool {
        self.move_to(self.after_expansions(1))
    }

    /// Moves the cursor back to the end of the previous expansion. Returns `false` at the beginning.
    pub fn step_expansion_back(&mut self) -> bool {
        let Some(before) = self.cursor.checked_sub(1) else {
            return false;
        };
        let tally = self.blocks.tally(&self.recording, self.cursor);
        let last_pop = tally.last_pop.unwrap_or(0);
        self.move_to(last_pop.max(tally.start.min(before)))
    }

    /// How many events of each kind are before the cursor.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.blocks.tally(&self.recording, self.cursor).counts
    }

    /// The pass of the search at the cursor, counted from 0. Only an anytime search has more than one pass.
    #[must_use]
    pub fn pass(&self) -> u32 {
        self.blocks.tally(&self.recording, self.cursor).passes
    }

    /// The latest answer that the search found before the cursor. At the end, the [answer](Recording::end) of the
    /// recording. `None` before the first answer. Only an anytime search has answers before the end.
    #[must_use]
    pub fn answer(&self) -> Option<Answer> {
        let end = self.recording.end().filter(|_| self.is_at_end());
        if let Some(&RecordedEnd { cost, bound, .. }) = end {
            return Some(Answer { cost, bound });
        }
        let last = self.blocks.tally(&self.recording, self.cursor).last_answer;
        let RawEvent { g, f, .. } = self.raw(last?)?;
        // The cost of an answer is in `g`, and its lower bound in `f`.
        Some(Answer {
            cost: g,
            bound: (g as f64 / f as f64).max(1.0),
        })
    }

    /// The cell whose neighbors the search is examining. `None` before the first expansion.
    #[must_use]
    pub fn current(&self) -> Option<Cell> {
        Some(self.size.cell(self.scene.current?))
    }

    /// The cells that were examined from the current cell, each with the result.
    pub fn looks(&self) -> impl ExactSizeIterator<Item = (Cell, Change)> + '_ {
        let looks = self.scene.looks.iter();
        looks.map(|&(cell, change)| (self.size.cell(cell), change))
    }

    /// The mark of a cell. A cell outside the grid is undiscovered.
    #[must_use]
    pub fn mark(&self, cell: Cell) -> Mark {
        let Some(index) = self.size.index(cell) else {
            return Mark::Undiscovered;
        };
        self.mark_of(index, self.changes_of(index).last().copied())
    }

    /// The state of a cell. A cell outside the grid is undiscovered.
    #[must_use]
    pub fn cell(&self, cell: Cell) -> CellState {
        let Some(index) = self.size.index(cell) else {
            return CellState::default();
        };
        let changes = self.changes_of(index);
        let best = changes.last().and_then(|&entry| self.raw(entry.event));
        CellState {
            mark: self.mark_of(index, changes.last().copied()),
            costs: best.map(|RawEvent { g, h, f, .. }| Costs { g, h, f }),
            parent: self.parent(changes).map(|parent| self.size.cell(parent)),
            look: self.look(index),
        }
    }

    /// The cells from the start to a cell, both included, along the parents known at the cursor. If the cell has no
    /// parent, the result is only the cell. If the cell is not discovered, the result is empty.
    #[must_use]
    pub fn way_to(&self, cell: Cell) -> Vec<Cell> {
        let mut way = Vec::new();
        let mut next = self.size.index(cell);
        while let Some(index) = next
            && way.len() <= self.size.cell_count() as usize
        {
            let changes = self.changes_of(index);
            if changes.is_empty() && way.is_empty() {
                break;
            }
            way.push(self.size.cell(index));
            next = self.parent(changes);
        }
        way.reverse();
        way
    }

    /// The index of a cell on the path, counted from 0. `None` if the cell is not on the path. The result does not
    /// depend on the cursor. To choose a color, divide the index by the [length](crate::recording::RecordedEnd::path)
    /// of the path.
    #[must_use]
    pub fn path_place(&self, cell: Cell) -> Option<u32> {
        self.place_of(self.size.index(cell)?)
    }

    /// Starts playing at the cursor, or at the beginning if the cursor is at the end.
    pub fn play(&mut self) {
        if self.is_at_end() {
            self.seek(0);
        }
        self.clock.play(true);
    }

    /// Stops playing.
    pub fn pause(&mut self) {
        self.clock.play(false);
    }

    /// Whether the replay is playing. A replay stops by itself at the end.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.clock.is_playing
    }

    /// The pace of the replay.
    #[must_use]
    pub fn pace(&self) -> Pace {
        self.clock.pace()
    }

    /// Sets the pace of the replay.
    ///
    /// # Errors
    ///
    /// [`PaceError`] if the pace is invalid. The pace then stays as it was.
    pub fn set_pace(&mut self, pace: Pace) -> Result<(), PaceError> {
        self.clock.set_pace(pace)
    }

    /// Advances the clock by `time`. If the replay is playing, the cursor moves by the steps that are due. Returns
    /// whether the cursor moved.
    pub fn advance(&mut self, time: Duration) -> bool {
        let steps = self.clock.steps(time);
        let is_moved = self.move_to(match self.clock.pace().unit {
            StepUnit::Event => self.cursor.saturating_add(steps),
            StepUnit::Expansion => self.after_expansions(steps),
        });
        if self.is_at_end() {
            self.pause();
        }
        is_moved
    }

    /// The cells whose mark or state may have changed since the previous call. The first call returns all cells.
    ///
    /// The call takes a few nanoseconds for each event between the cursor of the previous call and the present cursor.
    /// If there are more than 2¹⁸ events in between, or if the search began again, the result is all cells.
    pub fn take_changes(&mut self) -> Changes<'_> {
        let scene = &self.scene;
        let Some((from, to)) = self.last_look.move_to(self.cursor, scene.start) else {
            self.last_look.scene = scene.cells().collect();
            return Changes::All;
        };
        if from == to {
            return Changes::Cells(&[]);
        }
        let reader = self.blocks.reader(&self.recording, from);
        let between = reader.take((to - from) as usize).map(|raw| raw.cell);
        let comes_or_goes = to == self.recording.len();
        let path = self.path.iter().filter(|_| comes_or_goes);
        let others = between.chain(path.map(|of| of.0)).chain(scene.cells());
        self.last_look.list(others, scene.cells(), self.size)
    }
}

impl Scene {
    /// The current cell, and the cells examined from it.
    fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        let looks = self.looks.iter().map(|look| look.0);
        looks.chain(self.current)
    }
}

impl Replay {
    /// Computes the state of the search at the cursor.
    fn set_scene(&mut self) {
        let tally = self.blocks.tally(&self.recording, self.cursor);
        let scene = &mut self.scene;
        scene.start = tally.start;
        scene.current = None;
        scene.looks.clear();
        let Some(last_pop) = tally.last_pop else {
            return;
        };
        let mut events = self.blocks.reader(&self.recording, last_pop);
        scene.current = events.next().map(|pop| pop.cell);
        let looked = events.take((self.cursor - last_pop - 1) as usize);
        let looked = looked.filter_map(|raw| match raw.kind {
            // The state of an earlier search is reported without examining the cell again.
            Kind::Relaxed(Change::Known | Change::Settled) => None,
            Kind::Relaxed(change) => Some((raw.cell, change)),
            _ => None,
        });
        scene.looks.extend(looked);
        // The sort is stable, so the latest of several examinations of a cell stays last.
        scene.looks.sort_by_key(|look| look.0);
    }

    /// Where the cursor is after `count` more expansions.
    fn after_expansions(&self, count: u32) -> u32 {
        if count == 0 {
            return self.cursor;
        }
        let reader = self.blocks.reader(&self.recording, self.cursor);
        let events = (self.cursor..).zip(reader).skip(1);
        let mut pops = events.filter(|(_, raw)| is_pop(raw.kind));
        let next = pops.nth(count as usize - 1);
        next.map_or(self.len(), |(number, _)| number)
    }

    fn raw(&self, number: u32) -> Option<RawEvent> {
        self.blocks.reader(&self.recording, number).next()
    }

    /// The changes of a cell before the cursor, since the search began.
    #[inline]
    fn changes_of(&self, cell: u32) -> &[CellChange] {
        self.histories.of(cell, self.scene.start, self.cursor)
    }

    /// The previous cell on the best known path to a cell. `changes` are the changes of that cell.
    fn parent(&self, changes: &[CellChange]) -> Option<u32> {
        for entry in changes.iter().rev() {
            let parent = self.raw(entry.event)?.parent;
            let is_pop = matches!(entry.kind, CellEvent::Expanded | CellEvent::Reached);
            if parent != NO_CELL || !is_pop {
                return Some(parent).filter(|&parent| parent != NO_CELL);
            }
        }
        None
    }

    fn mark_of(&self, cell: u32, last: Option<CellChange>) -> Mark {
        if self.is_at_end() && self.place_of(cell).is_some() {
            return Mark::Path;
        }
        if Some(cell) == self.scene.current {
            return Mark::Current;
        }
        if self.look(cell).is_some() {
            return Mark::Examined;
        }
        match last.map(|change| change.kind) {
            None => Mark::Undiscovered,
            Some(CellEvent::Discovered) => Mark::Discovered,
            Some(CellEvent::Improved | CellEvent::Worsened) => Mark::Open,
            Some(CellEvent::Expanded | CellEvent::Reached) => Mark::Closed,
        }
    }

    /// The result of the latest examination of a cell from the current cell.
    fn look(&self, cell: u32) -> Option<Change> {
        let looks = &self.scene.looks;
        let end = looks.partition_point(|look| look.0 <= cell);
        let &(found, change) = looks.get(end.checked_sub(1)?)?;
        (found == cell).then_some(change)
    }

    fn place_of(&self, cell: u32) -> Option<u32> {
        let place = self.path.binary_search_by_key(&cell, |of| of.0).ok()?;
        Some(self.path[place].1)
    }
}
