//! The recorder that logs all events.

use std::time::Duration;

use pursuit::{
    BodyLayers, Cell, Edge, FindPathError, FoundPath, Grid, Path, PathOptions, SearchRecorder,
    SearchScratch, Weights,
};

use super::codec::{Context, Decoder, Kind, MAX_EVENT_BYTES, NO_CELL, RawEvent};
use super::event::Event;
use super::facts::{Counts, RecordedEnd, RecordedSearch};
use super::layers::RecordedVoxels;
use super::size::GridSize;

/// A recording of the events of a search, in about 5 bytes per event.
///
/// A recording is made for one search on a grid, or on any other space with cells in columns and rows. It receives
/// events as a [`SearchRecorder`], and is [finished](Self::finish) with the answer. If a search begins after that, the
/// log is cleared and the recording starts over. A [`Replay`](crate::replay::Replay) plays a recording.
///
/// Events of cells outside the columns and rows are not logged, but [counted](Self::missing).
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    pub(super) search: RecordedSearch,
    pub(super) log: Vec<u8>,
    /// Maximum size of the log, in bytes.
    pub(super) limit: usize,
    /// Whether an event did not fit. Once this is set, no more events are added, so the log holds the first events of
    /// the search.
    pub(super) is_full: bool,
    /// Number of events in the log.
    pub(super) events: u32,
    /// Number of events that are not in the log.
    pub(super) missing: u64,
    pub(super) counts: Counts,
    /// The state of the encoding at the end of the log.
    pub(super) context: Context,
    pub(super) end: Option<RecordedEnd>,
}

impl Recording {
    /// The default [limit](Self::with_limit) of a log: 16 MiB, about 3 million events.
    pub const DEFAULT_LIMIT: usize = 16 << 20;

    /// The largest limit: 512 MiB.
    pub const MAX_LIMIT: usize = 512 << 20;

    /// An empty recording. If no grid can have the size of the search, the size becomes 1 × 1. A layout of cubes that
    /// does not match the size is dropped.
    #[must_use]
    pub fn new(mut search: RecordedSearch) -> Self {
        let name = &mut search.name;
        name.truncate(name.floor_char_boundary(RecordedSearch::MAX_NAME));
        if GridSize::new(search.width, search.height).is_none() {
            (search.width, search.height) = (1, 1);
        }
        let is_picture = |voxels: &RecordedVoxels| voxels.picture() == Some(search.size());
        search.voxels = search.voxels.filter(is_picture);
        Self {
            context: first_context(&search),
            search,
            log: Vec::new(),
            limit: Self::DEFAULT_LIMIT,
            is_full: false,
            events: 0,
            missing: 0,
            counts: Counts::default(),
            end: None,
        }
    }

    /// Sets the maximum size of the log, in bytes. Once the next event might not fit, the log stays as it is, and later
    /// events are only [counted](Self::missing).
    ///
    /// The limit is clamped to at least the current length of the log and at most [`MAX_LIMIT`](Self::MAX_LIMIT).
    /// Default: [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT).
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes.clamp(self.log.len(), Self::MAX_LIMIT);
        self
    }

    /// Records [`find_path`](BodyLayers::find_path) on a grid.
    ///
    /// # Errors
    ///
    /// See [`FindPathError`].
    pub fn of_path(
        grid: &Grid,
        start: Cell,
        goal: Cell,
        options: &PathOptions,
        scratch: &mut SearchScratch,
    ) -> Result<Self, FindPathError> {
        let mut recording = Self::new(RecordedSearch::new(grid, start, goal, options));
        let layers = BodyLayers::from_grid(grid.clone(), options.diagonals);
        let found = layers.find_path_recorded(start, goal, options, scratch, &mut recording)?;
        recording.finish(&found, None);
        Ok(recording)
    }

    /// Records the answer of the search and, if it was measured, the duration.
    ///
    /// The recording stores every cell of the path, not only the turns. Turns outside the grid are left out.
    pub fn finish(&mut self, found: &FoundPath, took: Option<Duration>) {
        self.end = Some(RecordedEnd {
            path: self.all_cells(&found.path),
            cost: found.path.cost,
            outcome: found.outcome,
            bound: if found.bound.is_nan() {
                f64::INFINITY
            } else {
                found.bound
            },
            expanded: found.stats.expanded,
            pushed: found.stats.pushed,
            took,
        });
    }

    /// The question of the search.
    #[must_use]
    pub fn search(&self) -> &RecordedSearch {
        &self.search
    }

    /// The answer of the search. `None` before the recording is finished.
    #[must_use]
    pub fn end(&self) -> Option<&RecordedEnd> {
        self.end.as_ref()
    }

    /// How many events of each kind the search reported, whether they are in the log or not.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Number of events in the log.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.events
    }

    /// Whether the log has no events.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events == 0
    }

    /// Whether the log lacks events that the search reported: see [`missing`](Self::missing).
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.missing != 0
    }

    /// Number of events that are not in the log: events reported after the log was full, and events of cells outside
    /// the grid.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Size of the log, in bytes.
    #[must_use]
    pub fn log_bytes(&self) -> usize {
        self.log.len()
    }

    /// Iterates over the events of the log, in order.
    pub fn events(&self) -> impl Iterator<Item = Event> + Clone + '_ {
        let mut decoder = self.decoder();
        let size = self.search.size();
        std::iter::from_fn(move || {
            let raw = decoder.next()?;
            Some(event(size, &raw, decoder.context().weights))
        })
    }

    /// A decoder at the beginning of the log.
    pub(crate) fn decoder(&self) -> Decoder<'_> {
        Decoder::new(&self.log, first_context(&self.search))
    }

    /// The encoded events.
    pub(crate) fn log(&self) -> &[u8] {
        &self.log
    }

    /// Every cell of a path, without turns outside the grid. The result is never longer than the number of cells of
    /// the grid, because a caller may pass a path of any length.
    fn all_cells(&self, path: &Path) -> Vec<Cell> {
        let size = self.search.size();
        let turns = path.turns.iter().copied();
        let inside = Path {
            turns: turns.filter(|&cell| size.index(cell).is_some()).collect(),
            cost: path.cost,
        };
        inside.cells().take(size.cell_count() as usize).collect()
    }

    /// The event of an edge, with cells as indices. `None` if a cell of the edge lies outside the grid.
    fn raw(&self, kind: Kind, edge: Edge) -> Option<RawEvent> {
        let size = self.search.size();
        Some(RawEvent {
            kind,
            cell: size.index(edge.node)?,
            parent: match edge.parent {
                Some(parent) => size.index(parent)?,
                None => NO_CELL,
            },
            g: edge.g,
            h: edge.h,
            f: edge.f,
        })
    }

    /// Writes an event to the log. Counts the event as missing if a cell lies outside the grid (`raw` is `None`) or the
    /// log is full.
    #[inline]
    fn put(&mut self, raw: Option<RawEvent>) {
        match raw {
            Some(raw) if self.has_room() => {
                self.context.put(&raw, &mut self.log);
                self.events += 1;
            }
            _ => self.missing += 1,
        }
    }

    /// Whether the log has room for an event of maximum size. Sets `is_full` otherwise.
    #[inline]
    fn has_room(&mut self) -> bool {
        self.is_full |= self.log.len() + MAX_EVENT_BYTES > self.limit;
        !self.is_full
    }
}

