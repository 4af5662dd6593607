//! One search on any grid: outcome, cost, end and every step against the oracle.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit::BodyLayers;
use pursuit_fuzz::{AnyGrid, AnyOptions, AnyQuery, check_layers};

fuzz_target!(|input: (AnyGrid, AnyQuery, AnyOptions)| {
    let (grid, query, options) = input;
    let grid = grid.build();
    let options = options.path_options();
    check(&grid, &query, &options);
    check_layers(
        &BodyLayers::from_grid(grid, options.diagonals),
        &query,
        &options,
    );
});
