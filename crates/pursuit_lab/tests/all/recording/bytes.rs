//! Saved bytes are loaded without a change, or refused.

use std::time::Duration;

use allocation_counter::measure;
use fastrand::Rng;
use pursuit::{
    Algorithm, BodyLayers, Cell, DiagonalPolicy, Edge, FoundPath, Grid, Heuristic, Outcome,
    PartialReason, Path, PathOptions, SearchScratch, SearchStats, Weights,
};
use pursuit_lab::recording::{
    Change, Event, RecordedAlgorithm, RecordedSearch, Recording, RecordingError,
};
use pursuit_lab::replay::Replay;

use super::worlds::tell;
use crate::random::by;

/// Appends the FNV-1a checksum. This is how a forged recording gets a valid checksum.
pub(crate) fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in &bytes {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    bytes.extend(sum.to_le_bytes());
    bytes
}

fn small() -> Recording {
    let grid = Grid::from_fn(7, 5, |cell| cell.x != 3 || cell.y == 4).unwrap();
    let (start, goal) = (Cell::new(1, 1), Cell::new(6, 0));
    let options = by(Algorithm::AStar);
    let scratch = &mut SearchScratch::new();
    let mut recording = Recording::new(RecordedSearch::new(&grid, start, goal, &options));
    let layers = BodyLayers::from_grid(grid, options.diagonals);
    let found = layers.find_path_recorded(start, goal, &options, scratch, &mut recording);
    recording.finish(&found.unwrap(), Some(Duration::from_nanos(12_345)));
    recording
}

#[test]
fn the_format_of_a_version_does_not_change() {
    // The events are written by hand, so no change of a search can change them.
    let grid = Grid::builder(300, 9).unwrap().build();
    let (start, goal) = (Cell::new(3, 4), Cell::new(299, 8));
    let options = PathOptions {
        weights: Weights { g: 2, h: 3 },
        max_expanded: Some(7),
        ..PathOptions::default()
    };
    let search = RecordedSearch::new(&grid, start, goal, &options).named("by hand");
    let mut recording = Recording::new(search).with_limit(9999);
    let way = |node: (i32, i32), parent: Option<Cell>, [g, h, f]: [u64; 3]| Edge {
        node: node.into(),
        parent,
        g,
        h,
        f,
    };
    let (here, far) = (Some(start), Some(goal));
    let events = [
        Event::Started,
        Event::Relaxed(way((3, 4), None, [0, 900, 2700]), Change::Discovered),
        Event::Expanded(way((3, 4), None, [0, 900, 2700])),
        Event::Relaxed(way((4, 5), here, [2786, 700, 7672]), Change::Improved),
        Event::Relaxed(way((200, 5), here, [1, 2, 3]), Change::Kept),
        Event::Relaxed(way((2, 2), far, [5, u64::MAX, 0]), Change::Worsened),
        Event::Relaxed(way((40, 2), None, [9, 8, 42]), Change::Known),
        Event::Relaxed(
            way((41, 2), Some(Cell::new(40, 2)), [19, 7, 59]),
            Change::Known,
        ),
        Event::Relaxed(
            way((42, 2), Some(Cell::new(41, 2)), [29, 6, 76]),
            Change::Settled,
        ),
        Event::Passed(Weights { g: 1, h: 300 }),
        Event::Dropped(Cell::new(0, 8)),
        Event::Answered {
            cost: 400,
            lower_bound: 300,
        },
        Event::Reached(way((299, 8), None, [10, 0, 10])),
    ];
    tell(&events, &mut recording);
    let found = FoundPath {
        path: Path {
            turns: vec![start, Cell::new(7, 8)],
            cost: 77,
        },
        outcome: Outcome::Partial(PartialReason::LimitReached),
        bound: 1.5,
        stats: SearchStats {
            expanded: 1,
            pushed: 2,
        },
    };
    recording.finish(&found, Some(Duration::new(3, 40)));
    let bytes = recording.to_bytes();
    assert_eq!(bytes, HAND, "{bytes:?}");
    assert_eq!(Recording::from_bytes(&bytes), Ok(recording));
}

