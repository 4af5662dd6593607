//! The recorder that keeps all events.

use std::time::Duration;

use pursuit::{
    BodyLayers, Cell, Edge, FindPathError, FoundPath, Grid, Path, PathOptions, SearchRecorder,
    SearchScratch, Weights,
};

use super::codec::{Context, Decoder, EventKind, MAX_EVENT, NONE, Raw};
use super::event::Event;
use super::facts::{Counts, RecordedEnd, RecordedSearch};
use super::layers::RecordedVoxels;
use super::size::RecordingSize;

/// A recording of a search: its events, in some 5 bytes per event.
///
/// A recording is made for one search on a grid, or on any other space with cells in columns and rows. It listens as a
/// [`SearchRecorder`], and is [finished](Self::finish) with the answer. If the search begins again after that, the
/// recording also begins again. A [`Replay`](crate::replay::Replay) shows it.
///
/// Events of cells outside of its columns and rows are left out, and [counted](Self::missing).
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    pub(super) search: RecordedSearch,
    pub(super) log: Vec<u8>,
    /// Most bytes of the log.
    pub(super) limit: usize,
    /// Whether an event did not fit. Then no more events are added, so that the log holds the first events of the
    /// search.
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
    /// Most bytes of a log without another [limit](Self::with_limit): 16 MiB, some 3 million events.
    pub const DEFAULT_LIMIT: usize = 16 << 20;

    /// The largest limit: 512 MiB.
    pub const MAX_LIMIT: usize = 512 << 20;

    /// An empty recording. A size that no grid can have counts as one cell, and cubes that do not match the size are
    /// dropped.
    #[must_use]
    pub fn new(mut search: RecordedSearch) -> Self {
        let name = &mut search.name;
        name.truncate(name.floor_char_boundary(RecordedSearch::MAX_NAME));
        if RecordingSize::new(search.width, search.height).is_none() {
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

    /// This recording with another limit: the most bytes that the log may take. When the next event might not fit, the
    /// log stays as it is, and later events are only [counted](Self::missing).
    ///
    /// A limit above [`MAX_LIMIT`](Self::MAX_LIMIT) counts as `MAX_LIMIT`, and a limit below the current length of the
    /// log counts as that length. Default: [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT).
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

    /// Records the answer of the search, and its duration if that is known.
    ///
    /// The recording keeps every cell of the path. Turns outside of the grid are left out.
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

    /// The answer; `None` before the recording is finished.
    #[must_use]
    pub fn end(&self) -> Option<&RecordedEnd> {
        self.end.as_ref()
    }

    /// The numbers of events that the search reported, whether they are in the log or not.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Number of events in the log.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.events
    }

    /// Whether there is no event in the log.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events == 0
    }

    /// Whether the log lacks events that the search reported: see [`missing`](Self::missing).
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.missing != 0
    }

    /// Number of events that the log lacks: events that came when it was full, and events of cells outside of the grid.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Size of the log, in bytes.
    #[must_use]
    pub fn log_bytes(&self) -> usize {
        self.log.len()
    }

    /// The events of the log, in order.
    pub fn events(&self) -> impl Iterator<Item = Event> + Clone + '_ {
        let mut decoder = self.decoder();
        let size = self.search.size();
        std::iter::from_fn(move || {
            let raw = decoder.next()?;
            Some(event(size, &raw, decoder.context().weights))
        })
    }

    /// Reads the log from its beginning.
    pub(crate) fn decoder(&self) -> Decoder<'_> {
        Decoder::new(&self.log, first_context(&self.search))
    }

    /// The log.
    pub(crate) fn log(&self) -> &[u8] {
        &self.log
    }

    /// Every cell of a path, without turns outside of the grid. At most as many cells as the grid has, because a caller
    /// may pass a path of any length.
    fn all_cells(&self, path: &Path) -> Vec<Cell> {
        let size = self.search.size();
        let turns = path.turns.iter().copied();
        let inside = Path {
            turns: turns.filter(|&cell| size.index(cell).is_some()).collect(),
            cost: path.cost,
        };
        inside.cells().take(size.cell_count() as usize).collect()
    }

    /// The event of an edge; `None` if a cell of the edge lies outside of the grid.
    fn raw(&self, kind: EventKind, way: Edge) -> Option<Raw> {
        let size = self.search.size();
        Some(Raw {
            kind,
            cell: size.index(way.node)?,
            parent: match way.parent {
                Some(parent) => size.index(parent)?,
                None => NONE,
            },
            g: way.g,
            h: way.h,
            f: way.f,
        })
    }

    /// Writes an event if its cells lie inside of the grid and the log has room; otherwise counts it as missing.
    #[inline]
    fn put(&mut self, raw: Option<Raw>) {
        match raw {
            Some(raw) if self.has_room() => {
                self.context.put(&raw, &mut self.log);
                self.events += 1;
            }
            _ => self.missing += 1,
        }
    }

    /// Whether the log has room for another event.
    #[inline]
    fn has_room(&mut self) -> bool {
        self.is_full |= self.log.len() + MAX_EVENT > self.limit;
        !self.is_full
    }
}

/// The state relative to which the first event is written.
pub(super) fn first_context(search: &RecordedSearch) -> Context {
    let size = search.size();
    let start = size.index(search.start).unwrap_or(0);
    Context::new(size, start, search.weights)
}

/// An event with cells as coordinates. `weights` are the weights of the current pass.
pub(crate) fn event(size: RecordingSize, raw: &Raw, weights: Weights) -> Event {
    let way = Edge {
        node: size.cell(raw.cell),
        parent: (raw.parent != NONE).then(|| size.cell(raw.parent)),
        g: raw.g,
        h: raw.h,
        f: raw.f,
    };
    match raw.kind {
        EventKind::Started => Event::Started,
        EventKind::Passed => Event::Passed(weights),
        EventKind::Relaxed(change) => Event::Relaxed(way, change),
        EventKind::Expanded => Event::Expanded(way),
        EventKind::Dropped => Event::Dropped(way.node),
        EventKind::Reached => Event::Reached(way),
        EventKind::Answered => Event::Answered {
            cost: raw.g,
            least: raw.f,
        },
    }
}

impl Recording {
    /// Adds an event to the log. [`Event::Started`] after the recording was [finished](Self::finish) begins it again.
    pub fn add(&mut self, event: Event) {
        match event {
            Event::Started => self.start(),
            Event::Passed(weights) => self.pass(weights),
            Event::Relaxed(way, change) => {
                let kind = EventKind::Relaxed(change);
                self.counts.add(kind);
                self.put(self.raw(kind, way));
            }
            Event::Expanded(way) => {
                self.counts.add(EventKind::Expanded);
                self.put(self.raw(EventKind::Expanded, way));
            }
            Event::Dropped(cell) => {
                self.counts.add(EventKind::Dropped);
                let index = self.search.size().index(cell);
                self.put(index.map(|index| Raw::bare(EventKind::Dropped, index)));
            }
            Event::Reached(way) => self.put(self.raw(EventKind::Reached, way)),
            Event::Answered { cost, least } => self.put(Some(Raw::answer(cost, least))),
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
        self.put(Some(Raw::bare(EventKind::Started, NONE)));
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

    fn relaxed(&mut self, way: Edge, change: pursuit::Relaxation) {
        self.add(Event::Relaxed(way, change.into()));
    }

    fn expanded(&mut self, way: Edge) {
        self.add(Event::Expanded(way));
    }

    fn dropped(&mut self, cell: Cell) {
        self.add(Event::Dropped(cell));
    }

    fn reached(&mut self, way: Edge) {
        self.add(Event::Reached(way));
    }
}
