//! Edits of a whole map: `LiveMap::edit` is compared with a map made from scratch.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::nav_map::AnyHistory;

fuzz_target!(|history: AnyHistory| history.check());
