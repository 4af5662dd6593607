//! Which cells hang together, found the slow and plain way.

use pursuit::{Cell, Grid, octile};

/// A map's parts, each flooded over the four straight steps: a diagonal step that passes no corner
/// leads nowhere that two straight ones do not.
pub(super) struct Flood {
    width: usize,
    /// Number of each cell's part; [`WALL`] for walls.
    part: Vec<u32>,
    /// Cells of each part, row by row.
    cells: Vec<Vec<Cell>>,
}

const WALL: u32 = u32::MAX;

impl Flood {
    pub(super) fn of(grid: &Grid) -> Self {
        let width = grid.width() as usize;
        let mut flood = Flood {
            width,
            part: vec![WALL; grid.cell_count()],
            cells: Vec::new(),
        };
        for cell in grid.rect().cells() {
            if grid.is_free(cell) && flood.part_of(cell).is_none() {
                flood.fill(grid, cell);
            }
        }
        for cell in grid.rect().cells() {
            if let Some(part) = flood.part_of(cell) {
                flood.cells[part].push(cell);
            }
        }
        flood
    }

    fn fill(&mut self, grid: &Grid, first: Cell) {
        let number = self.cells.len() as u32;
        self.cells.push(Vec::new());
        let mut open = vec![first];
        self.set(first, number);
        while let Some(Cell { x, y }) = open.pop() {
            for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                let next = Cell::new(x, y);
                if grid.is_free(next) && self.part_of(next).is_none() {
                    self.set(next, number);
                    open.push(next);
                }
            }
        }
    }

    fn set(&mut self, cell: Cell, number: u32) {
        let index = self.index(cell);
        self.part[index] = number;
    }

    fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width + cell.x as usize
    }

    /// Number of the cell's part; `None` for walls. The cell is one of the map's.
    pub(super) fn part_of(&self, cell: Cell) -> Option<usize> {
        let part = self.part[self.index(cell)];
        (part != WALL).then_some(part as usize)
    }

    /// Whether a path joins two cells of the map.
    pub(super) fn connected(&self, a: Cell, b: Cell) -> bool {
        self.part_of(a).is_some() && self.part_of(a) == self.part_of(b)
    }

    /// The cell nearest to `goal`, in octile distance, of those that can be reached from `start`; the
    /// first in reading order among equals.
    pub(super) fn nearest(&self, start: Cell, goal: Cell) -> Option<Cell> {
        let cells = &self.cells[self.part_of(start)?];
        cells.iter().copied().min_by_key(|&cell| octile(cell, goal))
    }
}

#[cfg(test)]
mod tests {
    use super::Flood;
    use pursuit::Cell;
    use pursuit::maps::parse_ascii;

    #[test]
    fn parts_touch_along_sides_and_not_at_corners() {
        let grid = parse_ascii("..#\n##.\n...").unwrap().grid;
        let flood = Flood::of(&grid);
        let [a, b, c] = [(0, 0), (1, 0), (2, 1)].map(|(x, y)| Cell::new(x, y));
        assert!(flood.connected(a, b) && !flood.connected(b, c));
        let wall = Cell::new(2, 0);
        assert!(!flood.connected(wall, wall), "a wall is no part");
    }

    #[test]
    fn the_nearest_cell_is_of_the_same_part_and_the_first_of_equals() {
        let grid = parse_ascii("...\n###\n...").unwrap().grid;
        let flood = Flood::of(&grid);
        let nearest = |goal| flood.nearest(Cell::new(0, 0), goal);
        assert_eq!(nearest(Cell::new(2, 2)), Some(Cell::new(2, 0)));
        assert_eq!(nearest(Cell::new(0, 1)), Some(Cell::new(0, 0)));
        assert_eq!(flood.nearest(Cell::new(0, 1), Cell::new(0, 0)), None);
        let column = parse_ascii(".#.\n...").unwrap().grid;
        let both = Flood::of(&column).nearest(Cell::new(0, 0), Cell::new(1, 0));
        assert_eq!(
            both,
            Some(Cell::new(0, 0)),
            "not the cell right of the wall"
        );
    }
}
