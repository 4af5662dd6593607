//! Folders for tests.

use std::fs;
use std::path::{Path, PathBuf};

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

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
