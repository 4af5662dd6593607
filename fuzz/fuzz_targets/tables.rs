//! Search tables of any grid: costs, turns and reachability are compared with the oracle.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pursuit_fuzz::tables::AnyTables;

fuzz_target!(|input: AnyTables| input.check());
