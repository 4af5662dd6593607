//! The eight-puzzle: slide tiles until they are in order, in as few moves as possible. The same A\* that finds ways on
//! maps finds them among positions; all that is needed is a [`SearchSpace`].
//!
//! `cargo run --release -p pursuit --example eight_puzzle -- 867254301` solves a position, given row by row, where 0 is
//! the gap. Without one it solves one of the two that take 31 moves, the most that any does.
//!
//! Searches want dense node numbers. A position is a permutation of nine tiles, so its node is its rank among the 9! =
//! 362,880 permutations in the order of the alphabet (Lehmer, 1960), worked out and back in nine steps.

#![allow(clippy::print_stdout, reason = "an example says what it finds")]

use pursuit::search::{Guarantee, SearchSpace, SpacePath, astar};
use pursuit::{Outcome, SearchLimits, SearchScratch};

/// Tiles row by row; 0 is the gap.
pub(crate) type Board = [u8; 9];

/// The order to reach.
pub(crate) const SOLVED: Board = [1, 2, 3, 4, 5, 6, 7, 8, 0];

/// Number of positions of tiles, of which half can be solved.
pub(crate) const BOARDS: u32 = 362_880;

/// What leads the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Estimate {
    /// Nothing: Dijkstra's algorithm.
    None,
    /// How far each tile is from its place, along rows and columns.
    Manhattan,
    /// And two moves more for each tile that has to leave its row or column to let another one pass (Hansson, Mayer and
    /// Yung, 1992).
    LinearConflict,
}

/// The space of all positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Puzzle(pub(crate) Estimate);

impl SearchSpace for Puzzle {
    type Place = Board;

    fn node_count(&self) -> u32 {
        BOARDS
    }

    fn place(&self, node: u32) -> Board {
        board(node)
    }

    fn is_goal(&self, node: u32) -> bool {
        node == rank(&SOLVED)
    }

    fn heuristic(&self, board: Board) -> u64 {
        match self.0 {
            Estimate::None => 0,
            Estimate::Manhattan => manhattan(&board),
            Estimate::LinearConflict => manhattan(&board) + 2 * conflicts(&board),
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    // A move can be taken back, so these are the predecessors, too.
    fn for_each_neighbor(&self, _: u32, board: Board, mut visit: impl FnMut(u32, Board, u32)) {
        let gap = board.iter().position(|&tile| tile == 0).unwrap_or(0);
        let (x, y) = (gap % 3, gap / 3);
        let moves = [
            (x > 0).then(|| gap - 1),
            (x < 2).then(|| gap + 1),
            (y > 0).then(|| gap - 3),
            (y < 2).then(|| gap + 3),
        ];
        for tile in moves.into_iter().flatten() {
            let mut next = board;
            next.swap(gap, tile);
            visit(rank(&next), next, 1);
        }
    }
}

/// The node of a position.
pub(crate) fn rank(board: &Board) -> u32 {
    let mut rank = 0;
    for (at, &tile) in board.iter().enumerate() {
        let smaller = board[at + 1..].iter().filter(|&&later| later < tile);
        rank = rank * (9 - at as u32) + smaller.count() as u32;
    }
    rank
}

/// The position of a node.
pub(crate) fn board(mut node: u32) -> Board {
    let mut board = [0; 9];
    for at in (0..9).rev() {
        let base = 9 - at as u32;
        board[at] = (node % base) as u8;
        node /= base;
        // Those after it that are not smaller were counted without it.
        for later in at + 1..9 {
            board[later] += u8::from(board[later] >= board[at]);
        }
    }
    board
}

fn manhattan(board: &Board) -> u64 {
    let tiles = board.iter().enumerate().filter(|&(_, &tile)| tile != 0);
    let away = tiles.map(|(at, &tile)| {
        let home = usize::from(tile) - 1;
        (at % 3).abs_diff(home % 3) + (at / 3).abs_diff(home / 3)
    });
    away.sum::<usize>() as u64
}

/// Tiles that have to leave their own row or column, since others of it stand in reverse order.
fn conflicts(board: &Board) -> u64 {
    let mut leave = 0;
    for line in 0..3 {
        let row = [0, 1, 2].map(|x| board[3 * line + x]);
        let column = [0, 1, 2].map(|y| board[3 * y + line]);
        let in_row = row.map(|tile| home(tile).filter(|home| home.1 == line).map(|home| home.0));
        let in_column =
            column.map(|tile| home(tile).filter(|home| home.0 == line).map(|home| home.1));
        leave += out_of_order(in_row) + out_of_order(in_column);
    }
    leave
}

fn home(tile: u8) -> Option<(usize, usize)> {
    let home = usize::from(tile.checked_sub(1)?);
    Some((home % 3, home / 3))
}

/// How many of the tiles that are in their line have to leave it so that the others are in order.
fn out_of_order(line: [Option<usize>; 3]) -> u64 {
    let mut longest = [0; 3];
    for (i, own) in line.iter().enumerate().filter(|(_, own)| own.is_some()) {
        let before = (0..i).filter(|&j| line[j].is_some() && line[j] < *own);
        longest[i] = 1 + before.map(|j| longest[j]).max().unwrap_or(0);
    }
    let own = line.iter().flatten().count();
    (own - longest.into_iter().max().unwrap_or(0)) as u64
}

/// The fewest moves to the solved position, if any lead there.
pub(crate) fn solve(start: &Board, estimate: Estimate) -> Option<SpacePath> {
    let (limits, mut scratch) = (SearchLimits::default(), SearchScratch::new());
    astar(&Puzzle(estimate), rank(start), &limits, &mut scratch).ok()?
}

/// Reads a position: the digits 0 to 8, each once.
pub(crate) fn parse(text: &str) -> Option<Board> {
    let digits: Vec<u8> = text.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
    let board: Board = digits.try_into().ok()?;
    (0..9).all(|tile| board.contains(&tile)).then_some(board)
}

/// Solves what the command line says.
pub(crate) fn main() {
    let text = std::env::args().nth(1).unwrap_or("867254301".into());
    let Some(start) = parse(&text) else {
        println!("`{text}` is no position: nine digits, 0 to 8, each once");
        return;
    };
    for estimate in [
        Estimate::None,
        Estimate::Manhattan,
        Estimate::LinearConflict,
    ] {
        let Some(path) = solve(&start, estimate) else {
            return;
        };
        if path.outcome != Outcome::Complete {
            println!("no moves lead from {text} to the solved position");
            return;
        }
        if estimate == Estimate::None {
            print_boards(&path.nodes);
        }
        let (name, expanded) = (format!("{estimate:?}"), path.stats.expanded);
        println!(
            "{name:15} {} moves, {expanded:6} positions expanded",
            path.cost
        );
    }
}

/// Eight positions beside each other.
fn print_boards(nodes: &[u32]) {
    for boards in nodes.chunks(8) {
        for y in 0..3 {
            let row = |&node: &u32| {
                let tiles = board(node)[3 * y..3 * y + 3].to_vec();
                let tiles = tiles.iter().map(|tile| tile.to_string().replace('0', " "));
                tiles.collect::<Vec<_>>().join(" ")
            };
            println!(
                "{}",
                boards.iter().map(row).collect::<Vec<_>>().join("  |  ")
            );
        }
        println!();
    }
}
