//! A cursor between the events of a recording.

use std::sync::Arc;
use std::time::Duration;

use pursuit::Cell;

use super::cells::{Answer, CellState, Costs, Mark};
use super::changes::{Changes, LastLook};
use super::checkpoints::{Checkpoints, is_pop};
use super::histories::{CellChange, CellEffect, Histories};
use super::pace::{Pace, PaceError, StepClock, StepUnit};
use crate::recording::{
    Change, Counts, Event, EventKind, NONE, Raw, RecordedEnd, Recording, RecordingSize, event,
};

/// A [`Recording`] with a cursor that is moved, stepped or played. The cursor stands before the first event, between
/// two events or after the last event. A replay shows the result of the events before its cursor.
#[derive(Clone, Debug)]
pub struct Replay {
    recording: Arc<Recording>,
    size: RecordingSize,
    checkpoints: Checkpoints,
    histories: Histories,
    /// Cells of the path with their places on the path, sorted by cell.
    path: Vec<(u32, u32)>,
    clock: StepClock,
    /// Number of events before the cursor.
    cursor: u32,
    scene: Scene,
    last_look: LastLook,
}

/// The state of the search at the cursor.
#[derive(Clone, Debug)]
struct Scene {
    /// The event at which the search in progress began.
    start: u32,
    /// The cell that was expanded last, or [`NONE`].
    current: u32,
    /// The cells looked at from the current cell with the results, sorted by cell.
    looks: Vec<(u32, Change)>,
}

