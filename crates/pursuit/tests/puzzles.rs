//! The puzzles of the examples: known lengths, and breadth-first searches that share nothing with them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "an example has a main function")]
#[path = "../examples/box_pushing.rs"]
mod box_pushing;
#[allow(dead_code, reason = "an example has a main function")]
#[path = "../examples/eight_puzzle.rs"]
mod eight_puzzle;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use box_pushing::{LEVEL, Level};
use eight_puzzle::{BOARDS, Board, Estimate, SOLVED, board, parse, rank, solve};
use pursuit::Outcome;
use pursuit::search::SearchSpace;

/// Moves to the solved position from all that can be solved.
fn distances() -> HashMap<Board, u64> {
    let mut moves = HashMap::from([(SOLVED, 0)]);
    let mut queue = VecDeque::from([SOLVED]);
    while let Some(at) = queue.pop_front() {
        let gap = at.iter().position(|&tile| tile == 0).unwrap();
        for tile in 0..9 {
            let apart = (gap % 3).abs_diff(tile % 3) + (gap / 3).abs_diff(tile / 3);
            let mut next = at;
            next.swap(gap, tile);
            if apart == 1 && !moves.contains_key(&next) {
                moves.insert(next, moves[&at] + 1);
                queue.push_back(next);
            }
        }
    }
    moves
}

#[test]
fn a_rank_and_its_position_are_one() {
    assert!(
        (0..BOARDS)
            .step_by(7)
            .all(|node| rank(&board(node)) == node)
    );
}

#[test]
fn the_hardest_positions_take_31_moves() {
    for text in ["867254301", "647850321"] {
        let start = parse(text).unwrap();
        let mut expanded = Vec::new();
        for estimate in [
            Estimate::None,
            Estimate::Manhattan,
            Estimate::LinearConflict,
        ] {
            let path = solve(&start, estimate).unwrap();
            assert_eq!((path.cost, path.outcome), (31, Outcome::Complete));
            check_moves(&path.nodes, &start);
            expanded.push(path.stats.expanded);
        }
        assert!(
            expanded.is_sorted_by(|a, b| a > b),
            "a better estimate expands less: {expanded:?}"
        );
    }
}

#[track_caller]
fn check_moves(nodes: &[u32], start: &Board) {
    assert_eq!(board(nodes[0]), *start);
    assert_eq!(board(nodes[nodes.len() - 1]), SOLVED);
    for step in nodes.windows(2) {
        let (a, b) = (board(step[0]), board(step[1]));
        let moved = (0..9).filter(|&at| a[at] != b[at]);
        let places: Vec<usize> = moved.collect();
        assert_eq!(places.len(), 2, "one tile and the gap");
        assert!(places.iter().any(|&at| a[at] == 0));
    }
}

#[test]
fn eight_puzzles_are_solved_in_as_few_moves_as_by_breadth_first_search() {
    let moves = distances();
    assert_eq!(moves.len(), BOARDS as usize / 2);
    assert_eq!(moves.values().filter(|&&count| count == 31).count(), 2);
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..24 {
        let start = board(rng.u32(0..BOARDS));
        let estimate = if rng.bool() {
            Estimate::Manhattan
        } else {
            Estimate::LinearConflict
        };
        let path = solve(&start, estimate).unwrap();
        let is_whole = path.outcome == Outcome::Complete;
        assert_eq!(is_whole.then_some(path.cost), moves.get(&start).copied());
    }
}

#[test]
fn estimates_never_fall_by_more_than_a_move() {
    let moves = distances();
    for estimate in [Estimate::Manhattan, Estimate::LinearConflict] {
        let puzzle = eight_puzzle::Puzzle(estimate);
        for (start, &count) in &moves {
            let h = puzzle.heuristic(*start);
            assert!(h <= count, "{start:?}");
            puzzle.for_each_neighbor(rank(start), *start, |_, next, _| {
                assert!(h <= puzzle.heuristic(next) + 1, "{start:?}");
            });
        }
    }
}

/// A level as characters, for a search that shares nothing with the example but the rules.
struct Naive {
    floor: HashSet<(i32, i32)>,
    marks: BTreeSet<(i32, i32)>,
    boxes: BTreeSet<(i32, i32)>,
    worker: (i32, i32),
}

impl Naive {
    fn parse(text: &str) -> Self {
        let mut level = Self {
            floor: HashSet::new(),
            marks: BTreeSet::new(),
            boxes: BTreeSet::new(),
            worker: (0, 0),
        };
        for (y, row) in (0..).zip(text.trim_matches('\n').lines()) {
            for (x, c) in (0..).zip(row.chars()) {
                let at = (x, y);
                if c != '#' {
                    level.floor.insert(at);
                }
                if ".*+".contains(c) {
                    level.marks.insert(at);
                }
                if "$*".contains(c) {
                    level.boxes.insert(at);
                }
                if "@+".contains(c) {
                    level.worker = at;
                }
            }
        }
        level
    }

