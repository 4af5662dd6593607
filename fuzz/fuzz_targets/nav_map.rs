//! Edits of a whole map: `LiveMap::edit` against a map made anew.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::nav_map::AnyHistory;

fuzz_target!(|history: AnyHistory| history.check());
