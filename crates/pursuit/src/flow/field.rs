//! An integration field that is computed only as far as callers ask.

use thiserror::Error;

use super::canonical;
use super::plain;
use super::table::{CostTable, UNKNOWN_COST, WALL, edge};
use super::wave::Wave;
use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::{Cell, CellRect, DiagonalPolicy, NEIGHBORS};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::grid::Grid;
use crate::path::Path;
use crate::search::{Relaxation, SearchRecorder};
use crate::terrain::Terrain;

/// Factor by which the terrain cost of a jammed cell is multiplied. The product is at most 255. A jam of hundreds of
/// bodies takes roughly this many times as long to cross as free ground. With a greater factor, a crowd accepts longer
/// detours. With a smaller factor, it waits at one door while another door is free.
const JAM_FACTOR: u8 = 10;

/// The highest entry of a table from which paths continue. This limit keeps the sum of an entry and a step below
/// [`UNKNOWN_COST`].
const LAST_COST: u32 = UNKNOWN_COST - 4 * DIAGONAL * u8::MAX as u32;

/// The reason why work on a field has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A path costs more than 32 bits can hold. The limit is about 2³² / [`STRAIGHT`], or two million, straight steps
    /// on terrain of cost 1.
    #[error("the field ends before this cell: a path costs more than 32 bits can hold")]
    TooFar,
    /// The work was [cancelled](Cancel).
    #[error("the work on the field was cancelled")]
    Cancelled,
}

impl From<Cancelled> for FieldError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// The bounds of a field. By default it covers the whole grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldBounds {
    /// Paths use only cells of this rectangle. Seeds outside it are ignored.
    pub rect: Option<CellRect>,
    /// Maximum cost of a path, in units of [`Path::cost`]. A cell whose cheapest path costs more has no path.
    pub max_cost: Option<u32>,
}

/// Cells that bodies occupy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Occupancy<'a> {
    /// Cells that are full of standing bodies.
    pub full_cells: &'a [Cell],
    /// Cells in which walking bodies are held up. It makes no difference how often a cell is listed.
    pub jammed_cells: &'a [Cell],
}

/// An integration field: for each cell, the cost of the cheapest path to the nearest of several goals, and the first
/// step of that path. It is computed only as far as callers ask.
///
/// The costs equal the costs of [`find_path`](crate::BodyLayers::find_path), terrain included. The field copies what it
/// needs from the grid, so it may outlive the grid, and edits of the grid do not change it. It keeps its memory from
/// one [`start`](Self::start) to the next, up to five bytes per cell.
///
/// The field runs Dijkstra's algorithm from the goals, on buckets as wide as the cheapest step, so that no cheaper path
/// to a cell in the lowest bucket can be found (Dial, 1969; Dinic, 1978). It stops when the requested cell is settled,
/// and continues from there for the next request.
///
/// Two methods can be cancelled. After a cancelled [`start_from`](Self::start_from), the field has to be started again.
/// [`settle_to`](Self::settle_to) settles a cell before its cost is requested. After it was cancelled, the next request
/// continues its work.
///
/// To watch the field grow, use [`start_recorded`](Self::start_recorded) and
/// [`settle_recorded`](Self::settle_recorded).
///
/// ```
/// use pursuit::IntegrationField;
/// use pursuit::{Cell, DiagonalPolicy, Grid};
///
/// let grid = Grid::from_fn(5, 1, |_| true).expect("a good size");
/// let mut field = IntegrationField::new();
/// field.start(&grid, &[Cell::new(0, 0), Cell::new(4, 0)], DiagonalPolicy::NoCornerCut);
/// assert_eq!(field.direction(Cell::new(3, 0)), Ok(Some((1, 0))));
/// ```
///
/// For a field on a map, see [`BodyLayers::field_to`](crate::BodyLayers::field_to), which has an example that
/// finds the nearest of several goals.
#[derive(Clone, Debug, Default)]
pub struct IntegrationField {
    table: CostTable,
    /// One byte per slot: see [`canonical::settle`]. There are no bytes if terrain costs differ, if cells are jammed,
    /// or if the policy is not [`DiagonalPolicy::NoCornerCut`].
    ways: Vec<u8>,
    wave: Wave,
    /// The highest entry of a path within the bounds. A cell with a higher entry has no path.
    last: u32,
    is_cut_off: bool,
    /// Number of slots that were settled. The next field, `taken`, counts the slots that were taken out of buckets.
    expanded: u32,
    taken: u32,
}

