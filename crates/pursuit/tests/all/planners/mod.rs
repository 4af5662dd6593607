//! Searches that are kept: anytime searches, which go on after an answer, and incremental ones, which go on after
//! an edit. Each is held against a new search by something simpler, on random graphs and grids. How much work they spare is
//! counted.

mod anytime;
mod grids;
mod incremental;
mod nodes;
mod savings;
