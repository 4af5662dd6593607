//! Repository chores. None of them is needed to use the library.
//!
//! - `cargo xtask ci [--rendered]`: everything that has to hold before a change goes in.
//! - `cargo xtask rendered`: pictures of every example, in `target/ci`, none of them blank, and each changed by
//!   the overlay, or by a replay that goes on.
//! - `cargo xtask tidy`: the invariants that a compiler does not hold.
//! - `cargo xtask tidy --mend`: writes the copies of README and licenses that packages hold.
//! - `cargo xtask next`: checks and tests a copy of the workspace with the next versions of Bevy and
//!   Rapier.
//! - `cargo xtask not-blank FILE`: fails if a PNG shows no world.
#![allow(
    clippy::print_stdout,
    reason = "a command line program reports on standard output"
)]

mod blank;
mod change;
mod ci;
mod command;
mod examples;
mod framebuffer;
mod next;
mod tidy;
mod xtest;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci [--rendered]   format, tidy, clippy, tests, docs and the examples without a
                    display; with --rendered also their pictures
  rendered          pictures of every example under a virtual display (Xvfb),
                    with the overlay and without
  tidy [--mend]     check module graph, dependencies, budgets and style;
                    with --mend write the copies that packages hold first
  next              check and test a copy with the next Bevy and Rapier
  not-blank FILE    fail if the PNG shows no world";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["ci"] => ci::run(&root(), false),
        ["ci", "--rendered"] => ci::run(&root(), true),
        ["rendered"] => examples::build(&root()).and_then(|()| examples::rendered(&root())),
        ["tidy"] => tidy::run(&root()),
        ["tidy", "--mend"] => tidy::mend(&root()).and_then(|()| tidy::run(&root())),
        ["next"] => next::run(&root()),
        ["not-blank", file] => blank::check(Path::new(file)),
        _ => Err(USAGE.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace root: the folder above this package.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}
