//! Repository chores. None of them is needed to use the library; `cargo xtask` lists them.
#![allow(
    clippy::print_stdout,
    reason = "a command line program reports on standard output"
)]

mod charts;
mod ci;
mod command;
mod examples;
mod next;
mod pictures;
mod tidy;
mod web;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci           format, tidy, clippy, docs, tests, and the examples without a
               display; fails if it takes more than PURSUIT_CI_SECONDS
    --rendered   also pictures of four examples
    --full       also what takes long: tests with all random cases and all
                 features, the core's tests in release, unused dependencies,
                 peers, each fuzz target for ten seconds, wasm32, packages, and
                 pictures of all examples; prints what it skips
  rendered     pictures of four examples in a virtual display (xvfb-run):
               none is blank, and the overlay changes that of the chase
    --full       pictures of all examples
  pictures     take those in assets/pictures of the examples, moving ones too,
               or those that are named (xvfb-run, img2webp)
  charts       draw those of BENCHMARKS again, from the figures in benchmarks
  tidy         check module graph, layers and lengths of files
  next         check and test the workspace with the next versions of Bevy and
               Rapier, in a worktree in target/next
  web          the examples as a page for browsers, in target/web
    --test     plays each in a headless browser: it draws, moves, and does not
               fail
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let has = |option| args.contains(&option);
    let is_known = |option: &&str| ["--rendered", "--full"].contains(option);
    let done = match args.as_slice() {
        ["ci", options @ ..] if options.iter().all(is_known) => {
            ci::run(&root(), has("--rendered"), has("--full"))
        }
        ["rendered"] => examples::rendered(&root(), false),
        ["rendered", "--full"] => examples::rendered(&root(), true),
        ["pictures", names @ ..] => pictures::run(&root(), names),
        ["charts"] => charts::run(&root()),
        ["tidy"] => tidy::run(&root()),
        ["next"] => next::run(&root()),
        ["web"] => web::build(&root()),
        ["web", "--test"] => web::test(&root()),
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
