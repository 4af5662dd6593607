//! What the plugin says in the log, and that it says it once.

mod bake;
mod drive;
mod listener;
mod plan;

use std::env::current_exe;
use std::process::Command;

/// They listen to all that is logged, and some warnings are said once in a program: so these alone run in another one.
#[test]
fn what_is_said_in_the_log_is_said_once() {
    let program = current_exe().expect("the program of the tests");
    let mut tests = Command::new(program);
    tests.args(["--ignored", "warnings::"]);
    let run = tests.output().expect("it starts");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains(" passed"), "{said}");
    assert!(!said.contains("running 0 tests"), "{said}");
}
