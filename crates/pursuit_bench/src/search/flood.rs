//! Finds out which cells are connected, in a slow and simple way.

use pursuit::{Cell, Grid, octile};

/// The connected parts of a map. Each part is flooded over the four straight steps. This is enough, because a diagonal
/// step that cuts no corner can be replaced by two straight steps.
pub(super) struct Flood {
    width: usize,
    /// The index of each cell's part. `None` for a wall.
    part: Vec<Option<usize>>,
    /// Cells of each part, row by row.
    cells: Vec<Vec<Cell>>,
}

impl Flood {
    pub(super) fn of(grid: &Grid) -> Self {
        let mut flood = Flood {
            width: grid.width() as usize,
            part: vec![None; grid.cell_count()],
            cells: Vec::new(),
        };
        for cell in grid.rect().cells() {
            let mut cells = Vec::new();
            flood.enter(grid, cell, &mut cells);
            let mut next = 0;
            while let Some(&Cell { x, y }) = cells.get(next) {
                next += 1;
                for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                    flood.enter(grid, Cell::new(x, y), &mut cells);
                }
            }
            if !cells.is_empty() {
                cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
                flood.cells.push(cells);
            }
        }
        flood
    }

    /// Adds a cell to the part in progress, if the cell is free and does not belong to a part yet.
    fn enter(&mut self, grid: &Grid, cell: Cell, cells: &mut Vec<Cell>) {
        if grid.is_free(cell) && self.part_of(cell).is_none() {
            let index = self.index(cell);
            self.part[index] = Some(self.cells.len());
            cells.push(cell);
        }
    }

    fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width + cell.x as usize
    }

    /// The index of a cell's part. `None` for a wall. The cell must be inside the map.
    fn part_of(&self, cell: Cell) -> Option<usize> {
        self.part[self.index(cell)]
    }

    /// Whether a path joins two cells of the map.
    pub(super) fn connected(&self, a: Cell, b: Cell) -> bool {
        self.part_of(a).is_some() && self.part_of(a) == self.part_of(b)
    }

    /// The cell with the least octile distance to `goal` among the cells that can be reached from `start`. Among
    /// several cells at this distance, it is the first one in reading order.
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
    fn parts_are_connected_by_sides_and_not_by_corners() {
        let grid = parse_ascii("..#\n##.\n...").unwrap().grid;
        let flood = Flood::of(&grid);
        let [a, b, c] = [(0, 0), (1, 0), (2, 1)].map(|(x, y)| Cell::new(x, y));
        assert!(flood.connected(a, b) && !flood.connected(b, c));
        let wall = Cell::new(2, 0);
        assert!(!flood.connected(wall, wall), "a wall is no part");
    }

    #[test]
    fn the_nearest_cell_is_in_the_same_part_and_the_first_of_equals_wins() {
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