impl IntegrationField {
    /// A field without cells. It allocates nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Clears the field and starts from some goals. Goals that are blocked or outside the grid are ignored.
    pub fn start(&mut self, grid: &Grid, goals: &[Cell], diagonals: DiagonalPolicy) {
        self.start_recorded(grid, goals, diagonals, &mut ());
    }

    /// Like [`start`](Self::start), but within bounds and from seeds. A seed is a goal and a cost, in units of
    /// [`Path::cost`], which is added to the cost of every path to this goal. If a cell has several seeds, the cheapest
    /// one is used. Checks `cancel` once per row.
    ///
    /// ```
    /// use pursuit::{Cancel, Cell, CellRect, DiagonalPolicy, FieldBounds, Grid, IntegrationField, STRAIGHT};
    ///
    /// let grid = Grid::from_fn(9, 1, |_| true)?;
    /// let (a, b) = (Cell::new(0, 0), Cell::new(8, 0));
    /// // A body that goes to `a` waits there for as long as four steps take.
    /// let seeds = [(a, 4 * STRAIGHT), (b, 0)];
    /// let bounds = FieldBounds { max_cost: Some(6 * STRAIGHT), ..FieldBounds::default() };
    /// let policy = DiagonalPolicy::NoCornerCut;
    /// let mut field = IntegrationField::new();
    /// field.start_from(&grid, &seeds, bounds, policy, Cancel::NEVER)?;
    /// assert_eq!(field.direction(Cell::new(3, 0))?, Some((1, 0)));
    /// assert_eq!(field.cost(Cell::new(1, 0))?, Some(5 * u64::from(STRAIGHT)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FieldError::Cancelled`] if `cancel` ends the work. Then the field has no cells.
    pub fn start_from(
        &mut self,
        grid: &Grid,
        seeds: &[(Cell, u32)],
        bounds: FieldBounds,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<(), FieldError> {
        let all = (seeds, bounds);
        self.start_around(grid, all, Occupancy::default(), diagonals, cancel)
    }

    /// Like [`start_from`](Self::start_from), with full cells as walls and jammed cells [`JAM_FACTOR`] times as
    /// expensive.
    pub(crate) fn start_around(
        &mut self,
        grid: &Grid,
        (seeds, bounds): (&[(Cell, u32)], FieldBounds),
        occupancy: Occupancy<'_>,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<(), FieldError> {
        self.begin(grid, bounds, occupancy, diagonals, cancel)?;
        self.seed_all(seeds, &mut ());
        Ok(())
    }

    /// Like [`start`](Self::start), with a recorder. Its first events report the goals as discovered.
    pub fn start_recorded<R: SearchRecorder>(
        &mut self,
        grid: &Grid,
        goals: &[Cell],
        diagonals: DiagonalPolicy,
        recorder: &mut R,
    ) {
        recorder.started();
        let (all, nobody) = (FieldBounds::default(), Occupancy::default());
        uncancelled(|cancel| self.begin(grid, all, nobody, diagonals, cancel));
        let seeds: Vec<(Cell, u32)> = goals.iter().map(|&goal| (goal, 0)).collect();
        self.seed_all(&seeds, recorder);
    }

    fn begin(
        &mut self,
        grid: &Grid,
        bounds: FieldBounds,
        occupancy: Occupancy<'_>,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let rect = bounds.rect.unwrap_or(grid.rect()).intersect(&grid.rect());
        self.wave.end();
        let started = self.table.start(grid, rect, diagonals, cancel);
        if started.is_err() {
            self.table.rect = CellRect::EMPTY;
            return started;
        }
        self.last = bounds.max_cost.map_or(LAST_COST, |max_cost| {
            max_cost.saturating_add(1).min(LAST_COST)
        });
        (self.is_cut_off, self.expanded, self.taken) = (false, 0, 0);
        self.ways.clear();
        self.table.block(occupancy.full_cells);
        let all = grid.uniform_cost();
        let Some(all) = all.filter(|_| occupancy.jammed_cells.is_empty()) else {
            self.table.raise(grid, occupancy.jammed_cells, JAM_FACTOR);
            self.begin_uneven(grid, !occupancy.jammed_cells.is_empty());
            return Ok(());
        };
        let is_canonical = diagonals == DiagonalPolicy::NoCornerCut;
        let lanes = if is_canonical { canonical::LANES } else { 1 };
        let [straight, diagonal] = [STRAIGHT, DIAGONAL].map(|step| step * u32::from(all));
        self.wave.start(lanes, straight, diagonal);
        if is_canonical {
            self.ways.resize(self.table.costs.len(), 0);
        }
        Ok(())
    }

    fn begin_uneven(&mut self, grid: &Grid, is_jammed: bool) {
        let all = grid.uniform_cost().unwrap_or(1);
        let costs = |it: &Terrain| [it.cheapest, it.dearest];
        let [cheapest, dearest] = grid.uneven().map_or([all; 2], costs);
        let times = if is_jammed { JAM_FACTOR } else { 1 };
        let least = STRAIGHT * u32::from(cheapest.max(1));
        let max_step_cost = DIAGONAL * u32::from(dearest.saturating_mul(times));
        self.wave.start(1, 1 << least.ilog2(), max_step_cost);
    }

    fn seed_all<R: SearchRecorder>(&mut self, seeds: &[(Cell, u32)], recorder: &mut R) {
        for &(cell, cost) in seeds {
            self.seed(cell, cost, recorder);
        }
        let slots = seeds.iter().filter_map(|&(cell, _)| self.table.slot(cell));
        let costs = &self.table.costs;
        let seeds = slots.map(|slot| (costs[slot], slot as u32));
        self.wave
            .seed(seeds.filter(|seed| !matches!(seed.0, WALL | UNKNOWN_COST)));
    }

    /// Records a seed if it is a free cell within the bounds.
    fn seed<R: SearchRecorder>(&mut self, cell: Cell, cost: u32, recorder: &mut R) {
        let entry = cost.saturating_add(1);
        let Some(slot) = self.table.slot(cell).filter(|_| entry <= self.last) else {
            return;
        };
        let known = self.table.costs[slot];
        if known > entry {
            self.table.costs[slot] = entry;
            if let Some(steps) = self.ways.get_mut(slot) {
                *steps = canonical::SEED_STEPS;
            }
            let change = Relaxation::of(known != UNKNOWN_COST, true);
            recorder.relaxed(edge(self.table.rect, slot, None, entry), change);
        }
    }

    /// Settles at least `cells` cells, or all that remain, in the order of their costs. Returns whether the field is
    /// complete.
    ///
    /// Call this method to compute a whole field in slices. [`cost`](Self::cost), [`direction`](Self::direction) and
    /// [`path`](Self::path) settle the cells that they need.
    pub fn settle(&mut self, cells: u32) -> bool {
        self.settle_recorded(cells, &mut ())
    }

    /// Settles cells until the cost, the direction and the path of one cell are known. Checks `cancel` after each group
    /// of cells of about the same cost.
    ///
    /// # Errors
    ///
    /// [`FieldError::Cancelled`] if `cancel` ends the work, and [`FieldError::TooFar`] if the path costs more than the
    /// field can hold. Cells that were settled before the error stay settled.
    pub fn settle_to(&mut self, cell: Cell, cancel: Cancel<'_>) -> Result<(), FieldError> {
        self.settled(cell, cancel).map(|_| ())
    }

    /// Like [`settle`](Self::settle), with a recorder. Cells that other methods settle are not recorded.
    ///
    /// A field has no estimate, so `h` is 0. It has no single end, so no cell is recorded as reached.
    pub fn settle_recorded<R: SearchRecorder>(&mut self, cells: u32, recorder: &mut R) -> bool {
        uncancelled(|cancel| self.settle_buckets(cells, recorder, cancel))
    }

    /// Number of cells that were settled since the [start](Self::start).
    #[must_use]
    pub fn expanded(&self) -> u32 {
        self.expanded
    }

    /// Number of entries that were put on the open list since the [start](Self::start).
    #[must_use]
    pub fn pushed(&self) -> u32 {
        self.taken + self.wave.open() as u32
    }

    fn settle_buckets<R: SearchRecorder>(
        &mut self,
        cells: u32,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<bool, Cancelled> {
        let mut settled = 0;
        while settled < cells && !self.wave.is_over() {
            cancel.check()?;
            settled += self.settle_bucket(recorder);
        }
        Ok(self.wave.is_over())
    }

    /// The cost of the cheapest path from a cell to a goal, in units of [`Path::cost`]: [`STRAIGHT`] for a straight
    /// step on ground of cost 1, so division by [`STRAIGHT`] gives cells. `None` if there is no path, or if the cell is
    /// outside the grid.
    ///
    /// # Errors
    ///
    /// Returns [`FieldError::TooFar`] if the path costs more than the field can hold.
    pub fn cost(&mut self, cell: Cell) -> Result<Option<u64>, FieldError> {
        let slot = self.settled(cell, Cancel::NEVER)?;
        let cost = slot.map(|slot| self.table.costs[slot] - 1);
        Ok(cost.map(u64::from))
    }

    /// The first step of a cheapest path from a cell, as one of [`NEIGHBORS`]. If several steps are possible, it is the
    /// first one in that order. It is (0, 0) on a goal. `None` if there is no path, or if the cell is outside the grid.
    ///
    /// # Errors
    ///
    /// Returns [`FieldError::TooFar`] if the path costs more than the field can hold.
    pub fn direction(&mut self, cell: Cell) -> Result<Option<(i32, i32)>, FieldError> {
        let slot = self.settled(cell, Cancel::NEVER)?;
        Ok(slot.map(|slot| {
            self.table
                .next_step(slot)
                .map_or((0, 0), |step| NEIGHBORS[step])
        }))
    }

    /// The cheapest path from a cell to the nearest goal, given by its ends and the cells where it turns.
    /// [`Path::end`] is the goal. `None` if there is no path, or if the cell is outside the grid.
    ///
    /// # Errors
    ///
    /// Returns [`FieldError::TooFar`] if the path costs more than the field can hold.
    pub fn path(&mut self, cell: Cell) -> Result<Option<Path>, FieldError> {
        let slot = self.settled(cell, Cancel::NEVER)?;
        Ok(slot.map(|slot| self.table.path(slot)))
    }

    /// Completes the field, and returns its costs and one direction byte per slot, or no bytes if the field has none.
    /// Afterwards the field has no cells.
    pub(super) fn take_whole(
        &mut self,
        cancel: Cancel<'_>,
    ) -> Result<(CostTable, Vec<u8>), Cancelled> {
        while !self.settle_buckets(u32::MAX, &mut (), cancel)? {}
        let mut table = std::mem::take(&mut self.table);
        let mut ways = std::mem::take(&mut self.ways);
        if self.last < LAST_COST || self.is_cut_off {
            for (slot, cost) in table.costs.iter_mut().enumerate() {
                if *cost > self.last {
                    *cost = UNKNOWN_COST;
                    ways.get_mut(slot).into_iter().for_each(|way| *way = 0);
                }
            }
        }
        Ok((table, ways))
    }

    /// The slot of a cell, after its cost has become final. `None` if no path leads from it to a goal.
    fn settled(&mut self, cell: Cell, cancel: Cancel<'_>) -> Result<Option<usize>, FieldError> {
        let is_free = |&slot: &usize| self.table.costs[slot] != WALL;
        let Some(slot) = self.table.slot(cell).filter(is_free) else {
            return Ok(None);
        };
        while !self.wave.is_over() && self.table.costs[slot] >= self.wave.floor() {
            cancel.check()?;
            self.settle_bucket(&mut ());
        }
        match self.table.costs[slot] > self.last {
            true if self.is_cut_off => Err(FieldError::TooFar),
            true => Ok(None),
            false => Ok(Some(slot)),
        }
    }

    /// Settles the lowest bucket, and returns the number of cells that it settled.
    fn settle_bucket<R: SearchRecorder>(&mut self, recorder: &mut R) -> u32 {
        let (table, wave) = (&mut self.table, &mut self.wave);
        wave.begin_bucket(&table.costs);
        if wave.floor() > self.last {
            self.is_cut_off = self.last == LAST_COST;
            wave.end();
            return 0;
        }
        let [taken, settled] = if self.ways.is_empty() {
            plain::settle(table, wave, recorder)
        } else {
            canonical::settle(table, &mut self.ways, wave, recorder)
        };
        wave.end_bucket();
        self.expanded += settled;
        self.taken += taken;
        settled
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::table::{UNKNOWN_COST, WALL};
    use super::*;
    use crate::random::{any_walls, each_case, with_costs};
    use crate::search::oracle;

    fn any_grid(random: &mut Rng, most: (u32, u32)) -> Grid {
        let (width, height) = (random.u32(1..=most.0), random.u32(1..=most.1));
        let grid = any_walls(random, width, height, 0..13);
        let dearest = *random.choice(&[1, 1, 2, 9, 255]).unwrap();
        with_costs(&grid, |_| random.u8(1..=dearest))
    }

    /// For each cell, the lowest cost to any of the goals according to the oracle.
    fn least(grid: &Grid, goals: &[Cell], policy: DiagonalPolicy) -> Vec<Option<u64>> {
        let mut least = vec![None; grid.cell_count()];
        for &goal in goals {
            for (least, cost) in least.iter_mut().zip(oracle::distances(grid, goal, policy)) {
                *least = [*least, cost].into_iter().flatten().min();
            }
        }
        least
    }

    #[test]
    fn paths_from_every_cell_have_the_oracles_cost_and_legal_steps() {
        let mut field = IntegrationField::new();
        each_case(3000, |random| {
            // Most grids are small, so that many can be tested.
            let is_large = random.u8(0..5) == 0;
            let grid = any_grid(random, if is_large { (70, 20) } else { (14, 9) });
            let mut cells: Vec<Cell> = grid.rect().cells().collect();
            random.shuffle(&mut cells);
            let goals = &cells[..cells.len().min(random.usize(1..5))];
            for policy in DiagonalPolicy::ALL {
                field.start(&grid, goals, policy);
                let expected = least(&grid, goals, policy);
                for &cell in &cells {
                    let index = grid.index(cell).unwrap().get();
                    let found = field.path(cell).unwrap();
                    let cost = found.as_ref().map(|path| path.cost);
                    assert_eq!(cost, expected[index], "{policy:?}: from {cell}");
                    assert_eq!(field.cost(cell), Ok(cost));
                    let direction = field.direction(cell).unwrap();
                    if let Some(path) = &found {
                        let walk: Vec<Cell> = path.cells().collect();
                        let walked = oracle::path_cost(&grid, path, policy);
                        assert_eq!(walked, Some(path.cost), "{policy:?}: {path:?}");
                        assert_eq!(path.start(), Some(cell));
                        assert!(goals.contains(&path.end().unwrap()));
                        let next = *walk.get(1).unwrap_or(&cell);
                        assert_eq!(direction, Some((next.x - cell.x, next.y - cell.y)));
                    } else {
                        assert_eq!(direction, None);
                    }
                }
            }
        });
    }

    #[test]
    fn settling_in_slices_equals_settling_at_once() {
        each_case(200, |random| {
            let grid = any_grid(random, (70, 20));
            let goal = [Cell::new(0, 0)];
            let (mut sliced, mut whole) = (IntegrationField::new(), IntegrationField::new());
            for field in [&mut sliced, &mut whole] {
                field.start(&grid, &goal, DiagonalPolicy::NoCornerCut);
            }
            let mut slices = 0;
            while !sliced.settle(1) {
                slices += 1;
                assert!(slices <= grid.cell_count());
            }
            assert!(whole.settle(u32::MAX));
            assert_eq!(sliced.table.costs, whole.table.costs);
        });
    }

    #[test]
    fn a_question_about_a_near_cell_does_not_flood_the_map() {
        let grid = Grid::from_fn(100, 100, |_| true).unwrap();
        let mut field = IntegrationField::new();
        field.start(&grid, &[Cell::new(50, 50)], DiagonalPolicy::NoCornerCut);
        field.path(Cell::new(53, 50)).unwrap().unwrap();
        let seen = field.table.costs.iter();
        assert!(
            seen.filter(|cost| !matches!(**cost, WALL | UNKNOWN_COST))
                .count()
                < 100
        );
    }

    #[test]
    fn a_path_that_costs_too_much_is_an_error_but_nearer_cells_have_costs() {
        let length = (u32::MAX / STRAIGHT / 255) as i32 + 10;
        let row = Grid::from_fn(length as u32, 1, |_| true).unwrap();
        // All cells have the same cost, except for one cell.
        let row = with_costs(&row, |cell| if cell.x == 0 { 254 } else { 255 });
        let mut field = IntegrationField::new();
        let policy = DiagonalPolicy::NoCornerCut;
        field.start(&row, &[Cell::new(0, 0)], policy);
        let far = Cell::new(length - 1, 0);
        assert_eq!(field.cost(far), Err(FieldError::TooFar));
        assert_eq!(field.path(far), Err(FieldError::TooFar));
        let near = field.cost(Cell::new(2, 0)).unwrap().unwrap();
        assert_eq!(
            near,
            u64::from(STRAIGHT) * 509 / 2 + u64::from(STRAIGHT) * 255
        );
    }

    #[test]
    fn there_is_no_path_without_a_goal() {
        let grid = Grid::from_fn(3, 1, |cell| cell.x != 1).unwrap();
        let mut field = IntegrationField::new();
        assert_eq!(field.cost(Cell::new(0, 0)), Ok(None));
        let goals = [Cell::new(1, 0), Cell::new(9, 9)];
        field.start(&grid, &goals, DiagonalPolicy::NoCornerCut);
        assert_eq!(field.cost(Cell::new(0, 0)), Ok(None));
        assert_eq!(field.direction(Cell::new(1, 0)), Ok(None));
        assert!(field.settle(1));
    }
}
