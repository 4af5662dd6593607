//! Edits of a grid with searches between them: updated regions equal those found anew, and answers
//! those of the oracle, whatever was searched before with the same scratch.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use pursuit::{DiagonalPolicy, PathOptions, Regions};
use pursuit_fuzz::{AnyEdit, AnyGrid, AnyOptions, AnyQuery, check};

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
    for (i, step) in steps.into_iter().take(12).enumerate() {
        let (edited, changed) = step.edit.apply(&grid, i as u64 + 1);
        grid = edited;
        for regions in &mut all {
            regions.update(&grid, changed);
            assert_eq!(*regions, Regions::of(&grid, regions.diagonals()));
        }
        let diagonals = step.options.diagonals();
        let regions = all.iter().find(|regions| regions.diagonals() == diagonals);
        for regions in [None, regions] {
            check(
                &grid,
                &step.query,
                &PathOptions {
                    regions,
                    ..step.options.path_options()
                },
            );
        }
    }
});
