//! The pictures in docs as grids and words of bits, so that tests can check them.

use crate::cell::Cell;
use crate::grid::Grid;
use crate::jump::boards::JumpPointBoards;
use crate::jump::diagonal::{DiagonalLines, DiagonalWord, UpdateIndex};
use crate::jump::journal::Journaled;
use crate::jump::node::Node;

/// A line of a picture of bits: `1` is set, all else is not. Spaces do not count.
pub(crate) fn bits(picture: &str) -> u64 {
    let bits = picture.split_whitespace().zip(0..);
    bits.map(|(mark, bit)| u64::from(mark == "1") << bit).sum()
}

/// A line of a picture of cells: all but `#` are set, as far as the picture goes.
pub(crate) fn free_cells(picture: &str) -> u64 {
    let cells = picture.split_whitespace().zip(0..);
    cells.map(|(mark, bit)| u64::from(mark != "#") << bit).sum()
}

/// The first bits of a word as a line of a picture.
pub(crate) fn picture(word: u64, width: u32) -> String {
    let marks = (0..width).map(|bit| if word >> bit & 1 != 0 { "1" } else { "." });
    marks.collect::<Vec<_>>().join(" ")
}

/// A picture of cells: `#` is a wall, all else is free. The first line is the highest. There are no more lines than
/// columns, so that x is `u` and y is `v`.
pub(crate) fn grid(lines: &[&str]) -> Grid {
    let marks: Vec<Vec<&str>> = lines
        .iter()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let (width, height) = (marks[0].len(), marks.len());
    assert!(height <= width, "{width} x {height}");
    let is_free = |Cell { x, y }: Cell| marks[height - 1 - y as usize][x as usize] != "#";
    Grid::from_fn(width as u32, height as u32, is_free).expect("a good size")
}

/// Boards of a picture of cells.
pub(crate) fn boards(lines: &[&str]) -> JumpPointBoards {
    JumpPointBoards::new(&grid(lines))
}

/// A single diagonal of one word.
pub(crate) fn diagonal(word: DiagonalWord) -> DiagonalLines {
    DiagonalLines {
        stride: 1,
        words: Journaled::new(vec![word].into()),
        update_index: UpdateIndex::default(),
    }
}

/// A picture of the way out of each dead end. All other cells are dots.
pub(crate) fn ways_out(boards: &JumpPointBoards) -> Vec<String> {
    let stride = boards.lines[0].stride;
    let mark = |slot: u32| match boards.dead_ends.exit_slot(slot) {
        None => ".",
        Some(out) if out == slot + 1 => ">",
        Some(out) if out == slot + stride => "^",
        Some(out) if out == slot - 1 => "<",
        Some(_) => "v",
    };
    let line = |v: u32| {
        let marks = (0..boards.u_side).map(|u| mark(boards.slot(Node { u, v })));
        marks.collect::<Vec<_>>().join(" ")
    };
    (0..boards.v_side).rev().map(line).collect()
}
