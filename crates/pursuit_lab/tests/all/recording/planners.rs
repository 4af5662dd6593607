//! Recordings of searches that go on after an answer.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use pursuit::oracle::{self, cases};
use pursuit::planners::{AnytimeWeights, IncrementalTree, Root, SpaceAnytime, SpaceTree};
use pursuit::{
    BodyLayers, Cell, Change, DiagonalPolicy, FoundPath, Grid, GridBuilder, GridSpace, Heuristic,
    Mapped, Outcome, PathOptions, Progress, SearchScratch, Weights,
};
use pursuit_lab::recording::{Counts, Event, RecordedAlgorithm, RecordedSearch, Recording};
use pursuit_lab::replay::{Answer, Mark, Replay};

use super::worlds::{any_ends, any_grid, check_work};
use crate::random::any_cell;

fn empty(grid: &Grid, (start, goal): (Cell, Cell), options: &PathOptions) -> Recording {
    Recording::new(RecordedSearch::new(grid, start, goal, options))
}

#[test]
fn searches_that_go_on_are_recorded_as_what_they_are() {
    let grid = Grid::from_fn(4, 4, |_| true).unwrap();
    let (start, goal, options) = (Cell::new(0, 0), Cell::new(3, 3), &PathOptions::default());
    let anytime = RecordedSearch::anytime(&grid, start, goal, options);
    let incremental = RecordedSearch::incremental(&grid, start, goal, options);
    let field = RecordedSearch::field(&grid, start, goal, options.diagonals);
    for (search, name, algorithm) in [
        (field, "field", RecordedAlgorithm::Field),
        (anytime, "ARA*", RecordedAlgorithm::Anytime),
        (incremental, "D* Lite", RecordedAlgorithm::Incremental),
    ] {
        let recording = Recording::new(search);
        let loaded = Recording::from_bytes(&recording.to_bytes()).unwrap();
        assert_eq!(loaded, recording);
        assert_eq!(loaded.search().name, name);
        assert_eq!(loaded.search().algorithm, algorithm);
    }
}

pub(super) fn any_question(rng: &mut Rng, most: u32) -> (BodyLayers, (Cell, Cell), PathOptions) {
    let grid = any_grid(rng, most);
    let ends = any_ends(rng, &grid);
    let others = [Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::Zero];
    let options = PathOptions {
        diagonals: DiagonalPolicy::ALL[rng.usize(0..4)],
        heuristic: *others.get(rng.usize(0..9)).unwrap_or(&Heuristic::Octile),
        ..PathOptions::default()
    };
    (
        BodyLayers::from_grid(grid, options.diagonals),
        ends,
        options,
    )
}

/// The last answer of an anytime search in steps of any budgets, recorded; with the cost and the bound of each answer, and
/// how many events were told before it.
pub(super) fn anytime(
    (layers, ends, options): &(BodyLayers, (Cell, Cell), PathOptions),
    weights: AnytimeWeights,
    mut recording: Recording,
    rng: &mut Rng,
) -> (FoundPath, Recording, Vec<(u32, Answer)>) {
    let scratch = &mut SearchScratch::new();
    let search = layers.anytime(ends.0, ends.1, weights, options, scratch);
    let mut search = search.unwrap();
    let mut answers = Vec::new();
    loop {
        let step = search.step(rng.u32(0..200), &mut recording);
        let step = step.unwrap();
        let is_last = step.is_last();
        let Some(found) = step.answer() else {
            continue;
        };
        let (cost, bound) = (found.path.cost, found.bound);
        answers.push((recording.len(), Answer { cost, bound }));
        if is_last {
            recording.finish(&found, None);
            return (found, recording, answers);
        }
    }
}

#[test]
fn a_search_for_one_path_has_its_answer_at_the_end() {
    let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 0).unwrap();
    let (start, goal, options) = (Cell::new(1, 7), Cell::new(7, 7), PathOptions::default());
    let scratch = &mut SearchScratch::new();
    let recording = Recording::of_path(&grid, start, goal, &options, scratch).unwrap();
    let cost = recording.end().unwrap().cost;
    let mut replay = Replay::new(recording);
    replay.seek(replay.len() - 1);
    assert_eq!(replay.answer(), None);
    replay.step();
    assert_eq!(replay.answer(), Some(Answer { cost, bound: 1.0 }));
}

