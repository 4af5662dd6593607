//! Recordings as bytes that outlive the program.

use std::time::Duration;

use pursuit::{
    Algorithm, Cell, DiagonalPolicy, Heuristic, NEIGHBORS, Outcome, PartialReason, Ties, Weights,
};

use super::codec::Decoder;
use super::error::RecordingError;
use super::facts::{Counts, RecordedAlgorithm, RecordedEnd, RecordedSearch};
use super::layers::RecordedVoxels;
use super::record::{Recording, first_context};
use super::size::Size;
use super::varint;
use crate::voxels::Movement;

/// How every recording begins.
const MARK: &[u8; 8] = b"PURSUITR";
/// Grows with each change of the form. Bytes of another version are refused.
///
/// | | |
/// |---|---|
/// | 1 | without ties, and without what a search knew before |
/// | 2 | without the answers of a search that has several, without cubes and trips |
/// | 3 | this one |
const VERSION: u16 = 3;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;
/// Most events that a log lacks: more than any search tells, and far from where counting ends, so that a recording
/// that was read can be gone on with.
const MOST_MISSING: u64 = 1 << 62;

/// A value that is saved as a byte.
trait Coded: Sized {
    fn code(self) -> u8;
    /// The value of a code.
    fn of(code: u8) -> Option<Self>;
}

/// Codes both ways. A value that has none does not compile.
macro_rules! codes {
    ($type:ty { $($code:literal: [$($value:tt)+],)+ }) => {
        impl Coded for $type {
            fn code(self) -> u8 {
                match self {
                    $($($value)+ => $code,)+
                }
            }

            fn of(code: u8) -> Option<Self> {
                match code {
                    $($code => Some($($value)+),)+
                    _ => None,
                }
            }
        }
    };
}

codes!(DiagonalPolicy {
    0: [DiagonalPolicy::Never],
    1: [DiagonalPolicy::NoCornerCut],
    2: [DiagonalPolicy::OneFree],
    3: [DiagonalPolicy::Always],
});
codes!(RecordedAlgorithm {
    0: [RecordedAlgorithm::Path(Algorithm::Auto)],
    1: [RecordedAlgorithm::Path(Algorithm::AStar)],
    2: [RecordedAlgorithm::Path(Algorithm::JumpPoint)],
    3: [RecordedAlgorithm::Anytime],
    4: [RecordedAlgorithm::Incremental],
    6: [RecordedAlgorithm::Field],
});
codes!(Heuristic {
    0: [Heuristic::Octile],
    1: [Heuristic::Manhattan],
    2: [Heuristic::Euclidean],
    3: [Heuristic::Zero],
});
codes!(Ties {
    0: [Ties::Newest],
    1: [Ties::Oldest],
    2: [Ties::LargestG],
    3: [Ties::SmallestG],
});
codes!(Outcome {
    0: [Outcome::Complete],
    1: [Outcome::Partial(PartialReason::GoalBlocked)],
    2: [Outcome::Partial(PartialReason::Unreachable)],
    3: [Outcome::Partial(PartialReason::LimitReached)],
});

impl Recording {
    /// The recording as bytes, to be saved.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let path = self.end.as_ref().map_or(0, |end| end.path.len());
        let mut out = Vec::with_capacity(self.log.len() + path + 256);
        out.extend_from_slice(MARK);
        out.extend_from_slice(&VERSION.to_le_bytes());
        put_search(&mut out, &self.search);
        varint::put(&mut out, self.limit as u64);
        out.push(self.is_full.into());
        for number in [self.missing, u64::from(self.events)] {
            varint::put(&mut out, number);
        }
        for number in numbers(self.counts) {
            varint::put(&mut out, number);
        }
        varint::put(&mut out, self.log.len() as u64);
        out.extend_from_slice(&self.log);
        out.push(self.end.is_some().into());
        if let Some(end) = &self.end {
            put_end(&mut out, end);
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }

    /// The recording that was saved as these bytes.
    ///
    /// # Errors
    ///
    /// [`RecordingError`] for bytes that are none, of another version, cut or changed. All that they say is
    /// looked at, so that a recording that was read can be replayed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordingError> {
        let body = bytes.strip_prefix(MARK).ok_or(RecordingError::Foreign)?;
        let (version, body) = body.split_first_chunk().ok_or(RecordingError::Checksum)?;
        let found = u16::from_le_bytes(*version);
        if found != VERSION {
            let known = VERSION;
            return Err(RecordingError::Version { found, known });
        }
        let (body, sum) = body
            .split_last_chunk::<CHECKSUM>()
            .ok_or(RecordingError::Checksum)?;
        let told = &bytes[..bytes.len() - CHECKSUM];
        if u64::from_le_bytes(*sum) != checksum(told) {
            return Err(RecordingError::Checksum);
        }
        Reader { rest: body }.recording()
    }
}

