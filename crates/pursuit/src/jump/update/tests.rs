use proptest::prelude::*;

use super::*;
use crate::bits::rows::BitRows;
use crate::cancel::uncancelled;
use crate::cell::DiagonalPolicy;
use crate::grid::Grid;
use crate::jump::boards::{Skips, lines_and_diagonals};
use crate::jump::dead_ends::straight_neighbor;
use crate::jump::naive::{any_large_grid, random};
use crate::jump::scattered::Scattered;
use crate::region::Regions;
use crate::search::oracle::{self, cases};
use crate::search::{Algorithm, GridFacts, PathOptions, Search, SearchScratch};

/// What an edit makes of a rectangle.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Block,
    Free,
    Toggle,
    Noise(u64),
}

fn any_edit() -> impl Strategy<Value = (f64, f64, i32, i32, Edit)> {
    let edit = prop_oneof![
        Just(Edit::Block),
        Just(Edit::Free),
        Just(Edit::Toggle),
        any::<u64>().prop_map(Edit::Noise),
    ];
    let side = || prop_oneof![3 => 1i32..4, 1 => 1i32..20, 1 => 60i32..70];
    (0.0f64..1.0, 0.0f64..1.0, side(), side(), edit)
}

/// The rectangle of an edit, which may stick out of the grid.
fn place(grid: &Grid, (x, y, width, height, _): (f64, f64, i32, i32, Edit)) -> CellRect {
    let along = |share: f64, side: u32| (share * f64::from(side + 4)) as i32 - 2;
    let min = Cell::new(along(x, grid.width()), along(y, grid.height()));
    CellRect::new(min, min.offset(width, height))
}

fn apply(grid: &Grid, rect: CellRect, edit: Edit) -> Grid {
    Grid::from_fn(grid.width(), grid.height(), |cell| {
        if !rect.contains(cell) {
            return grid.is_free(cell);
        }
        match edit {
            Edit::Block => false,
            Edit::Free => true,
            Edit::Toggle => !grid.is_free(cell),
            Edit::Noise(seed) => !random(seed, cell.x, cell.y).is_multiple_of(3),
        }
    })
    .expect("a good size")
}

/// What holds after every update: the boards are about the free cells of the grid, dead ends are such, though some
/// may be missing, and all layers are those of boards made anew of what is left.
pub(crate) fn check_updated(boards: &JumpPointBoards, grid: &Grid) -> Result<(), TestCaseError> {
    check_dead_ends(boards, grid)?;
    // Those that no edit has touched yet have no index.
    let mut boards = boards.clone();
    boards.prepare_updates();
    check_layers(&boards)
}

fn check_dead_ends(boards: &JumpPointBoards, grid: &Grid) -> Result<(), TestCaseError> {
    let lines = &boards.lines[0];
    let is_left = |slot: u32| lines.free[slot as usize / 64] >> (slot % 64) & 1 != 0;
    for cell in grid.rect().cells() {
        let slot = boards.slot(boards.node(cell));
        let is_in = boards.dead_ends.contains(slot);
        prop_assert!(!(is_left(slot) && is_in), "{cell} is both");
        prop_assert_eq!(is_left(slot) || is_in, grid.is_free(cell), "{}", cell);
        let Some(out) = boards.dead_ends.exit_slot(slot) else {
            continue;
        };
        for beside in (0..4).map(|exit| straight_neighbor(slot, exit, lines.stride)) {
            let is_free = cells::is_free(boards, beside);
            if beside == out {
                prop_assert!(is_free, "{} leads into a wall", cell);
            } else if is_free {
                let back = boards.dead_ends.exit_slot(beside);
                prop_assert_eq!(back, Some(slot), "{} has two ways out", cell);
            }
        }
        let ways = std::iter::successors(Some(slot), |&at| boards.dead_ends.exit_slot(at));
        prop_assert!(
            ways.count() <= grid.cell_count(),
            "{} leads in a circle",
            cell
        );
    }
    Ok(())
}

