//! The command line of the benchmarks of Pursuit: see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pursuit_bench::main(&[])
}
