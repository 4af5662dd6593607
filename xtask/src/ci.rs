//! Everything that has to hold before a change goes in, in one order and one target directory.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{cargo, cargo_command, cargo_path, succeed};
use crate::{blank, tidy};

/// Where the screenshot of the rendered step goes, relative to the workspace root.
const SCREENSHOT: &str = "target/ci/chase.png";

/// Runs all steps; the first that fails ends the run and is named in the error.
///
/// # Errors
/// The name of the step that failed; what it had to say stands above, in its own words.
pub(crate) fn run(root: &Path, rendered: bool) -> Result<(), String> {
    let mut run = Run::new(root);
    run.step("format", |root| cargo(root, "fmt --all --check"))?;
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
    run.licenses()?;
    run.step("docs", |root| {
        let mut command = cargo_command(root, "doc --workspace --no-deps --locked");
        command.env("RUSTDOCFLAGS", "-D warnings");
        succeed(command)
    })?;
    run.step("headless chase", headless_chase)?;
    if rendered {
        run.step("rendered chase", rendered_chase)?;
    }
    run.finish();
    Ok(())
}

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
        let mut asked = cargo_command(self.root, "deny --version");
        let asked = asked.stdout(Stdio::null()).stderr(Stdio::null()).status();
        if asked.is_ok_and(|status| status.success()) {
            let check = "deny --all-features check bans licenses sources";
            return self.step("licenses", |root| cargo(root, check));
        }
        println!("\n==> licenses: skipped, cargo-deny is not installed");
        self.skipped.push("licenses");
        Ok(())
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

/// A duration as minutes and seconds.
struct Elapsed(Duration);

impl fmt::Display for Elapsed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(out, "{}m{:02}s", seconds / 60, seconds % 60)
    }
}

/// The example as the README starts it, on a machine without a display: it ends by itself and says
/// how many agents caught the player.
fn headless_chase(root: &Path) -> Result<(), String> {
    let mut command = cargo_command(root, "run --release --locked --example chase");
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| error.to_string())?;
    let report = String::from_utf8_lossy(&output.stdout);
    print!("{report}");
    if !output.status.success() {
        return Err(format!("chase: {}", output.status));
    }
    match catches(&report) {
        Some(0) => Err("chase: nobody caught the player".to_string()),
        Some(_) => Ok(()),
        None => Err("chase: the report names no catches".to_string()),
    }
}

/// The first number after the word "caught" on a line that has both.
fn catches(report: &str) -> Option<u32> {
    report.lines().find_map(|line| {
        let line = line.to_ascii_lowercase();
        let (_, after) = line.split_once("caught")?;
        after
            .split(|c: char| !c.is_ascii_digit())
            .find_map(|digits| digits.parse().ok())
    })
}

/// One frame of the example, drawn by a software renderer into a virtual display.
fn rendered_chase(root: &Path) -> Result<(), String> {
    let file = root.join(SCREENSHOT);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    // A picture left by an earlier run must not pass for this one's.
    if file.exists() {
        fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let mut command = Command::new("xvfb-run");
    command
        .current_dir(root)
        .args(["--auto-servernum", "--server-args=-screen 0 1280x720x24"])
        .arg(cargo_path())
        .args("run --release --locked --example chase -- --screenshot".split(' '))
        .arg(&file)
        .env_remove("WAYLAND_DISPLAY");
    succeed(command)?;
    blank::check(&file)
}

#[cfg(test)]
mod tests {
    use super::{Elapsed, catches};
    use std::time::Duration;

    #[test]
    fn catches_are_read_from_the_report() {
        assert_eq!(catches("agents  12\ncaught  11 of 12\n"), Some(11));
        assert_eq!(catches("| Caught | 0 |"), Some(0));
    }

    #[test]
    fn a_report_without_a_number_has_no_catches() {
        assert_eq!(catches("caught: none\nagents: 12"), None);
        assert_eq!(catches(""), None);
    }

    #[test]
    fn elapsed_time_reads_as_minutes_and_seconds() {
        assert_eq!(Elapsed(Duration::from_secs(65)).to_string(), "1m05s");
    }
}
