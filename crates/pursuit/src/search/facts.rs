//! What is known about a grid before a search on it begins.

use super::known_paths::KnownPaths;
use crate::cell::DiagonalPolicy;
use crate::grid::Grid;
use crate::jump::boards::JumpPointBoards;
use crate::region::Regions;

/// What was worked out about a grid, and spares searches work. The caller makes sure that it is about
/// this very grid and the policy of the search: a [`BodyLayers`](crate::BodyLayers) owns all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridFacts<'a> {
    /// An unreachable goal costs no more than the way to the nearest cell that is reachable.
    pub(crate) regions: &'a Regions,
    /// Where walks over the grid stop; absent where no search goes by jump points, and on strips.
    pub(crate) boards: Option<&'a JumpPointBoards>,
    /// [`Algorithm::Auto`](super::Algorithm::Auto) answers from them where they are valid for what is asked.
    pub(crate) known_paths: Option<&'a dyn KnownPaths>,
}

impl GridFacts<'_> {
    /// Whether they may be about this grid and this policy, as far as that can be told.
    pub(crate) fn fit(self, grid: &Grid, diagonals: DiagonalPolicy) -> bool {
        let fits = |paths: &dyn KnownPaths| paths.are_of(grid, diagonals);
        self.regions.diagonals() == diagonals && self.known_paths.is_none_or(fits)
    }
}
