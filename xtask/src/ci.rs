//! Everything that has to hold before a change goes in, in one order and one target directory.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{cargo, cargo_command, nightly_command, succeed};
use crate::{examples, tidy};

/// Runs all steps; the first that fails ends the run and is named in the error.
///
/// # Errors
/// The name of the step that failed; what it had to say stands above, in its own words.
pub(crate) fn run(root: &Path, rendered: bool) -> Result<(), String> {
    let mut run = Run::new(root);
    run.step("format", |root| {
        cargo(root, "fmt --all --check")?;
        cargo(root, &format!("fmt --manifest-path {FUZZ} --check"))
    })?;
    run.step("tidy", tidy::run)?;
    run.step("clippy", |root| {
        cargo(
            root,
            "clippy --workspace --all-targets --locked -- -D warnings",
        )
    })?;
    run.step("clippy with peers", |root| {
        let peers = "clippy --workspace --all-targets --locked --features pursuit_bench/peers";
        cargo(root, &format!("{peers} -- -D warnings"))
    })?;
    run.step("clippy of the core with serde", |root| {
        let serde = "clippy --package pursuit --all-targets --locked --features serde";
        cargo(root, &format!("{serde} -- -D warnings"))
    })?;
    run.step("test", |root| cargo(root, "test --workspace --locked"))?;
    run.fuzz_targets()?;
    run.licenses()?;
    run.step("docs", |root| {
        let mut command = cargo_command(root, "doc --workspace --no-deps --locked");
        command.env("RUSTDOCFLAGS", "-D warnings");
        succeed(command)
    })?;
    run.step("build examples", examples::build)?;
    run.step("headless chase", examples::headless_chase)?;
    run.step("headless examples", examples::headless)?;
    if rendered {
        run.step("rendered examples", examples::rendered)?;
    }
    run.finish();
    Ok(())
}

/// The package of the fuzz targets, which is not in the workspace.
const FUZZ: &str = "fuzz/Cargo.toml";

/// Steps with their times, so that a slow one shows.
struct Run<'r> {
    root: &'r Path,
    started: Instant,
    passed: usize,
    skipped: Vec<&'static str>,
}

impl<'r> Run<'r> {
    fn new(root: &'r Path) -> Self {
        Run {
            root,
            started: Instant::now(),
            passed: 0,
            skipped: Vec::new(),
        }
    }

    fn step(
        &mut self,
        name: &str,
        work: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<(), String> {
        println!("\n==> {name} (at {})", Elapsed(self.started.elapsed()));
        let started = Instant::now();
        work(self.root).map_err(|what| format!("{what}\n\nci: step \"{name}\" FAILED"))?;
        println!("<== {name}: passed in {}", Elapsed(started.elapsed()));
        self.passed += 1;
        Ok(())
    }

    /// What may come into the dependency tree, where cargo-deny is at hand. Its advisories are left to
    /// the workflows: they need the network, and change without a change of ours.
    fn licenses(&mut self) -> Result<(), String> {
        if answers(cargo_command(self.root, "deny --version")) {
            let check = "deny --all-features check bans licenses sources";
            return self.step("licenses", |root| cargo(root, check));
        }
        self.skip("licenses", "cargo-deny is not installed");
        Ok(())
    }

    /// Whether the fuzz targets build, where a nightly toolchain is at hand: libFuzzer asks for one, and
    /// nothing else does.
    fn fuzz_targets(&mut self) -> Result<(), String> {
        if answers(nightly_command(self.root, "--version")) {
            let build = format!("build --manifest-path {FUZZ}");
            let build = |root: &Path| succeed(nightly_command(root, &build));
            return self.step("fuzz targets", build);
        }
        self.skip("fuzz targets", "there is no nightly toolchain");
        Ok(())
    }

    fn skip(&mut self, name: &'static str, why: &str) {
        println!("\n==> {name}: skipped, {why}");
        self.skipped.push(name);
    }

    fn finish(&self) {
        let took = Elapsed(self.started.elapsed());
        println!(
            "\nevery step passed, in {took}\nci: {} passed, 0 failed",
            self.passed
        );
        if !self.skipped.is_empty() {
            println!("ci: skipped {}", self.skipped.join(", "));
        }
    }
}

/// Whether a command ends well.
fn answers(mut command: Command) -> bool {
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A duration as minutes and seconds.
struct Elapsed(Duration);

impl fmt::Display for Elapsed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(out, "{}m{:02}s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::Elapsed;
    use std::time::Duration;

    #[test]
    fn elapsed_time_reads_as_minutes_and_seconds() {
        assert_eq!(Elapsed(Duration::from_secs(65)).to_string(), "1m05s");
    }
}
