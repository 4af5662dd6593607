//! Random grids, and searches on them.

use fastrand::Rng;
use pursuit::{
    Algorithm, Cell, CellRect, Change, DiagonalPolicy, Grid, Heuristic, PathOptions,
    SearchRecorder, Ties, Way, Weights,
};
use pursuit_lab::recording::Event;

/// Walls of any density, corridors and rooms, blocks; even ground or terrain.
pub(crate) fn any_grid(rng: &mut Rng, most: u32) -> Grid {
    let (width, height) = (rng.u32(1..most), rng.u32(1..most));
    let mut builder = Grid::builder(width, height).unwrap();
    let (kind, percent) = (rng.u8(0..4), rng.u32(0..45));
    let side = rng.i32(3..12);
    let (terrain, uniform) = (rng.u8(0..5), rng.u8(1..));
    let rect = CellRect::new(Cell::new(0, 0), Cell::new(width as i32, height as i32));
    for cell in rect.cells() {
        let is_free = match kind {
            0 => rng.u32(0..100) >= percent,
            1 => cell.x % 2 == 0 && cell.y % 2 == 0 || (cell.x + cell.y) % 2 != 0 && rng.bool(),
            2 => cell.x % side != 0 && cell.y % side != 0 || rng.u8(0..9) == 0,
            _ => true,
        };
        let cost = match terrain {
            0 => uniform,
            1 => 1 + (cell.x / 5 + cell.y / 4) as u8 % 5,
            2 => rng.u8(1..),
            _ => 1,
        };
        builder.set_free(cell, is_free).unwrap();
        builder.set_cost(cell, cost).unwrap();
    }
    for _ in 0..rng.u32(0..6) {
        let min = Cell::new(rng.i32(0..width as i32), rng.i32(0..height as i32));
        let max = min.offset(rng.i32(1..12), rng.i32(1..12));
        builder.fill(CellRect::new(min, max), false);
    }
    builder.set_free(Cell::new(0, 0), true).unwrap();
    builder.build()
}

/// A free cell and any cell.
pub(crate) fn any_ends(rng: &mut Rng, grid: &Grid) -> (Cell, Cell) {
    let cells: Vec<Cell> = grid.rect().cells().collect();
    let free = cells.iter().copied().filter(|&cell| grid.is_free(cell));
    let free: Vec<Cell> = free.collect();
    (*rng.choice(&free).unwrap(), *rng.choice(&cells).unwrap())
}

pub(crate) fn any_cell(rng: &mut Rng, grid: &Grid) -> Cell {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    Cell::new(rng.i32(0..width), rng.i32(0..height))
}

pub(crate) fn any_options(rng: &mut Rng) -> PathOptions {
    let diagonals = DiagonalPolicy::ALL.get(rng.usize(0..7));
    let diagonals = *diagonals.unwrap_or(&DiagonalPolicy::NoCornerCut);
    let weights = [(1, 1), (1, 1), (1, 1), (2, 3), (0, 1), (1, 0), (7, 7)];
    let (g, h) = weights[rng.usize(0..weights.len())];
    let others = [Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::Zero];
    let ties = [Ties::Oldest, Ties::LargestG, Ties::SmallestG];
    PathOptions {
        diagonals,
        weights: Weights { g, h },
        algorithm: [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint][rng.usize(0..3)],
        heuristic: *others.get(rng.usize(0..9)).unwrap_or(&Heuristic::Octile),
        ties: *ties.get(rng.usize(0..9)).unwrap_or(&Ties::Newest),
        max_expanded: (rng.u8(0..3) == 0).then(|| rng.u32(0..80)),
    }
}

/// Keeps events as they come.
#[derive(Default)]
pub(crate) struct Plain(pub(crate) Vec<Event>);

impl SearchRecorder for Plain {
    fn started(&mut self) {
        self.0.push(Event::Started);
    }

    fn passed(&mut self, weights: Weights) {
        self.0.push(Event::Passed(weights));
    }

    fn relaxed(&mut self, way: Way, change: Change) {
        self.0.push(Event::Relaxed(way, change));
    }

    fn expanded(&mut self, way: Way) {
        self.0.push(Event::Expanded(way));
    }

    fn dropped(&mut self, cell: Cell) {
        self.0.push(Event::Dropped(cell));
    }

    fn reached(&mut self, way: Way) {
        self.0.push(Event::Reached(way));
    }

    fn answered(&mut self, cost: u64, least: u64) {
        self.0.push(Event::Answered { cost, least });
    }
}

/// Tells events again.
pub(crate) fn tell(events: &[Event], recorder: &mut impl SearchRecorder) {
    for &event in events {
        match event {
            Event::Started => recorder.started(),
            Event::Passed(weights) => recorder.passed(weights),
            Event::Relaxed(way, change) => recorder.relaxed(way, change),
            Event::Expanded(way) => recorder.expanded(way),
            Event::Dropped(cell) => recorder.dropped(cell),
            Event::Reached(way) => recorder.reached(way),
            Event::Answered { cost, least } => recorder.answered(cost, least),
            _ => panic!("an event that this test does not know: {event:?}"),
        }
    }
}
