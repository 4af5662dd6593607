//! Code that the fuzz targets share: grids, queries, options and edits from arbitrary bytes, and the check of an
//! answer.

#[path = "../../crates/pursuit/tests/all/sight/exact.rs"]
mod exact;
pub mod nav_map;
pub mod recordings;
#[path = "../../crates/pursuit/tests/all/segments.rs"]
mod segments;
pub mod sight;
pub mod tables;
pub mod taut;
pub mod texts;
pub mod worlds;

use std::cell::RefCell;

use arbitrary::Arbitrary;
use pursuit::{
    Algorithm, BodyLayers, Cell, CellRect, DiagonalPolicy, FindPathError, FoundPath, Grid,
    GridBuilder, Heuristic, Outcome, PartialReason, PathOptions, SearchScratch, Weights, octile,
    oracle,
};

/// Longest side of a grid, in cells. A row is slightly longer than two 64-bit words.
const MAX_SIDE: u32 = 140;
/// Maximum number of cells of a grid. With more cells, the oracle would be slow.
const MAX_CELLS: u32 = 3000;

/// A small grid, made by edits of rectangles.
#[derive(Arbitrary, Debug)]
pub struct AnyGrid {
    size: [u8; 2],
    edits: Vec<AnyEdit>,
}

impl AnyGrid {
    /// The grid.
    #[must_use]
    pub fn build(&self) -> Grid {
        let [width, height] = self.size.map(u32::from);
        let width = width % MAX_SIDE + 1;
        let height = height % (MAX_CELLS / width).min(MAX_SIDE) + 1;
        let mut builder = Grid::builder(width, height).expect("a good size");
        for edit in self.edits.iter().take(12) {
            edit.write(&mut builder, width, height);
        }
        builder.build()
    }
}

/// The change of the cells of a rectangle.
#[derive(Arbitrary, Clone, Debug)]
enum Change {
    Free,
    Block,
    /// A repeated pattern of bits. Cells with a set bit are blocked, and the others are free.
    Pattern(u64),
    Cost(u8),
    /// A repeated sequence of costs.
    Costs([u8; 7]),
}

/// An edit of a rectangle.
#[derive(Arbitrary, Clone, Debug)]
pub struct AnyEdit {
    at: [u8; 2],
    size: [u8; 2],
    change: Change,
}

impl AnyEdit {
    /// The edited grid, and the cells that may have changed.
    #[must_use]
    pub fn apply(&self, grid: &Grid) -> (Grid, CellRect) {
        let mut builder = grid.to_builder();
        let changed = self.write(&mut builder, grid.width(), grid.height());
        (builder.build(), changed)
    }

    fn write(&self, builder: &mut GridBuilder, width: u32, height: u32) -> CellRect {
        let [x, y] = [
            u32::from(self.at[0]) % width,
            u32::from(self.at[1]) % height,
        ];
        let min = Cell::new(x as i32, y as i32);
        let [w, h] = self.size.map(|side| i32::from(side % 80) + 1);
        let all = CellRect::new(Cell::new(0, 0), Cell::new(width as i32, height as i32));
        let rect = CellRect::new(min, min.offset(w, h)).intersect(&all);
        for (i, cell) in rect.cells().enumerate() {
            let result = match &self.change {
                Change::Free => builder.set_free(cell, true),
                Change::Block => builder.set_free(cell, false),
                Change::Pattern(bits) => builder.set_free(cell, bits >> (i % 61) & 1 == 0),
                Change::Cost(cost) => builder.set_cost(cell, (*cost).max(1)),
                Change::Costs(costs) => builder.set_cost(cell, costs[i % 7].max(1)),
            };
            result.expect("the cell is inside");
        }
        rect
    }
}

/// A start and a goal, inside a grid or slightly outside.
#[derive(Arbitrary, Debug)]
pub struct AnyQuery {
    start: [u8; 2],
    goal: [u8; 2],
    outside: bool,
}

impl AnyQuery {
    /// The start and the goal on a grid.
    pub fn cells(&self, grid: &Grid) -> (Cell, Cell) {
        let cell = |at| cell_of(grid, at);
        let shift = if self.outside { -1 } else { 0 };
        (cell(self.start), cell(self.goal).offset(shift, 0))
    }
}

fn cell_of(grid: &Grid, [x, y]: [u8; 2]) -> Cell {
    let (x, y) = (u32::from(x) % grid.width(), u32::from(y) % grid.height());
    Cell::new(x as i32, y as i32)
}

/// Any options of a search.
#[derive(Arbitrary, Debug)]
pub struct AnyOptions {
    policy: u8,
    heuristic: u8,
    weights: Option<(u8, u8)>,
    limit: Option<u16>,
    algorithm: u8,
}

