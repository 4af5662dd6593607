//! Regions of whole grids and after edits, and the nearest cell of a region, checked against flood fills.

use std::collections::HashMap;

use fastrand::Rng;
use proptest::prelude::*;
use pursuit::maps::parse_ascii;
use pursuit::{Cell, CellRect, DiagonalPolicy, Grid, NEIGHBORS, RegionId, Regions, octile};

use crate::common::random::any_walls;

fn grid(rows: &[&str]) -> Grid {
    parse_ascii(&rows.join("\n")).unwrap().grid
}

fn region_at(regions: &Regions, x: i32, y: i32) -> RegionId {
    regions.region(Cell::new(x, y)).unwrap()
}

#[test]
fn rooms_without_a_door_are_two_regions() {
    let regions = Regions::of(
        &grid(&["..#..", "..#..", "..#.."]),
        DiagonalPolicy::NoCornerCut,
    );
    assert!(regions.ids().map(|id| regions.size(id)).eq([6, 6]));
    assert!(regions.connected(Cell::new(0, 0), Cell::new(1, 2)));
    assert!(!regions.connected(Cell::new(0, 0), Cell::new(3, 0)));
    assert_eq!(regions.region(Cell::new(2, 1)), None);
    assert_eq!(regions.region(Cell::new(5, 0)), None);
    assert_eq!(regions.region(Cell::new(0, -1)), None);
}

#[test]
fn nearest_in_finds_a_cell_for_goals_in_walls_and_outside() {
    let regions = Regions::of(
        &grid(&["..###", "..###", "....."]),
        DiagonalPolicy::NoCornerCut,
    );
    let nearest = |x, y| regions.nearest_in(RegionId(0), Cell::new(x, y));
    let equally_near = nearest(2, 1);
    assert_eq!(
        equally_near,
        Some(Cell::new(1, 1)),
        "if two cells are equally near, the one with the smaller index is expected"
    );
    assert_eq!(nearest(i32::MAX, i32::MAX), Some(Cell::new(4, 2)));
    assert_eq!(nearest(i32::MIN, i32::MIN), Some(Cell::new(0, 0)));
    assert_eq!(regions.nearest_in(RegionId(7), Cell::new(0, 0)), None);
}

#[test]
fn regions_that_differ_only_in_names_are_equal() {
    let two = grid(&["..#..", "..#.."]);
    let regions = Regions::of(&two, DiagonalPolicy::NoCornerCut);
    let mut renamed = regions.clone();
    let everywhere = two.rect();
    let one = grid(&[".....", "....."]);
    renamed.update(&one, everywhere);
    assert_ne!(renamed, regions, "different cells are free");
    renamed.update(&two, everywhere);
    assert_eq!(renamed, regions);
    assert_eq!(regions, Regions::of(&two, DiagonalPolicy::Never));
    let corner = grid(&[".#", "#."]);
    let [apart, joined] = [DiagonalPolicy::OneFree, DiagonalPolicy::Always]
        .map(|policy| Regions::of(&corner, policy));
    assert_ne!(apart, joined, "different cells are connected");
    assert_ne!(joined, apart);
    assert_ne!(apart, regions, "the sizes differ");
}

#[test]
fn a_door_joins_and_separates_two_regions_and_names_are_reused() {
    let wall =
        |open: bool| Grid::from_fn(200, 150, |cell| cell.x != 100 || open && cell.y == 77).unwrap();
    let (closed, open) = (wall(false), wall(true));
    let door = CellRect::new(Cell::new(100, 77), Cell::new(101, 78));
    let mut regions = Regions::of(&closed, DiagonalPolicy::NoCornerCut);
    for _ in 0..5 {
        regions.update(&open, door);
        assert_eq!(regions, Regions::of(&open, DiagonalPolicy::NoCornerCut));
        assert_eq!(regions.size(region_at(&regions, 0, 0)), open.free_count());
        regions.update(&closed, door);
        assert_eq!(regions, Regions::of(&closed, DiagonalPolicy::NoCornerCut));
        assert_eq!(regions.size(region_at(&regions, 0, 0)), 100 * 150);
        assert_eq!(regions.size(region_at(&regions, 199, 149)), 99 * 150);
        assert_eq!(regions.ids().count(), 2);
    }
}

