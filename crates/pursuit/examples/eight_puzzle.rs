//! The eight-puzzle: slide tiles until they are in order, in as few moves as possible. The A\* that finds
//! paths on maps also finds the moves; all it needs is a [`SearchSpace`].
//!
//! `cargo run --release -p pursuit --example eight_puzzle`
//!
//! Searches need dense node numbers. A position is a permutation of nine tiles, so its node is its rank among
//! the 9! = 362,880 permutations in lexicographic order (Lehmer, 1960).

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use pursuit::{Guarantee, SearchLimits, SearchScratch, SearchSpace, astar};

/// Tiles row by row. 0 is the gap.
pub(crate) type Board = [u8; 9];

pub(crate) const SOLVED: Board = [1, 2, 3, 4, 5, 6, 7, 8, 0];
/// One of the two positions that take 31 moves, which is the maximum.
pub(crate) const HARDEST: Board = [8, 6, 7, 2, 5, 4, 3, 0, 1];

pub(crate) struct Puzzle;

impl SearchSpace for Puzzle {
    type Place = Board;

    fn node_count(&self) -> u32 {
        362_880
    }

    fn place(&self, node: u32) -> Board {
        board(node)
    }

    fn is_goal(&self, node: u32) -> bool {
        node == rank(&SOLVED)
    }

    /// Sum of the distances of all tiles from their places, along rows and columns.
    fn heuristic(&self, board: Board) -> u64 {
        let tiles = board.iter().enumerate().filter(|&(_, &tile)| tile != 0);
        let away = tiles.map(|(at, &tile)| {
            let home = usize::from(tile) - 1;
            (at % 3).abs_diff(home % 3) + (at / 3).abs_diff(home / 3)
        });
        away.sum::<usize>() as u64
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn for_each_neighbor(&self, _: u32, board: Board, mut visit: impl FnMut(u32, Board, u32)) {
        let gap = board.iter().position(|&tile| tile == 0).unwrap_or(0);
        for tile in 0..9 {
            let apart = (gap % 3).abs_diff(tile % 3) + (gap / 3).abs_diff(tile / 3);
            if apart == 1 {
                let mut next = board;
                next.swap(gap, tile);
                visit(rank(&next), next, 1);
            }
        }
    }
}

/// The node of a position.
pub(crate) fn rank(board: &Board) -> u32 {
    let smaller = |at: usize| {
        board[at + 1..]
            .iter()
            .filter(move |&&later| later < board[at])
    };
    (0..9).fold(0, |rank, at| {
        rank * (9 - at as u32) + smaller(at).count() as u32
    })
}

/// The position of a node.
pub(crate) fn board(mut node: u32) -> Board {
    let mut board = [0; 9];
    for at in (0..9).rev() {
        let base = 9 - at as u32;
        board[at] = (node % base) as u8;
        node /= base;
        // Later tiles that are not smaller were counted without this tile.
        for later in at + 1..9 {
            board[later] += u8::from(board[later] >= board[at]);
        }
    }
    board
}

fn main() {
    let (limits, scratch) = (SearchLimits::default(), &mut SearchScratch::new());
    let Ok(Some(path)) = astar(&Puzzle, rank(&HARDEST), &limits, scratch) else {
        return;
    };
    // Print eight positions side by side.
    for boards in path.nodes.chunks(8) {
        for y in 0..3 {
            let row = |&node: &u32| {
                let tiles = &board(node)[3 * y..3 * y + 3];
                let tiles = tiles.iter().map(|tile| tile.to_string().replace('0', " "));
                tiles.collect::<Vec<_>>().join(" ")
            };
            let rows: Vec<_> = boards.iter().map(row).collect();
            println!("{}", rows.join("  |  "));
        }
        println!();
    }
    let expanded = path.stats.expanded;
    println!("{} moves, {expanded} positions expanded", path.cost);
}