#[test]
fn an_anytime_search_is_recorded_with_its_passes_and_answers_and_replays_to_its_last_path() {
    let (mut passes, mut several, mut unfinished) = (0, 0, 0);
    for seed in 0..cases(400) {
        let rng = &mut Rng::with_seed(seed);
        let question = any_question(rng, 40);
        let weights = AnytimeWeights::new(1.0 + 5.0 * rng.f32(), 0.1 + rng.f32());
        let (layers, ends, options) = &question;
        let recording = empty(layers.grid(), *ends, options);
        let (found, recording, answers) = anytime(&question, weights, recording, rng);
        let counts = recording.counts();
        check_work(counts, found.stats);
        let mut weights = Weights { g: 0, h: 0 };
        let mut events = recording.events();
        assert_eq!(events.next(), Some(Event::Started));
        for event in events {
            match event {
                Event::Passed(next) => weights = next,
                Event::Relaxed(way, _) | Event::Expanded(way) | Event::Reached(way) => {
                    let f = u64::from(weights.g) * way.g + u64::from(weights.h) * way.h;
                    assert_eq!(way.f, f, "seed {seed}: {way:?}");
                }
                _ => {}
            }
        }
        let mut replay = Replay::new(recording);
        // Each answer is told where it was given.
        for cursor in 0..=replay.len() {
            let given = answers.iter().rev().find(|(events, _)| *events <= cursor);
            replay.seek(cursor);
            let expected = given.map(|&(_, answer)| answer);
            assert_eq!(replay.answer(), expected, "seed {seed} at {cursor}");
            unfinished += usize::from(expected.is_some_and(|answer| answer.bound > 1.0));
        }
        assert_eq!(answers.last().unwrap().0, replay.len());
        several += usize::from(answers.len() > 1);
        assert_eq!(replay.counts(), counts);
        let way = replay.way_to(found.path.end().unwrap());
        assert_eq!(way.first(), Some(&ends.0));
        let walked = oracle::walk_cost(layers.grid(), &way, options.diagonals);
        assert_eq!(walked, Some(found.path.cost), "seed {seed}");
        passes = passes.max(replay.pass());
    }
    assert!(passes > 3, "one search took {passes} passes");
    let least = (cases(50), cases(1000));
    assert!(
        several > least.0 && unfinished > least.1,
        "{several}, {unfinished}"
    );
}

#[test]
fn on_a_space_an_anytime_search_tells_what_it_tells_on_a_grid() {
    let (mut same, scratch) = (0, &mut SearchScratch::new());
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let question = any_question(rng, 30);
        let weights = AnytimeWeights::default();
        let (layers, ends, options) = &question;
        let recording = empty(layers.grid(), *ends, options);
        let (found, expected, _) = anytime(&question, weights, recording, rng);
        if found.outcome != Outcome::Complete {
            continue;
        }
        let space = GridSpace::new(layers.grid(), options.diagonals, options.heuristic, ends.1);
        let space = space.unwrap();
        let start = space.node(ends.0).unwrap();
        let search = SpaceAnytime::start(&space, start, weights, scratch);
        let mut search = search.unwrap().unwrap();
        let mut recording = empty(layers.grid(), *ends, options);
        loop {
            let recorder = &mut Mapped::new(|node| space.cell(node), &mut recording);
            if search.step(u32::MAX, recorder).unwrap().is_last() {
                break;
            }
        }
        assert!(recording.events().eq(expected.events()), "seed {seed}");
        same += 1;
    }
    assert!(same > 60, "{same} searches came to their goals");
}

pub(super) fn edit(builder: &mut GridBuilder, grid: &Grid, start: Cell, rng: &mut Rng) {
    for _ in 0..rng.u8(0..6) {
        let cell = any_cell(grid, rng);
        if rng.bool() {
            builder.set_cost(cell, rng.u8(1..9)).unwrap();
        } else if cell != start {
            builder.set_free(cell, rng.bool()).unwrap();
        }
    }
}

