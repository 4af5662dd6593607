//! One search on a grid of which nothing is known yet.

use pursuit::{Cell, FindPathError, FoundPath, Grid, Ground, PathOptions, SearchScratch};

pub(crate) fn find_path(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions,
    scratch: &mut SearchScratch,
) -> Result<FoundPath, FindPathError> {
    let ground = Ground::from_grid(grid.clone(), options.diagonals);
    ground.find_path(start, goal, options, scratch)
}
