//! Merges blocked cells into rectangles, so that a level of thousands of cells needs only few colliders.

use pursuit::{Cell, CellRect, Grid};

/// Disjoint rectangles that cover exactly the blocked cells of the grid.
///
/// The algorithm is greedy and goes row by row: a rectangle starts at the first blocked cell that is not covered yet,
/// grows to the right as far as possible, and then grows by rows. The result has few rectangles, but not always the
/// fewest.
pub(crate) fn merge_blocked(grid: &Grid) -> Vec<CellRect> {
    let mut covered = vec![false; grid.cell_count()];
    let at = |cell: Cell| grid.index(cell).map(|index| index.get());
    let mut rects = Vec::new();
    for start in grid.rect().cells() {
        let open = |covered: &[bool], x: i32, y: i32| {
            let cell = Cell::new(x, y);
            at(cell).is_some_and(|index| !grid.is_free(cell) && !covered[index])
        };
        if !open(&covered, start.x, start.y) {
            continue;
        }
        let mut right = start.x + 1;
        while open(&covered, right, start.y) {
            right += 1;
        }
        let mut bottom = start.y + 1;
        while (start.x..right).all(|x| open(&covered, x, bottom)) {
            bottom += 1;
        }
        let rect = CellRect::new(start, Cell::new(right, bottom));
        for index in rect.cells().filter_map(at) {
            covered[index] = true;
        }
        rects.push(rect);
    }
    rects
}

#[cfg(test)]
mod tests {
    use super::merge_blocked;
    use pursuit::{Cell, Grid};

    fn assert_covered(grid: &Grid) {
        let rects = merge_blocked(grid);
        for cell in grid.rect().cells() {
            let is_blocked = !grid.is_free(cell);
            let times = rects.iter().filter(|rect| rect.contains(cell)).count();
            assert_eq!(times, usize::from(is_blocked), "{cell}: {times} times");
        }
    }

    #[test]
    fn boxes_cover_random_walls_exactly_once() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..50 {
            let (width, height) = (random.u32(1..12), random.u32(1..12));
            let walls: Vec<bool> = (0..width * height).map(|_| random.bool()).collect();
            let free = |cell: Cell| walls[(cell.y * width as i32 + cell.x) as usize];
            assert_covered(&Grid::from_fn(width, height, free).unwrap());
        }
    }
}
