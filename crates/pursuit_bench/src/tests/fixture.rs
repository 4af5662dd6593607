//! Folders and games for tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::{GameArgs, MapArgs};
use crate::game::Mode;
use crate::game::pools::Pools;

/// A house with two rooms.
pub(crate) const HOUSE: &str = "\
type octile
height 9
width 14
map
..............
.@@@@.@@@@@@@.
.@.....@....@.
.@.....@....@.
.@..........@.
.@.....@....@.
.@@@.@@@@@@@@.
..............
..............
";

/// A folder for one test, which is deleted when it is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder. `name` must be different in each test.
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("pursuit_bench-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file. Returns its path.
    pub(crate) fn write(&self, file: &str, text: &str) -> PathBuf {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The options of a run on a map. The map is written to the folder.
pub(crate) fn common(folder: &Folder, map: &str, seed: u64) -> MapArgs {
    MapArgs {
        map: folder.write("a.map", map),
        seed,
        pools: Pools::default(),
    }
}

/// The options of a deterministic game on a map.
pub(crate) fn play(folder: &Folder, map: &str, agents: usize, seconds: f64, seed: u64) -> GameArgs {
    GameArgs {
        common: common(folder, map, seed),
        agents,
        seconds,
        pace: 10.0,
        mode: Mode::Inline,
    }
}
