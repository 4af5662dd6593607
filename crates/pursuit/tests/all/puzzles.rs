//! The eight puzzle of the examples, checked against known lengths and an independent breadth-first search.

#[allow(dead_code, reason = "an example has a main function")]
#[path = "../../examples/eight_puzzle.rs"]
mod eight_puzzle;

use std::collections::{HashMap, VecDeque};

use eight_puzzle::{Board, HARDEST, Puzzle, SOLVED, board, rank};
use pursuit::{Outcome, SearchLimits, SearchScratch, SearchSpace, astar};

const BOARDS: u32 = 362_880;

/// Number of moves to the solved position, for every position that can be solved.
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
fn astar_needs_as_few_moves_as_breadth_first_search() {
    let moves = distances();
    assert_eq!(moves.len(), BOARDS as usize / 2);
    assert_eq!(moves[&HARDEST], 31);
    let mut random = fastrand::Rng::with_seed(1);
    let (limits, mut scratch) = (SearchLimits::default(), SearchScratch::new());
    for start in (0..8)
        .map(|_| random.u32(0..BOARDS))
        .chain([rank(&HARDEST)])
    {
        let path = astar(&Puzzle, start, &limits, &mut scratch)
            .unwrap()
            .unwrap();
        let is_whole = path.outcome == Outcome::Complete;
        let fewest = moves.get(&board(start)).copied();
        assert_eq!(is_whole.then_some(path.cost), fewest, "from {start}");
        for step in path.nodes.windows(2) {
            let (a, b) = (board(step[0]), board(step[1]));
            let moved: Vec<usize> = (0..9).filter(|&at| a[at] != b[at]).collect();
            assert_eq!(moved.len(), 2, "a move must swap one tile and the gap");
            assert!(moved.iter().any(|&at| a[at] == 0), "{a:?} {b:?}");
        }
    }
}

#[test]
fn rank_inverts_board_and_the_estimate_is_consistent() {
    assert!(
        (0..BOARDS)
            .step_by(7)
            .all(|node| rank(&board(node)) == node)
    );
    for (start, &count) in &distances() {
        let estimate = Puzzle.heuristic(*start);
        assert!(estimate <= count, "{start:?}");
        Puzzle.for_each_neighbor(rank(start), *start, |_, next, _| {
            assert!(estimate <= Puzzle.heuristic(next) + 1, "{start:?}");
        });
    }
}
