//! Saved recordings, whole, damaged or forged: they are refused, or all of the loaded recording can be replayed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::recordings::{AnyBytes, AnyLook};

fuzz_target!(|input: (AnyBytes<'_>, Vec<AnyLook>)| input.0.check(&input.1));
