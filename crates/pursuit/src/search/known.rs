//! What is known about a grid before a search on it begins.

use crate::region::Regions;
use crate::tables::SearchTables;

/// What was worked out about a grid, and spares searches work. Who hands it over sees to it that it is about
/// this very grid and the policy of the search: a [`Ground`](crate::Ground) owns all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    /// An unreachable goal costs no more than the way to the nearest cell that is reachable.
    pub(crate) regions: &'a Regions,
    /// [`Algorithm::Auto`](super::Algorithm::Auto) answers from them where they are valid for what is asked.
    pub(crate) tables: Option<&'a SearchTables>,
}
