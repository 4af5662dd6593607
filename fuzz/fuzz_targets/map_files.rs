//! Any text to every reader of maps: no panic, errors that point somewhere, and what is read comes back
//! as it was after it is written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::texts::{AnyText, check};

fuzz_target!(|text: AnyText<'_>| check(&text));
