//! Recordings of the events of a search. They can be saved, loaded, and [replayed](crate::replay).
//!
//! A [`Recording`] is a [`SearchRecorder`](pursuit::SearchRecorder): give it to
//! [`find_path_recorded`](pursuit::BodyLayers::find_path_recorded), to [`Search::step`](pursuit::Search::step), or to
//! any search of your own that reports to a recorder. If the search reports node numbers, wrap the recording in a
//! [`Mapped`](pursuit::Mapped). For a search among cubes, wrap it in a [`voxel_recorder`].
//!
//! ```
//! use pursuit::{Cell, Grid, PathOptions, SearchScratch};
//! use pursuit_lab::recording::Recording;
//! use pursuit_lab::replay::Replay;
//!
//! let grid = Grid::from_fn(20, 20, |cell| cell.x != 10 || cell.y == 0).expect("a good size");
//! let (start, goal) = (Cell::new(2, 15), Cell::new(17, 15));
//! let options = PathOptions::default();
//! let recording = Recording::of_path(&grid, start, goal, &options, &mut SearchScratch::new())?;
//! let bytes = recording.to_bytes();
//!
//! let loaded = Recording::from_bytes(&bytes).expect("nobody changed the bytes");
//! let mut replay = Replay::new(loaded);
//! replay.seek(replay.len() / 2);
//! assert!(replay.current().is_some());
//! # Ok::<(), pursuit::FindPathError>(())
//! ```
//!
//! # Size
//!
//! The log is a flat list of bytes, about 5 per event. An event begins with a tag that has its kind and, for a
//! neighbor, the direction. Then come the differences between its costs and the costs of the expanded node. The size of
//! the log has a [limit](Recording::with_limit). A full log keeps its events, and later events are counted as
//! [missing](Recording::missing).
//!
//! # Bytes
//!
//! [`Recording::to_bytes`] writes a mark, a version, the facts and the log in the format of
//! [`postcard`](https://postcard.jamesmunns.com), and a checksum. [`Recording::from_bytes`] trusts nothing: it verifies
//! the checksum, decodes each event, and allocates no more than a few times the size of the bytes.

mod codec;
mod error;
mod event;
mod facts;
mod file;
mod layers;
mod record;
mod size;
mod varint;
mod voxels;

pub(crate) use codec::{Context, Decoder, Kind, NO_CELL, RawEvent};
pub use error::RecordingError;
pub use event::{Change, Event};
pub use facts::{Counts, RecordedAlgorithm, RecordedEnd, RecordedSearch};
pub use layers::RecordedVoxels;
pub use record::Recording;
pub(crate) use size::GridSize;
pub use voxels::voxel_recorder;
