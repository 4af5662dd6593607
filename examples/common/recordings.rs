//! Recordings as files, each with the text of its map beside it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use pursuit_lab::recording::Recording;

/// Saves a recording, and beside it the text of the map that was searched.
///
/// # Errors
///
/// Why a file cannot be written.
pub fn save(path: &Path, recording: &Recording, map: &str) -> Result<(), String> {
    write(path, &recording.to_bytes())?;
    write(&map_beside(path), map.as_bytes())
}

/// Reads a recording.
///
/// # Errors
///
/// Why the file cannot be read, or what is wrong with it.
pub fn load(path: &Path) -> Result<Recording, String> {
    let bytes = fs::read(path).map_err(|error| told(path, error))?;
    Recording::from_bytes(&bytes).map_err(|error| told(path, error))
}

/// The file beside a recording that holds its map.
pub fn map_beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".txt");
    PathBuf::from(name)
}

/// A reason, with the file that it is about.
pub fn told(path: &Path, reason: impl ToString) -> String {
    format!("{}: {}", path.display(), reason.to_string())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| told(path, error))
}
