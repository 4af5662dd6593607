//! Any text for every reader of maps: no reader panics, errors point into the text, and a map stays the same when it is
//! written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::texts::{AnyText, check};

fuzz_target!(|text: AnyText<'_>| check(&text));
