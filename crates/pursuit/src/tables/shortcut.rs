//! What the layers of a body and a search hold of tables.

use std::sync::{Arc, OnceLock};

use super::bake::SearchTables;
use super::query::TablesScratch;
use crate::cell::{Cell, DiagonalPolicy};
use crate::grid::Grid;
use crate::path::Path;
use crate::search::SearchStats;

/// The tables of a body's layers, once a deep bake made some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shortcut(pub(super) OnceLock<Arc<SearchTables>>);

/// Memory of answers from tables.
#[derive(Debug, Default)]
pub(crate) struct ShortcutScratch {
    tables: TablesScratch,
    /// Cells at which the path found turns.
    turns: Vec<Cell>,
}

impl Shortcut {
    /// Whether there are tables.
    pub(crate) fn is_baked(&self) -> bool {
        self.0.get().is_some()
    }

    /// Whether the tables, if there are some, are those of a grid under a policy.
    pub(crate) fn fits(&self, grid: &Grid, diagonals: DiagonalPolicy) -> bool {
        let tables = self.0.get();
        tables.is_none_or(|tables| tables.answer_for(grid, diagonals))
    }

    /// The path between two cells, by units of what each cell costs. `None` without tables, or without a path.
    pub(crate) fn find(
        &self,
        (start, goal): (Cell, Cell),
        scratch: &mut ShortcutScratch,
    ) -> Option<(Path, SearchStats)> {
        let tables = self.0.get()?;
        let ShortcutScratch {
            tables: memory,
            turns,
        } = scratch;
        let (cost, stats) = tables.find(start, goal, memory, turns)?;
        let turns = turns.clone();
        Some((Path { turns, cost }, stats))
    }
}