/// All layers are those of boards made anew of the same free cells.
fn check_layers(boards: &JumpPointBoards) -> Result<(), TestCaseError> {
    let by_u = BitRows {
        row_words: boards.lines[0].stride as usize / 64,
        words: boards.lines[0].free.to_vec(),
    };
    let all: Vec<u64> = (0..by_u.words.len() as u32)
        .map(|index| {
            let bits =
                (0..64).map(|bit| u64::from(cells::is_free(boards, index * 64 + bit)) << bit);
            bits.sum()
        })
        .collect();
    let all = BitRows { words: all, ..by_u };
    let expected = Scattered::count(&all, boards.u_side, boards.v_side);
    prop_assert_eq!(boards.scattered, expected);
    let (lines, diagonals) = lines_and_diagonals(
        by_u,
        (boards.u_side, boards.v_side),
        Skips::DeadEndsAndDominated,
        Cancel::NEVER,
    )
    .expect("nobody cancels it");
    let mut anew = boards.clone();
    (anew.lines, anew.diagonals) = (lines, diagonals);
    anew.prepare_updates();
    check_equal_words(boards, &anew)
}

pub(super) fn check_equal(
    boards: &JumpPointBoards,
    anew: &JumpPointBoards,
) -> Result<(), TestCaseError> {
    let (mut boards, mut anew) = (boards.clone(), anew.clone());
    boards.prepare_updates();
    anew.prepare_updates();
    let (boards, anew) = (&boards, &anew);
    for slot in 0..boards.slot_count() as u32 {
        let both = [boards, anew].map(|boards| boards.dead_ends.exit_slot(slot));
        prop_assert_eq!(both[0], both[1], "{:?}", boards.slot_node(slot));
    }
    prop_assert_eq!(boards.scattered, anew.scattered);
    check_equal_words(boards, anew)
}

/// Boards that count as in one state are equal. Those that no edit has touched yet may have no index.
pub(crate) fn check_one_state(
    one: &JumpPointBoards,
    other: &JumpPointBoards,
) -> Result<(), TestCaseError> {
    if one.version.is_same(&other.version) {
        prop_assert_eq!(one.is_settled, other.is_settled);
        if one.has_update_index() && other.has_update_index() {
            check_equal_words(one, other)?;
        }
        check_equal(one, other)?;
    }
    Ok(())
}

fn check_equal_words(
    boards: &JumpPointBoards,
    anew: &JumpPointBoards,
) -> Result<(), TestCaseError> {
    for (axis, (lines, anew)) in boards.lines.iter().zip(&anew.lines).enumerate() {
        prop_assert_eq!(&*lines.free, &*anew.free, "free along {}", axis);
        for (down, (words, anew)) in lines.words.iter().zip(&anew.words).enumerate() {
            let differing = words
                .iter()
                .zip(&**anew)
                .position(|(word, anew)| word != anew);
            let pair = differing.map(|place| (place, words[place], anew[place]));
            prop_assert_eq!(pair, None, "axis {}, down {}", axis, down);
        }
    }
    for (falling, (diagonals, anew)) in boards.diagonals.iter().zip(&anew.diagonals).enumerate() {
        let pairs = diagonals.words.iter().zip(&*anew.words);
        let differing = pairs.enumerate().find(|(_, (word, anew))| word != anew);
        prop_assert_eq!(differing, None, "falling {}", falling);
        let (index, anew) = (&diagonals.update_index, &anew.update_index);
        prop_assert_eq!(&*index.jump_points, &*anew.jump_points);
        prop_assert_eq!(&*index.counts, &*anew.counts);
    }
    Ok(())
}

/// Paths by some boards of a grid cost what the oracle says.
fn check_searches(grid: &Grid, boards: &JumpPointBoards, seed: u64) -> Result<(), TestCaseError> {
    let free: Vec<Cell> = grid
        .rect()
        .cells()
        .filter(|&cell| grid.is_free(cell))
        .collect();
    let Some(last) = free.len().checked_sub(1) else {
        return Ok(());
    };
    let pick = |which: i32| free[random(seed, which, 0) as usize % (last + 1)];
    let options = PathOptions {
        algorithm: Algorithm::JumpPoint,
        ..PathOptions::default()
    };
    let facts = GridFacts {
        grid,
        regions: &Regions::of(grid, DiagonalPolicy::NoCornerCut),
        boards: Some(boards),
        known_paths: None,
    };
    let mut scratch = SearchScratch::new();
    for from in 0..2 {
        let start = pick(from);
        let costs = oracle::distances(grid, start, DiagonalPolicy::NoCornerCut);
        for goal in (2..12).map(pick) {
            let search = Search::with_facts(facts, start, goal, options, &mut scratch);
            let found = search.and_then(|search| search.finish(&mut (), Cancel::NEVER));
            let found = found.expect("both ends are inside");
            let walked = oracle::path_cost(grid, &found.path, DiagonalPolicy::NoCornerCut);
            prop_assert_eq!(walked, Some(found.path.cost));
            let index = grid.index(goal).expect("inside").get();
            let reached = found.path.end() == Some(goal);
            prop_assert_eq!(
                reached.then_some(found.path.cost),
                costs[index],
                "{} to {}",
                start,
                goal
            );
        }
    }
    Ok(())
}

