//! A search on a grid, for which layers are built.

use std::cell::RefCell;

use pursuit::{BodyLayers, Cell, FindPathError, FoundPath, Grid, PathOptions, SearchScratch};

pub(crate) fn find_path(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions,
    scratch: &mut SearchScratch,
) -> Result<FoundPath, FindPathError> {
    let layers = BodyLayers::from_grid(grid.clone(), options.diagonals);
    layers.find_path(start, goal, options, scratch)
}

thread_local! {
    /// All cases share one scratch, so that data left by one search would affect searches on grids of other sizes.
    static SCRATCH: RefCell<SearchScratch> = RefCell::default();
}

/// [`find_path`] between two valid cells.
pub(crate) fn find(grid: &Grid, ends: (Cell, Cell), options: &PathOptions) -> FoundPath {
    SCRATCH
        .with_borrow_mut(|scratch| find_path(grid, ends.0, ends.1, options, scratch))
        .expect("the arguments are right")
}
