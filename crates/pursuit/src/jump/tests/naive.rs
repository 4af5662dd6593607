//! Walks cell by cell, to check the boards against, and grids for that.

use proptest::prelude::*;

use crate::cell::{Cell, CellRect};
use crate::grid::{Grid, GridError};
use crate::jump::boards::JumpPointBoards;
use crate::jump::node::Node;

/// Whether a cell is free. From that all else is told by looking at one cell after the other.
pub(crate) struct Naive<F>(pub(crate) F);

/// How both coordinates change with each step of a walk, straight or diagonal.
pub(crate) type Direction = (i32, i32);

impl Naive<fn(Cell) -> bool> {
    /// The free cells of boards, in their coordinates: x is `u`, and y is `v`. Dead ends count as walls.
    pub(crate) fn of(boards: &JumpPointBoards, grid: &Grid) -> Naive<impl Fn(Cell) -> bool> {
        let free = Table::of(boards, |at| {
            let node = node(at);
            let is_dead_end = boards.dead_ends.exit_slot(boards.slot(node)).is_some();
            grid.is_free(boards.cell(node)) && !is_dead_end
        });
        Naive(move |at: Cell| free.get(at).copied().unwrap_or(false))
    }
}

/// What is so of each cell of [`Naive::of`], worked out once for walks that come by again and again.
pub(crate) struct Table<T> {
    v_side: i32,
    items: Vec<T>,
}

impl<T> Table<T> {
    pub(crate) fn of(boards: &JumpPointBoards, item: impl FnMut(Cell) -> T) -> Self {
        Self {
            v_side: boards.v_side as i32,
            items: cells(boards).map(item).collect(),
        }
    }

    /// What is so of a cell; `None` outside.
    pub(crate) fn get(&self, at: Cell) -> Option<&T> {
        let is_inside = at.x >= 0 && (0..self.v_side).contains(&at.y);
        let place = is_inside.then(|| (at.x * self.v_side + at.y) as usize);
        place.and_then(|place| self.items.get(place))
    }
}

impl<F: Fn(Cell) -> bool> Naive<F> {
    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        (self.0)(cell)
    }

    /// Whether a cell has a forced neighbor on the side `to`, for a straight walk in direction `ahead`.
    ///
    /// Whether a walk comes to the cell at all is not asked: see [`is_jump_point`](Self::is_jump_point).
    pub(crate) fn is_forced(&self, at: Cell, ahead: Direction, to: Direction) -> bool {
        let beside = at.offset(to.0, to.1);
        self.is_free(at) && self.is_free(beside) && !self.is_free(beside.offset(-ahead.0, -ahead.1))
    }

    /// On which sides a cell has forced neighbors, if a straight walk in direction `ahead` comes to it.
    pub(crate) fn forced(&self, at: Cell, ahead: Direction) -> [bool; 2] {
        let is_passed = self.is_free(at) && self.is_free(at.offset(-ahead.0, -ahead.1));
        Self::sides(ahead).map(|to| is_passed && self.is_forced(at, ahead, to))
    }

    /// Whether a straight walk in direction `ahead` has a jump point at a cell.
    pub(crate) fn is_jump_point(&self, at: Cell, ahead: Direction) -> bool {
        self.forced(at, ahead) != [false; 2]
    }

    /// Whether a cell is a jump point of any straight walk.
    pub(crate) fn is_any_jump_point(&self, at: Cell) -> bool {
        let mut walks = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter();
        walks.any(|ahead| self.is_jump_point(at, ahead))
    }

    /// The two sides of a straight walk: toward the next line, and toward the previous one.
    pub(crate) fn sides(ahead: Direction) -> [Direction; 2] {
        let (dx, dy) = (ahead.0.abs(), ahead.1.abs());
        [(dy, dx), (-dy, -dx)]
    }

    /// Whether a straight walk from a cell reaches a jump point.
    pub(crate) fn reaches_jump_point(&self, from: Cell, ahead: Direction) -> bool {
        let mut at = from.offset(ahead.0, ahead.1);
        while self.is_free(at) {
            if Self::sides(ahead)
                .iter()
                .any(|&to| self.is_forced(at, ahead, to))
            {
                return true;
            }
            at = at.offset(ahead.0, ahead.1);
        }
        false
    }

    /// Whether a diagonal step from a cell is open.
    pub(crate) fn can_step(&self, at: Cell, (dx, dy): Direction) -> bool {
        [(0, 0), (dx, 0), (0, dy), (dx, dy)]
            .iter()
            .all(|by| self.is_free(at.offset(by.0, by.1)))
    }

    /// Whether a diagonal walk from a cell reaches a branch.
    pub(crate) fn reaches_branch(&self, from: Cell, by: Direction) -> bool {
        let mut at = from;
        while self.can_step(at, by) {
            at = at.offset(by.0, by.1);
            if self.reaches_jump_point(at, (by.0, 0)) || self.reaches_jump_point(at, (0, by.1)) {
                return true;
            }
        }
        false
    }

    /// Whether turning around the ends of the walls beside a cell leads to no other jump point.
    pub(crate) fn is_dominated(&self, at: Cell, ahead: Direction) -> bool {
        Self::sides(ahead).iter().all(|&to| {
            let diagonal = (ahead.0 + to.0, ahead.1 + to.1);
            !self.is_forced(at, ahead, to)
                || !self.reaches_jump_point(at, to) && !self.reaches_branch(at, diagonal)
        })
    }
}

