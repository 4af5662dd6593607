//! Trips over any roads on any map, before an edit and after it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::routes::AnyTrips;

fuzz_target!(|trips: AnyTrips| trips.check());
