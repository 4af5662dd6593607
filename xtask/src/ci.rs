//! Runs all checks that a change has to pass, one after the other in the same target directory.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Instant;

use crate::command::{command, output, run_line, succeed};
use crate::{examples, tidy};

/// The commands that the README tells a visitor to type.
const README_TEST: &str = "cargo test --workspace";
const README_CHASE: &str = "cargo run --release --example chase";
/// The variable that replaces `PATH` for the README's commands: a folder with only the programs of a bare machine.
const README_PATH_VARIABLE: &str = "PURSUIT_README_PATH";
/// The variable for the maximum duration of all steps, in seconds. Ignored with `--full`.
const MAX_SECONDS_VARIABLE: &str = "PURSUIT_CI_SECONDS";
/// The variable for the factor by which tests multiply their numbers of random cases. If unset, it becomes 0.1, or 1
/// with `--full`.
const CASES_VARIABLE: &str = "PURSUIT_CASES";
/// The variable that proptest reads for the number of cases of tests without a number of their own.
const PROPTEST_CASES_VARIABLE: &str = "PROPTEST_CASES";
/// Proptest's number of cases if [`PROPTEST_CASES_VARIABLE`] is unset.
const DEFAULT_PROPTEST_CASES: f64 = 256.0;

/// The steps before the README's commands. Each line has a name, an optional command, and the command of the step. If
/// the optional command fails, the step is skipped.
///
/// The licenses step leaves out advisories, because they need the network and change independently of this repository.
/// The steps without features check only the libraries, because tests would switch features on. The docs step uses all
/// features like the clippy step, so that dependencies are compiled only once.
const CHECK_STEPS: &str = "\
format | | cargo fmt --all --check
format of fuzz targets | | cargo fmt --manifest-path fuzz/Cargo.toml --check
format of peers | | cargo fmt --manifest-path peers/Cargo.toml --check
format of peers that chase | | cargo fmt --manifest-path peers/horde/Cargo.toml --check
spelling | typos --version | typos
licenses | cargo deny --version | cargo deny --all-features check bans licenses sources
clippy | | cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
core without features | | cargo clippy -p pursuit --lib --no-default-features --locked -- -D warnings
plugin without features | | cargo clippy -p bevy_pursuit --lib --no-default-features --locked -- -D warnings
docs | | cargo doc --workspace --no-deps --all-features --locked --config build.rustdocflags=['-Dwarnings']";

/// The slow steps of `--full`, in the form of [`CHECK_STEPS`]. Compiling an empty program shows whether the wasm32
/// target is installed. Packages are built as crates.io will publish them, in a separate target folder.
const FULL_STEPS: &str = "\
chase in release | | cargo run --release --locked --example chase -- --headless
tests of all features | | cargo test -p pursuit -p bevy_pursuit --all-features --locked
slow scenes | | cargo test -p bevy_pursuit --all-features --locked --test all arrive:: -- --ignored
tests without features | | cargo test -p bevy_pursuit --no-default-features --locked
tests of the core in release | | cargo test -p pursuit --all-features --release --locked
unused dependencies | cargo-machete --version | cargo-machete
book | mdbook --version | mdbook build docs
peers | | cargo clippy --manifest-path peers/Cargo.toml --all-targets -- -D warnings
peers that chase | | cargo clippy --manifest-path peers/horde/Cargo.toml --all-targets -- -D warnings
wasm32 | rustc - --crate-type lib --emit metadata --target wasm32-unknown-unknown --out-dir target \
| cargo check -p pursuit_examples --example web --features bevy_pursuit/deep_bake --locked \
--target wasm32-unknown-unknown
packages | | cargo package --workspace --exclude pursuit_bench --exclude pursuit_book --exclude pursuit_examples \
--exclude xtask --locked --target-dir target/verify";

