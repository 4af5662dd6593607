//! Maps made up by a fixed seed, with queries that have a path.

#![allow(dead_code, reason = "no bench uses all of it")]

use fastrand::Rng;
use pursuit::search::{FindPathError, FoundPath, Heuristic, PathOptions, SearchScratch};
use pursuit::{BodyLayers, Cell, DiagonalPolicy, Grid, RegionId, Regions};

/// Side of every map, in cells.
pub(crate) const SIDE: u32 = 256;
/// Queries per map.
pub(crate) const QUERIES: usize = 16;
/// How many of them are checked.
const CHECKED: usize = 4;

/// What a search gives.
pub(crate) type Answer = Result<FoundPath, FindPathError>;

/// A map and what is asked about it.
pub(crate) struct Bench {
    pub(crate) name: &'static str,
    pub(crate) grid: Grid,
    pub(crate) layers: BodyLayers,
    pub(crate) queries: Vec<(Cell, Cell)>,
}

impl Bench {
    fn new(name: &'static str, grid: Grid) -> Self {
        let queries = queries(&grid);
        Bench {
            name,
            layers: BodyLayers::from_grid(grid.clone(), DiagonalPolicy::default()),
            grid,
            queries,
        }
    }

    /// Panics unless `find` finds paths that cost what they cost without a heuristic.
    pub(crate) fn check(&self, mut find: impl FnMut(Cell, Cell, &mut SearchScratch) -> Answer) {
        let mut scratch = SearchScratch::new();
        let plain = PathOptions {
            heuristic: Heuristic::Zero,
            ..PathOptions::default()
        };
        for &(start, goal) in self.queries.iter().take(CHECKED) {
            let expected = self.layers.find_path(start, goal, &plain, &mut scratch);
            let [found, expected] = [find(start, goal, &mut scratch), expected]
                .map(|found| found.map(|found| found.path.cost));
            assert_eq!(found, expected, "{} {start} {goal}", self.name);
        }
    }
}

/// One map of each kind.
pub(crate) fn all() -> Vec<Bench> {
    vec![
        Bench::new("field", field()),
        Bench::new("rooms", rooms()),
        Bench::new("maze", maze()),
        Bench::new("random", random()),
    ]
}

/// The open field and the random map with terrain costs.
pub(crate) fn weighted() -> Vec<Bench> {
    vec![
        Bench::new("field", terrain(&field())),
        Bench::new("random", terrain(&random())),
    ]
}

fn grid(free: impl FnMut(Cell) -> bool) -> Grid {
    Grid::from_fn(SIDE, SIDE, free).expect("the size is one of a grid")
}

fn field() -> Grid {
    grid(|_| true)
}

/// Rooms of 15 by 15 cells with a door in each wall between two.
fn rooms() -> Grid {
    let mut rng = Rng::with_seed(1);
    let count = SIDE as usize / 16;
    let mut door = || -> Vec<i32> { (0..count * count).map(|_| rng.i32(0..15)).collect() };
    let (right, below) = (door(), door());
    grid(|Cell { x, y }| {
        let room = y as usize / 16 * count + x as usize / 16;
        match (x % 16, y % 16) {
            (15, 15) => false,
            (15, y) => right[room] == y,
            (x, 15) => below[room] == x,
            _ => true,
        }
    })
}

/// A maze with corridors of one cell and without loops, dug depth first.
fn maze() -> Grid {
    let mut rng = Rng::with_seed(2);
    let side = SIDE as usize;
    let mut free = vec![false; side * side];
    let mut way = vec![(1_usize, 1_usize)];
    free[side + 1] = true;
    while let Some(&(x, y)) = way.last() {
        let mut next = [
            (x + 2, y),
            (x.wrapping_sub(2), y),
            (x, y + 2),
            (x, y.wrapping_sub(2)),
        ];
        rng.shuffle(&mut next);
        let inside = |&(x, y): &(usize, usize)| x < side - 1 && y < side - 1;
        let next = next.into_iter().filter(inside);
        let Some(next) = next.into_iter().find(|&(x, y)| !free[y * side + x]) else {
            way.pop();
            continue;
        };
        let between = (x.midpoint(next.0), y.midpoint(next.1));
        for (x, y) in [between, next] {
            free[y * side + x] = true;
        }
        way.push(next);
    }
    grid(|cell| free[cell.y as usize * side + cell.x as usize])
}

/// A quarter of the cells blocked.
fn random() -> Grid {
    let mut rng = Rng::with_seed(3);
    grid(|_| rng.u32(0..4) != 0)
}

/// The same walls on ground that costs 1 to 8 in patches.
fn terrain(grid: &Grid) -> Grid {
    let mut rng = Rng::with_seed(4);
    let patches: Vec<u8> = (0..32 * 32).map(|_| rng.u8(1..=8)).collect();
    let mut builder = grid.to_builder();
    for cell in grid.rect().cells() {
        let patch = cell.y as usize / 8 * 32 + cell.x as usize / 8;
        let set = builder.set_cost(cell, patches[patch]);
        set.expect("the cell is the grid's and the cost is above zero");
    }
    builder.build()
}

/// Pairs of cells of the largest region.
fn queries(grid: &Grid) -> Vec<(Cell, Cell)> {
    let regions = Regions::of(grid, DiagonalPolicy::default());
    let sizes = regions.sizes().iter().zip(0..);
    let largest = sizes.max().map(|(_, number)| RegionId(number));
    let cells = grid.rect().cells();
    let cells: Vec<_> = cells
        .filter(|&cell| regions.region(cell) == largest)
        .collect();
    let mut rng = Rng::with_seed(5);
    let mut pick = || cells[rng.usize(..cells.len())];
    (0..QUERIES).map(|_| (pick(), pick())).collect()
}
