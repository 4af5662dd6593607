//! Lines of sight and distances at points: exact geometry confirms every answer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::sight::AnyLook;
use pursuit_fuzz::worlds::AnyWorld;

fuzz_target!(|input: (AnyWorld, Vec<AnyLook>)| {
    let (world, looks) = input;
    for look in looks.iter().take(16) {
        look.check(&world);
    }
});