/// When they have settled, they are boards made anew of the grid.
fn check_settled(
    boards: &JumpPointBoards,
    grid: &Grid,
    scratch: &mut UpdateScratch,
) -> Result<(), TestCaseError> {
    let mut copy = boards.clone();
    let mut boards = boards.clone();
    uncancelled(|cancel| boards.settle(grid.walls().words(), scratch, cancel));
    prop_assert!(copy.catch_up(&boards));
    let anew = JumpPointBoards::new(grid);
    prop_assert!(boards.is_settled() && copy.is_settled());
    check_equal(&boards, &anew)?;
    check_equal(&copy, &anew)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500)))]

    #[test]
    fn updated_boards_equal_rebuilt_boards_of_the_same_free_cells(
        grid in any_large_grid(), edits in prop::collection::vec(any_edit(), 1..7),
        max_fills in prop_oneof![Just(u32::MAX), 0u32..6],
    ) {
        let mut scratch = UpdateScratch::default();
        let mut boards = JumpPointBoards::new(&grid);
        boards.prepare_updates();
        let mut copy = boards.clone();
        let mut grid = grid;
        for edit in edits {
            let rect = place(&grid, edit);
            grid = apply(&grid, rect, edit.4);
            boards.clear_journals();
            scratch.start(boards.slot_count());
            boards.collect_edits(grid.walls().words(), rect, &mut scratch);
            boards.version.bump();
            boards.is_settled = false;
            cells::apply(&mut boards, &mut scratch, max_fills);
            uncancelled(|cancel| boards.update_layers(&mut scratch, cancel));
            check_updated(&boards, &grid)?;
            prop_assert!(copy.catch_up(&boards));
            check_equal(&copy, &boards)?;
        }
        check_settled(&boards, &grid, &mut scratch)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(400)))]

    #[test]
    fn searches_on_updated_boards_find_paths_of_the_oracles_cost(
        grid in any_large_grid(), edits in prop::collection::vec(any_edit(), 1..5), seed: u64,
    ) {
        let mut grid = grid;
        let mut scratch = UpdateScratch::default();
        let mut boards = JumpPointBoards::new(&grid);
        for edit in edits {
            let rect = place(&grid, edit);
            grid = apply(&grid, rect, edit.4);
            boards.clear_journals();
            uncancelled(|cancel| boards.update(grid.walls().words(), [rect], &mut scratch, cancel));
            check_searches(&grid, &boards, seed)?;
        }
    }
}

#[test]
fn an_edit_that_changes_nothing_writes_nothing() {
    let grid =
        Grid::from_fn(100, 70, |cell| cell.x % 9 != 4 || cell.y % 5 == 1).expect("a good size");
    let mut boards = JumpPointBoards::new(&grid);
    let mut scratch = UpdateScratch::default();
    uncancelled(|cancel| {
        boards.update(
            grid.walls().words(),
            [grid.rect().grow(3)],
            &mut scratch,
            cancel,
        )
    });
    assert!(scratch.edits.is_empty() && scratch.flipped_cells.is_empty());
}

#[test]
fn a_copy_catches_up_with_boards_that_a_large_edit_rebuilds() -> Result<(), TestCaseError> {
    let mut grid = Grid::from_fn(90, 140, |_| true).expect("a good size");
    let mut scratch = UpdateScratch::default();
    let mut boards = JumpPointBoards::new(&grid);
    let mut copy = boards.clone();
    let large = CellRect::new(Cell::new(20, 30), Cell::new(80, 90));
    let small = CellRect::new(Cell::new(2, 110), Cell::new(5, 112));
    let (one, other, both) = (&[large][..], &[small][..], &[large, small][..]);
    for (seed, rects) in (1..).zip([other, one, other, one, both, both, other, both]) {
        boards.clear_journals();
        for &rect in rects {
            grid = apply(&grid, rect, Edit::Noise(seed));
            uncancelled(|cancel| boards.update(grid.walls().words(), [rect], &mut scratch, cancel));
        }
        let is_anew = boards.diagonals[0].update_index.jump_points.is_empty();
        assert_eq!(is_anew, rects == one, "{rects:?}");
        prop_assert!(copy.catch_up(&boards));
        check_equal(&copy, &boards)?;
        boards.prepare_updates();
        check_layers(&boards)?;
    }
    Ok(())
}

