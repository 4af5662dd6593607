//! The level that is played: the built-in mansion, or a map from a file.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use pursuit::Cell;
use pursuit_examples::level::{Level, LevelError};
use thiserror::Error;

use crate::props::{Prop, PropKind};

/// Side of a tile, in world units.
pub(crate) const TILE: f32 = 32.0;

/// The built-in level; a letter's meaning is in [`PropKind::from_mark`] and [`Floor::from_mark`].
const MANSION: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../assets/levels/mansion.txt"
));

/// What a floor is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Floor {
    Slate,
    Wood,
    Carpet,
    Lawn,
}

impl Floor {
    /// Every kind.
    pub(crate) const ALL: [Self; 4] = [Self::Slate, Self::Wood, Self::Carpet, Self::Lawn];

    fn from_mark(mark: char) -> Option<Self> {
        Some(match mark {
            ',' => Self::Wood,
            '_' => Self::Carpet,
            '"' => Self::Lawn,
            _ => return None,
        })
    }
}

/// A level with everything in it.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) level: Level,
    pub(crate) props: Vec<Prop>,
    /// Radius of the navigation grid's nodes, in world units.
    pub(crate) node_radius: f32,
    floors: Vec<Floor>,
}

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

impl Stage {
    /// Loads a map, or the mansion where there is none.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, is malformed, or has no room to walk in.
    pub(crate) fn load(map: Option<&Path>) -> Result<Self, StageError> {
        let path = map.unwrap_or(Path::new("mansion.txt")).to_owned();
        let text = match map {
            None => MANSION.to_owned(),
            Some(file) => match std::fs::read_to_string(file) {
                Ok(text) => text,
                Err(source) => return Err(StageError::File { path, source }),
            },
        };
        // Four nodes per tile follow the mansion's furniture; a map's tiles are all there is.
        let node_radius = if map.is_none() {
            TILE / 8.0
        } else {
            TILE / 2.0
        };
        let level = Level::parse(&text, TILE);
        let level = level.map_err(|source| StageError::Level { path, source })?;
        Ok(Self::furnish(level, node_radius))
    }

    /// What the tile's floor is made of.
    pub(crate) fn floor(&self, cell: Cell) -> Option<Floor> {
        let index = self.level.layout().index(cell)?;
        self.level.is_floor(cell).then(|| self.floors[index.get()])
    }

    fn furnish(level: Level, node_radius: f32) -> Self {
        let mut floors = vec![Floor::Slate; level.layout().cell_count()];
        let mut props = Vec::new();
        let mut covered = Vec::new();
        for &(mark, cell) in level.marks() {
            let Some(index) = level.layout().index(cell) else {
                continue;
            };
            match Floor::from_mark(mark) {
                Some(floor) => floors[index.get()] = floor,
                None => covered.push((index.get(), cell)),
            }
            let kind = PropKind::from_mark(mark);
            props.extend(kind.map(|kind| Prop::on_tile(kind, level.tile_rect(cell))));
        }
        // A letter hides the floor that it stands on: take that of most of the tiles around it.
        let seen = floors.clone();
        for (index, cell) in covered {
            let around = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| cell.offset(dx, dy));
            let known = around.iter().filter(|near| level.is_floor(**near));
            let kinds: Vec<_> = known
                .filter_map(|near| Some(seen[level.layout().index(*near)?.get()]))
                .collect();
            let most = Floor::ALL
                .into_iter()
                .rev()
                .max_by_key(|floor| kinds.iter().filter(|kind| *kind == floor).count());
            floors[index] = most.unwrap_or(Floor::Slate);
        }
        Self {
            level,
            props,
            node_radius,
            floors,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mansion_has_a_player_a_dozen_chasers_and_one_connected_floor() {
        let stage = Stage::load(None).expect("the built-in level");
        assert_eq!(stage.level.positions('P').len(), 1);
        assert!(stage.level.positions('E').len() >= 12);
        assert_eq!(
            stage.level.main_floor().len(),
            stage.level.floor().free_count()
        );
        assert!(stage.props.len() > 100);
    }

    #[test]
    fn letters_stand_on_the_floor_around_them() {
        let level = Level::parse(",,,\n,p,\n,,,\n", TILE).expect("a level");
        let stage = Stage::furnish(level, 4.0);
        assert_eq!(stage.floor(Cell::new(1, 1)), Some(Floor::Wood));
        assert_eq!(stage.floor(Cell::new(3, 1)), None);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Stage::load(Some(Path::new("no/such.map"))).expect_err("no such file");
        assert!(error.to_string().starts_with("no/such.map: "), "{error}");
    }
}
