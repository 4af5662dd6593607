//! Recordings as bytes, to be saved and loaded.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::codec::Decoder;
use super::error::RecordingError;
use super::facts::{Counts, RecordedEnd, RecordedSearch};
use super::record::{Recording, first_context};
use super::size::GridSize;

/// The first bytes of every recording.
const MAGIC: &[u8; 8] = b"PURSUITR";
/// The version of the format. The version grows with each change of the format, and bytes with another version are
/// refused.
///
/// | | |
/// |---|---|
/// | 1 | without tie rules, and without the state of an earlier search |
/// | 2 | without intermediate answers, cubes and trips |
/// | 3 | with a custom encoding |
/// | 4 | with tie rules, and with heuristics that no longer exist |
/// | 5 | the current version |
const VERSION: u16 = 5;
/// Size of the checksum at the end, in bytes.
const CHECKSUM_BYTES: usize = 8;
/// Maximum number of events that a log may lack. No search reports that many events. The limit is far below an
/// overflow, so the count of a loaded recording can still grow.
const MAX_MISSING: u64 = 1 << 62;

/// The data between the version and the checksum.
#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    search: Cow<'a, RecordedSearch>,
    limit: usize,
    is_full: bool,
    missing: u64,
    events: u32,
    counts: Counts,
    log: &'a [u8],
    end: Cow<'a, Option<RecordedEnd>>,
}

impl Recording {
    /// Encodes the recording as bytes, to be saved.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let saved = Saved {
            search: Cow::Borrowed(&self.search),
            limit: self.limit,
            is_full: self.is_full,
            missing: self.missing,
            events: self.events,
            counts: self.counts,
            log: &self.log,
            end: Cow::Borrowed(&self.end),
        };
        let out = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        let mut out = postcard::to_extend(&saved, out).expect("invariant: lengths are known");
        out.extend(checksum(&out).to_le_bytes());
        out
    }

    /// Loads a recording from the bytes that [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    ///
    /// [`RecordingError`] if the bytes are not a recording, have another version, or were truncated or changed. All
    /// data is checked, so every loaded recording can be replayed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordingError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(RecordingError::Foreign)?;
        let (version, body) = body.split_first_chunk().ok_or(RecordingError::Checksum)?;
        let found = u16::from_le_bytes(*version);
        if found != VERSION {
            let known = VERSION;
            return Err(RecordingError::Version { found, known });
        }
        let (body, sum) = body
            .split_last_chunk::<CHECKSUM_BYTES>()
            .ok_or(RecordingError::Checksum)?;
        let checked = &bytes[..bytes.len() - CHECKSUM_BYTES];
        if u64::from_le_bytes(*sum) != checksum(checked) {
            return Err(RecordingError::Checksum);
        }
        match postcard::take_from_bytes::<Saved<'_>>(body) {
            Ok((saved, [])) => saved.checked(),
            Ok(_) => Err(RecordingError::Damaged("end")),
            Err(_) => Err(RecordingError::Damaged("form")),
        }
    }
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo, 1991). A change of any single byte changes the hash.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Saved<'_> {
    /// Returns the recording if all its parts are valid.
    fn checked(self) -> Result<Recording, RecordingError> {
        let (search, end) = (self.search.into_owned(), self.end.into_owned());
        let size = GridSize::new(search.width, search.height);
        let is_picture = search.voxels.is_none_or(|voxels| voxels.picture() == size);
        if size.is_none() || !is_picture || search.name.len() > RecordedSearch::MAX_NAME {
            return Err(RecordingError::Damaged("question"));
        }
        let mut decoder = Decoder::new(self.log, first_context(&search));
        let (mut found, mut logged) = (0, Counts::default());
        for event in decoder.by_ref() {
            found += 1;
            logged.add(event.kind);
        }
        let fits = decoder.remaining() == 0
            && found == self.events
            && self.log.len() <= self.limit
            && self.limit <= Recording::MAX_LIMIT
            && (!self.is_full || self.missing > 0)
            && self.missing <= MAX_MISSING
            && adds_up(logged, self.counts, self.missing);
        if !fits {
            return Err(RecordingError::Damaged("log"));
        }
        let is_inside = |end: &RecordedEnd| {
            let mut cells = end.path.iter();
            cells.all(|&cell| search.size().index(cell).is_some())
        };
        if end
            .as_ref()
            .is_some_and(|end| end.bound.is_nan() || !is_inside(end))
        {
            return Err(RecordingError::Damaged("answer"));
        }
        Ok(Recording {
            search,
            log: self.log.to_vec(),
            limit: self.limit,
            is_full: self.is_full,
            events: self.events,
            missing: self.missing,
            counts: self.counts,
            context: decoder.context(),
            end,
        })
    }
}

/// Whether the counts `all` are possible for a recording whose log has the counts `logged` and lacks `missing` events.
fn adds_up(logged: Counts, all: Counts, missing: u64) -> bool {
    let pairs = [
        (logged.expanded, all.expanded),
        (logged.pushed, all.pushed),
        (logged.relaxed, all.relaxed),
        (logged.dropped, all.dropped),
    ];
    pairs
        .into_iter()
        .map(|(logged, all)| all.checked_sub(logged))
        .all(|more| more.is_some_and(|more| more <= missing))
}