/// FNV-1a (Fowler, Noll and Vo, 1991), of 64 bits: a change of any one byte changes it.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn numbers(counts: Counts) -> [u64; 4] {
    let Counts {
        expanded,
        pushed,
        relaxed,
        dropped,
    } = counts;
    [expanded, pushed, relaxed, dropped]
}

fn put_cell(out: &mut Vec<u8>, cell: Cell) {
    varint::put_signed(out, cell.x.into());
    varint::put_signed(out, cell.y.into());
}

fn put_search(out: &mut Vec<u8>, search: &RecordedSearch) {
    varint::put(out, search.name.len() as u64);
    out.extend_from_slice(search.name.as_bytes());
    for number in [search.width, search.height] {
        varint::put(out, number.into());
    }
    put_cell(out, search.start);
    put_cell(out, search.goal);
    out.push(search.diagonals.code());
    out.push(search.algorithm.code());
    out.push(search.heuristic.code());
    for number in [search.weights.g, search.weights.h] {
        varint::put(out, number.into());
    }
    out.push(search.ties.code());
    let most = search.max_expanded.map_or(0, |most| u64::from(most) + 1);
    varint::put(out, most);
    put_voxels(out, search.voxels);
}

fn put_voxels(out: &mut Vec<u8>, voxels: Option<RecordedVoxels>) {
    let Some(voxels) = voxels else {
        out.push(NO_VOXELS);
        return;
    };
    match voxels.movement() {
        Movement::Fly => out.push(FLY),
        Movement::Walk { climb } => out.extend([WALK, climb]),
    }
    for side in voxels.size() {
        varint::put(out, side.into());
    }
}

/// Whether a search was among cubes, and how the body moved. After [`WALK`] comes how far it climbs.
const NO_VOXELS: u8 = 0;
const FLY: u8 = 1;
const WALK: u8 = 2;

fn put_end(out: &mut Vec<u8>, end: &RecordedEnd) {
    varint::put(out, end.cost);
    out.push(end.outcome.code());
    out.extend_from_slice(&end.bound.to_bits().to_le_bytes());
    for number in [end.expanded, end.pushed] {
        varint::put(out, number.into());
    }
    out.push(end.took.is_some().into());
    if let Some(took) = end.took {
        varint::put(out, took.as_secs());
        varint::put(out, took.subsec_nanos().into());
    }
    varint::put(out, end.path.len() as u64);
    let mut last = None;
    for &cell in &end.path {
        let step =
            last.map(|last: Cell| (cell.x.wrapping_sub(last.x), cell.y.wrapping_sub(last.y)));
        let direction = NEIGHBORS
            .iter()
            .position(|&neighbor| Some(neighbor) == step);
        out.push(direction.map_or(ELSEWHERE, |direction| direction as u8));
        if direction.is_none() {
            put_cell(out, cell);
        }
        last = Some(cell);
    }
}

/// In place of the direction of a step: the cell itself follows.
const ELSEWHERE: u8 = 8;

/// Takes one thing after the other from some bytes; `None` where it does not stand there.
struct Reader<'b> {
    rest: &'b [u8],
}

