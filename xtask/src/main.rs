//! Chores of this repository. `cargo xtask` lists them. Nobody needs them to use the library.
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

  ci           checks format, tidy, clippy, docs, tests, and the examples without
               a display; fails if it takes more than PURSUIT_CI_SECONDS
    --rendered   also draws pictures of four examples
    --full       also runs the slow checks: tests with all random cases and all
                 features, the core's tests in release, unused dependencies,
                 peers, each fuzz target for ten seconds, wasm32, packages, and
                 pictures of all examples; lists the skipped checks
  rendered     draws pictures of four examples in a virtual display (xvfb-run);
               checks that none is blank, and that the overlay shows in the
               picture of the chase
    --full       draws pictures of all examples
  pictures     takes the pictures in assets/pictures from the running examples,
               stills and moving pictures; with names, only the named pictures
               (needs xvfb-run and img2webp)
  charts       redraws the charts of BENCHMARKS from the figures in benchmarks
  tidy         checks the module graph, the layers, the lengths of files, and
               the documents
  next         checks and tests the workspace with the next versions of Bevy and
               Rapier, in a worktree in target/next
  web          builds a web page of the examples in target/web
    --test       plays each example in a headless browser; checks that it draws
                 and moves, and does not fail
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
