//! Other programs, run from the workspace root with their output on ours.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the cargo that runs this program, with words split at spaces.
///
/// # Errors
/// The command line and how it ended.
pub(crate) fn cargo(root: &Path, args: &str) -> Result<(), String> {
    succeed(cargo_command(root, args))
}

/// The same, not run yet.
pub(crate) fn cargo_command(root: &Path, args: &str) -> Command {
    let mut command = Command::new(cargo_path());
    command.current_dir(root).args(args.split(' '));
    command
}

/// The cargo of the nightly toolchain with words split at spaces, not run yet. Only rustup's knows it.
pub(crate) fn nightly_command(root: &Path, args: &str) -> Command {
    let mut command = Command::new("cargo");
    // To ask for a toolchain must not install it.
    command.current_dir(root).env("RUSTUP_AUTO_INSTALL", "0");
    command.arg("+nightly").args(args.split(' '));
    command
}

/// The cargo that runs this program, so that a nested call uses the same toolchain.
pub(crate) fn cargo_path() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string())
}

/// Runs a command with its output on ours and without input.
///
/// # Errors
/// The command line, and how it ended or why it did not begin.
pub(crate) fn succeed(mut command: Command) -> Result<(), String> {
    let line = shown(&command);
    println!("{line}");
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("{line}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{line}: {status}"))
    }
}

/// A command as one types it, without the folders of the program.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name();
    let program = program.unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