    /// The fewest pushes: steps of the worker cost nothing, pushes 1.
    fn pushes(&self) -> Option<u64> {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([(0, self.worker, self.boxes.clone())]);
        while let Some((pushes, worker, boxes)) = queue.pop_front() {
            if !seen.insert((worker, boxes.clone())) {
                continue;
            }
            if boxes.is_subset(&self.marks) {
                return Some(pushes);
            }
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let next = (worker.0 + dx, worker.1 + dy);
                let beyond = (next.0 + dx, next.1 + dy);
                if !self.floor.contains(&next) {
                    continue;
                }
                if !boxes.contains(&next) {
                    queue.push_front((pushes, next, boxes.clone()));
                } else if self.floor.contains(&beyond) && !boxes.contains(&beyond) {
                    let mut boxes = boxes.clone();
                    boxes.remove(&next);
                    boxes.insert(beyond);
                    queue.push_back((pushes + 1, next, boxes));
                }
            }
        }
        None
    }
}

#[test]
fn levels_are_solved_in_as_few_pushes_as_by_breadth_first_search() {
    let mut rng = fastrand::Rng::with_seed(2);
    let (mut solved, mut unsolved, mut longest) = (0, 0, 0);
    for _ in 0..500 {
        let text = any_level(&mut rng);
        let Some(level) = Level::parse(&text) else {
            continue;
        };
        let expected = Naive::parse(&text).pushes();
        let path = level.solve();
        assert_eq!(path.as_ref().map(|path| path.cost), expected, "{text}");
        let Some(path) = path else {
            unsolved += 1;
            continue;
        };
        assert_eq!(
            path.nodes.len() as u64,
            path.cost + 1,
            "each push is a step\n{text}"
        );
        solved += 1;
        longest = longest.max(path.cost);
    }
    assert!(
        solved > 100 && unsolved > 20 && longest > 8,
        "{solved} {unsolved} {longest}"
    );
}

#[test]
fn every_push_is_taken_back_by_a_pull() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut pushes, mut levels) = (0, 0);
    while levels < 60 {
        let Some(level) = Level::parse(&any_level(&mut rng)) else {
            continue;
        };
        levels += 1;
        let start = level.start_node();
        let (mut seen, mut queue) = (HashSet::from([start]), VecDeque::from([start]));
        while let Some(node) = queue.pop_front().filter(|_| seen.len() < 400) {
            let before = around(&level, node, false);
            for &next in &around(&level, node, true) {
                assert!(around(&level, next, false).contains(&node), "a push alone");
                pushes += 1;
                if seen.insert(next) {
                    queue.push_back(next);
                }
            }
            for last in before {
                assert!(around(&level, last, true).contains(&node), "a pull alone");
            }
        }
    }
    assert!(pushes > 1000, "{pushes} pushes");
}

/// The states that a push leads to, or those from which one leads here.
fn around(level: &Level, node: u32, forward: bool) -> Vec<u32> {
    let (place, mut nodes) = (level.place(node), Vec::new());
    if forward {
        level.for_each_neighbor(node, place, |next, _, _| nodes.push(next));
    } else {
        level.for_each_predecessor(node, place, |next, _, _| nodes.push(next));
    }
    nodes
}

/// A walled room of rubble, boxes and marks.
fn any_level(rng: &mut fastrand::Rng) -> String {
    let (width, height) = (rng.usize(5..8), rng.usize(4..7));
    let mut squares = vec![' '; width * height];
    for square in &mut squares {
        if rng.u8(0..12) == 0 {
            *square = '#';
        }
    }
    let count = rng.usize(1..4);
    for mark in [vec!['$'; count], vec!['.'; count], vec!['@']].concat() {
        let free: Vec<usize> = (0..squares.len())
            .filter(|&at| squares[at] == ' ')
            .collect();
        if let Some(&at) = free.get(rng.usize(0..free.len().max(1))) {
            squares[at] = mark;
        }
    }
    let wall = "#".repeat(width + 2);
    let rows = squares
        .chunks(width)
        .map(|row| format!("#{}#", row.iter().collect::<String>()));
    [wall.clone()]
        .into_iter()
        .chain(rows)
        .chain([wall.clone()])
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_level_of_the_example_is_solved_and_drawn() {
    let level = Level::parse(LEVEL).unwrap();
    let path = level.solve().unwrap();
    assert_eq!(Some(path.cost), Naive::parse(LEVEL).pushes());
    let last = level.draw(path.nodes[path.nodes.len() - 1]);
    assert_eq!(
        (last.matches('*').count(), last.matches('$').count()),
        (3, 0),
        "{last}"
    );
    assert!(Level::parse("###\n# #\n###").is_none(), "no worker");
}

#[test]
fn levels_of_too_many_squares_are_refused() {
    for (width, fits) in [(127, true), (128, false), (100_000, false)] {
        let row = ".".repeat(width);
        let text = format!("@$.{}\n{row}", &row[3..]);
        assert_eq!(Level::parse(&text).is_some(), fits, "two rows of {width}");
    }
}