/// From parent to parent one comes from both ends of a path to the root of its search, and what lies between the ends
/// costs what the path does. All costs count from that root, which does not wait.
fn check_tree(recording: &Recording, found: &FoundPath, root: Root, layers: &BodyLayers) {
    let mut cells: Vec<Cell> = found.path.cells().collect();
    if root == Root::Goal {
        cells.reverse();
    }
    let (first, tip) = (cells[0], cells[cells.len() - 1]);
    let mut replay = Replay::new(recording.clone());
    replay.seek(u32::MAX);
    let [to_first, to_tip] = [first, tip].map(|end| {
        let way = replay.way_to(end);
        assert_eq!(replay.cell(way[0]).parent, None, "a loop of parents");
        let mut last = 0;
        for (place, &cell) in way.iter().enumerate() {
            let walked = oracle::walk_cost(layers.grid(), &way[..=place], layers.diagonals());
            last = walked.expect("a step is not legal");
            let costs = replay.cell(cell).costs.expect("it is known");
            assert_eq!(costs.g, last, "from another root than {:?}", way[0]);
        }
        (way[0], last)
    });
    let mark = replay.mark(to_tip.0);
    assert!(
        !matches!(mark, Mark::Discovered | Mark::Open),
        "the root waits"
    );
    assert_eq!(to_first.0, to_tip.0, "two roots");
    assert_eq!(to_tip.1 - to_first.1, found.path.cost);
}

/// Whether this is all of a search that began with nothing known.
fn is_new(events: impl Iterator<Item = Event>) -> bool {
    let is_known = |event| matches!(event, Event::Relaxed(_, Change::Known | Change::Settled));
    let mut events = events;
    events.next() == Some(Event::Started) && !events.any(is_known)
}

#[test]
fn an_incremental_search_is_recorded_over_edits_and_moves() {
    let (mut worsened, mut kept, mut new) = (0, 0, 0);
    for seed in 0..cases(240) {
        let rng = &mut Rng::with_seed(seed);
        let (mut layers, (mut start, mut goal), options) = any_question(rng, 24);
        let root = [Root::Goal, Root::Start][seed as usize % 2];
        let mut tree = IncrementalTree::new(root);
        let mut recording = empty(layers.grid(), (start, goal), &options);
        let mut builder = layers.grid().to_builder();
        for _ in 0..14 {
            edit(&mut builder, layers.grid(), start, rng);
            layers = BodyLayers::from_grid(builder.clone().build(), options.diagonals);
            let (before, told) = (recording.counts(), recording.events().count());
            let search = layers.incremental(start, goal, &options, &mut tree);
            let mut search = search.unwrap();
            if rng.u8(0..5) == 0 {
                // Nobody waits for the answer.
                search.step(rng.u32(0..9), &mut recording).unwrap();
                continue;
            }
            let found = loop {
                let step = search.step(rng.u32(0..50), &mut recording);
                if let Progress::Done(found) = step.unwrap() {
                    break found;
                }
            };
            let mut more = recording.counts();
            more.expanded -= before.expanded;
            more.pushed -= before.pushed;
            check_work(more, found.stats);
            new += usize::from(is_new(recording.events().skip(told)));
            if found.path.cost > 0 {
                check_tree(&recording, &found, root, &layers);
                kept += 1;
            }
            let ahead = found.path.cells().nth(rng.usize(0..3));
            start = ahead.unwrap_or(start);
            goal = if rng.u8(0..4) == 0 {
                any_cell(layers.grid(), rng)
            } else {
                goal
            };
        }
        let is_worse = |event: &Event| matches!(event, Event::Relaxed(_, Change::Worsened));
        worsened += recording.events().filter(is_worse).count();
    }
    assert!(worsened.min(kept) > cases(1000), "{worsened} and {kept}");
    assert!(new > cases(200), "{new} searches began anew");
}

/// A walker behind two doors, of which the first one is shut on its way.
fn two_doors(is_open: bool) -> BodyLayers {
    let is_door = |cell: Cell| cell.y == 4 && is_open || cell.y == 0;
    let grid = Grid::from_fn(30, 9, |cell| cell.x != 7 || is_door(cell));
    BodyLayers::from_grid(grid.unwrap(), DiagonalPolicy::NoCornerCut)
}

