//! Doors that close and open on a grid.

use fastrand::Rng;
use pursuit::{Cell, Grid, GridBuilder};
use serde::Serialize;

/// How many tries a door gets to find a free cell.
const TRIES: usize = 1000;
/// How far ahead on the path a door closes at least, in cells.
const AHEAD: usize = 3;
/// Longest half of a door, in cells.
const HALF: i32 = 2;

/// Where doors close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Where {
    /// In a random free cell of the map.
    #[serde(rename = "anywhere")]
    Anywhere,
    /// Across the path of the walker.
    #[serde(rename = "on the path")]
    OnPath,
}

impl Where {
    pub(super) const ALL: [Self; 2] = [Self::Anywhere, Self::OnPath];
}

/// The doors of a map. Each is a straight row of up to five cells.
pub(super) struct Doors {
    walls: GridBuilder,
    place: Where,
    /// Cells that were free before.
    closed: Vec<Vec<Cell>>,
}

impl Doors {
    pub(super) fn new(level: &Grid, place: Where) -> Self {
        Doors {
            walls: level.to_builder(),
            place,
            closed: Vec::new(),
        }
    }

    /// Opens a door or closes one, which never covers one of the ends of the path.
    pub(super) fn change(&mut self, random: &mut Rng, grid: &Grid, path: &[Cell], ends: [Cell; 2]) {
        if !self.closed.is_empty() && random.bool() {
            let door = self.closed.swap_remove(random.usize(..self.closed.len()));
            self.set(&door, true);
            return;
        }
        let at = match self.place {
            Where::OnPath if path.len() > AHEAD => Some(path[random.usize(AHEAD..path.len())]),
            _ => free_cell(random, grid),
        };
        let (dx, dy) = if random.bool() { (1, 0) } else { (0, 1) };
        let (back, on) = (random.i32(0..=HALF), random.i32(0..=HALF));
        let row = at.into_iter().flat_map(|at| {
            let cells = -back..=on;
            cells.map(move |step| at.offset(step * dx, step * dy))
        });
        let door: Vec<Cell> = row
            .filter(|&cell| grid.is_free(cell) && !ends.contains(&cell))
            .collect();
        self.set(&door, false);
        self.closed.push(door);
    }

    pub(super) fn open_all(&mut self) {
        for door in std::mem::take(&mut self.closed) {
            self.set(&door, true);
        }
    }

    /// The map with its doors as they are.
    pub(super) fn grid(&self) -> Grid {
        self.walls.clone().build()
    }

    fn set(&mut self, door: &[Cell], is_free: bool) {
        for &cell in door {
            let set = self.walls.set_free(cell, is_free);
            set.expect("doors lie on the grid");
        }
    }
}

fn free_cell(random: &mut Rng, grid: &Grid) -> Option<Cell> {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let mut cells = (0..TRIES).map(|_| Cell::new(random.i32(0..width), random.i32(0..height)));
    cells.find(|&cell| grid.is_free(cell))
}

#[cfg(test)]
mod tests {
    use super::{Doors, Where};
    use fastrand::Rng;
    use pursuit::{Cell, Grid};

    #[test]
    fn doors_spare_both_ends_and_all_of_them_open_again() {
        let level = Grid::from_fn(12, 3, |cell| cell != Cell::new(5, 0)).unwrap();
        let path: Vec<_> = (0..12).map(|x| Cell::new(x, 1)).collect();
        let ends = [path[0], path[11]];
        for place in Where::ALL {
            let mut doors = Doors::new(&level, place);
            let mut random = Rng::with_seed(3);
            let mut fewest = level.free_count();
            for _ in 0..50 {
                doors.change(&mut random, &doors.grid(), &path, ends);
                let grid = doors.grid();
                assert!(ends.iter().all(|&end| grid.is_free(end)));
                fewest = fewest.min(grid.free_count());
            }
            assert!(fewest < level.free_count(), "{place:?}: no door closed");
            doors.open_all();
            assert_eq!(doors.grid().free_count(), level.free_count());
        }
    }
}
