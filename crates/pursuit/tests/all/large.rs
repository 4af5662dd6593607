//! Searches on grids as large as the largest ones in games: 8192 × 8192 cells.

use fastrand::Rng;
use pursuit::oracle::{cases, dijkstra, path_cost};
use pursuit::{
    BodyLayers, Cancel, Cell, CellRect, DiagonalPolicy, FieldBounds, FlowField, Grid,
    IntegrationField, PathOptions, SearchScratch, octile,
};

use crate::common::random::{any_cell, any_walls};

const SIDE: i32 = 8192;
/// The side of a chamber, in cells.
const CHAMBER: i32 = 90;

/// An open grid with chambers. Each chamber is closed on all sides and has the walls of a small grid inside.
fn with_chambers(chambers: &[(Cell, Grid)]) -> Grid {
    let mut builder = Grid::builder(SIDE as u32, SIDE as u32).unwrap();
    for (corner, inside) in chambers {
        let rim = CellRect::new(
            corner.offset(-1, -1),
            corner.offset(CHAMBER + 1, CHAMBER + 1),
        );
        builder.fill(rim, false);
        for cell in inside.rect().cells().filter(|cell| inside.is_free(*cell)) {
            builder
                .set_free(corner.offset(cell.x, cell.y), true)
                .unwrap();
        }
    }
    builder.build()
}

/// Each chamber is closed, so a search inside it has the same result as a search on its small grid, which the oracle
/// can check.
#[test]
fn answers_on_8192_by_8192_cells_agree_with_the_oracle() {
    let rng = &mut Rng::with_seed(8192);
    let (middle, end) = (SIDE / 2 - CHAMBER / 2, SIDE - CHAMBER);
    // The chambers lie in all corners, in the middle, and across the borders of words.
    let corners = [
        (0, 0),
        (0, end),
        (end, 0),
        (end, end),
        (middle, middle),
        (63, 2111),
    ];
    let side = CHAMBER as u32;
    let chambers: Vec<(Cell, Grid)> = corners
        .map(|(x, y)| (Cell::new(x, y), any_walls(rng, side, side)))
        .into();
    let layers = BodyLayers::from_grid(with_chambers(&chambers), DiagonalPolicy::NoCornerCut);
    let (mut scratch, mut fields) = (SearchScratch::new(), IntegrationField::new());
    let mut found = 0;
    for (corner, small) in &chambers {
        let moved = |cell: Cell| corner.offset(cell.x, cell.y);
        for _ in 0..cases::<u16>(20) {
            let (start, goal) = (any_cell(small, rng), any_cell(small, rng));
            if !small.is_free(start) || !small.is_free(goal) {
                continue;
            }
            let expected = dijkstra(small, start, goal, DiagonalPolicy::NoCornerCut);
            let (from, to) = (moved(start), moved(goal));
            assert_eq!(layers.is_reachable(from, to), expected.is_some());
            let Some(expected) = expected else { continue };
            let path = layers.find_path(from, to, &PathOptions::default(), &mut scratch);
            let path = path.unwrap().path;
            assert_eq!((path.start(), path.end()), (Some(from), Some(to)));
            assert_eq!(path.cost, expected, "from {from} to {to}");
            let walked = path_cost(layers.grid(), &path, DiagonalPolicy::NoCornerCut);
            assert_eq!(walked, Some(expected));
            let rect = CellRect::new(*corner, corner.offset(CHAMBER, CHAMBER));
            let bounds = FieldBounds {
                rect: Some(rect),
                max_cost: None,
            };
            let field =
                FlowField::build(&layers, &[(to, 0)], bounds, &mut fields, Cancel::NEVER).unwrap();
            assert_eq!(field.cost(from).map(u64::from), Some(expected));
            found += 1;
        }
    }
    assert!(found > cases(20), "only {found} paths");
    // No chamber is between these two cells, so the cheapest path costs the octile distance.
    let [from, to] = [Cell::new(1000, 10), Cell::new(7000, 1500)];
    let path = layers.find_path(from, to, &PathOptions::default(), &mut scratch);
    let path = path.unwrap().path;
    assert_eq!(path.cost, octile(from, to));
    let walked = path_cost(layers.grid(), &path, DiagonalPolicy::NoCornerCut);
    assert_eq!(walked, Some(path.cost));
}
