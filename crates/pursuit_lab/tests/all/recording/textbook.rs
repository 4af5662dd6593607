//! ARA\* and D\* Lite agree with Dijkstra's algorithm, and their recordings agree with their answers.

use std::collections::HashSet;

use fastrand::Rng;
use pursuit::oracle::{self, cases};
use pursuit::{
    Algorithm, BodyLayers, Cell, CellRect, DiagonalPolicy, FoundPath, Grid, GridBuilder, Heuristic,
    Outcome, PathOptions, SearchScratch, Weights,
};
use pursuit_lab::ara_star::AraStar;
use pursuit_lab::d_star_lite::DStarLite;
use pursuit_lab::recording::{Change, Counts, Event, RecordedAlgorithm, RecordedSearch, Recording};
use pursuit_lab::replay::{Answer, Mark, Replay};

use super::worlds::{any_ends, any_grid, check_work};
use crate::random::{any_cell, any_free, by, with_costs};

#[test]
fn each_search_is_recorded_under_its_name() {
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

#[test]
fn a_search_for_one_path_has_an_answer_only_at_the_end() {
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

/// A random grid with a free start and any goal, and options whose estimate never exceeds the cost.
pub(super) fn any_question(rng: &mut Rng, most: u32) -> (Grid, (Cell, Cell), PathOptions) {
    let grid = any_grid(rng, most);
    let ends = any_ends(rng, &grid);
    let diagonals = DiagonalPolicy::ALL[rng.usize(0..4)];
    let heuristic = [Heuristic::Octile, Heuristic::Zero][usize::from(rng.u8(0..6) == 0)];
    let options = PathOptions {
        diagonals,
        heuristic,
        ..PathOptions::default()
    };
    (grid, ends, options)
}

/// All answers of ARA\*, each with the number of events before it, and the recording of the search.
pub(super) fn ara_star(
    (grid, (start, goal), options): &(Grid, (Cell, Cell), PathOptions),
    limit: usize,
) -> (Vec<(u32, FoundPath)>, Recording) {
    let search = RecordedSearch::anytime(grid, *start, *goal, options);
    let mut recording = Recording::new(search).with_limit(limit);
    let ends = (*start, *goal);
    let mut search = AraStar::new(grid, ends, options.diagonals, options.heuristic).unwrap();
    let mut answers = Vec::new();
    while !search.is_done() {
        let found = search.improve(&mut |event| recording.add(event));
        answers.push((recording.len(), found));
    }
    let (_, last) = answers.last().unwrap();
    recording.finish(last, None);
    (answers, recording)
}

/// Asserts that a complete path is legal and has its stated cost. Asserts that any other path is only the start, and
/// that no path leads to the goal.
fn check_path(grid: &Grid, ends: (Cell, Cell), found: &FoundPath, diagonals: DiagonalPolicy) {
    let cells: Vec<Cell> = found.path.cells().collect();
    if found.outcome == Outcome::Complete {
        assert_eq!((cells[0], cells[cells.len() - 1]), ends);
        let walked = oracle::walk_cost(grid, &cells, diagonals);
        assert_eq!(walked, Some(found.path.cost));
    } else {
        assert_eq!(cells, [ends.0]);
    }
}

#[test]
fn every_bound_of_ara_star_is_true_and_its_last_path_is_the_cheapest() {
    let (mut complete, mut loose) = (0, 0);
    for seed in 0..cases(2000) {
        let question = any_question(&mut Rng::with_seed(seed), 30);
        let (grid, (start, goal), options) = &question;
        let (answers, recording) = ara_star(&question, usize::MAX);
        let cheapest = oracle::dijkstra(grid, *start, *goal, options.diagonals);
        let mut most_by_weight = 3.0;
        for (_, found) in &answers {
            check_path(grid, (*start, *goal), found, options.diagonals);
            assert_eq!(found.outcome == Outcome::Complete, cheapest.is_some());
            let most = found.bound * cheapest.unwrap_or(0) as f64;
            assert!(found.path.cost as f64 <= most * 1.000_001, "seed {seed}");
            assert!(found.bound <= most_by_weight, "seed {seed}");
            most_by_weight = (most_by_weight - 0.5).max(1.0);
            loose += usize::from(found.path.cost > cheapest.unwrap_or(0));
        }
        let (_, last) = answers.last().unwrap();
        assert_eq!(last.path.cost, cheapest.unwrap_or(0), "seed {seed}");
        check_work(recording.counts(), last.stats);
        complete += usize::from(cheapest.is_some());
    }
    assert!(
        complete > cases(500) && loose > cases(50),
        "{complete}, {loose}"
    );
}

#[test]
fn a_recording_of_ara_star_has_its_passes_and_answers_and_replays_to_its_last_path() {
    let mut passes = 0;
    for seed in 0..cases(400) {
        let question = any_question(&mut Rng::with_seed(seed), 24);
        let (grid, (start, _), options) = &question;
        let (answers, recording) = ara_star(&question, usize::MAX);
        let mut weights = Weights { g: 0, h: 0 };
        for event in recording.events() {
            match event {
                Event::Passed(next) => weights = next,
                Event::Relaxed(way, _) | Event::Expanded(way) | Event::Reached(way) => {
                    assert_eq!(way.f, weights.f(way.g, way.h), "seed {seed}: {way:?}");
                }
                _ => {}
            }
        }
        let counts = recording.counts();
        let mut replay = Replay::new(recording);
        for cursor in 0..replay.len() {
            replay.seek(cursor);
            let given = answers.iter().rev().find(|(events, _)| *events <= cursor);
            let given = given.map(|(_, found)| Answer {
                cost: found.path.cost,
                bound: found.bound,
            });
            assert_eq!(replay.answer(), given, "seed {seed} at {cursor}");
        }
        replay.seek(u32::MAX);
        let (_, last) = answers.last().unwrap();
        assert_eq!(replay.answer().unwrap().cost, last.path.cost);
        assert_eq!(replay.counts(), counts);
        let way = replay.way_to(last.path.end().unwrap());
        assert_eq!(way.first(), Some(start));
        let walked = oracle::walk_cost(grid, &way, options.diagonals);
        assert_eq!(walked, Some(last.path.cost), "seed {seed}");
        passes = passes.max(replay.pass());
    }
    assert!(passes > 3, "one search took {passes} passes");
}

/// Patches of ground with costs of 1 to 5, with lakes, and walls with gaps.
fn terrain(side: i32, rng: &mut Rng) -> GridBuilder {
    let open = Grid::from_fn(side as u32, side as u32, |_| true).unwrap();
    let field = |cell: Cell| (cell.x / 11 * 7 + cell.y / 9 * 5) % 5;
    let mut builder = with_costs(&open, |cell| 1 + field(cell) as u8).to_builder();
    for _ in 0..side / 3 {
        let corner = Cell::new(rng.i32(0..side), rng.i32(0..side));
        let (width, height) = match rng.u8(0..3) {
            0 => (rng.i32(10..30), 1),
            1 => (1, rng.i32(10..30)),
            _ => (rng.i32(3..9), rng.i32(3..9)),
        };
        builder.fill(CellRect::new(corner, corner.offset(width, height)), false);
    }
    builder
}

#[test]
fn ara_star_expands_under_a_third_of_a_star_in_its_first_pass_and_under_three_times_a_star_in_all()
{
    let (mut first, mut all, mut a_star) = (0, 0, 0);
    let scratch = &mut SearchScratch::new();
    for seed in 0..20 {
        let rng = &mut Rng::with_seed(seed);
        let grid = terrain(100, rng).build();
        let [start, goal] = [(); 2].map(|()| any_free(&grid, rng));
        let question = (grid, (start, goal), PathOptions::default());
        let (answers, _) = ara_star(&question, 0);
        first += answers[0].1.stats.expanded;
        all += answers[answers.len() - 1].1.stats.expanded;
        let layers = BodyLayers::from_grid(question.0, question.2.diagonals);
        let found = layers.find_path(start, goal, &by(Algorithm::AStar), scratch);
        a_star += found.unwrap().stats.expanded;
    }
    assert!(first * 3 < a_star, "{first} of {a_star}");
    assert!(all < 3 * a_star, "{all} of {a_star}");
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

/// The searches of a walk on a map with edits, each with its grid, its ends, and its recording.
pub(super) fn walk(
    rng: &mut Rng,
    most: u32,
    turns: u8,
    limit: usize,
    mut visit: impl FnMut(&Grid, (Cell, Cell), &FoundPath, Recording),
) -> DiagonalPolicy {
    let (mut grid, (mut start, mut goal), options) = any_question(rng, most);
    let mut search = DStarLite::new();
    let rules = (options.diagonals, options.heuristic);
    let mut builder = grid.to_builder();
    for _ in 0..turns {
        edit(&mut builder, &grid, start, rng);
        grid = builder.clone().build();
        let asked = RecordedSearch::incremental(&grid, start, goal, &options);
        let mut recording = Recording::new(asked).with_limit(limit);
        let found = search.replan(&grid, (start, goal), rules, &mut |event| {
            recording.add(event)
        });
        let found = found.unwrap();
        recording.finish(&found, None);
        visit(&grid, (start, goal), &found, recording);
        let ahead = found.path.cells().nth(rng.usize(0..3));
        start = ahead.unwrap_or(start);
        if rng.u8(0..6) == 0 {
            goal = any_cell(&grid, rng);
        }
    }
    options.diagonals
}

#[test]
fn every_path_of_d_star_lite_is_the_cheapest_after_edits_and_moves() {
    let (mut complete, mut repaired) = (0, 0);
    for seed in 0..cases(400) {
        let rng = &mut Rng::with_seed(seed);
        let mut searches = Vec::new();
        let diagonals = walk(rng, 26, 14, usize::MAX, |grid, ends, found, recording| {
            check_work(recording.counts(), found.stats);
            repaired += usize::from(known(&recording) > 0);
            searches.push((grid.clone(), ends, found.clone()));
        });
        for (turn, (grid, ends, found)) in searches.iter().enumerate() {
            let cheapest = oracle::dijkstra(grid, ends.0, ends.1, diagonals);
            check_path(grid, *ends, found, diagonals);
            let cost = (found.outcome == Outcome::Complete).then_some(found.path.cost);
            assert_eq!(cost, cheapest, "seed {seed}, turn {turn}");
            complete += usize::from(cost.is_some_and(|cost| cost > 0));
        }
    }
    assert!(
        complete.min(repaired) > cases(1000),
        "{complete}, {repaired}"
    );
}

/// Number of events that report the state of the earlier search. They follow the first event of a recording.
fn known(recording: &Recording) -> usize {
    let events = recording.events().skip(1);
    events.take_while(is_known).count()
}

fn is_known(event: &Event) -> bool {
    matches!(event, Event::Relaxed(_, Change::Known | Change::Settled))
}

#[test]
fn a_recording_of_d_star_lite_begins_with_the_earlier_state_and_replays_to_its_path() {
    let mut worsened = 0;
    for seed in 0..cases(200) {
        let rng = &mut Rng::with_seed(seed);
        walk(
            rng,
            20,
            10,
            usize::MAX,
            |_, (start, goal), found, recording| {
                assert_eq!(recording.events().next(), Some(Event::Started));
                let known = known(&recording);
                assert_eq!(recording.events().filter(is_known).count(), known);
                let is_worse = |event: &Event| matches!(event, Event::Relaxed(_, Change::Worsened));
                worsened += recording.events().filter(is_worse).count();
                let events = recording.events().skip(1).take(known);
                let cells: HashSet<_> = events
                    .map(|event| match event {
                        Event::Relaxed(way, _) => way.node,
                        _ => unreachable!(),
                    })
                    .collect();
                let mut replay = Replay::new(recording);
                replay.seek(1 + known as u32);
                assert_eq!(
                    replay.counts(),
                    Counts::default(),
                    "the state of the earlier search is counted as work"
                );
                for cell in cells {
                    let mark = replay.mark(cell);
                    assert!(matches!(mark, Mark::Discovered | Mark::Closed | Mark::Path));
                }
                replay.seek(u32::MAX);
                if found.outcome == Outcome::Complete && start != goal {
                    let way = replay.way_to(start);
                    let mut path: Vec<Cell> = found.path.cells().collect();
                    path.reverse();
                    assert_eq!(way, path, "seed {seed}");
                    assert_eq!(replay.cell(start).costs.unwrap().g, found.path.cost);
                }
            },
        );
    }
    assert!(
        worsened > cases(1000),
        "only {worsened} cells became more expensive"
    );
}

#[test]
fn after_an_edit_d_star_lite_expands_at_most_a_fifth_of_a_star_in_the_median() {
    let options = by(Algorithm::AStar);
    let scratch = &mut SearchScratch::new();
    let rng = &mut Rng::with_seed(5);
    let mut builder = terrain(120, rng);
    let mut grid = builder.clone().build();
    let [start, goal] = [(); 2].map(|()| any_free(&grid, rng));
    let mut search = DStarLite::new();
    let rules = (DiagonalPolicy::NoCornerCut, Heuristic::Octile);
    search.replan(&grid, (start, goal), rules, &mut |_| {});
    let mut ratios = Vec::new();
    for _ in 0..200 {
        let door = any_cell(&grid, rng);
        builder.fill(
            CellRect::new(door, door.offset(rng.i32(1..4), 1)),
            !grid.is_free(door),
        );
        for end in [start, goal] {
            builder.set_free(end, true).unwrap();
        }
        grid = builder.clone().build();
        let repaired = search
            .replan(&grid, (start, goal), rules, &mut |_| {})
            .unwrap();
        let layers = BodyLayers::from_grid(grid.clone(), options.diagonals);
        let anew = layers.find_path(start, goal, &options, scratch).unwrap();
        let [repaired, anew] = [&repaired, &anew].map(|found| found.stats.expanded);
        ratios.push(f64::from(anew) / f64::from(repaired.max(1)));
    }
    ratios.sort_by(f64::total_cmp);
    assert!(ratios[100] >= 5.0, "{} times fewer", ratios[100]);
}