#[test]
fn a_root_that_moved_is_closed_and_all_costs_count_from_it() {
    let (start, goal, options) = (Cell::new(0, 4), Cell::new(29, 4), PathOptions::default());
    // At once, for the walker is far from the old root; or on the way, for the new path leads around where it is.
    for (next, is_open, begun) in [(Cell::new(20, 4), true, 2), (Cell::new(5, 4), false, 2)] {
        let layers = two_doors(true);
        let mut tree = IncrementalTree::new(Root::Start);
        let mut recording = empty(layers.grid(), (start, goal), &options);
        let mut found = None;
        for (start, layers) in [(start, layers), (next, two_doors(is_open))] {
            let search = layers.incremental(start, goal, &options, &mut tree);
            let mut search = search.unwrap();
            found = search.step(u32::MAX, &mut recording).unwrap().done();
        }
        let started = recording.events().filter(|event| *event == Event::Started);
        assert_eq!(started.count(), begun, "what is known is told again");
        let mut replay = Replay::new(recording);
        replay.seek(u32::MAX);
        let root = replay.cell(next);
        assert_eq!((root.mark, root.parent), (Mark::Closed, None));
        assert_eq!(root.costs.unwrap().g, 0);
        let cost = found.unwrap().path.cost;
        assert_eq!(replay.cell(goal).costs.unwrap().g, cost);
        assert_eq!(replay.way_to(goal).first(), Some(&next));
    }
}

/// The answer of a search that goes on, without a recorder or with one that heard of none before.
fn go_on(
    layers: &BodyLayers,
    ends: (Cell, Cell),
    options: &PathOptions,
    tree: &mut IncrementalTree,
    recording: Option<&mut Recording>,
) -> FoundPath {
    let search = layers.incremental(ends.0, ends.1, options, tree);
    let mut search = search.unwrap();
    let Some(recording) = recording else {
        return search.step(u32::MAX, &mut ()).unwrap().done().unwrap();
    };
    search.tell_known(recording).unwrap();
    let step = search.step(u32::MAX, recording);
    let found = step.unwrap().done().unwrap();
    recording.finish(&found, None);
    found
}

/// What was known has the costs of this search, from one root. Cells are closed before its first event, but for those
/// that waited: how many did.
fn check_known(recording: &Recording, found: &FoundPath, root: Root) -> usize {
    let (mut estimates, mut known, mut told) = (HashMap::new(), HashMap::new(), HashSet::new());
    let mut begun = 0;
    for (event, place) in recording.events().zip(1..) {
        let (way, change) = match event {
            Event::Started => {
                // What came before is void.
                begun = place;
                (known, told) = Default::default();
                continue;
            }
            Event::Relaxed(way, change) => (way, Some(change)),
            Event::Expanded(way) => (way, None),
            _ => continue,
        };
        let h = *estimates.entry(way.node).or_insert(way.h);
        assert_eq!(h, way.h, "two estimates of {:?}", way.node);
        match change {
            Some(change @ (Change::Known | Change::Settled)) => {
                known.insert(way.node, (way, change == Change::Settled));
            }
            Some(Change::Kept) => {}
            _ => {
                told.insert(way.node);
            }
        }
    }
    let mut replay = Replay::new(recording.clone());
    replay.seek(begun + known.len() as u32);
    let roots = known.values().filter(|(way, _)| way.parent.is_none());
    let roots: Vec<_> = roots
        .map(|(way, is_settled)| (way.g, *is_settled))
        .collect();
    assert!(known.is_empty() || roots == [(0, true)], "{roots:?}");
    for (&cell, &(way, is_settled)) in &known {
        let mark = [Mark::Discovered, Mark::Closed][usize::from(is_settled)];
        // At the end the path is all that is seen of its cells.
        let is_path = replay.is_at_end() && replay.path_place(cell).is_some();
        assert_eq!(replay.mark(cell), if is_path { Mark::Path } else { mark });
        let costs = replay.cell(cell).costs.expect("it is known");
        assert_eq!((costs.g, costs.h), (way.g, way.h));
        assert_eq!(costs.f, way.g + way.h);
    }
    let mut cells: Vec<Cell> = found.path.cells().collect();
    if root == Root::Goal {
        cells.reverse();
    }
    // The answer relies on what it did not tell anew.
    let as_before = |cell: &Cell| known.get(cell).filter(|(way, _)| !told.contains(&way.node));
    if let Some((first, _)) = as_before(&cells[0]) {
        for (way, is_settled) in cells.iter().filter_map(as_before) {
            assert!(way.g + way.h <= first.g + found.path.cost, "{way:?}");
            // The other end is never expanded.
            assert!(*is_settled || Some(&way.node) == cells.last(), "{way:?}");
        }
    }
    let waits = known.values().filter(|(_, is_settled)| !is_settled);
    waits.count()
}

