//! Edits of a grid with searches in between: updated regions are the same as regions computed from scratch, and answers
//! agree with the oracle, no matter what the scratch was used for before.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use pursuit::{BodyLayers, DiagonalPolicy, Regions};
use pursuit_fuzz::{AnyEdit, AnyGrid, AnyOptions, AnyQuery, check_layers};

#[derive(Arbitrary, Debug)]
struct Step {
    edit: AnyEdit,
    query: AnyQuery,
    options: AnyOptions,
}

fuzz_target!(|input: (AnyGrid, Vec<Step>)| {
    let (grid, steps) = input;
    let mut grid = grid.build();
    let mut all = DiagonalPolicy::ALL.map(|policy| Regions::of(&grid, policy));
    for step in steps.into_iter().take(12) {
        let (edited, changed) = step.edit.apply(&grid);
        grid = edited;
        let (start, goal) = step.query.cells(&grid);
        for regions in &mut all {
            regions.update(&grid, changed);
            let new = Regions::of(&grid, regions.diagonals());
            assert_eq!(*regions, new);
            let nearest = |regions: &Regions| regions.nearest_in(regions.region(start)?, goal);
            assert_eq!(nearest(regions), nearest(&new), "near {goal} from {start}");
        }
        let options = step.options.path_options();
        let layers = BodyLayers::from_grid(grid.clone(), options.diagonals);
        check_layers(&layers, &step.query, &options);
    }
});
