//! A deep bake of a map that stays still: cheapest paths in microseconds.
//!
//! # How
//!
//! Where no corner may be cut and all ground costs the same, cheapest paths turn only at the corners
//! of walls. A bake finds them (`corners`), joins those that see each other (`graph`: the *simple
//! subgoal graph* of Uras, Koenig and Hernández, 2013), contracts those with few neighbors
//! (`contract`: *contraction hierarchies* of Geisberger, Sanders, Schultes and Delling, 2008), and
//! labels all with their distances to hubs (`labels`: *hub labels* of Abraham, Delling, Goldberg and
//! Werneck, 2012). What was not contracted, the core, gets its labels by pruned searches in an order
//! that sampled shortest-path trees tell (`cover`: Akiba, Iwata and Yoshida, 2013; Delling, Goldberg,
//! Pajor and Werneck, 2014); the others inherit theirs.
//!
//! Labels of a few maps, mostly of scattered single walls, would be too large. There a query climbs
//! the hierarchy from both ends and crosses the core by A\* with landmarks (`climb`, `landmarks`).
//!
//! # Queries
//!
//! 1. Cells of different [regions](crate::Regions) have no path.
//! 2. Is one of the two octile-shortest ways with a single turn free, it is the answer.
//! 3. Each end is linked to its jump points (Harabor and Grastien, 2011), the corners at which a path
//!    from there can turn first. They are found by scans over bit boards in four layouts (`rays`):
//!    rows, columns, and both kinds of diagonals, each with marks at the cells from which a straight
//!    scan meets a jump point.
//! 4. A path from the goal turns first at one of the goal's corners. Either the start sees that corner,
//!    or else a path from the start to it turns first at one of the start's. So the least of two sums is
//!    the answer: start, goal's corner, goal; and start, start's corner, goal's corner, goal. Labels tell
//!    the distance between the corners.
//! 5. Labels also tell the next corner on the way to a hub, so that the path is read off.
//!
//! # Cost
//!
//! Two bytes per cell for the boards, and 16 bytes per entry of a label: on the maps of games together
//! 3 to 14 bytes per cell, up to 80 in mazes of narrow corridors. A bake never keeps more than eight
//! entries per cell.

mod bits;
mod climb;
mod contract;
mod corners;
mod cover;
mod graph;
mod labels;
mod landmarks;
mod query;
mod rays;

use std::fmt;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use crate::cell::DiagonalPolicy;
use crate::grid::Grid;
use crate::region::Regions;
use climb::Climb;
use contract::Hierarchy;
use corners::Corners;
use labels::Labels;
pub use query::{TablesAnswer, TablesScratch};
use rays::{DIAGONAL_UNIT, Rays};

/// Largest cost in the tables, in their units.
const MAX_COST: u32 = 1 << 29;

/// Why there are no tables for a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TablesError {
    /// Some cell costs more than 1.
    #[error("tables are for grids without terrain costs")]
    Terrain,
    /// Only for [`DiagonalPolicy::NoCornerCut`].
    #[error("tables are for paths that cut no corner, not for {0:?}")]
    Diagonals(DiagonalPolicy),
    /// Some path may be too long.
    #[error("the grid is too large")]
    TooLarge,
    /// The cancel flag was raised.
    #[error("the bake was cancelled")]
    Cancelled,
}

/// Bounds of a bake.
#[derive(Clone, Copy)]
struct Limits {
    /// Corners with more edges than this are not contracted.
    degree: usize,
    /// Most entries of labels; where there would be more, queries climb.
    entries: usize,
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
/// Only for grids of terrain cost 1 under [`DiagonalPolicy::NoCornerCut`]. Belongs to one grid and
/// stays right about that grid; an edit calls for new tables.
pub struct SearchTables {
    size: (u32, u32),
    generation: u64,
    regions: Regions,
    corners: Corners,
    rays: Rays,
    index: Index,
}

/// How the cheapest path between two corners is found.
enum Index {
    Labels(Labels),
    Climb(Climb),
}

impl fmt::Debug for SearchTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchTables")
            .field("size", &self.size)
            .field("generation", &self.generation)
            .field("corners", &self.corners.count())
            .field("has_labels", &matches!(self.index, Index::Labels(_)))
            .field("byte_size", &self.byte_size())
            .finish_non_exhaustive()
    }
}