#[test]
fn the_recording_of_a_search_that_goes_on_makes_sense_alone_and_changes_nothing() {
    let (mut known, mut alone, mut waiting, mut again, mut new) = (0, 0, 0, 0, 0);
    for seed in 0..240 {
        let rng = &mut Rng::with_seed(seed);
        let (mut layers, (mut start, mut goal), options) = any_question(rng, 24);
        let root = [Root::Goal, Root::Start][seed as usize % 2];
        let mut trees = [(); 2].map(|()| IncrementalTree::new(root));
        let mut builder = layers.grid().to_builder();
        for turn in 0..10 {
            edit(&mut builder, layers.grid(), start, rng);
            layers = BodyLayers::from_grid(builder.clone().build(), options.diagonals);
            let ends = (start, goal);
            let [tree, twin] = &mut trees;
            let expected = go_on(&layers, ends, &options, twin, None);
            let mut recording = empty(layers.grid(), ends, &options);
            let is_recorded = rng.bool();
            let to = is_recorded.then_some(&mut recording);
            let found = go_on(&layers, ends, &options, tree, to);
            assert_eq!(found, expected, "seed {seed}, turn {turn}");
            if is_recorded && found.path.cost > 0 {
                check_work(recording.counts(), found.stats);
                new += usize::from(is_new(recording.events()));
                let bytes = recording.to_bytes();
                assert_eq!(Recording::from_bytes(&bytes).as_ref(), Ok(&recording));
                assert_eq!(recording.events().next(), Some(Event::Started));
                let is_known = |event: &Event| {
                    matches!(event, Event::Relaxed(_, Change::Known | Change::Settled))
                };
                let told = recording.events().skip(1).take_while(is_known).count();
                let mut may_know = false;
                for event in recording.events() {
                    may_know = event == Event::Started || may_know && is_known(&event);
                    assert!(may_know || !is_known(&event), "it is told first of all");
                }
                let is_start = |event: &Event| *event == Event::Started;
                again += recording.events().skip(1).filter(is_start).count();
                let mut replay = Replay::new(recording.clone());
                replay.seek(1 + told as u32);
                assert_eq!(replay.counts(), Counts::default(), "nothing was done yet");
                waiting += check_known(&recording, &found, root);
                check_tree(&recording, &found, root, &layers);
                known += usize::from(told > 0);
                alone += 1;
            }
            let ahead = found.path.cells().nth(rng.usize(0..3));
            start = ahead.unwrap_or(start);
            if rng.u8(0..4) == 0 {
                goal = any_cell(layers.grid(), rng);
            }
        }
    }
    assert!(known > 400 && alone > known, "{known} of {alone}");
    assert!(waiting > 1000, "{waiting} known cells waited");
    assert!(again > 20, "{again} roots moved on the way");
    assert!(new > 50, "{new} searches began anew");
}

#[test]
fn on_a_space_an_incremental_search_tells_what_it_tells_on_a_grid() {
    for seed in 0..cases(200) {
        let rng = &mut Rng::with_seed(seed);
        let (layers, ends, mut options) = any_question(rng, 30);
        options.heuristic = Heuristic::Octile;
        if ends.0 == ends.1 || !layers.is_reachable(ends.0, ends.1) {
            continue;
        }
        let root = [Root::Goal, Root::Start][seed as usize % 2];
        let mut recordings = [(); 2].map(|()| empty(layers.grid(), ends, &options));
        let mut tree = IncrementalTree::new(root);
        let search = layers.incremental(ends.0, ends.1, &options, &mut tree);
        let found = search.unwrap().step(u32::MAX, &mut recordings[0]);
        let found = found.unwrap().done().unwrap();
        let space = GridSpace::new(layers.grid(), options.diagonals, options.heuristic, ends.1);
        let space = space.unwrap();
        let [start, goal] = [ends.0, ends.1].map(|cell| space.node(cell).unwrap());
        let mut tree = SpaceTree::new(root);
        let mut search = tree.search(&space, start, goal).unwrap();
        let recorder = &mut Mapped::new(|node| space.cell(node), &mut recordings[1]);
        let path = search.step(u32::MAX, recorder).unwrap();
        assert_eq!(path.done().unwrap().cost, found.path.cost);
        let [layers, space] = &recordings;
        assert!(layers.events().eq(space.events()), "seed {seed}");
        check_work(layers.counts(), found.stats);
    }
}