/// A cell of [`Naive::of`] as a node.
pub(crate) fn node(at: Cell) -> Node {
    Node {
        u: at.x as u32,
        v: at.y as u32,
    }
}

/// All cells of [`Naive::of`].
pub(crate) fn cells(boards: &JumpPointBoards) -> impl Iterator<Item = Cell> + use<> {
    let (u_side, v_side) = (boards.u_side as i32, boards.v_side as i32);
    (0..u_side).flat_map(move |u| (0..v_side).map(move |v| Cell::new(u, v)))
}

/// Around the borders of words in both directions, thin, and larger than a word.
fn any_side() -> impl Strategy<Value = u32> {
    prop_oneof![2 => 1u32..5, 3 => 5u32..20, 2 => 61u32..68, 1 => 126u32..131, 1 => 20u32..140]
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Each cell for itself.
    Noise,
    /// Walls that are rectangles, some of them overlapping.
    Blocks,
    /// Corridors one cell wide with some walls broken.
    Maze,
}

pub(crate) fn any_grid() -> impl Strategy<Value = Grid> {
    (any_side(), any_side(), any_kind()).prop_map(grid)
}

/// Grids with lines and diagonals of several words among them.
pub(crate) fn any_large_grid() -> impl Strategy<Value = Grid> {
    let side = || prop_oneof![4 => any_side(), 1 => 185u32..300];
    (side(), side(), any_kind()).prop_map(grid)
}

/// A kind, its share of walls and a seed.
fn any_kind() -> impl Strategy<Value = (Kind, u32, u64)> {
    let kind = prop_oneof![Just(Kind::Noise), Just(Kind::Blocks), Just(Kind::Maze)];
    (kind, prop_oneof![0u32..60, 0u32..4], any::<u64>())
}

fn grid((width, height, (kind, percent, seed)): (u32, u32, (Kind, u32, u64))) -> Grid {
    let grid = match kind {
        Kind::Noise => Grid::from_fn(width, height, |cell| {
            random(seed, cell.x, cell.y) % 100 >= percent
        }),
        Kind::Blocks => blocks(width, height, percent, seed),
        Kind::Maze => maze(width, height, seed),
    };
    grid.expect("a good size")
}

/// A number for each seed and pair of numbers.
pub(crate) fn random(seed: u64, a: i32, b: i32) -> u32 {
    // Steele, Lea and Flood, 2014: the mixing of SplitMix64.
    let mut z = seed ^ (a as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (b as u64) << 40;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 33) as u32
}

fn blocks(width: u32, height: u32, percent: u32, seed: u64) -> Result<Grid, GridError> {
    let mut builder = Grid::builder(width, height)?;
    let count = width * height * percent / 3000;
    for block in 0..count as i32 {
        let number = |which: i32, below: u32| (random(seed, block, which) % below) as i32;
        let min = Cell::new(number(0, width), number(1, height));
        let max = min.offset(1 + number(2, 12), 1 + number(3, 12));
        builder.fill(CellRect::new(min, max), false);
    }
    Ok(builder.build())
}

/// A binary tree of corridors: from each even cell one way on, to the previous column or row.
fn maze(width: u32, height: u32, seed: u64) -> Result<Grid, GridError> {
    Grid::from_fn(width, height, |Cell { x, y }| {
        let goes_left = |x: i32, y: i32| y == 0 || x != 0 && random(seed, x, y).is_multiple_of(2);
        match (x % 2, y % 2) {
            (0, 0) => true,
            (1, 0) => goes_left(x + 1, y) || random(seed, x, -y).is_multiple_of(40),
            (0, 1) => !goes_left(x, y + 1) || random(seed, -x, y).is_multiple_of(40),
            _ => random(seed, -x, -y).is_multiple_of(30),
        }
    })
}
