//! One search on any grid: outcome, cost, end and every step against the oracle.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit::{PathOptions, Regions};
use pursuit_fuzz::{AnyGrid, AnyOptions, AnyQuery, check};

fuzz_target!(|input: (AnyGrid, AnyQuery, AnyOptions)| {
    let (grid, query, options) = input;
    let grid = grid.build();
    let regions = Regions::of(&grid, options.diagonals());
    for regions in [None, Some(&regions)] {
        check(
            &grid,
            &query,
            &PathOptions {
                regions,
                ..options.path_options()
            },
        );
    }
});
