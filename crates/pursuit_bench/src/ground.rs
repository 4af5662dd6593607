//! Adds ground of different costs to maps.

use fastrand::Rng;
use pursuit::{
    BodyLayers, Cell, CellRect, DiagonalPolicy, FindPathError, FoundPath, Grid, Outcome,
};

/// Seed of the costs.
const COST_SEED: u64 = 1;

/// Side of a patch of terrain, in cells.
const PATCH_SIDE: i32 = 8;

/// The walls of a map, with rough ground on a fifth of the cells. Rough ground lies in square patches, and costs 2 to
/// 10 times as much as the other cells. Maps of the same size get the same costs.
pub(crate) fn rough(walls: &Grid) -> Grid {
    let mut random = Rng::with_seed(COST_SEED);
    let columns = walls.width().div_ceil(PATCH_SIDE as u32) as i32;
    let rows = walls.height().div_ceil(PATCH_SIDE as u32) as i32;
    let patches = (0..columns * rows).map(|_| match random.u8(0..5) {
        0 => random.u8(2..=10),
        _ => 1,
    });
    let costs: Vec<u8> = patches.collect();
    let mut builder = walls.to_builder();
    for cell in walls.rect().cells() {
        let patch = cell.y / PATCH_SIDE * columns + cell.x / PATCH_SIDE;
        let set = builder.set_cost(cell, costs[patch as usize]);
        set.expect("a cell of the grid, and a cost above 0");
    }
    builder.build()
}

/// The walls of a map, with four round ponds that cost 2 to 10 times as much as the other cells. The diameter of a pond
/// is a sixth of the shorter side of the map. Maps of the same size get the same costs.
pub(crate) fn ponds(walls: &Grid) -> Grid {
    let mut random = Rng::with_seed(COST_SEED);
    let mut builder = walls.to_builder();
    let (width, height) = (walls.width() as i32, walls.height() as i32);
    let radius = width.min(height) / 12;
    for _ in 0..4 {
        let middle = Cell::new(random.i32(0..width), random.i32(0..height));
        let cost = random.u8(2..=10);
        let around = CellRect::new(middle, middle.offset(1, 1)).grow(radius.unsigned_abs());
        for cell in around.intersect(&walls.rect()).cells() {
            let (dx, dy) = (cell.x - middle.x, cell.y - middle.y);
            if dx * dx + dy * dy <= radius * radius {
                let set = builder.set_cost(cell, cost);
                set.expect("a cell of the grid, and a cost above 0");
            }
        }
    }
    builder.build()
}

/// The patches with [`rough`] ground, each with its cost. Patches that contain only walls are left out.
pub(crate) fn rough_patches(walls: &Grid) -> impl Iterator<Item = (CellRect, u8)> {
    let grid = rough(walls);
    let corners = grid.rect().cells();
    let corners = corners.filter(|cell| cell.x % PATCH_SIDE == 0 && cell.y % PATCH_SIDE == 0);
    let patches: Vec<(CellRect, u8)> = corners
        .filter_map(|corner| {
            let cells = CellRect::new(corner, corner.offset(PATCH_SIDE, PATCH_SIDE));
            let cells = cells.intersect(&grid.rect());
            let free = cells.cells().find(|&cell| grid.is_free(cell))?;
            Some((cells, grid.cost(free)))
        })
        .collect();
    patches.into_iter().filter(|&(_, cost)| cost > 1)
}

/// The layers of a grid for a point-sized body that may not cut corners.
pub(crate) fn layers(grid: Grid) -> BodyLayers {
    BodyLayers::from_grid(grid, DiagonalPolicy::NoCornerCut)
}

/// The path that a search found, if it leads to its goal.
pub(crate) fn complete(found: Result<FoundPath, FindPathError>) -> Option<FoundPath> {
    let is_complete = |found: &FoundPath| found.outcome == Outcome::Complete;
    found.ok().filter(is_complete)
}

/// The cells of the largest region, row by row.
pub(crate) fn largest_region(layers: &BodyLayers) -> Vec<Cell> {
    let regions = layers.regions();
    let largest = regions.ids().max_by_key(|&id| regions.size(id));
    let all = layers.grid().rect().cells();
    all.filter(|&cell| largest.is_some() && regions.region(cell) == largest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{largest_region, layers, ponds, rough};
    use pursuit::maps::parse_ascii;
    use pursuit::{Cell, Grid};

    fn grid(map: &str) -> Grid {
        parse_ascii(map).unwrap().grid
    }

    #[test]
    fn the_largest_region_is_listed_row_by_row() {
        let cells = largest_region(&layers(grid("..#...\n..#...")));
        assert_eq!((cells.len(), cells[0]), (6, Cell::new(3, 0)));
    }

    #[test]
    fn ponds_cover_two_to_ten_percent_of_a_map() {
        let walls = Grid::from_fn(240, 240, |cell| cell.x != 7).unwrap();
        let grid = ponds(&walls);
        let dear = grid.rect().cells().filter(|&cell| grid.cost(cell) > 1);
        let share = dear.count() as f64 / (240.0 * 240.0);
        assert!((0.02..0.1).contains(&share), "{share}");
        assert_eq!(grid, ponds(&walls));
        assert!(!grid.is_free(Cell::new(7, 3)), "walls stay");
    }

    #[test]
    fn a_fifth_of_rough_ground_costs_two_to_ten_times_as_much() {
        let walls = Grid::from_fn(400, 400, |cell| cell.x != 7).unwrap();
        let grid = rough(&walls);
        let mut counts = [0; 11];
        for cell in grid.rect().cells() {
            counts[usize::from(grid.cost(cell))] += 1;
        }
        let share = 1.0 - f64::from(counts[1]) / 160_000.0;
        assert!((0.17..0.23).contains(&share), "{share}");
        assert!(counts[0] == 0 && counts[2..].iter().all(|&count| count > 0));
        assert_eq!(grid, rough(&walls));
        assert!(!grid.is_free(Cell::new(7, 3)), "walls stay");
    }
}
