//! The cheapest path between two cells of a grid, in one call.

use std::sync::atomic::AtomicBool;

use super::options::{FindPathError, FoundPath, PathOptions};
use super::recorder::SearchRecorder;
use super::scratch::SearchScratch;
use super::sliced::Search;
use crate::cell::Cell;
use crate::grid::Grid;

/// Finds the cheapest path from `start` to `goal`, both included, or, when `goal` cannot be reached,
/// to the nearest cell that can: see
/// [`Outcome::Partial`](super::Outcome::Partial).
///
/// A step costs [`STRAIGHT`](super::STRAIGHT) or [`DIAGONAL`](super::DIAGONAL) times the mean of the
/// terrain costs of its two cells. `start == goal` is a complete path of one cell. Same arguments,
/// same answer, whatever the scratch was used for before. Where all free cells cost the same, that is the
/// answer for cells of cost 1 with its costs multiplied.
///
/// A goal out of reach costs a search of all that can be reached. Where many searches go over one grid, a
/// [`Ground`](crate::Ground) knows that beforehand: see
/// [`Ground::from_grid`](crate::Ground::from_grid).
///
/// # Errors
///
/// See [`FindPathError`]; no error is a matter of reachability.
///
/// ```
/// use pursuit::{Cell, Grid, Outcome, PathOptions, SearchScratch, find_path};
///
/// // Three columns and rows with a wall in the middle.
/// let grid = Grid::from_fn(3, 3, |cell| cell != Cell::new(1, 1)).expect("a good size");
/// let mut scratch = SearchScratch::new();
/// let (start, goal) = (Cell::new(0, 1), Cell::new(2, 1));
/// let found = find_path(&grid, start, goal, &PathOptions::default(), &mut scratch)?;
/// assert_eq!(found.outcome, Outcome::Complete);
/// assert_eq!(found.path.length(), 4.0); // around the wall without cutting its corners
/// # Ok::<(), pursuit::FindPathError>(())
/// ```
pub fn find_path(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions,
    scratch: &mut SearchScratch,
) -> Result<FoundPath, FindPathError> {
    find_path_recorded(grid, start, goal, options, scratch, &mut ())
}

/// As [`find_path`], with a flag to give up: see [`Search::finish_until`].
///
/// # Errors
///
/// See [`FindPathError`].
pub fn find_path_until(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions,
    scratch: &mut SearchScratch,
    cancel: &AtomicBool,
) -> Result<FoundPath, FindPathError> {
    Search::start(grid, start, goal, options, scratch)?.finish_until(&mut (), cancel)
}

/// The same as [`find_path`], and tells `recorder` what the search does.
///
/// # Errors
///
/// See [`FindPathError`].
pub fn find_path_recorded<R: SearchRecorder>(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions,
    scratch: &mut SearchScratch,
    recorder: &mut R,
) -> Result<FoundPath, FindPathError> {
    Search::start(grid, start, goal, options, scratch)?.finish(recorder)
}
