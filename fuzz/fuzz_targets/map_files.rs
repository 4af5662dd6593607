//! Any text for every reader of maps: no panic, errors point to a place in the text, and a map is unchanged after it is
//! written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::texts::{AnyText, check};

fuzz_target!(|text: AnyText<'_>| check(&text));
