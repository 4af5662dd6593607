//! One search on a grid of which nothing is known yet.

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
