//! The picture of an update, and which cells it takes for edited.

use proptest::prelude::*;

use super::*;
use crate::cancel::uncancelled;
use crate::grid::Grid;
use crate::jump::naive::{any_grid, random};
use crate::jump::pictures::{self, picture};

/// Of line 1, walks up: forced neighbors on the next line, stops, and the branches that are on that line.
fn line(boards: &JumpPointBoards) -> [String; 3] {
    let slot = boards.slot(Node { u: 0, v: 1 });
    let word = boards.lines[0].words[0][slot as usize / 64];
    let branches = (0..10).map(|u| {
        let (_, index) = boards.diagonal_word::<true>(Node { u, v: 1 });
        (boards.diagonals[0].words[index as usize].branches_up[0] >> 1 & 1) << u
    });
    let words = [word.forced_neighbors[0], word.stops, branches.sum()];
    words.map(|word| picture(word, 10))
}

/// Of the rising diagonal from the third cell of the lowest line: open steps and branches of walks up.
fn diagonal(boards: &JumpPointBoards) -> [String; 3] {
    let (_, index) = boards.diagonal_word::<true>(Node { u: 2, v: 0 });
    let word = boards.diagonals[0].words[index as usize];
    let [along_u, along_v] = word.branches_up;
    [word.open, along_u, along_v].map(|word| picture(word, 5))
}

#[test]
fn the_picture_of_an_update_matches_the_code() {
    let before = [". . . . . . . . . ."; 5];
    let mut after = before;
    after[2] = ". . . . . # . . . .";
    let mut boards = pictures::boards(&before);
    assert_eq!(line(&boards), [". . . . . . . . . ."; 3]);
    assert_eq!(diagonal(&boards), ["1 1 1 1 .", ". . . . .", ". . . . ."]);

    let grid = pictures::grid(&after);
    let x = Cell::new(5, 2);
    let rect = CellRect::new(x, x.offset(1, 1));
    uncancelled(|cancel| {
        boards.update(
            grid.walls().words(),
            [rect],
            &mut UpdateScratch::default(),
            cancel,
        )
    });
    let forced = ". . . . . . 1 . . .";
    assert_eq!(line(&boards), [forced, forced, "1 1 1 1 1 1 . . . ."]);
    assert_eq!(diagonal(&boards), ["1 1 . 1 .", ". 1 . 1 .", ". . 1 . ."]);
    let corners = [(4, 1), (6, 1), (4, 3), (6, 3)].map(|(x, y)| Cell::new(x, y));
    for cell in grid.rect().cells() {
        let is_corner = corners.contains(&cell);
        assert_eq!(boards.is_jump_point(cell), is_corner, "{cell}");
    }
    assert!(boards.is_equal(&pictures::boards(&after)));
}

proptest! {
    #[test]
    fn collected_edits_are_the_changed_cells_of_the_rectangle(
        grid in any_grid(), seed: u64, rarely in 2u32..40,
        (x, y, width, height) in (-3i32..130, -3i32..130, 0i32..140, 0i32..140),
    ) {
        let rect = CellRect::new(Cell::new(x, y), Cell::new(x + width, y + height));
        let is_edited = |cell: Cell| random(seed, cell.x, cell.y).is_multiple_of(rarely);
        let edited = Grid::from_fn(grid.width(), grid.height(), |cell| {
            grid.is_free(cell) != is_edited(cell)
        });
        let edited = edited.expect("a good size");
        let boards = JumpPointBoards::new(&grid);
        let mut scratch = UpdateScratch::default();
        boards.collect_edits(edited.walls().words(), rect, &mut scratch);
        // What differs outside of the rectangle is not looked at.
        let cells = grid.rect().intersect(&rect).cells().filter(|&cell| is_edited(cell));
        let expected: Vec<_> = cells
            .map(|cell| (boards.slot(boards.node(cell)), edited.is_free(cell)))
            .collect();
        prop_assert_eq!(scratch.edits, expected);
    }
}
