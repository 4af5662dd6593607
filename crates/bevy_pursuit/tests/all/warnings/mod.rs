//! Warnings in the log, each of which is logged once.

mod bake;
mod drive;
mod listener;
mod plan;

use std::env::current_exe;
use std::process::Command;

/// The ignored tests read the whole log, and some warnings are logged once per process, so these tests run in a process
/// of their own.
#[test]
fn the_ignored_warning_tests_pass_in_their_own_process() {
    let program = current_exe().expect("the path of the test program");
    let mut tests = Command::new(program);
    tests.args(["--ignored", "warnings::"]);
    let run = tests.output().expect("the test program starts");
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && output.contains(" passed"),
        "{output}"
    );
    assert!(!output.contains("running 0 tests"), "{output}");
}