/// The state of the encoding before the first event.
pub(super) fn first_context(search: &RecordedSearch) -> Context {
    let size = search.size();
    let start = size.index(search.start).unwrap_or(0);
    Context::new(size, start, search.weights)
}

/// Converts an event with cells as indices to an event with cells as coordinates. `weights` are the weights of the
/// current pass.
fn event(size: GridSize, raw: &RawEvent, weights: Weights) -> Event {
    let edge = Edge {
        node: size.cell(raw.cell),
        parent: (raw.parent != NO_CELL).then(|| size.cell(raw.parent)),
        g: raw.g,
        h: raw.h,
        f: raw.f,
    };
    match raw.kind {
        Kind::Started => Event::Started,
        Kind::Passed => Event::Passed(weights),
        Kind::Relaxed(change) => Event::Relaxed(edge, change),
        Kind::Expanded => Event::Expanded(edge),
        Kind::Dropped => Event::Dropped(edge.node),
        Kind::Reached => Event::Reached(edge),
        Kind::Answered => Event::Answered {
            cost: raw.g,
            lower_bound: raw.f,
        },
    }
}

impl Recording {
    /// Adds an event to the log. If the recording is [finished](Self::finish), [`Event::Started`] clears the log and
    /// starts the recording over.
    pub fn add(&mut self, event: Event) {
        match event {
            Event::Started => self.start(),
            Event::Passed(weights) => self.pass(weights),
            Event::Relaxed(edge, change) => {
                let kind = Kind::Relaxed(change);
                self.counts.add(kind);
                self.put(self.raw(kind, edge));
            }
            Event::Expanded(edge) => {
                self.counts.add(Kind::Expanded);
                self.put(self.raw(Kind::Expanded, edge));
            }
            Event::Dropped(cell) => {
                self.counts.add(Kind::Dropped);
                let index = self.search.size().index(cell);
                self.put(index.map(|index| RawEvent::bare(Kind::Dropped, index)));
            }
            Event::Reached(edge) => self.put(self.raw(Kind::Reached, edge)),
            Event::Answered { cost, lower_bound } => {
                self.put(Some(RawEvent::answer(cost, lower_bound)))
            }
        }
    }

    fn start(&mut self) {
        if self.end.take().is_some() {
            self.log.clear();
            self.is_full = false;
            (self.events, self.missing) = (0, 0);
            self.counts = Counts::default();
            self.context = first_context(&self.search);
        }
        self.put(Some(RawEvent::bare(Kind::Started, NO_CELL)));
    }

    fn pass(&mut self, weights: Weights) {
        if self.has_room() {
            self.context.put_pass(weights, &mut self.log);
            self.events += 1;
        } else {
            self.missing += 1;
        }
    }
}

impl SearchRecorder for Recording {
    fn started(&mut self) {
        self.add(Event::Started);
    }

    fn relaxed(&mut self, edge: Edge, change: pursuit::Relaxation) {
        self.add(Event::Relaxed(edge, change.into()));
    }

    fn expanded(&mut self, edge: Edge) {
        self.add(Event::Expanded(edge));
    }

    fn dropped(&mut self, cell: Cell) {
        self.add(Event::Dropped(cell));
    }

    fn reached(&mut self, edge: Edge) {
        self.add(Event::Reached(edge));
    }
}
