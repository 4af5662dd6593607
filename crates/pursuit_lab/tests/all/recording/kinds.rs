//! Recordings of every kind of search, with full and with limited logs: they are saved and scrubbed, and their counts
//! agree with the work of the search.

use fastrand::Rng;
use pursuit::{
    BodyLayers, Cell, CellRect, DiagonalPolicy, FoundPath, IntegrationField, Outcome,
    PartialReason, SearchScratch, SearchStats,
};
use pursuit_lab::recording::{Event, RecordedSearch, Recording};
use pursuit_lab::replay::Replay;
use pursuit_lab::voxels::{Movement, VoxelOptions};

use super::naive::Naive;
use super::textbook::{self, any_question, walk};
use super::worlds::{any_ends, any_grid, any_options, any_volume, any_voxel, check_work, record};
use crate::random::any_cell;
use pursuit::oracle::cases;

fn check_counts(recording: &Recording) {
    let end = recording.end().unwrap();
    let (expanded, pushed) = (end.expanded, end.pushed);
    check_work(recording.counts(), SearchStats { expanded, pushed });
}

fn path(rng: &mut Rng, limit: usize) -> Recording {
    let (grid, options) = (any_grid(rng, 20), any_options(rng));
    let (start, goal) = any_ends(rng, &grid);
    let search = RecordedSearch::new(&grid, start, goal, &options);
    let mut recording = Recording::new(search).with_limit(limit);
    let layers = BodyLayers::from_grid(grid, options.diagonals);
    let scratch = &mut SearchScratch::new();
    let found = layers.find_path_recorded(start, goal, &options, scratch, &mut recording);
    recording.finish(&found.unwrap(), None);
    check_counts(&recording);
    recording
}

fn anytime(rng: &mut Rng, limit: usize) -> Recording {
    let (_, recording) = textbook::ara_star(&any_question(rng, 16), limit);
    check_counts(&recording);
    recording
}

/// The last search of a walk with edits of the map and moves of the walker.
fn incremental(rng: &mut Rng, limit: usize) -> Recording {
    let turns = rng.u8(1..9);
    let mut last = None;
    walk(rng, 14, turns, limit, |_, _, _, recording| {
        last = Some(recording)
    });
    let recording = last.unwrap();
    check_counts(&recording);
    recording
}

fn voxels(rng: &mut Rng, limit: usize) -> Recording {
    loop {
        let grid = any_volume(rng, 6);
        let ends = [(); 2].map(|()| any_voxel(&grid, rng));
        let mut options = VoxelOptions::default();
        if rng.bool() {
            options.movement = Movement::Walk { climb: 1 };
        }
        options.limits.max_expanded = (rng.u8(0..6) == 0).then(|| rng.u32(0..40));
        if let Ok(recording) = record(&grid, ends, &options, limit) {
            check_counts(&recording);
            return recording;
        }
    }
}

/// A field from one or two goals. The second goal is reported like the first.
fn field(rng: &mut Rng, limit: usize) -> Recording {
    let grid = any_grid(rng, 16);
    let (start, goal) = any_ends(rng, &grid);
    let goals = [goal, any_cell(&grid, rng)];
    let goals = &goals[..rng.usize(1..3)];
    let diagonals = DiagonalPolicy::ALL[rng.usize(0..4)];
    let search = RecordedSearch::field(&grid, start, goal, diagonals);
    let mut recording = Recording::new(search).with_limit(limit);
    let mut field = IntegrationField::new();
    field.start_recorded(&grid, goals, diagonals, &mut recording);
    while !field.settle_recorded(rng.u32(0..30), &mut recording) {}
    let mut unheard = IntegrationField::new();
    unheard.start(&grid, goals, diagonals);
    let replay = (!recording.is_cut()).then(|| {
        let mut replay = Replay::new(recording.clone());
        replay.seek(u32::MAX);
        replay
    });
    for cell in grid.rect().cells() {
        let cost = unheard.cost(cell).unwrap();
        assert_eq!(field.cost(cell).unwrap(), cost);
        if let Some(replay) = &replay {
            let shown = replay.cell(cell).costs.map(|costs| (costs.g, costs.h));
            assert_eq!(shown, cost.map(|cost| (cost, 0)), "{cell}");
        }
    }
    let path = field.path(start).unwrap();
    let found = FoundPath {
        outcome: match path {
            Some(_) => Outcome::Complete,
            None => Outcome::Partial(PartialReason::Unreachable),
        },
        path: path.unwrap_or_default(),
        bound: 1.0,
        stats: SearchStats {
            expanded: field.expanded(),
            pushed: field.pushed(),
        },
    };
    recording.finish(&found, None);
    check_counts(&recording);
    recording
}

/// Asserts that a replay shows the result of the events before its cursor, no matter where the cursor was before.
fn check_scrubbing(recording: &Recording, rng: &mut Rng) {
    let search = recording.search();
    let max = Cell::new(search.width as i32 + 1, search.height as i32 + 1);
    let cells = CellRect::new(Cell::new(-1, -1), max);
    let events: Vec<Event> = recording.events().collect();
    let mut replay = Replay::new(recording.clone());
    for _ in 0..8 {
        match rng.u8(0..4) {
            0 => replay.seek(rng.u32(0..=replay.len())),
            1 => drop(replay.step_expansion()),
            2 => drop(replay.step_expansion_back()),
            _ => replay.seek(u32::MAX),
        }
        let count = replay.cursor() as usize;
        let naive = Naive::at(recording, &events, count);
        assert_eq!(replay.current(), naive.current());
        for cell in cells.cells() {
            let state = replay.cell(cell);
            assert_eq!(state, naive.cell(cell), "{cell} at {count}");
            assert_eq!(state.mark, replay.mark(cell));
        }
        let mut looks = replay.looks();
        assert!(looks.all(|(cell, _)| replay.cell(cell).look.is_some()));
        let before = events[..count].iter().rev();
        let before = before.take_while(|event| **event != Event::Started);
        let told = before.filter_map(|event| match event {
            Event::Answered { cost, .. } => Some(*cost),
            _ => None,
        });
        if count < events.len() {
            let answer = replay.answer().map(|answer| answer.cost);
            assert_eq!(answer, told.into_iter().next());
        }
    }
}

#[test]
fn a_limited_log_holds_the_first_events_of_the_whole_log_and_both_replay_correctly() {
    for make in [path, anytime, incremental, voxels, field] {
        for seed in 0..cases(150) {
            let rng = &mut Rng::with_seed(seed);
            let whole = make(&mut rng.clone(), usize::MAX);
            let limit = rng.usize(0..=whole.log_bytes() + 60);
            let cut = make(&mut Rng::with_seed(seed), limit);
            assert!(cut.log_bytes() <= limit && !whole.is_cut());
            let most = limit.min(whole.log_bytes());
            assert!(
                limit < 100 || cut.log_bytes() + 51 >= most,
                "an event was dropped although there is room"
            );
            assert_eq!(cut.is_cut(), cut.len() < whole.len());
            assert_eq!((cut.counts(), cut.end()), (whole.counts(), whole.end()));
            let kept = cut.len() as usize;
            assert!(cut.events().eq(whole.events().take(kept)), "seed {seed}");
            assert_eq!(kept as u64 + cut.missing(), u64::from(whole.len()));
            for recording in [whole, cut] {
                let loaded = Recording::from_bytes(&recording.to_bytes());
                assert_eq!(loaded.as_ref(), Ok(&recording), "seed {seed}");
                check_scrubbing(&recording, rng);
            }
        }
    }
}
