//! Grids made cell by cell.

use std::sync::Arc;

use super::Grid;
use crate::cancel::uncancelled;
use crate::cell::{Cell, CellRect};
use crate::grid_error::GridError;

impl Grid {
    /// A builder that starts with every cell free and of cost 1.
    ///
    /// # Errors
    ///
    /// [`GridError::Empty`] and [`GridError::TooLarge`].
    pub fn builder(width: u32, height: u32) -> Result<GridBuilder, GridError> {
        let grid = Self::from_words_fn(width, height, |_, words| words.fill(u64::MAX))?;
        Ok(GridBuilder { grid })
    }

    /// A builder that starts as this grid. What it builds is another grid even without a
    /// change: tables of this one do not hold for it.
    #[must_use]
    pub fn to_builder(&self) -> GridBuilder {
        // All but what was worked out from the cells, which are about to change.
        let grid = Self {
            words: self.words.clone(),
            costs: self.costs.clone(),
            terrain: None,
            ..*self
        };
        GridBuilder { grid }
    }
}

/// Makes a [`Grid`] cell by cell.
#[derive(Clone, Debug)]
pub struct GridBuilder {
    grid: Grid,
}

impl GridBuilder {
    /// Frees or blocks one cell.
    ///
    /// # Errors
    ///
    /// [`GridError::Outside`].
    pub fn set_free(&mut self, cell: Cell, free: bool) -> Result<(), GridError> {
        let slot = self.grid.slot(cell).ok_or(GridError::Outside(cell))?;
        let bit = 1 << (slot % 64);
        let word = &mut self.grid.words[(slot / 64) as usize];
        *word = if free { *word | bit } else { *word & !bit };
        Ok(())
    }

    /// Sets the terrain cost of one cell, 1 (the start value) to 255: a step's cost grows with the
    /// costs of the two cells it joins. A blocked cell keeps its cost for when it is freed.
    ///
    /// # Errors
    ///
    /// [`GridError::Outside`], and [`GridError::ZeroCost`] for 0.
    pub fn set_cost(&mut self, cell: Cell, cost: u8) -> Result<(), GridError> {
        let node = self.grid.node(cell).ok_or(GridError::Outside(cell))?;
        if cost == 0 {
            return Err(GridError::ZeroCost(cell));
        }
        if cost == 1 && self.grid.costs.is_none() {
            return Ok(());
        }
        let count = self.grid.node_count() as usize;
        let costs = self.grid.costs.get_or_insert_with(|| vec![1; count].into());
        Arc::make_mut(costs)[node as usize] = cost;
        Ok(())
    }

    /// Frees or blocks every cell of a rectangle; parts outside of the grid are ignored.
    pub fn fill(&mut self, rect: CellRect, free: bool) {
        let rect = rect.intersect(&self.grid.rect());
        if rect.is_empty() {
            return;
        }
        fill_bits(
            &mut self.grid.words,
            self.grid.row_words as usize,
            rect,
            free,
        );
    }

    /// The finished grid.
    #[must_use]
    pub fn build(self) -> Grid {
        let mut grid = self.grid;
        if grid
            .costs
            .as_ref()
            .is_some_and(|costs| costs.iter().all(|&cost| cost == 1))
        {
            grid.costs = None;
        }
        uncancelled(|cancel| grid.survey(cancel));
        grid.seal();
        grid
    }
}

/// Frees or blocks the cells of a rectangle in rows of `row_words` words, the first of which is padding.
pub(super) fn fill_bits(words: &mut [u64], row_words: usize, rect: CellRect, free: bool) {
    let (x0, x1) = (rect.min.x as u32, rect.max.x as u32);
    for y in rect.min.y..rect.max.y {
        let first = (y as usize + 1) * row_words;
        for w in x0 / 64..=(x1 - 1) / 64 {
            let low = x0.saturating_sub(w * 64);
            let high = (x1 - w * 64).min(64);
            let mask = (u64::MAX >> (64 - (high - low))) << low;
            let word = &mut words[first + w as usize];
            *word = if free { *word | mask } else { *word & !mask };
        }
    }
}
