//! Search tables of body layers.

use std::any::Any;
use std::sync::Arc;

use super::bake::SearchTables;
use super::query::TablesScratch;
use crate::cell::{Cell, DiagonalPolicy};
use crate::map::BodyLayers;
use crate::path::Path;
use crate::search::SearchStats;
use crate::search::known_paths::{KnownPaths, Memory};

impl KnownPaths for SearchTables {
    fn find(&self, start: Cell, goal: Cell, memory: &mut Memory) -> Option<(Path, SearchStats)> {
        let memory = memory.get_or_insert_with(|| Box::new(TablesScratch::default()));
        self.find_path(start, goal, memory.downcast_mut()?)
    }
}

impl BodyLayers {
    /// The search tables that [`set_tables`](Self::set_tables) has stored, or `None`. Requires the
    /// feature `tables`.
    #[must_use]
    pub fn tables(&self) -> Option<&SearchTables> {
        let known: &dyn Any = self.known_paths()?;
        known.downcast_ref()
    }

    /// Lets searches on these layers use tables that were baked from [`grid`](Self::grid) or from a clone of it.
    /// Returns `false`, and drops the tables, if they belong to another grid or to these layers as they were before
    /// an edit. Layers that already have tables keep them, drop the new ones, and return `true`. Requires the feature
    /// `tables`.
    #[must_use]
    pub fn set_tables(&self, tables: SearchTables) -> bool {
        let is_own_grid = tables.identity == self.grid().identity();
        let are_own = is_own_grid && self.diagonals() == DiagonalPolicy::NoCornerCut;
        if are_own {
            self.set_known_paths(Arc::new(tables));
        }
        are_own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::{Cancel, uncancelled};
    use crate::cell::CellRect;
    use crate::grid::Grid;
    use crate::map::{LiveMap, NavMap};

    const RADIUS: f32 = 0.45;

    /// A wall of three cells in a row.
    fn wall(x: i32, y: i32) -> CellRect {
        let at = Cell::new(x, y);
        CellRect::new(at, at.offset(3, 1))
    }

    fn live_map(width: u32, height: u32, is_free: impl Fn(Cell) -> bool) -> LiveMap {
        let walls = Grid::from_fn(width, height, is_free).expect("a good size");
        LiveMap::new(NavMap::new(&walls, 2.0, DiagonalPolicy::NoCornerCut))
    }

    fn bake(live: &LiveMap) {
        let layers = live.map().layers(RADIUS);
        let tables = SearchTables::build(layers.grid(), layers.diagonals(), Cancel::NEVER);
        assert!(tables.is_ok_and(|tables| layers.set_tables(tables)));
    }

    fn has_tables(live: &LiveMap) -> bool {
        let layers = live.map().layers(RADIUS);
        let tables = layers.tables();
        let are_own = tables.map(|it| it.identity == layers.grid().identity());
        assert_ne!(are_own, Some(false), "tables of another grid");
        are_own.is_some()
    }

    #[test]
    fn an_edit_drops_the_tables_and_settling_keeps_them() {
        let comb = |cell: Cell| cell.y % 2 == 0 || cell.x % 40 == cell.y % 3;
        let mut live = live_map(200, 90, comb);
        let identity = |live: &LiveMap| live.map().layers(RADIUS).grid().identity();
        bake(&live);
        // Each edit cuts a row, and so leaves dead ends to fill.
        for x in [20, 60, 100, 140] {
            let before = identity(&live);
            assert!(live.fill(wall(x, 4), false));
            assert_ne!(identity(&live), before);
            assert!(!has_tables(&live), "after an edit");
            bake(&live);
            let before = identity(&live);
            uncancelled(|cancel| live.settle(cancel));
            assert_eq!(identity(&live), before);
            assert!(has_tables(&live), "settling changes no cell");
        }
    }

    #[test]
    fn a_map_that_settling_replaces_keeps_its_tables() {
        let corridor = |cell: Cell| cell.y == 1 || cell.x == 0 || cell.x == 1199 || cell.y == 3;
        let mut live = live_map(1200, 40, corridor);
        drop(live.map().layers(RADIUS));
        // The wall cuts the loop, which leaves more dead ends than an edit fills.
        assert!(live.fill(wall(200, 1), false));
        bake(&live);
        assert_eq!(live.settle(Cancel::NEVER), Ok(true), "the map is replaced");
        assert!(has_tables(&live), "no cell changed");
    }
}
