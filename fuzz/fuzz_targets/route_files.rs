//! Any bytes as a saved waypoint map: no panic, and what is loaded is whole.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::routes::{AnyFile, check};

fuzz_target!(|file: AnyFile<'_>| check(&file));
