//! One goal, many starts: the costs of the cheapest ways to the goal, found once for all.

use std::cell;

use pursuit::search::{DIAGONAL, STRAIGHT};
use pursuit::{Cell, DiagonalPolicy, Grid, NEIGHBORS, Path};

const WALL: u32 = 0;
/// No way is known yet.
const FAR: u32 = u32::MAX;

/// An integration field: what the cheapest way to one goal costs from each cell around, as far as
/// that was asked for.
///
/// Dijkstra's algorithm from the goal, on buckets as wide as the cheapest step (Dial, 1969; Dinic,
/// 1978): what is in the lowest bucket can no longer become cheaper, and a step leads at most two
/// buckets on. It stops where the cell asked for is settled and goes on from there for the next.
#[derive(Debug, Default)]
pub(crate) struct GoalField {
    /// Cells by rows, with a rim of walls around: 1 + cost, [`WALL`] or [`FAR`].
    costs: Vec<u32>,
    stride: usize,
    diagonals: DiagonalPolicy,
    /// Slots reached, by their cost, modulo their number.
    buckets: [Vec<u32>; 3],
    /// Number of the lowest bucket that may hold something; all below are settled.
    lowest: u32,
}

thread_local! {
    static SPARE: cell::Cell<Option<GoalField>> = const { cell::Cell::new(None) };
}

impl GoalField {
    /// This thread's field, or a new one while that is in use. Its memory lasts from use to use.
    pub(crate) fn borrow() -> Self {
        SPARE.take().unwrap_or_default()
    }

    /// Keeps the memory for the next use.
    pub(crate) fn give_back(self) {
        SPARE.set(Some(self));
    }

    /// Whether a field can answer for this many connected cells of a grid: it knows no terrain, and
    /// its costs are 32 bits wide.
    pub(crate) fn can_hold(grid: &Grid, cells: usize) -> bool {
        let longest = cells as u64 * u64::from(DIAGONAL);
        !grid.has_terrain() && longest < u64::from(FAR - DIAGONAL)
    }

    /// Forgets everything and begins at `goal`.
    pub(crate) fn start(&mut self, grid: &Grid, diagonals: DiagonalPolicy, goal: Cell) {
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        self.stride = grid.width() as usize + 2;
        self.diagonals = diagonals;
        self.costs.clear();
        self.costs.resize(self.stride, WALL);
        for y in 0..height {
            self.costs.push(WALL);
            let cost = |x| {
                if grid.is_free(Cell::new(x, y)) {
                    FAR
                } else {
                    WALL
                }
            };
            self.costs.extend((0..width).map(cost));
            self.costs.push(WALL);
        }
        self.costs.resize(self.costs.len() + self.stride, WALL);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.lowest = 0;
        let slot = self.slot(goal);
        if self.costs[slot] == FAR {
            self.reach(slot, 1);
        }
    }

    /// Cells that it may come to settle.
    pub(crate) fn cell_count(&self) -> u64 {
        self.costs.len() as u64
    }

    /// The cheapest way from `cell` to the goal, given by its ends and the cells where it turns;
    /// `None` if there is none.
    pub(crate) fn path_from(&mut self, cell: Cell) -> Option<Path> {
        let mut slot = self.slot(cell);
        if !self.settle(slot) {
            return None;
        }
        let cost = u64::from(self.costs[slot] - 1);
        let (mut at, mut cells) = (cell, vec![cell]);
        let mut straight_on = NEIGHBORS.len();
        while self.costs[slot] > 1 {
            if straight_on == NEIGHBORS.len() || !self.leads_down(slot, straight_on) {
                let mut directions = 0..NEIGHBORS.len();
                straight_on = directions.find(|&direction| self.leads_down(slot, direction))?;
                if at != cell {
                    cells.push(at);
                }
            }
            let (dx, dy) = NEIGHBORS[straight_on];
            slot = self.beside(slot, dx, dy);
            at = at.offset(dx, dy);
        }
        if at != cell {
            cells.push(at);
        }
        Some(Path { cells, cost })
    }

    /// The slot of a cell inside the grid.
    fn slot(&self, cell: Cell) -> usize {
        (cell.y + 1) as usize * self.stride + (cell.x + 1) as usize
    }

    fn beside(&self, slot: usize, dx: i32, dy: i32) -> usize {
        let offset = dy as isize * self.stride as isize + dx as isize;
        slot.wrapping_add_signed(offset)
    }

    /// Whether the step from `slot` in a direction is the first of a cheapest way.
    fn leads_down(&self, slot: usize, direction: usize) -> bool {
        let (dx, dy) = NEIGHBORS[direction];
        let next = self.costs[self.beside(slot, dx, dy)];
        let is_diagonal = dx != 0 && dy != 0;
        let step = if is_diagonal { DIAGONAL } else { STRAIGHT };
        next != WALL
            && next.checked_add(step) == Some(self.costs[slot])
            && (!is_diagonal || self.allows(slot, dx, dy))
    }

