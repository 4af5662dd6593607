//! One search on any grid: outcome, cost, end and every step against the oracle.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit::Ground;
use pursuit_fuzz::{AnyGrid, AnyOptions, AnyQuery, check_ground};

fuzz_target!(|input: (AnyGrid, AnyQuery, AnyOptions)| {
    let (grid, query, options) = input;
    let ground = Ground::from_grid(grid.build(), options.diagonals());
    check_ground(&ground, &query, &options.path_options());
});