impl Replay {
    /// A replay that stands at the beginning and does not play. Takes a [`Recording`], or a shared one in an [`Arc`].
    #[must_use]
    pub fn new(recording: impl Into<Arc<Recording>>) -> Self {
        let recording = recording.into();
        let (checkpoints, histories) = Checkpoints::new(&recording);
        let size = recording.search().size();
        let path = recording.end().map_or(&[][..], |end| &end.path);
        let path = path.iter().zip(0..);
        let path = path.filter_map(|(&cell, place)| Some((size.index(cell)?, place)));
        let mut path: Vec<(u32, u32)> = path.collect();
        path.sort_unstable();
        path.dedup_by_key(|of| of.0);
        Self {
            size,
            checkpoints,
            path,
            clock: StepClock::default(),
            cursor: 0,
            scene: Scene {
                start: 0,
                current: NONE,
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

    /// Whether there are no events, for example because the search knew the answer at once.
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

    /// Moves the cursor behind the first `events` events, or to the end if there are fewer.
    pub fn seek(&mut self, events: u32) {
        self.moves(events);
    }

    /// Moves the cursor behind the first `events` events; returns whether it moved.
    fn moves(&mut self, events: u32) -> bool {
        let events = events.min(self.len());
        let moves = events != self.cursor;
        if moves {
            self.cursor = events;
            self.set_scene();
        }
        moves
    }

    /// Moves the cursor over the next event. `false` at the end.
    pub fn step(&mut self) -> bool {
        self.moves(self.cursor.saturating_add(1))
    }

    /// Moves the cursor back over an event. `false` at the beginning.
    pub fn step_back(&mut self) -> bool {
        self.moves(self.cursor.saturating_sub(1))
    }

    /// Moves the cursor to the end of the next expansion: before the next cell is taken from the open list. `false` at
    /// the end.
    pub fn step_expansion(&mut self) -> bool {
        self.moves(self.after_expansions(1))
    }

    /// Moves the cursor back to the end of the previous expansion. `false` at the beginning.
    pub fn step_expansion_back(&mut self) -> bool {
        let Some(before) = self.cursor.checked_sub(1) else {
            return false;
        };
        let totals = self.checkpoints.totals(&self.recording, self.cursor);
        let pop = Some(totals.last_pop).filter(|&pop| pop != NONE);
        self.moves(pop.unwrap_or(0).max(totals.start.min(before)))
    }

    /// The numbers of events before the cursor.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.checkpoints.totals(&self.recording, self.cursor).counts
    }

    /// The pass of the search at the cursor, counted from 0. Only searches that run in several passes have more than
    /// one.
    #[must_use]
    pub fn pass(&self) -> u32 {
        self.checkpoints.totals(&self.recording, self.cursor).passes
    }

    /// The last answer that the search found before the cursor or, at the end, the [answer](Recording::end) of the
    /// recording. `None` before the first answer. Only an anytime search has answers before the end.
    #[must_use]
    pub fn answer(&self) -> Option<Answer> {
        let end = self.recording.end().filter(|_| self.is_at_end());
        if let Some(&RecordedEnd { cost, bound, .. }) = end {
            return Some(Answer { cost, bound });
        }
        let last = self
            .checkpoints
            .totals(&self.recording, self.cursor)
            .last_answer;
        match self.event(last)? {
            Event::Answered { cost, least } => Some(Answer {
                cost,
                bound: (cost as f64 / least as f64).max(1.0),
            }),
            _ => None,
        }
    }

    /// The cell whose neighbors the search looks at; `None` before the first expansion.
    #[must_use]
    pub fn current(&self) -> Option<Cell> {
        (self.scene.current != NONE).then(|| self.size.cell(self.scene.current))
    }

    /// The cells that were looked at from the current cell, with the results.
    pub fn looks(&self) -> impl ExactSizeIterator<Item = (Cell, Change)> + '_ {
        let looks = self.scene.looks.iter();
        looks.map(|&(cell, change)| (self.size.cell(cell), change))
    }

    /// The mark of a cell. Cells outside of the grid are undiscovered.
    #[must_use]
    pub fn mark(&self, cell: Cell) -> Mark {
        let Some(index) = self.size.index(cell) else {
            return Mark::Undiscovered;
        };
        self.mark_of(index, self.changes_of(index).last().copied())
    }

    /// The state of a cell. Cells outside of the grid are undiscovered.
    #[must_use]
    pub fn cell(&self, cell: Cell) -> CellState {
        let Some(index) = self.size.index(cell) else {
            return CellState::default();
        };
        let changes = self.changes_of(index);
        let best = changes.last().and_then(|&entry| self.raw(entry.event));
        CellState {
            mark: self.mark_of(index, changes.last().copied()),
            costs: best.map(|Raw { g, h, f, .. }| Costs { g, h, f }),
            parent: self.parent(changes).map(|parent| self.size.cell(parent)),
            look: self.look(index),
        }
    }

    /// The cells from the start to a cell, both included, along the parents known at the cursor. Only the cell itself
    /// if it has no parent; empty if it is not discovered.
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

    /// The place of a cell on the path, counted from 0, wherever the cursor is; `None` if the cell is not on the path.
    /// Divide it by the [length](crate::recording::RecordedEnd::path) of the path to choose a color.
    #[must_use]
    pub fn path_place(&self, cell: Cell) -> Option<u32> {
        self.place_of(self.size.index(cell)?)
    }

    /// Plays from the cursor, or from the beginning if the cursor is at the end.
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

    /// Whether the replay plays. It stops by itself at the end.
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
    /// [`PaceError`]; the pace stays as it was.
    pub fn set_pace(&mut self, pace: Pace) -> Result<(), PaceError> {
        self.clock.set_pace(pace)
    }

    /// Lets `time` pass: if the replay plays, the cursor moves by the steps that are due. Returns whether it moved.
    pub fn advance(&mut self, time: Duration) -> bool {
        let steps = self.clock.steps(time);
        let moves = self.moves(match self.clock.pace().unit {
            StepUnit::Event => self.cursor.saturating_add(steps),
            StepUnit::Expansion => self.after_expansions(steps),
        });
        if self.is_at_end() {
            self.pause();
        }
        moves
    }

    /// The cells that look different since the previous call. The first call returns all cells.
    ///
    /// Takes a few nanoseconds per event between the two places. If there are more than 2¹⁸ events, or if the search
    /// began again in between, the result is all cells.
    pub fn take_changes(&mut self) -> Changes<'_> {
        let scene = &self.scene;
        let Some((from, to)) = self.last_look.turn_to(self.cursor, scene.start) else {
            self.last_look.show(scene.cells());
            return Changes::All;
        };
        if from == to {
            return Changes::Cells(&[]);
        }
        let reader = self.checkpoints.reader(&self.recording, from);
        let between = reader.take((to - from) as usize).map(|raw| raw.cell);
        let comes_or_goes = to == self.recording.len();
        let path = self.path.iter().filter(|_| comes_or_goes);
        let others = between.chain(path.map(|of| of.0)).chain(scene.cells());
        self.last_look.list(others, self.size);
        self.last_look.show(scene.cells());
        self.last_look.changes()
    }
}