/// Runs one fuzz target, with its code instrumented for libFuzzer. The name and options of the target are appended.
const FUZZ_COMMAND: &str = "cargo +nightly run --release --manifest-path fuzz/Cargo.toml --target host-tuple \
--config build.rustflags=['--cfg=fuzzing','-Cdebug-assertions','-Ccodegen-units=1','-Cpasses=sancov-module',\
'-Cllvm-args=-sanitizer-coverage-level=4','-Cllvm-args=-sanitizer-coverage-inline-8bit-counters',\
'-Cllvm-args=-sanitizer-coverage-pc-table','-Cllvm-args=-sanitizer-coverage-trace-compares'] --bin";
/// Options of each fuzz target: the duration in seconds, the maximum length of an input in bytes, and the folder for
/// inputs that fail.
const FUZZ_OPTIONS: &str = "-max_total_time=10 -max_len=2000 -artifact_prefix=target/";

/// `Ok` if a step passed. Otherwise the reason why it failed.
type Outcome = Result<(), String>;

/// Runs all steps until one fails. At the end it prints how many seconds each step took.
///
/// # Errors
/// The name of the step that failed. The output of the step is printed above.
pub(crate) fn run(root: &Path, rendered: bool, full: bool) -> Outcome {
    let mut run = Run::new(root);
    let done = run.all(rendered, full);
    println!("\n{}", run.report(done.is_ok()));
    done
}

/// The steps that ran, with their durations.
struct Run<'r> {
    root: &'r Path,
    begun: Instant,
    passed: usize,
    table: String,
}

impl<'r> Run<'r> {
    fn new(root: &'r Path) -> Self {
        Run {
            root,
            begun: Instant::now(),
            passed: 0,
            table: "seconds  step\n".to_string(),
        }
    }

    fn all(&mut self, rendered: bool, full: bool) -> Outcome {
        self.step("tidy", tidy::run)?;
        self.lines(CHECK_STEPS)?;
        self.step(README_TEST, |root| {
            let mut test = readme_command(root, README_TEST);
            let factor = variable(CASES_VARIABLE).unwrap_or(if full { 1.0 } else { 0.1 });
            test.env(CASES_VARIABLE, factor.to_string());
            if env::var_os(PROPTEST_CASES_VARIABLE).is_none() {
                let count = (factor * DEFAULT_PROPTEST_CASES).max(1.0) as u32;
                test.env(PROPTEST_CASES_VARIABLE, count.to_string());
            }
            succeed(test)
        })?;
        self.step("examples", examples::headless)?;
        if rendered && !full {
            self.step("pictures", |root| examples::rendered(root, false))?;
        }
        // The chase runs in debug here, to avoid a second build of the engine. `--full` runs it in release.
        let chase = README_CHASE.replace("--release ", "");
        self.step(&chase, |root| {
            let mut chase = readme_command(root, &chase);
            chase.stderr(Stdio::inherit());
            let report = output(&mut chase)?;
            print!("{report}");
            has_catches(&report)
        })?;
        let max_seconds = variable(MAX_SECONDS_VARIABLE);
        let took = self.begun.elapsed().as_secs();
        if !full && max_seconds.is_some_and(|max_seconds| took > max_seconds) {
            return Err(format!(
                "ci: took {took} s, more than {MAX_SECONDS_VARIABLE}: see the seconds of each step above"
            ));
        }
        if full {
            self.lines(FULL_STEPS)?;
            self.step_if("cargo +nightly --version", "fuzz targets", fuzz)?;
            self.step_if("xvfb-run --help", "pictures of all", |root| {
                examples::rendered(root, true)
            })?;
        }
        Ok(())
    }

    fn lines(&mut self, table: &str) -> Outcome {
        for line in table.lines() {
            let mut parts = line.splitn(3, '|').map(str::trim);
            let mut part = || parts.next().unwrap_or_default();
            let (name, ask, line) = (part(), part(), part());
            self.step_if(ask, name, |root| run_line(root, line))?;
        }
        Ok(())
    }

    /// Runs a step. If the command `ask` is given and fails on this machine, the step is skipped.
    fn step_if(&mut self, ask: &str, name: &str, work: impl FnOnce(&Path) -> Outcome) -> Outcome {
        if !ask.is_empty()
            && let Err(why) = output(&mut command(self.root, ask))
        {
            println!("\n==> {name}: skipped, {why}");
            self.table += &format!("skipped  {name}, for lack of `{ask}`\n");
            return Ok(());
        }
        self.step(name, work)
    }

