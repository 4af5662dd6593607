//! The bake: all the tables of a grid.

use std::fmt;
use std::sync::atomic::AtomicBool;

use super::climb::Climb;
use super::contract::Hierarchy;
use super::corners::Corners;
use super::error::{MAX_COST, TablesError};
use super::graph;
use super::labels::Labels;
use super::rays::Rays;
use crate::cancel::Cancel;
use crate::cell::DiagonalPolicy;
use crate::cost::HALF_DIAGONAL;
use crate::grid::Grid;
use crate::region::Regions;

/// Queries climb only on grids with at most this many free cells: twice the cost of a path over all of them
/// still fits into 32 bits.
const MAX_CLIMB_CELLS: usize = (u32::MAX / 2 / HALF_DIAGONAL) as usize;

/// Bounds of a bake.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Corners with more edges than this are not contracted.
    pub(super) degree: usize,
    /// Most entries of labels; where there would be more, queries climb.
    pub(super) entries: usize,
}

impl Limits {
    fn of(grid: &Grid) -> Self {
        Self {
            degree: 16,
            entries: 8 * grid.cell_count() + (1 << 16),
        }
    }
}

/// A bake of a whole map that answers queries for cheapest paths in microseconds.
///
/// Only for grids whose free cells all cost the same, under [`DiagonalPolicy::NoCornerCut`]. Belongs to one grid and
/// stays right about that grid; an edit calls for new tables.
pub struct SearchTables {
    identity: u64,
    pub(super) regions: Regions,
    pub(super) corners: Corners,
    pub(super) rays: Rays,
    pub(super) index: Index,
}

/// How the cheapest path between two corners is found.
pub(super) enum Index {
    Labels(Labels),
    Climb(Climb),
}

impl fmt::Debug for SearchTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchTables")
            .field("identity", &self.identity)
            .field("corners", &self.corners.count())
            .field("has_labels", &matches!(self.index, Index::Labels(_)))
            .field("byte_size", &self.byte_size())
            .finish_non_exhaustive()
    }
}

impl SearchTables {
    /// Bakes the tables of a grid. Deterministic. On an idle core it takes milliseconds to some seconds on maps
    /// of games and cities, some seconds on 512² cells of which one in ten is a wall of its own, and
    /// tens of seconds on 1024² of those. On a busy machine it may take several times as long.
    ///
    /// # Errors
    ///
    /// See [`TablesError`].
    pub fn build(grid: &Grid, diagonals: DiagonalPolicy) -> Result<Self, TablesError> {
        Self::checked(grid, diagonals, Cancel::NEVER)
    }

    /// As [`build`](Self::build), with a flag to give up, which is looked at for each corner of a wall in each phase,
    /// and as in a search where one of these takes one.
    ///
    /// # Errors
    ///
    /// See [`TablesError`]; [`TablesError::Cancelled`] if the flag became `true` before the tables were baked.
    pub fn build_until(
        grid: &Grid,
        diagonals: DiagonalPolicy,
        cancel: &AtomicBool,
    ) -> Result<Self, TablesError> {
        Self::checked(grid, diagonals, Cancel::by(cancel))
    }

    fn checked(
        grid: &Grid,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<Self, TablesError> {
        if diagonals != DiagonalPolicy::NoCornerCut {
            return Err(TablesError::Diagonals(diagonals));
        }
        if grid.uniform_cost().is_none() {
            return Err(TablesError::Terrain);
        }
        if u64::from(grid.width() + grid.height()) * u64::from(HALF_DIAGONAL) > u64::from(MAX_COST)
        {
            return Err(TablesError::TooLarge);
        }
        Self::bake(grid, Limits::of(grid), cancel)
    }

    pub(super) fn bake(
        grid: &Grid,
        limits: Limits,
        cancel: Cancel<'_>,
    ) -> Result<Self, TablesError> {
        let (rays, corners) = Rays::of(grid.walls(), cancel)?;
        let edges = graph::edges(grid.walls(), &corners, &rays, cancel)?;
        let hierarchy = Hierarchy::of(edges, limits.degree, cancel)?;
        let index = match Labels::of(&hierarchy, limits.entries, cancel)? {
            Some(labels) => Index::Labels(labels),
            None if grid.free_count() > MAX_CLIMB_CELLS => return Err(TablesError::TooLarge),
            None => Index::Climb(Climb::of(&hierarchy, &corners, cancel)?),
        };
        Ok(Self {
            identity: grid.identity(),
            regions: Regions::labeled(grid.walls(), DiagonalPolicy::NoCornerCut, cancel)?,
            corners,
            rays,
            index,
        })
    }

    /// Whether these are the tables of that grid or of a clone of it, under that policy.
    pub(crate) fn answer_for(&self, grid: &Grid, diagonals: DiagonalPolicy) -> bool {
        self.identity == grid.identity() && diagonals == DiagonalPolicy::NoCornerCut
    }

    /// Memory that the tables hold, in bytes, without the regions' few.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        let index = match &self.index {
            Index::Labels(labels) => labels.byte_size(),
            Index::Climb(climb) => climb.byte_size(),
        };
        self.corners.byte_size() + self.rays.byte_size() + index
    }
}