/// The saved bytes of the recording in `the_format_of_a_version_does_not_change`.
const HAND: &[u8] = &[
    80, 85, 82, 83, 85, 73, 84, 82, 5, 0, 7, 98, 121, 32, 104, 97, 110, 100, 172, 2, 9, 6, 8, 214,
    4, 16, 1, 0, 0, 0, 2, 3, 1, 7, 0, 143, 78, 0, 0, 13, 1, 2, 4, 1, 61, 20, 64, 0, 0, 136, 14,
    152, 0, 0, 136, 14, 74, 196, 43, 143, 3, 105, 226, 7, 2, 131, 14, 3, 129, 177, 9, 176, 23, 10,
    137, 14, 0, 218, 229, 8, 18, 247, 13, 198, 20, 1, 220, 20, 1, 42, 1, 172, 2, 174, 188, 27, 242,
    144, 3, 172, 2, 196, 146, 32, 37, 11, 1, 5, 6, 8, 8, 10, 10, 12, 12, 14, 14, 16, 77, 1, 2, 0,
    0, 0, 0, 0, 0, 248, 63, 1, 2, 1, 3, 40, 183, 8, 107, 102, 5, 252, 230, 184,
];

#[test]
fn variants_of_saved_enums_keep_their_numbers() {
    let (grid, at) = (Grid::from_fn(1, 1, |_| true).unwrap(), Cell::new(0, 0));
    let path = RecordedSearch::new(&grid, at, at, &PathOptions::default()).algorithm;
    let partial = Outcome::Partial;
    let saved = postcard::to_allocvec(&(
        DiagonalPolicy::ALL,
        [Heuristic::Octile, Heuristic::Zero],
        [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint],
        [
            path,
            RecordedAlgorithm::Anytime,
            RecordedAlgorithm::Incremental,
            RecordedAlgorithm::Field,
        ],
        [
            partial(PartialReason::GoalBlocked),
            partial(PartialReason::Unreachable),
        ],
        [partial(PartialReason::LimitReached), Outcome::Complete],
    ));
    let expected = [
        &[0, 1, 2, 3, 0, 1, 0, 1, 2][..],
        &[0, 0, 1, 2, 3, 1, 0, 1, 1, 1, 2, 0],
    ];
    assert_eq!(saved.unwrap(), expected.concat());
}

#[test]
fn cut_bytes_are_refused_at_every_length() {
    let bytes = small().to_bytes();
    for length in 0..bytes.len() {
        let expected = [RecordingError::Foreign, RecordingError::Checksum];
        let expected = expected[usize::from(length >= 8)];
        let cut = Recording::from_bytes(&bytes[..length]);
        assert_eq!(cut, Err(expected), "{length}");
    }
    let longer = Recording::from_bytes(&[&bytes[..], &[0]].concat());
    assert_eq!(longer, Err(RecordingError::Checksum));
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = small().to_bytes();
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let found = Recording::from_bytes(&damaged).unwrap_err();
        match bit / 8 {
            0..8 => assert_eq!(found, RecordingError::Foreign),
            8..10 => assert!(matches!(found, RecordingError::Version { known: 5, .. })),
            _ => assert_eq!(found, RecordingError::Checksum, "bit {bit}"),
        }
    }
}

#[test]
fn foreign_bytes_and_other_versions_are_refused_with_their_own_errors() {
    assert_eq!(Recording::from_bytes(b""), Err(RecordingError::Foreign));
    assert_eq!(
        Recording::from_bytes(b"{\"map\": 1}"),
        Err(RecordingError::Foreign)
    );
    let mut bytes = small().to_bytes();
    for other in [0, 1, 2, 3, 4] {
        bytes[8] = other;
        let error = Recording::from_bytes(&bytes).unwrap_err();
        let expected = format!("version {other} of recordings is not known, only 5");
        assert_eq!(error.to_string(), expected);
    }
}

/// Loads bytes with a valid checksum. Returns whether they are a recording, and asserts that a loaded recording can be
/// saved, loaded and replayed.
fn try_out(bytes: &[u8]) -> bool {
    let Ok(recording) = Recording::from_bytes(bytes) else {
        return false;
    };
    assert_eq!(
        Recording::from_bytes(&recording.to_bytes()),
        Ok(recording.clone())
    );
    assert_eq!(recording.events().count(), recording.len() as usize);
    let mut replay = Replay::new(recording);
    for part in 0..5 {
        replay.seek(replay.len() / 4 * part);
        let _ = replay.counts();
        let (start, goal) = (
            replay.recording().search().start,
            replay.recording().search().goal,
        );
        for cell in [start, goal, Cell::new(0, 0), Cell::new(i32::MAX, i32::MIN)] {
            let _ = (
                replay.cell(cell),
                replay.mark(cell),
                replay.way_to(cell).len(),
            );
        }
        let _ = replay.take_changes();
    }
    true
}