    fn step(&mut self, name: &str, work: impl FnOnce(&Path) -> Outcome) -> Outcome {
        println!("\n==> {name} (at {} s)", self.begun.elapsed().as_secs());
        let begun = Instant::now();
        work(self.root).map_err(|what| format!("{what}\n\nci: step \"{name}\" FAILED"))?;
        let took = begun.elapsed().as_secs();
        println!("<== {name}: passed in {took} s");
        self.table += &format!("{took:7}  {name}\n");
        self.passed += 1;
        Ok(())
    }

    /// A table with the seconds of each step and the skipped steps, the total seconds, and a line with the number of
    /// passed steps.
    fn report(&self, is_done: bool) -> String {
        let (took, failed) = (self.begun.elapsed().as_secs(), usize::from(!is_done));
        let last = format!("ci: {} passed, {failed} failed", self.passed);
        format!("{}{took:7}  all\n{last}", self.table)
    }
}

/// The value of an environment variable, if it is set to a value of the type `T`.
fn variable<T: FromStr>(name: &str) -> Option<T> {
    env::var(name).ok()?.parse().ok()
}

/// Runs each fuzz target for ten seconds.
fn fuzz(root: &Path) -> Outcome {
    let targets = fs::read_dir(root.join("fuzz/fuzz_targets"));
    let targets = targets.map_err(|error| format!("fuzz/fuzz_targets: {error}"))?;
    let mut names: Vec<_> = targets.flatten().map(|file| file.path()).collect();
    names.sort();
    names
        .iter()
        .filter_map(|file| file.file_stem())
        .try_for_each(|name| {
            let name = name.to_string_lossy();
            run_line(root, &format!("{FUZZ_COMMAND} {name} -- {FUZZ_OPTIONS}"))
        })
}

/// One of the README's commands, with the `PATH` of a bare machine if that is set.
fn readme_command(root: &Path, line: &str) -> Command {
    let mut command = command(root, line);
    match env::var_os(README_PATH_VARIABLE) {
        Some(path) => drop(command.env("PATH", path)),
        None => println!(
            "{README_PATH_VARIABLE} is not set: the commands of the README run with the usual PATH"
        ),
    }
    command
}

/// Checks that the report of the chase, which has `caught N of M`, says that at least one agent caught the player.
fn has_catches(report: &str) -> Outcome {
    let count = report
        .split_once("caught ")
        .map(|(_, count)| count.trim_start());
    let is_caught = count.is_some_and(|count| !count.starts_with('0'));
    is_caught
        .then_some(())
        .ok_or("chase: no agent caught the player".to_string())
}

#[cfg(test)]
mod tests {
    use super::{README_CHASE, README_TEST, Run, has_catches};
    use std::path::Path;

    #[test]
    fn the_readme_has_the_two_commands() {
        let readme = include_str!("../../README.md");
        assert!(readme.contains(README_TEST) && readme.contains(README_CHASE));
    }

    #[test]
    fn a_report_without_catches_is_an_error() {
        assert!(has_catches("agents   12\ncaught   11 of 12\n").is_ok());
        assert!(has_catches("caught   0 of 12\n").is_err() && has_catches("").is_err());
    }

    #[test]
    fn passed_steps_are_counted_and_skipped_steps_are_listed() {
        let mut run = Run::new(Path::new("."));
        assert_eq!(run.step("good", |_| Ok(())), Ok(()));
        assert_eq!(run.lines("tool | no-such-program | nothing"), Ok(()));
        let failed = run.step("bad", |_| Err("why".into()));
        assert_eq!(failed, Err("why\n\nci: step \"bad\" FAILED".into()));
        let expected = "seconds  step\n      0  good\n\
            skipped  tool, for lack of `no-such-program`\n      0  all\nci: 1 passed, 1 failed";
        assert_eq!(run.report(false), expected);
    }
}
