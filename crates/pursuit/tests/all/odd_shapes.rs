//! Memory of grids and maps of unusual shapes, and of searches on them.

use std::fmt::Debug;
use std::sync::Arc;

use glam::Vec2;
use pursuit::{
    Algorithm, BodyLayers, Cancel, Cell, CellRect, Clearance, DiagonalPolicy, Grid, LiveMap,
    NavMap, Outcome, PathOptions, SearchScratch,
};

use crate::common::random::{by, with_costs};

/// Maximum number of bytes per cell that a grid or a map with one radius takes, together with one search and its path.
const MOST: u64 = 64;
/// Bytes that a map of any size may take in addition.
const FIXED: u64 = 1 << 17;
/// Maximum number of bytes per cell for distances to obstacles.
const CLEARANCE: u64 = 8;
/// Maximum number of bytes per cell for the data of searches while it is computed.
const PREPARED: u64 = 36;

#[test]
fn preparing_a_strip_takes_at_most_36_bytes_per_cell() {
    for (width, height) in [(1 << 22, 1), (1, 1 << 22), (2, 1 << 16), (1 << 17, 8)] {
        let grid = Grid::from_fn(width, height, |_| true).expect("a good size");
        let policy = DiagonalPolicy::NoCornerCut;
        let counted = allocation_counter::measure(|| drop(BodyLayers::from_grid(grid, policy)));
        let cells = u64::from(width) * u64::from(height);
        check_bytes((width, height), counted.bytes_max, cells, PREPARED * cells);
    }
}

/// The size, the walls and the terrain of a map, and the bodies on it.
#[derive(Clone, Copy, Debug)]
struct Case {
    width: u32,
    height: u32,
    /// Number of walls per 16 cells, at random.
    walls: u32,
    has_cost: bool,
    radius: f32,
}

impl Case {
    fn open(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            walls: 0,
            has_cost: false,
            radius: 0.0,
        }
    }

    /// A case of this size. The lowest bits of `number` choose its walls, its costs and its radius.
    fn numbered(width: u32, height: u32, number: u32) -> Self {
        let has = |bit: u32| number >> bit & 1 != 0;
        Self {
            walls: u32::from(has(0)),
            radius: if has(1) { 1.5 } else { 0.0 },
            has_cost: has(2),
            ..Self::open(width, height)
        }
    }

    fn cells(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    fn grid(self) -> Grid {
        let mut random = fastrand::Rng::with_seed(7);
        let mut builder = if self.walls == 0 {
            Grid::builder(self.width, self.height).expect("a good size")
        } else {
            let is_free = |_| random.u32(0..16) >= self.walls;
            let grid = Grid::from_fn(self.width, self.height, is_free).expect("a good size");
            grid.to_builder()
        };
        if self.has_cost {
            let middle = Cell::new(self.width as i32 / 2, self.height as i32 / 2);
            let is_set = builder.set_free(middle, true);
            is_set
                .and_then(|()| builder.set_cost(middle, 9))
                .expect("inside");
        }
        builder.build()
    }

    /// The map of a grid, after all data for searches was computed and searches ran from one end to the other.
    fn map(self, grid: &Grid) -> NavMap {
        let nav = NavMap::new(grid, 4.0, DiagonalPolicy::NoCornerCut);
        let layers = nav.layers(self.radius);
        let far = Vec2::new(self.width as f32, self.height as f32) - 1.0;
        let ends = [Vec2::ZERO, far].map(|point| layers.nearest_free(point));
        let [start, goal] = ends.map(|end| end.expect("a free cell"));
        for algorithm in [Algorithm::Auto, Algorithm::AStar] {
            let options = by(algorithm);
            let found = layers.find_path(start, goal, &options, &mut SearchScratch::new());
            let found = found.expect("a path");
            assert_eq!(found.path.start(), Some(start));
            if self.walls == 0 {
                assert_eq!(found.path.end(), Some(goal));
            }
        }
        drop(layers);
        nav
    }

    /// Panics if the map, its grid, a search and its path take too many bytes together.
    #[track_caller]
    fn check(self) {
        let counted = allocation_counter::measure(|| {
            let grid = self.grid();
            drop(self.map(&grid));
        });
        self.check_bytes(counted.bytes_max, 1);
    }

    /// Panics if `copies` copies of the map should take fewer bytes than `bytes`.
    #[track_caller]
    fn check_bytes(self, bytes: u64, copies: u64) {
        let most = copies * (MOST * self.cells() + FIXED);
        check_bytes(self, bytes, copies * self.cells(), most);
    }
}

/// Panics if `bytes`, the memory for `cells` cells, is more than `most`.
#[track_caller]
fn check_bytes(what: impl Debug, bytes: u64, cells: u64, most: u64) {
    let per_cell = bytes as f64 / cells as f64;
    assert!(bytes <= most, "{what:?}: {per_cell:.1} bytes per cell");
}

#[test]
fn a_map_of_a_strip_and_a_search_take_at_most_64_bytes_per_cell() {
    // These widths lie near the limits above which a row needs another word, or above which jump points are used.
    let widths = [2, 3, 5, 7, 8, 9, 16, 31, 32, 33, 48, 62, 63, 64, 65];
    let long = 1 << 15;
    for (number, width) in (0..).zip(widths) {
        Case::numbered(width, long, number).check();
        Case::numbered(long, width, number + 3).check();
    }
    for (width, number) in [2, 8, 32]
        .iter()
        .flat_map(|width| (0..8).map(move |n| (*width, n)))
    {
        Case::numbered(width, long, number).check();
        Case::numbered(long, width, number).check();
    }
}

