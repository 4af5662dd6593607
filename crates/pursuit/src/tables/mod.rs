//! tables
mod bits;
mod contract;
mod corners;
mod cover;
mod graph;
mod labels;
mod query;
mod rays;

use std::sync::atomic::AtomicBool;

use thiserror::Error;

use crate::cell::DiagonalPolicy;
use crate::grid::Grid;
use crate::region::Regions;
use corners::Corners;
use contract::{Arc, Hierarchy};
use graph::Sight;
use labels::Labels;
pub use query::{TablesAnswer, TablesScratch};
use rays::Rays;

/// Largest cost in the tables, in their units.
const MAX_COST: u32 = 1 << 30;

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

/// tables
pub struct SearchTables {
    size: (u32, u32),
    generation: u64,
    regions: Regions,
    corners: Corners,
    rays: Rays,
    labels: Labels,
}

impl std::fmt::Debug for SearchTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchTables")
            .field("size", &self.size)
            .field("generation", &self.generation)
            .field("byte_size", &self.byte_size())
            .finish_non_exhaustive()
    }
}

impl SearchTables {
    /// build
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
        let corners = Corners::of(grid);
        let rays = Rays::of(grid);
        let sight = Sight::new(grid, &corners, &rays);
        let mut edges: Vec<Vec<Arc>> = vec![Vec::new(); corners.count()];
        for corner in 0..corners.count() as u32 {
            sight.for_each(corners.cell(corner), |to, cost| {
                edges[corner as usize].push(Arc::edge(corner, to, cost));
            });
        }
        let t = std::time::Instant::now();
        let hierarchy = Hierarchy::of(edges, cancel)?;
        if std::env::var("DBG").is_ok() { eprintln!("contracted {} of {} {:.1} ms", hierarchy.order.len(), hierarchy.edges.len(), t.elapsed().as_secs_f64() * 1e3); }
        let limit = 16_000_000;
        let labels = Labels::of(&hierarchy, limit, cancel)?.ok_or(TablesError::TooLarge)?;
        Ok(Self {
            size: (grid.width(), grid.height()),
            generation: grid.generation(),
            regions: Regions::of(grid, diagonals),
            corners,
            rays,
            labels,
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

    /// bytes
    pub fn byte_size(&self) -> usize {
        self.corners.byte_size() + self.rays.byte_size() + self.labels.byte_size()
    }
}