impl Reader<'_> {
    fn recording(mut self) -> Result<Recording, RecordingError> {
        let search = self.search().ok_or(RecordingError::Damaged("question"))?;
        let mut recording = self.log(search).ok_or(RecordingError::Damaged("log"))?;
        let damaged = RecordingError::Damaged("answer");
        if self.flag().ok_or(damaged)? {
            let size = recording.search.size();
            recording.end = Some(self.end(size).ok_or(damaged)?);
        }
        if self.rest.is_empty() {
            Ok(recording)
        } else {
            Err(RecordingError::Damaged("end"))
        }
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(varint::take(&mut self.rest)?).ok()
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    fn cell(&mut self) -> Option<Cell> {
        let mut number = || i32::try_from(varint::take_signed(&mut self.rest)?).ok();
        Some(Cell::new(number()?, number()?))
    }

    fn coded<T: Coded>(&mut self) -> Option<T> {
        T::of(self.byte()?)
    }

    fn search(&mut self) -> Option<RecordedSearch> {
        let length = self.number()?;
        let name = self.bytes(length)?;
        if name.len() > RecordedSearch::MAX_NAME {
            return None;
        }
        let name = std::str::from_utf8(name).ok()?.to_owned();
        let Size { width, height } = Size::new(self.number()?, self.number()?)?;
        Some(RecordedSearch {
            name,
            width,
            height,
            start: self.cell()?,
            goal: self.cell()?,
            diagonals: self.coded()?,
            algorithm: self.coded()?,
            heuristic: self.coded()?,
            weights: Weights {
                g: self.number()?,
                h: self.number()?,
            },
            ties: self.coded()?,
            max_expanded: match self.number::<u64>()? {
                0 => None,
                most => Some(u32::try_from(most - 1).ok()?),
            },
            voxels: self.voxels(Size { width, height })?,
        })
    }

    /// The cubes, whose picture has that size. The outer `None` is for what makes no sense.
    fn voxels(&mut self, picture: Size) -> Option<Option<RecordedVoxels>> {
        let movement = match self.byte()? {
            NO_VOXELS => return Some(None),
            FLY => Movement::Fly,
            WALK => Movement::Walk {
                climb: self.byte()?,
            },
            _ => return None,
        };
        let size = [self.number()?, self.number()?, self.number()?];
        let voxels = RecordedVoxels::new(size, movement)?;
        (voxels.picture() == Some(picture)).then_some(Some(voxels))
    }

    fn log(&mut self, search: RecordedSearch) -> Option<Recording> {
        let limit = self.number()?;
        let is_full = self.flag()?;
        let (missing, events) = (self.number()?, self.number()?);
        let [expanded, pushed, relaxed, dropped] = [(); 4].map(|()| self.number());
        let counts = Counts {
            expanded: expanded?,
            pushed: pushed?,
            relaxed: relaxed?,
            dropped: dropped?,
        };
        let length = self.number()?;
        let log = self.bytes(length)?;
        let mut decoder = Decoder::new(log, first_context(&search));
        let (mut found, mut told) = (0, Counts::default());
        for event in decoder.by_ref() {
            found += 1;
            told.add(event.kind);
        }
        let fits = decoder.left() == 0
            && found == events
            && log.len() <= limit
            && limit <= Recording::MAX_LIMIT
            && (!is_full || missing > 0)
            && missing <= MOST_MISSING
            && adds_up(numbers(told), numbers(counts), missing);
        fits.then(|| Recording {
            search,
            log: log.to_vec(),
            limit,
            is_full,
            events,
            missing,
            counts,
            context: decoder.context(),
            end: None,
        })
    }

    fn end(&mut self, size: Size) -> Option<RecordedEnd> {
        let cost = self.number()?;
        let outcome = self.coded()?;
        let bound = self.bytes(8)?.first_chunk().copied()?;
        let bound = f64::from_bits(u64::from_le_bytes(bound));
        if bound.is_nan() {
            return None;
        }
        let (expanded, pushed) = (self.number()?, self.number()?);
        let took = if self.flag()? {
            let (seconds, nanos) = (self.number()?, self.number()?);
            if nanos >= 1_000_000_000 {
                return None;
            }
            Some(Duration::new(seconds, nanos))
        } else {
            None
        };
        Some(RecordedEnd {
            path: self.path(size)?,
            cost,
            outcome,
            bound,
            expanded,
            pushed,
            took,
        })
    }

    fn path(&mut self, size: Size) -> Option<Vec<Cell>> {
        let count = self.number()?;
        // A cell takes a byte at least.
        if count > self.rest.len() {
            return None;
        }
        let mut path: Vec<Cell> = Vec::with_capacity(count);
        for _ in 0..count {
            let cell = match self.byte()? {
                ELSEWHERE => self.cell()?,
                direction => {
                    let &(dx, dy) = NEIGHBORS.get(usize::from(direction))?;
                    path.last()?.offset(dx, dy)
                }
            };
            size.index(cell)?;
            path.push(cell);
        }
        Some(path)
    }
}

/// Whether the counts of all that was told can be those, for a log that has so much of it.
fn adds_up(logged: [u64; 4], told: [u64; 4], missing: u64) -> bool {
    let pairs = logged.into_iter().zip(told);
    pairs
        .map(|(logged, told)| told.checked_sub(logged))
        .all(|more| more.is_some_and(|more| more <= missing))
}