impl SearchTables {
    /// Bakes the tables of a grid. Deterministic; takes milliseconds to a few seconds, by the number of
    /// wall corners.
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
        if grid.has_terrain() {
            return Err(TablesError::Terrain);
        }
        if u64::from(grid.width() + grid.height()) * u64::from(DIAGONAL_UNIT) > u64::from(MAX_COST)
        {
            return Err(TablesError::TooLarge);
        }
        Self::bake(grid, Limits::of(grid), cancel)
    }

    fn bake(grid: &Grid, limits: Limits, cancel: Option<&AtomicBool>) -> Result<Self, TablesError> {
        contract::check(cancel)?;
        let corners = Corners::of(grid);
        let rays = Rays::of(grid);
        let edges = graph::edges(grid, &corners, &rays, cancel)?;
        let hierarchy = Hierarchy::of(edges, limits.degree, cancel)?;
        let index = match Labels::of(&hierarchy, limits.entries, cancel)? {
            Some(labels) => Index::Labels(labels),
            None => Index::Climb(Climb::of(&hierarchy, &corners, cancel)?),
        };
        Ok(Self {
            size: (grid.width(), grid.height()),
            generation: grid.generation(),
            regions: Regions::of(grid, DiagonalPolicy::NoCornerCut),
            corners,
            rays,
            index,
        })
    }

    /// Whether these are the tables of that grid, judged by its size and generation, under that
    /// policy.
    #[must_use]
    pub fn answer_for(&self, grid: &Grid, diagonals: DiagonalPolicy) -> bool {
        self.size == (grid.width(), grid.height())
            && self.generation == grid.generation()
            && diagonals == DiagonalPolicy::NoCornerCut
            && !grid.has_terrain()
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
    use proptest::prelude::*;

    use super::*;
    use crate::cell::Cell;
    use crate::search::oracle;

    fn scattered() -> impl Strategy<Value = Grid> {
        (1u32..50, 1u32..50, 0u64..60, any::<u64>()).prop_map(|(width, height, percent, seed)| {
            let mut state = seed;
            Grid::from_fn(width, height, |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % 100 >= percent
            })
            .unwrap()
        })
    }

    /// Cost over the turning cells; panics at a step that is not allowed.
    fn walk(grid: &Grid, turns: &[Cell]) -> u64 {
        let mut cells = vec![turns[0]];
        for pair in turns.windows(2) {
            let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
            let steps = dx.abs().max(dy.abs());
            cells.extend((1..=steps).map(|i| pair[0].offset(i * dx.signum(), i * dy.signum())));
            assert_eq!(
                cells.last(),
                Some(&pair[1]),
                "a leg is straight or diagonal"
            );
        }
        oracle::walk_cost(grid, &cells, DiagonalPolicy::NoCornerCut).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Whatever bounds a bake has, and so whatever way its queries go, the answers are the same.
        #[test]
        fn the_bounds_of_a_bake_change_no_cost(
            grid in scattered(),
            degree in 0usize..20,
            labeled: bool,
            sx in 0i32..50, sy in 0i32..50,
        ) {
            let start = Cell::new(sx % grid.width() as i32, sy % grid.height() as i32);
            let entries = if labeled { usize::MAX / 2 } else { 0 };
            let tables = SearchTables::bake(&grid, Limits { degree, entries }, None).unwrap();
            let expected = oracle::distances(&grid, start, DiagonalPolicy::NoCornerCut);
            let (mut scratch, mut turns) = (TablesScratch::default(), Vec::new());
            for (goal, expected) in grid.rect().cells().zip(expected) {
                let answer = tables.find(start, goal, &mut scratch, &mut turns);
                prop_assert_eq!(answer.map(|answer| answer.cost), expected, "to {}", goal);
                if let Some(cost) = expected {
                    prop_assert_eq!(walk(&grid, &turns), cost, "to {}", goal);
                }
            }
        }
    }
}