#[test]
fn a_map_of_a_short_strip_and_a_search_take_at_most_64_bytes_per_cell() {
    for width in 1..=9 {
        for long in [300, 512, 513, 2048, 4096, 4097] {
            for number in 0..8 {
                Case::numbered(width, long, number).check();
                Case::numbered(long, width, number).check();
            }
        }
    }
}

#[test]
fn the_largest_maps_and_a_search_take_at_most_64_bytes_per_cell() {
    Case::open(1, 1 << 24).check();
    Case::open(1 << 24, 1).check();
    Case::numbered(4096, 4096, 3).check();
    Case::open(8192, 8192).check();
}

/// 16384 × 16384 cells take 6 GiB.
#[test]
#[ignore = "takes 6 GiB"]
fn the_largest_square_and_a_search_take_at_most_64_bytes_per_cell() {
    Case::open(1 << 14, 1 << 14).check();
    Case::numbered(1 << 14, 1 << 14, 1).check();
}

#[test]
fn distances_take_at_most_8_bytes_per_cell() {
    for (width, height) in [
        (1, 1 << 20),
        (1 << 20, 1),
        (7, 1 << 15),
        (1 << 15, 65),
        (900, 900),
    ] {
        for (walls, cap) in [(0, 4.0), (1, 4.0), (1, 40.0)] {
            let case = Case {
                walls,
                ..Case::open(width, height)
            };
            let grid = case.grid();
            let mut kept = None;
            let counted =
                allocation_counter::measure(|| kept = Some(Clearance::from_grid(&grid, cap)));
            let (bytes, cells) = (counted.bytes_current as u64, case.cells());
            check_bytes(case, bytes, cells, CLEARANCE * cells + 1024);
        }
    }
}

#[test]
fn an_edited_map_takes_at_most_64_bytes_per_cell_and_copy() {
    let long = 1 << 15;
    let shapes = [
        (1, 1 << 17),
        (1 << 17, 1),
        (2, long),
        (8, long),
        (long, 8),
        (64, long),
        (700, 700),
    ];
    for (width, height) in shapes {
        for number in [0, 1, 6] {
            let case = Case::numbered(width, height, number);
            let edit = |live: &mut LiveMap, number: i32| {
                let at = Cell::new(width as i32 / 3 * number, height as i32 / 3 * number);
                let rect = CellRect::new(at, at.offset(2, 2));
                live.fill(rect, false) || live.fill(rect, true)
            };
            // No snapshot is held, so there are two copies.
            let counted = allocation_counter::measure(|| {
                let mut live = LiveMap::new(case.map(&case.grid()));
                live.settle(Cancel::NEVER).unwrap();
                for number in [1, 2, 1, 2] {
                    assert!(edit(&mut live, number));
                }
                live.settle(Cancel::NEVER).unwrap();
            });
            case.check_bytes(counted.bytes_max, 2);
            // All snapshots are held, so there are four copies.
            let counted = allocation_counter::measure(|| {
                let mut live = LiveMap::new(case.map(&case.grid()));
                let mut held = Vec::new();
                for number in [1, 2, 1] {
                    held.push(Arc::clone(live.map()));
                    assert!(edit(&mut live, number));
                }
            });
            case.check_bytes(counted.bytes_max, 4);
        }
    }
}

#[test]
fn a_map_with_terrain_and_a_search_take_at_most_64_bytes_per_cell() {
    let costs: [fn(&mut fastrand::Rng, Cell) -> u8; 2] = [
        |random, _| random.u8(1..9),
        |_, cell| {
            if cell.x.max(cell.y) / 100 % 2 == 0 {
                1
            } else {
                200
            }
        },
    ];
    let long = 1 << 17;
    let shapes = [
        (3, 1 << 19, MOST),
        (1, long, MOST),
        (2, long, MOST),
        (3, long, MOST),
        (long, 3, MOST),
        (5, long, MOST),
        (8, long, MOST),
        (31, 1 << 14, MOST),
        (64, 1 << 14, MOST),
        (700, 700, MOST),
    ];
    for (width, height, most) in shapes {
        for cost in costs {
            let cells = u64::from(width) * u64::from(height);
            let random = &mut fastrand::Rng::with_seed(7);
            let counted = allocation_counter::measure(|| {
                let far = Cell::new(width as i32 - 1, height as i32 - 1);
                let open = Grid::from_fn(width, height, |_| true).expect("a good size");
                let grid = with_costs(&open, |cell| cost(random, cell));
                drop(open);
                let nav = NavMap::new(&grid, 4.0, DiagonalPolicy::NoCornerCut);
                drop(grid);
                let (start, options) = (Cell::new(0, 0), PathOptions::default());
                let scratch = &mut SearchScratch::new();
                let found = nav.layers(0.0).find_path(start, far, &options, scratch);
                assert_eq!(found.expect("a path").outcome, Outcome::Complete);
            });
            check_bytes(
                (width, height),
                counted.bytes_max,
                cells,
                most * cells + FIXED,
            );
        }
    }
}