#[test]
fn an_edit_that_splits_nothing_keeps_all_names() {
    let field = Grid::from_fn(300, 200, |cell| cell.x != 150).unwrap();
    let mut regions = Regions::of(&field, DiagonalPolicy::NoCornerCut);
    let names = [region_at(&regions, 0, 0), region_at(&regions, 299, 0)];
    let crate_of = CellRect::new(Cell::new(62, 62), Cell::new(65, 65));
    let mut builder = field.to_builder();
    builder.fill(crate_of, false);
    regions.update(&builder.build(), crate_of);
    assert_eq!(
        [region_at(&regions, 0, 0), region_at(&regions, 299, 0)],
        names
    );
    assert_eq!(regions.size(names[0]), 150 * 200 - 9);
}

#[test]
fn updating_to_a_grid_of_another_size_labels_it_as_a_whole() {
    let mut regions = Regions::of(&grid(&[".#."]), DiagonalPolicy::Always);
    let other = grid(&[".#.", ".#.", "#.#"]);
    regions.update(&other, CellRect::EMPTY);
    assert_eq!(regions, Regions::of(&other, DiagonalPolicy::Always));
    assert_eq!(regions.diagonals(), DiagonalPolicy::Always);
}

#[test]
fn an_undeclared_edit_does_not_panic() {
    let lone = Grid::from_fn(30, 60, |cell| cell == Cell::new(0, 0)).unwrap();
    let mut builder = lone.to_builder();
    builder.set_free(Cell::new(14, 23), true).unwrap();
    builder.set_free(Cell::new(5, 30), true).unwrap();
    let edited = builder.build();
    let declared = CellRect::new(Cell::new(5, 30), Cell::new(6, 31));
    let mut regions = Regions::of(&lone, DiagonalPolicy::NoCornerCut);
    regions.update(&edited, declared);
    assert!(regions.region(Cell::new(5, 30)).is_some());
    regions.update(&edited, edited.rect());
    assert_eq!(regions, Regions::of(&edited, DiagonalPolicy::NoCornerCut));
}

/// Labels of all cells, found by a flood fill, cell by cell.
fn flood(grid: &Grid, always: bool) -> Vec<Option<u32>> {
    let mut labels = vec![None; grid.cell_count()];
    let mut count = 0;
    for first in grid.rect().cells() {
        let index = |cell: Cell| grid.index(cell).unwrap().get();
        if !grid.is_free(first) || labels[index(first)].is_some() {
            continue;
        }
        let mut stack = vec![first];
        labels[index(first)] = Some(count);
        while let Some(cell) = stack.pop() {
            for &(dx, dy) in &NEIGHBORS[..if always { 8 } else { 4 }] {
                let next = cell.offset(dx, dy);
                if grid.is_free(next) && labels[index(next)].is_none() {
                    labels[index(next)] = Some(count);
                    stack.push(next);
                }
            }
        }
        count += 1;
    }
    labels
}

/// Panics if the regions differ from the regions of a flood fill. Their names do not matter.
fn check(grid: &Grid, regions: &Regions) {
    let policy = regions.diagonals();
    let labels = flood(grid, policy == DiagonalPolicy::Always);
    let (mut names, mut sizes) = (HashMap::new(), HashMap::new());
    for (cell, label) in grid.rect().cells().zip(labels) {
        let region = regions.region(cell);
        assert_eq!(region.is_some(), label.is_some(), "{cell} under {policy:?}");
        if let (Some(label), Some(region)) = (label, region) {
            let known = *names.entry(label).or_insert(region);
            assert_eq!(region, known, "{cell} under {policy:?}");
            *sizes.entry(region).or_insert(0) += 1;
        }
    }
    assert_eq!(
        names.len(),
        sizes.len(),
        "two regions share a name: {policy:?}"
    );
    assert_eq!(regions.ids().count(), sizes.len());
    for id in regions.ids() {
        assert_eq!(regions.size(id), sizes[&id], "{id:?} under {policy:?}");
    }
    let counted: usize = sizes.into_values().sum();
    assert_eq!(counted, grid.free_count());
}