#[test]
fn forged_bytes_are_refused_or_make_a_whole_recording() {
    let bytes = small().to_bytes();
    let body = &bytes[..bytes.len() - 8];
    assert!(try_out(&with_checksum(body.to_vec())));
    let (mut loaded, mut refused) = (0, 0);
    let rng = &mut Rng::with_seed(1);
    for at in 10..body.len() {
        for _ in 0..12 {
            let mut forged = body.to_vec();
            forged[at] = rng.u8(..);
            match rng.u8(0..4) {
                0 => forged.truncate(at),
                1 => drop(forged.remove(at)),
                2 => forged.insert(at, rng.u8(..)),
                _ => {}
            }
            let is_loaded = try_out(&with_checksum(forged));
            loaded += usize::from(is_loaded);
            refused += usize::from(!is_loaded);
        }
    }
    assert!(
        loaded > 100 && refused > 1000,
        "{loaded} loaded, {refused} refused"
    );
}

#[test]
fn a_log_with_an_invalid_event_at_its_end_is_refused() {
    let (grid, at) = (Grid::from_fn(7, 5, |_| true).unwrap(), Cell::new(1, 1));
    let search = RecordedSearch::new(&grid, at, at, &PathOptions::default());
    let mut recording = Recording::new(search);
    tell(&[Event::Started], &mut recording);
    let bytes = recording.to_bytes();
    // The body ends with the length of the log, the log, and the answer, which is missing.
    let (body, log) = bytes[..bytes.len() - 8].split_at(bytes.len() - 11);
    assert_eq!(log, [1, 20, 0]);
    assert!(Recording::from_bytes(&with_checksum([body, log].concat())).is_ok());
    // The recording still claims one event, so it is refused with any second event.
    let seconds = (0..=u8::MAX).map(|tag| vec![tag]);
    // A pass is invalid if it has a direction.
    for second in seconds.chain([vec![22, 1, 1]]) {
        let log = [&[1 + second.len() as u8, 20], &second[..], &[0]].concat();
        let forged = with_checksum([body, &log].concat());
        let refused = Err(RecordingError::Damaged("log"));
        assert_eq!(Recording::from_bytes(&forged), refused, "{second:?}");
    }
}

#[test]
fn a_limit_below_the_length_of_the_log_keeps_the_log() {
    let whole = small();
    let mut limited = whole.clone().with_limit(10);
    assert_eq!(limited.log_bytes(), whole.log_bytes());
    assert_eq!(
        Recording::from_bytes(&limited.to_bytes()),
        Ok(limited.clone())
    );
    tell(&[Event::Dropped(Cell::new(0, 0))], &mut limited);
    assert_eq!((limited.len(), limited.missing()), (whole.len(), 1));
}

/// The bytes of a recording with an empty log. Its number of missing events and its count of each kind are `missing`.
fn without(missing: u64) -> Vec<u8> {
    // The search has no name, 4 by 4 cells, and no limit of expansions. The log is full at 0 bytes.
    let question = [0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1];
    let counts = [missing, 0, missing, missing, missing, missing];
    let counts = postcard::to_allocvec(&counts).unwrap();
    let body = [b"PURSUITR\x05\x00", &question[..], &counts, &[0, 0]].concat();
    with_checksum(body)
}

#[test]
fn a_loaded_recording_can_be_continued_even_with_large_counts() {
    assert!(Recording::from_bytes(&without(u64::MAX)).is_err());
    let mut recording = Recording::from_bytes(&without(1 << 40)).unwrap();
    tell(&[Event::Dropped(Cell::new(0, 0))], &mut recording);
    assert_eq!(recording.missing(), (1 << 40) + 1);
    assert_eq!(recording.counts().dropped, (1 << 40) + 1);
}

#[test]
fn loading_allocates_less_than_sixteen_times_the_bytes_whatever_sizes_they_claim() {
    let bytes = small().to_bytes();
    let body = &bytes[..bytes.len() - 8];
    let large = [0xff, 0xff, 0xff, 0x7f];
    for at in 10..body.len() {
        // One byte is replaced by a large number.
        let forged = [&body[..at], &large, &body[at + 1..]].concat();
        let forged = with_checksum(forged);
        let used = measure(|| drop(Recording::from_bytes(&forged)));
        assert!(
            used.bytes_max < 16 * forged.len() as u64,
            "{used:?} at {at}"
        );
    }
}