#[test]
fn catching_up_keeps_a_copy_ready_for_updates() {
    let grid = Grid::from_fn(90, 140, |cell| cell.x % 7 > 0).expect("a good size");
    let mut boards = JumpPointBoards::new(&grid);
    let mut copy = boards.clone();
    copy.prepare_updates();
    assert!(copy.catch_up(&boards));
    let is_ready = |boards: &JumpPointBoards| !boards.diagonals[0].update_index.counts.is_empty();
    assert!(is_ready(&copy) && !is_ready(&boards));
    // The other way around, the next update brings it along.
    let rect = CellRect::new(Cell::new(20, 30), Cell::new(23, 32));
    let edited = apply(&grid, rect, Edit::Block);
    copy.clear_journals();
    let scratch = &mut UpdateScratch::default();
    uncancelled(|cancel| copy.update(edited.walls().words(), [rect], scratch, cancel));
    assert!(boards.catch_up(&copy) && is_ready(&boards));
}

#[test]
fn many_small_edits_rebuild_the_boards_but_few_do_not() {
    let open = Grid::from_fn(256, 256, |_| true).expect("a good size");
    let mut scratch = UpdateScratch::default();
    for (count, is_anew) in [(4, false), (40, true)] {
        let walls = (0..count).map(|k| Cell::new(k * 31 % 250, k * 53 % 250));
        let mut boards = JumpPointBoards::new(&open);
        boards.prepare_updates();
        let mut builder = open.to_builder();
        let rects: Vec<_> = walls
            .map(|wall| CellRect::new(wall, wall.offset(2, 2)))
            .collect();
        rects.iter().for_each(|rect| {
            builder.fill(*rect, false);
        });
        let grid = builder.build();
        uncancelled(|cancel| boards.update(grid.walls().words(), rects, &mut scratch, cancel));
        let updates = &boards.diagonals[0].update_index.jump_points;
        assert_eq!(updates.is_empty(), is_anew, "{count} walls");
    }
}

proptest! {
    #[test]
    fn overlapping_edits_at_once_equal_edits_one_by_one(
        grid in any_large_grid(), edits in prop::collection::vec(any_edit(), 1..9),
    ) {
        let mut scratch = UpdateScratch::default();
        let mut boards = JumpPointBoards::new(&grid);
        boards.prepare_updates();
        let mut copy = boards.clone();
        let (mut grid, mut rects) = (grid, Vec::new());
        for edit in edits {
            let rect = place(&grid, edit);
            grid = apply(&grid, rect, edit.4);
            rects.extend([rect, rect.grow(1)]);
        }
        boards.clear_journals();
        uncancelled(|cancel| boards.update(grid.walls().words(), rects, &mut scratch, cancel));
        check_dead_ends(&boards, &grid)?;
        prop_assert!(copy.catch_up(&boards));
        check_equal(&copy, &boards)?;
        boards.prepare_updates();
        check_layers(&boards)?;
        check_settled(&boards, &grid, &mut scratch)?;
    }
}

#[test]
fn an_edit_allocates_nothing_once_the_scratch_has_grown() {
    let grid = Grid::from_fn(150, 130, |cell| (cell.x / 3 + cell.y / 7) % 4 != 0);
    let grid = grid.expect("a good size");
    let mut boards = JumpPointBoards::new(&grid);
    let mut scratch = UpdateScratch::default();
    let rect = CellRect::new(Cell::new(62, 62), Cell::new(67, 66));
    let toggled = apply(&grid, rect, Edit::Toggle);
    let mut toggle = |grid: &Grid| {
        boards.clear_journals();
        uncancelled(|cancel| boards.update(grid.walls().words(), [rect], &mut scratch, cancel));
    };
    toggle(&toggled);
    toggle(&grid);
    let count = allocation_counter::measure(|| {
        toggle(&toggled);
        toggle(&grid);
    });
    assert_eq!(count.count_total, 0);
}
