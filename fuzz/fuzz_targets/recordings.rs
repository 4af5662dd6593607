//! Saved recordings that are valid, damaged or forged: they are refused, or the loaded recording can be replayed
//! completely.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::recordings::{AnyBytes, AnyLook};

fuzz_target!(|input: (AnyBytes<'_>, Vec<AnyLook>)| input.0.check(&input.1));
