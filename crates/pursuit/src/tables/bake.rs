//! Bakes all tables of a grid.

use std::fmt;

use super::contract::Hierarchy;
use super::corners::Corners;
use super::error::{MAX_TABLE_COST, TablesError};
use super::graph;
use super::labels::Labels;
use super::rays::Rays;
use crate::cancel::Cancel;
use crate::cell::DiagonalPolicy;
use crate::cost::HALF_DIAGONAL;
use crate::grid::Grid;
use crate::region::Regions;

/// Limits of a bake.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Corners with more edges than this are not contracted.
    pub(super) degree: usize,
    /// Maximum number of label entries. A bake that needs more fails.
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

/// Tables that answer queries for cheapest paths on a whole map in microseconds.
///
/// Tables exist only for grids whose free cells all cost the same, under [`DiagonalPolicy::NoCornerCut`]. They
/// belong to one grid. An edited grid needs new tables.
pub struct SearchTables {
    pub(super) identity: u64,
    pub(super) regions: Regions,
    pub(super) corners: Corners,
    pub(super) rays: Rays,
    pub(super) labels: Labels,
}

impl fmt::Debug for SearchTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchTables")
            .field("identity", &self.identity)
            .field("corners", &self.corners.count())
            .field("byte_size", &self.byte_size())
            .finish_non_exhaustive()
    }
}

impl SearchTables {
    /// Bakes the tables of a grid. The same grid always gives the same tables. On an idle core, a bake takes from
    /// milliseconds to about two seconds for maps of games and cities. On a busy machine it may take several
    /// times as long.
    ///
    /// Each phase checks `cancel` at each corner of a wall. If the work at a corner is a search, `cancel` is also
    /// checked during the search.
    ///
    /// # Errors
    ///
    /// See [`TablesError`].
    pub fn build(
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
        if u64::from(grid.width() + grid.height()) * u64::from(HALF_DIAGONAL)
            > u64::from(MAX_TABLE_COST)
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
        let edges = graph::edges(grid.walls(), &corners, cancel)?;
        let hierarchy = Hierarchy::of(edges, limits.degree, cancel)?;
        let labels = Labels::of(&hierarchy, limits.entries, cancel)?;
        Ok(Self {
            identity: grid.identity(),
            regions: Regions::labeled(grid.walls(), DiagonalPolicy::NoCornerCut, cancel)?,
            corners,
            rays,
            labels,
        })
    }

    /// Memory that the tables take, in bytes. The few bytes of the regions are not included.
    #[must_use]
    pub fn byte_size(&self) -> usize {
        self.corners.byte_size() + self.rays.byte_size() + self.labels.byte_size()
    }
}
