//! The level that is played: the built-in mansion, or a map from a file.

use std::path::{Path, PathBuf};

use pursuit_examples::level::LevelError;
use pursuit_examples::stage::{Stage, TILE};
use thiserror::Error;

/// The built-in level.
const MANSION: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../assets/levels/mansion.txt"
));

/// Why a map cannot be played.
#[derive(Debug, Error)]
pub(crate) enum StageError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no map that can be played.
    #[error("{}: {source}", path.display())]
    Level {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it, and where.
        source: LevelError,
    },
}

/// Loads a map, or the mansion where there is none.
///
/// # Errors
///
/// Where the file cannot be read, is malformed, or has no room to walk in.
pub(crate) fn load(map: Option<&Path>) -> Result<Stage, StageError> {
    let path = map.unwrap_or(Path::new("mansion.txt")).to_owned();
    let text = match map {
        None => MANSION.to_owned(),
        Some(file) => match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(source) => return Err(StageError::File { path, source }),
        },
    };
    Stage::parse(&text).map_err(|source| StageError::Level { path, source })
}

/// Half the side of a cell of the navigation grid, in world units: four cells to a tile follow the
/// mansion's furniture; a map's tiles are all there is.
pub(crate) fn node_radius(map: Option<&Path>) -> f32 {
    if map.is_none() {
        TILE / 8.0
    } else {
        TILE / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mansion_has_a_player_a_dozen_chasers_and_one_connected_floor() {
        let stage = load(None).expect("the built-in level");
        assert_eq!(stage.positions('P').len(), 1);
        assert!(stage.positions('E').len() >= 12);
        assert_eq!(
            stage.level.main_floor().len(),
            stage.level.floor().free_count()
        );
        assert!(stage.props.len() > 100);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = load(Some(Path::new("no/such.map"))).expect_err("no such file");
        assert!(error.to_string().starts_with("no/such.map: "), "{error}");
    }
}
