//! How many expansions kept trees spare, in counts that are the same on every machine.

use pursuit::planners::{IncrementalTree, Root};
use pursuit::{
    Algorithm, BodyLayers, Cell, CellRect, DiagonalPolicy, Grid, GridBuilder, SearchScratch,
};

use crate::common::random::{any_cell, any_free, by, with_costs};

/// Fields of ground that cost 1 to 5, with lakes, and walls with gaps.
fn terrain(side: i32, random: &mut fastrand::Rng) -> GridBuilder {
    let open = Grid::from_fn(side as u32, side as u32, |_| true).unwrap();
    let field = |cell: Cell| (cell.x / 11 * 7 + cell.y / 9 * 5) % 5;
    let mut builder = with_costs(&open, |cell| 1 + field(cell) as u8).to_builder();
    for _ in 0..side / 3 {
        let corner = Cell::new(random.i32(0..side), random.i32(0..side));
        let (width, height) = match random.u8(0..3) {
            0 => (random.i32(10..30), 1),
            1 => (1, random.i32(10..30)),
            _ => (random.i32(3..9), random.i32(3..9)),
        };
        builder.fill(CellRect::new(corner, corner.offset(width, height)), false);
    }
    builder
}

/// The middle one.
fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

#[test]
fn after_an_edit_anywhere_on_terrain_a_tree_expands_a_fifth_of_what_a_new_search_does_at_most() {
    let options = by(Algorithm::AStar);
    let scratch = &mut SearchScratch::new();
    for seed in 0..3 {
        let random = &mut fastrand::Rng::with_seed(seed);
        let mut builder = terrain(160, random);
        let mut layers =
            BodyLayers::from_grid(builder.clone().build(), DiagonalPolicy::NoCornerCut);
        let mut tree = IncrementalTree::new(Root::Goal);
        let [mut start, mut goal] = [(); 2].map(|()| any_free(layers.grid(), random));
        let mut ratios = Vec::new();
        while ratios.len() < 300 {
            let anew = layers.find_path(start, goal, &options, scratch).unwrap();
            let kept = layers.replan(start, goal, &options, &mut tree).unwrap();
            assert_eq!(kept.path.cost, anew.path.cost, "seed {seed}");
            assert_eq!(kept.outcome, anew.outcome, "seed {seed}");
            let [kept_work, new_work] = [&kept, &anew].map(|found| found.stats.expanded);
            ratios.push(f64::from(new_work) / f64::from(kept_work.max(1)));
            // A few steps on. At the goal another walk begins, with another tree.
            let ahead = anew.path.cells().nth(random.usize(1..4)).unwrap_or(goal);
            start = ahead;
            if start == goal || anew.path.cost == 0 {
                [start, goal] = [(); 2].map(|()| any_free(layers.grid(), random));
                tree.restart();
                layers.replan(start, goal, &options, &mut tree).unwrap();
            }
            let door = any_cell(layers.grid(), random);
            if door != start && door != goal {
                let is_free = layers.grid().is_free(door);
                let beside = door.offset(random.i32(1..4), 1);
                builder.fill(CellRect::new(door, beside), !is_free);
                for end in [start, goal] {
                    builder.set_free(end, true).unwrap();
                }
            }
            layers = BodyLayers::from_grid(builder.clone().build(), DiagonalPolicy::NoCornerCut);
        }
        let middle = median(ratios);
        assert!(middle >= 5.0, "seed {seed}: {middle} times fewer");
    }
}
