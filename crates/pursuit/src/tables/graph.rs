//! The graph of corners that see each other (the *simple subgoal graph* of Uras, Koenig and
//! Hernández, 2013).

use std::sync::atomic::AtomicBool;

use super::bits::BitRows;
use super::contract::Arc;
use super::corners::Corners;
use super::error::{TablesError, check};
use super::rays::Rays;
use crate::cell::Cell;
use crate::cost::{HALF_DIAGONAL, HALF_STRAIGHT};
use crate::grid::Grid;

/// The corners' edges to those they see.
pub(super) fn edges(
    grid: &Grid,
    corners: &Corners,
    rays: &Rays,
    cancel: Option<&AtomicBool>,
) -> Result<Vec<Vec<Arc>>, TablesError> {
    let sight = Sight::new(grid, corners, rays);
    let mut edges: Vec<Vec<Arc>> = vec![Vec::new(); corners.count()];
    for (from, edges) in edges.iter_mut().enumerate() {
        check(cancel)?;
        let from = from as u32;
        sight.for_each(corners.cell(from), |to, cost| {
            edges.push(Arc::edge(from, to, cost));
        });
    }
    Ok(edges)
}

/// Scans that stop at every corner.
struct Sight<'a> {
    corners: &'a Corners,
    rays: &'a Rays,
    /// Walls and corners, by row.
    rows: BitRows,
    /// Walls and corners, by column.
    columns: BitRows,
}

impl<'a> Sight<'a> {
    fn new(grid: &Grid, corners: &'a Corners, rays: &'a Rays) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut rows = BitRows::new(height, width + 2, true);
        let mut columns = BitRows::new(width, height + 2, true);
        for y in 0..grid.height() {
            for (w, &free) in grid.row(y).iter().enumerate() {
                let mut open = free & !corners.word(y, w);
                while open != 0 {
                    let x = w as u32 * 64 + open.trailing_zeros();
                    open &= open - 1;
                    rows.clear(y, x + 1);
                    columns.clear(x, y + 1);
                }
            }
        }
        Self {
            corners,
            rays,
            rows,
            columns,
        }
    }

    fn along_row(&self, x: i32, y: i32, dx: i32) -> u32 {
        let position = x as u32 + 1;
        if dx > 0 {
            self.rows.at_or_after(y as u32, position + 1) - position
        } else {
            position - self.rows.at_or_before(y as u32, position - 1)
        }
    }

    fn along_column(&self, x: i32, y: i32, dy: i32) -> u32 {
        let position = y as u32 + 1;
        if dy > 0 {
            self.columns.at_or_after(x as u32, position + 1) - position
        } else {
            position - self.columns.at_or_before(x as u32, position - 1)
        }
    }

    /// Visits the corners to which all octile-shortest ways from a cell are free and meet no other
    /// corner, each with its cost.
    fn for_each(&self, from: Cell, mut visit: impl FnMut(u32, u32)) {
        let Cell { x, y } = from;
        let row = [1, -1].map(|dx| self.along_row(x, y, dx));
        let column = [1, -1].map(|dy| self.along_column(x, y, dy));
        for (steps, d) in row.into_iter().zip([1, -1]) {
            if let Some(corner) = self.corners.get(x + d * steps as i32, y) {
                visit(corner, steps * HALF_STRAIGHT);
            }
        }
        for (steps, d) in column.into_iter().zip([1, -1]) {
            if let Some(corner) = self.corners.get(x, y + d * steps as i32) {
                visit(corner, steps * HALF_STRAIGHT);
            }
        }
        for (sx, dx) in [1, -1].into_iter().enumerate() {
            for (sy, dy) in [1, -1].into_iter().enumerate() {
                self.quadrant(from, (dx, dy), (row[sx], column[sy]), &mut visit);
            }
        }
    }

    /// `reach`: up to, and without, how many steps the straight ways are free of corners.
    fn quadrant(
        &self,
        from: Cell,
        (dx, dy): (i32, i32),
        (mut reach_x, mut reach_y): (u32, u32),
        visit: &mut impl FnMut(u32, u32),
    ) {
        for i in 1..=self.rays.diagonal(from, dx, dy) {
            let at = from.offset(dx * i as i32, dy * i as i32);
            let cost = i * HALF_DIAGONAL;
            if let Some(corner) = self.corners.get(at.x, at.y) {
                visit(corner, cost);
                return;
            }
            if reach_x > 1 {
                let steps = self.along_row(at.x, at.y, dx);
                if steps < reach_x
                    && let Some(corner) = self.corners.get(at.x + dx * steps as i32, at.y)
                {
                    visit(corner, cost + steps * HALF_STRAIGHT);
                }
                reach_x = reach_x.min(steps);
            }
            if reach_y > 1 {
                let steps = self.along_column(at.x, at.y, dy);
                if steps < reach_y
                    && let Some(corner) = self.corners.get(at.x, at.y + dy * steps as i32)
                {
                    visit(corner, cost + steps * HALF_STRAIGHT);
                }
                reach_y = reach_y.min(steps);
            }
        }
    }
}
