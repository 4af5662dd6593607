//! Anytime searches (ARA\*): every bound is true, and the last path is a cheapest one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::kept::AnyImprovements;

fuzz_target!(|improvements: AnyImprovements| improvements.check());
