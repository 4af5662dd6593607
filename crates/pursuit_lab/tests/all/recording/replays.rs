//! A replay shows the same state at a cursor, no matter where the cursor was before.

use std::collections::HashSet;
use std::time::Duration;

use fastrand::Rng;
use pursuit::{Cell, CellRect, Grid, SearchScratch};
use pursuit_lab::recording::{Event, Recording};
use pursuit_lab::replay::{CellState, Changes, Pace, Replay, StepUnit};

use super::worlds::{any_ends, any_grid, any_options};
use crate::random::by;
use pursuit::oracle::cases;

fn any_recording(rng: &mut Rng, most: u32) -> Recording {
    let grid = any_grid(rng, most);
    let ((start, goal), options) = (any_ends(rng, &grid), any_options(rng));
    Recording::of_path(&grid, start, goal, &options, &mut SearchScratch::new()).unwrap()
}

/// All cells of the grid, and the cells around it.
fn cells(recording: &Recording) -> impl Iterator<Item = Cell> + use<> {
    let (width, height) = (recording.search().width, recording.search().height);
    let max = Cell::new(width as i32 + 1, height as i32 + 1);
    CellRect::new(Cell::new(-1, -1), max).cells()
}

fn states(replay: &Replay) -> Vec<CellState> {
    let cells = cells(replay.recording());
    cells.map(|cell| replay.cell(cell)).collect()
}

#[test]
fn steps_forward_and_back_show_the_same_states_as_seeks() {
    for seed in 0..60 {
        let rng = &mut Rng::with_seed(seed);
        let recording = any_recording(rng, 14);
        let (mut stepped, mut sought) = (Replay::new(recording.clone()), Replay::new(recording));
        let mut forward = Vec::new();
        loop {
            sought.seek(stepped.cursor());
            assert_eq!(states(&stepped), states(&sought), "seed {seed}");
            assert_eq!(stepped.counts(), sought.counts());
            forward.push(states(&stepped));
            if !stepped.step() {
                break;
            }
        }
        assert!(stepped.is_at_end());
        assert_eq!(forward.len() as u32, stepped.len() + 1);
        for expected in forward.iter().rev() {
            assert_eq!(&states(&stepped), expected, "seed {seed}, back");
            stepped.step_back();
        }
        assert!(!stepped.step_back() && stepped.cursor() == 0);
    }
}

#[test]
fn steps_over_expansions_stop_at_the_same_events_forward_and_back() {
    for seed in 0..cases(300) {
        let mut replay = Replay::new(any_recording(&mut Rng::with_seed(seed), 20));
        let events: Vec<Event> = replay.recording().events().collect();
        let mut stops = vec![0];
        while replay.step_expansion() {
            stops.push(replay.cursor());
            assert!(stops.len() <= events.len() + 1, "stepping never ends");
        }
        let is_pop = |&at: &usize| matches!(events[at], Event::Expanded(_) | Event::Reached(_));
        let mut expected: Vec<u32> = (1..events.len())
            .filter(is_pop)
            .map(|at| at as u32)
            .collect();
        expected.insert(0, 0);
        if !events.is_empty() {
            expected.push(events.len() as u32);
        }
        assert_eq!(stops, expected, "seed {seed}");
        let mut back = vec![replay.cursor()];
        while replay.step_expansion_back() {
            back.push(replay.cursor());
        }
        // Backward steps also stop where a search began.
        let restarts = (1..events.len()).filter(|&at| events[at] == Event::Started);
        expected.extend(restarts.map(|at| at as u32));
        expected.sort_unstable();
        back.reverse();
        assert_eq!(back, expected, "seed {seed}");
    }
}

#[test]
fn painting_only_the_changed_cells_gives_the_whole_picture() {
    let mut few = 0;
    for seed in 0..cases(300) {
        let rng = &mut Rng::with_seed(seed);
        let mut replay = Replay::new(any_recording(rng, 24));
        let all: Vec<Cell> = cells(replay.recording()).collect();
        let mut painted = vec![CellState::default(); all.len()];
        let place = |cell: &Cell| all.iter().position(|other| other == cell).unwrap();
        for turn in 0..40 {
            for _ in 0..rng.u8(0..4) {
                match rng.u8(0..6) {
                    0 => replay.seek(rng.u32(0..=replay.len())),
                    1 => replay.seek(replay.cursor() + rng.u32(0..30)),
                    2 => drop(replay.step_back()),
                    3 => drop(replay.step_expansion()),
                    4 => drop(replay.step_expansion_back()),
                    _ => drop(replay.step()),
                }
            }
            let changed = match replay.take_changes() {
                Changes::All => all.clone(),
                Changes::Cells(cells) => cells.to_vec(),
            };
            assert_eq!(changed.iter().collect::<HashSet<_>>().len(), changed.len());
            assert!(
                turn > 0 || changed.len() == all.len(),
                "the first call must list all cells"
            );
            few += usize::from(changed.len() < all.len());
            for cell in &changed {
                painted[place(cell)] = replay.cell(*cell);
            }
            assert_eq!(painted, states(&replay), "seed {seed}, turn {turn}");
            assert_eq!(replay.take_changes(), Changes::Cells(&[]));
        }
    }
    assert!(
        few > cases(300 * 30),
        "only {few} looks listed fewer than all cells"
    );
}

fn rooms() -> Replay {
    let grid = Grid::from_fn(60, 60, |cell| cell.x % 9 != 4 || cell.y % 11 == 4).unwrap();
    let options = by(pursuit::Algorithm::AStar);
    let (start, goal) = (Cell::new(0, 30), Cell::new(59, 30));
    let scratch = &mut SearchScratch::new();
    Replay::new(Recording::of_path(&grid, start, goal, &options, scratch).unwrap())
}

#[test]
fn playing_moves_the_cursor_by_the_clock_and_stops_at_the_end() {
    let mut replay = rooms();
    let second = Duration::from_secs(1);
    assert!(!replay.advance(second), "it moved before it played");
    replay.play();
    assert!(replay.advance(second) && replay.cursor() == 200);
    replay.pause();
    assert!(!replay.advance(second) && replay.cursor() == 200);
    let slow = Pace {
        slow_motion: 0.01,
        pause: Duration::from_millis(500),
        ..Pace::default()
    };
    replay.set_pace(slow).unwrap();
    replay.play();
    assert!(replay.advance(3 * second));
    assert_eq!(
        replay.cursor(),
        203,
        "a step takes half a second plus a pause of half a second"
    );
    let expansions = Pace {
        unit: StepUnit::Expansion,
        rate: 10.0,
        ..Pace::default()
    };
    replay.set_pace(expansions).unwrap();
    replay.step_expansion();
    let before = replay.counts().expanded;
    assert!(replay.advance(second + second / 20));
    assert_eq!(replay.counts().expanded, before + 10);
    while replay.advance(second) {}
    assert!(replay.is_at_end() && !replay.is_playing());
    replay.play();
    assert!(
        replay.cursor() == 0 && replay.is_playing(),
        "it does not play again"
    );
}
