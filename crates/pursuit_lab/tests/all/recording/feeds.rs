//! Recordings of events that do not come from the searches of this workspace.

use fastrand::Rng;
use pursuit::{
    Cell, DiagonalPolicy, Edge, Grid, GridSpace, Heuristic, Mapped, Outcome, PathOptions, Progress,
    SearchLimits, SearchScratch, SpaceSearch, Weights,
};
use pursuit_lab::recording::{Change, Event, RecordedSearch, Recording};
use pursuit_lab::replay::Replay;

use super::naive::Naive;
use super::worlds::{check_work, tell};
use pursuit::oracle::cases;

const SIDE: u32 = 12;

fn any_number(rng: &mut Rng) -> u64 {
    match rng.u8(0..5) {
        0 => rng.u64(..),
        1 => u64::MAX,
        _ => rng.u64(0..100_000),
    }
}

fn any_cell(rng: &mut Rng) -> Cell {
    Cell::new(rng.i32(0..SIDE as i32), rng.i32(0..SIDE as i32))
}

fn any_way(rng: &mut Rng) -> Edge {
    Edge {
        node: any_cell(rng),
        parent: rng.bool().then(|| any_cell(rng)),
        g: any_number(rng),
        h: any_number(rng),
        f: any_number(rng),
    }
}

fn any_event(rng: &mut Rng) -> Event {
    let changes = [
        Change::Discovered,
        Change::Improved,
        Change::Kept,
        Change::Worsened,
        Change::Known,
        Change::Settled,
    ];
    match rng.u8(0..40) {
        0 => Event::Started,
        1 => Event::Passed(Weights {
            g: rng.u16(..),
            h: rng.u16(..),
        }),
        2..4 => Event::Dropped(any_cell(rng)),
        4..6 => Event::Reached(any_way(rng)),
        6..12 => Event::Expanded(any_way(rng)),
        12 => Event::Answered {
            cost: any_number(rng),
            lower_bound: any_number(rng),
        },
        _ => Event::Relaxed(any_way(rng), changes[rng.usize(0..changes.len())]),
    }
}

fn empty() -> Recording {
    let grid = Grid::builder(SIDE, SIDE).unwrap().build();
    let (start, goal) = (Cell::new(0, 0), Cell::new(9, 9));
    let search = RecordedSearch::new(&grid, start, goal, &PathOptions::default());
    Recording::new(search.named("any"))
}

#[test]
fn arbitrary_events_survive_saving_and_replay() {
    for seed in 0..cases(300) {
        let rng = &mut Rng::with_seed(seed);
        let events: Vec<Event> = (0..rng.usize(1..300)).map(|_| any_event(rng)).collect();
        let mut recording = empty();
        tell(&events, &mut recording);
        assert!(recording.events().eq(events.iter().copied()), "seed {seed}");
        assert!(!recording.is_cut());
        assert_eq!(recording.end(), None);
        let loaded = Recording::from_bytes(&recording.to_bytes()).unwrap();
        assert_eq!(loaded, recording);
        // A loaded recording can be continued.
        let mut longer = loaded;
        let more = any_event(rng);
        longer.add(more);
        assert_eq!(longer.events().last(), Some(more));
        let mut replay = Replay::new(recording.clone());
        for _ in 0..6 {
            let count = rng.usize(0..events.len());
            replay.seek(count as u32);
            let naive = Naive::at(
                &recording,
                &events,
                count.min(events.len().saturating_sub(1)),
            );
            for _ in 0..20 {
                let cell = any_cell(rng);
                assert_eq!(
                    replay.cell(cell),
                    naive.cell(cell),
                    "seed {seed} at {count}"
                );
                assert!(replay.way_to(cell).len() <= (SIDE * SIDE) as usize + 1);
            }
        }
    }
}

#[test]
fn events_of_cells_outside_are_left_out_and_counted() {
    let mut recording = empty();
    let inside = Edge {
        node: Cell::new(1, 1),
        parent: None,
        g: 0,
        h: 5,
        f: 5,
    };
    recording.add(Event::Started);
    recording.add(Event::Relaxed(inside, Change::Discovered));
    for node in [
        Cell::new(-1, 0),
        Cell::new(0, 12),
        Cell::new(i32::MAX, i32::MIN),
    ] {
        let way = Edge { node, ..inside };
        recording.add(Event::Relaxed(way, Change::Discovered));
        recording.add(Event::Expanded(way));
        recording.add(Event::Dropped(node));
        let parent = Some(node);
        recording.add(Event::Relaxed(Edge { parent, ..inside }, Change::Improved));
    }
    assert_eq!((recording.len(), recording.missing()), (2, 12));
    assert!(recording.is_cut());
    assert_eq!(Recording::from_bytes(&recording.to_bytes()), Ok(recording));
}

#[test]
fn a_search_of_a_space_is_recorded_with_mapped_cells() {
    let grid = Grid::from_fn(30, 20, |cell| cell.x != 15 || cell.y == 3).unwrap();
    let (start, goal) = (Cell::new(2, 18), Cell::new(28, 18));
    let policy = DiagonalPolicy::NoCornerCut;
    let space = GridSpace::new(&grid, policy, Heuristic::Octile, goal).unwrap();
    let limits = SearchLimits::default();
    let scratch = &mut SearchScratch::new();
    let node = space.node(start).unwrap();
    let search = SpaceSearch::start(&space, node, &limits, scratch);
    let mut search = search.unwrap().unwrap();
    let mut recording = empty();
    let asked = RecordedSearch::new(&grid, start, goal, &PathOptions::default());
    recording.clone_from(&Recording::new(asked.named("a space")));
    let path = loop {
        let recorder = &mut Mapped::new(|node| space.cell(node), &mut recording);
        if let Progress::Done(path) = search.step(7, recorder).unwrap() {
            break path;
        }
    };
    assert_eq!(path.outcome, Outcome::Complete);
    check_work(recording.counts(), path.stats);
    let mut replay = Replay::new(recording);
    replay.seek(u32::MAX);
    let costs = replay.cell(goal).costs;
    assert_eq!(costs.map(|costs| costs.g), Some(path.cost));
    assert_eq!(replay.way_to(goal).first(), Some(&start));
}
