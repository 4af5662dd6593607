//! A search on any grid: outcome, cost, end and every step are compared with the oracle.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit::BodyLayers;
use pursuit_fuzz::{AnyGrid, AnyOptions, AnyQuery, check_layers};

fuzz_target!(|input: (AnyGrid, AnyQuery, AnyOptions)| {
    let (grid, query, options) = input;
    let options = options.path_options();
    let layers = BodyLayers::from_grid(grid.build(), options.diagonals);
    check_layers(&layers, &query, &options);
});
