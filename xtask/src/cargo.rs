//! Other programs, cargo above all, run with their output on ours.

use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn cargo(root: &Path, args: &str) -> Result<(), String> {
    succeed(cargo_command(root, args))
}

pub(crate) fn cargo_command(root: &Path, args: &str) -> Command {
    let mut command = Command::new(cargo_path());
    command.current_dir(root).args(args.split(' '));
    command
}

/// The cargo that runs this program, so that a nested call uses the same toolchain.
pub(crate) fn cargo_path() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string())
}

/// Runs a command with its output on ours and without input.
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

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name();
    let program = program.unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
