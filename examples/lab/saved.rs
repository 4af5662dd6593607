//! Saved searches: files of recordings, each with the text of its map beside it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use pursuit_lab::recording::Recording;

use super::problem::Problem;

/// Saves the recording of a search, and the map that it searched.
pub(crate) fn save<P: Problem>(
    path: &Path,
    recording: &Recording,
    problem: &P,
) -> Result<(), String> {
    write(path, &recording.to_bytes())?;
    write(&map_beside(path), problem.text().as_bytes())
}

pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    fs::write(path, content).map_err(|error| file_error(path, error))
}

/// Reads a recording.
pub(crate) fn load(path: &Path) -> Result<Recording, String> {
    let bytes = fs::read(path).map_err(|error| file_error(path, error))?;
    Recording::from_bytes(&bytes).map_err(|error| file_error(path, error))
}

/// Reads a map from a file.
pub(crate) fn load_map<P: Problem>(path: &Path) -> Result<P, String> {
    let text = fs::read_to_string(path).map_err(|error| file_error(path, error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    P::parse(&name, &text).map_err(|error| file_error(path, error))
}

/// The problem of a saved search: on the given map, or on the map beside the file, or as the search saw it.
pub(crate) fn problem<P: Problem>(
    path: &Path,
    recording: &Recording,
    given: Option<P>,
) -> Result<P, String> {
    let beside = map_beside(path);
    let map = match given {
        None if beside.is_file() => Some(load_map(&beside)?),
        given => given,
    };
    P::from_recording(recording, map).map_err(|error| file_error(path, error))
}

/// The path of the map beside a recording.
fn map_beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".txt");
    PathBuf::from(name)
}

/// A message about a file.
fn file_error(path: &Path, reason: impl ToString) -> String {
    format!("{}: {}", path.display(), reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cubes::level::Level;
    use crate::grid::board::Board;
    use crate::problem::record;
    use crate::settings::{Method, Settings};

    /// Saves a search, and opens it with its own map, with another map, and without a map.
    fn opened<P: Problem>(problem: &P, other: P) -> [Result<String, String>; 3] {
        let file = format!("lab-{}-{}", P::STRAIGHT, std::process::id());
        let path = std::env::temp_dir().join(file);
        let recording = record(problem, Method::AStar, &Settings::default());
        save(&path, &recording.expect("an answer"), problem).expect("saved");
        let recording = load(&path).expect("a recording");
        let mut open = |map| {
            let problem = super::problem(&path, &recording, map);
            problem.map(|problem: P| problem.text())
        };
        let [own, other] = [None, Some(other)].map(&mut open);
        fs::remove_file(map_beside(&path)).expect("a map");
        let all = [own, other, open(None)];
        fs::remove_file(&path).expect("a recording");
        all
    }

    #[test]
    fn a_saved_search_is_loaded_with_its_map() {
        let board = Board::read("a", "S.#.\n..3G\n").expect("a map");
        let other = Board::read("b", "S...G\n").expect("a map");
        let [own, other, seen] = opened(&board, other);
        assert_eq!(own, Ok(board.text()));
        assert!(other.is_err_and(|error| error.contains("4 x 2 cells, and the map has")));
        let seen = seen.expect("as it was seen");
        assert!(seen.starts_with('S') && seen.ends_with("G\n"), "{seen}");
        let level = Level::built_in(0);
        let other = Level::parse("b", "S.G").expect("a level");
        let [own, other, seen] = opened(&level, other);
        assert_eq!(own, Ok(level.text()));
        assert!(other.is_err() && seen.is_err());
    }
}