fn any_side() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 1u32..20, 2 => 60u32..68, 2 => 125u32..131, 1 => 190u32..200]
}

/// A grid that often extends over several tiles.
fn any_grid() -> impl Strategy<Value = Grid> {
    let walls = |(width, height, seed)| any_walls(&mut Rng::with_seed(seed), width, height);
    (any_side(), any_side(), any::<u64>()).prop_map(walls)
}

/// An edit: its position as shares of the grid's width and height, its size, its kind and a seed.
type AnyEdit = (f64, f64, u32, u32, u32, u64);

fn any_edits() -> impl Strategy<Value = Vec<AnyEdit>> {
    let side = || prop_oneof![4 => 1u32..8, 1 => 1u32..150];
    let edit = (
        0.0f64..1.0,
        0.0f64..1.0,
        side(),
        side(),
        0u32..5,
        any::<u64>(),
    );
    prop::collection::vec(edit, 1..8)
}

fn apply((fx, fy, width, height, kind, seed): AnyEdit, grid: &Grid) -> (Grid, CellRect) {
    let x = (fx * f64::from(grid.width())) as i32 - 2;
    let y = (fy * f64::from(grid.height())) as i32 - 2;
    let min = Cell::new(x, y);
    let rect = CellRect::new(min, min.offset(width as i32, height as i32));
    let mut builder = grid.to_builder();
    let mut rng = Rng::with_seed(seed);
    for cell in rect.intersect(&grid.rect()).cells() {
        let free = match kind {
            0 => true,
            1 => false,
            2 => !grid.is_free(cell),
            _ => rng.u32(0..4) != 0,
        };
        builder.set_free(cell, free).unwrap();
    }
    (builder.build(), rect)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(pursuit::oracle::cases(1500)))]

    #[test]
    fn regions_agree_with_a_flood_fill(grid in any_grid()) {
        for policy in DiagonalPolicy::ALL {
            let regions = Regions::of(&grid, policy);
            check(&grid, &regions);
            prop_assert!((0..).zip(regions.ids()).all(|(number, id)| id.0 == number));
        }
    }

    #[test]
    fn updated_regions_equal_the_regions_of_the_new_grid(grid in any_grid(), edits in any_edits()) {
        let mut grid = grid;
        let mut all = DiagonalPolicy::ALL.map(|policy| Regions::of(&grid, policy));
        for (i, edit) in edits.into_iter().enumerate() {
            let (edited, rect) = apply(edit, &grid);
            grid = edited;
            for regions in &mut all {
                // A second update, or a rectangle larger than the change, makes no difference.
                regions.update(&grid, rect);
                if i % 3 == 2 {
                    regions.update(&grid, grid.rect());
                }
                prop_assert!(*regions == Regions::of(&grid, regions.diagonals()));
            }
        }
        for regions in &all {
            check(&grid, regions);
        }
    }

    #[test]
    fn nearest_in_agrees_with_a_search_of_all_cells(
        grid in any_grid(),
        x in -70i32..270,
        y in -70i32..270,
        edit in any_edits(),
    ) {
        let goal = Cell::new(x, y);
        let mut regions = Regions::of(&grid, DiagonalPolicy::NoCornerCut);
        let (grid, rect) = apply(edit[0], &grid);
        regions.update(&grid, rect);
        for region in regions.ids().take(6) {
            let expected = grid
                .rect()
                .cells()
                .filter(|&cell| regions.region(cell) == Some(region))
                .min_by_key(|&cell| octile(goal, cell));
            prop_assert_eq!(regions.nearest_in(region, goal), expected, "{:?}", region);
        }
    }
}
