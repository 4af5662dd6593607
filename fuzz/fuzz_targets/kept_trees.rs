//! Incremental searches (D\* Lite) over edits and moves of both ends: each answer is the oracle's.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::kept::AnyChase;

fuzz_target!(|chase: AnyChase| chase.check());
