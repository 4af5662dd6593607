//! Taut paths: they are safe by exact geometry, not longer than the walk, and have no needless corners.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::taut::AnyWalk;
use pursuit_fuzz::worlds::AnyWorld;

fuzz_target!(|input: (AnyWorld, Vec<AnyWalk>)| {
    let (world, walks) = input;
    for walk in walks.iter().take(8) {
        walk.check(&world);
    }
});
