//! Search tables against the oracle.

use std::cell::RefCell;

use arbitrary::Arbitrary;
use pursuit::search::oracle;
use pursuit::tables::{SearchTables, TablesError, TablesScratch};
use pursuit::{BodyLayers, Cell, DiagonalPolicy, Grid, Outcome, PathOptions, SearchScratch};

use crate::{AnyGrid, AnyQuery};

const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;

/// A grid with tables, and what is asked of them.
#[derive(Arbitrary, Debug)]
pub struct AnyTables {
    grid: AnyGrid,
    /// What every free cell costs; as the grid has it if absent.
    cost: Option<u8>,
    queries: Vec<AnyQuery>,
}

thread_local! {
    /// One for all runs: what a query leaves behind meets tables of all other sizes.
    static SCRATCH: RefCell<(TablesScratch, Vec<Cell>)> = RefCell::default();
}

impl AnyTables {
    /// Builds the tables and asks them.
    ///
    /// # Panics
    ///
    /// Where an answer is not the oracle's.
    pub fn check(&self) {
        let grid = self.grid.build();
        let grid = self
            .cost
            .map_or(grid.clone(), |cost| even(&grid, cost.max(1)));
        for policy in DiagonalPolicy::ALL {
            let refused = match SearchTables::build(&grid, policy) {
                Ok(tables) => {
                    self.ask(&grid, tables);
                    continue;
                }
                Err(error) => error,
            };
            let expected = if policy == POLICY {
                assert_eq!(grid.uniform_cost(), None);
                TablesError::Terrain
            } else {
                TablesError::Diagonals(policy)
            };
            assert_eq!(refused, expected);
        }
    }

    fn ask(&self, grid: &Grid, tables: SearchTables) {
        let layers = BodyLayers::from_grid(grid.clone(), POLICY);
        assert!(layers.set_tables(tables));
        let tables = layers.tables().expect("they were taken");
        for query in self.queries.iter().take(16) {
            let (start, goal) = query.cells(grid);
            let cheapest = oracle::dijkstra(grid, start, goal, POLICY);
            SCRATCH.with_borrow_mut(|(scratch, turns)| {
                let answer = tables.find(start, goal, scratch, turns);
                assert_eq!(
                    answer.map(|answer| answer.cost),
                    cheapest,
                    "{start} to {goal}"
                );
                if cheapest.is_some() {
                    let cells = cells(turns);
                    assert_eq!((cells[0], cells[cells.len() - 1]), (start, goal));
                    assert_eq!(oracle::walk_cost(grid, &cells, POLICY), cheapest);
                }
            });
            let (options, mut scratch) = (PathOptions::default(), SearchScratch::new());
            let found = layers.find_path(start, goal, &options, &mut scratch);
            let found = found
                .ok()
                .filter(|found| found.outcome == Outcome::Complete);
            assert_eq!(found.map(|found| found.path.cost), cheapest);
        }
    }
}

/// The same walls, on ground that costs the same everywhere.
fn even(grid: &Grid, cost: u8) -> Grid {
    let mut builder = Grid::builder(grid.width(), grid.height()).expect("a good size");
    for cell in grid.rect().cells() {
        let set = builder
            .set_free(cell, grid.is_free(cell))
            .and_then(|()| builder.set_cost(cell, cost));
        set.expect("the cell is inside");
    }
    builder.build()
}

/// All cells of a walk over turning cells.
fn cells(turns: &[Cell]) -> Vec<Cell> {
    let mut cells = vec![turns[0]];
    for pair in turns.windows(2) {
        let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
        assert!(pair[0] != pair[1], "a turn is not repeated");
        assert!(dx == 0 || dy == 0 || dx.abs() == dy.abs(), "{pair:?}");
        let steps = 1..=dx.abs().max(dy.abs());
        cells.extend(steps.map(|i| pair[0].offset(i * dx.signum(), i * dy.signum())));
    }
    cells
}
