//! Saved recordings, whole, damaged or forged: refused, or loaded so that all of it can be replayed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::recordings::{AnyBytes, AnyLook};

fuzz_target!(|input: (AnyBytes<'_>, Vec<AnyLook>)| input.0.check(&input.1));
