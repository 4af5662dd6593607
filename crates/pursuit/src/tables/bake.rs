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
use crate::cancel::Watch;
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
    /// What every free cell costs: the costs of answers are to be multiplied by it.
    pub(super) unit: u64,
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
    /// `cancel` is looked at about once in 4,096 words of memory, from the start to the end. Only the scan of one
    /// label or of the edges of one corner is not interrupted, however long it is.
    ///
    /// # Errors
    ///
    /// See [`TablesError`].
    pub fn build(
        grid: &Grid,
        diagonals: DiagonalPolicy,
        cancel: Option<&AtomicBool>,
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
        cancel: Option<&AtomicBool>,
    ) -> Result<Self, TablesError> {
        let watch = &mut Watch::new(cancel);
        let (rays, corners) = Rays::of(grid, watch)?;
        let edges = graph::edges(grid, &corners, &rays, watch)?;
        let hierarchy = Hierarchy::of(edges, limits.degree, watch)?;
        let index = match Labels::of(&hierarchy, limits.entries, watch)? {
            Some(labels) => Index::Labels(labels),
            None if grid.free_count() > MAX_CLIMB_CELLS => return Err(TablesError::TooLarge),
            None => Index::Climb(Climb::of(&hierarchy, &corners, watch)?),
        };
        Ok(Self {
            identity: grid.identity(),
            unit: grid.uniform_cost().map_or(1, u64::from),
            regions: Regions::of_until(grid, DiagonalPolicy::NoCornerCut, watch)?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::looks;

    /// A free cell in four is a wall.
    fn scattered(width: u32, height: u32) -> Grid {
        let mut random = fastrand::Rng::with_seed(4);
        Grid::from_fn(width, height, |_| random.u8(0..4) != 0).expect("a good size")
    }

    fn limits(grid: &Grid, has_labels: bool) -> Limits {
        Limits {
            entries: if has_labels { usize::MAX / 2 } else { 0 },
            ..Limits::of(grid)
        }
    }

    #[test]
    fn a_flag_ends_a_bake_at_whichever_look_it_is_up() {
        let grid = scattered(150, 90);
        for has_labels in [true, false] {
            let limits = limits(&grid, has_labels);
            let bake = |up_at: usize| {
                looks::count(up_at, |flag| SearchTables::bake(&grid, limits, flag).err())
            };
            let (error, all) = bake(usize::MAX);
            assert_eq!(error, None);
            for up_at in (0..all).step_by(all / 60 + 1) {
                let expected = (Some(TablesError::Cancelled), up_at + 1);
                assert_eq!(bake(up_at), expected, "of {all} looks");
            }
        }
    }

    /// The numbers are a little below those of today. They fall when a pass goes without a look.
    #[test]
    fn a_bake_looks_at_the_flag_in_every_pass() {
        let open = Grid::from_fn(1023, 1024, |_| true).expect("a good size");
        let pillars = Grid::from_fn(300, 200, |cell| cell.x % 8 != 0 || cell.y % 8 != 0);
        let pillars = pillars.expect("a good size");
        let scattered = scattered(120, 100);
        let cases = [
            (&open, true, 4700),
            (&pillars, true, 47_000),
            (&scattered, true, 8400),
            (&scattered, false, 3000),
        ];
        for (grid, has_labels, least) in cases {
            let (tables, looks) = looks::count(usize::MAX, |flag| {
                SearchTables::bake(grid, limits(grid, has_labels), flag)
            });
            let tables = tables.expect("even ground");
            assert_eq!(matches!(tables.index, Index::Labels(_)), has_labels);
            assert!(looks >= least, "{looks} looks at {grid:?}, not {least}");
        }
    }
}