impl AnyOptions {
    /// The options.
    #[must_use]
    pub fn path_options(&self) -> PathOptions {
        let weights = self.weights.map_or(Weights::default(), |(g, h)| Weights {
            g: u16::from(g),
            h: u16::from(h),
        });
        PathOptions {
            algorithm: match self.algorithm % 4 {
                0 | 1 => Algorithm::JumpPoint,
                2 => Algorithm::AStar,
                _ => Algorithm::Auto,
            },
            diagonals: DiagonalPolicy::ALL[usize::from(self.policy) % 4],
            heuristic: match self.heuristic % 8 {
                0..6 => Heuristic::Octile,
                _ => Heuristic::Zero,
            },
            weights,
            max_expanded: self.limit.map(u32::from),
        }
    }
}

thread_local! {
    /// One scratch for all runs, because the data of earlier searches must not change an answer.
    static SCRATCH: RefCell<SearchScratch> = RefCell::new(SearchScratch::new());
}

/// Searches and compares the answer with the oracle. The layers must have the diagonal policy of the options.
///
/// # Panics
///
/// If the answer and the oracle differ.
pub fn check_layers(layers: &BodyLayers, query: &AnyQuery, options: &PathOptions) {
    assert_eq!(layers.diagonals(), options.diagonals);
    let grid = layers.grid();
    let (start, goal) = query.cells(grid);
    let find = |scratch: &mut SearchScratch| layers.find_path(start, goal, options, scratch);
    let answer = SCRATCH.with_borrow_mut(find);
    let fresh = find(&mut SearchScratch::new());
    assert_eq!(answer, fresh, "the earlier contents of the scratch matter");
    let found = match answer {
        Ok(found) => found,
        Err(error) => {
            assert_eq!(Some(error), expected_error(grid, start, goal, options));
            return;
        }
    };
    assert_eq!(expected_error(grid, start, goal, options), None);

    let cheapest = check_walk(grid, (start, goal), &found, options.diagonals);
    assert!(found.path.cost as f64 <= found.bound * cheapest as f64 * (1.0 + 1e-12));
    if let Some(limit) = options.max_expanded {
        assert!(found.stats.expanded <= limit);
    }
    if found.outcome == Outcome::Partial(PartialReason::LimitReached) {
        assert_eq!(Some(found.stats.expanded), options.max_expanded);
        return;
    }
    // A search that reached its limit may have missed a cheaper path.
    let is_done = options.max_expanded != Some(found.stats.expanded);
    if options.weights.g == options.weights.h && is_done {
        assert_eq!(
            (found.path.cost, found.bound),
            (cheapest, 1.0),
            "not the cheapest path"
        );
    }
}

/// Asserts that a path is legal, leads to the right end and has its stated cost. Returns the lowest possible cost to
/// that end.
fn check_walk(
    grid: &Grid,
    (start, goal): (Cell, Cell),
    found: &FoundPath,
    diagonals: DiagonalPolicy,
) -> u64 {
    let (path, outcome) = (&found.path, found.outcome);
    assert_eq!(path.start(), Some(start));
    let walked = oracle::path_cost(grid, path, diagonals);
    assert_eq!(walked, Some(path.cost), "a step is not legal: {path:?}");
    let costs = oracle::distances(grid, start, diagonals);
    let cost_to = |cell| grid.index(cell).and_then(|index| costs[index.get()]);
    let end = path.end().expect("a path has an end");
    let cheapest = cost_to(end).expect("the path leads there");
    assert!(cheapest <= path.cost);
    if outcome == Outcome::Partial(PartialReason::LimitReached) {
        return cheapest;
    }
    let expected = match cost_to(goal) {
        Some(_) => Outcome::Complete,
        None if grid.is_free(goal) => Outcome::Partial(PartialReason::Unreachable),
        None => Outcome::Partial(PartialReason::GoalBlocked),
    };
    assert_eq!(outcome, expected, "from {start} to {goal}");
    let reachable = grid.rect().cells().filter(|&cell| cost_to(cell).is_some());
    assert_eq!(Some(end), reachable.min_by_key(|&cell| octile(cell, goal)));
    cheapest
}

/// A copy of the walls of a grid with other costs, which shares no memory with the grid.
fn rebuilt(grid: &Grid, cost: impl Fn(Cell) -> u8) -> Grid {
    let mut builder = Grid::builder(grid.width(), grid.height()).expect("a good size");
    for cell in grid.rect().cells() {
        let set = builder.set_free(cell, grid.is_free(cell));
        let set = set.and_then(|()| builder.set_cost(cell, cost(cell)));
        set.expect("the cell is inside");
    }
    builder.build()
}

fn expected_error(
    grid: &Grid,
    start: Cell,
    goal: Cell,
    options: &PathOptions,
) -> Option<FindPathError> {
    if !grid.contains(start) {
        Some(FindPathError::StartOutside(start))
    } else if !grid.contains(goal) {
        Some(FindPathError::GoalOutside(goal))
    } else if !grid.is_free(start) {
        Some(FindPathError::StartBlocked(start))
    } else if options.weights == (Weights { g: 0, h: 0 }) {
        Some(FindPathError::ZeroWeights)
    } else {
        None
    }
}
