//! Checks recordings as bytes: bytes are refused, or load as a recording that can be replayed and continued.

use arbitrary::Arbitrary;
use pursuit::{BodyLayers, Cell, Grid, PathOptions, SearchRecorder, SearchScratch};
use pursuit_lab::recording::{RecordedSearch, Recording};
use pursuit_lab::replay::Replay;

use crate::{AnyGrid, AnyOptions, AnyQuery};

/// Bytes that [`Recording::from_bytes`] may be given.
#[derive(Arbitrary, Debug)]
pub enum AnyBytes<'b> {
    /// Any bytes.
    Any(&'b [u8]),
    /// Any bytes, between a valid beginning and a valid checksum.
    Sealed(&'b [u8]),
    /// The bytes of a recorded search, with some of them changed.
    Changed {
        /// The grid of the search.
        grid: AnyGrid,
        /// The start and goal of the search.
        query: AnyQuery,
        /// The options of the search.
        options: AnyOptions,
        /// Maximum size of the log, in bytes.
        limit: u16,
        /// Offsets, and the bytes to write there.
        changes: Vec<(u16, u8)>,
        /// Whether the checksum matches the changed bytes.
        is_sealed: bool,
    },
}

/// The cursor to seek to, and the cell to query there.
pub type AnyLook = (u16, [u8; 2]);

/// Length of the beginning that all recordings of a version share, in bytes.
const HEADER_BYTES: usize = 10;
const CHECKSUM_BYTES: usize = 8;
/// Maximum number of cells of a recording that is replayed. Larger recordings would make a run slow.
const MAX_CELLS: u64 = 1 << 16;

/// The first bytes of a recording of the current version. Bytes of another version are refused without being read.
fn header() -> Vec<u8> {
    let (grid, at) = (Grid::from_fn(1, 1, |_| true), Cell::new(0, 0));
    let grid = grid.expect("a good size");
    let search = RecordedSearch::new(&grid, at, at, &PathOptions::default());
    let mut bytes = Recording::new(search).to_bytes();
    bytes.truncate(HEADER_BYTES);
    bytes
}

/// Appends the FNV-1a checksum.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    bytes.extend(sum.to_le_bytes());
    bytes
}

impl AnyBytes<'_> {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Any(bytes) => bytes.to_vec(),
            Self::Sealed(bytes) => seal([&header(), *bytes].concat()),
            Self::Changed {
                grid,
                query,
                options,
                limit,
                changes,
                is_sealed,
            } => {
                let saved = saved(grid, query, &options.path_options(), *limit);
                let mut bytes = saved.unwrap_or_default();
                let end = bytes.len().saturating_sub(CHECKSUM_BYTES);
                for &(at, byte) in changes.iter().take(16).filter(|_| end > 0) {
                    bytes[usize::from(at) % end] = byte;
                }
                if !is_sealed {
                    return bytes;
                }
                bytes.truncate(end);
                seal(bytes)
            }
        }
    }

    /// Loads the bytes. If they are a recording, checks the whole recording.
    ///
    /// # Panics
    ///
    /// If a loaded recording cannot be replayed or continued.
    pub fn check(&self, looks: &[AnyLook]) {
        let Ok(recording) = Recording::from_bytes(&self.bytes()) else {
            return;
        };
        let again = Recording::from_bytes(&recording.to_bytes());
        assert_eq!(again.as_ref(), Ok(&recording));
        assert_eq!(recording.events().count(), recording.len() as usize);
        // A loaded recording can be continued.
        let mut longer = recording.clone();
        longer.started();
        assert!(longer.len() <= recording.len() + 1);
        let search = recording.search();
        let (width, height) = (search.width, search.height);
        if u64::from(width) * u64::from(height) > MAX_CELLS {
            return;
        }
        let mut replay = Replay::new(recording);
        for &(at, [x, y]) in looks.iter().take(16) {
            replay.seek(u32::from(at) % (replay.len() + 1));
            let cell = Cell::new(i32::from(x) - 1, i32::from(y) - 1);
            assert_eq!(replay.cell(cell).mark, replay.mark(cell));
            let max_len = u64::from(width) * u64::from(height) + 1;
            assert!(replay.way_to(cell).len() as u64 <= max_len);
            let (cursor, counts) = (replay.cursor(), replay.counts());
            let _ = replay.take_changes();
            if replay.step() {
                replay.step_back();
                assert_eq!((replay.cursor(), replay.counts()), (cursor, counts));
            }
        }
    }
}

/// The saved recording of a search, if its arguments are valid.
fn saved(grid: &AnyGrid, query: &AnyQuery, options: &PathOptions, limit: u16) -> Option<Vec<u8>> {
    let grid = grid.build();
    let (start, goal) = query.cells(&grid);
    let search = RecordedSearch::new(&grid, start, goal, options);
    let mut recording = Recording::new(search).with_limit(limit.into());
    let scratch = &mut SearchScratch::new();
    let layers = BodyLayers::from_grid(grid, options.diagonals);
    let found = layers.find_path_recorded(start, goal, options, scratch, &mut recording);
    let found = found.ok()?;
    recording.finish(&found, None);
    let bytes = recording.to_bytes();
    assert_eq!(Recording::from_bytes(&bytes), Ok(recording));
    Some(bytes)
}