    fn allows(&self, slot: usize, dx: i32, dy: i32) -> bool {
        let is_free = |dx, dy| self.costs[self.beside(slot, dx, dy)] != WALL;
        self.diagonals.allows(is_free(dx, 0), is_free(0, dy))
    }

    /// Goes on until nothing can be cheaper for `slot`. Whether there is a way at all.
    fn settle(&mut self, slot: usize) -> bool {
        let is_open = |field: &Self| bucket_of(field.costs[slot]) >= field.lowest;
        while is_open(self) && self.buckets.iter().any(|bucket| !bucket.is_empty()) {
            self.settle_bucket();
        }
        !matches!(self.costs[slot], WALL | FAR)
    }

    fn settle_bucket(&mut self) {
        let index = self.lowest as usize % self.buckets.len();
        let mut bucket = std::mem::take(&mut self.buckets[index]);
        for slot in bucket.drain(..) {
            let slot = slot as usize;
            let cost = self.costs[slot];
            if bucket_of(cost) != self.lowest {
                // Reached more cheaply since.
                continue;
            }
            for (dx, dy) in &NEIGHBORS[..4] {
                self.reach(self.beside(slot, *dx, *dy), cost + STRAIGHT);
            }
            for (dx, dy) in &NEIGHBORS[4..] {
                let next = self.beside(slot, *dx, *dy);
                if self.costs[next] > cost + DIAGONAL && self.allows(slot, *dx, *dy) {
                    self.reach(next, cost + DIAGONAL);
                }
            }
        }
        self.buckets[index] = bucket;
        self.lowest += 1;
    }

    /// Notes a way to `slot` if it is cheaper than all before.
    fn reach(&mut self, slot: usize, cost: u32) {
        if self.costs[slot] > cost {
            self.costs[slot] = cost;
            let bucket = bucket_of(cost) as usize % self.buckets.len();
            self.buckets[bucket].push(slot as u32);
        }
    }
}

/// Which bucket an entry of `costs` belongs to.
fn bucket_of(entry: u32) -> u32 {
    entry.saturating_sub(1) / STRAIGHT
}

#[cfg(test)]
mod tests {
    use pursuit::search::oracle;

    use super::*;

    fn random_grid(random: &mut fastrand::Rng) -> Grid {
        let (width, height) = (random.u32(1..=70), random.u32(1..=20));
        let walls = random.u32(0..=6);
        Grid::from_fn(width, height, |_| random.u32(0..10) >= walls).unwrap()
    }

    /// All cells of a walk given by its turns.
    fn fill_in(turns: &[Cell]) -> Vec<Cell> {
        let mut walk = vec![turns[0]];
        for turn in &turns[1..] {
            while let Some(at) = walk.last().copied().filter(|at| at != turn) {
                let (dx, dy) = (turn.x - at.x, turn.y - at.y);
                walk.push(at.offset(dx.signum(), dy.signum()));
            }
        }
        walk
    }

    #[test]
    fn from_every_cell_the_way_costs_what_the_oracle_says_and_every_step_is_legal() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut field = GoalField::default();
        for _ in 0..60 {
            let grid = random_grid(&mut random);
            let mut cells: Vec<Cell> = grid.rect().cells().collect();
            random.shuffle(&mut cells);
            let goal = cells[0];
            for policy in DiagonalPolicy::ALL {
                field.start(&grid, policy, goal);
                let expected = oracle::distances(&grid, goal, policy);
                for &cell in &cells {
                    let index = grid.index(cell).unwrap().get();
                    let found = field.path_from(cell);
                    let cost = found.as_ref().map(|path| path.cost);
                    assert_eq!(cost, expected[index], "{policy:?}: from {cell} to {goal}");
                    if let Some(path) = found {
                        let walk = fill_in(&path.cells);
                        let walked = oracle::walk_cost(&grid, &walk, policy);
                        assert_eq!(walked, Some(path.cost), "{policy:?}: {path:?}");
                        assert_eq!((path.start(), path.end()), (Some(cell), Some(goal)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_near_start_does_not_flood_the_map() {
        let grid = Grid::from_fn(100, 100, |_| true).unwrap();
        let mut field = GoalField::default();
        field.start(&grid, DiagonalPolicy::NoCornerCut, Cell::new(50, 50));
        field.path_from(Cell::new(53, 50)).unwrap();
        let seen = field
            .costs
            .iter()
            .filter(|cost| !matches!(**cost, WALL | FAR));
        assert!(seen.count() < 100);
    }

    #[test]
    fn costs_that_do_not_fit_and_terrain_are_left_to_searches() {
        let mut builder = Grid::builder(3, 1).unwrap();
        let cell = Cell::new(1, 0);
        builder.set_free(cell, true).unwrap();
        assert!(GoalField::can_hold(&builder.clone().build(), 3));
        assert!(!GoalField::can_hold(&builder.clone().build(), 2_000_000));
        builder.set_cost(cell, 5).unwrap();
        assert!(!GoalField::can_hold(&builder.build(), 3));
    }
}
