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

/// A folder for one test, gone with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty folder; `name` is the test's own.
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

    /// Writes a file. Where it is.
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

/// A run on a map, which is written into the folder.
pub(crate) fn common(folder: &Folder, map: &str, seed: u64) -> MapArgs {
    MapArgs {
        map: folder.write("a.map", map),
        seed,
        pools: Pools::default(),
    }
}

/// A game on a map that is the same each time.
pub(crate) fn play(folder: &Folder, map: &str, agents: usize, seconds: f64, seed: u64) -> GameArgs {
    GameArgs {
        common: common(folder, map, seed),
        agents,
        seconds,
        pace: 10.0,
        mode: Mode::Inline,
    }
}