impl Scene {
    /// The current cell and the cells looked at from it.
    fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        let looks = self.looks.iter().map(|look| look.0);
        looks.chain([self.current]).filter(|&cell| cell != NONE)
    }
}

impl Replay {
    /// Computes the state of the search at the cursor.
    fn set_scene(&mut self) {
        let totals = self.checkpoints.totals(&self.recording, self.cursor);
        let scene = &mut self.scene;
        scene.start = totals.start;
        scene.current = NONE;
        scene.looks.clear();
        if totals.last_pop == NONE {
            return;
        }
        let mut events = self.checkpoints.reader(&self.recording, totals.last_pop);
        scene.current = events.next().map_or(NONE, |pop| pop.cell);
        let looked = events.take((self.cursor - totals.last_pop - 1) as usize);
        let looked = looked.filter_map(|raw| match raw.kind {
            // A cell that an earlier search knew was not looked at.
            EventKind::Relaxed(Change::Known | Change::Settled) => None,
            EventKind::Relaxed(change) => Some((raw.cell, change)),
            _ => None,
        });
        scene.looks.extend(looked);
        // The sort is stable, so among several looks at a cell the last one comes last.
        scene.looks.sort_by_key(|look| look.0);
    }

    /// The cursor after `count` more expansions.
    fn after_expansions(&self, count: u32) -> u32 {
        if count == 0 {
            return self.cursor;
        }
        let reader = self.checkpoints.reader(&self.recording, self.cursor);
        let events = (self.cursor..).zip(reader).skip(1);
        let mut pops = events.filter(|(_, raw)| is_pop(raw.kind));
        let next = pops.nth(count as usize - 1);
        next.map_or(self.len(), |(number, _)| number)
    }

    fn event(&self, number: u32) -> Option<Event> {
        if number >= self.len() {
            return None;
        }
        let mut reader = self.checkpoints.reader(&self.recording, number);
        let raw = reader.next()?;
        Some(event(self.size, &raw, reader.context().weights))
    }

    fn raw(&self, number: u32) -> Option<Raw> {
        self.checkpoints.reader(&self.recording, number).next()
    }

    /// The changes of a cell before the cursor.
    #[inline]
    fn changes_of(&self, cell: u32) -> &[CellChange] {
        self.histories.of(cell, self.scene.start, self.cursor)
    }

    /// The previous cell on the best known path to a cell with these changes.
    fn parent(&self, changes: &[CellChange]) -> Option<u32> {
        for entry in changes.iter().rev() {
            let parent = self.raw(entry.event)?.parent;
            let is_pop = matches!(entry.effect, CellEffect::Expanded | CellEffect::Reached);
            if parent != NONE || !is_pop {
                return Some(parent).filter(|&parent| parent != NONE);
            }
        }
        None
    }

    fn mark_of(&self, cell: u32, last: Option<CellChange>) -> Mark {
        if self.is_at_end() && self.place_of(cell).is_some() {
            return Mark::Path;
        }
        if cell == self.scene.current {
            return Mark::Current;
        }
        if self.look(cell).is_some() {
            return Mark::Examined;
        }
        match last.map(|change| change.effect) {
            None => Mark::Undiscovered,
            Some(CellEffect::Discovered) => Mark::Discovered,
            Some(CellEffect::Improved | CellEffect::Worsened) => Mark::Open,
            Some(CellEffect::Expanded | CellEffect::Reached) => Mark::Closed,
        }
    }

    /// The result of the last look at a cell from the current cell.
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
