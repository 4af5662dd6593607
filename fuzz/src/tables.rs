//! Checks search tables against the oracle.

use std::cell::RefCell;

use arbitrary::Arbitrary;
use pursuit::tables::{SearchTables, TablesError};
use pursuit::{
    BodyLayers, Cancel, DiagonalPolicy, Grid, Outcome, PathOptions, SearchScratch, oracle,
};

use crate::{AnyGrid, AnyQuery, rebuilt};

const POLICY: DiagonalPolicy = DiagonalPolicy::NoCornerCut;

/// A grid with tables, and queries for them.
#[derive(Arbitrary, Debug)]
pub struct AnyTables {
    grid: AnyGrid,
    /// The cost of every free cell. With `None`, the grid keeps its own costs.
    cost: Option<u8>,
    queries: Vec<AnyQuery>,
}

thread_local! {
    /// One scratch for all runs, so that tables of all sizes are used with the data of earlier queries.
    static SCRATCH: RefCell<SearchScratch> = RefCell::default();
}

impl AnyTables {
    /// Builds the tables and checks their answers.
    ///
    /// # Panics
    ///
    /// If an answer differs from the oracle.
    pub fn check(&self) {
        let grid = self.grid.build();
        let grid = self
            .cost
            .map_or(grid.clone(), |cost| rebuilt(&grid, |_| cost.max(1)));
        for policy in DiagonalPolicy::ALL {
            let refused = match SearchTables::build(&grid, policy, Cancel::NEVER) {
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
        for query in self.queries.iter().take(16) {
            let (start, goal) = query.cells(grid);
            let cheapest = oracle::dijkstra(grid, start, goal, POLICY);
            let found = SCRATCH.with_borrow_mut(|scratch| {
                layers.find_path(start, goal, &PathOptions::default(), scratch)
            });
            let found = found
                .ok()
                .filter(|found| found.outcome == Outcome::Complete);
            let cost = found.as_ref().map(|found| found.path.cost);
            assert_eq!(cost, cheapest, "{start} to {goal}");
            if let Some(path) = found.map(|found| found.path) {
                assert_eq!((path.start(), path.end()), (Some(start), Some(goal)));
                assert_eq!(oracle::path_cost(grid, &path, POLICY), cheapest);
            }
        }
    }
}
