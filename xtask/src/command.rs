//! Runs other programs, and reads files.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Prepares a command line, split at spaces, to run in a folder. The command gets no input and has no display.
pub(crate) fn command(folder: &Path, line: &str) -> Command {
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.current_dir(folder).args(words).stdin(Stdio::null());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    // A check whether a toolchain is installed must not install it.
    command.env("RUSTUP_AUTO_INSTALL", "0");
    command
}

/// Runs a command line in a folder. Its output goes to the output of this program.
///
/// # Errors
/// The command line, and its exit status or the reason why it did not start.
pub(crate) fn run_line(folder: &Path, line: &str) -> Result<(), String> {
    succeed(command(folder, line))
}

/// Runs a command. Its output goes to the output of this program.
///
/// # Errors
/// The command line, and its exit status or the reason why it did not start.
pub(crate) fn succeed(mut command: Command) -> Result<(), String> {
    let line = shown(&command);
    println!("{line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line}: {status}")),
        Err(error) => Err(format!("{line}: {error}")),
    }
}

/// Runs a command and returns its standard output.
///
/// # Errors
/// The command line, its exit status, and its error output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let line = shown(command);
    let output = command.output();
    let output = output.map_err(|error| format!("{line}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(format!("{line}: {}: {}", output.status, why.trim()))
}

/// Reads the text of a file.
///
/// # Errors
/// The file, and the reason why it cannot be read.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
